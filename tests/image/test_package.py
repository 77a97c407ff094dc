"""The package, as trixie's lintian judges it; each exception is in debian/, with its reason."""

from boxes import DIST
from pi import ROOT, report, tool


def test_lintian_says_nothing_of_the_package():
    [package] = DIST.glob("tictactoe-appliance_*_all.deb")
    asked = ["--allow-root", "--display-info", "--pedantic", str(package.relative_to(ROOT))]
    done = tool("lintian", *asked, check=False)
    report(f"lintian {' '.join(asked)}: {done.returncode}")
    assert (done.stdout.decode(), done.returncode) == ("", 0)
