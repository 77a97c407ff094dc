"""The subcommands of `tictactoe`, one file each, imported only when called."""
