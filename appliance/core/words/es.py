"""What the box says in Spanish."""

from appliance.core.words.vocabulary import Words

WORDS = Words(
    # The language itself, and the game
    name="Español",
    game="Tres en raya",
    # Whose turn it is, and how a game ends
    your_turn="Te toca",
    box_turn="Me toca",
    x_turn="juega",
    o_turn="juega",
    you_win="¡Ganas!",
    box_wins="Gana el robot",
    x_wins="gana",
    o_wins="gana",
    draw="Empate",
    demo="Demo",
    # Answers to a press
    taken="¡Ocupada!",
    one_key="Un botón a la vez",
    tap_again="Pulsa: otra partida",
    tap_play="Pulsa y juega",
    hold_menu="Mantén centro: menú",
    hint_text="Prueba aquí",
    nothing_to_undo="Nada que deshacer",
    # Strength
    level="Nivel",
    easy="Fácil",
    medium="Medio",
    hard="Difícil",
    perfect="Perfecto",
    # Rules, and each in one sentence
    classic="Tres en raya gana",
    misere="Tres en raya pierde",
    vanishing="Tres fichas cada uno",
    # Who plays, and who begins
    players="Jugadores",
    players_0="Robot contra robot",
    players_1="Tú contra el robot",
    players_2="Dos personas",
    first_you="Empiezas tú",
    first_box="Empieza el robot",
    first_alternate="Por turnos",
    # The menu and the settings
    menu="Menú",
    settings="Ajustes",
    contrast="Contraste",
    sound_on="Con sonido",
    sound_off="Sin sonido",
    rotation="Rotación",
    language="Idioma",
    # Score
    you="Tú",
    box="Bot",
    tie="Emp.",
    statistics="Estadísticas",
    games="Partidas",
    won="Ganadas",
    lost="Perdidas",
    drawn="Empates",
    # Beginning and end
    starting="Iniciando…",
    power="Apagado",
    power_off="Apagar",
    restart="Reiniciar",
    really="¿Seguro?",
    goodbye="¡Adiós!",
    goodbye_off="Apagando. Espera diez segundos y desenchufa.",
    back_soon="¡Ahora vuelvo!",
    goodbye_restart="Reiniciando…",
    stopped="Detenido",
    goodbye_stop="El juego no está en marcha.",
    would_power_off="Aquí el robot se apagaría.",
    would_restart="Aquí el robot se reiniciaría.",
    power_failed="No ha funcionado.",
    # Something is wrong
    stuck_key="Botón {keys} atascado",
    stuck_keys="Atascados: {keys}",
    damaged_store="Datos dañados: desde cero",
    nothing_kept="No se guarda nada",
)
