"""Mutated URDF files in jounce and in Pinocchio, in a process of its own: the latter may crash.

    python oracle_runner.py FIRST COUNT

Prints a line per file: its number before it is read, and what became of it afterwards (JSON).
"""

from __future__ import annotations

import json
import sys
import tempfile
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin

from jounce.errors import ModelError, ModelWarning
from jounce.export.pinocchio import PinocchioMap
from jounce.formulas.dynamics import inverse_dynamics
from jounce.io import read
from jounce.model.model import Model
from jounce.model.tree import lower
from support.fuzz_runner import make

#: States at which the two are compared.
STATES = 2
#: Larger ones take long to evaluate sample by sample.
LARGEST = 40


def compared(path: Path) -> dict[str, Any]:
    """Who accepts the file, and how far the forces differ."""
    print("pinocchio", flush=True)  # what a crash is blamed on
    theirs = _theirs(path)
    print("jounce", flush=True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ModelWarning)
            ours = read(path)
    except ModelError as error:
        return {"theirs": theirs is not None, "ours": False, "message": str(error)[-300:]}
    out: dict[str, Any] = {"theirs": theirs is not None, "ours": True}
    if theirs is None or not 0 < ours.nv <= LARGEST:
        return out
    try:
        states = PinocchioMap(ours, theirs)
    except ModelError as error:
        return {**out, "unmapped": str(error)[-300:]}
    return {**out, **_difference(ours, theirs, states)}


def _theirs(path: Path) -> Any:
    try:
        model = pin.buildModelFromUrdf(str(path))
    except Exception:
        return None
    return model


def _difference(ours: Model, theirs: Any, states: PinocchioMap) -> dict[str, Any]:
    """The largest difference of inverse dynamics, relative to the forces.

    Where these are what is left of terms ten thousand times larger, as an inertia of 1e9 leads to,
    relative to the terms.
    """
    rng = np.random.default_rng(0)
    # an attribute of our own, which Pinocchio does not read
    ours = replace(ours, joints=tuple(replace(joint, armature=0.0) for joint in ours.joints))
    tree, data, worst = lower(ours), theirs.createData(), 0.0
    for _ in range(STATES):
        q, v, a = _state(ours, rng)
        with np.errstate(all="ignore"):
            mine = np.asarray(inverse_dynamics(tree, *(x.astype(object) for x in (q, v, a))), float)
        full = [states.q_to_pinocchio(q), states.v_to_pinocchio(v), states.v_to_pinocchio(a)]
        tau = states.G.T @ np.array(pin.rnea(theirs, data, *full))
        if not (np.isfinite(mine).all() and np.isfinite(tau).all()):
            return {"overflow": True}
        size = np.abs(tau).max() + 1e-4 * _terms(theirs, data, states, full)
        if size > 0.0:
            worst = max(worst, float(np.abs(mine - tau).max() / size))
    return {"difference": worst}


def _state(model: Model, rng: np.random.Generator) -> list[np.ndarray]:
    q = rng.normal(size=model.nq)
    at = 0
    for joint in model.joints:
        if joint.mimic is None:
            if joint.kind in ("free", "spherical"):
                q[at : at + 4] /= np.linalg.norm(q[at : at + 4])
            at += joint.nq
    return [q, rng.normal(size=model.nv), rng.normal(size=model.nv)]


def _terms(theirs: Any, data: Any, states: PinocchioMap, full: list[np.ndarray]) -> float:
    """Size of what cancels in a force: inertias times accelerations, arms and gains."""
    pin.forwardKinematics(theirs, data, *full)
    arms = 1.0 + max(float(np.abs(M.translation).max()) for M in data.oMi)
    inertias = max(float(np.abs(Y.matrix()).max()) for Y in theirs.inertias)
    rates = [np.abs(x.vector).max() for x in (*data.v, *data.a, *data.a_gf)]
    return inertias * arms * (1.0 + max(rates)) ** 2 * float(np.abs(states.G).max(initial=1.0))


def main(first: int, count: int) -> None:
    """Read the files with the numbers first ... first + count - 1."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mutated.urdf"
        for number in range(first, first + count):
            path.write_bytes(make("urdf", number))
            print(number, flush=True)
            print(json.dumps(compared(path)), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
