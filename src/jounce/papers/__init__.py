"""Papers, equation by equation: every function carries the number of the equation it implements.

This package is the reference for `jounce.formulas`, which has the same quantities in faster forms.
Each paper is a module, and `@equation("24b")` above a function lists the equations that it
implements. `coverage` lists implemented and missing equations. Imports `model` and `math`, never
`formulas`, so that tests can compare the two. Start with `newton_euler.py`.

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
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from jounce.errors import suggest
from jounce.utils.deprecation import renamed_attribute
from jounce.utils.lazy import submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)

if TYPE_CHECKING:
    from jounce.papers import (
        common,
        garofalo2013,
        jain_rodriguez,
        kwon,
        lagrange,
        mueller2023,
        mueller_kumar2021,
        newton_euler,
        rigid_body,
        singh2022,
    )

__all__ = [
    "PAPERS",
    "Citation",
    "Coverage",
    "Paper",
    "common",
    "coverage",
    "equation",
    "functions",
    "garofalo2013",
    "jain_rodriguez",
    "kwon",
    "lagrange",
    "mueller2023",
    "mueller_kumar2021",
    "newton_euler",
    "report",
    "resolve_citations",
    "rigid_body",
    "singh2022",
]

_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Paper:
    """A paper: its module, bibliographic data, and the equations that can be implemented.

    name: name in citations. modules: further modules with parts of the paper.
    """

    key: str
    name: str
    title: str
    authors: str
    year: int | None
    equations: tuple[str, ...]
    modules: tuple[str, ...] = ()

    @property
    def more(self) -> tuple[str, ...]:
        """Deprecated name of `modules`."""
        return renamed_attribute(self, "more", "modules")


class Coverage(NamedTuple):
    """Implemented and missing equations of one paper."""

    done: list[str]
    missing: list[str]


def _numbers(first: int, last: int, parts: dict[int, str] | None = None) -> tuple[str, ...]:
    """Return ("1", ..., "6a", "6b", ...): the numbers first..last, some of them split in parts."""
    parts = parts or {}
    return tuple(f"{n}{part}" for n in range(first, last + 1) for part in parts.get(n, ("",)))


def _sections(**last: int) -> tuple[str, ...]:
    """Return ("1.1", ..., "2.5", ...): numbers that continue across sections."""
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
            "Fakhari",
            "Robot Dynamics, lecture notes (conventions of Lynch and Park, Modern Robotics)",
            "A. Fakhari",
            2024,
            # the lecture has no equation numbers: descriptive names, in its order
            (
                "equation of motion",
                "forward dynamics",
                "lagrange",
                "single body, body frame",
                "inertia matrix",
                "diagonalization",
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
            modules=("rigid_body", "lagrange"),
        ),
        Paper(
            "garofalo2013",
            "Garofalo",
            "On the closed form computation of the dynamic matrices and their differentiations",
            "G. Garofalo, C. Ott, A. Albu-Schaeffer",
            2013,
            _numbers(1, 33, {6: "abc", 13: "abc", 24: "abcd", 25: "abc"}),
        ),
        Paper(
            "mueller_kumar2021",
            "Mueller-Kumar",
            "Closed form time derivatives of the equations of motion of rigid body systems",
            "A. Mueller, S. Kumar",
            2021,
            _numbers(1, 57),
        ),
        Paper(
            "jain_rodriguez",
            "Jain-Rodriguez",
            "Multibody mass matrix sensitivity analysis using spatial operators",
            "A. Jain, G. Rodriguez",
            2003,
            (*_sections(_1=4, _2=18, _3=41, _4=43, _5=55), "Identity 1.1"),
        ),
        Paper(
            "kwon",
            "Kwon",
            "Differential dynamics and mesh-based inertia",
            "J. Kwon",
            None,
            (*_numbers(1, 34), "Algorithm 1"),
        ),
        Paper(
            "mueller2023",
            "Mueller-Kumar-Kordik",
            "A recursive Lie-group formulation for the second-order time derivatives of the inverse"
            " dynamics of parallel kinematic manipulators",
            "A. Mueller, S. Kumar, T. Kordik",
            2023,
            # reconstructed, so the names are ours
            (
                "adjoint derivatives",
                "twist derivatives",
                "Jacobian derivatives",
                "wrench derivatives",
                "joint force derivatives",
                "loop Jacobian derivatives",
                "loop constraint rates",
                "inverse kinematics Jacobian derivatives",
                "limb inverse dynamics",
                "parallel robot inverse dynamics",
                "actuator forces",
            ),
        ),
        Paper(
            "singh2022",
            "Singh-Russell-Wensing",
            "Analytical second-order partial derivatives of rigid-body inverse dynamics",
            "S. Singh, R. P. Russell, P. M. Wensing",
            2022,
            # reconstructed, so the names are ours
            (
                "bar product",
                "force product",
                "B",
                "inertia rate",
                "forward pass",
                "composites",
                "A0 to A7",
                "backward pass",
                "cases k <= j <= i",
                "cases k <= j < i",
                "cases k < j = i",
            ),
        ),
    )
}

_FUNCTIONS: dict[str, dict[str, dict[str, Callable[..., Any]]]] = {key: {} for key in PAPERS}


def equation(*numbers: str) -> Callable[[_Function], _Function]:
    """Register a function as the implementation of equations of its module's paper.

    Parameters
    ----------
    *numbers : str
        Numbers of equations, as in `@equation("6a", "6b")`.

    Returns
    -------
    callable
        Decorator, which adds the attribute `equations` to the function.

    Raises
    ------
    ValueError
        If the module belongs to no paper, or the paper has no such equation.
    """

    def tag(function: _Function) -> _Function:
        # a paper is a module or a package: jounce.papers.kwon.mesh belongs to kwon
        name = function.__module__.removeprefix(f"{__name__}.").partition(".")[0]
        key = next((k for k, paper in PAPERS.items() if name in (k, *paper.modules)), None)
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
    """Return the functions of one paper by equation.

    Parameters
    ----------
    key : str
        Key of the paper in `PAPERS`.

    Returns
    -------
    dict of str to list of callable
        Functions by equation, in the paper's order, without missing equations.

    Raises
    ------
    ValueError
        If there is no paper with this key.
    """
    if key not in PAPERS:
        raise ValueError(f"no paper is called '{key}'; {suggest(key, PAPERS)}")
    for name in (key, *PAPERS[key].modules):
        module = f"{__name__}.{name}"
        if importlib.util.find_spec(module) is not None:
            importlib.import_module(module)
    by_number = _FUNCTIONS[key]
    return {n: list(by_number[n].values()) for n in PAPERS[key].equations if n in by_number}


#: Longer names first: one name may begin with another.
_CITED = re.compile(
    rf"({'|'.join(sorted((x.name for x in PAPERS.values()), key=len, reverse=True))})\b"
)
_NUMBERS = re.compile(r"\(([^()]+)\)(?:-\(([^()]+)\))?")


class Citation(NamedTuple):
    """An equation that a text cites, with the functions that implement it."""

    key: str
    number: str
    functions: list[Callable[..., Any]]


def resolve_citations(text: str) -> list[Citation]:
    """Find the equations that a text cites, such as the equation of a row of the catalog.

    Parameters
    ----------
    text : str
        Citations are names of papers, each followed by numbers in parentheses or by names of
        equations: "Garofalo (6a), (24); Kwon (6)-(10), Algorithm 1; Fakhari, closed form".
        A number without a letter stands for all parts of the equation.

    Returns
    -------
    list of Citation
        In the order of the text; empty if it cites none of `PAPERS`.

    Raises
    ------
    ValueError
        If a paper is named without an equation, or with one that it does not have.
    """
    out: list[Citation] = []
    names = {paper.name: paper for paper in PAPERS.values()}
    for part in text.split(";"):
        _, *pairs = _CITED.split(part)
        for name, tail in zip(pairs[::2], pairs[1::2], strict=True):
            paper = names[name]
            cited = [number for match in _NUMBERS.findall(tail) for number in _range(paper, *match)]
            words = re.split(r", | for | with ", tail)
            cited += [word for word in map(str.strip, words) if word in paper.equations]
            if not cited:
                valid = ", ".join(paper.equations)
                raise ValueError(f"'{name}{tail}' cites no equation; choose one of {valid}")
            implemented = functions(paper.key)
            out += [Citation(paper.key, number, implemented.get(number, [])) for number in cited]
    return out


def _range(paper: Paper, first: str, last: str) -> tuple[str, ...]:
    """Return the equations from first to last (or first if last is ""), with all their parts."""
    indices = []
    for number in (first, last or first):
        parts = [k for k, x in enumerate(paper.equations) if x.rstrip("abcd") == number]
        if number in paper.equations:
            parts = [paper.equations.index(number)]
        if not parts:
            valid = ", ".join(paper.equations)
            raise ValueError(f"{paper.key} has no equation '{number}'; choose one of {valid}")
        indices += parts
    return paper.equations[min(indices) : max(indices) + 1]


def coverage() -> dict[str, Coverage]:
    """Return the implemented and the missing equations of each paper.

    Returns
    -------
    dict of str to Coverage
        By key of `PAPERS`.
    """
    out: dict[str, Coverage] = {}
    for key, paper in PAPERS.items():
        implemented = functions(key)
        out[key] = Coverage(list(implemented), [n for n in paper.equations if n not in implemented])
    return out


def report() -> str:
    """Return the coverage as text, which `jounce info --papers` prints.

    Returns
    -------
    str
        One block per paper, with the functions of each equation.
    """
    lines: list[str] = []
    for key, (done, missing) in coverage().items():
        paper = PAPERS[key]
        year = "" if paper.year is None else f" ({paper.year})"
        lines.append(f"{key}: {len(done)} of {len(paper.equations)} equations")
        lines.append(f"  {paper.authors}{year}. {paper.title}")
        for number, implementations in functions(key).items():
            lines.append(f"  {number:<24} {', '.join(f.__qualname__ for f in implementations)}")
        if missing:
            lines.append(f"  missing: {', '.join(missing)}")
        lines.append("")
    return "\n".join(lines).rstrip()
