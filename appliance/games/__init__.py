"""The finished games for people to read: figures, days, the last ones told; the page games.html."""
