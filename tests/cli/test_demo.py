"""`jounce demo`: every identity holds, nothing warns, and a page is left behind."""

from __future__ import annotations

import re

import numpy as np
import pytest

from jounce import cli
from jounce.cli import demo

pytestmark = pytest.mark.shown


@pytest.mark.slow  # CI runs the demo itself
def test_the_demo(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(demo, "STATES", 40_000)
    cli.main(["demo", "-o", str(tmp_path / "new" / "folder")])
    out, err = capsys.readouterr()
    assert "warning" not in err
    differences = re.findall(r"differ by (\S+)$", out, re.M)
    assert len(differences) == 7
    assert all(float(x) < 1e-12 for x in differences)
    page = tmp_path / "new" / "folder" / "kuka_iiwa14.html"
    assert page.stat().st_size > 100_000
    assert f"  {page.as_uri()}\n" in out
    assert len(out.splitlines()) < 50  # a screen and a half
    for line in ("five_bar.closed(), 4 joints, 2 of them", "70 inertial parameters", "d^4 tau"):
        assert line in out


def test_a_folder_that_cannot_be_made_is_said_first(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    with pytest.raises(SystemExit, match=r"^jounce demo: cannot .* '.*file': it is a file"):
        cli.main(["demo", "-o", str(tmp_path / "file")])
    assert capsys.readouterr().out == ""


def test_a_claim_that_does_not_hold_ends_it():
    with pytest.raises(SystemExit, match="two is three does not hold"):
        demo.check("two is three", np.array([2.0]), np.array([3.0]))
