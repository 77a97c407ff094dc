"""The tic-tac-toe appliance: nine buttons, one small display, one engine."""

__version__ = "0.1.0"
