"""Calibration: time per iteration with many poses, and beside FIGAROH on a UR10.

Run `python -m benchmarks.calibration`. FIGAROH is optional: `pip install figaroh`.
"""

from __future__ import annotations

import time
import warnings
from importlib.util import find_spec
from typing import Any

import numpy as np

import jounce
from jounce.calibration import Measurements, calibrate
from jounce.calibration.estimator import Noise, Problem
from jounce.calibration.kinematics import Kinematics
from jounce.calibration.observability import select
from support.identify_data import example

POSES, TOOL, MARKER = 100_000, "wrist_3_link", np.array((0.05, 0.02, 0.1))


def measure(work: Any, repetitions: int) -> tuple[float, float]:
    """Return the least wall and processor times of a call, in s."""
    times = []
    for _ in range(repetitions):
        start, cpu = time.perf_counter(), time.process_time()
        work()
        times.append((time.perf_counter() - start, time.process_time() - cpu))
    return min(x for x, _ in times), min(x for _, x in times)


def iteration() -> None:
    """Print the time of one pass over many poses of a 7R arm."""
    robot, rng = jounce.load("kuka_iiwa14"), np.random.default_rng(0)
    q = rng.uniform(-1.5, 1.5, (POSES, 7))
    data = Measurements("pose", "tool", q, robot.frame("tool").pose(q), deviation=1e-4)
    kinematics = Kinematics(robot, [data], ("offsets", "placements"), {})
    problem, x = Problem(kinematics, [Noise(data)], None, 5), np.full(kinematics.size, 1e-3)
    columns = select(problem.jacobian(x, 300), kinematics.scale).columns
    problem.normal(x, columns)
    wall, cpu = measure(lambda: problem.normal(x, columns), 5)
    print(f"{POSES:,} poses, {len(columns)} parameters: {wall:.2f} s, processor {cpu:.2f} s")


def beside_figaroh() -> None:
    """Print times and errors of both on positions of a marker of a UR10 with noise of 0.1 mm."""
    import figaroh.calibration.calibration_tools as tools  # pyright: ignore[reportMissingImports]
    import pinocchio as pin
    from figaroh.calibration.parameter import (  # pyright: ignore[reportMissingImports]
        add_base_name,
        add_pee_name,
    )
    from scipy.optimize import least_squares

    path, n, rng = str(example("ur_description/urdf/ur10_robot.urdf")), 50, np.random.default_rng(0)
    robot = jounce.load(path)
    q, q_new = rng.uniform(-2.0, 2.0, (2, n, 6))
    real = robot.edit.with_geometry(placements=1e-3 * rng.normal(size=(6, 6)))

    def positions(at: np.ndarray) -> np.ndarray:
        T = real.frame(TOOL).pose(at)
        return T[:, :3, 3] + T[:, :3, :3] @ MARKER

    p = positions(q) + 1e-4 * rng.normal(size=(n, 3))
    model: Any = pin.buildModelFromUrdf(path)
    config = {
        "calib_model": "full_params",
        "start_frame": "universe",
        "end_frame": TOOL,
        "NbMarkers": 1,
        "NbSample": n,
        "measurability": [True] * 3 + [False] * 3,
        "calibration_index": 3,
        "actJoint_idx": list(range(1, 7)),
        "config_idx": list(range(6)),
        "param_name": [],
        "non_geom": False,
        "free_flyer": False,
        "q0": np.zeros(6),
        "random_seed": 0,
        "IDX_TOOL": model.getFrameId(TOOL),
        "tool_joint": 6,
    }
    state = model.createData()
    tools.calculate_base_kinematics_regressor([], model, state, config)
    add_base_name(config)
    add_pee_name(config)

    def predict(x: np.ndarray, at: np.ndarray) -> np.ndarray:
        return tools.calc_updated_fkm(model, state, x, at, config).reshape(3, n).T

    start, found = np.zeros(len(config["param_name"])), {}

    def theirs() -> None:
        found["x"] = least_squares(lambda x: (predict(x, q) - p).ravel(), start, method="lm").x

    def ours() -> None:
        data = Measurements("position", TOOL, q, p, deviation=1e-4, mount=np.eye(4))
        found["result"] = calibrate(robot, data, parameters=("placements",))

    ours()
    x, result = None, None
    for name, work, count in (("FIGAROH", theirs, 1), ("jounce", ours, 5)):
        wall, cpu = measure(work, count)
        x, result = found.get("x"), found["result"]
        values: Any = x if name == "FIGAROH" else None
        new = Measurements("position", TOOL, q_new, np.zeros((n, 3)), mount=np.eye(4))
        fits = [predict(values, at) for at in (q, q_new)] if values is not None else [
            result.predict(result.kinematics.data[0]), result.predict(new)
        ]  # fmt: skip
        rms = 1e3 * float(np.sqrt(np.mean((fits[0] - p) ** 2)))
        worst = 1e3 * float(np.abs(fits[1] - positions(q_new)).max())
        size = len(start) if values is not None else len(result.columns)
        print(
            f"{name}: {size} parameters, {wall:.3f} s, processor {cpu:.3f} s,"
            f" residual {rms:.4f} mm, largest error at new poses {worst:.3f} mm"
        )


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    iteration()
    if find_spec("figaroh") is not None:
        beside_figaroh()
