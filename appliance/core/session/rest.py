"""The transitions of dimming, sleep, the demonstration and the goodbye."""

from appliance.core.keys.key_events import Blocked, Chord, Hold, Press, Tap
from appliance.core.session import events as fx
from appliance.core.session import state, visit
from appliance.core.session.match import Match
from appliance.core.session.play import home, refuse_blocked, resume
from appliance.core.session.state import Phase, Session, Step, arm_rest, light, notify, renew


def touch(session: Session) -> Step:
    """Brighten a dimmed display, and restart the timers of rest: a key was pressed."""
    return session._replace(dimmed=False), arm_rest(session)


def dim(session: Session, _event: fx.Timeout) -> Step:
    """Dim the display and, if the configuration says so, start a demonstration."""
    session = session._replace(dimmed=True, sleeps=True)
    if session.options.attract and session.phase in {Phase.YOUR_TURN, Phase.GAME_OVER}:
        session = session._replace(phase=Phase.DEMO, demo=Match.new(session.match.rule, "x"))
        return session, (fx.Arm(fx.Timer.DEMO, state.DEMO_SECONDS),)
    return session, ()


def demo_turn(session: Session, _event: fx.Timeout) -> Step:
    """Ask the engine for the demonstration's next move; start another game after the end of one."""
    demo = Match.new(session.demo.rule, "x") if session.demo.over else session.demo
    session = renew(session._replace(demo=demo))
    return session, (fx.Think(session.request.job, demo, session.level),)


def demo_move(session: Session, event: fx.Answer) -> Step:
    """Show the demonstration's next move."""
    demo = session.demo
    if event.job != session.request.job or event.move not in demo.game.moves():
        return session, ()
    demo = demo.play(event.move)
    seconds = state.NEXT_SECONDS if demo.over else state.DEMO_SECONDS
    session = renew(session._replace(demo=demo, shown=session.shown + 1))
    return session, (fx.Arm(fx.Timer.DEMO, seconds),)


def sleep(session: Session, _event: fx.Timeout) -> Step:
    """Switch the display off, unless no key can be read."""
    if "keys" in session.badges:  # the display says so, and no press could light it again
        return session, (fx.Arm(fx.Timer.OFF, session.options.off),)
    return renew(session._replace(phase=Phase.ASLEEP, pressed=None, progress=None, sleeps=True)), ()


def wake(session: Session, event: Press) -> Step:
    """Light the display. The press that wakes the box does nothing else, however long it lasts."""
    session, counted = visit.start(session)
    session, effects = light(session)
    return session._replace(phase=Phase.WAKING, pressed=event.key), (*effects, *counted)


def end_demo(session: Session, event: Press) -> Step:
    """End the demonstration. The press that ends it does nothing else."""
    session, counted = visit.start(session)
    return renew(session._replace(phase=Phase.WAKING, pressed=event.key)), counted


def wake_blocked(session: Session, event: Blocked) -> Step:
    """Light the display or end the demonstration, and say which keys are held down."""
    session, counted = visit.start(session)
    session, lit = light(renew(session))
    session, effects = home(session, event.at)
    session, message = refuse_blocked(session, event)
    return session, (*lit, *effects, *message, *counted)


def awake(session: Session, event: Tap | Hold | Chord) -> Step:
    """Return to the game: the press that woke the box has ended."""
    return home(session, event.at)


def drift(session: Session, _event: fx.Timeout) -> Step:
    """Shift the picture by a pixel to prevent burn-in."""
    session = session._replace(drift=session.drift + 1)
    return session, (fx.Arm(fx.Timer.DRIFT, session.options.drift),)


def condition(session: Session, event: fx.Condition) -> Step:
    """Show the badge of a warning that started, or remove that of one that cleared."""
    badges = tuple(sorted({*session.badges, event.name} if event.on else {*session.badges} - {event.name}))
    return session._replace(badges=badges), ()


def condition_asleep(session: Session, event: fx.Condition) -> Step:
    """Update the badges. If no key can be read, light the display: no press could."""
    known = "keys" in session.badges
    session, _ = condition(session, event)
    if known or "keys" not in session.badges:
        return session, ()
    session, lit = light(session)
    session, effects = home(session, event.at)
    return session, (*lit, *effects)


def stay(session: Session, event: fx.Timeout | fx.Refused) -> Step:
    """Continue the game: the machine did not switch off. It no longer asks."""
    reason = event.reason if isinstance(event, fx.Refused) else "did_not_work"
    session, effects = resume(session, event.at)
    session, message = notify(session, reason)
    session, lit = light(session)  # the timers of dimming and sleep may have expired meanwhile
    return session, (*effects, *message, *lit)


def stop(session: Session, _event: fx.StopSignal) -> Step:
    """Say goodbye, with the reason, and end the daemon."""
    goodbye = session.goodbye if session.phase is Phase.LEAVING else "goodbye_stop"
    return session._replace(phase=Phase.ENDED, goodbye=goodbye, dimmed=False), (fx.Quit(),)
