"""Projects: functions of a robot with their documentation and test values, for exports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from jounce.compiler.targets.function import Function


@dataclass(frozen=True)
class Samples:
    """States of a self-test: values of the arguments, of the results, and the error allowed."""

    inputs: Mapping[str, Sequence[Sequence[float]]]
    outputs: Mapping[str, Sequence[Sequence[float]]]
    tolerances: Mapping[str, Sequence[float]]


@dataclass(frozen=True)
class Project:
    """Functions of one robot that are written into files together.

    Attributes
    ----------
    name : str
        Prefix of files and functions: an identifier.
    robot : str
        Name of the robot.
    functions : tuple of Function
    scalar : str
        "double" or "float".
    gravity, sizes : str
        Lines for comments.
    coordinates : tuple of str
        Lines that describe q and v, if necessary.
    joints : callable
        joints(brackets, first) returns a line per joint: its indices in q and v. brackets: format
        of an index, such as "[{}]"; first: the first index of an array.
    samples : callable
        samples(function) returns states and results, for a self-test.
    simd : bool
        Whether to add functions over many samples, in languages that vectorize loops.
    """

    name: str
    robot: str
    functions: tuple[Function, ...]
    scalar: str
    gravity: str
    coordinates: tuple[str, ...]
    sizes: str
    joints: Callable[[str, int], list[str]]
    samples: Callable[[Function], Samples]
    simd: bool = False

    @property
    def subject(self) -> str:
        """Subject of the files, for comments."""
        return f"dynamics of the robot '{self.robot}', written by jounce"

    def about(self, file: str, use: Iterable[str], test: str) -> list[str]:
        """Return the comment at the top of a header.

        Parameters
        ----------
        file : str
            Name of the file.
        use : iterable of str
            Instructions for functions of the language.
        test : str
            Command that builds and runs the self-test.

        Returns
        -------
        list of str
        """
        return [
            f"{file}: {self.subject}.",
            "",
            *use,
            "Matrices are stored row by row; SI units; twists and wrenches have rotation first.",
            "",
            self.gravity,
            f"Test it: {test}",
            "",
            *self.coordinates,
            self.sizes,
            *self.joints("[{}]", 0),
        ]

    def about_test(self, file: str, what: str, test: str) -> list[str]:
        """Return the comment at the top of the self-test.

        Parameters
        ----------
        file : str
            Name of the file.
        what : str
            Description of what is tested.
        test : str
            Command that builds and runs the self-test.

        Returns
        -------
        list of str
        """
        return [
            f"{file}: compares {what} with values computed by jounce.",
            "",
            f"  {test}",
            "",
            "It prints the largest error of each result and PASS or FAIL, and returns zero if"
            " everything passes.",
        ]
