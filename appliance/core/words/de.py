"""What the box says in German."""

from appliance.core.words.vocabulary import Words

WORDS = Words(
    # The language itself, and the game
    name="Deutsch",
    game="Tic-Tac-Toe",
    # Whose turn it is, and how a game ends
    your_turn="Dein Zug",
    box_turn="Mein Zug",
    x_turn="am Zug",
    o_turn="am Zug",
    you_win="Du gewinnst!",
    box_wins="Box gewinnt",
    x_wins="gewinnt!",
    o_wins="gewinnt!",
    draw="Remis",
    demo="Demo",
    # Answers to a press
    taken="Besetzt!",
    one_key="Nur eine Taste",
    tap_again="Tippen: neues Spiel",
    tap_play="Tippen: spielen",
    hold_menu="Mitte halten: Menü",
    hint_text="Versuch das hier",
    nothing_to_undo="Noch kein Zug",
    # Strength
    level="Stufe",
    easy="Leicht",
    medium="Mittel",
    hard="Schwer",
    perfect="Perfekt",
    # Rules, and each in one sentence
    classic="Dreierreihe gewinnt",
    misere="Dreierreihe verliert",
    vanishing="Je drei Zeichen",
    # Who plays, and who begins
    players="Spieler",
    players_0="Box gegen Box",
    players_1="Du gegen die Box",
    players_2="Zwei Personen",
    first_you="Du beginnst",
    first_box="Box beginnt",
    first_alternate="Im Wechsel",
    # The menu and the settings
    menu="Menü",
    settings="Optionen",
    contrast="Kontrast",
    sound_on="Ton an",
    sound_off="Ton aus",
    rotation="Drehung",
    language="Sprache",
    # Score
    you="Du",
    box="Box",
    tie="Remis",
    statistics="Statistik",
    games="Spiele",
    won="Gewonnen",
    lost="Verloren",
    drawn="Remis",
    # Beginning and end
    starting="Ich starte…",
    power="Ein/Aus",
    power_off="Abschalten",
    restart="Neu starten",
    really="Wirklich?",
    goodbye="Tschüss!",
    goodbye_off="Ich schalte mich aus. In zehn Sekunden Stecker ziehen.",
    back_soon="Bis gleich!",
    goodbye_restart="Neustart…",
    stopped="Angehalten",
    goodbye_stop="Das Spiel läuft gerade nicht.",
    would_power_off="Hier ginge die Box aus.",
    would_restart="Hier würde die Box neu starten.",
    power_failed="Das ging nicht.",
    # Something is wrong
    stuck_key="Taste {keys} klemmt",
    stuck_keys="Tasten {keys} klemmen",
    damaged_store="Daten defekt: neuer Anfang",
    nothing_kept="Speichern geht nicht",
)
