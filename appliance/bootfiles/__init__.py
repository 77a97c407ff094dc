"""The boot partition of a card: what must lie on it, what this box adds, and how to take that off again."""
