"""basedpyright and mypy accept the code of the README, tutorials, guides and comparisons."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.docs_pages import cells, name, pages
from support.type_checkers import basedpyright, declare_untyped, mypy

pytestmark = pytest.mark.shown

#: Packages on pages whose own types do not matter here, or are wrong (Dask), or missing.
UNTYPED = ("cupy", "dask", "dask.array", "matplotlib", "matplotlib.pyplot", "mpl_toolkits")
UNTYPED += ("mpl_toolkits.mplot3d", "mpl_toolkits.mplot3d.art3d", "mpmath", "scipy")
UNTYPED += ("casadi", "crocoddyl", "mujoco", "pinocchio")
UNTYPED += ("scipy.integrate", "scipy.interpolate", "scipy.optimize", "sympy")

#: Pages about the inside of jounce.
INSIDE = ("docs/guide/backends.md", "docs/guide/joints.md")

#: What pages take as given.
GIVEN = {
    "docs/guide/identification.md": "import numpy as np\njoints = ['a']\n"
    "q = v = a = tau = t = t2 = np.zeros((9, 7))\n",
    "docs/guide/inverse-kinematics.md": "import cupy\n",
    "docs/guide/readers.md": "import jounce\n",
}


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a script for each page."""
    folder = tmp_path_factory.mktemp("pages")
    declare_untyped(folder, UNTYPED)
    for page in pages():
        of_users = re.match(r"README|docs/(start|index|guide/|tutorials/|coming-from/)", name(page))
        code = cells(page.read_text("utf-8"))
        if of_users and code and name(page) not in INSIDE:
            text = GIVEN.get(name(page), "") + "\n".join(code)
            (folder / f"page_{page.stem.replace('-', '_')}.py").write_text(text, "utf-8")
    assert len([*folder.glob("*.py")]) > 25
    return folder


@pytest.mark.parametrize("check", [basedpyright, mypy])
def test_checkers_accept_the_pages(scripts: Path, check: object) -> None:
    assert callable(check)
    assert check(scripts)["error"] == []
