"""Stand-ins that behave electrically; the daemon never imports them."""
