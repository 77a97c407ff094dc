"""What the box does, as pure functions over frozen data: no pins, threads, files or clocks."""
