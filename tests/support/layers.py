"""The packages of jounce from the bottom up, what each may import, and the files in them."""

from __future__ import annotations

from pathlib import Path

import jounce

SOURCE = Path(jounce.__file__).parent

#: Packages from the bottom up: each imports only packages that come before it.
ORDER = (
    "errors",
    "utils",
    "math",
    "model",
    "io",
    "formulas",
    "papers",
    "compiler",
    "catalog",
    "runtime",
    "arrays",
    "robot",
    "solve",
    "trajectories",
    "identification",
    "calibration",
    "studies",
    "control",
    "planning",
    "export",
    "integrations",
    "viewer",
    "cli",
)

#: Packages that must know less than what comes before them.
ONLY = {
    "utils": {"errors"},
    "math": {"errors", "utils"},
    "formulas": {"errors", "utils", "math", "model"},
    "papers": {"errors", "utils", "math", "model"},
    "compiler": {"errors", "utils"},
    "catalog": {"errors", "utils", "math", "model", "formulas", "compiler"},
}

#: What each package may import besides itself; the command line also what users import.
BELOW = {name: ONLY.get(name, {*ORDER[:k]}) for k, name in enumerate(ORDER)}
BELOW["cli"].add("")


def modules() -> dict[str, Path]:
    """Source files by module, such as "formulas.dynamics"; packages by their name."""
    out = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        out[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return out


MODULES = modules()
