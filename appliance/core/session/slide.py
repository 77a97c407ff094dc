"""The slide from the board just played to the next one, where a game has nine boards."""

from appliance.core.picture.scene import SLIDE_FRAMES, Tile, unfold
from appliance.core.session import events as fx
from appliance.core.session import state
from appliance.core.session.state import Phase, Session, Step, arm


def follow(session: Session, effects: tuple[fx.Effect, ...]) -> Step:
    """Let the board of the last move stay for a moment, and slide to the next one if that is another.

    The box answers only then: a person must see where the move sends it. The board stays for as long as a
    hand needs to answer what the eye has seen, so a press meanwhile is no answer to the move.
    """
    form, last = session.form, session.match.moves[-1]
    if form.home(last) == form.board(session.match.game, None):
        return session, effects
    stay = state.WON_SECONDS if form.won(session.match.game, last) else state.STAY_SECONDS
    session = session._replace(slide=SLIDE_FRAMES)
    effects = (*effects, fx.Arm(fx.Timer.FRAME, stay))
    if session.phase is Phase.THINKING:
        moving = stay + SLIDE_FRAMES * state.SLIDE_SECONDS
        session = session._replace(request=session.request._replace(pausing=True))
        effects = (*effects, fx.Arm(fx.Timer.PAUSE, moving + session.options.pause))
    return session, effects


def step(session: Session) -> Step:
    """Show the slide's next frame; another animation may wait for its end."""
    session = session._replace(slide=session.slide - 1)
    more = session.slide or session.frames
    return session, arm(fx.Timer.FRAME, state.SLIDE_SECONDS if more else 0)


def between(session: Session, after: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """Return the tiles on the way from the board just played to the next one, whose tiles are `after`."""
    form, last = session.form, session.match.moves[-1]
    home = form.home(last)
    before = form.tiles(session.match.game, home, None)
    return unfold(before, after, form.tile(last, home) or 0, 1 - session.slide / SLIDE_FRAMES)
