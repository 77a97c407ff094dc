"""Two commentators report games move by move: claims that the search proves, asides from a Markov chain."""
