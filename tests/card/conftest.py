import pytest
from bootcard import APPLIANCE, make_card, make_deb


@pytest.fixture
def card(tmp_path):
    return make_card(tmp_path / "card")


@pytest.fixture
def debs(tmp_path):
    (tmp_path / "packages").mkdir()
    for name in ("python3-luma.oled_3.10_all.deb", "python3-luma.core_2.4_all.deb", APPLIANCE):
        make_deb(tmp_path / "packages" / name)
    return tmp_path / "packages"
