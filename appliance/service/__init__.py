"""The running box: its loop, threads, signals and reports."""
