"""Play ultimate with the engine installed as mnk_engine, each move afresh. The argument: positions a move."""

import sys
from functools import reduce

from mnk_engine import Limit, search
from mnk_engine.ultimate import Ultimate

limit = Limit(nodes=int(sys.argv[1]))
for line in sys.stdin:
    _go, *moves = line.split()
    position = reduce(Ultimate.play, map(int, moves), Ultimate())
    print(search(position, limit).move, flush=True)
