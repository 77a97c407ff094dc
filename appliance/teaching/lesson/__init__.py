"""A lesson: an HTML page that steps through a search."""
