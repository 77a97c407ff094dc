"""One file a subcommand of `tictactoe`, imported only when it is called."""
