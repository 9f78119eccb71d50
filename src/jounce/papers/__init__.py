"""The papers, line by line: every function here carries the equation it implements.

This is the reference and the teaching text; `jounce.formulas` holds the same quantities in the
cheapest form found. Each paper is a module, and `@equation("24b")` above a function says which
numbered equations it implements. `coverage` lists what is done and what is missing.

    from jounce import papers
    from jounce.papers import garofalo2013
    from jounce.model.tree import lower

    tree = lower(model)
    M = garofalo2013.mass_matrix(tree, q)
    print(papers.report())
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from jounce.errors import suggest
from jounce.lazy import submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)

_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Paper:
    """A paper: the module that holds it, and the equations that can be implemented.

    more: further modules that hold parts of it.
    """

    key: str
    title: str
    authors: str
    year: int | None
    equations: tuple[str, ...]
    more: tuple[str, ...] = ()


class Coverage(NamedTuple):
    """Equations of one paper that have a function, and those that have none yet."""

    done: list[str]
    missing: list[str]


def _numbers(first: int, last: int, parts: dict[int, str] | None = None) -> tuple[str, ...]:
    """("1", ..., "6a", "6b", ...): the numbers first..last, some of them split in parts."""
    parts = parts or {}
    return tuple(f"{n}{part}" for n in range(first, last + 1) for part in parts.get(n, ("",)))


def _sections(**last: int) -> tuple[str, ...]:
    """("1.1", ..., "2.5", ...): numbers that run on through the sections."""
    out: list[str] = []
    for section, end in last.items():
        out += (f"{section.strip('_')}.{n}" for n in range(len(out) + 1, end + 1))
    return tuple(out)


#: The papers by key, which is also the name of the (first) module.
PAPERS: dict[str, Paper] = {
    paper.key: paper
    for paper in (
        Paper(
            "newton_euler",
            "Robot Dynamics, lecture notes (conventions of Lynch and Park, Modern Robotics)",
            "A. Fakhari",
            2024,
            # the lecture has no equation numbers: names of ours, in its order
            (
                "equation of motion",
                "forward dynamics",
                "lagrange",
                "single body, body frame",
                "inertia matrix",
                "diagonalisation",
                "principal axes",
                "single body, world frame",
                "twist-wrench",
                "bracket",
                "other frame",
                "rotated inertia",
                "steiner",
                "box",
                "cylinder",
                "ellipsoid",
                "compound body",
                "screw axes",
                "forward iterations",
                "backward iterations",
                "W",
                "L",
                "closed form",
                "split",
                "example 1",
                "example 2",
                "example 3",
                "example 4",
            ),
            more=("rigid_body", "lagrange"),
        ),
        Paper(
            "garofalo2013",
            "On the closed form computation of the dynamic matrices and their differentiations",
            "G. Garofalo, C. Ott, A. Albu-Schaeffer",
            2013,
            _numbers(1, 33, {6: "abc", 13: "abc", 24: "abcd", 25: "abc"}),
        ),
        Paper(
            "mueller_kumar2021",
            "Closed form time derivatives of the equations of motion of rigid body systems",
            "A. Mueller, S. Kumar",
            2021,
            _numbers(1, 57),
        ),
        Paper(
            "jain_rodriguez",
            "Multibody mass matrix sensitivity analysis using spatial operators",
            "A. Jain, G. Rodriguez",
            2003,
            _sections(_1=4, _2=18, _3=41, _4=43, _5=55),
        ),
        Paper(
            "kwon",
            "Differential dynamics and mesh-based inertia",
            "J. Kwon",
            None,
            (*_numbers(1, 34), "Algorithm 1"),
        ),
    )
}

_FUNCTIONS: dict[str, dict[str, dict[str, Callable[..., Any]]]] = {key: {} for key in PAPERS}


def equation(*numbers: str) -> Callable[[_Function], _Function]:
    """Say which numbered equations of its module's paper a function implements.

    `@equation("24b")` or `@equation("6a", "6b")`. The function gets an attribute `equations`.
    """

    def tag(function: _Function) -> _Function:
        # a paper is a module or a package: jounce.papers.kwon.mesh belongs to kwon
        name = function.__module__.removeprefix(f"{__name__}.").partition(".")[0]
        key = next((k for k, paper in PAPERS.items() if name in (k, *paper.more)), None)
        if key is None:
            raise ValueError(f"no paper is called '{name}'; {suggest(name, PAPERS)}")
        for number in numbers:
            if number not in PAPERS[key].equations:
                valid = ", ".join(PAPERS[key].equations)
                raise ValueError(f"{key} has no equation '{number}'; choose one of {valid}")
            _FUNCTIONS[key].setdefault(number, {})[function.__qualname__] = function
        function.__dict__["equations"] = (*getattr(function, "equations", ()), *numbers)
        return function

    return tag


def functions(key: str) -> dict[str, list[Callable[..., Any]]]:
    """The functions of one paper by equation, in the paper's order; empty if not yet written."""
    if key not in PAPERS:
        raise ValueError(f"no paper is called '{key}'; {suggest(key, PAPERS)}")
    for name in (key, *PAPERS[key].more):
        module = f"{__name__}.{name}"
        if importlib.util.find_spec(module) is not None:
            importlib.import_module(module)
    found = _FUNCTIONS[key]
    return {n: list(found[n].values()) for n in PAPERS[key].equations if n in found}


def coverage() -> dict[str, Coverage]:
    """For each paper: the equations that have a function, and those that have none."""
    out: dict[str, Coverage] = {}
    for key, paper in PAPERS.items():
        found = functions(key)
        out[key] = Coverage(list(found), [n for n in paper.equations if n not in found])
    return out


def report() -> str:
    """The coverage as text, one block per paper: `python -m jounce papers` prints it."""
    lines: list[str] = []
    for key, (done, missing) in coverage().items():
        paper = PAPERS[key]
        year = "" if paper.year is None else f" ({paper.year})"
        lines.append(f"{key}: {len(done)} of {len(paper.equations)} equations")
        lines.append(f"  {paper.authors}{year}. {paper.title}")
        for number, found in functions(key).items():
            lines.append(f"  {number:<24} {', '.join(f.__qualname__ for f in found)}")
        if missing:
            lines.append(f"  missing: {', '.join(missing)}")
        lines.append("")
    return "\n".join(lines).rstrip()
