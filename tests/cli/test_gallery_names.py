"""Commands take names of the gallery where they take files, also where they write one."""

from __future__ import annotations

import numpy as np
import pytest

import jounce
from jounce import cli

pytestmark = pytest.mark.shown


def test_identify_a_robot_of_the_gallery(tmp_path, capsys):
    """The written file has the masses that the torques were computed with."""
    robot = jounce.load("planar_rp")
    heavier = robot.edit.with_parameters(1.2 * robot.model.parameters)
    t = np.linspace(0, 10, 2000)[:, None]
    phase = np.array([0.3, 1.1])
    rate = np.array([2.0, 3.1])
    q, v = np.sin(rate * t + phase) * 0.5, rate * np.cos(rate * t + phase) * 0.5
    a = -(rate**2) * q
    data = {"t": t[:, 0], "q": q, "v": v, "a": a, "tau": heavier.inverse_dynamics(q, v, a)}
    np.savez(tmp_path / "log.npz", **data)
    out = tmp_path / "found.urdf"
    cli.main(["identify", "planar_rp", str(tmp_path / "log.npz"), "-o", str(out)])
    assert f"written: {out}" in capsys.readouterr().err
    result = jounce.load(out)
    expected = heavier.inverse_dynamics(q, v, a)
    np.testing.assert_allclose(result.inverse_dynamics(q, v, a), expected, atol=1e-3)


@pytest.mark.parametrize("name", jounce.gallery())
def test_info_and_inertia(name, capsys):
    cli.main(["info", name])
    cli.main(["info", "--inertia", name])
    assert name in capsys.readouterr().out
