"""MJCF to Model, through MuJoCo's own compiler.

`source.py` reads and compiles files, `model.py` turns a compiled mjModel into a Model,
`couplings.py` reads equality constraints between joints, `drives.py` actuators. Start with
`model.py`.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from jounce.errors import ModelError
from jounce.io.builder import Vector, base_kind
from jounce.io.mjcf import couplings
from jounce.io.mjcf.model import TYPES, model_from_mujoco, names_of
from jounce.io.mjcf.source import compile_source, read_source
from jounce.io.packages import Folders
from jounce.model.model import Model

__all__ = ["TYPES", "couplings", "model_from_mujoco", "names_of", "read_mjcf"]


@np.errstate(all="ignore")  # numbers that overflow are refused where they are used
def read_mjcf(
    path_or_text: str | os.PathLike[str],
    *,
    base: str | None = None,
    gravity: Vector | None = None,
    package_dirs: Folders = (),
    source: str | None = None,
) -> Model:
    """Return the model of an MJCF file. Needs the package mujoco.

    Parameters
    ----------
    path_or_text : str or path
        The file, or XML text (a string that contains '<').
    base : {"fixed", "floating"}, optional
        By default the file's own; see `model_from_mujoco`.
    gravity : sequence of float (3,), optional
        Gravitational acceleration in m/s^2; by default the file's own.
    package_dirs : path or sequence of paths
        Further folders in which included files and meshes are looked for.
    source : str or path, optional
        File that a text comes from.

    Returns
    -------
    Model
        The model.

    Raises
    ------
    ModelError
        If the file cannot be read or used.
    """
    if base is not None:
        base_kind(base)
    mujoco = _mujoco()
    compiled = compile_source(read_source(path_or_text, package_dirs, source), mujoco)
    root = compiled.source.root
    try:
        return model_from_mujoco(
            compiled.model,
            source=root.source,
            base=base,
            gravity=gravity,
            name=root.attributes.get("model") or Path(root.source).stem.strip("<>"),
            meshes=compiled.meshes,
        )
    except ModelError as error:
        raise compiled.locate(error) from error


def _mujoco() -> Any:
    try:
        import mujoco
    except ImportError as error:
        raise ImportError('reading MJCF needs MuJoCo: pip install "jounce[mujoco]"') from error
    return mujoco
