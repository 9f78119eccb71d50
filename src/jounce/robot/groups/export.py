"""`robot.export`: source code, documents, and other libraries' forms of a robot's quantities."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import DTypeLike

from jounce.errors import explain_methods
from jounce.robot.groups.group import Group
from jounce.utils.registry import provide

if TYPE_CHECKING:
    from jounce.export.casadi import CasadiRobot
    from jounce.export.sympy import SymbolicRobot
    from jounce.robot.system import System


@explain_methods
class Export(Group):
    """Quantities as C, CUDA, MATLAB, LaTeX, WebAssembly, SymPy expressions or CasADi functions.

    Quantities are named as `robot.quantity` takes them: "mass_matrix", "inverse_dynamics.rates(2)",
    "frame(tool).jacobian".
    """

    _NAME = "export"
    robot: System

    def c(
        self,
        folder: str | os.PathLike[str],
        quantities: str | Iterable[str] = ("inverse_dynamics",),
        *,
        dtype: DTypeLike = np.float64,
        simd: bool = False,
        name: str | None = None,
        overwrite: bool = False,
    ) -> list[Path]:
        """Write dependency-free C99: NAME.h, NAME.c and selftest.c.

        The code needs <math.h> only, allocates nothing and keeps no state between calls.

        Parameters
        ----------
        folder : path
            Where to write; it is created if it does not exist.
        quantities : str or iterable of str
            Names of quantities; each becomes a function NAME_quantity.
        dtype : dtype
            float64, or float32 for single-precision arithmetic.
        simd : bool
            Also write NAME_quantity_batch, a loop over samples that compilers vectorize.
        name : str
            Prefix of files and functions; by default made of the robot's name.
        overwrite : bool
            Replace existing files; otherwise they raise FileExistsError.

        Returns
        -------
        list of Path
            The files written.

        Examples
        --------
        >>> import jounce, tempfile
        >>> folder = tempfile.mkdtemp()
        >>> files = jounce.load("planar_2r").export.c(folder, ["mass_matrix"])
        >>> sorted(file.name for file in files)
        ['planar_2r.c', 'planar_2r.h', 'selftest.c']
        """
        return provide("export_files")(
            self.robot,
            folder,
            quantities,
            "c",
            dtype=dtype,
            simd=simd,
            name=name,
            overwrite=overwrite,
        )

    def cuda(
        self,
        folder: str | os.PathLike[str],
        quantities: str | Iterable[str] = ("inverse_dynamics",),
        *,
        dtype: DTypeLike = np.float64,
        name: str | None = None,
        overwrite: bool = False,
    ) -> list[Path]:
        """Write CUDA C++: NAME.cuh, NAME.cu and selftest.cu.

        Each quantity becomes a host function NAME_quantity(arguments, results, n, stream) that
        launches a kernel over n samples in device memory, and a device function
        NAME_quantity_sample for your own kernels. The code needs the CUDA runtime only.

        Parameters
        ----------
        folder : path
            Where to write; it is created if it does not exist.
        quantities : str or iterable of str
            Names of quantities.
        dtype : dtype
            float64 or float32.
        name : str
            Prefix of files and functions; by default made of the robot's name.
        overwrite : bool
            Replace existing files; otherwise they raise FileExistsError.

        Returns
        -------
        list of Path
            The files written.
        """
        return provide("export_files")(
            self.robot, folder, quantities, "cuda", dtype=dtype, name=name, overwrite=overwrite
        )

    def matlab(
        self,
        folder: str | os.PathLike[str],
        quantities: str | Iterable[str] = ("inverse_dynamics",),
        *,
        name: str | None = None,
        overwrite: bool = False,
    ) -> list[Path]:
        """Write one MATLAB function per quantity, which GNU Octave runs too.

        Vectors are columns (rows are accepted), matrices have the shape they have in Python.

        Parameters
        ----------
        folder : path
            Where to write; it is created if it does not exist.
        quantities : str or iterable of str
            Names of quantities.
        name : str
            Prefix of files and functions; by default made of the robot's name.
        overwrite : bool
            Replace existing files; otherwise they raise FileExistsError.

        Returns
        -------
        list of Path
            The files written.

        Examples
        --------
        >>> import jounce, tempfile
        >>> folder = tempfile.mkdtemp()
        >>> files = jounce.load("planar_2r").export.matlab(folder, "mass_matrix")
        >>> [file.suffix for file in files]
        ['.m']
        """
        return provide("export_files")(
            self.robot, folder, quantities, "matlab", name=name, overwrite=overwrite
        )

    def latex(
        self,
        folder: str | os.PathLike[str],
        quantities: str | Iterable[str] = ("mass_matrix", "coriolis_matrix", "gravity_forces"),
        *,
        parameters: Mapping[str, Any] | None = None,
        name: str | None = None,
        overwrite: bool = False,
    ) -> list[Path]:
        """Write NAME.tex, a LaTeX document with a formula for every nonzero entry.

        Parameters
        ----------
        folder : path
            Where to write; it is created if it does not exist.
        quantities : str or iterable of str
            Names of quantities. Formulas with too many operations raise KernelTooLargeError.
        parameters : mapping of str to expression
            Symbols that replace the robot's numbers; see `sympy`.
        name : str
            Name of the file; by default made of the robot's name.
        overwrite : bool
            Replace an existing file; otherwise it raises FileExistsError.

        Returns
        -------
        list of Path
            The file written.
        """
        return provide("export_latex")(
            self.robot, folder, quantities, parameters=parameters, name=name, overwrite=overwrite
        )

    def web(
        self,
        folder: str | os.PathLike[str],
        quantities: str | Iterable[str] | None = None,
        *,
        name: str | None = None,
        page: bool = True,
        overwrite: bool = False,
    ) -> list[Path]:
        """Write WebAssembly with an ES module: NAME.wasm, NAME.js, NAME.d.ts and selftest.mjs.

        Parameters
        ----------
        folder : path
            Where to write; it is created if it does not exist.
        quantities : str or iterable of str
            Names of quantities; by default those that the page shows.
        name : str
            Prefix of the files; by default made of the robot's name.
        page : bool
            Also write NAME.html, an interactive page that uses the module and needs no server.
        overwrite : bool
            Replace existing files; otherwise they raise FileExistsError.

        Returns
        -------
        list of Path
            The files written.
        """
        return provide("export_web")(
            self.robot, folder, quantities, name=name, page=page, overwrite=overwrite
        )

    def sympy(
        self,
        parameters: Mapping[str, Any] | None = None,
        *,
        time: Any = None,
        names: Literal["numbers", "joints"] = "numbers",
    ) -> SymbolicRobot:
        """Return the same quantities on SymPy symbols; needs jounce[symbolic].

        Parameters
        ----------
        parameters : mapping of str to expression
            Expressions, numbers or names of symbols by path, such as {"link1.mass": "m1",
            "joint2.x": L1, "gravity.y": -g}. `.parameters` of the result lists all paths.
        time : sympy.Symbol
            Symbol t: coordinates are then functions q1(t), ... instead of symbols.
        names : {"numbers", "joints"}
            Name coordinates by number (q1) or by joint (q_elbow).

        Returns
        -------
        SymbolicRobot
            A robot whose quantities are functions of SymPy expressions.
        """
        return provide("SymbolicRobot")(self.robot, parameters, time=time, names=names)

    def casadi(self) -> CasadiRobot:
        """Return the same quantities as CasADi Functions; needs jounce[casadi].

        Returns
        -------
        CasadiRobot
            A robot whose quantities are CasADi Functions, with their derivatives.
        """
        return provide("casadi_functions")(self.robot)


@explain_methods
class RobotExport(Export):
    """Exports of a robot: those of its quantities, and the robot as a URDF file."""

    def urdf(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write a URDF file that reads back as this robot.

        Parameters
        ----------
        path : path
            File to write.
        overwrite : bool
            Replace an existing file; otherwise it raises FileExistsError.

        Returns
        -------
        Path
            The file written.

        Examples
        --------
        >>> import jounce, tempfile
        >>> path = jounce.load("planar_2r").export.urdf(tempfile.mkdtemp() + "/arm.urdf")
        >>> jounce.load(path).nv
        2
        """
        from jounce.io.urdf.write import write_urdf

        return write_urdf(self.robot.model, path, overwrite=overwrite)
