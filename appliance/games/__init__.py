"""The finished games for people to read: statistics, days of play, reviews; the page games.html."""
