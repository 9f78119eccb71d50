"""Paths of the robot files, found without importing packages."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

#: A folder with the files below, for machines without example-robot-data.
FOLDER = "JOUNCE_ROBOTS"

FILES = {
    "ur5": "ur_description/urdf/ur5_robot.urdf",
    "panda": "panda_description/urdf/panda.urdf",
    "g1": "g1_description/urdf/g1_29dof_rev_1_0.urdf",
    "talos": "talos_data/robots/talos_reduced.urdf",
    "anymal": "anymal_b_simple_description/robots/anymal.urdf",
}


def path(name: str) -> Path:
    """File of a robot: in the folder that JOUNCE_ROBOTS names, or of example-robot-data."""
    for root in _roots():
        if (root / FILES[name]).exists():
            return root / FILES[name]
    raise FileNotFoundError(
        f"{FILES[name]}: pip install example-robot-data, or name a folder that has it in {FOLDER}"
    )


def _roots() -> Iterator[Path]:
    if os.environ.get(FOLDER):
        yield Path(os.environ[FOLDER])
    spec = find_spec("cmeel")
    for place in () if spec is None else spec.submodule_search_locations or ():
        yield Path(place).parent / "cmeel.prefix/share/example-robot-data/robots"
