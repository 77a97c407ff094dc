"""The running box: the loop and what it runs on, its threads, its signals, and what it reports."""
