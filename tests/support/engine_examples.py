"""Run the examples of the engine, in its modules and on its page.

Also a script, for an environment without pytest.
"""

import doctest
import importlib
import pkgutil
import re
import sys
from pathlib import Path


def modules(package):
    """Return how many examples of a package's modules failed, and how many there are."""
    found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    results = [doctest.testmod(importlib.import_module(one.name)) for one in found]
    return sum(one.failed for one in results), sum(one.attempted for one in results)


def page(text):
    """Run the Python of a page, in one namespace; return how many examples failed, and how many there are."""
    runner, names = doctest.DocTestRunner(), {"__name__": "page"}
    for number, block in enumerate(re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)):
        if ">>>" in block:
            test = doctest.DocTestParser().get_doctest(block, names, f"block {number}", None, 0)
            runner.run(test, clear_globs=False)
            names = test.globs
        else:
            exec(block, names)  # noqa: S102 - the page's own
    return runner.failures, runner.tries


if __name__ == "__main__":
    package, text = importlib.import_module(sys.argv[1]), Path(sys.argv[2]).read_text(encoding="utf-8")
    sys.exit(any(failed or not tried for failed, tried in (modules(package), page(text))))
