"""A lesson: one page on which a search is walked through step by step."""
