"""What the box says in Czech."""

from appliance.core.words.vocabulary import Words

WORDS = Words(
    # The language itself, and the game
    name="Čeština",
    game="Piškvorky",
    # Whose turn it is, and how a game ends
    your_turn="Tvůj tah",
    box_turn="Můj tah",
    x_turn="na tahu",
    o_turn="na tahu",
    you_win="Vyhráváš!",
    box_wins="Robot vyhrává",
    x_wins="vyhrává!",
    o_wins="vyhrává!",
    draw="Remíza",
    demo="Ukázka",
    # Answers to a press
    taken="Obsazeno!",
    one_key="Jen jedno tlačítko",
    tap_again="Stiskni: nová hra",
    tap_play="Stiskni a hraj",
    hold_menu="Podrž střed: menu",
    hint_text="Zkus tohle",
    nothing_to_undo="Není co vrátit",
    # Strength
    level="Úroveň",
    easy="Lehká",
    medium="Střední",
    hard="Těžká",
    perfect="Dokonalá",
    # Rules, and each in one sentence
    classic="Tři v řadě vyhrávají",
    misere="Tři v řadě prohrávají",
    vanishing="Každý má tři značky",
    # Who plays, and who begins
    players="Hráči",
    players_0="Robot proti robotovi",
    players_1="Ty proti robotovi",
    players_2="Dva hráči",
    first_you="Začínáš ty",
    first_box="Začíná robot",
    first_alternate="Střídavě",
    # The menu and the settings
    menu="Menu",
    settings="Nastavení",
    contrast="Kontrast",
    sound_on="Se zvukem",
    sound_off="Bez zvuku",
    rotation="Otočení",
    language="Jazyk",
    # Score
    you="Ty",
    box="Bot",
    tie="Rem.",
    statistics="Statistika",
    games="Hry",
    won="Výhry",
    lost="Prohry",
    drawn="Remízy",
    # Beginning and end
    starting="Spouštím…",
    power="Napájení",
    power_off="Vypnout",
    restart="Restart",
    really="Opravdu?",
    goodbye="Na shledanou!",
    goodbye_off="Vypínám se. Odpoj mě za deset sekund.",
    back_soon="Hned jsem zpět!",
    goodbye_restart="Restartuji…",
    stopped="Zastaveno",
    goodbye_stop="Hra právě neběží.",
    would_power_off="Tady by se robot vypnul.",
    would_restart="Tady by se robot restartoval.",
    power_failed="To se nepovedlo.",
    # Something is wrong
    stuck_key="Zaseklé tlačítko {keys}",
    stuck_keys="Zaseklá: {keys}",
    damaged_store="Data poškozena: od nuly",
    nothing_kept="Nic se neukládá",
)
