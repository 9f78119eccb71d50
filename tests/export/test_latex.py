"""Formulas as LaTeX: those of SymPy, entry by entry, in a document that TeX can read."""

from __future__ import annotations

import re

import pytest

import jounce
from jounce.errors import KernelTooLargeError


def document(folder, robot, *quantities, **options):
    (path,) = robot.export.latex(folder, quantities, overwrite=True, **options)
    text = path.read_text()
    assert text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}")
    assert text.count(r"\left") == text.count(r"\right")
    assert re.findall(r"\\begin{(.*?)}", text).count("align*") == text.count(r"\end{align*}")
    assert text.startswith(r"\documentclass")
    assert text.endswith("\\end{document}\n")
    return text


def test_a_textbook_arm(tmp_path):
    robot = jounce.load("planar_2r")
    text = document(tmp_path, robot, "mass_matrix", "gravity_forces", parameters={"gravity.y": "g"})
    assert r"M &= \left(\begin{matrix}2 c_{2} + 3 & c_{2} + 1\\c_{2} + 1 & 1\end{matrix}" in text
    assert "g c_{12}" in text
    assert text == document(
        tmp_path, robot, "mass_matrix", "gravity_forces", parameters={"gravity.y": "g"}
    )


def test_long_results_go_entry_by_entry(tmp_path):
    robot = jounce.load("kuka_iiwa14").edit.lock({f"joint{k}": 0.0 for k in range(4, 8)})
    text = document(tmp_path, robot, "mass_matrix", "mass_matrix.dq", "gravity_forces.rates(1)")
    for left in ("M_{11} &=", "M_{23} &=", r"\dot{g}_{2} &="):
        assert left in text
    assert r"\left(\partial M / \partial q\right)_{112} &=" in text
    assert r"\left(\partial M / \partial q\right)_{111} &=" not in text  # joint 1 changes nothing
    assert max(map(len, text.splitlines())) < 2000


def test_symbols_of_derivatives(tmp_path):
    robot = jounce.load("planar_2r").edit.lock({"joint2": 0.3})
    names = ("dqv", "dq.dt", "derivatives", "forward_dynamics.dpi", "forward_dynamics.rates(1)")
    names = [x if "." in x and "_" in x else f"inverse_dynamics.{x}" for x in names]
    text = document(tmp_path, robot, *names)
    for left in (
        r"\left(\partial^2 \tau / \partial q \,\partial v\right)",
        r"\dot{\left(\partial \tau / \partial q\right)}",
        r"\left(\partial a / \partial \pi\right)",
        r"\dot{a}",
    ):
        assert f"{left} &=" in text or f"{left}_" in text
    assert text.count(r"\left(\partial \tau / \partial a\right)") == 1


def test_the_terms_of_an_entry_add_up_to_it(tmp_path):
    """Lines of a broken sum, joined, are what SymPy prints."""
    robot = jounce.load("planar_2r")
    text = document(tmp_path, robot, "inverse_dynamics.dt")
    printed = robot.export.sympy().inverse_dynamics.dt().simplified()
    _, _, lines = text.partition(r"\dot{\tau}_{1} &= ")
    lines, _, _ = lines.partition("\\\\\n\\dot{\\tau}_{2}")
    entry = type(printed)(printed[0], printed._names).latex()
    assert lines.replace("\\\\\n&\\quad ", " ") == entry


def test_zeros_scalars_poses_and_loops(tmp_path):
    assert "g &= " in document(tmp_path, jounce.load("cartesian_ppp"), "gravity_forces")
    robot = jounce.load("planar_2r")
    text = document(tmp_path, robot, "kinetic_energy", "frame(tool).pose", name="two_r")
    assert (tmp_path / "two_r.tex").exists()
    assert r"\mathrm{energy} &=" in text
    assert "T &=" in text
    mechanism = jounce.load("four_bar").closed()
    assert "mass\\_matrix" in document(tmp_path, mechanism, "mass_matrix")


def test_names_of_joints_are_escaped(tmp_path):
    builder = jounce.TreeBuilder("50% of_a $robot")
    builder.add("b", "revolute", joint_name="a_b^c{&}", mass=1.0, com=(1.0, 0, 0))
    text = document(tmp_path, jounce.Robot(builder.build()), "mass_matrix")
    assert r"a\_b\textasciicircum{}c\{\&\}" in text
    assert r"50\% of\_a \$robot" in text


def test_books_are_refused(tmp_path):
    robot = jounce.load("kuka_iiwa14")
    with pytest.raises(
        KernelTooLargeError, match="'coriolis_matrix' of robot 'kuka_iiwa14' has 863 operations"
    ):
        robot.export.latex(tmp_path, ["gravity_forces", "coriolis_matrix"])
    assert not list(tmp_path.iterdir())
