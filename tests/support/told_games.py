"""Claims of the commentators, checked without the engine: a second opinion on each."""

from solved_games import LINES, solve_board, solve_vanishing

from engine import RULES

VALUES = {1: "win", 0: "draw", -1: "loss"}
FLIPPED = {"win": "loss", "draw": "draw", "loss": "win"}


class Marks:
    """A position as the marks of the side to move and of the other, oldest first."""

    def __init__(self, rule, own=(), other=()):
        self.rule, self.own, self.other = rule, own, other
        self.lined = any(set(line) <= set(other) for line in LINES)
        self.full = len(own) + len(other) == 9

    def moves(self):
        if self.lined or self.full:
            return []
        return [cell for cell in range(9) if cell not in self.own + self.other]

    def play(self, cell):
        kept = self.own[-2:] if self.rule == "vanishing" else self.own
        return Marks(self.rule, self.other, (*kept, cell))

    def wins(self):
        """The moves that win at once."""
        return [cell for cell in self.moves() if not RULES[self.rule].loses and self.play(cell).lined]

    def threats(self):
        """The cells on which the side that is not to move threatens to win."""
        return sorted({cell for reply in self.moves() for cell in self.play(reply).wins()})

    def solved(self):
        """("win", "draw" or "loss" for the side to move, plies to the end)."""
        if self.rule == "vanishing":
            value, distance = solve_vanishing().of((self.own, self.other))
        else:
            x, o = (self.own, self.other) if len(self.own) == len(self.other) else (self.other, self.own)
            cells = "".join("x" if cell in x else "o" if cell in o else "." for cell in range(9))
            mover = "x" if x is self.own else "o"
            value, distance = solve_board(cells, mover, not RULES[self.rule].loses)
        return VALUES[value], distance

    def worth(self, move):
        """The value of a move for the side that makes it."""
        return FLIPPED[self.play(move).solved()[0]]


def true_of_move(claim, before, move, seen):
    """Whether a claim about a move holds. `seen` are the positions so far, as pairs of marks."""
    after, here = before.play(move), (before.play(move).own, before.play(move).other)
    faced, own, left = before.threats(), after.threats(), after.wins()
    value, distance = before.solved()
    rest = after.solved()[1]
    kept = [cell for cell in before.moves() if before.worth(cell) == value]
    names = vars(claim)
    kind = type(claim).__name__
    if "cell" in names and kind != "Turned" and claim.cell != move:
        return False
    facts = {
        "Plays": lambda: bool(before.own + before.other),
        "Opens": lambda: not before.own + before.other,
        "Completes": lambda: after.lined and not RULES[before.rule].loses,
        "Suffers": lambda: after.lined and RULES[before.rule].loses,
        "Fills": lambda: after.full and not after.lined,
        "Repeats": lambda: seen.count(here) == 2,
        "MissesWin": lambda: claim.cells == tuple(before.wins()) and move not in claim.cells,
        "MissesBlock": lambda: faced == [claim.target] and claim.target in left and not before.wins(),
        "Blocks": lambda: faced == [move] and not left,
        "HalfBlocks": lambda: move in faced and left and claim.cells == tuple(left),
        "Forks": lambda: claim.cells == tuple(own) and len(own) > 1 and not left,
        "Threatens": lambda: own == [claim.target] and not left,
        "BlocksAndThreatens": lambda: faced == [move] and own == [claim.target] and not left,
        "Mirrors": lambda: (claim.target,) == before.other[-1:] == (8 - move,) and 4 in before.own,
        "GivesAway": lambda: gave_away(claim, before, move, value, kept),
        "OnlyMove": lambda: kept == [move] and (claim.value, claim.count) == (value, len(before.moves())),
        "ForcesWin": lambda: before.worth(move) == "win" and claim.moves == rest,
        "LostCause": lambda: value == "loss" and claim.moves == rest,
        "Dawdles": lambda: (
            (before.worth(move), claim.moves, claim.fewer) == ("win", rest, distance - 1) and rest >= distance
        ),
        "Even": lambda: value == after.solved()[0] == "draw",
        "Traps": lambda: after.solved()[0] == "draw" and (claim.bad, claim.count) == bad_replies(after),
        "Vanished": lambda: before.own[0] == claim.gone and len(before.own) == 3,
        "Fades": lambda: after.own[0] == claim.gone and len(after.own) == 3,
    }
    return bool(facts[kind]())


def bad_replies(position):
    """Return how many moves lose, and how many there are."""
    worth = [position.worth(cell) for cell in position.moves()]
    return worth.count("loss"), len(worth)


def gave_away(claim, before, move, value, kept):
    """Whether a loss of value and its reason are as claimed."""
    after = before.play(move)
    lost = claim.before, claim.after, list(claim.cells)
    if lost != (value, before.worth(move), kept) or move in kept:
        return False
    reply = after.play(claim.reply) if claim.reply is not None else None
    if claim.after == "loss" and reply and not (reply.lined or reply.solved()[0] == "loss"):
        return False
    return {
        "own_line": lambda: after.lined,
        "missed_win": lambda: value == "win",
        "missed_block": lambda: claim.reply in after.wins() and claim.reply in kept,
        "gave_fork": lambda: (
            not reply.wins()
            and len(claim.threats) > 1
            and list(claim.threats) == reply.threats()
            and all(reply.play(cell).wins() for cell in reply.moves())
        ),
        "trap": lambda: claim.after == "loss" and claim.reply not in after.wins(),
    }[claim.reason]()


def true_of_game(claim, game):
    """Whether a claim about a whole game holds."""
    position, mistakes = Marks(game.rule), []
    for ply, move in enumerate(game.moves):
        value = position.solved()[0]
        if position.worth(move) != value:
            mistakes.append((ply, "xo"[ply % 2], position))
        position = position.play(move)
    kind = type(claim).__name__
    if kind == "Flawless":
        return not mistakes
    sides = [game.players[side] for _, side, _ in mistakes]
    if kind == "Slips":
        return (claim.own, claim.theirs) == (sides.count(claim.who), sides.count(claim.rival))
    ply, _, before = mistakes[-1]
    move = game.moves[ply]
    kept = [cell for cell in before.moves() if before.worth(cell) == claim.before]
    return (claim.who, claim.nth, claim.cell) == (sides[-1], ply + 1, move) and gave_away(
        claim, before, move, before.solved()[0], kept
    )


def true_of_season(claim, earlier, game, ply):
    """Whether a claim about the season holds, after `earlier` games and some moves of `game`."""
    with_this, who = [*earlier, game], claim.who
    points = {name: 0 for one in with_this for name in (one.x, one.o)}
    for one in earlier:
        for name in (one.x, one.o):
            points[name] += {"won": 3, "drawn": 1, "lost": 0}[one.result(name)]
    own = [one.result(who) for one in earlier if who in (one.x, one.o)]
    results = [one.result(who) for one in with_this if who in (one.x, one.o)]
    met = [one.result(who) for one in earlier if {one.x, one.o} == {who, claim.rival}]
    same = [len(one.moves) for one in earlier if one.rule == game.rule]
    rows = sorted(points.values())
    lasts = [one for one in earlier if who in (one.x, one.o)]

    size = (getattr(claim, "moves", 0), getattr(claim, "games", 0))

    def ends(results, kind, count):
        return results[-count:] == [kind] * count and (len(results) == count or results[-count - 1] != kind)

    def as_side():
        of = [one.result(who) for one in with_this if one.players[claim.side] == who]
        return game.players[claim.side] == who and ends(of, claim.result, claim.nth)

    def begun():
        cells = [one.moves[0] for one in with_this if one.x == who]
        return ply == 1 and cells[-1] == cells[-2] == claim.cell and cells.count(claim.cell) == claim.nth

    def known():
        return ply == claim.moves and any(
            (one.day, one.x, one.o, one.rule) == (claim.day, claim.x, claim.o, game.rule)
            and one.moves[:ply] == game.moves[:ply]
            and claim.winner == one.players.get(one.outcome, "")
            for one in earlier
        )

    def missed():
        count = 0
        for one in with_this:
            position = Marks(one.rule)
            for at, move in enumerate(one.moves):
                if one is game and at == ply:
                    break
                wins = position.wins()
                count += one.players["xo"[at % 2]] == who and bool(wins) and move not in wins
                position = position.play(move)
        return count == claim.nth

    facts = {
        "Pairing": lambda: (who, claim.rival, claim.rule) == (game.x, game.o, game.rule),
        "Profile": lambda: True,
        "Standing": lambda: (claim.points, claim.games) == (points[who], len(own))
        and claim.place == 1 + sum(other > points[who] for other in rows),
        "LastGame": lambda: claim.day == lasts[-1].day
        and lasts[-1].players["xo"[lasts[-1].x == who]] == claim.other
        and own[-1] == claim.result,
        "FirstMeeting": lambda: not met,
        "Meetings": lambda: (claim.won, claim.drawn, claim.lost)
        == tuple(met.count(kind) for kind in ("won", "drawn", "lost")),
        "Streak": lambda: ends(results, claim.result, claim.nth),
        "StreakAs": as_side,
        "StreakEnds": lambda: results[-1] != "lost" and ends(own, "lost", claim.count),
        "FirstWin": lambda: results[-1] == "won" and "won" not in own and claim.games == len(own),
        "Unbeaten": lambda: "lost" not in results and claim.games == len(results),
        "OpensAgain": begun,
        "Seen": known,
        "Shortest": lambda: (len(game.moves), len(same)) == size and claim.moves < min(same),
        "Longest": lambda: (len(game.moves), len(same)) == size and claim.moves > max(same),
        "MissedBefore": missed,
        "Leads": lambda: rows[-2] < rows[-1] == claim.points == points[who]
        and claim.ahead == claim.points - points[claim.rival] and points[claim.rival] == rows[-2],
        "Trails": lambda: rows[1] > rows[0] == claim.points == points[who]
        and claim.behind == rows[-1] - claim.points and points[claim.rival] == rows[-1],
        "Champion": lambda: len(earlier) == 56 and points[who] == rows[-1] == claim.points
        and (claim.won, claim.games) == (own.count("won"), 14),
    }  # fmt: skip
    return bool(facts[type(claim).__name__]())
