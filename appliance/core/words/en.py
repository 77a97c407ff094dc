"""What the box says in English."""

from appliance.core.words.vocabulary import Words

WORDS = Words(
    # The language itself, and the game
    name="English",
    game="Tic-Tac-Toe",
    # Whose turn it is, and how a game ends
    your_turn="Your turn",
    box_turn="My turn",
    x_turn="to move",
    o_turn="to move",
    you_win="You win!",
    box_wins="Box wins",
    x_wins="wins!",
    o_wins="wins!",
    draw="A draw",
    demo="Demo",
    # Answers to a press
    taken="Taken!",
    one_key="One button at a time",
    tap_again="Tap: play again",
    tap_play="Tap to play",
    hold_menu="Hold centre: menu",
    hint_text="Try this one",
    nothing_to_undo="No move to undo",
    # Strength
    level="Level",
    easy="Easy",
    medium="Medium",
    hard="Hard",
    perfect="Perfect",
    # Rules, and each in one sentence
    classic="Three in a row wins",
    misere="Three in a row loses",
    vanishing="Three marks each",
    # Who plays, and who begins
    players="Players",
    players_0="Box plays itself",
    players_1="You and the box",
    players_2="Two people",
    first_you="You begin",
    first_box="Box begins",
    first_alternate="Take turns",
    # The menu and the settings
    menu="Menu",
    settings="Settings",
    contrast="Contrast",
    sound_on="Sound on",
    sound_off="Sound off",
    rotation="Rotation",
    language="Language",
    # Score
    you="You",
    box="Box",
    tie="Draw",
    statistics="Statistics",
    games="Games",
    won="Won",
    lost="Lost",
    drawn="Drawn",
    # Beginning and end
    starting="Starting…",
    power="Power",
    power_off="Switch off",
    restart="Restart",
    really="Really?",
    goodbye="Goodbye!",
    goodbye_off="Switching off. Wait ten seconds, then unplug.",
    back_soon="Back soon!",
    goodbye_restart="Restarting…",
    stopped="Stopped",
    goodbye_stop="The game is not running.",
    would_power_off="Here the box would switch off.",
    would_restart="Here the box would restart.",
    power_failed="That did not work.",
    # Something is wrong
    stuck_key="Button {keys} is stuck",
    stuck_keys="Stuck: {keys}",
    damaged_store="Bad save: a fresh start",
    nothing_kept="Nothing can be saved",
)
