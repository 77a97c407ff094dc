"""The card's boot partition: prepare it for this box, undo that, and check it."""
