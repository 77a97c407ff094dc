"""The tic-tac-toe appliance: nine buttons, one small display, one engine.

The version stands here alone. Between releases it is the next one with `.dev0`, which sorts before it.
"""

__version__ = "0.2.0.dev0"
