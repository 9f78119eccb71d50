"""Selection of independent joints and a reference configuration of a mechanism."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from jounce.arrays.validation import state_array
from jounce.errors import ArgumentError, ModelError, suggest
from jounce.robot import Robot
from jounce.solve.mechanism.assembly import Assembler, conditioning, independent, rank_of
from jounce.utils import format_count


def velocity_names(robot: Robot) -> list[str]:
    """Return names of the velocities of all joints: the joint's, with [k] if it has several."""
    return robot.labels("v", "{}[{}]")


def named_velocities(robot: Robot, names: Sequence[str | int], title: str) -> list[int]:
    """Return velocities by name or index; a joint's name selects all of its velocities.

    title: beginning of messages, such as "arm.closed(): active".
    """
    views, known = robot.joints, velocity_names(robot)
    if isinstance(names, str):
        names = (names,)
    if not isinstance(names, Iterable):
        raise ArgumentError(f"{title} must be a sequence of joint names, found {names!r}")
    out: list[int] = []
    for name in names:
        if isinstance(name, (bool, np.bool_)):
            raise ArgumentError(f"{title}: expected names or indices of joints, found a boolean")
        if isinstance(name, (int, np.integer)) and 0 <= name < robot.nv:
            out.append(int(name))
        elif name in known:
            out.append(known.index(str(name)))
        elif name in views and views[str(name)].joint.mimic is None:
            out += range(views[str(name)].v.start, views[str(name)].v.stop)
        else:
            raise ModelError(
                f"{title}: no joint {name!r} that moves independently; {suggest(name, known)}"
            )
    if len(set(out)) < len(out):
        raise ModelError(f"{title}: a joint is named twice in {list(names)}")
    return out


class Choice:
    """Selection for a robot, by the Jacobian of its closed loops."""

    def __init__(self, robot: Robot, assembler: Assembler, tolerance: float) -> None:
        self.robot = robot
        self.name = f"{robot.name}.closed()"
        self.assembler = assembler
        self.tolerance = tolerance

    def configurations(self, q0: ArrayLike | None) -> tuple[np.ndarray, np.ndarray]:
        """Return configurations with closed loops and a Jacobian G of generic rank, with G.

        The start is often singular, so configurations near it are tried too and, without q0, random
        ones if none of them can be closed.
        """
        robot, rng = self.robot, np.random.default_rng(0)
        start = robot.neutral() if q0 is None else state_array(robot, q0, "q", f"{self.name}: q0")
        if start.ndim != 1 or not np.isfinite(start).all():
            raise ArgumentError(f"{self.name}: q0 must be one finite configuration ({robot.nq},)")
        steps = 0.3 * rng.standard_normal((12, robot.nv)) * np.linspace(0.0, 1.0, 12)[:, None]
        start_batches = [robot.integrate(start, steps)]
        if q0 is None:
            start_batches.append(robot.random(rng, 64))
        best = np.inf
        for starts in start_batches:
            free = np.ones(robot.nv, dtype=bool)
            q, gap, _ = self.assembler.close(starts, free, self.tolerance, 100)
            best = min(best, np.nanmin(gap, initial=np.inf))
            q = q[gap <= self.tolerance]
            if len(q):
                G = self.assembler.gaps(q)[1]
                ranks = np.array([rank_of(x, self.tolerance) for x in G])
                generic = ranks == ranks.max()
                return q[generic], G[generic]
        names = ", ".join(f"'{loop.name}'" for loop in robot.model.loops)
        raise ModelError(
            f"robot '{robot.name}': its loops ({names}) cannot be closed; the smallest gap is"
            f" {best:.2g} (m or rad). Check the frames of the loops, or pass as q0= a configuration"
            " near which they close, or a larger tolerance="
        )

    def passive(self, G: np.ndarray, active: list[int] | None) -> list[int]:
        """Return the dependent velocities, by G at some configurations (n, nl, nv)."""
        robot, nv, rank = self.robot, self.robot.nv, rank_of(G[0], self.tolerance)
        if rank == nv:
            raise ModelError(
                f"robot '{robot.name}' is over-constrained: its {G.shape[1]} loop constraints leave"
                f" none of {nv} degrees of freedom; lock fewer motions, or pass a larger tolerance="
                " if the geometry is rounded"
            )
        if rank == 0:
            raise ModelError(f"robot '{robot.name}': its loops constrain no motion")
        order, names = self._preference(), velocity_names(robot)
        selections = [independent(x, order, tolerance=self.tolerance) for x in G]
        selected = min(selections, key=lambda which: sorted(order.index(k) for k in which))
        if active is None:
            return sorted(selected)
        free = [names[k] for k in range(nv) if k not in selected]
        hint = f"a valid choice: {', '.join(free)}"
        if len(active) != nv - rank:
            freedom = format_count(nv - rank, "degree")
            raise ModelError(
                f"{self.name}: the mechanism has {freedom} of freedom, found"
                f" {format_count(len(active), 'independent velocity')}; {hint}"
            )
        passive = [k for k in range(nv) if k not in active]
        if not conditioning(G[:, :, passive]).max() > self.tolerance:
            selected = ", ".join(names[k] for k in active)
            raise ModelError(f"{self.name}: {selected} do not determine the other joints; {hint}")
        return passive

    def _preference(self) -> list[int]:
        """Return velocities preferred as dependent first: without drive, far from the base."""
        depth, driven = np.zeros(self.robot.nv, dtype=int), np.ones(self.robot.nv, dtype=bool)
        for node, above in zip(self.robot.tree.nodes, self.robot.tree.ancestors, strict=True):
            depth[node.vs] = np.maximum(depth[node.vs], len(above))
        for view in self.robot.joints.values():
            if view.joint.mimic is None:
                driven[view.v] = view.joint.effort_limit > 0.0
        return sorted(range(self.robot.nv), key=lambda k: (driven[k], -depth[k], -k))
