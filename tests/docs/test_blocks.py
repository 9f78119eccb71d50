"""Code on pages runs: by the build of the site, by a test of the page's subject, or here.

```python is what runs; ```py is what needs a framework or a card, and says so to a test of those;
what cannot run anywhere follows a comment that says why.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from support import PROJECT
from support.docs_pages import DOCS, blocks, name, pages

pytestmark = pytest.mark.shown

TESTS = PROJECT / "tests"

#: Pages whose code is run by tests of what they are about.
ELSEWHERE = {
    "README.md": "project/test_readme.py",
    "CONTRIBUTING.md": "project/test_contributing.py",
    "docs/guide/backends.md": "compiler/targets/test_recipe.py",
    "docs/guide/closed-loops.md": "solve/mechanism/test_robot.py",
    "docs/guide/configurations.md": "formulas/test_configurations.py",
    "docs/guide/contacts.md": "solve/contacts/test_robot.py",
    "docs/guide/dask.md": "arrays/dask_adapter/test_dask_pages.py",
    "docs/guide/elastic.md": "solve/elastic/test_elastic_springs.py",
    "docs/guide/gradients.md": "arrays/test_pullbacks.py",
    "docs/guide/inverse-kinematics.md": "solve/inverse_kinematics/test_page.py",
    "docs/guide/jax.md": "arrays/jax_adapter/test_jax.py",
    "docs/guide/joints.md": "model/test_new_kind.py",
    "docs/guide/mesh-inertia.md": "io/test_mesh_inertia.py",
    "docs/guide/pytorch.md": "arrays/torch_adapter/test_torch_pages.py",
    "docs/guide/notebooks.md": "viewer/pictures/test_faces.py",
    "docs/guide/steps.md": "solve/motion/test_rollout.py",
    "docs/guide/tour.md": "project/test_readme.py",
    "docs/guide/viewer.md": "viewer/browser/test_viewer_server.py",
    "docs/guide/xarray.md": "arrays/xarray_adapter/test_xarray_page.py",
}
#: Pages with code that needs PyTorch or a card (```py), and the tests that run or compile it.
FRAMEWORKS = {
    "docs/coming-from/casadi-jax.md": "arrays/torch_adapter/test_torch_coming_from.py",
    "docs/guide/gpu.md": "project/test_gpu_checks.py",
    "docs/guide/pytorch.md": "arrays/torch_adapter/test_torch_pages.py",
    "docs/guide/tour.md": "arrays/frameworks/test_jax_torch_tour.py",
}
#: What stands before a block that is shown only: `<!-- not run: why -->`.
NOT_RUN = re.compile(r"<!-- not run: [^>]{10,} -->\n+```(\w+)\n.*?^```$", re.M | re.S)

WITH_CODE = [page for page in pages() if blocks(page.read_text("utf-8"), "python")]
HERE = [page for page in WITH_CODE if name(page) not in ELSEWHERE]


@pytest.mark.parametrize("page", [*{**ELSEWHERE, **FRAMEWORKS}])
def test_pages_are_run_where_it_says(page: str) -> None:
    for test in {table[page] for table in (ELSEWHERE, FRAMEWORKS) if page in table}:
        text = (TESTS / test).read_text("utf-8")
        assert Path(page).name in text, f"{test} does not read {page}"
        assert "exec(" in text or "compile(" in text or "subprocess" in text
    assert (PROJECT / page).exists()


def test_no_code_is_left_out() -> None:
    """Python under another name, without a prompt or without a test, is Python that nobody runs."""
    for page in pages():
        text = NOT_RUN.sub("", page.read_text("utf-8"))
        assert not blocks(text, "Python"), name(page)
        assert not blocks(text, "ipython3"), name(page)
        for block in blocks(text, "py"):
            compile(block, name(page), "exec")
            if "cupy" not in block:  # what has a card to run on is checked by tests/gpu
                assert name(page) in FRAMEWORKS, f"{name(page)}: who runs its ```py blocks?"
        cells = re.findall(r"^```\{code-cell\}", text, re.M)
        if cells:
            assert text.startswith("---\nfile_format: mystnb"), f"{name(page)} is not executed"


def _files_to_read(folder: Path) -> dict[str, Any]:
    """Files of all the formats that the page speaks of, and a package of descriptions."""
    jounce.load("planar_2r").export.urdf(folder / "panda.urdf")
    urdf = (folder / "panda.urdf").read_text("utf-8")
    argument = '<xacro:arg name="gripper" default="two_fingers"/>'
    xacro = urdf.replace("<robot ", '<robot xmlns:xacro="http://ros.org/wiki/xacro" ', 1)
    head, _, tail = (
        xacro.partition(">\n<link") if ">\n<link" in xacro else xacro.partition(">\n  <link")
    )
    joined = ">\n<link" if ">\n<link" in xacro else ">\n  <link"
    (folder / "arm.urdf.xacro").write_text(f"{head}>{argument}{joined[1:]}{tail}", "utf-8")
    (folder / "humanoid.xml").write_text(
        "<mujoco><worldbody><body><joint/><geom size='0.1'/></body></worldbody></mujoco>", "utf-8"
    )
    package = folder / "robot_descriptions"
    package.mkdir()
    (package / "__init__.py").write_text("", "utf-8")
    (package / "panda_description.py").write_text(f"URDF_PATH = {str(folder / 'panda.urdf')!r}\n")
    return {"jounce": jounce}


def _a_recording(folder: Path) -> dict[str, Any]:
    """A robot's file, and a log of its motion."""
    robot = jounce.load("planar_2r")
    robot.export.urdf(folder / "robot.urdf")
    t = np.linspace(0.0, 4.0, 201)
    w = np.array((1.3, 2.1))
    q, v, a = np.sin(t[:, None] * w), w * np.cos(t[:, None] * w), -(w**2) * np.sin(t[:, None] * w)
    tau = robot.inverse_dynamics(q, v, a) + 0.1 * v
    columns = np.column_stack((t, q, v, a, tau))
    joints = robot.model.joint_names
    head = ",".join(("t", *(f"{x}_{joint}" for x in ("q", "v", "a", "tau") for joint in joints)))
    np.savetxt(folder / "data.csv", columns, delimiter=",", header=head, comments="")
    return {"q": q, "v": v, "a": a, "tau": tau, "t": t, "t2": t, "joints": joints}


#: What a page takes as given.
STAGES: dict[str, Callable[[Path], dict[str, Any]]] = {
    "docs/guide/integrations.md": _files_to_read,
    "docs/guide/readers.md": _files_to_read,
    "docs/guide/identification.md": _a_recording,
}


@pytest.mark.parametrize("page", HERE, ids=name)
def test_the_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its blocks in order, as one session, in a folder with what it takes as given."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    session = STAGES.get(name(page), lambda _: {})(tmp_path)
    text = NOT_RUN.sub("", page.read_text("utf-8"))
    before = {*sys.modules}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jounce.ModelWarning)
        warnings.simplefilter("ignore", jounce.DataWarning)
        for block in blocks(text, "python"):
            exec(compile(block, name(page), "exec"), session)
    for module in {*sys.modules} - before:
        if module.startswith("robot_descriptions"):
            del sys.modules[module]


def test_pages_that_wait_for_a_test_are_known() -> None:
    """Those that run here are few; a page that vanished leaves the tables too."""
    assert DOCS / "index.md" in HERE
    for page in (*ELSEWHERE, *FRAMEWORKS, *STAGES):
        assert (PROJECT / page).exists(), page
