"""The box on a desk: the simulated box in a browser, served to this computer alone."""
