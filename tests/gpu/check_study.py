"""Studies on CUDA: the samples of the CPU, evaluated and reduced on the GPU."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jounce.errors import ArgumentError
from jounce.studies import Study, study
from tests.gpu.support import close, mechanisms, raises, robots

#: Results that are compared with the CPU, and tolerances relative to the largest entry.
SUMS = ("nominal", "mean", "std", "covariance", "low", "high", "first", "total")
SUMS += ("first_overall", "total_overall")
ERRORS = ("first_error", "total_error", "first_overall_error", "total_overall_error")
TOLERANCE = 1e-9


def _same(found: Study, expected: Study, what: str) -> None:
    for name in SUMS:
        close(
            getattr(found, name),
            getattr(expected, name),
            what=f"{what}: {name}",
            tolerance=TOLERANCE,
        )
    off = np.abs(found.quantiles - expected.quantiles)
    # a value on the edge of two bins may be counted in the other
    assert (off <= 0.01 * expected.resolution + TOLERANCE).all(), f"{what}: quantiles"
    assert [x.sample for x in found.worst] == [x.sample for x in expected.worst], what


def _state(robot: Any, points: int) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(0)
    v, a = rng.normal(size=(2, points, robot.nv))
    return robot.random(rng, points), v, a


def _agrees(robot: Any, arguments: Any, vary: Mapping[str, Any], name: str, **how: Any) -> None:
    given = {"vary": vary, "samples": 20_000, "seed": 5, **how}
    expected = study(robot, arguments, **given, threads=1)
    found = study(robot, arguments, **given, devices=[0])
    _same(found, expected, name)


def check_trees() -> None:
    """Inertias, placements and screws of arms and of floating bases."""
    vary = {"inertia": "5%", "com": "1mm", "placement": "0.1mm 0.05deg", "screw": "0.1mm"}
    for name in ("franka", "floating", "floating, mimic"):
        robot = robots()[name]
        _agrees(robot, _state(robot, 20), vary, name)


def check_inertias_alone() -> None:
    """Kernels without geometry, and a single point."""
    robot = robots()["franka"]
    _agrees(robot, _state(robot, 50), {"inertia": "5%"}, "points")
    _agrees(robot, [x[0] for x in _state(robot, 1)], {"mass": "5%"}, "one point")


def check_friction() -> None:
    """Friction added to computed forces, and subtracted from given ones."""
    robot = robots()["every kind"]
    vary = {"friction": "20%", "damping": "10%", "mass": "2%"}
    _agrees(robot, _state(robot, 8), vary, "motor forces", quantity="motor_forces")
    alone = {"friction": "20%", "armature": "10%"}
    _agrees(robot, _state(robot, 8), alone, "friction alone")
    arm = robots()["franka"]
    numbers = {name: np.full(arm.nv, 0.5) for name in ("damping", "friction")}
    arm = arm.edit.with_parameters(arm.model.parameters, **numbers)
    _agrees(arm, _state(arm, 8), vary, "driven dynamics", quantity="driven_dynamics")


def check_mechanisms_and_frames() -> None:
    """Closed loops, poses, and further arguments by name."""
    mechanism = mechanisms()["five_bar"]
    v = np.linspace(0.3, 0.8, mechanism.nv)
    _agrees(mechanism, (mechanism.reference, v, -v), {"inertia": "5%"}, "mechanism")
    robot = robots()["franka"]
    q, v, a = _state(robot, 10)
    _agrees(robot, (q,), {"placement": "1mm 1deg"}, "pose", quantity="frame(link7).pose")
    pushed = {"wrenches": np.ones((robot.nb, 6))}
    _agrees(robot, (q, v, a), {"mass": "5%"}, "wrenches", **pushed)


def check_all_devices_and_numbers() -> None:
    """All GPUs together give the same result as one; unknown devices are errors."""
    robot = robots()["franka"]
    arguments = _state(robot, 30)
    how: dict[str, Any] = {"vary": {"inertia": "5%"}, "samples": 100_000}
    _same(study(robot, arguments, **how, devices="all"), study(robot, arguments, **how), "all")
    raises(ArgumentError, ("found 99",), lambda: study(robot, arguments, **how, devices=[99]))
    raises(ArgumentError, ("numbers such as",), lambda: study(robot, arguments, **how, devices="x"))


def check_a_million_samples() -> None:
    """A million samples along a hundred points; prints the time."""
    robot = robots()["franka"]
    vary = {"inertia": "5%", "placement": "0.1mm"}
    found = study(robot, _state(robot, 100), vary=vary, samples=1e6, devices=[0])
    print(f"a million samples of franka along 100 points: {found.seconds:.1f} s", flush=True)
    assert found.samples == 1_000_000
    close(found.first_overall.sum(axis=0), np.ones(7), tolerance=0.05)
