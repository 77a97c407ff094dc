"""For a desk or a class: lessons, trees, reviews, odds and commentary. The daemon imports none of it."""
