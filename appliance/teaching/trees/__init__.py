"""The trees of minimax and alpha-beta, in words and as pictures."""
