"""The extensions of Sphinx in docs/_ext."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from support import PROJECT

pytestmark = pytest.mark.docs
pytest.importorskip("sphinx", reason="extensions of Sphinx need it: pip install --group docs")


@pytest.fixture(scope="module", autouse=True)
def extensions() -> Any:
    sys.path.insert(0, str(PROJECT / "docs" / "_ext"))
    yield
    sys.path.remove(str(PROJECT / "docs" / "_ext"))


def to_rst(text: str, names: frozenset[str] = frozenset()) -> str:
    from docstrings import to_rst

    return "\n".join(to_rst(text.splitlines(), names)).strip()


def test_text_is_taken_literally() -> None:
    assert to_rst("C_ij * v_j, |x|, `a_b`") == r"C\_ij \* v\_j, \|x\|, ``a_b``"


def test_arguments_become_a_list() -> None:
    text = "What it does.\n\nq, v (nv,): the state. h: a step; see `x`. Nothing else: really."
    found = to_rst(text, frozenset({"q", "v", "h"}))
    assert found.splitlines()[2:] == [
        "* ``q``, ``v`` (nv,): the state.",
        "* ``h``: a step; see ``x``. Nothing else: really.",
    ]
    assert "*" not in to_rst(text)


def test_code_lists_and_tables() -> None:
    assert to_rst("Words:\n\n    a = b_c\n\n    d").splitlines()[2:] == [
        "::",
        "",
        "    a = b_c",
        "",
        "    d",
    ]
    assert to_rst("* one\n  more\n* two").splitlines() == ["* one more", "* two"]
    table = to_rst("| a | b |\n|---|---|\n| c_d | e |")
    assert "   * - c\\_d" in table
    assert "     - e" in table
    assert to_rst(">>> f(1)\n2") == ">>> f(1)\n2"


def test_numpydoc_sections_become_lists() -> None:
    text = "Do it.\n\nParameters\n----------\nq : array_like (nq,)\n    Where to\n    start."
    text += "\n\nReturns\n-------\nThe path."
    assert to_rst(text).split("\n\n") == [
        "Do it.",
        "**Parameters**",
        r"* ``q`` (array\_like (nq,)): Where to start.",
        "**Returns**",
        "The path.",
    ]


def test_links_out_of_the_folder_lead_to_pages(tmp_path: Path) -> None:
    from mirrored import rewrite_links

    docs = tmp_path / "docs"
    page, readme = docs / "guide" / "x.md", tmp_path / "ARCHITECTURE.md"
    assert (
        rewrite_links("[r](../../benchmarks/RESULTS.md)", page, docs)
        == "[r](/performance/results.md)"
    )
    assert rewrite_links("[y](y.md#z)", page, docs) == "[y](y.md#z)"
    assert rewrite_links("[h](https://doi.org/1)", page, docs) == "[h](https://doi.org/1)"
    assert rewrite_links("[g](docs/guide/gpu.md#a)", readme, docs) == "[g](/guide/gpu.md#a)"
    assert rewrite_links("[c](CONTRIBUTING.md)", readme, docs) == "[c](/contributing.md)"
    assert (
        rewrite_links("[e](../../examples/five_bar.py)", page, docs) == "[e](/examples.md#five_bar)"
    )
    block = "```python\nx[0](../../README.md)\n```"
    assert rewrite_links(block, page, docs) == block


def test_pictures_show_the_robot(tmp_path: Path) -> None:
    import numpy as np
    from drawing import picture
    from PIL import Image

    import jounce

    robot = jounce.load("kuka_iiwa14")
    covered = []
    for k, q in enumerate((np.zeros(7), np.array((0, 1.5, 0, 0, 0, 0, 0.0)))):
        picture(robot, [q], tmp_path / f"{k}.png", size=(80, 60))
        image = np.asarray(Image.open(tmp_path / f"{k}.png"))
        assert image.shape == (60, 80, 4)
        covered.append(image[..., 3] > 0)
        assert 0.02 < covered[-1].mean() < 0.9
    assert (covered[0] != covered[1]).mean() > 0.02


def test_examples_of_quantities_run() -> None:
    """Each page calls its quantity, whose result has the number of axes that the page says."""
    import re

    import catalog_pages
    import numpy as np

    for name, text in catalog_pages.pages():
        example = re.search(r"```python\n(import.*?)```", text, re.DOTALL)
        assert example, name
        session: dict[str, Any] = {}
        exec(compile(example[1], name, "exec"), session)
        owner, _, quantity = name.partition(".")
        shapes = catalog_pages.OWNERS[owner][1][quantity].shapes
        results = session["result"] if len(shapes) > 1 else (session["result"],)
        assert [np.ndim(x) for x in results] == [*map(len, shapes)], name


def test_overview_and_grid_lead_to_the_pages() -> None:
    import catalog_pages

    folder = PROJECT / "docs" / "reference"
    overview = catalog_pages.overview((folder / "quantities.md").read_text("utf-8"))
    grid = catalog_pages.grid((folder / "grid.md").read_text("utf-8"))
    for name, _ in catalog_pages.pages():
        assert f"](generated/{name}.md)" in overview
        assert f"](generated/{name}.md)" in grid or name.startswith("closed.")
    assert "###" not in overview


def test_synonyms_name_one_page_each() -> None:
    from synonyms import SYNONYMS, index

    words = [word.lower() for page in SYNONYMS.values() for word in page]
    assert len(words) == len({*words})
    assert "   ! single: RNEA" in index("robot.inverse_dynamics")
    assert index("robot.normalize") == []


def test_tutorials_have_a_button() -> None:
    from notebooks import button

    page = button("---\nkernel: x\n---\n\n# Title\n\nText.", "a.ipynb")
    assert page.startswith("---\nkernel: x\n---\n\n# Title\n\n<a ")
    assert page.endswith("</a>\n\nText.")


def test_the_cheat_sheet_fits_one_page(tmp_path: Path) -> None:
    from cheat_sheet import draw

    text = (PROJECT / "docs" / "cheat-sheet.md").read_text("utf-8")
    draw(text, tmp_path / "sheet.pdf")
    pdf = (tmp_path / "sheet.pdf").read_bytes()
    assert pdf.startswith(b"%PDF-")
    assert pdf.count(b"/Type /Page\n") == 1
