"""The database of games, score and settings, and durable changes to files."""
