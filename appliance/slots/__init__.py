"""The card image's two slots: which one starts, updates; status.txt and other files for people."""
