"""Make the meshes of toro25: `python -m tools.humanoid_meshes`.

Each is a loft of superellipses along z, in the frame of its link.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parents[1] / "src" / "jounce" / "io" / "gallery" / "toro25"

#: Vertices of a ring, and exponent of |x|^p + |y|^p = 1.
SIDES, POWER = 18, 2.6

#: Rings from below: height, x of the center, half widths along x and y, m.
LOFTS: dict[str, tuple[tuple[float, float, float, float], ...]] = {
    "pelvis": (
        (-0.05, -0.01, 0.03, 0.06), (-0.04, -0.01, 0.06, 0.09), (0.0, -0.01, 0.082, 0.125),
        (0.06, -0.01, 0.085, 0.13), (0.1, -0.005, 0.075, 0.11), (0.115, 0.0, 0.06, 0.08),
    ),
    "torso": (
        (0.0, 0.0, 0.06, 0.08), (0.015, 0.0, 0.08, 0.105), (0.1, 0.0, 0.085, 0.11),
        (0.22, 0.005, 0.1, 0.14), (0.33, 0.012, 0.115, 0.165), (0.4, 0.01, 0.11, 0.165),
        (0.44, 0.005, 0.09, 0.14), (0.47, 0.0, 0.06, 0.08), (0.475, 0.0, 0.045, 0.05),
    ),
    "head": (
        (0.515, 0.005, 0.045, 0.04), (0.53, 0.008, 0.07, 0.06), (0.58, 0.008, 0.088, 0.074),
        (0.64, 0.004, 0.09, 0.076), (0.675, 0.0, 0.075, 0.065), (0.695, 0.0, 0.045, 0.04),
        (0.7, 0.0, 0.02, 0.02),
    ),
    "thigh": (
        (-0.385, 0.0, 0.035, 0.035), (-0.365, 0.0, 0.05, 0.047), (-0.3, 0.004, 0.056, 0.052),
        (-0.18, 0.01, 0.068, 0.064), (-0.07, 0.008, 0.072, 0.068), (-0.03, 0.0, 0.055, 0.055),
        (-0.01, 0.0, 0.04, 0.045),
    ),
    "shank": (
        (-0.37, 0.0, 0.028, 0.03), (-0.35, 0.0, 0.036, 0.036), (-0.26, -0.004, 0.042, 0.04),
        (-0.15, -0.014, 0.056, 0.05), (-0.07, -0.01, 0.056, 0.05), (-0.03, 0.0, 0.045, 0.045),
        (-0.01, 0.0, 0.03, 0.04),
    ),
    "foot": (
        (-0.1, 0.03, 0.115, 0.048), (-0.092, 0.03, 0.122, 0.053), (-0.07, 0.027, 0.118, 0.05),
        (-0.05, 0.012, 0.085, 0.046), (-0.03, 0.0, 0.05, 0.042), (-0.01, 0.0, 0.035, 0.036),
    ),
    "upper_arm": (
        (-0.175, 0.0, 0.028, 0.03), (-0.16, 0.0, 0.04, 0.04), (-0.09, 0.003, 0.05, 0.046),
        (-0.02, 0.0, 0.05, 0.047), (0.01, 0.0, 0.042, 0.042), (0.02, 0.0, 0.03, 0.03),
    ),
    "forearm": (
        (-0.15, 0.0, 0.024, 0.026), (-0.135, 0.0, 0.032, 0.032), (-0.07, 0.0, 0.042, 0.039),
        (-0.01, 0.0, 0.044, 0.041), (0.015, 0.0, 0.036, 0.036), (0.02, 0.0, 0.028, 0.028),
    ),
    "hand": (
        (-0.16, 0.008, 0.02, 0.008), (-0.15, 0.006, 0.036, 0.013), (-0.1, 0.002, 0.044, 0.018),
        (-0.05, 0.0, 0.04, 0.022), (-0.02, 0.0, 0.028, 0.024), (-0.01, 0.0, 0.02, 0.02),
    ),
}  # fmt: skip


def loft(rings: tuple[tuple[float, float, float, float], ...]) -> str:
    """Return a closed surface through rings as the text of an OBJ file."""
    angles = 2.0 * np.pi * np.arange(SIDES) / SIDES
    c, s = np.cos(angles), np.sin(angles)
    shape = np.sign((c, s)) * np.abs((c, s)) ** (2.0 / POWER)
    points = [(x + a * u, b * v, z) for z, x, a, b in rings for u, v in shape.T]
    top = (len(rings) - 1) * SIDES
    faces = [[*range(SIDES, 0, -1)], [*range(top + 1, top + SIDES + 1)]]
    for k in range(len(rings) - 1):
        low = k * SIDES + np.arange(SIDES) + 1
        following = k * SIDES + (np.arange(SIDES) + 1) % SIDES + 1
        faces += [*zip(low, following, following + SIDES, low + SIDES, strict=True)]
    lines = ["# made by tools/humanoid_meshes.py"]
    lines += ["v " + " ".join(f"{x:.4f}".rstrip("0").rstrip(".") for x in p) for p in points]
    lines += ["f " + " ".join(map(str, face)) for face in faces]
    return "\n".join(lines).replace("-0 ", "0 ") + "\n"


def main() -> None:
    """Write all meshes."""
    FOLDER.mkdir(exist_ok=True)
    for name, rings in LOFTS.items():
        (FOLDER / f"{name}.obj").write_text(loft(rings), "utf-8")


if __name__ == "__main__":
    main()
