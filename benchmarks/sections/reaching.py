"""Section: inverse kinematics of random reachable poses, compared with pink."""

from __future__ import annotations

import time
import warnings
from functools import partial
from typing import Any

import numpy as np
import pinocchio as pin

from benchmarks.measure import MismatchError, time_interleaved
from benchmarks.report import Options, Row, Table, Verdict
from benchmarks.robots import Case, case

#: The frame that each robot brings to a pose.
FRAMES = {"panda": "panda_hand", "ur5": "ee_link"}
POSES, QUICK_POSES = 10_000, 500
#: Poses that pink, which takes thousands of times as long, is asked for, and its most steps.
PINK_POSES, QUICK_PINK_POSES, PINK_STEPS = 100, 5, 200
#: m and rad.
TOLERANCE = 1e-6
#: Share of the poses that are found, and us for each, with one thread.
SOLVED, SPENT = {"panda": 0.999}, {"panda": 30.0}

NOTE = (
    "Poses of random configurations within the limits, to be reached to {tolerance:g} m and rad, by"
    " one call of `robot.inverse_kinematics` on all of them, from its own start and with its own"
    " restarts; what it calls solved is confirmed by Pinocchio's kinematics before anything is"
    " reported. CPU time of one thread, least of {rounds} calls. pink: {version}, a loop of"
    " `solve_ik` by daqp on the first poses, from the middle of the limits, at most {steps} steps"
    " of one second, without restarts."
)
COLUMNS = (
    "robot",
    "nv",
    "poses",
    "solved",
    "target",
    "met",
    "µs per pose",
    "target ",
    "met ",
    "steps per pose",
    "restarts",
    "pink: poses",
    "solved ",
    "µs per pose ",
    "ratio",
    "furthest",
)


#: Poses of single calls, how far starts are from solutions (rad, m), us a call, and our speed over
#: pink's.
SINGLE_POSES, NEARBY, SINGLE_SPENT, SINGLE_RATIO = 20, 0.05, 60.0, 10.0
SINGLE_NOTE = (
    "One pose per call, from a start {near:g} rad or m away in every joint (signs are random), as"
    " a control loop calls it: `robot.inverse_kinematics({{frame: pose}}, q0)`, to {tolerance:g} m"
    " and rad. pink: {version}, one `Configuration` that is updated to the start, then `solve_ik`"
    " by daqp with steps of one second to the same tolerance. Both reach all {poses} poses, which"
    " is checked before anything is timed. CPU time of one thread, medians of alternating rounds."
)
SINGLE_COLUMNS = (
    "robot",
    "nv",
    "µs per call",
    "target",
    "met",
    "steps",
    "pink: µs per call",
    "steps ",
    "ratio",
    "quartiles",
    "target ",
    "met ",
)


def tables(options: Options) -> list[Table]:
    """Two tables: batches of poses, and one pose per call."""
    from importlib.metadata import version

    rounds = 1 if options.quick else 5
    jobs = [
        (f"inverse kinematics {name}", partial(_rows, name, options.quick, rounds))
        for name in options.robots
        if name in FRAMES
    ]
    facts = {"tolerance": TOLERANCE, "rounds": rounds, "version": version("pin-pink")}
    note = NOTE.format(**facts, steps=PINK_STEPS)
    alone = [
        (f"inverse kinematics {name}, single calls", partial(_single_rows, name, options))
        for name in options.robots
        if name in FRAMES
    ]
    single_note = SINGLE_NOTE.format(**facts, near=NEARBY, poses=SINGLE_POSES)
    return [
        Table("Inverse kinematics", note, COLUMNS, jobs),
        Table("Inverse kinematics: single calls", single_note, SINGLE_COLUMNS, alone),
    ]


def poses_of(robot: Case, q: np.ndarray, frame: str) -> np.ndarray:
    """Poses (n, 4, 4) of a frame by Pinocchio."""
    model, data = robot.pin_model, robot.pin_data
    index, out = model.getFrameId(frame), []
    for x in robot.map.q_to_pinocchio(q):
        pin.framesForwardKinematics(model, data, x)
        out.append(data.oMf[index].homogeneous)
    return np.array(out)


def furthest(robot: Case, frame: str, poses: np.ndarray, found: Any) -> float:
    """Return the largest error of the poses reported as solved, m or rad."""
    q = found.q[found.success]
    reached, wanted = poses_of(robot, q, frame), poses[found.success]
    gaps = [
        pin.log6(pin.SE3(x).actInv(pin.SE3(y))).vector for x, y in zip(reached, wanted, strict=True)
    ]
    worst = float(np.linalg.norm(np.array(gaps).reshape(-1, 2, 3), axis=2).max())
    # the logarithm's translation is a little longer than the distance
    if not worst <= 1.1 * TOLERANCE:
        raise MismatchError(f"{robot.name}: a pose called reached is missed by {worst:.1e}")
    if not np.all(robot.robot.limits.contains(q)):
        raise MismatchError(f"{robot.name}: a solution is beyond the limits")
    return worst


def by_pink(
    robot: Case, frame: str, poses: np.ndarray, starts: np.ndarray
) -> tuple[int, int, float]:
    """Return how many of the poses pink finds, its steps, and its seconds for all.

    starts: configurations (n, nq) as Pinocchio has them.
    """
    import pink

    model, data = robot.pin_model, robot.pin_data
    task = pink.tasks.FrameTask(frame, position_cost=1.0, orientation_cost=1.0)
    configuration = pink.Configuration(model, data, starts[0])
    solved, steps, begin = 0, 0, time.thread_time()
    for pose, start in zip(poses, starts, strict=True):
        configuration.update(start)
        task.set_target(pin.SE3(pose))
        for _ in range(PINK_STEPS):
            error = task.compute_error(configuration)
            if max(np.linalg.norm(error[:3]), np.linalg.norm(error[3:])) <= TOLERANCE:
                solved += 1
                break
            try:
                velocity = pink.solve_ik(
                    configuration, [task], 1.0, solver="daqp", safety_break=False
                )
            except pink.exceptions.PinkError:  # it found no step
                break
            configuration.integrate_inplace(velocity, 1.0)
            steps += 1
    return solved, steps, time.thread_time() - begin


def _rows(name: str, quick: bool, rounds: int) -> list[Row]:
    robot, frame = case(name), FRAMES[name]
    count = QUICK_POSES if quick else POSES
    poses = poses_of(robot, robot.robot.random(np.random.default_rng(11), count), frame)
    call = partial(robot.robot.inverse_kinematics, {frame: poses}, tolerance=TOLERANCE, rng=0)
    result = call()  # compiles
    worst, times = furthest(robot, frame, poses, result), []
    for _ in range(rounds):
        start = time.thread_time()
        call()
        times.append(time.thread_time() - start)
    share, spent = float(np.mean(result.success)), min(times) / count * 1e6
    subset = QUICK_PINK_POSES if quick else PINK_POSES
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pink's, about joints that are at their limits
        middle = (robot.pin_model.lowerPositionLimit + robot.pin_model.upperPositionLimit) / 2
        reached, _, seconds = by_pink(robot, frame, poses[:subset], np.tile(middle, (subset, 1)))
    verdicts, cells = [], [name, robot.size, f"{count:,}", f"{100 * share:.2f} %"]
    for goals, value, at_least, unit in (
        (SOLVED, share, True, ""),
        (SPENT, spent, False, " us"),
    ):
        mark = ["", ""]
        if name in goals:
            what = f"inverse kinematics {name}, {'time' if unit else 'solved'}"
            verdicts.append(Verdict(what, value, goals[name], at_least, unit))
            mark = [verdicts[-1].bound_text, verdicts[-1].mark]
        cells += mark if not unit else [f"{spent:.1f}", *mark]
    cells += [
        f"{np.mean(result.iterations):.1f}",
        f"{np.mean(result.restarts):.2f}",
        str(subset),
        f"{100 * reached / subset:.0f} %",
        f"{seconds / subset * 1e6:,.0f}",
        f"{seconds / subset * 1e6 / spent:,.0f}",
        f"{worst:.0e}",
    ]
    return [Row(cells, verdicts)]


def _single_rows(name: str, options: Options) -> list[Row]:
    robot, frame, rng = case(name), FRAMES[name], np.random.default_rng(12)
    q = robot.robot.random(rng, SINGLE_POSES)
    starts = robot.robot.limits.clip(q + NEARBY * rng.choice((-1.0, 1.0), size=q.shape))
    poses = poses_of(robot, q, frame)
    theirs = robot.map.q_to_pinocchio(starts)
    targets = [{frame: pose} for pose in poses]

    def ours() -> list[Any]:
        solve = robot.robot.inverse_kinematics
        return [solve(x, q0, tolerance=TOLERANCE) for x, q0 in zip(targets, starts, strict=True)]

    result = ours()
    full = robot.robot.inverse_kinematics({frame: poses}, starts, tolerance=TOLERANCE)
    furthest(robot, frame, poses, full)
    if not all(x.success and np.allclose(x.q, y) for x, y in zip(result, full.q, strict=True)):
        raise MismatchError(f"{name}: a single call finds something else than a batch, or nothing")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pink's, about joints that are at their limits
        reached, steps, _ = by_pink(robot, frame, poses, theirs)
        if reached < SINGLE_POSES:
            raise MismatchError(f"{name}: pink reaches {reached} of {SINGLE_POSES} poses")
        timers = {"ours": ours, "pink": partial(by_pink, robot, frame, poses, theirs)}
        times = time_interleaved(timers, options.effort)
    spent, ratio = times["ours"] / SINGLE_POSES * 1e6, times.ratio("pink", "ours")
    low, high = times.quartiles("pink", "ours")
    title = f"inverse kinematics {name}, single"
    verdicts = [
        Verdict(title, spent, SINGLE_SPENT, at_least=False, unit=" us"),
        Verdict(f"{title}, compared with pink", ratio, SINGLE_RATIO, at_least=True),
    ]
    cells = (
        name,
        robot.size,
        f"{spent:.1f}",
        verdicts[0].bound_text,
        verdicts[0].mark,
        f"{np.mean([x.iterations for x in result]):.1f}",
        f"{times['pink'] / SINGLE_POSES * 1e6:,.0f}",
        f"{steps / SINGLE_POSES:.1f}",
        f"{ratio:.0f}",
        f"{low:.0f}–{high:.0f}",
        verdicts[1].bound_text,
        verdicts[1].mark,
    )
    return [Row(cells, verdicts)]
