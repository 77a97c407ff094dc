"""What the display shows, in words for people who do not see it: the nine buttons, and each change.

The words come from the scene that the picture is drawn from, in its language, without its animations.
"""

from appliance.core.english import capital
from appliance.core.keys.scan import KEYS
from appliance.core.picture.scene import BoardScene, Overview, PageScene, Scene, Tile
from appliance.core.session import two_people
from appliance.core.session.coach import VERDICT_FACES, VERDICT_WORDS
from appliance.core.session.state import Notice, Phase, Session
from appliance.core.session.view import scene
from appliance.core.words import Words, numbers, words
from appliance.simulator.virtual import VirtualBox

SIGNS = {"yes": "✓", "no": "✗", "stuck": "✗"}  # glyph -> a sign that screen readers know
BUTTONS = {"◀": "4 ", "▶": "6", "▲": "2 ", "▼": "8", "■": "5"}  # an arrow -> the button there
PEOPLE = {"1": "❶", "2": "❷"}
VERDICTS = {face: VERDICT_WORDS[value] for value, face in VERDICT_FACES.items()}
WORDED = {"": "empty", "dead": "draw"} | VERDICTS  # glyph -> its key in `core.words`
FEW = 4  # cells that change in a turn of both sides: more is another game


def words_of(scene: Scene) -> list[str]:
    """Return the words of a scene, headline first. Of the score only the counts: its labels are pictures."""
    if isinstance(scene, BoardScene):
        score = " : ".join(str(count) for label, count in scene.score if label != "stats")
        headline = f"{' '.join(scene.mark.upper())} {scene.headline}".strip() if scene.headline else ""
        parts = [headline, *scene.notes, score]
    elif isinstance(scene, PageScene):
        figures = ", ".join(f"{label} {count}" for label, count in scene.figures)
        parts = [scene.title, *scene.text.splitlines(), figures]
    else:
        parts = []
    return [part for part in parts if part]


def why_dark(box: VirtualBox) -> str:
    """Return why the display is dark; "" if it is lit."""
    if box.lit:
        return ""
    if box.loop is None:
        return "the box has no power"
    if box.hardware.bus.unplugged:
        return "unplugged"
    return "the box will try the display again" if box.session.lit else "the box sleeps: any button wakes it"


def button_names(box: VirtualBox) -> list[str]:
    """Return the names of the nine buttons in reading order: the number, and what is shown there."""
    session = _still(box.session)
    shown, text = scene(session), words(session.settings.language)
    if not box.lit or not isinstance(shown, BoardScene):
        return [str(number) for number in range(1, KEYS + 1)]
    return [
        ", ".join(
            _item(session, tile, key) if session.phase is Phase.MENU else _cell(tile, key, shown.side, text)
        )
        for key, tile in enumerate(shown.tiles)
    ]


def _still(session: Session) -> Session:
    """Return the session after its animations, at its board; a demonstration keeps to its own language."""
    frames = two_people.RING_FRAMES if two_people.won(session) else 0
    return session._replace(frames=frames, slide=0, shown=0)


def _sentence(part: str, shown: Scene, text: Words) -> str:
    """Return words that need no picture: people and buttons by number, and faces by their words alone."""
    tiles = shown.tiles if isinstance(shown, BoardScene) else ()
    better = numbers(tuple(cell for cell, tile in enumerate(tiles) if tile.outline))
    people = {sign: text["person"].format(number=number) for number, sign in PEOPLE.items()}
    signs = str.maketrans(BUTTONS | people | dict.fromkeys("☺⚇☹", ""))
    plain = capital(" ".join(part.replace(" ⬚", f", {better}").translate(signs).split()))
    return plain if plain[-1] in ".!?…" else f"{plain}."


def _item(session: Session, tile: Tile, key: int) -> list[str]:
    """Return the parts of a menu item's name: its words are those that a press shows."""
    if not tile.glyph:
        return [str(key + 1)]
    pressed = scene(session._replace(pressed=key, notice=Notice()))
    return [str(key + 1), words_of(pressed)[1], *([SIGNS["yes"]] if tile.last else [])]


def _cell(tile: Tile, key: int, side: Overview | None, text: Words) -> list[str]:
    """Return the parts of the name of a cell, or of a board that may be chosen."""
    glyph = "" if tile.outline else tile.glyph  # a suggested cell has no mark yet
    says = SIGNS.get(glyph) or text.get(WORDED.get(glyph, ""), glyph.partition("=")[0])
    parts = [says.rpartition("\N{NO-BREAK SPACE}")[2]]  # without the sign that it explains
    parts += [text["oldest_goes"]] if tile.fading else []
    parts += [text["hint_text"]] if tile.outline else []
    if side is None:
        return [str(key + 1), *filter(None, parts)]
    if side.active is not None:
        return [str(key + 1), *parts, text["board"].format(board=side.active + 1)]
    if glyph == "open":
        cells = side.cells[9 * key : 9 * key + 9]
        taken = {mark: tuple(cell for cell in range(9) if cells[cell] == mark) for mark in "xo"}
        said = [f"{mark} {numbers(places)}" for mark, places in taken.items() if places]
        parts[0] = "; ".join(said)
    return [text["board"].format(board=key + 1), *filter(None, parts)]


def _place(session: Session, move: int, text: Words) -> str:
    board, cell = session.form.home(move) + 1, str(move % 9 + 1)
    return cell if session.form.digits == 1 else f"{cell}, {text['board'].format(board=board)}"


class Reader:
    """Says what has changed since it was last asked."""

    def __init__(self) -> None:
        self._parts: list[str] = []  # the words that were shown then
        self._cells = self._boards = ""  # the position

    def news(self, box: VirtualBox) -> str:
        """Return what is new, moves first; "" for nothing, or while a mark may be taken back.

        After darkness all is new.
        """
        if not box.lit:
            self._parts, self._cells, self._boards = [], "", ""
        if not box.lit or box.session.phase is Phase.PLACED:
            return ""
        session = _still(box.session)
        shown, text = scene(session), words(session.settings.language)
        moves, parts = [], words_of(shown)
        if isinstance(shown, BoardScene) and session.phase not in {Phase.MENU, Phase.DEMO}:
            moves = [] if session.phase is Phase.SELF_TEST else self._moves(session, shown, text)
            parts = self._said(session, shown, text)
            word, refused, _ = session.notice
            if refused is not None and not word:  # a flash alone
                parts.append(f"{refused + 1} {SIGNS['no']}")
        turned = session.phase is Phase.MENU and parts[:1] != self._parts[:1]  # to another page
        said = [part for n, part in enumerate(parts) if part not in self._parts or (turned if n else moves)]
        # What stood before the box thinks is no news after it.
        self._parts = [*dict.fromkeys(parts + self._parts * (session.phase is Phase.THINKING))]
        return " ".join(_sentence(part, shown, text) for part in [*moves, *said])

    def _said(self, session: Session, shown: BoardScene, text: Words) -> list[str]:
        """Return the words, and what the picture says without any: places, and at the end the score."""
        over, side = session.phase is Phase.GAME_OVER, shown.side
        legend = " ".join(text[sign] for sign in VERDICTS.values())  # of the coach's faces
        glyphs = [tile.glyph for tile in shown.tiles]
        worth = "; ".join(
            f"{text[word]} {numbers(tuple(cell for cell in range(KEYS) if glyphs[cell] == face))}"
            for face, word in VERDICTS.items()
            if face in glyphs
        )
        asked = "".join(f": {glyph[1:]}" for glyph in glyphs if glyph[:1] == "=")  # by the self-test
        fading = numbers(tuple(cell for cell, tile in enumerate(shown.tiles) if tile.fading))
        told = {legend: worth, text["oldest_goes"]: f"{text['oldest_goes']}: {fading}"}
        notes = tuple(told.get(note, note + asked) for note in shown.notes)
        parts = words_of(shown._replace(notes=notes, score=shown.score if over else ()))
        if shown.headline and shown.mark[1:]:
            number, mark = shown.mark[0], shown.mark[1].upper()
            parts[0] = f"{text['person'].format(number=number)}, {mark}, {shown.headline}"
        if session.hint is not None:
            parts = [part for part in parts if part != text["hint_text"]]
            parts[1:1] = [text["hint_text"], _place(session, session.hint, text)]
        if over and shown.strike:
            parts.insert(1, numbers(session.match.game.line))
        if session.phase is Phase.YOUR_TURN and side and side.active is not None:
            parts.insert(0, text["board"].format(board=side.active + 1))
        return parts

    def _moves(self, session: Session, shown: BoardScene, text: Words) -> list[str]:
        """Return which cells were taken or became empty, and which boards were won."""
        cells = session.match.game.cells
        if not shown.side:  # a review shows another position than the game's
            glyphs = ["" if tile.outline else tile.glyph for tile in shown.tiles]
            cells = "".join(glyph if glyph in {"x", "o"} else "." for glyph in glyphs)
        boards = shown.side.boards if shown.side else ""
        before, self._cells = self._cells, cells
        earlier, self._boards = self._boards, boards
        if len(before) != len(cells):
            return []
        won = [(at, mark) for at, mark in enumerate(boards) if mark in "xo" and mark != earlier[at]]
        changed = {_place(session, at, text): new for at, new in enumerate(cells) if new != before[at]}
        return [
            text["took"].format(mark=new, cell=place) if new != "." else f"{place}, {text['empty']}"
            for place, new in (changed if len(changed) <= FEW else {}).items()
        ] + [f"{text['board'].format(board=at + 1)}, {mark} {text['mark_wins']}" for at, mark in won]
