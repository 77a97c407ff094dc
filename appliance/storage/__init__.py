"""The database that keeps games, score and settings: its place, its rows, its writing and its reading."""
