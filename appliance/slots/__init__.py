"""The card image's two slots: which one starts, updates, and status.txt."""
