"""The order of versions is Debian's."""

import shutil
import subprocess
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from appliance.slots import manifest

# From Debian Policy 5.6.12 and dpkg's own order: each is older than the next.
SORTED = ["0.9", "1.0~~", "1.0~~a", "1.0~", "1.0~rc1", "1.0~rc2", "1.0~rc10", "1.0", "1.0-1", "1.0-2~x",
          "1.0-2", "1.0-10", "1.0a", "1.0+b1", "1.0.1~rc1", "1.0.1", "1.10", "2", "10"]  # fmt: skip
VERSIONS = st.from_regex(manifest._VERSION, fullmatch=True).filter(lambda version: version[-1] != "-")


def test_versions_are_in_debians_order():
    assert all(manifest.order(first) < manifest.order(then) for first, then in pairwise(SORTED))
    assert manifest.order("1.0") == manifest.order("1.00") == manifest.order("1.0-0") == manifest.order("1.")


@pytest.mark.skipif(not shutil.which("dpkg"), reason="compares with Debian's dpkg")
@given(VERSIONS, VERSIONS)
@example("1.0", "1.0-0")
@example("1.0-~1", "1.0")
@example("0", "0~0")
@example("1-0~0", "1")
def test_versions_are_in_dpkgs_own_order(first, then):
    older = subprocess.run(["dpkg", "--compare-versions", first, "lt", then], check=False).returncode == 0
    assert (manifest.order(first) < manifest.order(then)) == older
