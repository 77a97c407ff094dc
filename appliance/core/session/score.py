"""The score: how a game counts, and the counts below the words with the box's face as a label."""

from appliance.core.session.settings import Record, Scores, Tally
from appliance.core.session.state import Phase, Session

HELLO = ("waits", "winks", "waits", "sleeps")  # the face at the start, last frame first


def face(session: Session) -> str:
    """Return the expression of the box's face; like the words, it stays until a press is final."""
    match = session.match
    if session.mood:
        return HELLO[session.frames - 1] if session.mood == "hello" else session.mood
    if match.counted:
        return {"draw": "draws", match.human: "loses"}.get(str(match.game.outcome), "wins")
    return "thinks" if session.phase is Phase.THINKING else "waits"


def score(session: Session) -> tuple[tuple[str, int], ...]:
    """Return the score of those who play now: labels and counts."""
    players = session.settings.players
    if players == 0:
        return ()
    tally = session.scores.pair if players == 2 else session.scores.box
    return counts(session, tally, pair=players == 2)


def counts(session: Session, tally: Tally, *, pair: bool) -> tuple[tuple[str, int], ...]:
    """Return labels and counts of a tally: of two people if `pair`, else of a person and the box."""
    first, second = ("x", "o") if pair else ("person", face(session))
    return ((first, tally.first), (second, tally.second), ("tie", tally.drawn))


def scored(session: Session, outcome: str, result: str) -> Scores:
    """Return the scores with this game; `result` is the person's: "win", "loss" or "draw"."""
    match, settings, scores = session.match, session.settings, session.scores
    if settings.players == 2:
        return scores._replace(pair=scores.pair.add(outcome, "x"))
    if settings.players == 0:
        return scores
    records = {**scores.records, settings.level: scores.records.get(settings.level, Record()).add(result)}
    scores = scores._replace(box=scores.box.add(outcome, match.human), records=records)
    if settings.level != "adaptive":
        return scores
    belief = match.believed(session.belief).ended(result)
    return scores._replace(beliefs={**scores.beliefs, match.rule: belief})
