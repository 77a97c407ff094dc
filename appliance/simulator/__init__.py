"""Stand-ins that behave electrically. The daemon never imports them."""
