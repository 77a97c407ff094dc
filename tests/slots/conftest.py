import pytest
from imagecard import make_box

from appliance.service import mistake


@pytest.fixture
def shown(monkeypatch):
    """Collect the pages that are shown: (text, title)."""
    pages = []
    monkeypatch.setattr(mistake, "show", lambda text, _config, title: pages.append((text, title)))
    return pages


@pytest.fixture
def box(tmp_path):
    return make_box(tmp_path)
