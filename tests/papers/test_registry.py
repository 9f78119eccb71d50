"""The registry of equations: every one has a function, and every paper what its sections hold."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

import pytest

from jounce import papers
from jounce.catalog.contacts import CONTACTED
from jounce.catalog.derivative import derivative, derivative_names
from jounce.catalog.mechanism import CLOSED
from jounce.catalog.tables import TREE
from jounce.cli import main
from jounce.math.scalar import zeros
from jounce.model.tree import lower
from jounce.papers import garofalo2013
from support.helpers import small_model

#: How many equations each paper has.
EQUATIONS = {
    "newton_euler": 28,
    "garofalo2013": 29 + 3 + 3 + 4 + 3,
    "mueller_kumar2021": 57,
    "jain_rodriguez": 55 + 1,
    "kwon": 35,
    "mueller2023": 11,
    "singh2022": 11,
}


def test_every_equation_has_a_function_that_says_what_it_is() -> None:
    covered = papers.coverage()
    assert list(covered) == list(papers.PAPERS)
    assert {key: len(done) for key, (done, _) in covered.items()} == EQUATIONS
    for key, paper in papers.PAPERS.items():
        done, missing = covered[key]
        assert missing == []
        assert sorted(done) == sorted(paper.equations)
        for number, tagged in papers.functions(key).items():
            for function in tagged:
                assert function.__doc__, f"{key} ({number}): {function.__qualname__}"
                assert number in function.equations  # type: ignore[attr-defined]


def test_equation_lists() -> None:
    garofalo = papers.PAPERS["garofalo2013"].equations
    assert {"6c", "13a", "24d", "25c", "33"} <= set(garofalo)
    assert papers.PAPERS["mueller_kumar2021"].equations[-1] == "57"
    jain = papers.PAPERS["jain_rodriguez"].equations
    assert {"1.1", "1.4", "2.5", "3.19", "3.41", "4.42", "5.44", "5.55"} <= set(jain)
    assert papers.PAPERS["kwon"].equations[-2:] == ("34", "Algorithm 1")


@pytest.mark.parametrize("key", ["garofalo2013", "kwon", "mueller_kumar2021"])
def test_a_paper_has_all_that_its_sections_define(key: str) -> None:
    """No name of one section hides that of another, whatever else they import."""
    paper = importlib.import_module(f"jounce.papers.{key}")
    defined = 0
    for section in pkgutil.iter_modules(paper.__path__, f"{paper.__name__}."):
        module = importlib.import_module(section.name)
        for name, thing in vars(module).items():
            if not name.startswith("_") and getattr(thing, "__module__", "") == section.name:
                assert getattr(paper, name) is thing, f"{section.name}.{name}"
                defined += 1
    assert defined > 50


def test_wrong_equations_are_refused() -> None:
    def formula() -> None:
        """Nothing."""

    with pytest.raises(ValueError, match="choose one of"):
        papers.equation("1")(formula)  # this module is no paper
    formula.__module__ = "jounce.papers.garofalo2013"
    with pytest.raises(ValueError, match="no equation '99'; choose one of 1, 2"):
        papers.equation("99")(formula)
    with pytest.raises(ValueError, match="did you mean 'newton_euler'"):
        papers.functions("newton")
    with pytest.raises(ValueError, match="christoffel"):
        garofalo2013.coriolis_matrix(lower(small_model()), zeros(1), zeros(1), "other")


#: Functions of Mueller and Kumar's paper that rows cite.
MUELLER_KUMAR = {
    "inverse_dynamics": ["inverse_dynamics"],
    "mass_matrix": ["mass_matrix", "coriolis_matrix"],
    "gravity_forces": ["gravity_forces"],
    "external_forces": ["external_forces"],
    "coriolis_matrix_garofalo": ["passive_coriolis_matrix"],
    "coriolis_matrix_mueller_kumar": ["mass_matrix", "coriolis_matrix", "coriolis_kernel"],
    "slotine_li_regressor_mueller_kumar": ["coriolis_kernel"],
    "body_poses": ["configurations"],
    "body_twists": ["system_twist"],
    "body_accelerations": ["system_acceleration"],
    "pose": ["configurations"],
    "jacobian": ["system_jacobian"],
    "jacobian_rate": ["jacobian_rate"],
    "twist": ["system_twist"],
    "acceleration": ["system_acceleration"],
}


def catalog() -> Iterator[tuple[str, str]]:
    """Names and equations of all rows and forms of the catalog."""
    for table in (TREE, CLOSED):
        for row in (*table.quantities.values(), *table.frames.values()):
            yield row.name, row.equation
            for step in dict.fromkeys((*derivative_names(row), *row.forms)):
                yield f"{row.name}.{step}", derivative(row, step).equation
    for row in CONTACTED.quantities.values():
        yield row.name, row.equation


def test_citations_of_the_catalog() -> None:
    cited, own = set(), {}
    for name, text in catalog():
        for key, number, functions in papers.resolve_citations(text):
            cited.add(key)
            assert functions, f"{name}: {key} ({number})"
            if key == "mueller_kumar2021" and not text.startswith("time derivatives"):
                own.setdefault(name, {}).update((f.__name__, None) for f in functions)
    assert cited == set(papers.PAPERS)
    assert {name: [*functions] for name, functions in own.items()} == MUELLER_KUMAR


def test_texts_of_citations() -> None:
    def numbers(text: str) -> list[tuple[str, str]]:
        return [(key, number) for key, number, _ in papers.resolve_citations(text)]

    assert numbers("Garofalo (6), (25b), for the kernel of Mueller-Kumar (22)") == [
        *(("garofalo2013", number) for number in ("6a", "6b", "6c", "25b")),
        ("mueller_kumar2021", "22"),
    ]
    assert numbers("Kwon (9)-(11), Algorithm 1; Fakhari, closed form, with gravity") == [
        *(("kwon", number) for number in ("9", "10", "11", "Algorithm 1")),
        ("newton_euler", "closed form"),
    ]
    assert numbers("dM/dt = C + C^T") == []
    with pytest.raises(ValueError, match="cites no equation; choose one of 1, 2"):
        numbers("Garofalo, remark 2")
    with pytest.raises(ValueError, match="garofalo2013 has no equation '34'; choose one of"):
        numbers("Garofalo (34)")


def test_report() -> None:
    text = papers.report()
    assert "garofalo2013:" in text
    assert "mass_matrix" in text
    assert "jain_rodriguez" in text
    assert "SpatialOperators.mass_matrix_sensitivity" in text
    assert "missing" not in text


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        main(["info", "--papers"])
    assert done.value.code is None or done.value.code == 0
    text = capsys.readouterr().out
    assert "kwon: 35 of 35 equations" in text
    assert "garofalo2013: 42 of 42 equations" in text
