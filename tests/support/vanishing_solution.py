"""Vanishing solved by retrograde analysis, knowing nothing of the engine."""

from collections import deque

from engine import Vanishing

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def aligned(marks):
    return tuple(sorted(marks)) in LINES


def successors(state):
    """(the marks of the side to move, of the other), oldest first -> the same for each move."""
    own, other = state
    return {cell: (other, (*own, cell)[-3:]) for cell in range(9) if cell not in own and cell not in other}


def state_of(game):
    return game._own, game._other


def solve():
    """State -> (value, distance), by retrograde analysis of the whole graph; what is not in it is drawn."""
    start = ((), ())
    order, before, left = [start], {start: []}, {}
    for state in order:
        if aligned(state[1]):
            continue
        after = successors(state).values()
        left[state] = len(after)
        for child in after:
            if child not in before:
                before[child] = []
                order.append(child)
            before[child].append(state)
    assert len(order) == 73450
    values = {state: (-1, 0) for state in order if aligned(state[1])}
    queue = deque(values)
    while queue:
        state = queue.popleft()
        value, distance = values[state]
        for parent in before[state]:
            if parent in values:
                continue
            left[parent] -= 1
            if value == -1 or not left[parent]:
                values[parent] = (-value, distance + 1)
                queue.append(parent)
    return values


def positions():
    """Yield every position, each by a shortest path: a game remembers its past, and so that is short."""
    seen, todo = set(), deque([Vanishing()])
    while todo:
        game = todo.popleft()
        if state_of(game) not in seen:
            seen.add(state_of(game))
            yield game
            todo += [game.play(move) for move in game.moves()]


def follows_best_play(solution, game, line):
    """Whether each move of `line` wins as soon, or loses as late, as can be, up to the end of the game."""
    state = state_of(game)
    value, distance = solution[state]
    for move in line:
        state = successors(state)[move]
        value, distance = -value, distance - 1
        if solution.get(state) != (value, distance):
            return False
    return distance == 0
