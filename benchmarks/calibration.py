"""Calibration: time per iteration with many poses, and beside FIGAROH on UR10, TIAGo and TALOS.

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

POSES, MARKER = 100_000, np.array((0.05, 0.02, 0.1))


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


class Figaroh:
    """FIGAROH's model of positions of a marker, over its own minimal set of parameters.

    These are the frames of base and marker, and the placements of joints that its
    `select_identifiable_parameters` chooses in addition.
    """

    def __init__(self, path: str, tool: str, joints: list[str]) -> None:
        import figaroh.calibration.calibration_tools as tools  # pyright: ignore[reportMissingImports]
        import pinocchio as pin

        self.tools, self.model = tools, pin.buildModelFromUrdf(path)
        self.state = self.model.createData()
        self.indices = [self.model.joints[self.model.getJointId(name)].idx_q for name in joints]
        self.neutral = pin.neutral(self.model)
        self.frames = [*tools.BASE_TPL, *(f"{name}_1" for name in tools.EE_TPL[:3])]
        self.names = [*self.frames, *tools.get_fullparam_offset(joints)]
        self.config: dict[str, Any] = {
            "calib_model": "full_params",
            "start_frame": "universe",
            "end_frame": tool,
            "NbMarkers": 1,
            "measurability": [True] * 3 + [False] * 3,
            "calibration_index": 3,
            "actJoint_idx": [self.model.getJointId(name) for name in joints],
        }

    def select(self, q: np.ndarray) -> None:
        """Choose the parameters."""
        tools, names = self.tools, self.names
        self.config["param_name"] = names
        start = np.zeros(len(names))
        start[len(tools.BASE_TPL) : len(self.frames)] = MARKER
        J = tools.measurement_jacobian(self.model, self.state, start, self._states(q), self.config)
        kept, _ = tools.select_identifiable_parameters(J, names, always_keep=self.frames)
        self.config["param_name"] = kept
        self.start = start[[names.index(name) for name in kept]]

    def _states(self, q: np.ndarray) -> np.ndarray:
        out = np.tile(self.neutral, (len(q), 1))
        out[:, self.indices] = q
        return out

    def predict(self, x: np.ndarray, q: np.ndarray) -> np.ndarray:
        """Return positions (n, 3) for parameters x."""
        config = {**self.config, "NbSample": len(q)}
        states = self._states(q)
        return (
            self.tools.calc_updated_fkm(self.model, self.state, x, states, config).reshape(3, -1).T
        )

    def fit(self, q: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Return the parameters by its method: `least_squares` with differences."""
        from scipy.optimize import least_squares

        return least_squares(lambda x: (self.predict(x, q) - p).ravel(), self.start, method="lm").x


#: Robots of FIGAROH's published examples: file, measured frame, first letters of its joints.
ROBOTS = {
    "UR10": ("ur_description/urdf/ur10_robot.urdf", "wrist_3_link", ("",)),
    "TIAGo": ("tiago_description/robots/tiago.urdf", "arm_7_link", ("torso", "arm")),
    "TALOS": ("talos_data/robots/talos_left_arm.urdf", "arm_left_7_link", ("arm_left",)),
}


def beside_figaroh(name: str, n: int = 80) -> None:
    """Print times and answers of both on positions of a marker with noise of 0.1 mm."""
    file, tool, chain = ROBOTS[name]
    path, rng = str(example(file)), np.random.default_rng(0)
    robot = jounce.load(path)
    joints = [joint.name for joint in robot.model.joints if joint.name.startswith(chain)]
    columns = [robot.labels("q").index(joint) for joint in joints]
    q, q_new = np.zeros((2, n, robot.nq))
    for x in (q, q_new):
        x[:, columns] = np.asarray(robot.random(rng, n))[:, columns]
    real = robot.edit.with_geometry(placements=1e-3 * rng.normal(size=(robot.nb, 6)))
    T = real.frame(tool).pose(q)
    p = (T @ (*MARKER, 1.0))[:, :3] + 1e-4 * rng.normal(size=(n, 3))
    other, found = Figaroh(path, tool, joints), {}
    target = np.eye(4)
    target[:3, 3] = MARKER

    def theirs() -> None:
        other.select(q[:, columns])
        found["x"] = other.fit(q[:, columns], p)

    def ours() -> None:
        data = Measurements("position", tool, q, p, deviation=1e-4, mount=np.eye(4), target=target)
        priors = {"placements": 1e3, "mounts": 1e3, "targets": 1e3}  # none, as in FIGAROH
        found["result"] = calibrate(robot, data, parameters=("placements",), priors=priors)

    ours()
    times = {"FIGAROH": measure(theirs, 1), "jounce": measure(ours, 5)}
    result, x = found["result"], found["x"]
    new = Measurements("position", tool, q_new, np.zeros((n, 3)), mount=np.eye(4), target=target)
    gap = result.predict(new) - other.predict(x, q_new[:, columns])
    rms = [
        1e3 * float(np.sqrt(np.mean((fit - p) ** 2)))
        for fit in (other.predict(x, q[:, columns]), result.predict(result.kinematics.data[0]))
    ]
    print(
        f"{name}: {len(x)} and {len(result.columns)} parameters, residuals {rms[0]:.6f} and"
        f" {rms[1]:.6f} mm, answers at {n} new poses differ by {np.abs(gap).max():.1e} m"
    )
    for library, (wall, cpu) in times.items():
        print(f"  {library}: {wall:.4f} s, processor {cpu:.4f} s")
    print(f"  processor time ratio {times['FIGAROH'][1] / times['jounce'][1]:.0f}")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    iteration()
    if find_spec("figaroh") is not None:
        for robot_name in ROBOTS:
            beside_figaroh(robot_name)
