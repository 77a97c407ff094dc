"""The transitions of rest, demonstration and farewell."""

from appliance.core.events import (
    Answer,
    Arm,
    Blocked,
    Chord,
    Condition,
    Disarm,
    Draw,
    Effect,
    Hold,
    Lamp,
    Press,
    Quit,
    Refused,
    Rest,
    Stop,
    Tap,
    Think,
    Timeout,
    Timer,
)
from appliance.core.match import Match
from appliance.core.play import refuse_blocked, resume
from appliance.core.state import (
    DEMO_SECONDS,
    NEXT_SECONDS,
    Page,
    Phase,
    Session,
    Step,
    arm_rest,
    light,
    notify,
    save,
)


def touch(session: Session) -> Step:
    """Brighten a dimmed display and restart the way to rest: someone has pressed a key."""
    brighter: tuple[Effect, ...] = (Draw(),) if session.dimmed else ()
    return session._replace(dimmed=False), (*brighter, *arm_rest(session))


def dim(session: Session, _event: Timeout) -> Step:
    """Dim the display and, if so configured, begin a demonstration."""
    session = session._replace(dimmed=True, mood="sleeps")
    if session.options.attract and session.phase in {Phase.YOUR_TURN, Phase.GAME_OVER}:
        session = session._replace(
            under=session.phase, phase=Phase.DEMO, demo=Match.new(session.match.rule, "x")
        )
        return session, (Disarm(Timer.FRAME), Draw(), Arm(Timer.DEMO, DEMO_SECONDS))
    return session, (Draw(),)


def demo_turn(session: Session, _event: Timeout) -> Step:
    """Ask the engine for the demonstration's next move; begin another when one has ended."""
    demo = Match.new(session.demo.rule, "x") if session.demo.over else session.demo
    session = session._replace(demo=demo, job=session.job + 1)
    return session, (Draw(), Think(session.job, demo, session.level))


def demo_move(session: Session, event: Answer) -> Step:
    """Show the demonstration's next move."""
    demo = session.demo
    if event.job != session.job or event.cell not in demo.game.moves():
        return session, ()
    demo = demo.play(event.cell)
    seconds = NEXT_SECONDS if demo.over else DEMO_SECONDS
    return session._replace(demo=demo, job=session.job + 1), (Draw(), Arm(Timer.DEMO, seconds))


def sleep(session: Session, _event: Timeout) -> Step:
    """Darken the display, unless no key can be read. Nothing runs while the box sleeps."""
    if "keys" in session.badges:  # it shows that, and no press could light it again
        return session, (Arm(Timer.OFF, session.options.off),)
    under = session.phase
    if under in {Phase.DEMO, Phase.WAKING}:
        under = session.under
    session = session._replace(
        phase=Phase.ASLEEP, under=under, pressed=None, progress=None, mood="sleeps", job=session.job + 1
    )
    return session, (Draw(), Lamp(on=False), Rest(asleep=True), *(Disarm(timer) for timer in Timer))


def wake(session: Session, event: Press) -> Step:
    """Light the display. The press that does so does nothing else, however long it lasts."""
    session, effects = light(session)
    return session._replace(phase=Phase.WAKING, pressed=event.key), effects


def end_demo(session: Session, event: Press) -> Step:
    """End the demonstration. The press that does so does nothing else."""
    session = session._replace(phase=Phase.WAKING, pressed=event.key, job=session.job + 1)
    return session, (Disarm(Timer.DEMO), Draw())


def wake_blocked(session: Session, event: Blocked) -> Step:
    """Light the display or end the demonstration, and say which keys are held down."""
    session, lit = light(session._replace(phase=session.under, job=session.job + 1))
    session, effects = resume(session, event.at)
    session, message = refuse_blocked(session, event)
    return session, (Disarm(Timer.DEMO), *lit, *effects, *message)


def awake(session: Session, event: Tap | Hold | Chord) -> Step:
    """Go on where the box was when it fell asleep: the press that woke it has ended."""
    return resume(session._replace(phase=session.under), event.at)


def drift(session: Session, _event: Timeout) -> Step:
    """Shift the picture by a pixel against burn-in."""
    session = session._replace(drift=session.drift + 1)
    return session, (Draw(), Arm(Timer.DRIFT, session.options.drift))


def condition(session: Session, event: Condition) -> Step:
    """Show, or no longer show, the badge of something that has begun or ended."""
    badges = tuple(sorted({*session.badges, event.name} if event.on else {*session.badges} - {event.name}))
    if badges == session.badges:
        return session, ()
    return session._replace(badges=badges), (Draw(),)


def condition_asleep(session: Session, event: Condition) -> Step:
    """Update the badges. If no key can be read, light the display: no press can."""
    session, shown = condition(session, event)
    if not shown or "keys" not in session.badges:
        return session, shown
    session, lit = light(session._replace(phase=session.under))
    session, effects = resume(session, event.at)
    return session, (*lit, *effects)


def stay(session: Session, event: Timeout | Refused) -> Step:
    """Go on with the game: the machine was not switched off after all."""
    reason = event.reason if isinstance(event, Refused) else "power_failed"
    session, effects = resume(session, event.at)
    session, message = notify(session, reason)
    session, lit = light(session)  # the timers of rest may have run out unheard
    return session, (Disarm(Timer.LEAVE), *effects, *message, *lit)


def stop(session: Session, _event: Stop) -> Step:
    """Say goodbye and end. The goodbye says why.

    At the first start nothing is kept before something was chosen or played: the next one asks again.
    """
    goodbye = session.goodbye if session.phase is Phase.LEAVING else "goodbye_stop"
    session = session._replace(phase=Phase.ENDED, goodbye=goodbye, dimmed=False)
    kept = () if session.page is Page.FIRST else (save(session),)
    return session, (*kept, Draw(), Lamp(on=False), Quit())
