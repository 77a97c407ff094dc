# ruff: noqa: RUF001 -- French has a true apostrophe
"""What the box says in French."""

from appliance.core.words.vocabulary import Words

WORDS = Words(
    # The language itself, and the game
    name="Français",
    game="Morpion",
    # Whose turn it is, and how a game ends
    your_turn="À toi\N{NARROW NO-BREAK SPACE}!",
    box_turn="À moi\N{NARROW NO-BREAK SPACE}!",
    x_turn="joue",
    o_turn="joue",
    you_win="Gagné\N{NARROW NO-BREAK SPACE}!",
    box_wins="Le robot gagne",
    x_wins="gagne\N{NARROW NO-BREAK SPACE}!",
    o_wins="gagne\N{NARROW NO-BREAK SPACE}!",
    draw="Match nul",
    demo="Démo",
    # Answers to a press
    taken="Occupé\N{NARROW NO-BREAK SPACE}!",
    one_key="Un bouton à la fois",
    tap_again="Appuie\N{NARROW NO-BREAK SPACE}: rejouer",
    tap_play="Appuie et joue",
    hold_menu="Appui long\N{NARROW NO-BREAK SPACE}: menu",
    hint_text="Essaie ici",
    nothing_to_undo="Aucun coup à annuler",
    # Strength
    level="Niveau",
    easy="Facile",
    medium="Moyen",
    hard="Difficile",
    perfect="Parfait",
    # Rules, and each in one sentence
    classic="Trois alignés\N{NARROW NO-BREAK SPACE}: gagné",
    misere="Trois alignés\N{NARROW NO-BREAK SPACE}: perdu",
    vanishing="Trois signes chacun",
    # Who plays, and who begins
    players="Joueurs",
    players_0="Robot contre robot",
    players_1="Toi contre le robot",
    players_2="Deux joueurs",
    first_you="Tu commences",
    first_box="Le robot commence",
    first_alternate="À tour de rôle",
    # The menu and the settings
    menu="Menu",
    settings="Réglages",
    contrast="Contraste",
    sound_on="Son activé",
    sound_off="Son coupé",
    rotation="Rotation",
    language="Langue",
    # Score
    you="Toi",
    box="Bot",
    tie="Nul",
    statistics="Statistiques",
    games="Parties",
    won="Gagnées",
    lost="Perdues",
    drawn="Nulles",
    # Beginning and end
    starting="Démarrage…",
    power="Arrêt",
    power_off="Éteindre",
    restart="Redémarrer",
    really="Vraiment\N{NARROW NO-BREAK SPACE}?",
    goodbye="Au revoir\N{NARROW NO-BREAK SPACE}!",
    goodbye_off="Je m’éteins. Débranche dans dix secondes.",
    back_soon="À tout de suite\N{NARROW NO-BREAK SPACE}!",
    goodbye_restart="Redémarrage…",
    stopped="Arrêté",
    goodbye_stop="Le jeu ne tourne pas.",
    would_power_off="Ici, le robot s’éteindrait.",
    would_restart="Ici, le robot redémarrerait.",
    power_failed="Cela n’a pas marché.",
    # Something is wrong
    held_key="Bouton {keys} enfoncé",
    held_keys="Enfoncés\N{NARROW NO-BREAK SPACE}: {keys}",
    stuck_key="Bouton {keys} coincé",
    stuck_keys="Coincés\N{NARROW NO-BREAK SPACE}: {keys}",
    damaged_store="Données endommagées",
    nothing_kept="Rien n’est enregistré",
)
