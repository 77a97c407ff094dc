"""What the box says in Polish."""

from appliance.core.words.vocabulary import Words

WORDS = Words(
    # The language itself, and the game
    name="Polski",
    game="Kółko i krzyżyk",
    # Whose turn it is, and how a game ends
    your_turn="Twój ruch",
    box_turn="Mój ruch",
    x_turn="ma ruch",
    o_turn="ma ruch",
    you_win="Wygrana!",
    box_wins="Robot wygrywa",
    x_wins="wygrywa!",
    o_wins="wygrywa!",
    draw="Remis",
    demo="Pokaz",
    # Answers to a press
    taken="Zajęte!",
    one_key="Naciskaj po jednym",
    tap_again="Naciśnij: nowa gra",
    tap_play="Naciśnij i graj",
    hold_menu="Trzymaj środek: menu",
    hint_text="Spróbuj tutaj",
    nothing_to_undo="Nie ma co cofać",
    # Strength
    level="Poziom",
    easy="Łatwy",
    medium="Średni",
    hard="Trudny",
    perfect="Doskonały",
    # Rules, and each in one sentence
    classic="Trójka wygrywa",
    misere="Trójka przegrywa",
    vanishing="Po trzy znaki",
    # Who plays, and who begins
    players="Gracze",
    players_0="Robot kontra robot",
    players_1="Ty kontra robot",
    players_2="Dwie osoby",
    first_you="Ty zaczynasz",
    first_box="Robot zaczyna",
    first_alternate="Na zmianę",
    # The menu and the settings
    menu="Menu",
    settings="Ustawienia",
    contrast="Kontrast",
    sound_on="Z dźwiękiem",
    sound_off="Bez dźwięku",
    rotation="Obrót",
    language="Język",
    # Score
    you="Ty",
    box="Bot",
    tie="Remis",
    statistics="Statystyki",
    games="Partie",
    won="Wygrane",
    lost="Porażki",
    drawn="Remisy",
    # Beginning and end
    starting="Uruchamianie…",
    power="Zasilanie",
    power_off="Wyłącz",
    restart="Restart",
    really="Na pewno?",
    goodbye="Do widzenia!",
    goodbye_off="Wyłączam się. Odłącz prąd za dziesięć sekund.",
    back_soon="Zaraz wracam!",
    goodbye_restart="Ponowne uruchamianie…",
    stopped="Zatrzymano",
    goodbye_stop="Gra nie jest uruchomiona.",
    would_power_off="Tu robot by się wyłączył.",
    would_restart="Tu robot uruchomiłby się ponownie.",
    power_failed="Nie udało się.",
    # Something is wrong
    stuck_key="Zacięty przycisk {keys}",
    stuck_keys="Zacięte: {keys}",
    damaged_store="Zapis uszkodzony: od nowa",
    nothing_kept="Nic się nie zapisuje",
)
