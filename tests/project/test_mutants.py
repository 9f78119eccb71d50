"""The mistakes that `make mutants` makes: of all kinds, each in one place, none in messages."""

from __future__ import annotations

import ast

from support.mutants.__main__ import Touched, equivalents
from support.mutants.mistakes import Mutant, mutants

SOURCE = '''
"""Text with 1 + 1."""
LIMIT = 0.5


class Thing:
    size: int = 3

    def f(self, a, b):
        """a + b."""
        if not a < b or a == 2:
            raise ValueError(f"{a + b} is 1 too many", 1 - 1)
        total = a @ b.T
        total = -total * self.g(a, b)[b]

        def inner(x):
            return x / 2 if x else True

        total[0] = max(a, b)
        print(total, strict=True)
        return inner(total)
'''


def made() -> list[Mutant]:
    return mutants("thing.py", SOURCE)


def test_mistakes_of_every_kind() -> None:
    found = {(x.old, x.new) for x in made()}
    wanted = {
        ("0.5", "(0.25)"),
        ("not a < b", "(a < b)"),
        ("a < b", "(a <= b)"),
        ("a == 2", "(a != 2)"),
        ("not a < b or a == 2", "(not a < b and a == 2)"),
        ("2", "(3)"),
        ("a @ b.T", "(b.T @ a)"),
        ("b.T", "(b)"),
        ("-total", "(total)"),
        ("-total * self.g(a, b)[b]", "(-total / self.g(a, b)[b])"),
        ("self.g(a, b)", "(self.g(b, a))"),
        ("self.g(a, b)[b]", "(self.g(a, b)[b - 1])"),
        ("x / 2", "(x * 2)"),
        ("x / 2 if x else True", "(x / 2 if not x else True)"),
        ("True", "(False)"),
        ("0", "(1)"),
        ("total[0] = max(a, b)", "pass"),
        ("total = -total * self.g(a, b)[b]", "pass"),
        ("print(total, strict=True)", "pass"),
    }
    assert found == wanted


def test_each_mutant_is_a_program_that_differs_in_one_place() -> None:
    for mutant in made():
        ast.parse(mutant.text)
        assert mutant.text != SOURCE
        lines = list(zip(mutant.text.splitlines(), SOURCE.splitlines(), strict=True))
        assert sum(new != old for new, old in lines) == 1
        assert mutant.function == ("" if mutant.old == "0.5" else "Thing.f")
    assert len({x.key for x in made()}) == len(made())


def test_keys_outlive_changes_elsewhere() -> None:
    later = mutants("thing.py", "def other(x):\n    return x + 1\n\n" + SOURCE)
    assert {x.key for x in made()} < {x.key for x in later}


def test_tests_are_chosen_by_what_they_call() -> None:
    seen = {
        "a.py::broad": (1.0, ["papers/x.py:Thing.f", "papers/x.py:Thing.g", "papers/y.py:f"]),
        "b.py::close": (2.0, ["papers/x.py:Thing.f", "io/many.py:f", "io/many.py:g"]),
        "b.py::other": (4.0, ["papers/y.py:f"]),
    }
    touched = Touched(seen)
    known = next(x for x in mutants("papers/x.py", SOURCE) if x.function)
    assert touched.tests(known) == ["b.py::close", "a.py::broad"]
    outside = next(x for x in mutants("papers/x.py", SOURCE) if not x.function)
    assert touched.tests(outside) == ["b.py::close", "a.py::broad"]
    assert touched.tests(next(iter(mutants("papers/z.py", SOURCE)))) == []
    assert touched.files(["b.py::close"]) == ["b.py::close", "b.py::other"]
    assert touched.within(touched.files(["b.py::close"]), 1.0) == (["b.py::close"], 2.0)


def test_equivalent_mutants_have_reasons() -> None:
    reasons = equivalents()
    assert reasons
    assert all(reasons.values())
