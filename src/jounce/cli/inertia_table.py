"""The comparison of `jounce info --inertia`: inertias in the file and those of its shapes."""

from __future__ import annotations

import argparse
import json
import warnings
from dataclasses import replace
from typing import Any

import numpy as np

from jounce import io
from jounce.cli import shared_arguments
from jounce.errors import ModelError, ModelWarning, printable
from jounce.io import mesh_inertia as meshes
from jounce.model import Model


def print_comparison(args: argparse.Namespace) -> None:
    """Print a line for each link, or JSON."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)  # the comparison reports the same
        links = meshes.compare(
            _read_model(args),
            density=args.density,
            mass=args.mass,
            purpose=args.purpose,
            links=args.links,
            package_dirs=args.package_dir,
            repair=args.repair,
            hull=args.hull,
        )
    # advice on missing meshes is printed once, not for each of them
    short = [replace(link, error=link.error.removesuffix(meshes.PACKAGE_ADVICE)) for link in links]
    if args.json:
        print(json.dumps([_as_dict(link) for link in short], indent=2))
        return
    print(_table(short))
    if any(link.error.endswith(meshes.PACKAGE_ADVICE) for link in links):
        print("Meshes were not found; pass the folder of their package as --package-dir.")


def _read_model(args: argparse.Namespace) -> Model:
    """Read the robot with a floating base, to include its root, or fixed if it has several."""
    options: dict[str, Any] = {"gravity": args.gravity, "package_dirs": args.package_dir}
    try:
        return io.read(args.robot, base=args.base or "floating", **options)
    except ModelError:
        return io.read(args.robot, base=args.base, **options)


def _as_dict(link: meshes.Comparison) -> dict[str, Any]:
    """Return a comparison as plain data for JSON."""
    solid = link.shape is not None
    return {
        "link": link.link,
        "body": link.body,
        "file": link.file.tolist(),
        "shape": link.shape.tolist() if link.shape is not None else None,
        "purpose": link.purpose,
        "shapes": link.shapes,
        "volume": link.volume,
        "density": link.density if link.volume else None,
        "com_offset": link.com_offset.tolist() if solid else None,
        "moment_ratios": link.ratios.tolist() if solid else None,
        "error": link.error,
        "remarks": list(link.remarks),
        "findings": list(link.findings),
    }


def _table(links: list[meshes.Comparison]) -> str:
    """Return the table, with remarks and findings below the link that they concern."""
    head = ("link", "shapes", "mass, kg", "kg/m^3", "com off, mm", "moments, file / shapes")
    lines = shared_arguments.align_columns([head, *map(_cells, links)], left=2)
    out = lines[:1]
    for link, line in zip(links, lines[1:], strict=True):
        out += [line, *(f"  ! {text}" for text in link.remarks)]
        out += [f"  - {text}" for text in (link.error, *link.findings) if text]
    odd = sum(bool(link.remarks) for link in links)
    bad = sum(bool(link.error) for link in links)
    out.append(f"{len(links)} links, {odd} with remarks (!), {bad} without a solid to compare")
    return "\n".join(map(printable, out))


def _cells(link: meshes.Comparison) -> tuple[str, ...]:
    name, mass = printable(link.link), f"{link.file[0]:.4g}"
    if link.shape is None:
        return (name, "-", mass, "-", "-", "-")
    offset = f"{1e3 * np.linalg.norm(link.com_offset):.3g}" if link.file[0] else "-"
    ratios = "  ".join(f"{x:8.3g}" for x in link.ratios)
    return (name, f"{link.shapes} {link.purpose}", mass, f"{link.density:.0f}", offset, ratios)
