"""The score: how a game counts, and the counts below the words with the box's face as a label."""

from appliance.core.session import two_people
from appliance.core.session.settings import Record, Scores, Tally
from appliance.core.session.state import Phase, Session

HELLO = ("waits", "winks", "waits", "sleeps")  # the face at the start, last frame first


def face(session: Session) -> str:
    """Return the expression of the box's face; like the words, it stays until a press is final."""
    match = session.match
    if session.sleeps or session.greets:
        return "sleeps" if session.sleeps else HELLO[session.frames - 1]
    if match.counted:
        return {"draw": "draws", match.human: "loses"}.get(str(match.game.outcome), "wins")
    return "thinks" if session.phase is Phase.THINKING else "waits"


def score(session: Session) -> tuple[tuple[str, int], ...]:
    """Return the score of those who play now: labels and counts. A match comes before all games."""
    match session.settings.players:
        case 0:
            return ()
        case 1:
            return counts(("person", face(session)), session.scores.box)
    people, wins = two_people.people(session.match), session.settings.series
    if not wins:
        return counts(people, session.scores.pair)
    return (*counts(people, two_people.standing(session))[:2], ("stats", wins))


def counts(sides: tuple[str, str], tally: Tally) -> tuple[tuple[str, int], ...]:
    """Return labels and counts of a tally; `sides` are the labels of the first and the second side."""
    return tuple(zip((*sides, "tie"), tally, strict=True))


def scored(session: Session, outcome: str, result: str) -> Scores:
    """Return the scores with this game; `result` is the person's: "win", "loss" or "draw"."""
    match, settings, scores = session.match, session.settings, session.scores
    scores = scores._replace(series=two_people.running(scores.series, settings.series))
    if settings.players == 2:
        series = scores.series.add(outcome, match.human) if settings.series else Tally()
        return scores._replace(pair=scores.pair.add(outcome, match.human), series=series)
    if settings.players == 0:
        return scores
    records = {**scores.records, settings.level: scores.records.get(settings.level, Record()).add(result)}
    scores = scores._replace(box=scores.box.add(outcome, match.human), records=records)
    if settings.level != "adaptive":
        return scores
    belief = match.believed(session.belief).ended(result)
    return scores._replace(beliefs={**scores.beliefs, match.rule: belief})
