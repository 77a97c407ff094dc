"""The tic-tac-toe appliance: nine buttons, one small display, one engine."""
