"""What all tests have in common."""

import os

from hypothesis import settings

# Machines differ in speed, so no example has a deadline. CI sees the same examples every time; at home each
# run looks at others.
settings.register_profile("ordinary", deadline=None, print_blob=True)
settings.register_profile("ci", parent=settings.get_profile("ordinary"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "ordinary")
