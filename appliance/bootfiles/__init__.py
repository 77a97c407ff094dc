"""The boot partition of Raspberry Pi OS: what this box needs there, what conflicts, and the wiring."""
