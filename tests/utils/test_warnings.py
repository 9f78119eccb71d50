"""Warnings point at the user's line, say a thing once, and are sentences on the command line."""

from __future__ import annotations

import inspect
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce import errors
from jounce.errors import ModelWarning
from jounce.model import inertia

#: Principal moments 1, 1, 3: no body has them.
IMPOSSIBLE = np.array((1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 3.0, 0.0, 0.0, 0.0))

URDF = """<robot name="odd"><link name="base"/><link name="arm"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="3" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hinge" type="continuous"><parent link="base"/><child link="arm"/>
<axis xyz="0 0 2"/></joint></robot>"""

CUBE = """v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"""


def call_warnings(call: Callable[[], Any]) -> tuple[Any, list[warnings.WarningMessage]]:
    """Return the result of a call and its warnings, by default once per line."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        return call(), list(caught)


def here(caught: list[warnings.WarningMessage], call: Callable[[], Any], *words: str) -> None:
    """Each warning has its word and the place of the lambda that was called."""
    _, line = inspect.getsourcelines(call)
    assert [(x.filename, x.lineno) for x in caught] == [(__file__, line)] * len(words)
    for x, word in zip(caught, words, strict=True):
        assert word in str(x.message)
        assert x.category is ModelWarning


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    path = tmp_path / "odd.urdf"
    path.write_text(URDF)
    return path


def build() -> jounce.Robot:
    builder = jounce.TreeBuilder("pair")
    builder.add("one", "revolute", mass=1.0, com=(0.1, 0.0, 0.0))
    builder.add("two", "revolute", "one", mass=1.0, com=(0.1, 0.0, 0.0))
    return jounce.Robot(builder.build())


def test_load_points_at_its_caller(odd: Path) -> None:
    call = lambda: jounce.load(odd)  # noqa: E731
    _, caught = call_warnings(call)
    here(caught, call, "normalized", "link 'arm'")


def test_models_joints_and_builders(odd: Path) -> None:
    body = jounce.Body("arm", IMPOSSIBLE)
    call = lambda: jounce.Robot(jounce.Model("m", (body,), (jounce.Joint("j", "revolute"),)))  # noqa: E731
    here(call_warnings(call)[1], call, "link 'arm'")
    call = lambda: jounce.Joint("j", "revolute", axis=(0.0, 0.0, 2.0))  # noqa: E731
    here(call_warnings(call)[1], call, "normalized")
    builder = jounce.TreeBuilder("m")
    call = lambda: builder.add("arm", "revolute", axis=(0.0, 3.0, 0.0), mass=1.0)  # noqa: E731
    here(call_warnings(call)[1], call, "normalized")


def test_edits_point_at_their_caller() -> None:
    robot = build()
    pi = np.array((IMPOSSIBLE, IMPOSSIBLE))
    call = lambda: robot.edit.with_parameters(pi)  # noqa: E731
    here(call_warnings(call)[1], call, "link 'one'", "link 'two'")
    call = lambda: replace(robot.model, bodies=(jounce.Body("a", pi[0]), robot.model.bodies[1]))  # noqa: E731
    here(call_warnings(call)[1], call, "link 'a'")
    limited = jounce.load("kuka_iiwa14")
    call = lambda: limited.edit.lock({limited.model.joint_names[0]: 3.1})  # noqa: E731
    here(call_warnings(call)[1], call, "beyond its limits")


def test_meshes(tmp_path: Path) -> None:
    (tmp_path / "tetra.obj").write_text(CUBE)
    text = URDF.replace('<link name="arm">', '<link name="arm"><visual><geometry>'
                        '<mesh filename="tetra.obj"/></geometry></visual>')  # fmt: skip
    text = text.replace('izz="3"', 'izz="1"').replace('xyz="0 0 2"', 'xyz="0 0 1"')
    (tmp_path / "tetra.urdf").write_text(text)
    robot = jounce.load(tmp_path / "tetra.urdf")
    call = lambda: robot.edit.with_meshes(density=1.0, repair=True)  # noqa: E731
    here(call_warnings(call)[1], call, "link 'arm'")
    R = np.eye(3) * (1.0 + 1e-5)
    call = lambda: inertia.rotate(IMPOSSIBLE, R)  # noqa: E731
    here(call_warnings(call)[1], call, "rotation")


def _calls() -> dict[str, Callable[[], Any]]:
    """First calls whose results are not finite, on all the ways that lead to kernels.

    Later calls on single samples do not look at the processor's flags.
    """
    robot, closed = jounce.load("planar_2r"), jounce.load("five_bar").closed()
    q, v = np.array((0.0, np.inf)), np.zeros(2)
    large, taus = np.broadcast_to(q, (300_000, 2)), np.zeros((3, 2))
    fast = np.array((1e200, 0.0))
    return {
        "one sample": lambda: robot.mass_matrix(q),
        "overflow": lambda: robot.inverse_dynamics(v + 1.0, fast, v),
        "batch": lambda: robot.mass_matrix(np.tile(q, (40, 1))),
        "results": lambda: robot.mass_matrix(np.tile(q, (40, 1)), out=np.empty((40, 2, 2))),
        "recycled memory": lambda: robot.mass_matrix(np.tile(q, (3000, 1))),
        "threads": lambda: robot.mass_matrix(large),
        "float32": lambda: robot.mass_matrix(q.astype(np.float32)),
        "numbers": lambda: robot.mass_matrix(q.tolist()),
        "options": lambda: robot.step(q, v, v, 0.1, method="rk4"),
        "optional arguments": lambda: robot.inverse_dynamics(q, v, v, np.ones((2, 6))),
        "derivatives": lambda: robot.inverse_dynamics.derivatives(q, v, v),
        "frames": lambda: robot.frame(robot.model.frame_names[-1]).pose(q),
        "rollouts": lambda: robot.rollout(q, v, taus, 0.1),
        "gradients of rollouts": lambda: robot.rollout.vjp(q, v, taus, 0.1, *np.ones((2, 4, 2))),
        "mechanisms": lambda: closed.mass_matrix(np.full(closed.nq, np.inf)),
        "elastic": lambda: robot.elastic_inverse_dynamics(q, v, v, v, v, 1e4),
        "lie": lambda: jounce.lie.quaternion.exp([np.inf] * 3),
    }


def test_floating_point_warnings_point_at_the_users_line() -> None:
    for name, call in _calls().items():
        jounce.set_num_threads(3)
        try:
            _, caught = call_warnings(call)
        finally:
            jounce.set_num_threads(1)
        _, line = inspect.getsourcelines(call)
        assert {x.category for x in caught} == {RuntimeWarning}, name
        assert {(x.filename, x.lineno) for x in caught} == {(__file__, line)}, name
        kinds = {str(x.message).split(" encountered in ")[0] for x in caught}
        assert kinds <= {"invalid value", "overflow"}, name


def test_floating_point_errors_follow_errstate(capsys: pytest.CaptureFixture[str]) -> None:
    robot, q = jounce.load("planar_2r"), [[0.0, np.inf], [0.0, 0.0]]
    heard: list[tuple[str, int]] = []

    class Log:
        def write(self, text: str) -> None:
            heard.append((text, 0))

    def numpy_itself() -> None:
        np.subtract(np.array(np.inf), np.array(np.inf))

    for call, name in ((lambda: robot.mass_matrix(q), "mass_matrix"), (numpy_itself, "subtract")):
        heard.clear()
        with np.errstate(all="ignore"):
            assert call_warnings(call)[1] == []
        expected = pytest.raises(FloatingPointError, match=f"^invalid value encountered in {name}$")
        with np.errstate(invalid="raise"), expected:
            call()
        with np.errstate(all="warn", invalid="call", call=lambda *error: heard.append(error)):
            call()
        with np.errstate(invalid="log", call=Log()):
            call()
        with np.errstate(invalid="print"):
            call()
        assert heard[0][0] == "invalid value"
        assert heard[0][1] & 8
        assert heard[1:] == [(f"Warning: invalid value encountered in {name}\n", 0)]
        assert np.geterr()["invalid"] == "warn"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning, match="invalid value"):
            robot.mass_matrix(q)
    assert "Warning: invalid value encountered in mass_matrix\n" in capsys.readouterr().err


def test_identify() -> None:
    robot = build()
    rng = np.random.default_rng(0)
    q, v, a = rng.standard_normal((3, 200, 2))
    data = {"q": q, "v": v, "a": a, "tau": robot.inverse_dynamics(q, v, a)}
    data["q"][3, 0] = np.nan
    call = lambda: jounce.identify(robot, data, method="ols", folds=0)  # noqa: E731
    _, caught = call_warnings(call)
    _, line = inspect.getsourcelines(call)
    assert caught
    assert {(x.filename, x.lineno) for x in caught} == {(__file__, line)}
    assert {x.category for x in caught} == {jounce.DataWarning}


def test_each_thing_is_said_once(odd: Path) -> None:
    """A robot made of one that was warned of has nothing new; a line in a loop says it once."""
    robot, caught = call_warnings(lambda: jounce.load(odd))
    assert len(caught) == 2
    for make in (
        lambda: robot.edit.with_frame("tool"),
        lambda: robot.edit.with_contact("arm"),
        lambda: jounce.Robot(robot.model.with_gravity((0.0, 0.0, 0.0))),
        lambda: robot.edit.with_geometry(screws=np.zeros((1, 6))),
    ):
        assert call_warnings(make)[1] == []
    assert len(call_warnings(lambda: [jounce.load(odd) for _ in range(5)])[1]) == 2


def test_threads_and_callbacks(odd: Path) -> None:
    """In a thread of the user's the line is theirs; elsewhere it is said all the same."""

    def user() -> None:
        jounce.load(odd)

    def run_in_thread() -> None:
        thread = threading.Thread(target=user)
        thread.start()
        thread.join()

    _, caught = call_warnings(run_in_thread)
    assert {x.filename for x in caught} == {__file__}

    def bare() -> None:
        thread = threading.Thread(target=jounce.load, args=(odd,))
        thread.start()
        thread.join()

    _, caught = call_warnings(bare)
    assert [(x.filename, x.lineno) for x in caught] == [("jounce", 1)] * 2


def test_no_other_way_to_warn() -> None:
    for path in Path(errors.__file__).parent.rglob("*.py"):
        text = path.read_text("utf-8")
        assert "warnings.warn(" not in text, path
        assert "stacklevel" not in text, path


def test_command_line_says_a_sentence(odd: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (
        warnings.catch_warnings(record=True) as others,
        errors.print_warnings_plainly("jounce view"),
    ):
        warnings.simplefilter("default")
        jounce.load(odd)
        warnings.warn("of another library", UserWarning, stacklevel=1)
    lines = capsys.readouterr().err.splitlines()
    assert [str(x.message) for x in others] == ["of another library"]
    assert len(lines) == 2
    assert lines[0].startswith(f"jounce view: warning: {odd}: joint 'hinge': the axis")
    assert lines[1].startswith(f"jounce view: warning: {odd}: link 'arm': ")


def test_process_that_warns(odd: Path) -> None:
    script = "import jounce\n\nfor _ in range(3):\n    jounce.load(PATH)\n".replace(
        "PATH", repr(str(odd))
    )
    path = odd.parent / "script.py"
    path.write_text(script)
    done = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout == ""
    assert done.stderr.count(f"{path}:4: ModelWarning: ") == 2
    assert done.stderr.count("Warning") == 2


def test_gallery() -> None:
    """The first robot is fine in every respect; only the paper's data are warned of."""
    for name in jounce.gallery():
        _, caught = call_warnings(lambda name=name: jounce.load(name))
        assert bool(caught) == (name == "iiwa14_mueller_kumar2021"), name
    robot = jounce.load("kuka_iiwa14")
    assert robot.model.check() == []
    limits = robot.limits
    for bounds in (limits.lower, limits.upper, limits.velocity, limits.effort):
        assert bounds.shape == (7,)
        assert np.isfinite(bounds).all()
    assert (limits.lower < 0.0).all()
    assert (np.array((limits.upper, limits.velocity, limits.effort)) > 0.0).all()
