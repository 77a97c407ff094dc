"""What the box does: its transition table, and the functions that the table names."""
