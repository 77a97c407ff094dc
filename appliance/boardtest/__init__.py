"""The hardware test: what is wrong with buttons and display, and what a board measures; the report of it."""
