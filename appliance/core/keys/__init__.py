"""Contacts to key events: scan, debounce, gestures, and what a walk over the keys finds."""
