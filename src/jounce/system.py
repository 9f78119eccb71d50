"""What robots, mechanisms and robots in contact have in common: what their quantities serve."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from jounce.catalog.derivative import derive
from jounce.catalog.quantity import AnyQuantity
from jounce.catalog.variables import Variant
from jounce.errors import explain_methods
from jounce.model.model import Model
from jounce.model.tree import Tree
from jounce.process.handles import handle
from jounce.process.once import once_property
from jounce.quantities.limits import WithLimits
from jounce.quantities.quantity import Owner, Quantity
from jounce.quantities.tables import WithFrames

if TYPE_CHECKING:
    from jounce.design import DesignGradient, LinkMesh
    from jounce.elastic import ElasticInverseDynamics
    from jounce.interop.casadi import CasadiRobot
    from jounce.interop.sympy import SymbolicRobot
    from jounce.jax.surface import JaxSurface
    from jounce.motion.rollout import Rollout
    from jounce.pictures.tree import TreeDrawing
    from jounce.torch.surface import TorchSurface
    from jounce.view.viewer import Viewer


class _Torch:
    """The same quantities on PyTorch's tensors, with gradients; see `jounce.torch`."""

    def __get__(self, robot: Any, owner: type) -> Any:
        """What is found on the robot itself, without coming here, once it is made.

        Written so that torch.compile can look into it.
        """
        if robot is None:
            return self
        from jounce.torch.surface import surface

        return surface(robot)


@explain_methods
class System(WithLimits, WithFrames):
    """What has quantities: these, as code and on symbols, and its coordinates."""

    model: Model
    target: str | None

    #: What stands for it in graphs that torch.compile records.
    handle: str

    def __new__(cls, *args: Any, **named: Any) -> Self:
        """An object with a handle."""
        made = super().__new__(cls)
        made.handle = handle(made)
        return made

    def __dir__(self) -> Iterable[str]:
        """Without libraries that are not installed, over which those who look around stumble."""
        missing = {name for name in ("jax", "torch") if find_spec(name) is None}
        return sorted({*super().__dir__()} - missing)

    @property
    @abstractmethod
    def tree(self) -> Tree:
        """The elementary tree that formulas walk."""

    @property
    @abstractmethod
    def content_hash(self) -> str:
        """A hash of all that it is, the same in every process."""

    def __dask_tokenize__(self) -> str:
        return self.content_hash

    def owner_of(self, row: AnyQuantity) -> Owner:
        """Whose quantity a row is."""
        return self

    def _make(self, row: AnyQuantity) -> Quantity:
        return Quantity(self.name, row, self.owner_of(row))

    def _closed(self, q: np.ndarray) -> np.ndarray:
        """A configuration (nq,) in which the robot can be: q itself, or one that q leads to."""
        return q

    @property
    def nq(self) -> int:
        """Length of a configuration, of all joints."""
        return self.sizes["nq"]

    @property
    def nv(self) -> int:
        """Length of a velocity."""
        return self.sizes["nv"]

    @property
    def mass(self) -> float:
        """Mass of all bodies that move, kg; a base that is fixed to the world does not count."""
        return self.model.mass

    def __str__(self) -> str:
        """A line about the whole and one for each joint."""
        from jounce.pictures.words import table

        return table(self)

    def _repr_html_(self) -> str:
        from jounce.pictures.robots import robot_html

        return robot_html(self)

    def plot_tree(self) -> TreeDrawing:
        """A drawing of the kinematic tree, which notebooks show and `.save(path)` writes as SVG."""
        from jounce.pictures.tree import draw

        return draw(self)

    def labels(
        self, of: Literal["q", "v", "t"], numbered: str = "{}_{}", start: int = 0
    ) -> list[str]:
        """Names of the entries of q, of v, or of the velocities of all joints.

        The joint's, numbered from `start` if it has several.
        """
        names = [""] * self.sizes["nq" if of == "q" else "nt"]
        for view in self.joints.values():
            if view.joint.mimic is None:
                at = view.q if of == "q" else view.v
                several = at.stop - at.start > 1
                for k in range(at.start, at.stop):
                    names[k] = (
                        numbered.format(view.name, k - at.start + start) if several else view.name
                    )
        return [names[k] for k in self.velocities] if of == "v" else names

    def design_gradient(
        self,
        cost_gradient: ArrayLike,
        *arguments: ArrayLike,
        quantity: str = "inverse_dynamics",
        meshes: Mapping[str, LinkMesh] | None = None,
        **forces: ArrayLike | None,
    ) -> DesignGradient:
        """Gradient of a cost in parameters, screws, placements, vertices; see `jounce.design`.

        Of a mechanism with the independent joints and their velocities held, and the loops closed
        again.
        """
        from jounce.design import design_gradient

        return design_gradient(
            self, cost_gradient, *arguments, quantity=quantity, meshes=meshes, **forces
        )

    def export_c(
        self,
        folder: str | os.PathLike[str],
        quantities: Sequence[str] = ("inverse_dynamics",),
        *,
        dtype: DTypeLike = np.float64,
        simd: bool = False,
        name: str | None = None,
        overwrite: bool = False,
    ) -> list[Path]:
        """Dependency-free C99 of quantities by name, with a self-test; see `jounce.export`."""
        from jounce.export import export_c

        return export_c(
            self, folder, quantities, dtype=dtype, simd=simd, name=name, overwrite=overwrite
        )

    def export_cuda(
        self,
        folder: str | os.PathLike[str],
        quantities: Sequence[str] = ("inverse_dynamics",),
        *,
        dtype: DTypeLike = np.float64,
        name: str | None = None,
        overwrite: bool = False,
    ) -> list[Path]:
        """CUDA C++ of quantities by name, kernels with a self-test; see `jounce.export`."""
        from jounce.export import export_cuda

        return export_cuda(self, folder, quantities, dtype=dtype, name=name, overwrite=overwrite)

    def export_matlab(
        self,
        folder: str | os.PathLike[str],
        quantities: Sequence[str] = ("inverse_dynamics",),
        *,
        name: str | None = None,
        overwrite: bool = False,
    ) -> list[Path]:
        """One MATLAB or Octave function per quantity; see `jounce.export`."""
        from jounce.export import export_matlab

        return export_matlab(self, folder, quantities, name=name, overwrite=overwrite)

    def export_latex(
        self,
        folder: str | os.PathLike[str],
        quantities: Sequence[str] = ("mass_matrix", "coriolis_matrix", "gravity_forces"),
        *,
        parameters: Mapping[str, Any] | None = None,
        name: str | None = None,
        overwrite: bool = False,
    ) -> list[Path]:
        """A LaTeX document with a formula for every entry; see `jounce.interop.latex`."""
        from jounce.interop.latex import export_latex

        return export_latex(
            self, folder, quantities, parameters=parameters, name=name, overwrite=overwrite
        )

    def export_web(
        self,
        folder: str | os.PathLike[str],
        quantities: Sequence[str] | None = None,
        *,
        name: str | None = None,
        page: bool = True,
        overwrite: bool = False,
    ) -> list[Path]:
        """WebAssembly of quantities by name, an ES module and a page; see `jounce.web.module`."""
        from jounce.web.module import export_web

        return export_web(self, folder, quantities, name=name, page=page, overwrite=overwrite)

    def symbolic(
        self,
        parameters: Mapping[str, Any] | None = None,
        *,
        time: Any = None,
        names: Literal["numbers", "joints"] = "numbers",
    ) -> SymbolicRobot:
        """The same quantities on SymPy symbols, parameters included; see `jounce.interop.sympy`."""
        from jounce.interop.sympy import SymbolicRobot

        return SymbolicRobot(self, parameters, time=time, names=names)

    @once_property
    def jax(self) -> JaxSurface:
        """The same quantities inside jit, grad and vmap of JAX; see `jounce.jax`."""
        from jounce.jax.surface import JaxSurface

        return JaxSurface(self)

    if TYPE_CHECKING:

        @property
        def torch(self) -> TorchSurface:
            """The same quantities on PyTorch's tensors, with gradients; see `jounce.torch`."""
            ...

    else:
        torch = _Torch()

    def show(self, q: ArrayLike | None = None, **options: Any) -> Viewer:
        """This robot in the browser, at q (nq,), with sliders; see `jounce.view.show`.

        Options: port, host, open_browser, package_dirs, collision, overlays, wrenches.
        """
        from jounce.view.opening import show

        return show(self, q, **options)

    def play(self, trajectory: ArrayLike, dt: float, **options: Any) -> Viewer:
        """A motion (n, nq), or several (b, n, nq), in the browser; see `jounce.view.play`.

        Options: ghosts, series, identification, elastic, speed, loop, playing, and those of `show`.
        """
        from jounce.view.opening import play

        return play(self, trajectory, dt, **options)

    def casadi(self) -> CasadiRobot:
        """The same quantities as CasADi Functions; see `jounce.interop.casadi`."""
        from jounce.interop.casadi import casadi_functions

        return casadi_functions(self)


class Driven(System):
    """A tree or a mechanism that its drives move: with elastic drives, and step by step."""

    @property
    def definitions(self) -> Mapping[str, AnyQuantity]:
        """Catalog entries of its quantities, by name."""
        rows = super().definitions
        elastic = derive(rows["inverse_dynamics"], Variant.ELASTIC)
        return {**rows, elastic.name: elastic}

    @once_property
    def elastic_inverse_dynamics(self) -> ElasticInverseDynamics:
        """Motor motion and torque of elastic drives; see `jounce.elastic`."""
        from jounce.elastic import ElasticInverseDynamics

        return ElasticInverseDynamics(self)

    @once_property
    def rollout(self) -> Rollout:
        """Steps one after the other, and gradients through them; see `jounce.motion.rollout`."""
        from jounce.motion.rollout import Rollout

        return Rollout(self)

    def _refuse_open_loops(self, q: np.ndarray, title: str) -> None:
        """Raise an error if a motion cannot start at q (..., nq), as its loops are open there."""

    def _warn_of_open_loops(self, q: np.ndarray, title: str) -> None:
        """Warn if loops are open where a motion ends, at q (..., nq)."""
