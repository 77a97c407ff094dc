"""Scenes of marks and words, and their way to pixels."""
