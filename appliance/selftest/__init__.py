"""The self-test: what is wrong with pins, bus, display and keys, and what to do about it."""
