"""What `tictactoe selftest` looks at, and what it makes of what it sees."""
