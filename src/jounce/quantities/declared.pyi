"""Every quantity and derivative with its signature; made by `python -m jounce reference --stubs`.

Long, since it lists what the catalog derives: nobody reads or edits it but type checkers.
"""

# pyright: reportIncompatibleMethodOverride=false, reportIncompatibleVariableOverride=false
# mypy: disable-error-code="assignment, override, misc"

from collections.abc import Mapping
from typing import Any, Literal, TypedDict, Unpack, type_check_only

from numpy.typing import ArrayLike, DTypeLike, NDArray

from jounce.quantities import quantity, tables

@type_check_only
class Options(TypedDict, total=False):
    dtype: DTypeLike | None
    casting: str
    order: str
    subok: bool
    axes: Any
    axis: int | None
    signature: Any

Wrenches = ArrayLike | Mapping[str, ArrayLike]
One = NDArray[Any] | tuple[NDArray[Any] | None] | None
Several = tuple[NDArray[Any] | None, ...] | None

@type_check_only
class Rates(quantity.Rates):
    def rates(self, order: int) -> Rates: ...
    def __call__(
        self, *args: ArrayLike | None, out: Several = None, **options: Any
    ) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Quantity(quantity.Quantity):
    def rates(self, order: int) -> Rates: ...

@type_check_only
class Open(Quantity):
    def __getattr__(self, name: str) -> Any: ...

@type_check_only
class Further(Quantity):
    """A derivative of a derivative, to any depth: what it takes and gives is not said here."""
    def __call__(
        self, *args: ArrayLike | None, out: One | Several = None, **options: Any
    ) -> Any: ...
    dt: Further
    dtt: Further
    dttt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    ds: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class Of_q_v_a_or_wrenches_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, wrenches: Wrenches | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_or_wrenches_dwrenches_on_dbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_or_wrenches_dwrenches_on_dbase_acceleration_dpidscrew(Of_q_v_a_j_or_wrenches_dwrenches_on_dbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_j_s_or_wrenches_dwrenches_ddwrenches_on_ddbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, s: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, ddwrenches: Wrenches | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, ddbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_s_or_wrenches_dwrenches_ddwrenches_on_ddbase_acceleration_dpidscrew(Of_q_v_a_j_s_or_wrenches_dwrenches_ddwrenches_on_ddbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    ds: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_or_wrenches_on_base_acceleration_dpidscrew(Of_q_v_a_or_wrenches_on_base_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_or_wrenches_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, wrenches: Wrenches | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_or_wrenches_on_base_acceleration_several_dpidscrew(Of_q_v_a_or_wrenches_on_base_acceleration_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_lam_or_wrenches_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_lam_or_wrenches_on_base_acceleration_dpidscrew(Of_q_v_a_lam_or_wrenches_on_base_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_lam_or_wrenches_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_lam_or_wrenches_on_base_acceleration_several_dpidscrew(Of_q_v_a_lam_or_wrenches_on_base_acceleration_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_on_base_acceleration_extended(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, extended: bool = False, smoothing: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_on_base_acceleration_extended_dpidscrew(Of_q_v_a_on_base_acceleration_extended, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_dq_dv_da_or_wrenches_dwrenches_on_base_acceleration_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, dq: ArrayLike, dv: ArrayLike, da: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_a_dq_dv_da_or_wrenches_dwrenches_on_base_acceleration_coordinates(Of_q_v_a_dq_dv_da_or_wrenches_dwrenches_on_base_acceleration_coordinates, Open):
    ...

@type_check_only
class Of_q_v_a_lam_or_wrenches_on_base_acceleration_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_a_lam_or_wrenches_on_base_acceleration_coordinates_several(Of_q_v_a_lam_or_wrenches_on_base_acceleration_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_a_dq_dv_da_or_wrenches_dwrenches_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, dq: ArrayLike, dv: ArrayLike, da: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_a_dq_dv_da_or_wrenches_dwrenches_on_base_acceleration(Of_q_v_a_dq_dv_da_or_wrenches_dwrenches_on_base_acceleration, Open):
    ...

@type_check_only
class Open_Of_q_v_a_lam_or_wrenches_on_base_acceleration_several(Of_q_v_a_lam_or_wrenches_on_base_acceleration_several, Open):
    ...

@type_check_only
class InverseDynamics(Of_q_v_a_or_wrenches_on_base_acceleration, Quantity):
    dt: Of_q_v_a_j_or_wrenches_dwrenches_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_a_j_s_or_wrenches_dwrenches_ddwrenches_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_a_or_wrenches_on_base_acceleration_dpidscrew
    dv: Of_q_v_a_or_wrenches_on_base_acceleration_dpidscrew
    da: Of_q_v_a_or_wrenches_on_base_acceleration_dpidscrew
    dqq: Of_q_v_a_or_wrenches_on_base_acceleration_dpidscrew
    dqv: Of_q_v_a_or_wrenches_on_base_acceleration_dpidscrew
    dvv: Of_q_v_a_or_wrenches_on_base_acceleration_dpidscrew
    daq: Of_q_v_a_or_wrenches_on_base_acceleration_dpidscrew
    derivatives: Of_q_v_a_or_wrenches_on_base_acceleration_several_dpidscrew
    hessian: Of_q_v_a_lam_or_wrenches_on_base_acceleration_dpidscrew
    design: Of_q_v_a_lam_or_wrenches_on_base_acceleration_several_dpidscrew
    dpi: Of_q_v_a_on_base_acceleration_extended_dpidscrew
    dscrew: Of_q_v_a_or_wrenches_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_a_or_wrenches_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_a_dq_dv_da_or_wrenches_dwrenches_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_a_lam_or_wrenches_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_dq_dv_da_or_wrenches_dwrenches_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_a_lam_or_wrenches_on_base_acceleration_several

@type_check_only
class Of_q_v_tau_or_wrenches_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, wrenches: Wrenches | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_or_wrenches_dwrenches_on_dbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_or_wrenches_dwrenches_on_dbase_acceleration_dpidscrew(Of_q_v_tau_dtau_or_wrenches_dwrenches_on_dbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches_on_ddbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, ddtau: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, ddwrenches: Wrenches | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, ddbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches_on_ddbase_acceleration_dpidscrew(Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches_on_ddbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_or_wrenches_on_base_acceleration_dpidscrew(Of_q_v_tau_or_wrenches_on_base_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_or_wrenches_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, wrenches: Wrenches | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_tau_or_wrenches_on_base_acceleration_several_dpidscrew(Of_q_v_tau_or_wrenches_on_base_acceleration_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_lam_or_wrenches_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_tau_lam_or_wrenches_on_base_acceleration_several_dpidscrew(Of_q_v_tau_lam_or_wrenches_on_base_acceleration_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_dq_dv_dtau_or_wrenches_dwrenches_on_base_acceleration_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_tau_dq_dv_dtau_or_wrenches_dwrenches_on_base_acceleration_coordinates(Of_q_v_tau_dq_dv_dtau_or_wrenches_dwrenches_on_base_acceleration_coordinates, Open):
    ...

@type_check_only
class Of_q_v_tau_lam_or_wrenches_on_base_acceleration_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_lam_or_wrenches_on_base_acceleration_coordinates_several(Of_q_v_tau_lam_or_wrenches_on_base_acceleration_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_dq_dv_dtau_or_wrenches_dwrenches_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_tau_dq_dv_dtau_or_wrenches_dwrenches_on_base_acceleration(Of_q_v_tau_dq_dv_dtau_or_wrenches_dwrenches_on_base_acceleration, Open):
    ...

@type_check_only
class Open_Of_q_v_tau_lam_or_wrenches_on_base_acceleration_several(Of_q_v_tau_lam_or_wrenches_on_base_acceleration_several, Open):
    ...

@type_check_only
class ForwardDynamics(Of_q_v_tau_or_wrenches_on_base_acceleration, Quantity):
    dt: Of_q_v_tau_dtau_or_wrenches_dwrenches_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_tau_or_wrenches_on_base_acceleration_dpidscrew
    dv: Of_q_v_tau_or_wrenches_on_base_acceleration_dpidscrew
    dtau: Of_q_v_tau_or_wrenches_on_base_acceleration_dpidscrew
    dqq: Of_q_v_tau_or_wrenches_on_base_acceleration_dpidscrew
    dqv: Of_q_v_tau_or_wrenches_on_base_acceleration_dpidscrew
    dvv: Of_q_v_tau_or_wrenches_on_base_acceleration_dpidscrew
    dqtau: Of_q_v_tau_or_wrenches_on_base_acceleration_dpidscrew
    derivatives: Of_q_v_tau_or_wrenches_on_base_acceleration_several_dpidscrew
    design: Of_q_v_tau_lam_or_wrenches_on_base_acceleration_several_dpidscrew
    dpi: Of_q_v_tau_or_wrenches_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_tau_or_wrenches_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_tau_or_wrenches_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_tau_dq_dv_dtau_or_wrenches_dwrenches_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_tau_lam_or_wrenches_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_tau_dq_dv_dtau_or_wrenches_dwrenches_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_tau_lam_or_wrenches_on_base_acceleration_several

@type_check_only
class Of_q(quantity.Evaluable):
    def __call__(self, q: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_dpidscrew(Of_q_v, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_dpidscrew(Of_q_v_a, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_dpidscrew(Of_q, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_dq_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, dq: ArrayLike, *, out: One = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_dq_coordinates(Of_q_dq_coordinates, Open):
    ...

@type_check_only
class Of_q_lam_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, lam: ArrayLike, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_lam_coordinates_several(Of_q_lam_coordinates_several, Open):
    ...

@type_check_only
class Of_q_dq(quantity.Evaluable):
    def __call__(self, q: ArrayLike, dq: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_dq(Of_q_dq, Open):
    ...

@type_check_only
class Of_q_lam_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, lam: ArrayLike, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_lam_several(Of_q_lam_several, Open):
    ...

@type_check_only
class MassMatrix(Of_q, Quantity):
    dt: Of_q_v_dpidscrew
    dtt: Of_q_v_a_dpidscrew
    dq: Of_q_dpidscrew
    dqq: Of_q_dpidscrew
    dpi: Of_q_dpidscrew
    dscrew: Of_q_dpidscrew
    dplacement: Of_q_dpidscrew
    jvp: Open_Of_q_dq_coordinates
    vjp: Open_Of_q_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dq
    vjp_coordinates: Open_Of_q_lam_several

@type_check_only
class MassMatrixInverse(Of_q, Quantity):
    dt: Of_q_v_dpidscrew
    dtt: Of_q_v_a_dpidscrew
    dq: Of_q_dpidscrew
    dpi: Of_q_dpidscrew
    dscrew: Of_q_dpidscrew
    dplacement: Of_q_dpidscrew
    jvp: Open_Of_q_dq_coordinates
    vjp: Open_Of_q_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dq
    vjp_coordinates: Open_Of_q_lam_several

@type_check_only
class Of_q_v_a_j(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_dpidscrew(Of_q_v_a_j, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_dq_dv_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, dq: ArrayLike, dv: ArrayLike, *, out: One = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_dq_dv_coordinates(Of_q_v_dq_dv_coordinates, Open):
    ...

@type_check_only
class Of_q_v_lam_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, lam: ArrayLike, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_lam_coordinates_several(Of_q_v_lam_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_dq_dv(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, dq: ArrayLike, dv: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_dq_dv(Of_q_v_dq_dv, Open):
    ...

@type_check_only
class Of_q_v_lam_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, lam: ArrayLike, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_lam_several(Of_q_v_lam_several, Open):
    ...

@type_check_only
class CoriolisMatrix(Of_q_v, Quantity):
    dt: Of_q_v_a_dpidscrew
    dtt: Of_q_v_a_j_dpidscrew
    dq: Of_q_v_dpidscrew
    dv: Of_q_v_dpidscrew
    dpi: Of_q_v_dpidscrew
    dscrew: Of_q_v_dpidscrew
    dplacement: Of_q_v_dpidscrew
    jvp: Open_Of_q_v_dq_dv_coordinates
    vjp: Open_Of_q_v_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_dq_dv
    vjp_coordinates: Open_Of_q_v_lam_several

@type_check_only
class Of_q_v_dpi(Of_q_v, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dpi: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_dpi(Of_q_v_a, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_dpi(Of_q, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dpi: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Christoffel(Of_q, Quantity):
    dt: Of_q_v_dpi
    dtt: Of_q_v_a_dpi
    dq: Of_q_dpi
    dpi: Of_q_dpi
    jvp: Open_Of_q_dq_coordinates
    vjp: Open_Of_q_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dq
    vjp_coordinates: Open_Of_q_lam_several

@type_check_only
class Of_q_lam_several_dpidscrew(Of_q_lam_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class GravityForces(Of_q, Quantity):
    dt: Of_q_v_dpidscrew
    dtt: Of_q_v_a_dpidscrew
    dq: Of_q_dpidscrew
    dqq: Of_q_dpidscrew
    design: Of_q_lam_several_dpidscrew
    dpi: Of_q_dpidscrew
    dscrew: Of_q_dpidscrew
    dplacement: Of_q_dpidscrew
    jvp: Open_Of_q_dq_coordinates
    vjp: Open_Of_q_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dq
    vjp_coordinates: Open_Of_q_lam_several

@type_check_only
class Of_q_v_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_on_dbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_on_dbase_acceleration_dpidscrew(Of_q_v_a_on_dbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_j_on_ddbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, ddbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_on_ddbase_acceleration_dpidscrew(Of_q_v_a_j_on_ddbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_on_base_acceleration_dpidscrew(Of_q_v_on_base_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_lam_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, lam: ArrayLike, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_lam_on_base_acceleration_several_dpidscrew(Of_q_v_lam_on_base_acceleration_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_dq_dv_on_base_acceleration_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, dq: ArrayLike, dv: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_dq_dv_on_base_acceleration_coordinates(Of_q_v_dq_dv_on_base_acceleration_coordinates, Open):
    ...

@type_check_only
class Of_q_v_lam_on_base_acceleration_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, lam: ArrayLike, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_lam_on_base_acceleration_coordinates_several(Of_q_v_lam_on_base_acceleration_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_dq_dv_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, dq: ArrayLike, dv: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_dq_dv_on_base_acceleration(Of_q_v_dq_dv_on_base_acceleration, Open):
    ...

@type_check_only
class Open_Of_q_v_lam_on_base_acceleration_several(Of_q_v_lam_on_base_acceleration_several, Open):
    ...

@type_check_only
class BiasForces(Of_q_v_on_base_acceleration, Quantity):
    dt: Of_q_v_a_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_a_j_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_on_base_acceleration_dpidscrew
    dv: Of_q_v_on_base_acceleration_dpidscrew
    dqq: Of_q_v_on_base_acceleration_dpidscrew
    dqv: Of_q_v_on_base_acceleration_dpidscrew
    dvv: Of_q_v_on_base_acceleration_dpidscrew
    design: Of_q_v_lam_on_base_acceleration_several_dpidscrew
    dpi: Of_q_v_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_dq_dv_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_lam_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_dq_dv_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_lam_on_base_acceleration_several

@type_check_only
class Of_q_w(quantity.Evaluable):
    def __call__(self, q: ArrayLike, w: Wrenches, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_w_dw(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, w: Wrenches, dw: Wrenches, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_w_dw_dscrew(Of_q_v_w_dw, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_w_dw_ddw(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, w: Wrenches, dw: Wrenches, ddw: Wrenches, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_w_dw_ddw_dscrew(Of_q_v_a_w_dw_ddw, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_w_dscrew(Of_q_w, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_w_dq_dw_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, w: Wrenches, dq: ArrayLike, dw: Wrenches, *, out: One = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_w_dq_dw_coordinates(Of_q_w_dq_dw_coordinates, Open):
    ...

@type_check_only
class Of_q_w_lam_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, w: Wrenches, lam: ArrayLike, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_w_lam_coordinates_several(Of_q_w_lam_coordinates_several, Open):
    ...

@type_check_only
class Of_q_w_dq_dw(quantity.Evaluable):
    def __call__(self, q: ArrayLike, w: Wrenches, dq: ArrayLike, dw: Wrenches, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_w_dq_dw(Of_q_w_dq_dw, Open):
    ...

@type_check_only
class Of_q_w_lam_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, w: Wrenches, lam: ArrayLike, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_w_lam_several(Of_q_w_lam_several, Open):
    ...

@type_check_only
class ExternalForces(Of_q_w, Quantity):
    dt: Of_q_v_w_dw_dscrew
    dtt: Of_q_v_a_w_dw_ddw_dscrew
    dq: Of_q_w_dscrew
    dscrew: Of_q_w_dscrew
    dplacement: Of_q_w_dscrew
    jvp: Open_Of_q_w_dq_dw_coordinates
    vjp: Open_Of_q_w_lam_coordinates_several
    jvp_coordinates: Open_Of_q_w_dq_dw
    vjp_coordinates: Open_Of_q_w_lam_several

@type_check_only
class Of_v(quantity.Evaluable):
    def __call__(self, v: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_v_a(quantity.Evaluable):
    def __call__(self, v: ArrayLike, a: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_v_a_plain(Of_v_a, Quantity):
    dt: Further
    dtt: Further
    dv: Further
    da: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_v_a_j(quantity.Evaluable):
    def __call__(self, v: ArrayLike, a: ArrayLike, j: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_v_a_j_plain(Of_v_a_j, Quantity):
    dt: Further
    dtt: Further
    dv: Further
    da: Further
    dj: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_v_plain(Of_v, Quantity):
    dt: Further
    dtt: Further
    dv: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_v_dv_coordinates(quantity.Evaluable):
    def __call__(self, v: ArrayLike, dv: ArrayLike, *, out: One = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_v_dv_coordinates(Of_v_dv_coordinates, Open):
    ...

@type_check_only
class Of_v_lam_coordinates_several(quantity.Evaluable):
    def __call__(self, v: ArrayLike, lam: ArrayLike, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_v_lam_coordinates_several(Of_v_lam_coordinates_several, Open):
    ...

@type_check_only
class Of_v_dv(quantity.Evaluable):
    def __call__(self, v: ArrayLike, dv: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_v_dv(Of_v_dv, Open):
    ...

@type_check_only
class Of_v_lam_several(quantity.Evaluable):
    def __call__(self, v: ArrayLike, lam: ArrayLike, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_v_lam_several(Of_v_lam_several, Open):
    ...

@type_check_only
class JointFriction(Of_v, Quantity):
    dt: Of_v_a_plain
    dtt: Of_v_a_j_plain
    dv: Of_v_plain
    jvp: Open_Of_v_dv_coordinates
    vjp: Open_Of_v_lam_coordinates_several
    jvp_coordinates: Open_Of_v_dv
    vjp_coordinates: Open_Of_v_lam_several

@type_check_only
class Of_q_v_a_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_on_base_acceleration_dpidscrew(Of_q_v_a_on_base_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class MotorForces(Of_q_v_a_or_wrenches_on_base_acceleration, Quantity):
    dt: Of_q_v_a_j_or_wrenches_dwrenches_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_a_j_s_or_wrenches_dwrenches_ddwrenches_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_a_or_wrenches_on_base_acceleration_dpidscrew
    dv: Of_q_v_a_or_wrenches_on_base_acceleration_dpidscrew
    da: Of_q_v_a_or_wrenches_on_base_acceleration_dpidscrew
    dpi: Of_q_v_a_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_a_or_wrenches_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_a_or_wrenches_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_a_dq_dv_da_or_wrenches_dwrenches_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_a_lam_or_wrenches_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_dq_dv_da_or_wrenches_dwrenches_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_a_lam_or_wrenches_on_base_acceleration_several

@type_check_only
class DrivenDynamics(Of_q_v_tau_or_wrenches_on_base_acceleration, Quantity):
    dt: Of_q_v_tau_dtau_or_wrenches_dwrenches_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_tau_or_wrenches_on_base_acceleration_dpidscrew
    dv: Of_q_v_tau_or_wrenches_on_base_acceleration_dpidscrew
    dtau: Of_q_v_tau_or_wrenches_on_base_acceleration_dpidscrew
    derivatives: Of_q_v_tau_or_wrenches_on_base_acceleration_several_dpidscrew
    dpi: Of_q_v_tau_or_wrenches_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_tau_or_wrenches_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_tau_or_wrenches_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_tau_dq_dv_dtau_or_wrenches_dwrenches_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_tau_lam_or_wrenches_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_tau_dq_dv_dtau_or_wrenches_dwrenches_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_tau_lam_or_wrenches_on_base_acceleration_several

@type_check_only
class Of_q_v_v_r_a_r_extended(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, v_r: ArrayLike, a_r: ArrayLike, *, out: One = None, extended: bool = False, smoothing: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_v_r_dv_r_a_r_da_r(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, v_r: ArrayLike, dv_r: ArrayLike, a_r: ArrayLike, da_r: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_v_r_dv_r_a_r_da_r_plain(Of_q_v_a_v_r_dv_r_a_r_da_r, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_j_v_r_dv_r_ddv_r_a_r_da_r_dda_r(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, v_r: ArrayLike, dv_r: ArrayLike, ddv_r: ArrayLike, a_r: ArrayLike, da_r: ArrayLike, dda_r: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_v_r_dv_r_ddv_r_a_r_da_r_dda_r_plain(Of_q_v_a_j_v_r_dv_r_ddv_r_a_r_da_r_dda_r, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_v_r_a_r(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, v_r: ArrayLike, a_r: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_v_r_a_r_plain(Of_q_v_v_r_a_r, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_v_r_a_r_dq_dv_dv_r_da_r_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, v_r: ArrayLike, a_r: ArrayLike, dq: ArrayLike, dv: ArrayLike, dv_r: ArrayLike, da_r: ArrayLike, *, out: One = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_v_r_a_r_dq_dv_dv_r_da_r_coordinates(Of_q_v_v_r_a_r_dq_dv_dv_r_da_r_coordinates, Open):
    ...

@type_check_only
class Of_q_v_v_r_a_r_lam_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, v_r: ArrayLike, a_r: ArrayLike, lam: ArrayLike, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_v_r_a_r_lam_coordinates_several(Of_q_v_v_r_a_r_lam_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_v_r_a_r_dq_dv_dv_r_da_r(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, v_r: ArrayLike, a_r: ArrayLike, dq: ArrayLike, dv: ArrayLike, dv_r: ArrayLike, da_r: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_v_r_a_r_dq_dv_dv_r_da_r(Of_q_v_v_r_a_r_dq_dv_dv_r_da_r, Open):
    ...

@type_check_only
class Of_q_v_v_r_a_r_lam_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, v_r: ArrayLike, a_r: ArrayLike, lam: ArrayLike, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_v_r_a_r_lam_several(Of_q_v_v_r_a_r_lam_several, Open):
    ...

@type_check_only
class SlotineLiRegressor(Of_q_v_v_r_a_r_extended, Quantity):
    dt: Of_q_v_a_v_r_dv_r_a_r_da_r_plain
    dtt: Of_q_v_a_j_v_r_dv_r_ddv_r_a_r_da_r_dda_r_plain
    dq: Of_q_v_v_r_a_r_plain
    dv: Of_q_v_v_r_a_r_plain
    jvp: Open_Of_q_v_v_r_a_r_dq_dv_dv_r_da_r_coordinates
    vjp: Open_Of_q_v_v_r_a_r_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_v_r_a_r_dq_dv_dv_r_da_r
    vjp_coordinates: Open_Of_q_v_v_r_a_r_lam_several

@type_check_only
class Of_q_v_coriolis_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, *, out: Several = None, coriolis: Literal['christoffel', 'garofalo'] = 'christoffel', **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_coriolis_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, out: Several = None, coriolis: Literal['christoffel', 'garofalo'] = 'christoffel', **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_coriolis_several_dpidscrew(Of_q_v_a_coriolis_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_j_coriolis_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, *, out: Several = None, coriolis: Literal['christoffel', 'garofalo'] = 'christoffel', **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_j_coriolis_several_dpidscrew(Of_q_v_a_j_coriolis_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_coriolis_several_dpidscrew(Of_q_v_coriolis_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_dq_dv_coriolis_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, dq: ArrayLike, dv: ArrayLike, *, out: Several = None, coriolis: Literal['christoffel', 'garofalo'] = 'christoffel', coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_dq_dv_coriolis_coordinates_several(Of_q_v_dq_dv_coriolis_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_lam_0_lam_1_lam_2_coriolis_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, lam_2: ArrayLike, *, out: Several = None, coriolis: Literal['christoffel', 'garofalo'] = 'christoffel', coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_lam_0_lam_1_lam_2_coriolis_coordinates_several(Of_q_v_lam_0_lam_1_lam_2_coriolis_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_dq_dv_coriolis_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, dq: ArrayLike, dv: ArrayLike, *, out: Several = None, coriolis: Literal['christoffel', 'garofalo'] = 'christoffel', **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_dq_dv_coriolis_several(Of_q_v_dq_dv_coriolis_several, Open):
    ...

@type_check_only
class Of_q_v_lam_0_lam_1_lam_2_coriolis_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, lam_2: ArrayLike, *, out: Several = None, coriolis: Literal['christoffel', 'garofalo'] = 'christoffel', **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_lam_0_lam_1_lam_2_coriolis_several(Of_q_v_lam_0_lam_1_lam_2_coriolis_several, Open):
    ...

@type_check_only
class EquationsOfMotion(Of_q_v_coriolis_several, Quantity):
    dt: Of_q_v_a_coriolis_several_dpidscrew
    dtt: Of_q_v_a_j_coriolis_several_dpidscrew
    dq: Of_q_v_coriolis_several_dpidscrew
    dv: Of_q_v_coriolis_several_dpidscrew
    dpi: Of_q_v_coriolis_several_dpidscrew
    dscrew: Of_q_v_coriolis_several_dpidscrew
    dplacement: Of_q_v_coriolis_several_dpidscrew
    jvp: Open_Of_q_v_dq_dv_coriolis_coordinates_several
    vjp: Open_Of_q_v_lam_0_lam_1_lam_2_coriolis_coordinates_several
    jvp_coordinates: Open_Of_q_v_dq_dv_coriolis_several
    vjp_coordinates: Open_Of_q_v_lam_0_lam_1_lam_2_coriolis_several

@type_check_only
class CoriolisMatrixGarofalo(Of_q_v, Quantity):
    dt: Of_q_v_a_dpidscrew
    dtt: Of_q_v_a_j_dpidscrew
    dq: Of_q_v_dpidscrew
    dv: Of_q_v_dpidscrew
    dpi: Of_q_v_dpidscrew
    dscrew: Of_q_v_dpidscrew
    dplacement: Of_q_v_dpidscrew
    jvp: Open_Of_q_v_dq_dv_coordinates
    vjp: Open_Of_q_v_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_dq_dv
    vjp_coordinates: Open_Of_q_v_lam_several

@type_check_only
class CoriolisMatrixMuellerKumar(Of_q_v, Quantity):
    dt: Of_q_v_a_dpidscrew
    dtt: Of_q_v_a_j_dpidscrew
    dq: Of_q_v_dpidscrew
    dv: Of_q_v_dpidscrew
    dpi: Of_q_v_dpidscrew
    dscrew: Of_q_v_dpidscrew
    dplacement: Of_q_v_dpidscrew
    jvp: Open_Of_q_v_dq_dv_coordinates
    vjp: Open_Of_q_v_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_dq_dv
    vjp_coordinates: Open_Of_q_v_lam_several

@type_check_only
class SlotineLiRegressorGarofalo(Of_q_v_v_r_a_r, Quantity):
    dt: Of_q_v_a_v_r_dv_r_a_r_da_r_plain
    dtt: Of_q_v_a_j_v_r_dv_r_ddv_r_a_r_da_r_dda_r_plain
    dq: Of_q_v_v_r_a_r_plain
    dv: Of_q_v_v_r_a_r_plain
    jvp: Open_Of_q_v_v_r_a_r_dq_dv_dv_r_da_r_coordinates
    vjp: Open_Of_q_v_v_r_a_r_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_v_r_a_r_dq_dv_dv_r_da_r
    vjp_coordinates: Open_Of_q_v_v_r_a_r_lam_several

@type_check_only
class SlotineLiRegressorMuellerKumar(Of_q_v_v_r_a_r, Quantity):
    dt: Of_q_v_a_v_r_dv_r_a_r_da_r_plain
    dtt: Of_q_v_a_j_v_r_dv_r_ddv_r_a_r_da_r_dda_r_plain
    dq: Of_q_v_v_r_a_r_plain
    dv: Of_q_v_v_r_a_r_plain
    jvp: Open_Of_q_v_v_r_a_r_dq_dv_dv_r_da_r_coordinates
    vjp: Open_Of_q_v_v_r_a_r_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_v_r_a_r_dq_dv_dv_r_da_r
    vjp_coordinates: Open_Of_q_v_v_r_a_r_lam_several

@type_check_only
class Of_q_v_plain(Of_q_v, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_plain(Of_q_v_a, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_plain(Of_q, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class VelocityMap(Of_q, Quantity):
    dt: Of_q_v_plain
    dtt: Of_q_v_a_plain
    dq: Of_q_plain
    jvp: Open_Of_q_dq_coordinates
    vjp: Open_Of_q_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dq
    vjp_coordinates: Open_Of_q_lam_several

@type_check_only
class GeneralizedMomentum(Of_q_v, Quantity):
    dt: Of_q_v_a_dpidscrew
    dtt: Of_q_v_a_j_dpidscrew
    dq: Of_q_v_dpidscrew
    dv: Of_q_v_dpidscrew
    dpi: Of_q_v_dpidscrew
    dscrew: Of_q_v_dpidscrew
    dplacement: Of_q_v_dpidscrew
    jvp: Open_Of_q_v_dq_dv_coordinates
    vjp: Open_Of_q_v_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_dq_dv
    vjp_coordinates: Open_Of_q_v_lam_several

@type_check_only
class MomentumForces(Of_q_v, Quantity):
    dt: Of_q_v_a_dpidscrew
    dtt: Of_q_v_a_j_dpidscrew
    dq: Of_q_v_dpidscrew
    dv: Of_q_v_dpidscrew
    dpi: Of_q_v_dpidscrew
    dscrew: Of_q_v_dpidscrew
    dplacement: Of_q_v_dpidscrew
    jvp: Open_Of_q_v_dq_dv_coordinates
    vjp: Open_Of_q_v_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_dq_dv
    vjp_coordinates: Open_Of_q_v_lam_several

@type_check_only
class KineticEnergy(Of_q_v, Quantity):
    dt: Of_q_v_a_dpidscrew
    dtt: Of_q_v_a_j_dpidscrew
    dq: Of_q_v_dpidscrew
    dv: Of_q_v_dpidscrew
    dpi: Of_q_v_dpidscrew
    dscrew: Of_q_v_dpidscrew
    dplacement: Of_q_v_dpidscrew
    jvp: Open_Of_q_v_dq_dv_coordinates
    vjp: Open_Of_q_v_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_dq_dv
    vjp_coordinates: Open_Of_q_v_lam_several

@type_check_only
class PotentialEnergy(Of_q, Quantity):
    dt: Of_q_v_dpidscrew
    dtt: Of_q_v_a_dpidscrew
    dq: Of_q_dpidscrew
    dqq: Of_q_dpidscrew
    dscrew: Of_q_dpidscrew
    dplacement: Of_q_dpidscrew
    dpi: Of_q_dpidscrew
    jvp: Open_Of_q_dq_coordinates
    vjp: Open_Of_q_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dq
    vjp_coordinates: Open_Of_q_lam_several

@type_check_only
class CenterOfMass(Of_q, Quantity):
    dt: Of_q_v_dpidscrew
    dtt: Of_q_v_a_dpidscrew
    dq: Of_q_dpidscrew
    dscrew: Of_q_dpidscrew
    dplacement: Of_q_dpidscrew
    dpi: Of_q_dpidscrew
    jvp: Open_Of_q_dq_coordinates
    vjp: Open_Of_q_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dq
    vjp_coordinates: Open_Of_q_lam_several

@type_check_only
class ComJacobian(Of_q, Quantity):
    dt: Of_q_v_dpidscrew
    dtt: Of_q_v_a_dpidscrew
    dq: Of_q_dpidscrew
    dpi: Of_q_dpidscrew
    dscrew: Of_q_dpidscrew
    dplacement: Of_q_dpidscrew
    jvp: Open_Of_q_dq_coordinates
    vjp: Open_Of_q_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dq
    vjp_coordinates: Open_Of_q_lam_several

@type_check_only
class Momentum(Of_q_v, Quantity):
    dt: Of_q_v_a_dpidscrew
    dtt: Of_q_v_a_j_dpidscrew
    dq: Of_q_v_dpidscrew
    dv: Of_q_v_dpidscrew
    dpi: Of_q_v_dpidscrew
    dscrew: Of_q_v_dpidscrew
    dplacement: Of_q_v_dpidscrew
    jvp: Open_Of_q_v_dq_dv_coordinates
    vjp: Open_Of_q_v_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_dq_dv
    vjp_coordinates: Open_Of_q_v_lam_several

@type_check_only
class MomentumMatrix(Of_q, Quantity):
    dt: Of_q_v_dpidscrew
    dtt: Of_q_v_a_dpidscrew
    dq: Of_q_dpidscrew
    dpi: Of_q_dpidscrew
    dscrew: Of_q_dpidscrew
    dplacement: Of_q_dpidscrew
    jvp: Open_Of_q_dq_coordinates
    vjp: Open_Of_q_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dq
    vjp_coordinates: Open_Of_q_lam_several

@type_check_only
class CentroidalMomentum(Of_q_v, Quantity):
    dt: Of_q_v_a_dpidscrew
    dtt: Of_q_v_a_j_dpidscrew
    dq: Of_q_v_dpidscrew
    dv: Of_q_v_dpidscrew
    dpi: Of_q_v_dpidscrew
    dscrew: Of_q_v_dpidscrew
    dplacement: Of_q_v_dpidscrew
    jvp: Open_Of_q_v_dq_dv_coordinates
    vjp: Open_Of_q_v_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_dq_dv
    vjp_coordinates: Open_Of_q_v_lam_several

@type_check_only
class CentroidalMomentumMatrix(Of_q, Quantity):
    dt: Of_q_v_dpidscrew
    dtt: Of_q_v_a_dpidscrew
    dq: Of_q_dpidscrew
    dpi: Of_q_dpidscrew
    dscrew: Of_q_dpidscrew
    dplacement: Of_q_dpidscrew
    jvp: Open_Of_q_dq_coordinates
    vjp: Open_Of_q_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dq
    vjp_coordinates: Open_Of_q_lam_several

@type_check_only
class Of_q_v_dscrew(Of_q_v, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_dscrew(Of_q_v_a, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_dscrew(Of_q, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class BodyPoses(Of_q, Quantity):
    dt: Of_q_v_dscrew
    dtt: Of_q_v_a_dscrew
    dq: Of_q_dscrew
    dscrew: Of_q_dscrew
    dplacement: Of_q_dscrew
    jvp: Open_Of_q_dq_coordinates
    vjp: Open_Of_q_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dq
    vjp_coordinates: Open_Of_q_lam_several

@type_check_only
class Of_q_v_on_base_twist(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_on_base_acceleration_dscrew(Of_q_v_a_on_base_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_j_on_dbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_on_dbase_acceleration_dscrew(Of_q_v_a_j_on_dbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_on_base_twist_dscrew(Of_q_v_on_base_twist, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_dq_dv_on_base_twist_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, dq: ArrayLike, dv: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_dq_dv_on_base_twist_coordinates(Of_q_v_dq_dv_on_base_twist_coordinates, Open):
    ...

@type_check_only
class Of_q_v_lam_on_base_twist_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, lam: ArrayLike, *, out: Several = None, base_twist: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_lam_on_base_twist_coordinates_several(Of_q_v_lam_on_base_twist_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_dq_dv_on_base_twist(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, dq: ArrayLike, dv: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_dq_dv_on_base_twist(Of_q_v_dq_dv_on_base_twist, Open):
    ...

@type_check_only
class Of_q_v_lam_on_base_twist_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, lam: ArrayLike, *, out: Several = None, base_twist: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_lam_on_base_twist_several(Of_q_v_lam_on_base_twist_several, Open):
    ...

@type_check_only
class BodyTwists(Of_q_v_on_base_twist, Quantity):
    dt: Of_q_v_a_on_base_acceleration_dscrew
    dtt: Of_q_v_a_j_on_dbase_acceleration_dscrew
    dq: Of_q_v_on_base_twist_dscrew
    dv: Of_q_v_on_base_twist_dscrew
    dscrew: Of_q_v_on_base_twist_dscrew
    dplacement: Of_q_v_on_base_twist_dscrew
    jvp: Open_Of_q_v_dq_dv_on_base_twist_coordinates
    vjp: Open_Of_q_v_lam_on_base_twist_coordinates_several
    jvp_coordinates: Open_Of_q_v_dq_dv_on_base_twist
    vjp_coordinates: Open_Of_q_v_lam_on_base_twist_several

@type_check_only
class Of_q_v_a_j_s_on_ddbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, s: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, ddbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_s_on_ddbase_acceleration_dscrew(Of_q_v_a_j_s_on_ddbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    ds: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_dq_dv_da_on_base_acceleration_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, dq: ArrayLike, dv: ArrayLike, da: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_a_dq_dv_da_on_base_acceleration_coordinates(Of_q_v_a_dq_dv_da_on_base_acceleration_coordinates, Open):
    ...

@type_check_only
class Of_q_v_a_lam_on_base_acceleration_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, lam: ArrayLike, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_a_lam_on_base_acceleration_coordinates_several(Of_q_v_a_lam_on_base_acceleration_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_a_dq_dv_da_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, dq: ArrayLike, dv: ArrayLike, da: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_a_dq_dv_da_on_base_acceleration(Of_q_v_a_dq_dv_da_on_base_acceleration, Open):
    ...

@type_check_only
class Of_q_v_a_lam_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, lam: ArrayLike, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_a_lam_on_base_acceleration_several(Of_q_v_a_lam_on_base_acceleration_several, Open):
    ...

@type_check_only
class BodyAccelerations(Of_q_v_a_on_base_acceleration, Quantity):
    dt: Of_q_v_a_j_on_dbase_acceleration_dscrew
    dtt: Of_q_v_a_j_s_on_ddbase_acceleration_dscrew
    dq: Of_q_v_a_on_base_acceleration_dscrew
    dv: Of_q_v_a_on_base_acceleration_dscrew
    da: Of_q_v_a_on_base_acceleration_dscrew
    dscrew: Of_q_v_a_on_base_acceleration_dscrew
    dplacement: Of_q_v_a_on_base_acceleration_dscrew
    jvp: Open_Of_q_v_a_dq_dv_da_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_a_lam_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_dq_dv_da_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_a_lam_on_base_acceleration_several

@type_check_only
class JointWrenches(Of_q_v_a_or_wrenches_on_base_acceleration, Quantity):
    dt: Of_q_v_a_j_or_wrenches_dwrenches_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_a_j_s_or_wrenches_dwrenches_ddwrenches_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_a_or_wrenches_on_base_acceleration_dpidscrew
    dv: Of_q_v_a_or_wrenches_on_base_acceleration_dpidscrew
    da: Of_q_v_a_or_wrenches_on_base_acceleration_dpidscrew
    dpi: Of_q_v_a_or_wrenches_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_a_or_wrenches_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_a_or_wrenches_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_a_dq_dv_da_or_wrenches_dwrenches_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_a_lam_or_wrenches_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_dq_dv_da_or_wrenches_dwrenches_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_a_lam_or_wrenches_on_base_acceleration_several

@type_check_only
class Of_q_dv(quantity.Evaluable):
    def __call__(self, q: ArrayLike, dv: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_dv_ddv(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, dv: ArrayLike, ddv: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_dv_ddv_plain(Of_q_v_dv_ddv, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    ddv: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_dv_ddv_dddv(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, dv: ArrayLike, ddv: ArrayLike, dddv: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_dv_ddv_dddv_plain(Of_q_v_a_dv_ddv_dddv, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    ddv: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_dv_plain(Of_q_dv, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    ddv: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_dv_dq_ddv_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, dv: ArrayLike, dq: ArrayLike, ddv: ArrayLike, *, out: One = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_dv_dq_ddv_coordinates(Of_q_dv_dq_ddv_coordinates, Open):
    ...

@type_check_only
class Of_q_dv_lam_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, dv: ArrayLike, lam: ArrayLike, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_dv_lam_coordinates_several(Of_q_dv_lam_coordinates_several, Open):
    ...

@type_check_only
class Of_q_dv_dq_ddv(quantity.Evaluable):
    def __call__(self, q: ArrayLike, dv: ArrayLike, dq: ArrayLike, ddv: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_dv_dq_ddv(Of_q_dv_dq_ddv, Open):
    ...

@type_check_only
class Of_q_dv_lam_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, dv: ArrayLike, lam: ArrayLike, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_dv_lam_several(Of_q_dv_lam_several, Open):
    ...

@type_check_only
class Integrate(Of_q_dv, Quantity):
    dt: Of_q_v_dv_ddv_plain
    dtt: Of_q_v_a_dv_ddv_dddv_plain
    dq: Of_q_dv_plain
    ddv: Of_q_dv_plain
    jvp: Open_Of_q_dv_dq_ddv_coordinates
    vjp: Open_Of_q_dv_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dv_dq_ddv
    vjp_coordinates: Open_Of_q_dv_lam_several

@type_check_only
class Of_q0_q1(quantity.Evaluable):
    def __call__(self, q0: ArrayLike, q1: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q0_dq0_q1_dq1(quantity.Evaluable):
    def __call__(self, q0: ArrayLike, dq0: ArrayLike, q1: ArrayLike, dq1: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q0_dq0_q1_dq1_plain(Of_q0_dq0_q1_dq1, Quantity):
    dt: Further
    dtt: Further
    dq0: Further
    dq1: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q0_dq0_ddq0_q1_dq1_ddq1(quantity.Evaluable):
    def __call__(self, q0: ArrayLike, dq0: ArrayLike, ddq0: ArrayLike, q1: ArrayLike, dq1: ArrayLike, ddq1: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q0_dq0_ddq0_q1_dq1_ddq1_plain(Of_q0_dq0_ddq0_q1_dq1_ddq1, Quantity):
    dt: Further
    dtt: Further
    dq0: Further
    dq1: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q0_q1_plain(Of_q0_q1, Quantity):
    dt: Further
    dtt: Further
    dq0: Further
    dq1: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q0_q1_dq0_dq1_coordinates(quantity.Evaluable):
    def __call__(self, q0: ArrayLike, q1: ArrayLike, dq0: ArrayLike, dq1: ArrayLike, *, out: One = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q0_q1_dq0_dq1_coordinates(Of_q0_q1_dq0_dq1_coordinates, Open):
    ...

@type_check_only
class Of_q0_q1_lam_coordinates_several(quantity.Evaluable):
    def __call__(self, q0: ArrayLike, q1: ArrayLike, lam: ArrayLike, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q0_q1_lam_coordinates_several(Of_q0_q1_lam_coordinates_several, Open):
    ...

@type_check_only
class Of_q0_q1_dq0_dq1(quantity.Evaluable):
    def __call__(self, q0: ArrayLike, q1: ArrayLike, dq0: ArrayLike, dq1: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q0_q1_dq0_dq1(Of_q0_q1_dq0_dq1, Open):
    ...

@type_check_only
class Of_q0_q1_lam_several(quantity.Evaluable):
    def __call__(self, q0: ArrayLike, q1: ArrayLike, lam: ArrayLike, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q0_q1_lam_several(Of_q0_q1_lam_several, Open):
    ...

@type_check_only
class Difference(Of_q0_q1, Quantity):
    dt: Of_q0_dq0_q1_dq1_plain
    dtt: Of_q0_dq0_ddq0_q1_dq1_ddq1_plain
    dq0: Of_q0_q1_plain
    dq1: Of_q0_q1_plain
    jvp: Open_Of_q0_q1_dq0_dq1_coordinates
    vjp: Open_Of_q0_q1_lam_coordinates_several
    jvp_coordinates: Open_Of_q0_q1_dq0_dq1
    vjp_coordinates: Open_Of_q0_q1_lam_several

@type_check_only
class Of_q0_q1_s(quantity.Evaluable):
    def __call__(self, q0: ArrayLike, q1: ArrayLike, s: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q0_dq0_q1_dq1_s_ds(quantity.Evaluable):
    def __call__(self, q0: ArrayLike, dq0: ArrayLike, q1: ArrayLike, dq1: ArrayLike, s: ArrayLike, ds: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q0_dq0_q1_dq1_s_ds_plain(Of_q0_dq0_q1_dq1_s_ds, Quantity):
    dt: Further
    dtt: Further
    dq0: Further
    dq1: Further
    ds: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q0_dq0_ddq0_q1_dq1_ddq1_s_ds_dds(quantity.Evaluable):
    def __call__(self, q0: ArrayLike, dq0: ArrayLike, ddq0: ArrayLike, q1: ArrayLike, dq1: ArrayLike, ddq1: ArrayLike, s: ArrayLike, ds: ArrayLike, dds: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q0_dq0_ddq0_q1_dq1_ddq1_s_ds_dds_plain(Of_q0_dq0_ddq0_q1_dq1_ddq1_s_ds_dds, Quantity):
    dt: Further
    dtt: Further
    dq0: Further
    dq1: Further
    ds: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q0_q1_s_plain(Of_q0_q1_s, Quantity):
    dt: Further
    dtt: Further
    dq0: Further
    dq1: Further
    ds: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q0_q1_s_dq0_dq1_ds_coordinates(quantity.Evaluable):
    def __call__(self, q0: ArrayLike, q1: ArrayLike, s: ArrayLike, dq0: ArrayLike, dq1: ArrayLike, ds: ArrayLike, *, out: One = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q0_q1_s_dq0_dq1_ds_coordinates(Of_q0_q1_s_dq0_dq1_ds_coordinates, Open):
    ...

@type_check_only
class Of_q0_q1_s_lam_coordinates_several(quantity.Evaluable):
    def __call__(self, q0: ArrayLike, q1: ArrayLike, s: ArrayLike, lam: ArrayLike, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q0_q1_s_lam_coordinates_several(Of_q0_q1_s_lam_coordinates_several, Open):
    ...

@type_check_only
class Of_q0_q1_s_dq0_dq1_ds(quantity.Evaluable):
    def __call__(self, q0: ArrayLike, q1: ArrayLike, s: ArrayLike, dq0: ArrayLike, dq1: ArrayLike, ds: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q0_q1_s_dq0_dq1_ds(Of_q0_q1_s_dq0_dq1_ds, Open):
    ...

@type_check_only
class Of_q0_q1_s_lam_several(quantity.Evaluable):
    def __call__(self, q0: ArrayLike, q1: ArrayLike, s: ArrayLike, lam: ArrayLike, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q0_q1_s_lam_several(Of_q0_q1_s_lam_several, Open):
    ...

@type_check_only
class Interpolate(Of_q0_q1_s, Quantity):
    dt: Of_q0_dq0_q1_dq1_s_ds_plain
    dtt: Of_q0_dq0_ddq0_q1_dq1_ddq1_s_ds_dds_plain
    dq0: Of_q0_q1_s_plain
    dq1: Of_q0_q1_s_plain
    ds: Of_q0_q1_s_plain
    jvp: Open_Of_q0_q1_s_dq0_dq1_ds_coordinates
    vjp: Open_Of_q0_q1_s_lam_coordinates_several
    jvp_coordinates: Open_Of_q0_q1_s_dq0_dq1_ds
    vjp_coordinates: Open_Of_q0_q1_s_lam_several

@type_check_only
class Normalise(Of_q, Quantity):
    dt: Of_q_v_plain
    dtt: Of_q_v_a_plain
    dq: Of_q_plain
    jvp: Open_Of_q_dq_coordinates
    vjp: Open_Of_q_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dq
    vjp_coordinates: Open_Of_q_lam_several

@type_check_only
class Of_q_v_a_j_plain(Of_q_v_a_j, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class RatesFromVelocity(Of_q_v, Quantity):
    dt: Of_q_v_a_plain
    dtt: Of_q_v_a_j_plain
    dq: Of_q_v_plain
    dv: Of_q_v_plain
    jvp: Open_Of_q_v_dq_dv_coordinates
    vjp: Open_Of_q_v_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_dq_dv
    vjp_coordinates: Open_Of_q_v_lam_several

@type_check_only
class Of_q_qdot(quantity.Evaluable):
    def __call__(self, q: ArrayLike, qdot: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_qdot_dqdot(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, qdot: ArrayLike, dqdot: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_qdot_dqdot_plain(Of_q_v_qdot_dqdot, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dqdot: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_qdot_dqdot_ddqdot(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, qdot: ArrayLike, dqdot: ArrayLike, ddqdot: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_qdot_dqdot_ddqdot_plain(Of_q_v_a_qdot_dqdot_ddqdot, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dqdot: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_qdot_plain(Of_q_qdot, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dqdot: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_qdot_dq_dqdot_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, qdot: ArrayLike, dq: ArrayLike, dqdot: ArrayLike, *, out: One = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_qdot_dq_dqdot_coordinates(Of_q_qdot_dq_dqdot_coordinates, Open):
    ...

@type_check_only
class Of_q_qdot_lam_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, qdot: ArrayLike, lam: ArrayLike, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_qdot_lam_coordinates_several(Of_q_qdot_lam_coordinates_several, Open):
    ...

@type_check_only
class Of_q_qdot_dq_dqdot(quantity.Evaluable):
    def __call__(self, q: ArrayLike, qdot: ArrayLike, dq: ArrayLike, dqdot: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_qdot_dq_dqdot(Of_q_qdot_dq_dqdot, Open):
    ...

@type_check_only
class Of_q_qdot_lam_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, qdot: ArrayLike, lam: ArrayLike, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_qdot_lam_several(Of_q_qdot_lam_several, Open):
    ...

@type_check_only
class VelocityFromRates(Of_q_qdot, Quantity):
    dt: Of_q_v_qdot_dqdot_plain
    dtt: Of_q_v_a_qdot_dqdot_ddqdot_plain
    dq: Of_q_qdot_plain
    dqdot: Of_q_qdot_plain
    jvp: Open_Of_q_qdot_dq_dqdot_coordinates
    vjp: Open_Of_q_qdot_lam_coordinates_several
    jvp_coordinates: Open_Of_q_qdot_dq_dqdot
    vjp_coordinates: Open_Of_q_qdot_lam_several

@type_check_only
class Of_q_v_tau_h_or_wrenches_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, wrenches: Wrenches | None = None, *, out: Several = None, method: Literal['euler', 'rk4', 'implicit_midpoint', 'variational'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_tau_dtau_h_dh_or_wrenches_dwrenches_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, tau: ArrayLike, dtau: ArrayLike, h: ArrayLike, dh: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, *, out: Several = None, method: Literal['euler', 'rk4', 'implicit_midpoint', 'variational'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_tau_dtau_h_dh_or_wrenches_dwrenches_method_friction_several_dpidscrew(Of_q_v_a_tau_dtau_h_dh_or_wrenches_dwrenches_method_friction_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dtau: Further
    dh: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_j_tau_dtau_ddtau_h_dh_ddh_or_wrenches_dwrenches_ddwrenches_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, tau: ArrayLike, dtau: ArrayLike, ddtau: ArrayLike, h: ArrayLike, dh: ArrayLike, ddh: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, ddwrenches: Wrenches | None = None, *, out: Several = None, method: Literal['euler', 'rk4', 'implicit_midpoint', 'variational'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_j_tau_dtau_ddtau_h_dh_ddh_or_wrenches_dwrenches_ddwrenches_method_friction_several_dpidscrew(Of_q_v_a_j_tau_dtau_ddtau_h_dh_ddh_or_wrenches_dwrenches_ddwrenches_method_friction_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dtau: Further
    dh: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_h_or_wrenches_method_friction_several_dpidscrew(Of_q_v_tau_h_or_wrenches_method_friction_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dh: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_h_dq_dv_dtau_dh_or_wrenches_dwrenches_method_friction_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dh: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, *, out: Several = None, method: Literal['euler', 'rk4', 'implicit_midpoint', 'variational'] = 'euler', friction: bool = False, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_h_dq_dv_dtau_dh_or_wrenches_dwrenches_method_friction_coordinates_several(Of_q_v_tau_h_dq_dv_dtau_dh_or_wrenches_dwrenches_method_friction_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_h_lam_0_lam_1_or_wrenches_method_friction_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, wrenches: Wrenches | None = None, *, out: Several = None, method: Literal['euler', 'rk4', 'implicit_midpoint', 'variational'] = 'euler', friction: bool = False, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_h_lam_0_lam_1_or_wrenches_method_friction_coordinates_several(Of_q_v_tau_h_lam_0_lam_1_or_wrenches_method_friction_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_h_dq_dv_dtau_dh_or_wrenches_dwrenches_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dh: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, *, out: Several = None, method: Literal['euler', 'rk4', 'implicit_midpoint', 'variational'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_h_dq_dv_dtau_dh_or_wrenches_dwrenches_method_friction_several(Of_q_v_tau_h_dq_dv_dtau_dh_or_wrenches_dwrenches_method_friction_several, Open):
    ...

@type_check_only
class Of_q_v_tau_h_lam_0_lam_1_or_wrenches_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, wrenches: Wrenches | None = None, *, out: Several = None, method: Literal['euler', 'rk4', 'implicit_midpoint', 'variational'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_h_lam_0_lam_1_or_wrenches_method_friction_several(Of_q_v_tau_h_lam_0_lam_1_or_wrenches_method_friction_several, Open):
    ...

@type_check_only
class Step(Of_q_v_tau_h_or_wrenches_method_friction_several, Quantity):
    dt: Of_q_v_a_tau_dtau_h_dh_or_wrenches_dwrenches_method_friction_several_dpidscrew
    dtt: Of_q_v_a_j_tau_dtau_ddtau_h_dh_ddh_or_wrenches_dwrenches_ddwrenches_method_friction_several_dpidscrew
    dq: Of_q_v_tau_h_or_wrenches_method_friction_several_dpidscrew
    dv: Of_q_v_tau_h_or_wrenches_method_friction_several_dpidscrew
    dtau: Of_q_v_tau_h_or_wrenches_method_friction_several_dpidscrew
    dh: Of_q_v_tau_h_or_wrenches_method_friction_several_dpidscrew
    derivatives: Of_q_v_tau_h_or_wrenches_method_friction_several_dpidscrew
    dpi: Of_q_v_tau_h_or_wrenches_method_friction_several_dpidscrew
    dscrew: Of_q_v_tau_h_or_wrenches_method_friction_several_dpidscrew
    dplacement: Of_q_v_tau_h_or_wrenches_method_friction_several_dpidscrew
    jvp: Open_Of_q_v_tau_h_dq_dv_dtau_dh_or_wrenches_dwrenches_method_friction_coordinates_several
    vjp: Open_Of_q_v_tau_h_lam_0_lam_1_or_wrenches_method_friction_coordinates_several
    jvp_coordinates: Open_Of_q_v_tau_h_dq_dv_dtau_dh_or_wrenches_dwrenches_method_friction_several
    vjp_coordinates: Open_Of_q_v_tau_h_lam_0_lam_1_or_wrenches_method_friction_several

@type_check_only
class Of_q_v_a_j_dscrew(Of_q_v_a_j, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class JacobianRate(Of_q_v, Quantity):
    dt: Of_q_v_a_dscrew
    dtt: Of_q_v_a_j_dscrew
    dq: Of_q_v_dscrew
    dv: Of_q_v_dscrew
    dscrew: Of_q_v_dscrew
    dplacement: Of_q_v_dscrew
    jvp: Open_Of_q_v_dq_dv_coordinates
    vjp: Open_Of_q_v_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_dq_dv
    vjp_coordinates: Open_Of_q_v_lam_several

@type_check_only
class Pose(Of_q, Quantity):
    dt: Of_q_v_dscrew
    dtt: Of_q_v_a_dscrew
    dq: Of_q_dscrew
    dscrew: Of_q_dscrew
    dplacement: Of_q_dscrew
    jvp: Open_Of_q_dq_coordinates
    vjp: Open_Of_q_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dq
    vjp_coordinates: Open_Of_q_lam_several

@type_check_only
class Jacobian(Of_q, Quantity):
    dt: Of_q_v_dscrew
    dtt: Of_q_v_a_dscrew
    dq: Of_q_dscrew
    dscrew: Of_q_dscrew
    dplacement: Of_q_dscrew
    jvp: Open_Of_q_dq_coordinates
    vjp: Open_Of_q_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dq
    vjp_coordinates: Open_Of_q_lam_several

@type_check_only
class JacobianWorld(Of_q, Quantity):
    dt: Of_q_v_dscrew
    dtt: Of_q_v_a_dscrew
    dq: Of_q_dscrew
    dscrew: Of_q_dscrew
    dplacement: Of_q_dscrew
    jvp: Open_Of_q_dq_coordinates
    vjp: Open_Of_q_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dq
    vjp_coordinates: Open_Of_q_lam_several

@type_check_only
class JacobianMixed(Of_q, Quantity):
    dt: Of_q_v_dscrew
    dtt: Of_q_v_a_dscrew
    dq: Of_q_dscrew
    dscrew: Of_q_dscrew
    dplacement: Of_q_dscrew
    jvp: Open_Of_q_dq_coordinates
    vjp: Open_Of_q_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dq
    vjp_coordinates: Open_Of_q_lam_several

@type_check_only
class Twist(Of_q_v_on_base_twist, Quantity):
    dt: Of_q_v_a_on_base_acceleration_dscrew
    dtt: Of_q_v_a_j_on_dbase_acceleration_dscrew
    dq: Of_q_v_on_base_twist_dscrew
    dv: Of_q_v_on_base_twist_dscrew
    dscrew: Of_q_v_on_base_twist_dscrew
    dplacement: Of_q_v_on_base_twist_dscrew
    jvp: Open_Of_q_v_dq_dv_on_base_twist_coordinates
    vjp: Open_Of_q_v_lam_on_base_twist_coordinates_several
    jvp_coordinates: Open_Of_q_v_dq_dv_on_base_twist
    vjp_coordinates: Open_Of_q_v_lam_on_base_twist_several

@type_check_only
class TwistWorld(Of_q_v, Quantity):
    dt: Of_q_v_a_dscrew
    dtt: Of_q_v_a_j_dscrew
    dq: Of_q_v_dscrew
    dv: Of_q_v_dscrew
    dscrew: Of_q_v_dscrew
    dplacement: Of_q_v_dscrew
    jvp: Open_Of_q_v_dq_dv_coordinates
    vjp: Open_Of_q_v_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_dq_dv
    vjp_coordinates: Open_Of_q_v_lam_several

@type_check_only
class TwistMixed(Of_q_v, Quantity):
    dt: Of_q_v_a_dscrew
    dtt: Of_q_v_a_j_dscrew
    dq: Of_q_v_dscrew
    dv: Of_q_v_dscrew
    dscrew: Of_q_v_dscrew
    dplacement: Of_q_v_dscrew
    jvp: Open_Of_q_v_dq_dv_coordinates
    vjp: Open_Of_q_v_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_dq_dv
    vjp_coordinates: Open_Of_q_v_lam_several

@type_check_only
class Acceleration(Of_q_v_a_on_base_acceleration, Quantity):
    dt: Of_q_v_a_j_on_dbase_acceleration_dscrew
    dtt: Of_q_v_a_j_s_on_ddbase_acceleration_dscrew
    dq: Of_q_v_a_on_base_acceleration_dscrew
    dv: Of_q_v_a_on_base_acceleration_dscrew
    da: Of_q_v_a_on_base_acceleration_dscrew
    dscrew: Of_q_v_a_on_base_acceleration_dscrew
    dplacement: Of_q_v_a_on_base_acceleration_dscrew
    jvp: Open_Of_q_v_a_dq_dv_da_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_a_lam_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_dq_dv_da_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_a_lam_on_base_acceleration_several

@type_check_only
class Of_q_v_a_j_s(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, s: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_s_dscrew(Of_q_v_a_j_s, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    ds: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_dq_dv_da_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, dq: ArrayLike, dv: ArrayLike, da: ArrayLike, *, out: One = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_a_dq_dv_da_coordinates(Of_q_v_a_dq_dv_da_coordinates, Open):
    ...

@type_check_only
class Of_q_v_a_lam_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, lam: ArrayLike, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_a_lam_coordinates_several(Of_q_v_a_lam_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_a_dq_dv_da(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, dq: ArrayLike, dv: ArrayLike, da: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_a_dq_dv_da(Of_q_v_a_dq_dv_da, Open):
    ...

@type_check_only
class Of_q_v_a_lam_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, lam: ArrayLike, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_a_lam_several(Of_q_v_a_lam_several, Open):
    ...

@type_check_only
class AccelerationWorld(Of_q_v_a, Quantity):
    dt: Of_q_v_a_j_dscrew
    dtt: Of_q_v_a_j_s_dscrew
    dq: Of_q_v_a_dscrew
    dv: Of_q_v_a_dscrew
    da: Of_q_v_a_dscrew
    dscrew: Of_q_v_a_dscrew
    dplacement: Of_q_v_a_dscrew
    jvp: Open_Of_q_v_a_dq_dv_da_coordinates
    vjp: Open_Of_q_v_a_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_dq_dv_da
    vjp_coordinates: Open_Of_q_v_a_lam_several

@type_check_only
class AccelerationMixed(Of_q_v_a, Quantity):
    dt: Of_q_v_a_j_dscrew
    dtt: Of_q_v_a_j_s_dscrew
    dq: Of_q_v_a_dscrew
    dv: Of_q_v_a_dscrew
    da: Of_q_v_a_dscrew
    dscrew: Of_q_v_a_dscrew
    dplacement: Of_q_v_a_dscrew
    jvp: Open_Of_q_v_a_dq_dv_da_coordinates
    vjp: Open_Of_q_v_a_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_dq_dv_da
    vjp_coordinates: Open_Of_q_v_a_lam_several

@type_check_only
class ClassicalAcceleration(Of_q_v_a_on_base_acceleration, Quantity):
    dt: Of_q_v_a_j_on_dbase_acceleration_dscrew
    dtt: Of_q_v_a_j_s_on_ddbase_acceleration_dscrew
    dq: Of_q_v_a_on_base_acceleration_dscrew
    dv: Of_q_v_a_on_base_acceleration_dscrew
    da: Of_q_v_a_on_base_acceleration_dscrew
    dscrew: Of_q_v_a_on_base_acceleration_dscrew
    dplacement: Of_q_v_a_on_base_acceleration_dscrew
    jvp: Open_Of_q_v_a_dq_dv_da_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_a_lam_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_dq_dv_da_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_a_lam_on_base_acceleration_several

@type_check_only
class ClassicalAccelerationMixed(Of_q_v_a, Quantity):
    dt: Of_q_v_a_j_dscrew
    dtt: Of_q_v_a_j_s_dscrew
    dq: Of_q_v_a_dscrew
    dv: Of_q_v_a_dscrew
    da: Of_q_v_a_dscrew
    dscrew: Of_q_v_a_dscrew
    dplacement: Of_q_v_a_dscrew
    jvp: Open_Of_q_v_a_dq_dv_da_coordinates
    vjp: Open_Of_q_v_a_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_dq_dv_da
    vjp_coordinates: Open_Of_q_v_a_lam_several

@type_check_only
class TaskInertiaInverse(Of_q, Quantity):
    dt: Of_q_v_dscrew
    dtt: Of_q_v_a_dscrew
    dq: Of_q_dscrew
    dscrew: Of_q_dscrew
    dplacement: Of_q_dscrew
    jvp: Open_Of_q_dq_coordinates
    vjp: Open_Of_q_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dq
    vjp_coordinates: Open_Of_q_lam_several

@type_check_only
class TaskInertia(Of_q, Quantity):
    dt: Of_q_v_dscrew
    dtt: Of_q_v_a_dscrew
    dq: Of_q_dscrew
    dscrew: Of_q_dscrew
    dplacement: Of_q_dscrew
    jvp: Open_Of_q_dq_coordinates
    vjp: Open_Of_q_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dq
    vjp_coordinates: Open_Of_q_lam_several

@type_check_only
class TaskJacobianInverse(Of_q, Quantity):
    dt: Of_q_v_dscrew
    dtt: Of_q_v_a_dscrew
    dq: Of_q_dscrew
    dscrew: Of_q_dscrew
    dplacement: Of_q_dscrew
    jvp: Open_Of_q_dq_coordinates
    vjp: Open_Of_q_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dq
    vjp_coordinates: Open_Of_q_lam_several

@type_check_only
class TaskBias(Of_q_v, Quantity):
    dt: Of_q_v_a_dscrew
    dtt: Of_q_v_a_j_dscrew
    dq: Of_q_v_dscrew
    dv: Of_q_v_dscrew
    dscrew: Of_q_v_dscrew
    dplacement: Of_q_v_dscrew
    jvp: Open_Of_q_v_dq_dv_coordinates
    vjp: Open_Of_q_v_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_dq_dv
    vjp_coordinates: Open_Of_q_v_lam_several

@type_check_only
class Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, gravity: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_pi_or_wrenches_dwrenches_gravity_on_dbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, gravity: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_pi_or_wrenches_dwrenches_gravity_on_dbase_acceleration_dpidscrew(Of_q_v_a_j_pi_or_wrenches_dwrenches_gravity_on_dbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_j_s_pi_or_wrenches_dwrenches_ddwrenches_gravity_on_ddbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, s: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, ddwrenches: Wrenches | None = None, gravity: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, ddbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_s_pi_or_wrenches_dwrenches_ddwrenches_gravity_on_ddbase_acceleration_dpidscrew(Of_q_v_a_j_s_pi_or_wrenches_dwrenches_ddwrenches_gravity_on_ddbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    ds: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew(Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, gravity: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_several_dpidscrew(Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_lam_pi_or_wrenches_gravity_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, lam: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, gravity: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_lam_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew(Of_q_v_a_lam_pi_or_wrenches_gravity_on_base_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_lam_pi_or_wrenches_gravity_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, lam: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, gravity: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_lam_pi_or_wrenches_gravity_on_base_acceleration_several_dpidscrew(Of_q_v_a_lam_pi_or_wrenches_gravity_on_base_acceleration_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_pi_or_gravity_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, gravity: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_pi_or_gravity_on_base_acceleration_dpidscrew(Of_q_v_a_pi_or_gravity_on_base_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_pi_dq_dv_da_dpi_or_wrenches_gravity_dwrenches_dgravity_on_base_acceleration_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, dq: ArrayLike, dv: ArrayLike, da: ArrayLike, dpi: ArrayLike, wrenches: Wrenches | None = None, gravity: ArrayLike | None = None, dwrenches: Wrenches | None = None, dgravity: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_a_pi_dq_dv_da_dpi_or_wrenches_gravity_dwrenches_dgravity_on_base_acceleration_coordinates(Of_q_v_a_pi_dq_dv_da_dpi_or_wrenches_gravity_dwrenches_dgravity_on_base_acceleration_coordinates, Open):
    ...

@type_check_only
class Of_q_v_a_pi_lam_or_wrenches_gravity_on_base_acceleration_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, gravity: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_a_pi_lam_or_wrenches_gravity_on_base_acceleration_coordinates_several(Of_q_v_a_pi_lam_or_wrenches_gravity_on_base_acceleration_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_a_pi_dq_dv_da_dpi_or_wrenches_gravity_dwrenches_dgravity_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, dq: ArrayLike, dv: ArrayLike, da: ArrayLike, dpi: ArrayLike, wrenches: Wrenches | None = None, gravity: ArrayLike | None = None, dwrenches: Wrenches | None = None, dgravity: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_a_pi_dq_dv_da_dpi_or_wrenches_gravity_dwrenches_dgravity_on_base_acceleration(Of_q_v_a_pi_dq_dv_da_dpi_or_wrenches_gravity_dwrenches_dgravity_on_base_acceleration, Open):
    ...

@type_check_only
class Of_q_v_a_pi_lam_or_wrenches_gravity_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, gravity: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_a_pi_lam_or_wrenches_gravity_on_base_acceleration_several(Of_q_v_a_pi_lam_or_wrenches_gravity_on_base_acceleration_several, Open):
    ...

@type_check_only
class ParametricInverseDynamics(Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration, Quantity):
    dt: Of_q_v_a_j_pi_or_wrenches_dwrenches_gravity_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_a_j_s_pi_or_wrenches_dwrenches_ddwrenches_gravity_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    dv: Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    da: Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    dqq: Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    dqv: Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    dvv: Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    daq: Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    derivatives: Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_several_dpidscrew
    hessian: Of_q_v_a_lam_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    design: Of_q_v_a_lam_pi_or_wrenches_gravity_on_base_acceleration_several_dpidscrew
    dpi: Of_q_v_a_pi_or_gravity_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_a_pi_dq_dv_da_dpi_or_wrenches_gravity_dwrenches_dgravity_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_a_pi_lam_or_wrenches_gravity_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_pi_dq_dv_da_dpi_or_wrenches_gravity_dwrenches_dgravity_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_a_pi_lam_or_wrenches_gravity_on_base_acceleration_several

@type_check_only
class Of_q_v_tau_pi_or_wrenches_gravity_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, gravity: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_pi_or_wrenches_dwrenches_gravity_on_dbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, gravity: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_pi_or_wrenches_dwrenches_gravity_on_dbase_acceleration_dpidscrew(Of_q_v_tau_dtau_pi_or_wrenches_dwrenches_gravity_on_dbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_dtau_ddtau_pi_or_wrenches_dwrenches_ddwrenches_gravity_on_ddbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, ddtau: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, ddwrenches: Wrenches | None = None, gravity: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, ddbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_ddtau_pi_or_wrenches_dwrenches_ddwrenches_gravity_on_ddbase_acceleration_dpidscrew(Of_q_v_tau_dtau_ddtau_pi_or_wrenches_dwrenches_ddwrenches_gravity_on_ddbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew(Of_q_v_tau_pi_or_wrenches_gravity_on_base_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_pi_or_wrenches_gravity_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, gravity: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_tau_pi_or_wrenches_gravity_on_base_acceleration_several_dpidscrew(Of_q_v_tau_pi_or_wrenches_gravity_on_base_acceleration_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_lam_pi_or_wrenches_gravity_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, lam: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, gravity: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_tau_lam_pi_or_wrenches_gravity_on_base_acceleration_several_dpidscrew(Of_q_v_tau_lam_pi_or_wrenches_gravity_on_base_acceleration_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_gravity_dwrenches_dgravity_on_base_acceleration_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dpi: ArrayLike, wrenches: Wrenches | None = None, gravity: ArrayLike | None = None, dwrenches: Wrenches | None = None, dgravity: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_gravity_dwrenches_dgravity_on_base_acceleration_coordinates(Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_gravity_dwrenches_dgravity_on_base_acceleration_coordinates, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_lam_or_wrenches_gravity_on_base_acceleration_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, gravity: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_pi_lam_or_wrenches_gravity_on_base_acceleration_coordinates_several(Of_q_v_tau_pi_lam_or_wrenches_gravity_on_base_acceleration_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_gravity_dwrenches_dgravity_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dpi: ArrayLike, wrenches: Wrenches | None = None, gravity: ArrayLike | None = None, dwrenches: Wrenches | None = None, dgravity: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_gravity_dwrenches_dgravity_on_base_acceleration(Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_gravity_dwrenches_dgravity_on_base_acceleration, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_lam_or_wrenches_gravity_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, gravity: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_pi_lam_or_wrenches_gravity_on_base_acceleration_several(Of_q_v_tau_pi_lam_or_wrenches_gravity_on_base_acceleration_several, Open):
    ...

@type_check_only
class ParametricForwardDynamics(Of_q_v_tau_pi_or_wrenches_gravity_on_base_acceleration, Quantity):
    dt: Of_q_v_tau_dtau_pi_or_wrenches_dwrenches_gravity_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_tau_dtau_ddtau_pi_or_wrenches_dwrenches_ddwrenches_gravity_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_tau_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    dv: Of_q_v_tau_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    dtau: Of_q_v_tau_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    dqq: Of_q_v_tau_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    dqv: Of_q_v_tau_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    dvv: Of_q_v_tau_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    dqtau: Of_q_v_tau_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    derivatives: Of_q_v_tau_pi_or_wrenches_gravity_on_base_acceleration_several_dpidscrew
    design: Of_q_v_tau_lam_pi_or_wrenches_gravity_on_base_acceleration_several_dpidscrew
    dpi: Of_q_v_tau_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_tau_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_tau_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_gravity_dwrenches_dgravity_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_tau_pi_lam_or_wrenches_gravity_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_gravity_dwrenches_dgravity_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_tau_pi_lam_or_wrenches_gravity_on_base_acceleration_several

@type_check_only
class Of_q_pi_or_gravity(quantity.Evaluable):
    def __call__(self, q: ArrayLike, pi: ArrayLike, gravity: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_pi_or_gravity(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, gravity: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_pi_or_gravity_dpidscrew(Of_q_v_pi_or_gravity, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_pi_or_gravity(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, gravity: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_pi_or_gravity_dpidscrew(Of_q_v_a_pi_or_gravity, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_pi_or_gravity_dpidscrew(Of_q_pi_or_gravity, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_pi_dq_dpi_or_gravity_dgravity_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, pi: ArrayLike, dq: ArrayLike, dpi: ArrayLike, gravity: ArrayLike | None = None, dgravity: ArrayLike | None = None, *, out: One = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_pi_dq_dpi_or_gravity_dgravity_coordinates(Of_q_pi_dq_dpi_or_gravity_dgravity_coordinates, Open):
    ...

@type_check_only
class Of_q_pi_lam_or_gravity_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, pi: ArrayLike, lam: ArrayLike, gravity: ArrayLike | None = None, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_pi_lam_or_gravity_coordinates_several(Of_q_pi_lam_or_gravity_coordinates_several, Open):
    ...

@type_check_only
class Of_q_pi_dq_dpi_or_gravity_dgravity(quantity.Evaluable):
    def __call__(self, q: ArrayLike, pi: ArrayLike, dq: ArrayLike, dpi: ArrayLike, gravity: ArrayLike | None = None, dgravity: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_pi_dq_dpi_or_gravity_dgravity(Of_q_pi_dq_dpi_or_gravity_dgravity, Open):
    ...

@type_check_only
class Of_q_pi_lam_or_gravity_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, pi: ArrayLike, lam: ArrayLike, gravity: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_pi_lam_or_gravity_several(Of_q_pi_lam_or_gravity_several, Open):
    ...

@type_check_only
class ParametricMassMatrix(Of_q_pi_or_gravity, Quantity):
    dt: Of_q_v_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_pi_or_gravity_dpidscrew
    dq: Of_q_pi_or_gravity_dpidscrew
    dqq: Of_q_pi_or_gravity_dpidscrew
    dpi: Of_q_pi_or_gravity_dpidscrew
    dscrew: Of_q_pi_or_gravity_dpidscrew
    dplacement: Of_q_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_pi_dq_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_pi_dq_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_pi_lam_or_gravity_several

@type_check_only
class ParametricMassMatrixInverse(Of_q_pi_or_gravity, Quantity):
    dt: Of_q_v_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_pi_or_gravity_dpidscrew
    dq: Of_q_pi_or_gravity_dpidscrew
    dpi: Of_q_pi_or_gravity_dpidscrew
    dscrew: Of_q_pi_or_gravity_dpidscrew
    dplacement: Of_q_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_pi_dq_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_pi_dq_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_pi_lam_or_gravity_several

@type_check_only
class Of_q_v_a_j_pi_or_gravity(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, pi: ArrayLike, gravity: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_pi_or_gravity_dpidscrew(Of_q_v_a_j_pi_or_gravity, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, dq: ArrayLike, dv: ArrayLike, dpi: ArrayLike, gravity: ArrayLike | None = None, dgravity: ArrayLike | None = None, *, out: One = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coordinates(Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coordinates, Open):
    ...

@type_check_only
class Of_q_v_pi_lam_or_gravity_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, lam: ArrayLike, gravity: ArrayLike | None = None, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_pi_lam_or_gravity_coordinates_several(Of_q_v_pi_lam_or_gravity_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, dq: ArrayLike, dv: ArrayLike, dpi: ArrayLike, gravity: ArrayLike | None = None, dgravity: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity(Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity, Open):
    ...

@type_check_only
class Of_q_v_pi_lam_or_gravity_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, lam: ArrayLike, gravity: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_pi_lam_or_gravity_several(Of_q_v_pi_lam_or_gravity_several, Open):
    ...

@type_check_only
class ParametricCoriolisMatrix(Of_q_v_pi_or_gravity, Quantity):
    dt: Of_q_v_a_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_j_pi_or_gravity_dpidscrew
    dq: Of_q_v_pi_or_gravity_dpidscrew
    dv: Of_q_v_pi_or_gravity_dpidscrew
    dpi: Of_q_v_pi_or_gravity_dpidscrew
    dscrew: Of_q_v_pi_or_gravity_dpidscrew
    dplacement: Of_q_v_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_v_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_v_pi_lam_or_gravity_several

@type_check_only
class Of_q_v_pi_or_gravity_dpi(Of_q_v_pi_or_gravity, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dpi: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_pi_or_gravity_dpi(Of_q_v_a_pi_or_gravity, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_pi_or_gravity_dpi(Of_q_pi_or_gravity, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dpi: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class ParametricChristoffel(Of_q_pi_or_gravity, Quantity):
    dt: Of_q_v_pi_or_gravity_dpi
    dtt: Of_q_v_a_pi_or_gravity_dpi
    dq: Of_q_pi_or_gravity_dpi
    dpi: Of_q_pi_or_gravity_dpi
    jvp: Open_Of_q_pi_dq_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_pi_dq_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_pi_lam_or_gravity_several

@type_check_only
class Of_q_lam_pi_or_gravity_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, lam: ArrayLike, pi: ArrayLike, gravity: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_lam_pi_or_gravity_several_dpidscrew(Of_q_lam_pi_or_gravity_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class ParametricGravityForces(Of_q_pi_or_gravity, Quantity):
    dt: Of_q_v_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_pi_or_gravity_dpidscrew
    dq: Of_q_pi_or_gravity_dpidscrew
    dqq: Of_q_pi_or_gravity_dpidscrew
    design: Of_q_lam_pi_or_gravity_several_dpidscrew
    dpi: Of_q_pi_or_gravity_dpidscrew
    dscrew: Of_q_pi_or_gravity_dpidscrew
    dplacement: Of_q_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_pi_dq_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_pi_dq_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_pi_lam_or_gravity_several

@type_check_only
class Of_q_v_pi_or_gravity_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, gravity: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_pi_or_gravity_on_dbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, gravity: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_pi_or_gravity_on_dbase_acceleration_dpidscrew(Of_q_v_a_pi_or_gravity_on_dbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_j_pi_or_gravity_on_ddbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, pi: ArrayLike, gravity: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, ddbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_pi_or_gravity_on_ddbase_acceleration_dpidscrew(Of_q_v_a_j_pi_or_gravity_on_ddbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_pi_or_gravity_on_base_acceleration_dpidscrew(Of_q_v_pi_or_gravity_on_base_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_lam_pi_or_gravity_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, lam: ArrayLike, pi: ArrayLike, gravity: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_lam_pi_or_gravity_on_base_acceleration_several_dpidscrew(Of_q_v_lam_pi_or_gravity_on_base_acceleration_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_on_base_acceleration_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, dq: ArrayLike, dv: ArrayLike, dpi: ArrayLike, gravity: ArrayLike | None = None, dgravity: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_on_base_acceleration_coordinates(Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_on_base_acceleration_coordinates, Open):
    ...

@type_check_only
class Of_q_v_pi_lam_or_gravity_on_base_acceleration_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, lam: ArrayLike, gravity: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_pi_lam_or_gravity_on_base_acceleration_coordinates_several(Of_q_v_pi_lam_or_gravity_on_base_acceleration_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, dq: ArrayLike, dv: ArrayLike, dpi: ArrayLike, gravity: ArrayLike | None = None, dgravity: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_on_base_acceleration(Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_on_base_acceleration, Open):
    ...

@type_check_only
class Of_q_v_pi_lam_or_gravity_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, lam: ArrayLike, gravity: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_pi_lam_or_gravity_on_base_acceleration_several(Of_q_v_pi_lam_or_gravity_on_base_acceleration_several, Open):
    ...

@type_check_only
class ParametricBiasForces(Of_q_v_pi_or_gravity_on_base_acceleration, Quantity):
    dt: Of_q_v_a_pi_or_gravity_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_a_j_pi_or_gravity_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_pi_or_gravity_on_base_acceleration_dpidscrew
    dv: Of_q_v_pi_or_gravity_on_base_acceleration_dpidscrew
    dqq: Of_q_v_pi_or_gravity_on_base_acceleration_dpidscrew
    dqv: Of_q_v_pi_or_gravity_on_base_acceleration_dpidscrew
    dvv: Of_q_v_pi_or_gravity_on_base_acceleration_dpidscrew
    design: Of_q_v_lam_pi_or_gravity_on_base_acceleration_several_dpidscrew
    dpi: Of_q_v_pi_or_gravity_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_pi_or_gravity_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_pi_or_gravity_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_pi_lam_or_gravity_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_pi_lam_or_gravity_on_base_acceleration_several

@type_check_only
class ParametricMotorForces(Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration, Quantity):
    dt: Of_q_v_a_j_pi_or_wrenches_dwrenches_gravity_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_a_j_s_pi_or_wrenches_dwrenches_ddwrenches_gravity_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    dv: Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    da: Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    dpi: Of_q_v_a_pi_or_gravity_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_a_pi_dq_dv_da_dpi_or_wrenches_gravity_dwrenches_dgravity_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_a_pi_lam_or_wrenches_gravity_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_pi_dq_dv_da_dpi_or_wrenches_gravity_dwrenches_dgravity_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_a_pi_lam_or_wrenches_gravity_on_base_acceleration_several

@type_check_only
class ParametricDrivenDynamics(Of_q_v_tau_pi_or_wrenches_gravity_on_base_acceleration, Quantity):
    dt: Of_q_v_tau_dtau_pi_or_wrenches_dwrenches_gravity_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_tau_dtau_ddtau_pi_or_wrenches_dwrenches_ddwrenches_gravity_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_tau_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    dv: Of_q_v_tau_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    dtau: Of_q_v_tau_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    derivatives: Of_q_v_tau_pi_or_wrenches_gravity_on_base_acceleration_several_dpidscrew
    dpi: Of_q_v_tau_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_tau_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_tau_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_gravity_dwrenches_dgravity_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_tau_pi_lam_or_wrenches_gravity_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_gravity_dwrenches_dgravity_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_tau_pi_lam_or_wrenches_gravity_on_base_acceleration_several

@type_check_only
class Of_q_v_pi_or_gravity_coriolis_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, gravity: ArrayLike | None = None, *, out: Several = None, coriolis: Literal['christoffel', 'garofalo'] = 'christoffel', **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_pi_or_gravity_coriolis_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, gravity: ArrayLike | None = None, *, out: Several = None, coriolis: Literal['christoffel', 'garofalo'] = 'christoffel', **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_pi_or_gravity_coriolis_several_dpidscrew(Of_q_v_a_pi_or_gravity_coriolis_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_j_pi_or_gravity_coriolis_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, pi: ArrayLike, gravity: ArrayLike | None = None, *, out: Several = None, coriolis: Literal['christoffel', 'garofalo'] = 'christoffel', **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_j_pi_or_gravity_coriolis_several_dpidscrew(Of_q_v_a_j_pi_or_gravity_coriolis_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_pi_or_gravity_coriolis_several_dpidscrew(Of_q_v_pi_or_gravity_coriolis_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coriolis_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, dq: ArrayLike, dv: ArrayLike, dpi: ArrayLike, gravity: ArrayLike | None = None, dgravity: ArrayLike | None = None, *, out: Several = None, coriolis: Literal['christoffel', 'garofalo'] = 'christoffel', coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coriolis_coordinates_several(Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coriolis_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_pi_lam_0_lam_1_lam_2_or_gravity_coriolis_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, lam_2: ArrayLike, gravity: ArrayLike | None = None, *, out: Several = None, coriolis: Literal['christoffel', 'garofalo'] = 'christoffel', coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_pi_lam_0_lam_1_lam_2_or_gravity_coriolis_coordinates_several(Of_q_v_pi_lam_0_lam_1_lam_2_or_gravity_coriolis_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coriolis_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, dq: ArrayLike, dv: ArrayLike, dpi: ArrayLike, gravity: ArrayLike | None = None, dgravity: ArrayLike | None = None, *, out: Several = None, coriolis: Literal['christoffel', 'garofalo'] = 'christoffel', **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coriolis_several(Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coriolis_several, Open):
    ...

@type_check_only
class Of_q_v_pi_lam_0_lam_1_lam_2_or_gravity_coriolis_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, lam_2: ArrayLike, gravity: ArrayLike | None = None, *, out: Several = None, coriolis: Literal['christoffel', 'garofalo'] = 'christoffel', **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_pi_lam_0_lam_1_lam_2_or_gravity_coriolis_several(Of_q_v_pi_lam_0_lam_1_lam_2_or_gravity_coriolis_several, Open):
    ...

@type_check_only
class ParametricEquationsOfMotion(Of_q_v_pi_or_gravity_coriolis_several, Quantity):
    dt: Of_q_v_a_pi_or_gravity_coriolis_several_dpidscrew
    dtt: Of_q_v_a_j_pi_or_gravity_coriolis_several_dpidscrew
    dq: Of_q_v_pi_or_gravity_coriolis_several_dpidscrew
    dv: Of_q_v_pi_or_gravity_coriolis_several_dpidscrew
    dpi: Of_q_v_pi_or_gravity_coriolis_several_dpidscrew
    dscrew: Of_q_v_pi_or_gravity_coriolis_several_dpidscrew
    dplacement: Of_q_v_pi_or_gravity_coriolis_several_dpidscrew
    jvp: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coriolis_coordinates_several
    vjp: Open_Of_q_v_pi_lam_0_lam_1_lam_2_or_gravity_coriolis_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coriolis_several
    vjp_coordinates: Open_Of_q_v_pi_lam_0_lam_1_lam_2_or_gravity_coriolis_several

@type_check_only
class ParametricCoriolisMatrixGarofalo(Of_q_v_pi_or_gravity, Quantity):
    dt: Of_q_v_a_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_j_pi_or_gravity_dpidscrew
    dq: Of_q_v_pi_or_gravity_dpidscrew
    dv: Of_q_v_pi_or_gravity_dpidscrew
    dpi: Of_q_v_pi_or_gravity_dpidscrew
    dscrew: Of_q_v_pi_or_gravity_dpidscrew
    dplacement: Of_q_v_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_v_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_v_pi_lam_or_gravity_several

@type_check_only
class ParametricCoriolisMatrixMuellerKumar(Of_q_v_pi_or_gravity, Quantity):
    dt: Of_q_v_a_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_j_pi_or_gravity_dpidscrew
    dq: Of_q_v_pi_or_gravity_dpidscrew
    dv: Of_q_v_pi_or_gravity_dpidscrew
    dpi: Of_q_v_pi_or_gravity_dpidscrew
    dscrew: Of_q_v_pi_or_gravity_dpidscrew
    dplacement: Of_q_v_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_v_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_v_pi_lam_or_gravity_several

@type_check_only
class ParametricGeneralizedMomentum(Of_q_v_pi_or_gravity, Quantity):
    dt: Of_q_v_a_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_j_pi_or_gravity_dpidscrew
    dq: Of_q_v_pi_or_gravity_dpidscrew
    dv: Of_q_v_pi_or_gravity_dpidscrew
    dpi: Of_q_v_pi_or_gravity_dpidscrew
    dscrew: Of_q_v_pi_or_gravity_dpidscrew
    dplacement: Of_q_v_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_v_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_v_pi_lam_or_gravity_several

@type_check_only
class ParametricMomentumForces(Of_q_v_pi_or_gravity, Quantity):
    dt: Of_q_v_a_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_j_pi_or_gravity_dpidscrew
    dq: Of_q_v_pi_or_gravity_dpidscrew
    dv: Of_q_v_pi_or_gravity_dpidscrew
    dpi: Of_q_v_pi_or_gravity_dpidscrew
    dscrew: Of_q_v_pi_or_gravity_dpidscrew
    dplacement: Of_q_v_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_v_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_v_pi_lam_or_gravity_several

@type_check_only
class ParametricKineticEnergy(Of_q_v_pi_or_gravity, Quantity):
    dt: Of_q_v_a_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_j_pi_or_gravity_dpidscrew
    dq: Of_q_v_pi_or_gravity_dpidscrew
    dv: Of_q_v_pi_or_gravity_dpidscrew
    dpi: Of_q_v_pi_or_gravity_dpidscrew
    dscrew: Of_q_v_pi_or_gravity_dpidscrew
    dplacement: Of_q_v_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_v_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_v_pi_lam_or_gravity_several

@type_check_only
class ParametricPotentialEnergy(Of_q_pi_or_gravity, Quantity):
    dt: Of_q_v_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_pi_or_gravity_dpidscrew
    dq: Of_q_pi_or_gravity_dpidscrew
    dqq: Of_q_pi_or_gravity_dpidscrew
    dscrew: Of_q_pi_or_gravity_dpidscrew
    dplacement: Of_q_pi_or_gravity_dpidscrew
    dpi: Of_q_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_pi_dq_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_pi_dq_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_pi_lam_or_gravity_several

@type_check_only
class ParametricCenterOfMass(Of_q_pi_or_gravity, Quantity):
    dt: Of_q_v_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_pi_or_gravity_dpidscrew
    dq: Of_q_pi_or_gravity_dpidscrew
    dscrew: Of_q_pi_or_gravity_dpidscrew
    dplacement: Of_q_pi_or_gravity_dpidscrew
    dpi: Of_q_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_pi_dq_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_pi_dq_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_pi_lam_or_gravity_several

@type_check_only
class ParametricComJacobian(Of_q_pi_or_gravity, Quantity):
    dt: Of_q_v_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_pi_or_gravity_dpidscrew
    dq: Of_q_pi_or_gravity_dpidscrew
    dpi: Of_q_pi_or_gravity_dpidscrew
    dscrew: Of_q_pi_or_gravity_dpidscrew
    dplacement: Of_q_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_pi_dq_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_pi_dq_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_pi_lam_or_gravity_several

@type_check_only
class ParametricMomentum(Of_q_v_pi_or_gravity, Quantity):
    dt: Of_q_v_a_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_j_pi_or_gravity_dpidscrew
    dq: Of_q_v_pi_or_gravity_dpidscrew
    dv: Of_q_v_pi_or_gravity_dpidscrew
    dpi: Of_q_v_pi_or_gravity_dpidscrew
    dscrew: Of_q_v_pi_or_gravity_dpidscrew
    dplacement: Of_q_v_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_v_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_v_pi_lam_or_gravity_several

@type_check_only
class ParametricMomentumMatrix(Of_q_pi_or_gravity, Quantity):
    dt: Of_q_v_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_pi_or_gravity_dpidscrew
    dq: Of_q_pi_or_gravity_dpidscrew
    dpi: Of_q_pi_or_gravity_dpidscrew
    dscrew: Of_q_pi_or_gravity_dpidscrew
    dplacement: Of_q_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_pi_dq_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_pi_dq_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_pi_lam_or_gravity_several

@type_check_only
class ParametricCentroidalMomentum(Of_q_v_pi_or_gravity, Quantity):
    dt: Of_q_v_a_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_j_pi_or_gravity_dpidscrew
    dq: Of_q_v_pi_or_gravity_dpidscrew
    dv: Of_q_v_pi_or_gravity_dpidscrew
    dpi: Of_q_v_pi_or_gravity_dpidscrew
    dscrew: Of_q_v_pi_or_gravity_dpidscrew
    dplacement: Of_q_v_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_v_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_v_pi_lam_or_gravity_several

@type_check_only
class ParametricCentroidalMomentumMatrix(Of_q_pi_or_gravity, Quantity):
    dt: Of_q_v_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_pi_or_gravity_dpidscrew
    dq: Of_q_pi_or_gravity_dpidscrew
    dpi: Of_q_pi_or_gravity_dpidscrew
    dscrew: Of_q_pi_or_gravity_dpidscrew
    dplacement: Of_q_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_pi_dq_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_pi_dq_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_pi_lam_or_gravity_several

@type_check_only
class ParametricJointWrenches(Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration, Quantity):
    dt: Of_q_v_a_j_pi_or_wrenches_dwrenches_gravity_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_a_j_s_pi_or_wrenches_dwrenches_ddwrenches_gravity_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    dv: Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    da: Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    dpi: Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_a_pi_dq_dv_da_dpi_or_wrenches_gravity_dwrenches_dgravity_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_a_pi_lam_or_wrenches_gravity_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_pi_dq_dv_da_dpi_or_wrenches_gravity_dwrenches_dgravity_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_a_pi_lam_or_wrenches_gravity_on_base_acceleration_several

@type_check_only
class Of_q_v_tau_h_pi_or_wrenches_gravity_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, gravity: ArrayLike | None = None, *, out: Several = None, method: Literal['euler', 'rk4', 'implicit_midpoint', 'variational'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_tau_dtau_h_dh_pi_or_wrenches_dwrenches_gravity_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, tau: ArrayLike, dtau: ArrayLike, h: ArrayLike, dh: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, gravity: ArrayLike | None = None, *, out: Several = None, method: Literal['euler', 'rk4', 'implicit_midpoint', 'variational'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_tau_dtau_h_dh_pi_or_wrenches_dwrenches_gravity_method_friction_several_dpidscrew(Of_q_v_a_tau_dtau_h_dh_pi_or_wrenches_dwrenches_gravity_method_friction_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dtau: Further
    dh: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_j_tau_dtau_ddtau_h_dh_ddh_pi_or_wrenches_dwrenches_ddwrenches_gravity_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, tau: ArrayLike, dtau: ArrayLike, ddtau: ArrayLike, h: ArrayLike, dh: ArrayLike, ddh: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, ddwrenches: Wrenches | None = None, gravity: ArrayLike | None = None, *, out: Several = None, method: Literal['euler', 'rk4', 'implicit_midpoint', 'variational'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_j_tau_dtau_ddtau_h_dh_ddh_pi_or_wrenches_dwrenches_ddwrenches_gravity_method_friction_several_dpidscrew(Of_q_v_a_j_tau_dtau_ddtau_h_dh_ddh_pi_or_wrenches_dwrenches_ddwrenches_gravity_method_friction_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dtau: Further
    dh: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_h_pi_or_wrenches_gravity_method_friction_several_dpidscrew(Of_q_v_tau_h_pi_or_wrenches_gravity_method_friction_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dh: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_h_pi_dq_dv_dtau_dh_dpi_or_wrenches_gravity_dwrenches_dgravity_method_friction_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, pi: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dh: ArrayLike, dpi: ArrayLike, wrenches: Wrenches | None = None, gravity: ArrayLike | None = None, dwrenches: Wrenches | None = None, dgravity: ArrayLike | None = None, *, out: Several = None, method: Literal['euler', 'rk4', 'implicit_midpoint', 'variational'] = 'euler', friction: bool = False, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_h_pi_dq_dv_dtau_dh_dpi_or_wrenches_gravity_dwrenches_dgravity_method_friction_coordinates_several(Of_q_v_tau_h_pi_dq_dv_dtau_dh_dpi_or_wrenches_gravity_dwrenches_dgravity_method_friction_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_h_pi_lam_0_lam_1_or_wrenches_gravity_method_friction_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, pi: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, wrenches: Wrenches | None = None, gravity: ArrayLike | None = None, *, out: Several = None, method: Literal['euler', 'rk4', 'implicit_midpoint', 'variational'] = 'euler', friction: bool = False, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_h_pi_lam_0_lam_1_or_wrenches_gravity_method_friction_coordinates_several(Of_q_v_tau_h_pi_lam_0_lam_1_or_wrenches_gravity_method_friction_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_h_pi_dq_dv_dtau_dh_dpi_or_wrenches_gravity_dwrenches_dgravity_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, pi: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dh: ArrayLike, dpi: ArrayLike, wrenches: Wrenches | None = None, gravity: ArrayLike | None = None, dwrenches: Wrenches | None = None, dgravity: ArrayLike | None = None, *, out: Several = None, method: Literal['euler', 'rk4', 'implicit_midpoint', 'variational'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_h_pi_dq_dv_dtau_dh_dpi_or_wrenches_gravity_dwrenches_dgravity_method_friction_several(Of_q_v_tau_h_pi_dq_dv_dtau_dh_dpi_or_wrenches_gravity_dwrenches_dgravity_method_friction_several, Open):
    ...

@type_check_only
class Of_q_v_tau_h_pi_lam_0_lam_1_or_wrenches_gravity_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, pi: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, wrenches: Wrenches | None = None, gravity: ArrayLike | None = None, *, out: Several = None, method: Literal['euler', 'rk4', 'implicit_midpoint', 'variational'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_h_pi_lam_0_lam_1_or_wrenches_gravity_method_friction_several(Of_q_v_tau_h_pi_lam_0_lam_1_or_wrenches_gravity_method_friction_several, Open):
    ...

@type_check_only
class ParametricStep(Of_q_v_tau_h_pi_or_wrenches_gravity_method_friction_several, Quantity):
    dt: Of_q_v_a_tau_dtau_h_dh_pi_or_wrenches_dwrenches_gravity_method_friction_several_dpidscrew
    dtt: Of_q_v_a_j_tau_dtau_ddtau_h_dh_ddh_pi_or_wrenches_dwrenches_ddwrenches_gravity_method_friction_several_dpidscrew
    dq: Of_q_v_tau_h_pi_or_wrenches_gravity_method_friction_several_dpidscrew
    dv: Of_q_v_tau_h_pi_or_wrenches_gravity_method_friction_several_dpidscrew
    dtau: Of_q_v_tau_h_pi_or_wrenches_gravity_method_friction_several_dpidscrew
    dh: Of_q_v_tau_h_pi_or_wrenches_gravity_method_friction_several_dpidscrew
    derivatives: Of_q_v_tau_h_pi_or_wrenches_gravity_method_friction_several_dpidscrew
    dpi: Of_q_v_tau_h_pi_or_wrenches_gravity_method_friction_several_dpidscrew
    dscrew: Of_q_v_tau_h_pi_or_wrenches_gravity_method_friction_several_dpidscrew
    dplacement: Of_q_v_tau_h_pi_or_wrenches_gravity_method_friction_several_dpidscrew
    jvp: Open_Of_q_v_tau_h_pi_dq_dv_dtau_dh_dpi_or_wrenches_gravity_dwrenches_dgravity_method_friction_coordinates_several
    vjp: Open_Of_q_v_tau_h_pi_lam_0_lam_1_or_wrenches_gravity_method_friction_coordinates_several
    jvp_coordinates: Open_Of_q_v_tau_h_pi_dq_dv_dtau_dh_dpi_or_wrenches_gravity_dwrenches_dgravity_method_friction_several
    vjp_coordinates: Open_Of_q_v_tau_h_pi_lam_0_lam_1_or_wrenches_gravity_method_friction_several

@type_check_only
class Of_q_v_placements_screws(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_placements_screws(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_placements_screws_dscrew(Of_q_v_a_placements_screws, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_j_placements_screws(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_placements_screws_dscrew(Of_q_v_a_j_placements_screws, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_placements_screws_dscrew(Of_q_v_placements_screws, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_placements_screws_dq_dv_dplacements_dscrews_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, *, out: One = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_placements_screws_dq_dv_dplacements_dscrews_coordinates(Of_q_v_placements_screws_dq_dv_dplacements_dscrews_coordinates, Open):
    ...

@type_check_only
class Of_q_v_placements_screws_lam_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_placements_screws_lam_coordinates_several(Of_q_v_placements_screws_lam_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_placements_screws_dq_dv_dplacements_dscrews(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_placements_screws_dq_dv_dplacements_dscrews(Of_q_v_placements_screws_dq_dv_dplacements_dscrews, Open):
    ...

@type_check_only
class Of_q_v_placements_screws_lam_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_placements_screws_lam_several(Of_q_v_placements_screws_lam_several, Open):
    ...

@type_check_only
class MorphableJacobianRate(Of_q_v_placements_screws, Quantity):
    dt: Of_q_v_a_placements_screws_dscrew
    dtt: Of_q_v_a_j_placements_screws_dscrew
    dq: Of_q_v_placements_screws_dscrew
    dv: Of_q_v_placements_screws_dscrew
    dscrew: Of_q_v_placements_screws_dscrew
    dplacement: Of_q_v_placements_screws_dscrew
    jvp: Open_Of_q_v_placements_screws_dq_dv_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_placements_screws_dq_dv_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_placements_screws_lam_several

@type_check_only
class Of_q_placements_screws(quantity.Evaluable):
    def __call__(self, q: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_placements_screws_dscrew(Of_q_placements_screws, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_placements_screws_dq_dplacements_dscrews_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, *, out: One = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_placements_screws_dq_dplacements_dscrews_coordinates(Of_q_placements_screws_dq_dplacements_dscrews_coordinates, Open):
    ...

@type_check_only
class Of_q_placements_screws_lam_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_placements_screws_lam_coordinates_several(Of_q_placements_screws_lam_coordinates_several, Open):
    ...

@type_check_only
class Of_q_placements_screws_dq_dplacements_dscrews(quantity.Evaluable):
    def __call__(self, q: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_placements_screws_dq_dplacements_dscrews(Of_q_placements_screws_dq_dplacements_dscrews, Open):
    ...

@type_check_only
class Of_q_placements_screws_lam_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_placements_screws_lam_several(Of_q_placements_screws_lam_several, Open):
    ...

@type_check_only
class MorphablePose(Of_q_placements_screws, Quantity):
    dt: Of_q_v_placements_screws_dscrew
    dtt: Of_q_v_a_placements_screws_dscrew
    dq: Of_q_placements_screws_dscrew
    dscrew: Of_q_placements_screws_dscrew
    dplacement: Of_q_placements_screws_dscrew
    jvp: Open_Of_q_placements_screws_dq_dplacements_dscrews_coordinates
    vjp: Open_Of_q_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_placements_screws_dq_dplacements_dscrews
    vjp_coordinates: Open_Of_q_placements_screws_lam_several

@type_check_only
class MorphableJacobian(Of_q_placements_screws, Quantity):
    dt: Of_q_v_placements_screws_dscrew
    dtt: Of_q_v_a_placements_screws_dscrew
    dq: Of_q_placements_screws_dscrew
    dscrew: Of_q_placements_screws_dscrew
    dplacement: Of_q_placements_screws_dscrew
    jvp: Open_Of_q_placements_screws_dq_dplacements_dscrews_coordinates
    vjp: Open_Of_q_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_placements_screws_dq_dplacements_dscrews
    vjp_coordinates: Open_Of_q_placements_screws_lam_several

@type_check_only
class MorphableJacobianWorld(Of_q_placements_screws, Quantity):
    dt: Of_q_v_placements_screws_dscrew
    dtt: Of_q_v_a_placements_screws_dscrew
    dq: Of_q_placements_screws_dscrew
    dscrew: Of_q_placements_screws_dscrew
    dplacement: Of_q_placements_screws_dscrew
    jvp: Open_Of_q_placements_screws_dq_dplacements_dscrews_coordinates
    vjp: Open_Of_q_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_placements_screws_dq_dplacements_dscrews
    vjp_coordinates: Open_Of_q_placements_screws_lam_several

@type_check_only
class MorphableJacobianMixed(Of_q_placements_screws, Quantity):
    dt: Of_q_v_placements_screws_dscrew
    dtt: Of_q_v_a_placements_screws_dscrew
    dq: Of_q_placements_screws_dscrew
    dscrew: Of_q_placements_screws_dscrew
    dplacement: Of_q_placements_screws_dscrew
    jvp: Open_Of_q_placements_screws_dq_dplacements_dscrews_coordinates
    vjp: Open_Of_q_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_placements_screws_dq_dplacements_dscrews
    vjp_coordinates: Open_Of_q_placements_screws_lam_several

@type_check_only
class Of_q_v_placements_screws_on_base_twist(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_placements_screws_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_placements_screws_on_base_acceleration_dscrew(Of_q_v_a_placements_screws_on_base_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_j_placements_screws_on_dbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_placements_screws_on_dbase_acceleration_dscrew(Of_q_v_a_j_placements_screws_on_dbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_placements_screws_on_base_twist_dscrew(Of_q_v_placements_screws_on_base_twist, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_placements_screws_dq_dv_dplacements_dscrews_on_base_twist_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_placements_screws_dq_dv_dplacements_dscrews_on_base_twist_coordinates(Of_q_v_placements_screws_dq_dv_dplacements_dscrews_on_base_twist_coordinates, Open):
    ...

@type_check_only
class Of_q_v_placements_screws_lam_on_base_twist_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, *, out: Several = None, base_twist: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_placements_screws_lam_on_base_twist_coordinates_several(Of_q_v_placements_screws_lam_on_base_twist_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_placements_screws_dq_dv_dplacements_dscrews_on_base_twist(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_placements_screws_dq_dv_dplacements_dscrews_on_base_twist(Of_q_v_placements_screws_dq_dv_dplacements_dscrews_on_base_twist, Open):
    ...

@type_check_only
class Of_q_v_placements_screws_lam_on_base_twist_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, *, out: Several = None, base_twist: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_placements_screws_lam_on_base_twist_several(Of_q_v_placements_screws_lam_on_base_twist_several, Open):
    ...

@type_check_only
class MorphableTwist(Of_q_v_placements_screws_on_base_twist, Quantity):
    dt: Of_q_v_a_placements_screws_on_base_acceleration_dscrew
    dtt: Of_q_v_a_j_placements_screws_on_dbase_acceleration_dscrew
    dq: Of_q_v_placements_screws_on_base_twist_dscrew
    dv: Of_q_v_placements_screws_on_base_twist_dscrew
    dscrew: Of_q_v_placements_screws_on_base_twist_dscrew
    dplacement: Of_q_v_placements_screws_on_base_twist_dscrew
    jvp: Open_Of_q_v_placements_screws_dq_dv_dplacements_dscrews_on_base_twist_coordinates
    vjp: Open_Of_q_v_placements_screws_lam_on_base_twist_coordinates_several
    jvp_coordinates: Open_Of_q_v_placements_screws_dq_dv_dplacements_dscrews_on_base_twist
    vjp_coordinates: Open_Of_q_v_placements_screws_lam_on_base_twist_several

@type_check_only
class MorphableTwistWorld(Of_q_v_placements_screws, Quantity):
    dt: Of_q_v_a_placements_screws_dscrew
    dtt: Of_q_v_a_j_placements_screws_dscrew
    dq: Of_q_v_placements_screws_dscrew
    dv: Of_q_v_placements_screws_dscrew
    dscrew: Of_q_v_placements_screws_dscrew
    dplacement: Of_q_v_placements_screws_dscrew
    jvp: Open_Of_q_v_placements_screws_dq_dv_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_placements_screws_dq_dv_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_placements_screws_lam_several

@type_check_only
class MorphableTwistMixed(Of_q_v_placements_screws, Quantity):
    dt: Of_q_v_a_placements_screws_dscrew
    dtt: Of_q_v_a_j_placements_screws_dscrew
    dq: Of_q_v_placements_screws_dscrew
    dv: Of_q_v_placements_screws_dscrew
    dscrew: Of_q_v_placements_screws_dscrew
    dplacement: Of_q_v_placements_screws_dscrew
    jvp: Open_Of_q_v_placements_screws_dq_dv_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_placements_screws_dq_dv_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_placements_screws_lam_several

@type_check_only
class Of_q_v_a_j_s_placements_screws_on_ddbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, s: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, ddbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_s_placements_screws_on_ddbase_acceleration_dscrew(Of_q_v_a_j_s_placements_screws_on_ddbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    ds: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews_on_base_acceleration_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, da: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews_on_base_acceleration_coordinates(Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews_on_base_acceleration_coordinates, Open):
    ...

@type_check_only
class Of_q_v_a_placements_screws_lam_on_base_acceleration_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_a_placements_screws_lam_on_base_acceleration_coordinates_several(Of_q_v_a_placements_screws_lam_on_base_acceleration_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, da: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews_on_base_acceleration(Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews_on_base_acceleration, Open):
    ...

@type_check_only
class Of_q_v_a_placements_screws_lam_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_a_placements_screws_lam_on_base_acceleration_several(Of_q_v_a_placements_screws_lam_on_base_acceleration_several, Open):
    ...

@type_check_only
class MorphableAcceleration(Of_q_v_a_placements_screws_on_base_acceleration, Quantity):
    dt: Of_q_v_a_j_placements_screws_on_dbase_acceleration_dscrew
    dtt: Of_q_v_a_j_s_placements_screws_on_ddbase_acceleration_dscrew
    dq: Of_q_v_a_placements_screws_on_base_acceleration_dscrew
    dv: Of_q_v_a_placements_screws_on_base_acceleration_dscrew
    da: Of_q_v_a_placements_screws_on_base_acceleration_dscrew
    dscrew: Of_q_v_a_placements_screws_on_base_acceleration_dscrew
    dplacement: Of_q_v_a_placements_screws_on_base_acceleration_dscrew
    jvp: Open_Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_a_placements_screws_lam_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_a_placements_screws_lam_on_base_acceleration_several

@type_check_only
class Of_q_v_a_j_s_placements_screws(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, s: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_s_placements_screws_dscrew(Of_q_v_a_j_s_placements_screws, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    ds: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, da: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, *, out: One = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews_coordinates(Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews_coordinates, Open):
    ...

@type_check_only
class Of_q_v_a_placements_screws_lam_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_a_placements_screws_lam_coordinates_several(Of_q_v_a_placements_screws_lam_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, da: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews(Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews, Open):
    ...

@type_check_only
class Of_q_v_a_placements_screws_lam_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_a_placements_screws_lam_several(Of_q_v_a_placements_screws_lam_several, Open):
    ...

@type_check_only
class MorphableAccelerationWorld(Of_q_v_a_placements_screws, Quantity):
    dt: Of_q_v_a_j_placements_screws_dscrew
    dtt: Of_q_v_a_j_s_placements_screws_dscrew
    dq: Of_q_v_a_placements_screws_dscrew
    dv: Of_q_v_a_placements_screws_dscrew
    da: Of_q_v_a_placements_screws_dscrew
    dscrew: Of_q_v_a_placements_screws_dscrew
    dplacement: Of_q_v_a_placements_screws_dscrew
    jvp: Open_Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_a_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_a_placements_screws_lam_several

@type_check_only
class MorphableAccelerationMixed(Of_q_v_a_placements_screws, Quantity):
    dt: Of_q_v_a_j_placements_screws_dscrew
    dtt: Of_q_v_a_j_s_placements_screws_dscrew
    dq: Of_q_v_a_placements_screws_dscrew
    dv: Of_q_v_a_placements_screws_dscrew
    da: Of_q_v_a_placements_screws_dscrew
    dscrew: Of_q_v_a_placements_screws_dscrew
    dplacement: Of_q_v_a_placements_screws_dscrew
    jvp: Open_Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_a_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_a_placements_screws_lam_several

@type_check_only
class MorphableClassicalAcceleration(Of_q_v_a_placements_screws_on_base_acceleration, Quantity):
    dt: Of_q_v_a_j_placements_screws_on_dbase_acceleration_dscrew
    dtt: Of_q_v_a_j_s_placements_screws_on_ddbase_acceleration_dscrew
    dq: Of_q_v_a_placements_screws_on_base_acceleration_dscrew
    dv: Of_q_v_a_placements_screws_on_base_acceleration_dscrew
    da: Of_q_v_a_placements_screws_on_base_acceleration_dscrew
    dscrew: Of_q_v_a_placements_screws_on_base_acceleration_dscrew
    dplacement: Of_q_v_a_placements_screws_on_base_acceleration_dscrew
    jvp: Open_Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_a_placements_screws_lam_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_a_placements_screws_lam_on_base_acceleration_several

@type_check_only
class MorphableClassicalAccelerationMixed(Of_q_v_a_placements_screws, Quantity):
    dt: Of_q_v_a_j_placements_screws_dscrew
    dtt: Of_q_v_a_j_s_placements_screws_dscrew
    dq: Of_q_v_a_placements_screws_dscrew
    dv: Of_q_v_a_placements_screws_dscrew
    da: Of_q_v_a_placements_screws_dscrew
    dscrew: Of_q_v_a_placements_screws_dscrew
    dplacement: Of_q_v_a_placements_screws_dscrew
    jvp: Open_Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_a_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_a_placements_screws_lam_several

@type_check_only
class MorphableTaskInertiaInverse(Of_q_placements_screws, Quantity):
    dt: Of_q_v_placements_screws_dscrew
    dtt: Of_q_v_a_placements_screws_dscrew
    dq: Of_q_placements_screws_dscrew
    dscrew: Of_q_placements_screws_dscrew
    dplacement: Of_q_placements_screws_dscrew
    jvp: Open_Of_q_placements_screws_dq_dplacements_dscrews_coordinates
    vjp: Open_Of_q_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_placements_screws_dq_dplacements_dscrews
    vjp_coordinates: Open_Of_q_placements_screws_lam_several

@type_check_only
class MorphableTaskInertia(Of_q_placements_screws, Quantity):
    dt: Of_q_v_placements_screws_dscrew
    dtt: Of_q_v_a_placements_screws_dscrew
    dq: Of_q_placements_screws_dscrew
    dscrew: Of_q_placements_screws_dscrew
    dplacement: Of_q_placements_screws_dscrew
    jvp: Open_Of_q_placements_screws_dq_dplacements_dscrews_coordinates
    vjp: Open_Of_q_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_placements_screws_dq_dplacements_dscrews
    vjp_coordinates: Open_Of_q_placements_screws_lam_several

@type_check_only
class MorphableTaskJacobianInverse(Of_q_placements_screws, Quantity):
    dt: Of_q_v_placements_screws_dscrew
    dtt: Of_q_v_a_placements_screws_dscrew
    dq: Of_q_placements_screws_dscrew
    dscrew: Of_q_placements_screws_dscrew
    dplacement: Of_q_placements_screws_dscrew
    jvp: Open_Of_q_placements_screws_dq_dplacements_dscrews_coordinates
    vjp: Open_Of_q_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_placements_screws_dq_dplacements_dscrews
    vjp_coordinates: Open_Of_q_placements_screws_lam_several

@type_check_only
class MorphableTaskBias(Of_q_v_placements_screws, Quantity):
    dt: Of_q_v_a_placements_screws_dscrew
    dtt: Of_q_v_a_j_placements_screws_dscrew
    dq: Of_q_v_placements_screws_dscrew
    dv: Of_q_v_placements_screws_dscrew
    dscrew: Of_q_v_placements_screws_dscrew
    dplacement: Of_q_v_placements_screws_dscrew
    jvp: Open_Of_q_v_placements_screws_dq_dv_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_placements_screws_dq_dv_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_placements_screws_lam_several

@type_check_only
class Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_pi_placements_screws_or_wrenches_dwrenches_on_dbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_pi_placements_screws_or_wrenches_dwrenches_on_dbase_acceleration_dpidscrew(Of_q_v_a_j_pi_placements_screws_or_wrenches_dwrenches_on_dbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_j_s_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_on_ddbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, s: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, ddwrenches: Wrenches | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, ddbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_s_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_on_ddbase_acceleration_dpidscrew(Of_q_v_a_j_s_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_on_ddbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    ds: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew(Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_several_dpidscrew(Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_lam_pi_placements_screws_or_wrenches_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, lam: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_lam_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew(Of_q_v_a_lam_pi_placements_screws_or_wrenches_on_base_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_lam_pi_placements_screws_or_wrenches_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, lam: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_lam_pi_placements_screws_or_wrenches_on_base_acceleration_several_dpidscrew(Of_q_v_a_lam_pi_placements_screws_or_wrenches_on_base_acceleration_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_pi_placements_screws_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_pi_placements_screws_on_base_acceleration_dpidscrew(Of_q_v_a_pi_placements_screws_on_base_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_or_wrenches_dwrenches_on_base_acceleration_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, da: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_or_wrenches_dwrenches_on_base_acceleration_coordinates(Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_or_wrenches_dwrenches_on_base_acceleration_coordinates, Open):
    ...

@type_check_only
class Of_q_v_a_pi_placements_screws_lam_or_wrenches_on_base_acceleration_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_a_pi_placements_screws_lam_or_wrenches_on_base_acceleration_coordinates_several(Of_q_v_a_pi_placements_screws_lam_or_wrenches_on_base_acceleration_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_or_wrenches_dwrenches_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, da: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_or_wrenches_dwrenches_on_base_acceleration(Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_or_wrenches_dwrenches_on_base_acceleration, Open):
    ...

@type_check_only
class Of_q_v_a_pi_placements_screws_lam_or_wrenches_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_a_pi_placements_screws_lam_or_wrenches_on_base_acceleration_several(Of_q_v_a_pi_placements_screws_lam_or_wrenches_on_base_acceleration_several, Open):
    ...

@type_check_only
class MorphableInverseDynamics(Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration, Quantity):
    dt: Of_q_v_a_j_pi_placements_screws_or_wrenches_dwrenches_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_a_j_s_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    dv: Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    da: Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    dqq: Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    dqv: Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    dvv: Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    daq: Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    derivatives: Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_several_dpidscrew
    hessian: Of_q_v_a_lam_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    design: Of_q_v_a_lam_pi_placements_screws_or_wrenches_on_base_acceleration_several_dpidscrew
    dpi: Of_q_v_a_pi_placements_screws_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_or_wrenches_dwrenches_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_a_pi_placements_screws_lam_or_wrenches_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_or_wrenches_dwrenches_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_a_pi_placements_screws_lam_or_wrenches_on_base_acceleration_several

@type_check_only
class Of_q_v_tau_pi_placements_screws_or_wrenches_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_pi_placements_screws_or_wrenches_dwrenches_on_dbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_pi_placements_screws_or_wrenches_dwrenches_on_dbase_acceleration_dpidscrew(Of_q_v_tau_dtau_pi_placements_screws_or_wrenches_dwrenches_on_dbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_dtau_ddtau_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_on_ddbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, ddtau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, ddwrenches: Wrenches | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, ddbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_ddtau_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_on_ddbase_acceleration_dpidscrew(Of_q_v_tau_dtau_ddtau_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_on_ddbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew(Of_q_v_tau_pi_placements_screws_or_wrenches_on_base_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_pi_placements_screws_or_wrenches_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_tau_pi_placements_screws_or_wrenches_on_base_acceleration_several_dpidscrew(Of_q_v_tau_pi_placements_screws_or_wrenches_on_base_acceleration_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_lam_pi_placements_screws_or_wrenches_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, lam: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_tau_lam_pi_placements_screws_or_wrenches_on_base_acceleration_several_dpidscrew(Of_q_v_tau_lam_pi_placements_screws_or_wrenches_on_base_acceleration_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_dwrenches_on_base_acceleration_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_dwrenches_on_base_acceleration_coordinates(Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_dwrenches_on_base_acceleration_coordinates, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_placements_screws_lam_or_wrenches_on_base_acceleration_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_pi_placements_screws_lam_or_wrenches_on_base_acceleration_coordinates_several(Of_q_v_tau_pi_placements_screws_lam_or_wrenches_on_base_acceleration_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_dwrenches_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_dwrenches_on_base_acceleration(Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_dwrenches_on_base_acceleration, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_placements_screws_lam_or_wrenches_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_pi_placements_screws_lam_or_wrenches_on_base_acceleration_several(Of_q_v_tau_pi_placements_screws_lam_or_wrenches_on_base_acceleration_several, Open):
    ...

@type_check_only
class MorphableForwardDynamics(Of_q_v_tau_pi_placements_screws_or_wrenches_on_base_acceleration, Quantity):
    dt: Of_q_v_tau_dtau_pi_placements_screws_or_wrenches_dwrenches_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_tau_dtau_ddtau_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_tau_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    dv: Of_q_v_tau_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    dtau: Of_q_v_tau_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    dqq: Of_q_v_tau_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    dqv: Of_q_v_tau_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    dvv: Of_q_v_tau_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    dqtau: Of_q_v_tau_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    derivatives: Of_q_v_tau_pi_placements_screws_or_wrenches_on_base_acceleration_several_dpidscrew
    design: Of_q_v_tau_lam_pi_placements_screws_or_wrenches_on_base_acceleration_several_dpidscrew
    dpi: Of_q_v_tau_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_tau_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_tau_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_dwrenches_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_tau_pi_placements_screws_lam_or_wrenches_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_dwrenches_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_tau_pi_placements_screws_lam_or_wrenches_on_base_acceleration_several

@type_check_only
class Of_q_pi_placements_screws(quantity.Evaluable):
    def __call__(self, q: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_pi_placements_screws(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_pi_placements_screws_dpidscrew(Of_q_v_pi_placements_screws, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_pi_placements_screws(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_pi_placements_screws_dpidscrew(Of_q_v_a_pi_placements_screws, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_pi_placements_screws_dpidscrew(Of_q_pi_placements_screws, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, *, out: One = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews_coordinates(Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews_coordinates, Open):
    ...

@type_check_only
class Of_q_pi_placements_screws_lam_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_pi_placements_screws_lam_coordinates_several(Of_q_pi_placements_screws_lam_coordinates_several, Open):
    ...

@type_check_only
class Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews(quantity.Evaluable):
    def __call__(self, q: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews(Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews, Open):
    ...

@type_check_only
class Of_q_pi_placements_screws_lam_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_pi_placements_screws_lam_several(Of_q_pi_placements_screws_lam_several, Open):
    ...

@type_check_only
class MorphableMassMatrix(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_pi_placements_screws_dpidscrew
    dq: Of_q_pi_placements_screws_dpidscrew
    dqq: Of_q_pi_placements_screws_dpidscrew
    dpi: Of_q_pi_placements_screws_dpidscrew
    dscrew: Of_q_pi_placements_screws_dpidscrew
    dplacement: Of_q_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_pi_placements_screws_lam_several

@type_check_only
class MorphableMassMatrixInverse(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_pi_placements_screws_dpidscrew
    dq: Of_q_pi_placements_screws_dpidscrew
    dpi: Of_q_pi_placements_screws_dpidscrew
    dscrew: Of_q_pi_placements_screws_dpidscrew
    dplacement: Of_q_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_pi_placements_screws_lam_several

@type_check_only
class Of_q_v_a_j_pi_placements_screws(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_pi_placements_screws_dpidscrew(Of_q_v_a_j_pi_placements_screws, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, *, out: One = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coordinates(Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coordinates, Open):
    ...

@type_check_only
class Of_q_v_pi_placements_screws_lam_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_pi_placements_screws_lam_coordinates_several(Of_q_v_pi_placements_screws_lam_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews(Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews, Open):
    ...

@type_check_only
class Of_q_v_pi_placements_screws_lam_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_pi_placements_screws_lam_several(Of_q_v_pi_placements_screws_lam_several, Open):
    ...

@type_check_only
class MorphableCoriolisMatrix(Of_q_v_pi_placements_screws, Quantity):
    dt: Of_q_v_a_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_j_pi_placements_screws_dpidscrew
    dq: Of_q_v_pi_placements_screws_dpidscrew
    dv: Of_q_v_pi_placements_screws_dpidscrew
    dpi: Of_q_v_pi_placements_screws_dpidscrew
    dscrew: Of_q_v_pi_placements_screws_dpidscrew
    dplacement: Of_q_v_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_pi_placements_screws_lam_several

@type_check_only
class Of_q_lam_pi_placements_screws_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, lam: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_lam_pi_placements_screws_several_dpidscrew(Of_q_lam_pi_placements_screws_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class MorphableGravityForces(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_pi_placements_screws_dpidscrew
    dq: Of_q_pi_placements_screws_dpidscrew
    dqq: Of_q_pi_placements_screws_dpidscrew
    design: Of_q_lam_pi_placements_screws_several_dpidscrew
    dpi: Of_q_pi_placements_screws_dpidscrew
    dscrew: Of_q_pi_placements_screws_dpidscrew
    dplacement: Of_q_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_pi_placements_screws_lam_several

@type_check_only
class Of_q_v_pi_placements_screws_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_pi_placements_screws_on_dbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_pi_placements_screws_on_dbase_acceleration_dpidscrew(Of_q_v_a_pi_placements_screws_on_dbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_j_pi_placements_screws_on_ddbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, ddbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_pi_placements_screws_on_ddbase_acceleration_dpidscrew(Of_q_v_a_j_pi_placements_screws_on_ddbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_pi_placements_screws_on_base_acceleration_dpidscrew(Of_q_v_pi_placements_screws_on_base_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_lam_pi_placements_screws_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, lam: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_lam_pi_placements_screws_on_base_acceleration_several_dpidscrew(Of_q_v_lam_pi_placements_screws_on_base_acceleration_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_on_base_acceleration_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_on_base_acceleration_coordinates(Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_on_base_acceleration_coordinates, Open):
    ...

@type_check_only
class Of_q_v_pi_placements_screws_lam_on_base_acceleration_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_pi_placements_screws_lam_on_base_acceleration_coordinates_several(Of_q_v_pi_placements_screws_lam_on_base_acceleration_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_on_base_acceleration(Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_on_base_acceleration, Open):
    ...

@type_check_only
class Of_q_v_pi_placements_screws_lam_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_pi_placements_screws_lam_on_base_acceleration_several(Of_q_v_pi_placements_screws_lam_on_base_acceleration_several, Open):
    ...

@type_check_only
class MorphableBiasForces(Of_q_v_pi_placements_screws_on_base_acceleration, Quantity):
    dt: Of_q_v_a_pi_placements_screws_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_a_j_pi_placements_screws_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_pi_placements_screws_on_base_acceleration_dpidscrew
    dv: Of_q_v_pi_placements_screws_on_base_acceleration_dpidscrew
    dqq: Of_q_v_pi_placements_screws_on_base_acceleration_dpidscrew
    dqv: Of_q_v_pi_placements_screws_on_base_acceleration_dpidscrew
    dvv: Of_q_v_pi_placements_screws_on_base_acceleration_dpidscrew
    design: Of_q_v_lam_pi_placements_screws_on_base_acceleration_several_dpidscrew
    dpi: Of_q_v_pi_placements_screws_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_pi_placements_screws_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_pi_placements_screws_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_pi_placements_screws_lam_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_pi_placements_screws_lam_on_base_acceleration_several

@type_check_only
class Of_q_w_pi_placements_screws(quantity.Evaluable):
    def __call__(self, q: ArrayLike, w: Wrenches, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_w_dw_pi_placements_screws(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, w: Wrenches, dw: Wrenches, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_w_dw_pi_placements_screws_dscrew(Of_q_v_w_dw_pi_placements_screws, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_w_dw_ddw_pi_placements_screws(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, w: Wrenches, dw: Wrenches, ddw: Wrenches, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_w_dw_ddw_pi_placements_screws_dscrew(Of_q_v_a_w_dw_ddw_pi_placements_screws, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_w_pi_placements_screws_dscrew(Of_q_w_pi_placements_screws, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_w_pi_placements_screws_dq_dw_dpi_dplacements_dscrews_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, w: Wrenches, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dw: Wrenches, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, *, out: One = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_w_pi_placements_screws_dq_dw_dpi_dplacements_dscrews_coordinates(Of_q_w_pi_placements_screws_dq_dw_dpi_dplacements_dscrews_coordinates, Open):
    ...

@type_check_only
class Of_q_w_pi_placements_screws_lam_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, w: Wrenches, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_w_pi_placements_screws_lam_coordinates_several(Of_q_w_pi_placements_screws_lam_coordinates_several, Open):
    ...

@type_check_only
class Of_q_w_pi_placements_screws_dq_dw_dpi_dplacements_dscrews(quantity.Evaluable):
    def __call__(self, q: ArrayLike, w: Wrenches, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dw: Wrenches, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_w_pi_placements_screws_dq_dw_dpi_dplacements_dscrews(Of_q_w_pi_placements_screws_dq_dw_dpi_dplacements_dscrews, Open):
    ...

@type_check_only
class Of_q_w_pi_placements_screws_lam_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, w: Wrenches, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_w_pi_placements_screws_lam_several(Of_q_w_pi_placements_screws_lam_several, Open):
    ...

@type_check_only
class MorphableExternalForces(Of_q_w_pi_placements_screws, Quantity):
    dt: Of_q_v_w_dw_pi_placements_screws_dscrew
    dtt: Of_q_v_a_w_dw_ddw_pi_placements_screws_dscrew
    dq: Of_q_w_pi_placements_screws_dscrew
    dscrew: Of_q_w_pi_placements_screws_dscrew
    dplacement: Of_q_w_pi_placements_screws_dscrew
    jvp: Open_Of_q_w_pi_placements_screws_dq_dw_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_w_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_w_pi_placements_screws_dq_dw_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_w_pi_placements_screws_lam_several

@type_check_only
class MorphableMotorForces(Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration, Quantity):
    dt: Of_q_v_a_j_pi_placements_screws_or_wrenches_dwrenches_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_a_j_s_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    dv: Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    da: Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    dpi: Of_q_v_a_pi_placements_screws_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_or_wrenches_dwrenches_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_a_pi_placements_screws_lam_or_wrenches_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_or_wrenches_dwrenches_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_a_pi_placements_screws_lam_or_wrenches_on_base_acceleration_several

@type_check_only
class MorphableDrivenDynamics(Of_q_v_tau_pi_placements_screws_or_wrenches_on_base_acceleration, Quantity):
    dt: Of_q_v_tau_dtau_pi_placements_screws_or_wrenches_dwrenches_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_tau_dtau_ddtau_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_tau_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    dv: Of_q_v_tau_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    dtau: Of_q_v_tau_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    derivatives: Of_q_v_tau_pi_placements_screws_or_wrenches_on_base_acceleration_several_dpidscrew
    dpi: Of_q_v_tau_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_tau_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_tau_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_dwrenches_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_tau_pi_placements_screws_lam_or_wrenches_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_dwrenches_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_tau_pi_placements_screws_lam_or_wrenches_on_base_acceleration_several

@type_check_only
class Of_q_v_pi_placements_screws_coriolis_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: Several = None, coriolis: Literal['christoffel', 'garofalo'] = 'christoffel', **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_pi_placements_screws_coriolis_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: Several = None, coriolis: Literal['christoffel', 'garofalo'] = 'christoffel', **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_pi_placements_screws_coriolis_several_dpidscrew(Of_q_v_a_pi_placements_screws_coriolis_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_j_pi_placements_screws_coriolis_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: Several = None, coriolis: Literal['christoffel', 'garofalo'] = 'christoffel', **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_j_pi_placements_screws_coriolis_several_dpidscrew(Of_q_v_a_j_pi_placements_screws_coriolis_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_pi_placements_screws_coriolis_several_dpidscrew(Of_q_v_pi_placements_screws_coriolis_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coriolis_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, *, out: Several = None, coriolis: Literal['christoffel', 'garofalo'] = 'christoffel', coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coriolis_coordinates_several(Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coriolis_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_pi_placements_screws_lam_0_lam_1_lam_2_coriolis_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, lam_2: ArrayLike, *, out: Several = None, coriolis: Literal['christoffel', 'garofalo'] = 'christoffel', coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_pi_placements_screws_lam_0_lam_1_lam_2_coriolis_coordinates_several(Of_q_v_pi_placements_screws_lam_0_lam_1_lam_2_coriolis_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coriolis_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, *, out: Several = None, coriolis: Literal['christoffel', 'garofalo'] = 'christoffel', **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coriolis_several(Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coriolis_several, Open):
    ...

@type_check_only
class Of_q_v_pi_placements_screws_lam_0_lam_1_lam_2_coriolis_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, lam_2: ArrayLike, *, out: Several = None, coriolis: Literal['christoffel', 'garofalo'] = 'christoffel', **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_pi_placements_screws_lam_0_lam_1_lam_2_coriolis_several(Of_q_v_pi_placements_screws_lam_0_lam_1_lam_2_coriolis_several, Open):
    ...

@type_check_only
class MorphableEquationsOfMotion(Of_q_v_pi_placements_screws_coriolis_several, Quantity):
    dt: Of_q_v_a_pi_placements_screws_coriolis_several_dpidscrew
    dtt: Of_q_v_a_j_pi_placements_screws_coriolis_several_dpidscrew
    dq: Of_q_v_pi_placements_screws_coriolis_several_dpidscrew
    dv: Of_q_v_pi_placements_screws_coriolis_several_dpidscrew
    dpi: Of_q_v_pi_placements_screws_coriolis_several_dpidscrew
    dscrew: Of_q_v_pi_placements_screws_coriolis_several_dpidscrew
    dplacement: Of_q_v_pi_placements_screws_coriolis_several_dpidscrew
    jvp: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coriolis_coordinates_several
    vjp: Open_Of_q_v_pi_placements_screws_lam_0_lam_1_lam_2_coriolis_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coriolis_several
    vjp_coordinates: Open_Of_q_v_pi_placements_screws_lam_0_lam_1_lam_2_coriolis_several

@type_check_only
class MorphableCoriolisMatrixGarofalo(Of_q_v_pi_placements_screws, Quantity):
    dt: Of_q_v_a_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_j_pi_placements_screws_dpidscrew
    dq: Of_q_v_pi_placements_screws_dpidscrew
    dv: Of_q_v_pi_placements_screws_dpidscrew
    dpi: Of_q_v_pi_placements_screws_dpidscrew
    dscrew: Of_q_v_pi_placements_screws_dpidscrew
    dplacement: Of_q_v_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_pi_placements_screws_lam_several

@type_check_only
class MorphableCoriolisMatrixMuellerKumar(Of_q_v_pi_placements_screws, Quantity):
    dt: Of_q_v_a_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_j_pi_placements_screws_dpidscrew
    dq: Of_q_v_pi_placements_screws_dpidscrew
    dv: Of_q_v_pi_placements_screws_dpidscrew
    dpi: Of_q_v_pi_placements_screws_dpidscrew
    dscrew: Of_q_v_pi_placements_screws_dpidscrew
    dplacement: Of_q_v_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_pi_placements_screws_lam_several

@type_check_only
class MorphableGeneralizedMomentum(Of_q_v_pi_placements_screws, Quantity):
    dt: Of_q_v_a_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_j_pi_placements_screws_dpidscrew
    dq: Of_q_v_pi_placements_screws_dpidscrew
    dv: Of_q_v_pi_placements_screws_dpidscrew
    dpi: Of_q_v_pi_placements_screws_dpidscrew
    dscrew: Of_q_v_pi_placements_screws_dpidscrew
    dplacement: Of_q_v_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_pi_placements_screws_lam_several

@type_check_only
class MorphableMomentumForces(Of_q_v_pi_placements_screws, Quantity):
    dt: Of_q_v_a_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_j_pi_placements_screws_dpidscrew
    dq: Of_q_v_pi_placements_screws_dpidscrew
    dv: Of_q_v_pi_placements_screws_dpidscrew
    dpi: Of_q_v_pi_placements_screws_dpidscrew
    dscrew: Of_q_v_pi_placements_screws_dpidscrew
    dplacement: Of_q_v_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_pi_placements_screws_lam_several

@type_check_only
class MorphableKineticEnergy(Of_q_v_pi_placements_screws, Quantity):
    dt: Of_q_v_a_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_j_pi_placements_screws_dpidscrew
    dq: Of_q_v_pi_placements_screws_dpidscrew
    dv: Of_q_v_pi_placements_screws_dpidscrew
    dpi: Of_q_v_pi_placements_screws_dpidscrew
    dscrew: Of_q_v_pi_placements_screws_dpidscrew
    dplacement: Of_q_v_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_pi_placements_screws_lam_several

@type_check_only
class MorphablePotentialEnergy(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_pi_placements_screws_dpidscrew
    dq: Of_q_pi_placements_screws_dpidscrew
    dqq: Of_q_pi_placements_screws_dpidscrew
    dscrew: Of_q_pi_placements_screws_dpidscrew
    dplacement: Of_q_pi_placements_screws_dpidscrew
    dpi: Of_q_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_pi_placements_screws_lam_several

@type_check_only
class MorphableCenterOfMass(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_pi_placements_screws_dpidscrew
    dq: Of_q_pi_placements_screws_dpidscrew
    dscrew: Of_q_pi_placements_screws_dpidscrew
    dplacement: Of_q_pi_placements_screws_dpidscrew
    dpi: Of_q_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_pi_placements_screws_lam_several

@type_check_only
class MorphableComJacobian(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_pi_placements_screws_dpidscrew
    dq: Of_q_pi_placements_screws_dpidscrew
    dpi: Of_q_pi_placements_screws_dpidscrew
    dscrew: Of_q_pi_placements_screws_dpidscrew
    dplacement: Of_q_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_pi_placements_screws_lam_several

@type_check_only
class MorphableMomentum(Of_q_v_pi_placements_screws, Quantity):
    dt: Of_q_v_a_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_j_pi_placements_screws_dpidscrew
    dq: Of_q_v_pi_placements_screws_dpidscrew
    dv: Of_q_v_pi_placements_screws_dpidscrew
    dpi: Of_q_v_pi_placements_screws_dpidscrew
    dscrew: Of_q_v_pi_placements_screws_dpidscrew
    dplacement: Of_q_v_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_pi_placements_screws_lam_several

@type_check_only
class MorphableMomentumMatrix(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_pi_placements_screws_dpidscrew
    dq: Of_q_pi_placements_screws_dpidscrew
    dpi: Of_q_pi_placements_screws_dpidscrew
    dscrew: Of_q_pi_placements_screws_dpidscrew
    dplacement: Of_q_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_pi_placements_screws_lam_several

@type_check_only
class MorphableCentroidalMomentum(Of_q_v_pi_placements_screws, Quantity):
    dt: Of_q_v_a_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_j_pi_placements_screws_dpidscrew
    dq: Of_q_v_pi_placements_screws_dpidscrew
    dv: Of_q_v_pi_placements_screws_dpidscrew
    dpi: Of_q_v_pi_placements_screws_dpidscrew
    dscrew: Of_q_v_pi_placements_screws_dpidscrew
    dplacement: Of_q_v_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_pi_placements_screws_lam_several

@type_check_only
class MorphableCentroidalMomentumMatrix(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_pi_placements_screws_dpidscrew
    dq: Of_q_pi_placements_screws_dpidscrew
    dpi: Of_q_pi_placements_screws_dpidscrew
    dscrew: Of_q_pi_placements_screws_dpidscrew
    dplacement: Of_q_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_pi_placements_screws_lam_several

@type_check_only
class Of_q_v_pi_placements_screws_dscrew(Of_q_v_pi_placements_screws, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_pi_placements_screws_dscrew(Of_q_v_a_pi_placements_screws, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_pi_placements_screws_dscrew(Of_q_pi_placements_screws, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class MorphableBodyPoses(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dscrew
    dtt: Of_q_v_a_pi_placements_screws_dscrew
    dq: Of_q_pi_placements_screws_dscrew
    dscrew: Of_q_pi_placements_screws_dscrew
    dplacement: Of_q_pi_placements_screws_dscrew
    jvp: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_pi_placements_screws_lam_several

@type_check_only
class Of_q_v_pi_placements_screws_on_base_twist(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_pi_placements_screws_on_base_acceleration_dscrew(Of_q_v_a_pi_placements_screws_on_base_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_j_pi_placements_screws_on_dbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_pi_placements_screws_on_dbase_acceleration_dscrew(Of_q_v_a_j_pi_placements_screws_on_dbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_pi_placements_screws_on_base_twist_dscrew(Of_q_v_pi_placements_screws_on_base_twist, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_on_base_twist_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_on_base_twist_coordinates(Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_on_base_twist_coordinates, Open):
    ...

@type_check_only
class Of_q_v_pi_placements_screws_lam_on_base_twist_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, *, out: Several = None, base_twist: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_pi_placements_screws_lam_on_base_twist_coordinates_several(Of_q_v_pi_placements_screws_lam_on_base_twist_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_on_base_twist(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_on_base_twist(Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_on_base_twist, Open):
    ...

@type_check_only
class Of_q_v_pi_placements_screws_lam_on_base_twist_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, *, out: Several = None, base_twist: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_pi_placements_screws_lam_on_base_twist_several(Of_q_v_pi_placements_screws_lam_on_base_twist_several, Open):
    ...

@type_check_only
class MorphableBodyTwists(Of_q_v_pi_placements_screws_on_base_twist, Quantity):
    dt: Of_q_v_a_pi_placements_screws_on_base_acceleration_dscrew
    dtt: Of_q_v_a_j_pi_placements_screws_on_dbase_acceleration_dscrew
    dq: Of_q_v_pi_placements_screws_on_base_twist_dscrew
    dv: Of_q_v_pi_placements_screws_on_base_twist_dscrew
    dscrew: Of_q_v_pi_placements_screws_on_base_twist_dscrew
    dplacement: Of_q_v_pi_placements_screws_on_base_twist_dscrew
    jvp: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_on_base_twist_coordinates
    vjp: Open_Of_q_v_pi_placements_screws_lam_on_base_twist_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_on_base_twist
    vjp_coordinates: Open_Of_q_v_pi_placements_screws_lam_on_base_twist_several

@type_check_only
class Of_q_v_a_j_s_pi_placements_screws_on_ddbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, s: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, ddbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_s_pi_placements_screws_on_ddbase_acceleration_dscrew(Of_q_v_a_j_s_pi_placements_screws_on_ddbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    ds: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_on_base_acceleration_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, da: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_on_base_acceleration_coordinates(Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_on_base_acceleration_coordinates, Open):
    ...

@type_check_only
class Of_q_v_a_pi_placements_screws_lam_on_base_acceleration_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_a_pi_placements_screws_lam_on_base_acceleration_coordinates_several(Of_q_v_a_pi_placements_screws_lam_on_base_acceleration_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, da: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_on_base_acceleration(Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_on_base_acceleration, Open):
    ...

@type_check_only
class Of_q_v_a_pi_placements_screws_lam_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_a_pi_placements_screws_lam_on_base_acceleration_several(Of_q_v_a_pi_placements_screws_lam_on_base_acceleration_several, Open):
    ...

@type_check_only
class MorphableBodyAccelerations(Of_q_v_a_pi_placements_screws_on_base_acceleration, Quantity):
    dt: Of_q_v_a_j_pi_placements_screws_on_dbase_acceleration_dscrew
    dtt: Of_q_v_a_j_s_pi_placements_screws_on_ddbase_acceleration_dscrew
    dq: Of_q_v_a_pi_placements_screws_on_base_acceleration_dscrew
    dv: Of_q_v_a_pi_placements_screws_on_base_acceleration_dscrew
    da: Of_q_v_a_pi_placements_screws_on_base_acceleration_dscrew
    dscrew: Of_q_v_a_pi_placements_screws_on_base_acceleration_dscrew
    dplacement: Of_q_v_a_pi_placements_screws_on_base_acceleration_dscrew
    jvp: Open_Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_a_pi_placements_screws_lam_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_a_pi_placements_screws_lam_on_base_acceleration_several

@type_check_only
class MorphableJointWrenches(Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration, Quantity):
    dt: Of_q_v_a_j_pi_placements_screws_or_wrenches_dwrenches_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_a_j_s_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    dv: Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    da: Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    dpi: Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_or_wrenches_dwrenches_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_a_pi_placements_screws_lam_or_wrenches_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_or_wrenches_dwrenches_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_a_pi_placements_screws_lam_or_wrenches_on_base_acceleration_several

@type_check_only
class Of_q_v_tau_h_pi_placements_screws_or_wrenches_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, *, out: Several = None, method: Literal['euler', 'rk4', 'implicit_midpoint', 'variational'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_tau_dtau_h_dh_pi_placements_screws_or_wrenches_dwrenches_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, tau: ArrayLike, dtau: ArrayLike, h: ArrayLike, dh: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, *, out: Several = None, method: Literal['euler', 'rk4', 'implicit_midpoint', 'variational'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_tau_dtau_h_dh_pi_placements_screws_or_wrenches_dwrenches_method_friction_several_dpidscrew(Of_q_v_a_tau_dtau_h_dh_pi_placements_screws_or_wrenches_dwrenches_method_friction_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dtau: Further
    dh: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_j_tau_dtau_ddtau_h_dh_ddh_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, tau: ArrayLike, dtau: ArrayLike, ddtau: ArrayLike, h: ArrayLike, dh: ArrayLike, ddh: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, ddwrenches: Wrenches | None = None, *, out: Several = None, method: Literal['euler', 'rk4', 'implicit_midpoint', 'variational'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_j_tau_dtau_ddtau_h_dh_ddh_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_method_friction_several_dpidscrew(Of_q_v_a_j_tau_dtau_ddtau_h_dh_ddh_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_method_friction_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dtau: Further
    dh: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_h_pi_placements_screws_or_wrenches_method_friction_several_dpidscrew(Of_q_v_tau_h_pi_placements_screws_or_wrenches_method_friction_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dh: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_h_pi_placements_screws_dq_dv_dtau_dh_dpi_dplacements_dscrews_or_wrenches_dwrenches_method_friction_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dh: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, *, out: Several = None, method: Literal['euler', 'rk4', 'implicit_midpoint', 'variational'] = 'euler', friction: bool = False, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_h_pi_placements_screws_dq_dv_dtau_dh_dpi_dplacements_dscrews_or_wrenches_dwrenches_method_friction_coordinates_several(Of_q_v_tau_h_pi_placements_screws_dq_dv_dtau_dh_dpi_dplacements_dscrews_or_wrenches_dwrenches_method_friction_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_h_pi_placements_screws_lam_0_lam_1_or_wrenches_method_friction_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, wrenches: Wrenches | None = None, *, out: Several = None, method: Literal['euler', 'rk4', 'implicit_midpoint', 'variational'] = 'euler', friction: bool = False, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_h_pi_placements_screws_lam_0_lam_1_or_wrenches_method_friction_coordinates_several(Of_q_v_tau_h_pi_placements_screws_lam_0_lam_1_or_wrenches_method_friction_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_h_pi_placements_screws_dq_dv_dtau_dh_dpi_dplacements_dscrews_or_wrenches_dwrenches_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dh: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, *, out: Several = None, method: Literal['euler', 'rk4', 'implicit_midpoint', 'variational'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_h_pi_placements_screws_dq_dv_dtau_dh_dpi_dplacements_dscrews_or_wrenches_dwrenches_method_friction_several(Of_q_v_tau_h_pi_placements_screws_dq_dv_dtau_dh_dpi_dplacements_dscrews_or_wrenches_dwrenches_method_friction_several, Open):
    ...

@type_check_only
class Of_q_v_tau_h_pi_placements_screws_lam_0_lam_1_or_wrenches_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, wrenches: Wrenches | None = None, *, out: Several = None, method: Literal['euler', 'rk4', 'implicit_midpoint', 'variational'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_h_pi_placements_screws_lam_0_lam_1_or_wrenches_method_friction_several(Of_q_v_tau_h_pi_placements_screws_lam_0_lam_1_or_wrenches_method_friction_several, Open):
    ...

@type_check_only
class MorphableStep(Of_q_v_tau_h_pi_placements_screws_or_wrenches_method_friction_several, Quantity):
    dt: Of_q_v_a_tau_dtau_h_dh_pi_placements_screws_or_wrenches_dwrenches_method_friction_several_dpidscrew
    dtt: Of_q_v_a_j_tau_dtau_ddtau_h_dh_ddh_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_method_friction_several_dpidscrew
    dq: Of_q_v_tau_h_pi_placements_screws_or_wrenches_method_friction_several_dpidscrew
    dv: Of_q_v_tau_h_pi_placements_screws_or_wrenches_method_friction_several_dpidscrew
    dtau: Of_q_v_tau_h_pi_placements_screws_or_wrenches_method_friction_several_dpidscrew
    dh: Of_q_v_tau_h_pi_placements_screws_or_wrenches_method_friction_several_dpidscrew
    derivatives: Of_q_v_tau_h_pi_placements_screws_or_wrenches_method_friction_several_dpidscrew
    dpi: Of_q_v_tau_h_pi_placements_screws_or_wrenches_method_friction_several_dpidscrew
    dscrew: Of_q_v_tau_h_pi_placements_screws_or_wrenches_method_friction_several_dpidscrew
    dplacement: Of_q_v_tau_h_pi_placements_screws_or_wrenches_method_friction_several_dpidscrew
    jvp: Open_Of_q_v_tau_h_pi_placements_screws_dq_dv_dtau_dh_dpi_dplacements_dscrews_or_wrenches_dwrenches_method_friction_coordinates_several
    vjp: Open_Of_q_v_tau_h_pi_placements_screws_lam_0_lam_1_or_wrenches_method_friction_coordinates_several
    jvp_coordinates: Open_Of_q_v_tau_h_pi_placements_screws_dq_dv_dtau_dh_dpi_dplacements_dscrews_or_wrenches_dwrenches_method_friction_several
    vjp_coordinates: Open_Of_q_v_tau_h_pi_placements_screws_lam_0_lam_1_or_wrenches_method_friction_several

@type_check_only
class Of_q_v_a_or_wrenches_joint_forces_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_or_wrenches_dwrenches_joint_forces_djoint_forces_on_dbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, djoint_forces: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_or_wrenches_dwrenches_joint_forces_djoint_forces_on_dbase_acceleration_dpidscrew(Of_q_v_a_j_or_wrenches_dwrenches_joint_forces_djoint_forces_on_dbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_j_s_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_on_ddbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, s: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, ddwrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, djoint_forces: ArrayLike | None = None, ddjoint_forces: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, ddbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_s_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_on_ddbase_acceleration_dpidscrew(Of_q_v_a_j_s_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_on_ddbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    ds: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_or_wrenches_joint_forces_on_base_acceleration_dpidscrew(Of_q_v_a_or_wrenches_joint_forces_on_base_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_or_wrenches_joint_forces_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_or_wrenches_joint_forces_on_base_acceleration_several_dpidscrew(Of_q_v_a_or_wrenches_joint_forces_on_base_acceleration_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_lam_or_wrenches_joint_forces_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_lam_or_wrenches_joint_forces_on_base_acceleration_dpidscrew(Of_q_v_a_lam_or_wrenches_joint_forces_on_base_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_lam_or_wrenches_joint_forces_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_lam_or_wrenches_joint_forces_on_base_acceleration_several_dpidscrew(Of_q_v_a_lam_or_wrenches_joint_forces_on_base_acceleration_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_dq_dv_da_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, dq: ArrayLike, dv: ArrayLike, da: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, dwrenches: Wrenches | None = None, djoint_forces: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_a_dq_dv_da_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration_coordinates(Of_q_v_a_dq_dv_da_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration_coordinates, Open):
    ...

@type_check_only
class Of_q_v_a_lam_or_wrenches_joint_forces_on_base_acceleration_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_a_lam_or_wrenches_joint_forces_on_base_acceleration_coordinates_several(Of_q_v_a_lam_or_wrenches_joint_forces_on_base_acceleration_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_a_dq_dv_da_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, dq: ArrayLike, dv: ArrayLike, da: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, dwrenches: Wrenches | None = None, djoint_forces: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_a_dq_dv_da_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration(Of_q_v_a_dq_dv_da_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration, Open):
    ...

@type_check_only
class Open_Of_q_v_a_lam_or_wrenches_joint_forces_on_base_acceleration_several(Of_q_v_a_lam_or_wrenches_joint_forces_on_base_acceleration_several, Open):
    ...

@type_check_only
class MechanismInverseDynamics(Of_q_v_a_or_wrenches_joint_forces_on_base_acceleration, Quantity):
    dt: Of_q_v_a_j_or_wrenches_dwrenches_joint_forces_djoint_forces_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_a_j_s_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_a_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    dv: Of_q_v_a_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    da: Of_q_v_a_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    derivatives: Of_q_v_a_or_wrenches_joint_forces_on_base_acceleration_several_dpidscrew
    hessian: Of_q_v_a_lam_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    design: Of_q_v_a_lam_or_wrenches_joint_forces_on_base_acceleration_several_dpidscrew
    dpi: Of_q_v_a_on_base_acceleration_extended_dpidscrew
    dscrew: Of_q_v_a_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_a_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_a_dq_dv_da_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_a_lam_or_wrenches_joint_forces_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_dq_dv_da_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_a_lam_or_wrenches_joint_forces_on_base_acceleration_several

@type_check_only
class Of_q_v_tau_or_wrenches_joint_forces_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_or_wrenches_dwrenches_joint_forces_djoint_forces_on_dbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, djoint_forces: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_or_wrenches_dwrenches_joint_forces_djoint_forces_on_dbase_acceleration_dpidscrew(Of_q_v_tau_dtau_or_wrenches_dwrenches_joint_forces_djoint_forces_on_dbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_on_ddbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, ddtau: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, ddwrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, djoint_forces: ArrayLike | None = None, ddjoint_forces: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, ddbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_on_ddbase_acceleration_dpidscrew(Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_on_ddbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_or_wrenches_joint_forces_on_base_acceleration_dpidscrew(Of_q_v_tau_or_wrenches_joint_forces_on_base_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_or_wrenches_joint_forces_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_tau_or_wrenches_joint_forces_on_base_acceleration_several_dpidscrew(Of_q_v_tau_or_wrenches_joint_forces_on_base_acceleration_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_lam_or_wrenches_joint_forces_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_tau_lam_or_wrenches_joint_forces_on_base_acceleration_several_dpidscrew(Of_q_v_tau_lam_or_wrenches_joint_forces_on_base_acceleration_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_dq_dv_dtau_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, dwrenches: Wrenches | None = None, djoint_forces: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_tau_dq_dv_dtau_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration_coordinates(Of_q_v_tau_dq_dv_dtau_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration_coordinates, Open):
    ...

@type_check_only
class Of_q_v_tau_lam_or_wrenches_joint_forces_on_base_acceleration_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_lam_or_wrenches_joint_forces_on_base_acceleration_coordinates_several(Of_q_v_tau_lam_or_wrenches_joint_forces_on_base_acceleration_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_dq_dv_dtau_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, dwrenches: Wrenches | None = None, djoint_forces: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_tau_dq_dv_dtau_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration(Of_q_v_tau_dq_dv_dtau_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration, Open):
    ...

@type_check_only
class Open_Of_q_v_tau_lam_or_wrenches_joint_forces_on_base_acceleration_several(Of_q_v_tau_lam_or_wrenches_joint_forces_on_base_acceleration_several, Open):
    ...

@type_check_only
class MechanismForwardDynamics(Of_q_v_tau_or_wrenches_joint_forces_on_base_acceleration, Quantity):
    dt: Of_q_v_tau_dtau_or_wrenches_dwrenches_joint_forces_djoint_forces_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_tau_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    dv: Of_q_v_tau_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    dtau: Of_q_v_tau_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    derivatives: Of_q_v_tau_or_wrenches_joint_forces_on_base_acceleration_several_dpidscrew
    design: Of_q_v_tau_lam_or_wrenches_joint_forces_on_base_acceleration_several_dpidscrew
    dpi: Of_q_v_tau_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_tau_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_tau_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_tau_dq_dv_dtau_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_tau_lam_or_wrenches_joint_forces_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_tau_dq_dv_dtau_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_tau_lam_or_wrenches_joint_forces_on_base_acceleration_several

@type_check_only
class ConstraintForces(Of_q_v_tau_or_wrenches_joint_forces_on_base_acceleration, Quantity):
    dt: Of_q_v_tau_dtau_or_wrenches_dwrenches_joint_forces_djoint_forces_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_tau_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    dv: Of_q_v_tau_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    dtau: Of_q_v_tau_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    dpi: Of_q_v_tau_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_tau_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_tau_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_tau_dq_dv_dtau_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_tau_lam_or_wrenches_joint_forces_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_tau_dq_dv_dtau_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_tau_lam_or_wrenches_joint_forces_on_base_acceleration_several

@type_check_only
class MechanismMassMatrix(Of_q, Quantity):
    dt: Of_q_v_dpidscrew
    dtt: Of_q_v_a_dpidscrew
    dq: Of_q_dpidscrew
    dpi: Of_q_dpidscrew
    dscrew: Of_q_dpidscrew
    dplacement: Of_q_dpidscrew
    jvp: Open_Of_q_dq_coordinates
    vjp: Open_Of_q_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dq
    vjp_coordinates: Open_Of_q_lam_several

@type_check_only
class MechanismGravityForces(Of_q, Quantity):
    dt: Of_q_v_dpidscrew
    dtt: Of_q_v_a_dpidscrew
    dq: Of_q_dpidscrew
    design: Of_q_lam_several_dpidscrew
    dpi: Of_q_dpidscrew
    dscrew: Of_q_dpidscrew
    dplacement: Of_q_dpidscrew
    jvp: Open_Of_q_dq_coordinates
    vjp: Open_Of_q_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dq
    vjp_coordinates: Open_Of_q_lam_several

@type_check_only
class MechanismBiasForces(Of_q_v_on_base_acceleration, Quantity):
    dt: Of_q_v_a_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_a_j_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_on_base_acceleration_dpidscrew
    dv: Of_q_v_on_base_acceleration_dpidscrew
    design: Of_q_v_lam_on_base_acceleration_several_dpidscrew
    dpi: Of_q_v_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_dq_dv_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_lam_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_dq_dv_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_lam_on_base_acceleration_several

@type_check_only
class MechanismJointFriction(Of_q_v, Quantity):
    dt: Of_q_v_a_dscrew
    dtt: Of_q_v_a_j_dscrew
    dq: Of_q_v_dscrew
    dv: Of_q_v_dscrew
    dscrew: Of_q_v_dscrew
    dplacement: Of_q_v_dscrew
    jvp: Open_Of_q_v_dq_dv_coordinates
    vjp: Open_Of_q_v_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_dq_dv
    vjp_coordinates: Open_Of_q_v_lam_several

@type_check_only
class PassiveJacobian(Of_q, Quantity):
    dt: Of_q_v_dscrew
    dtt: Of_q_v_a_dscrew
    dq: Of_q_dscrew
    dscrew: Of_q_dscrew
    dplacement: Of_q_dscrew
    jvp: Open_Of_q_dq_coordinates
    vjp: Open_Of_q_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dq
    vjp_coordinates: Open_Of_q_lam_several

@type_check_only
class Velocity(Of_q_v, Quantity):
    dt: Of_q_v_a_dscrew
    dtt: Of_q_v_a_j_dscrew
    dq: Of_q_v_dscrew
    dv: Of_q_v_dscrew
    dscrew: Of_q_v_dscrew
    dplacement: Of_q_v_dscrew
    jvp: Open_Of_q_v_dq_dv_coordinates
    vjp: Open_Of_q_v_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_dq_dv
    vjp_coordinates: Open_Of_q_v_lam_several

@type_check_only
class Of_q_joint_forces(quantity.Evaluable):
    def __call__(self, q: ArrayLike, joint_forces: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_joint_forces_djoint_forces(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, joint_forces: ArrayLike, djoint_forces: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_joint_forces_djoint_forces_dscrew(Of_q_v_joint_forces_djoint_forces, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_joint_forces_djoint_forces_ddjoint_forces(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, joint_forces: ArrayLike, djoint_forces: ArrayLike, ddjoint_forces: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_joint_forces_djoint_forces_ddjoint_forces_dscrew(Of_q_v_a_joint_forces_djoint_forces_ddjoint_forces, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_joint_forces_dscrew(Of_q_joint_forces, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_joint_forces_dq_djoint_forces_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, joint_forces: ArrayLike, dq: ArrayLike, djoint_forces: ArrayLike, *, out: One = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_joint_forces_dq_djoint_forces_coordinates(Of_q_joint_forces_dq_djoint_forces_coordinates, Open):
    ...

@type_check_only
class Of_q_joint_forces_lam_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, joint_forces: ArrayLike, lam: ArrayLike, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_joint_forces_lam_coordinates_several(Of_q_joint_forces_lam_coordinates_several, Open):
    ...

@type_check_only
class Of_q_joint_forces_dq_djoint_forces(quantity.Evaluable):
    def __call__(self, q: ArrayLike, joint_forces: ArrayLike, dq: ArrayLike, djoint_forces: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_joint_forces_dq_djoint_forces(Of_q_joint_forces_dq_djoint_forces, Open):
    ...

@type_check_only
class Of_q_joint_forces_lam_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, joint_forces: ArrayLike, lam: ArrayLike, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_joint_forces_lam_several(Of_q_joint_forces_lam_several, Open):
    ...

@type_check_only
class IndependentForces(Of_q_joint_forces, Quantity):
    dt: Of_q_v_joint_forces_djoint_forces_dscrew
    dtt: Of_q_v_a_joint_forces_djoint_forces_ddjoint_forces_dscrew
    dq: Of_q_joint_forces_dscrew
    dscrew: Of_q_joint_forces_dscrew
    dplacement: Of_q_joint_forces_dscrew
    jvp: Open_Of_q_joint_forces_dq_djoint_forces_coordinates
    vjp: Open_Of_q_joint_forces_lam_coordinates_several
    jvp_coordinates: Open_Of_q_joint_forces_dq_djoint_forces
    vjp_coordinates: Open_Of_q_joint_forces_lam_several

@type_check_only
class Of_q_v_tau_h_or_wrenches_joint_forces_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, *, out: Several = None, method: Literal['euler', 'rk4'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_tau_dtau_h_dh_or_wrenches_dwrenches_joint_forces_djoint_forces_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, tau: ArrayLike, dtau: ArrayLike, h: ArrayLike, dh: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, djoint_forces: ArrayLike | None = None, *, out: Several = None, method: Literal['euler', 'rk4'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_tau_dtau_h_dh_or_wrenches_dwrenches_joint_forces_djoint_forces_method_friction_several_dpidscrew(Of_q_v_a_tau_dtau_h_dh_or_wrenches_dwrenches_joint_forces_djoint_forces_method_friction_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dtau: Further
    dh: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_j_tau_dtau_ddtau_h_dh_ddh_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, tau: ArrayLike, dtau: ArrayLike, ddtau: ArrayLike, h: ArrayLike, dh: ArrayLike, ddh: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, ddwrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, djoint_forces: ArrayLike | None = None, ddjoint_forces: ArrayLike | None = None, *, out: Several = None, method: Literal['euler', 'rk4'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_j_tau_dtau_ddtau_h_dh_ddh_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_method_friction_several_dpidscrew(Of_q_v_a_j_tau_dtau_ddtau_h_dh_ddh_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_method_friction_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dtau: Further
    dh: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_h_or_wrenches_joint_forces_method_friction_several_dpidscrew(Of_q_v_tau_h_or_wrenches_joint_forces_method_friction_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dh: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_h_dq_dv_dtau_dh_or_wrenches_joint_forces_dwrenches_djoint_forces_method_friction_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dh: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, dwrenches: Wrenches | None = None, djoint_forces: ArrayLike | None = None, *, out: Several = None, method: Literal['euler', 'rk4'] = 'euler', friction: bool = False, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_h_dq_dv_dtau_dh_or_wrenches_joint_forces_dwrenches_djoint_forces_method_friction_coordinates_several(Of_q_v_tau_h_dq_dv_dtau_dh_or_wrenches_joint_forces_dwrenches_djoint_forces_method_friction_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_h_lam_0_lam_1_or_wrenches_joint_forces_method_friction_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, *, out: Several = None, method: Literal['euler', 'rk4'] = 'euler', friction: bool = False, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_h_lam_0_lam_1_or_wrenches_joint_forces_method_friction_coordinates_several(Of_q_v_tau_h_lam_0_lam_1_or_wrenches_joint_forces_method_friction_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_h_dq_dv_dtau_dh_or_wrenches_joint_forces_dwrenches_djoint_forces_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dh: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, dwrenches: Wrenches | None = None, djoint_forces: ArrayLike | None = None, *, out: Several = None, method: Literal['euler', 'rk4'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_h_dq_dv_dtau_dh_or_wrenches_joint_forces_dwrenches_djoint_forces_method_friction_several(Of_q_v_tau_h_dq_dv_dtau_dh_or_wrenches_joint_forces_dwrenches_djoint_forces_method_friction_several, Open):
    ...

@type_check_only
class Of_q_v_tau_h_lam_0_lam_1_or_wrenches_joint_forces_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, *, out: Several = None, method: Literal['euler', 'rk4'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_h_lam_0_lam_1_or_wrenches_joint_forces_method_friction_several(Of_q_v_tau_h_lam_0_lam_1_or_wrenches_joint_forces_method_friction_several, Open):
    ...

@type_check_only
class MechanismStep(Of_q_v_tau_h_or_wrenches_joint_forces_method_friction_several, Quantity):
    dt: Of_q_v_a_tau_dtau_h_dh_or_wrenches_dwrenches_joint_forces_djoint_forces_method_friction_several_dpidscrew
    dtt: Of_q_v_a_j_tau_dtau_ddtau_h_dh_ddh_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_method_friction_several_dpidscrew
    dq: Of_q_v_tau_h_or_wrenches_joint_forces_method_friction_several_dpidscrew
    dv: Of_q_v_tau_h_or_wrenches_joint_forces_method_friction_several_dpidscrew
    dtau: Of_q_v_tau_h_or_wrenches_joint_forces_method_friction_several_dpidscrew
    dh: Of_q_v_tau_h_or_wrenches_joint_forces_method_friction_several_dpidscrew
    derivatives: Of_q_v_tau_h_or_wrenches_joint_forces_method_friction_several_dpidscrew
    dpi: Of_q_v_tau_h_or_wrenches_joint_forces_method_friction_several_dpidscrew
    dscrew: Of_q_v_tau_h_or_wrenches_joint_forces_method_friction_several_dpidscrew
    dplacement: Of_q_v_tau_h_or_wrenches_joint_forces_method_friction_several_dpidscrew
    jvp: Open_Of_q_v_tau_h_dq_dv_dtau_dh_or_wrenches_joint_forces_dwrenches_djoint_forces_method_friction_coordinates_several
    vjp: Open_Of_q_v_tau_h_lam_0_lam_1_or_wrenches_joint_forces_method_friction_coordinates_several
    jvp_coordinates: Open_Of_q_v_tau_h_dq_dv_dtau_dh_or_wrenches_joint_forces_dwrenches_djoint_forces_method_friction_several
    vjp_coordinates: Open_Of_q_v_tau_h_lam_0_lam_1_or_wrenches_joint_forces_method_friction_several

@type_check_only
class MechanismPotentialEnergy(Of_q, Quantity):
    dt: Of_q_v_dpidscrew
    dtt: Of_q_v_a_dpidscrew
    dq: Of_q_dpidscrew
    dscrew: Of_q_dpidscrew
    dplacement: Of_q_dpidscrew
    dpi: Of_q_dpidscrew
    jvp: Open_Of_q_dq_coordinates
    vjp: Open_Of_q_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dq
    vjp_coordinates: Open_Of_q_lam_several

@type_check_only
class LoopResidual(Of_q, Quantity):
    dt: Of_q_v_dscrew
    dtt: Of_q_v_a_dscrew
    dq: Of_q_dscrew
    dscrew: Of_q_dscrew
    dplacement: Of_q_dscrew
    jvp: Open_Of_q_dq_coordinates
    vjp: Open_Of_q_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dq
    vjp_coordinates: Open_Of_q_lam_several

@type_check_only
class LoopJacobian(Of_q, Quantity):
    dt: Of_q_v_dscrew
    dtt: Of_q_v_a_dscrew
    dq: Of_q_dscrew
    dscrew: Of_q_dscrew
    dplacement: Of_q_dscrew
    jvp: Open_Of_q_dq_coordinates
    vjp: Open_Of_q_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dq
    vjp_coordinates: Open_Of_q_lam_several

@type_check_only
class Of_q_v_tau_or_wrenches(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, wrenches: Wrenches | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_or_wrenches_dwrenches(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_or_wrenches_dwrenches_dpidscrew(Of_q_v_tau_dtau_or_wrenches_dwrenches, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, ddtau: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, ddwrenches: Wrenches | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches_dpidscrew(Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_or_wrenches_dpidscrew(Of_q_v_tau_or_wrenches, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_dq_dv_dtau_or_wrenches_dwrenches_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, *, out: One = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_tau_dq_dv_dtau_or_wrenches_dwrenches_coordinates(Of_q_v_tau_dq_dv_dtau_or_wrenches_dwrenches_coordinates, Open):
    ...

@type_check_only
class Of_q_v_tau_lam_or_wrenches_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_lam_or_wrenches_coordinates_several(Of_q_v_tau_lam_or_wrenches_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_dq_dv_dtau_or_wrenches_dwrenches(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_tau_dq_dv_dtau_or_wrenches_dwrenches(Of_q_v_tau_dq_dv_dtau_or_wrenches_dwrenches, Open):
    ...

@type_check_only
class Of_q_v_tau_lam_or_wrenches_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_lam_or_wrenches_several(Of_q_v_tau_lam_or_wrenches_several, Open):
    ...

@type_check_only
class ConstrainedDynamics(Of_q_v_tau_or_wrenches, Quantity):
    dt: Of_q_v_tau_dtau_or_wrenches_dwrenches_dpidscrew
    dtt: Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches_dpidscrew
    dq: Of_q_v_tau_or_wrenches_dpidscrew
    dv: Of_q_v_tau_or_wrenches_dpidscrew
    dtau: Of_q_v_tau_or_wrenches_dpidscrew
    dpi: Of_q_v_tau_or_wrenches_dpidscrew
    dscrew: Of_q_v_tau_or_wrenches_dpidscrew
    dplacement: Of_q_v_tau_or_wrenches_dpidscrew
    jvp: Open_Of_q_v_tau_dq_dv_dtau_or_wrenches_dwrenches_coordinates
    vjp: Open_Of_q_v_tau_lam_or_wrenches_coordinates_several
    jvp_coordinates: Open_Of_q_v_tau_dq_dv_dtau_or_wrenches_dwrenches
    vjp_coordinates: Open_Of_q_v_tau_lam_or_wrenches_several

@type_check_only
class Of_q_v_a_pi_or_wrenches_joint_forces_gravity_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_pi_or_wrenches_dwrenches_joint_forces_djoint_forces_gravity_on_dbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, djoint_forces: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_pi_or_wrenches_dwrenches_joint_forces_djoint_forces_gravity_on_dbase_acceleration_dpidscrew(Of_q_v_a_j_pi_or_wrenches_dwrenches_joint_forces_djoint_forces_gravity_on_dbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_j_s_pi_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_gravity_on_ddbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, s: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, ddwrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, djoint_forces: ArrayLike | None = None, ddjoint_forces: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, ddbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_s_pi_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_gravity_on_ddbase_acceleration_dpidscrew(Of_q_v_a_j_s_pi_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_gravity_on_ddbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    ds: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_dpidscrew(Of_q_v_a_pi_or_wrenches_joint_forces_gravity_on_base_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_several_dpidscrew(Of_q_v_a_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_lam_pi_or_wrenches_joint_forces_gravity_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, lam: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_lam_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_dpidscrew(Of_q_v_a_lam_pi_or_wrenches_joint_forces_gravity_on_base_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_lam_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, lam: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_lam_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_several_dpidscrew(Of_q_v_a_lam_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_pi_dq_dv_da_dpi_or_wrenches_joint_forces_gravity_dwrenches_djoint_forces_dgravity_on_base_acceleration_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, dq: ArrayLike, dv: ArrayLike, da: ArrayLike, dpi: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, gravity: ArrayLike | None = None, dwrenches: Wrenches | None = None, djoint_forces: ArrayLike | None = None, dgravity: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_a_pi_dq_dv_da_dpi_or_wrenches_joint_forces_gravity_dwrenches_djoint_forces_dgravity_on_base_acceleration_coordinates(Of_q_v_a_pi_dq_dv_da_dpi_or_wrenches_joint_forces_gravity_dwrenches_djoint_forces_dgravity_on_base_acceleration_coordinates, Open):
    ...

@type_check_only
class Of_q_v_a_pi_lam_or_wrenches_joint_forces_gravity_on_base_acceleration_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_a_pi_lam_or_wrenches_joint_forces_gravity_on_base_acceleration_coordinates_several(Of_q_v_a_pi_lam_or_wrenches_joint_forces_gravity_on_base_acceleration_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_a_pi_dq_dv_da_dpi_or_wrenches_joint_forces_gravity_dwrenches_djoint_forces_dgravity_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, dq: ArrayLike, dv: ArrayLike, da: ArrayLike, dpi: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, gravity: ArrayLike | None = None, dwrenches: Wrenches | None = None, djoint_forces: ArrayLike | None = None, dgravity: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_a_pi_dq_dv_da_dpi_or_wrenches_joint_forces_gravity_dwrenches_djoint_forces_dgravity_on_base_acceleration(Of_q_v_a_pi_dq_dv_da_dpi_or_wrenches_joint_forces_gravity_dwrenches_djoint_forces_dgravity_on_base_acceleration, Open):
    ...

@type_check_only
class Of_q_v_a_pi_lam_or_wrenches_joint_forces_gravity_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_a_pi_lam_or_wrenches_joint_forces_gravity_on_base_acceleration_several(Of_q_v_a_pi_lam_or_wrenches_joint_forces_gravity_on_base_acceleration_several, Open):
    ...

@type_check_only
class ClosedParametricInverseDynamics(Of_q_v_a_pi_or_wrenches_joint_forces_gravity_on_base_acceleration, Quantity):
    dt: Of_q_v_a_j_pi_or_wrenches_dwrenches_joint_forces_djoint_forces_gravity_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_a_j_s_pi_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_gravity_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_a_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_dpidscrew
    dv: Of_q_v_a_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_dpidscrew
    da: Of_q_v_a_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_dpidscrew
    derivatives: Of_q_v_a_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_several_dpidscrew
    hessian: Of_q_v_a_lam_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_dpidscrew
    design: Of_q_v_a_lam_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_several_dpidscrew
    dpi: Of_q_v_a_pi_or_gravity_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_a_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_a_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_a_pi_dq_dv_da_dpi_or_wrenches_joint_forces_gravity_dwrenches_djoint_forces_dgravity_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_a_pi_lam_or_wrenches_joint_forces_gravity_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_pi_dq_dv_da_dpi_or_wrenches_joint_forces_gravity_dwrenches_djoint_forces_dgravity_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_a_pi_lam_or_wrenches_joint_forces_gravity_on_base_acceleration_several

@type_check_only
class Of_q_v_tau_pi_or_wrenches_joint_forces_gravity_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_pi_or_wrenches_dwrenches_joint_forces_djoint_forces_gravity_on_dbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, djoint_forces: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_pi_or_wrenches_dwrenches_joint_forces_djoint_forces_gravity_on_dbase_acceleration_dpidscrew(Of_q_v_tau_dtau_pi_or_wrenches_dwrenches_joint_forces_djoint_forces_gravity_on_dbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_dtau_ddtau_pi_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_gravity_on_ddbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, ddtau: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, ddwrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, djoint_forces: ArrayLike | None = None, ddjoint_forces: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, ddbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_ddtau_pi_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_gravity_on_ddbase_acceleration_dpidscrew(Of_q_v_tau_dtau_ddtau_pi_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_gravity_on_ddbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_dpidscrew(Of_q_v_tau_pi_or_wrenches_joint_forces_gravity_on_base_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_tau_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_several_dpidscrew(Of_q_v_tau_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_lam_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, lam: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_tau_lam_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_several_dpidscrew(Of_q_v_tau_lam_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_joint_forces_gravity_dwrenches_djoint_forces_dgravity_on_base_acceleration_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dpi: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, gravity: ArrayLike | None = None, dwrenches: Wrenches | None = None, djoint_forces: ArrayLike | None = None, dgravity: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_joint_forces_gravity_dwrenches_djoint_forces_dgravity_on_base_acceleration_coordinates(Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_joint_forces_gravity_dwrenches_djoint_forces_dgravity_on_base_acceleration_coordinates, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_lam_or_wrenches_joint_forces_gravity_on_base_acceleration_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_pi_lam_or_wrenches_joint_forces_gravity_on_base_acceleration_coordinates_several(Of_q_v_tau_pi_lam_or_wrenches_joint_forces_gravity_on_base_acceleration_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_joint_forces_gravity_dwrenches_djoint_forces_dgravity_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dpi: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, gravity: ArrayLike | None = None, dwrenches: Wrenches | None = None, djoint_forces: ArrayLike | None = None, dgravity: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_joint_forces_gravity_dwrenches_djoint_forces_dgravity_on_base_acceleration(Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_joint_forces_gravity_dwrenches_djoint_forces_dgravity_on_base_acceleration, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_lam_or_wrenches_joint_forces_gravity_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_pi_lam_or_wrenches_joint_forces_gravity_on_base_acceleration_several(Of_q_v_tau_pi_lam_or_wrenches_joint_forces_gravity_on_base_acceleration_several, Open):
    ...

@type_check_only
class ClosedParametricForwardDynamics(Of_q_v_tau_pi_or_wrenches_joint_forces_gravity_on_base_acceleration, Quantity):
    dt: Of_q_v_tau_dtau_pi_or_wrenches_dwrenches_joint_forces_djoint_forces_gravity_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_tau_dtau_ddtau_pi_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_gravity_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_tau_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_dpidscrew
    dv: Of_q_v_tau_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_dpidscrew
    dtau: Of_q_v_tau_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_dpidscrew
    derivatives: Of_q_v_tau_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_several_dpidscrew
    design: Of_q_v_tau_lam_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_several_dpidscrew
    dpi: Of_q_v_tau_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_tau_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_tau_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_joint_forces_gravity_dwrenches_djoint_forces_dgravity_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_tau_pi_lam_or_wrenches_joint_forces_gravity_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_joint_forces_gravity_dwrenches_djoint_forces_dgravity_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_tau_pi_lam_or_wrenches_joint_forces_gravity_on_base_acceleration_several

@type_check_only
class ClosedParametricConstraintForces(Of_q_v_tau_pi_or_wrenches_joint_forces_gravity_on_base_acceleration, Quantity):
    dt: Of_q_v_tau_dtau_pi_or_wrenches_dwrenches_joint_forces_djoint_forces_gravity_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_tau_dtau_ddtau_pi_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_gravity_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_tau_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_dpidscrew
    dv: Of_q_v_tau_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_dpidscrew
    dtau: Of_q_v_tau_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_dpidscrew
    dpi: Of_q_v_tau_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_tau_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_tau_pi_or_wrenches_joint_forces_gravity_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_joint_forces_gravity_dwrenches_djoint_forces_dgravity_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_tau_pi_lam_or_wrenches_joint_forces_gravity_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_joint_forces_gravity_dwrenches_djoint_forces_dgravity_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_tau_pi_lam_or_wrenches_joint_forces_gravity_on_base_acceleration_several

@type_check_only
class ClosedParametricMassMatrix(Of_q_pi_or_gravity, Quantity):
    dt: Of_q_v_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_pi_or_gravity_dpidscrew
    dq: Of_q_pi_or_gravity_dpidscrew
    dpi: Of_q_pi_or_gravity_dpidscrew
    dscrew: Of_q_pi_or_gravity_dpidscrew
    dplacement: Of_q_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_pi_dq_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_pi_dq_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_pi_lam_or_gravity_several

@type_check_only
class ClosedParametricMassMatrixInverse(Of_q_pi_or_gravity, Quantity):
    dt: Of_q_v_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_pi_or_gravity_dpidscrew
    dq: Of_q_pi_or_gravity_dpidscrew
    dpi: Of_q_pi_or_gravity_dpidscrew
    dscrew: Of_q_pi_or_gravity_dpidscrew
    dplacement: Of_q_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_pi_dq_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_pi_dq_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_pi_lam_or_gravity_several

@type_check_only
class ClosedParametricCoriolisMatrix(Of_q_v_pi_or_gravity, Quantity):
    dt: Of_q_v_a_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_j_pi_or_gravity_dpidscrew
    dq: Of_q_v_pi_or_gravity_dpidscrew
    dv: Of_q_v_pi_or_gravity_dpidscrew
    dpi: Of_q_v_pi_or_gravity_dpidscrew
    dscrew: Of_q_v_pi_or_gravity_dpidscrew
    dplacement: Of_q_v_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_v_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_v_pi_lam_or_gravity_several

@type_check_only
class ClosedParametricChristoffel(Of_q_pi_or_gravity, Quantity):
    dt: Of_q_v_pi_or_gravity_dpi
    dtt: Of_q_v_a_pi_or_gravity_dpi
    dq: Of_q_pi_or_gravity_dpi
    dpi: Of_q_pi_or_gravity_dpi
    jvp: Open_Of_q_pi_dq_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_pi_dq_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_pi_lam_or_gravity_several

@type_check_only
class ClosedParametricCoriolisMatrixGarofalo(Of_q_v_pi_or_gravity, Quantity):
    dt: Of_q_v_a_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_j_pi_or_gravity_dpidscrew
    dq: Of_q_v_pi_or_gravity_dpidscrew
    dv: Of_q_v_pi_or_gravity_dpidscrew
    dpi: Of_q_v_pi_or_gravity_dpidscrew
    dscrew: Of_q_v_pi_or_gravity_dpidscrew
    dplacement: Of_q_v_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_v_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_v_pi_lam_or_gravity_several

@type_check_only
class ClosedParametricCoriolisMatrixMuellerKumar(Of_q_v_pi_or_gravity, Quantity):
    dt: Of_q_v_a_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_j_pi_or_gravity_dpidscrew
    dq: Of_q_v_pi_or_gravity_dpidscrew
    dv: Of_q_v_pi_or_gravity_dpidscrew
    dpi: Of_q_v_pi_or_gravity_dpidscrew
    dscrew: Of_q_v_pi_or_gravity_dpidscrew
    dplacement: Of_q_v_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_v_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_v_pi_lam_or_gravity_several

@type_check_only
class ClosedParametricEquationsOfMotion(Of_q_v_pi_or_gravity_coriolis_several, Quantity):
    dt: Of_q_v_a_pi_or_gravity_coriolis_several_dpidscrew
    dtt: Of_q_v_a_j_pi_or_gravity_coriolis_several_dpidscrew
    dq: Of_q_v_pi_or_gravity_coriolis_several_dpidscrew
    dv: Of_q_v_pi_or_gravity_coriolis_several_dpidscrew
    dpi: Of_q_v_pi_or_gravity_coriolis_several_dpidscrew
    dscrew: Of_q_v_pi_or_gravity_coriolis_several_dpidscrew
    dplacement: Of_q_v_pi_or_gravity_coriolis_several_dpidscrew
    jvp: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coriolis_coordinates_several
    vjp: Open_Of_q_v_pi_lam_0_lam_1_lam_2_or_gravity_coriolis_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coriolis_several
    vjp_coordinates: Open_Of_q_v_pi_lam_0_lam_1_lam_2_or_gravity_coriolis_several

@type_check_only
class ClosedParametricGravityForces(Of_q_pi_or_gravity, Quantity):
    dt: Of_q_v_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_pi_or_gravity_dpidscrew
    dq: Of_q_pi_or_gravity_dpidscrew
    design: Of_q_lam_pi_or_gravity_several_dpidscrew
    dpi: Of_q_pi_or_gravity_dpidscrew
    dscrew: Of_q_pi_or_gravity_dpidscrew
    dplacement: Of_q_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_pi_dq_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_pi_dq_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_pi_lam_or_gravity_several

@type_check_only
class ClosedParametricBiasForces(Of_q_v_pi_or_gravity_on_base_acceleration, Quantity):
    dt: Of_q_v_a_pi_or_gravity_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_a_j_pi_or_gravity_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_pi_or_gravity_on_base_acceleration_dpidscrew
    dv: Of_q_v_pi_or_gravity_on_base_acceleration_dpidscrew
    design: Of_q_v_lam_pi_or_gravity_on_base_acceleration_several_dpidscrew
    dpi: Of_q_v_pi_or_gravity_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_pi_or_gravity_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_pi_or_gravity_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_pi_lam_or_gravity_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_pi_lam_or_gravity_on_base_acceleration_several

@type_check_only
class ClosedParametricMomentumForces(Of_q_v_pi_or_gravity, Quantity):
    dt: Of_q_v_a_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_j_pi_or_gravity_dpidscrew
    dq: Of_q_v_pi_or_gravity_dpidscrew
    dv: Of_q_v_pi_or_gravity_dpidscrew
    dpi: Of_q_v_pi_or_gravity_dpidscrew
    dscrew: Of_q_v_pi_or_gravity_dpidscrew
    dplacement: Of_q_v_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_v_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_v_pi_lam_or_gravity_several

@type_check_only
class Of_q_v_tau_h_pi_or_wrenches_joint_forces_gravity_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, method: Literal['euler', 'rk4'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_tau_dtau_h_dh_pi_or_wrenches_dwrenches_joint_forces_djoint_forces_gravity_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, tau: ArrayLike, dtau: ArrayLike, h: ArrayLike, dh: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, djoint_forces: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, method: Literal['euler', 'rk4'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_tau_dtau_h_dh_pi_or_wrenches_dwrenches_joint_forces_djoint_forces_gravity_method_friction_several_dpidscrew(Of_q_v_a_tau_dtau_h_dh_pi_or_wrenches_dwrenches_joint_forces_djoint_forces_gravity_method_friction_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dtau: Further
    dh: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_j_tau_dtau_ddtau_h_dh_ddh_pi_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_gravity_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, tau: ArrayLike, dtau: ArrayLike, ddtau: ArrayLike, h: ArrayLike, dh: ArrayLike, ddh: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, ddwrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, djoint_forces: ArrayLike | None = None, ddjoint_forces: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, method: Literal['euler', 'rk4'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_j_tau_dtau_ddtau_h_dh_ddh_pi_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_gravity_method_friction_several_dpidscrew(Of_q_v_a_j_tau_dtau_ddtau_h_dh_ddh_pi_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_gravity_method_friction_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dtau: Further
    dh: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_h_pi_or_wrenches_joint_forces_gravity_method_friction_several_dpidscrew(Of_q_v_tau_h_pi_or_wrenches_joint_forces_gravity_method_friction_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dh: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_h_pi_dq_dv_dtau_dh_dpi_or_wrenches_joint_forces_gravity_dwrenches_djoint_forces_dgravity_method_friction_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, pi: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dh: ArrayLike, dpi: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, gravity: ArrayLike | None = None, dwrenches: Wrenches | None = None, djoint_forces: ArrayLike | None = None, dgravity: ArrayLike | None = None, *, out: Several = None, method: Literal['euler', 'rk4'] = 'euler', friction: bool = False, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_h_pi_dq_dv_dtau_dh_dpi_or_wrenches_joint_forces_gravity_dwrenches_djoint_forces_dgravity_method_friction_coordinates_several(Of_q_v_tau_h_pi_dq_dv_dtau_dh_dpi_or_wrenches_joint_forces_gravity_dwrenches_djoint_forces_dgravity_method_friction_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_h_pi_lam_0_lam_1_or_wrenches_joint_forces_gravity_method_friction_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, pi: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, method: Literal['euler', 'rk4'] = 'euler', friction: bool = False, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_h_pi_lam_0_lam_1_or_wrenches_joint_forces_gravity_method_friction_coordinates_several(Of_q_v_tau_h_pi_lam_0_lam_1_or_wrenches_joint_forces_gravity_method_friction_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_h_pi_dq_dv_dtau_dh_dpi_or_wrenches_joint_forces_gravity_dwrenches_djoint_forces_dgravity_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, pi: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dh: ArrayLike, dpi: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, gravity: ArrayLike | None = None, dwrenches: Wrenches | None = None, djoint_forces: ArrayLike | None = None, dgravity: ArrayLike | None = None, *, out: Several = None, method: Literal['euler', 'rk4'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_h_pi_dq_dv_dtau_dh_dpi_or_wrenches_joint_forces_gravity_dwrenches_djoint_forces_dgravity_method_friction_several(Of_q_v_tau_h_pi_dq_dv_dtau_dh_dpi_or_wrenches_joint_forces_gravity_dwrenches_djoint_forces_dgravity_method_friction_several, Open):
    ...

@type_check_only
class Of_q_v_tau_h_pi_lam_0_lam_1_or_wrenches_joint_forces_gravity_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, pi: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, method: Literal['euler', 'rk4'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_h_pi_lam_0_lam_1_or_wrenches_joint_forces_gravity_method_friction_several(Of_q_v_tau_h_pi_lam_0_lam_1_or_wrenches_joint_forces_gravity_method_friction_several, Open):
    ...

@type_check_only
class ClosedParametricStep(Of_q_v_tau_h_pi_or_wrenches_joint_forces_gravity_method_friction_several, Quantity):
    dt: Of_q_v_a_tau_dtau_h_dh_pi_or_wrenches_dwrenches_joint_forces_djoint_forces_gravity_method_friction_several_dpidscrew
    dtt: Of_q_v_a_j_tau_dtau_ddtau_h_dh_ddh_pi_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_gravity_method_friction_several_dpidscrew
    dq: Of_q_v_tau_h_pi_or_wrenches_joint_forces_gravity_method_friction_several_dpidscrew
    dv: Of_q_v_tau_h_pi_or_wrenches_joint_forces_gravity_method_friction_several_dpidscrew
    dtau: Of_q_v_tau_h_pi_or_wrenches_joint_forces_gravity_method_friction_several_dpidscrew
    dh: Of_q_v_tau_h_pi_or_wrenches_joint_forces_gravity_method_friction_several_dpidscrew
    derivatives: Of_q_v_tau_h_pi_or_wrenches_joint_forces_gravity_method_friction_several_dpidscrew
    dpi: Of_q_v_tau_h_pi_or_wrenches_joint_forces_gravity_method_friction_several_dpidscrew
    dscrew: Of_q_v_tau_h_pi_or_wrenches_joint_forces_gravity_method_friction_several_dpidscrew
    dplacement: Of_q_v_tau_h_pi_or_wrenches_joint_forces_gravity_method_friction_several_dpidscrew
    jvp: Open_Of_q_v_tau_h_pi_dq_dv_dtau_dh_dpi_or_wrenches_joint_forces_gravity_dwrenches_djoint_forces_dgravity_method_friction_coordinates_several
    vjp: Open_Of_q_v_tau_h_pi_lam_0_lam_1_or_wrenches_joint_forces_gravity_method_friction_coordinates_several
    jvp_coordinates: Open_Of_q_v_tau_h_pi_dq_dv_dtau_dh_dpi_or_wrenches_joint_forces_gravity_dwrenches_djoint_forces_dgravity_method_friction_several
    vjp_coordinates: Open_Of_q_v_tau_h_pi_lam_0_lam_1_or_wrenches_joint_forces_gravity_method_friction_several

@type_check_only
class ClosedParametricMotorForces(Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration, Quantity):
    dt: Of_q_v_a_j_pi_or_wrenches_dwrenches_gravity_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_a_j_s_pi_or_wrenches_dwrenches_ddwrenches_gravity_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    dv: Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    da: Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    dpi: Of_q_v_a_pi_or_gravity_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_a_pi_or_wrenches_gravity_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_a_pi_dq_dv_da_dpi_or_wrenches_gravity_dwrenches_dgravity_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_a_pi_lam_or_wrenches_gravity_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_pi_dq_dv_da_dpi_or_wrenches_gravity_dwrenches_dgravity_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_a_pi_lam_or_wrenches_gravity_on_base_acceleration_several

@type_check_only
class ClosedParametricGeneralizedMomentum(Of_q_v_pi_or_gravity, Quantity):
    dt: Of_q_v_a_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_j_pi_or_gravity_dpidscrew
    dq: Of_q_v_pi_or_gravity_dpidscrew
    dv: Of_q_v_pi_or_gravity_dpidscrew
    dpi: Of_q_v_pi_or_gravity_dpidscrew
    dscrew: Of_q_v_pi_or_gravity_dpidscrew
    dplacement: Of_q_v_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_v_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_v_pi_lam_or_gravity_several

@type_check_only
class ClosedParametricKineticEnergy(Of_q_v_pi_or_gravity, Quantity):
    dt: Of_q_v_a_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_j_pi_or_gravity_dpidscrew
    dq: Of_q_v_pi_or_gravity_dpidscrew
    dv: Of_q_v_pi_or_gravity_dpidscrew
    dpi: Of_q_v_pi_or_gravity_dpidscrew
    dscrew: Of_q_v_pi_or_gravity_dpidscrew
    dplacement: Of_q_v_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_v_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_v_pi_lam_or_gravity_several

@type_check_only
class ClosedParametricPotentialEnergy(Of_q_pi_or_gravity, Quantity):
    dt: Of_q_v_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_pi_or_gravity_dpidscrew
    dq: Of_q_pi_or_gravity_dpidscrew
    dscrew: Of_q_pi_or_gravity_dpidscrew
    dplacement: Of_q_pi_or_gravity_dpidscrew
    dpi: Of_q_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_pi_dq_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_pi_dq_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_pi_lam_or_gravity_several

@type_check_only
class ClosedParametricCenterOfMass(Of_q_pi_or_gravity, Quantity):
    dt: Of_q_v_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_pi_or_gravity_dpidscrew
    dq: Of_q_pi_or_gravity_dpidscrew
    dscrew: Of_q_pi_or_gravity_dpidscrew
    dplacement: Of_q_pi_or_gravity_dpidscrew
    dpi: Of_q_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_pi_dq_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_pi_dq_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_pi_lam_or_gravity_several

@type_check_only
class ClosedParametricComJacobian(Of_q_pi_or_gravity, Quantity):
    dt: Of_q_v_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_pi_or_gravity_dpidscrew
    dq: Of_q_pi_or_gravity_dpidscrew
    dpi: Of_q_pi_or_gravity_dpidscrew
    dscrew: Of_q_pi_or_gravity_dpidscrew
    dplacement: Of_q_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_pi_dq_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_pi_dq_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_pi_lam_or_gravity_several

@type_check_only
class ClosedParametricMomentum(Of_q_v_pi_or_gravity, Quantity):
    dt: Of_q_v_a_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_j_pi_or_gravity_dpidscrew
    dq: Of_q_v_pi_or_gravity_dpidscrew
    dv: Of_q_v_pi_or_gravity_dpidscrew
    dpi: Of_q_v_pi_or_gravity_dpidscrew
    dscrew: Of_q_v_pi_or_gravity_dpidscrew
    dplacement: Of_q_v_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_v_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_v_pi_lam_or_gravity_several

@type_check_only
class ClosedParametricMomentumMatrix(Of_q_pi_or_gravity, Quantity):
    dt: Of_q_v_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_pi_or_gravity_dpidscrew
    dq: Of_q_pi_or_gravity_dpidscrew
    dpi: Of_q_pi_or_gravity_dpidscrew
    dscrew: Of_q_pi_or_gravity_dpidscrew
    dplacement: Of_q_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_pi_dq_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_pi_dq_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_pi_lam_or_gravity_several

@type_check_only
class ClosedParametricCentroidalMomentum(Of_q_v_pi_or_gravity, Quantity):
    dt: Of_q_v_a_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_j_pi_or_gravity_dpidscrew
    dq: Of_q_v_pi_or_gravity_dpidscrew
    dv: Of_q_v_pi_or_gravity_dpidscrew
    dpi: Of_q_v_pi_or_gravity_dpidscrew
    dscrew: Of_q_v_pi_or_gravity_dpidscrew
    dplacement: Of_q_v_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_v_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_dq_dv_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_v_pi_lam_or_gravity_several

@type_check_only
class ClosedParametricCentroidalMomentumMatrix(Of_q_pi_or_gravity, Quantity):
    dt: Of_q_v_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_pi_or_gravity_dpidscrew
    dq: Of_q_pi_or_gravity_dpidscrew
    dpi: Of_q_pi_or_gravity_dpidscrew
    dscrew: Of_q_pi_or_gravity_dpidscrew
    dplacement: Of_q_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_pi_dq_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_pi_dq_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_pi_lam_or_gravity_several

@type_check_only
class Of_q_v_tau_pi_or_wrenches_gravity(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, gravity: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_pi_or_wrenches_dwrenches_gravity(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, gravity: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_pi_or_wrenches_dwrenches_gravity_dpidscrew(Of_q_v_tau_dtau_pi_or_wrenches_dwrenches_gravity, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_dtau_ddtau_pi_or_wrenches_dwrenches_ddwrenches_gravity(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, ddtau: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, ddwrenches: Wrenches | None = None, gravity: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_ddtau_pi_or_wrenches_dwrenches_ddwrenches_gravity_dpidscrew(Of_q_v_tau_dtau_ddtau_pi_or_wrenches_dwrenches_ddwrenches_gravity, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_pi_or_wrenches_gravity_dpidscrew(Of_q_v_tau_pi_or_wrenches_gravity, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_gravity_dwrenches_dgravity_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dpi: ArrayLike, wrenches: Wrenches | None = None, gravity: ArrayLike | None = None, dwrenches: Wrenches | None = None, dgravity: ArrayLike | None = None, *, out: One = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_gravity_dwrenches_dgravity_coordinates(Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_gravity_dwrenches_dgravity_coordinates, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_lam_or_wrenches_gravity_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, gravity: ArrayLike | None = None, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_pi_lam_or_wrenches_gravity_coordinates_several(Of_q_v_tau_pi_lam_or_wrenches_gravity_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_gravity_dwrenches_dgravity(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dpi: ArrayLike, wrenches: Wrenches | None = None, gravity: ArrayLike | None = None, dwrenches: Wrenches | None = None, dgravity: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_gravity_dwrenches_dgravity(Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_gravity_dwrenches_dgravity, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_lam_or_wrenches_gravity_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, gravity: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_pi_lam_or_wrenches_gravity_several(Of_q_v_tau_pi_lam_or_wrenches_gravity_several, Open):
    ...

@type_check_only
class ClosedParametricConstrainedDynamics(Of_q_v_tau_pi_or_wrenches_gravity, Quantity):
    dt: Of_q_v_tau_dtau_pi_or_wrenches_dwrenches_gravity_dpidscrew
    dtt: Of_q_v_tau_dtau_ddtau_pi_or_wrenches_dwrenches_ddwrenches_gravity_dpidscrew
    dq: Of_q_v_tau_pi_or_wrenches_gravity_dpidscrew
    dv: Of_q_v_tau_pi_or_wrenches_gravity_dpidscrew
    dtau: Of_q_v_tau_pi_or_wrenches_gravity_dpidscrew
    dpi: Of_q_v_tau_pi_or_wrenches_gravity_dpidscrew
    dscrew: Of_q_v_tau_pi_or_wrenches_gravity_dpidscrew
    dplacement: Of_q_v_tau_pi_or_wrenches_gravity_dpidscrew
    jvp: Open_Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_gravity_dwrenches_dgravity_coordinates
    vjp: Open_Of_q_v_tau_pi_lam_or_wrenches_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_gravity_dwrenches_dgravity
    vjp_coordinates: Open_Of_q_v_tau_pi_lam_or_wrenches_gravity_several

@type_check_only
class ClosedMorphableJacobianRate(Of_q_v_placements_screws, Quantity):
    dt: Of_q_v_a_placements_screws_dscrew
    dtt: Of_q_v_a_j_placements_screws_dscrew
    dq: Of_q_v_placements_screws_dscrew
    dv: Of_q_v_placements_screws_dscrew
    dscrew: Of_q_v_placements_screws_dscrew
    dplacement: Of_q_v_placements_screws_dscrew
    jvp: Open_Of_q_v_placements_screws_dq_dv_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_placements_screws_dq_dv_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_placements_screws_lam_several

@type_check_only
class ClosedMorphableTaskInertiaInverse(Of_q_placements_screws, Quantity):
    dt: Of_q_v_placements_screws_dscrew
    dtt: Of_q_v_a_placements_screws_dscrew
    dq: Of_q_placements_screws_dscrew
    dscrew: Of_q_placements_screws_dscrew
    dplacement: Of_q_placements_screws_dscrew
    jvp: Open_Of_q_placements_screws_dq_dplacements_dscrews_coordinates
    vjp: Open_Of_q_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_placements_screws_dq_dplacements_dscrews
    vjp_coordinates: Open_Of_q_placements_screws_lam_several

@type_check_only
class ClosedMorphableTaskInertia(Of_q_placements_screws, Quantity):
    dt: Of_q_v_placements_screws_dscrew
    dtt: Of_q_v_a_placements_screws_dscrew
    dq: Of_q_placements_screws_dscrew
    dscrew: Of_q_placements_screws_dscrew
    dplacement: Of_q_placements_screws_dscrew
    jvp: Open_Of_q_placements_screws_dq_dplacements_dscrews_coordinates
    vjp: Open_Of_q_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_placements_screws_dq_dplacements_dscrews
    vjp_coordinates: Open_Of_q_placements_screws_lam_several

@type_check_only
class ClosedMorphableTaskJacobianInverse(Of_q_placements_screws, Quantity):
    dt: Of_q_v_placements_screws_dscrew
    dtt: Of_q_v_a_placements_screws_dscrew
    dq: Of_q_placements_screws_dscrew
    dscrew: Of_q_placements_screws_dscrew
    dplacement: Of_q_placements_screws_dscrew
    jvp: Open_Of_q_placements_screws_dq_dplacements_dscrews_coordinates
    vjp: Open_Of_q_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_placements_screws_dq_dplacements_dscrews
    vjp_coordinates: Open_Of_q_placements_screws_lam_several

@type_check_only
class ClosedMorphableTaskBias(Of_q_v_placements_screws, Quantity):
    dt: Of_q_v_a_placements_screws_dscrew
    dtt: Of_q_v_a_j_placements_screws_dscrew
    dq: Of_q_v_placements_screws_dscrew
    dv: Of_q_v_placements_screws_dscrew
    dscrew: Of_q_v_placements_screws_dscrew
    dplacement: Of_q_v_placements_screws_dscrew
    jvp: Open_Of_q_v_placements_screws_dq_dv_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_placements_screws_dq_dv_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_placements_screws_lam_several

@type_check_only
class ClosedMorphablePose(Of_q_placements_screws, Quantity):
    dt: Of_q_v_placements_screws_dscrew
    dtt: Of_q_v_a_placements_screws_dscrew
    dq: Of_q_placements_screws_dscrew
    dscrew: Of_q_placements_screws_dscrew
    dplacement: Of_q_placements_screws_dscrew
    jvp: Open_Of_q_placements_screws_dq_dplacements_dscrews_coordinates
    vjp: Open_Of_q_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_placements_screws_dq_dplacements_dscrews
    vjp_coordinates: Open_Of_q_placements_screws_lam_several

@type_check_only
class ClosedMorphableJacobian(Of_q_placements_screws, Quantity):
    dt: Of_q_v_placements_screws_dscrew
    dtt: Of_q_v_a_placements_screws_dscrew
    dq: Of_q_placements_screws_dscrew
    dscrew: Of_q_placements_screws_dscrew
    dplacement: Of_q_placements_screws_dscrew
    jvp: Open_Of_q_placements_screws_dq_dplacements_dscrews_coordinates
    vjp: Open_Of_q_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_placements_screws_dq_dplacements_dscrews
    vjp_coordinates: Open_Of_q_placements_screws_lam_several

@type_check_only
class ClosedMorphableJacobianWorld(Of_q_placements_screws, Quantity):
    dt: Of_q_v_placements_screws_dscrew
    dtt: Of_q_v_a_placements_screws_dscrew
    dq: Of_q_placements_screws_dscrew
    dscrew: Of_q_placements_screws_dscrew
    dplacement: Of_q_placements_screws_dscrew
    jvp: Open_Of_q_placements_screws_dq_dplacements_dscrews_coordinates
    vjp: Open_Of_q_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_placements_screws_dq_dplacements_dscrews
    vjp_coordinates: Open_Of_q_placements_screws_lam_several

@type_check_only
class ClosedMorphableJacobianMixed(Of_q_placements_screws, Quantity):
    dt: Of_q_v_placements_screws_dscrew
    dtt: Of_q_v_a_placements_screws_dscrew
    dq: Of_q_placements_screws_dscrew
    dscrew: Of_q_placements_screws_dscrew
    dplacement: Of_q_placements_screws_dscrew
    jvp: Open_Of_q_placements_screws_dq_dplacements_dscrews_coordinates
    vjp: Open_Of_q_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_placements_screws_dq_dplacements_dscrews
    vjp_coordinates: Open_Of_q_placements_screws_lam_several

@type_check_only
class ClosedMorphableTwist(Of_q_v_placements_screws_on_base_twist, Quantity):
    dt: Of_q_v_a_placements_screws_on_base_acceleration_dscrew
    dtt: Of_q_v_a_j_placements_screws_on_dbase_acceleration_dscrew
    dq: Of_q_v_placements_screws_on_base_twist_dscrew
    dv: Of_q_v_placements_screws_on_base_twist_dscrew
    dscrew: Of_q_v_placements_screws_on_base_twist_dscrew
    dplacement: Of_q_v_placements_screws_on_base_twist_dscrew
    jvp: Open_Of_q_v_placements_screws_dq_dv_dplacements_dscrews_on_base_twist_coordinates
    vjp: Open_Of_q_v_placements_screws_lam_on_base_twist_coordinates_several
    jvp_coordinates: Open_Of_q_v_placements_screws_dq_dv_dplacements_dscrews_on_base_twist
    vjp_coordinates: Open_Of_q_v_placements_screws_lam_on_base_twist_several

@type_check_only
class ClosedMorphableTwistWorld(Of_q_v_placements_screws, Quantity):
    dt: Of_q_v_a_placements_screws_dscrew
    dtt: Of_q_v_a_j_placements_screws_dscrew
    dq: Of_q_v_placements_screws_dscrew
    dv: Of_q_v_placements_screws_dscrew
    dscrew: Of_q_v_placements_screws_dscrew
    dplacement: Of_q_v_placements_screws_dscrew
    jvp: Open_Of_q_v_placements_screws_dq_dv_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_placements_screws_dq_dv_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_placements_screws_lam_several

@type_check_only
class ClosedMorphableTwistMixed(Of_q_v_placements_screws, Quantity):
    dt: Of_q_v_a_placements_screws_dscrew
    dtt: Of_q_v_a_j_placements_screws_dscrew
    dq: Of_q_v_placements_screws_dscrew
    dv: Of_q_v_placements_screws_dscrew
    dscrew: Of_q_v_placements_screws_dscrew
    dplacement: Of_q_v_placements_screws_dscrew
    jvp: Open_Of_q_v_placements_screws_dq_dv_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_placements_screws_dq_dv_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_placements_screws_lam_several

@type_check_only
class ClosedMorphableAcceleration(Of_q_v_a_placements_screws_on_base_acceleration, Quantity):
    dt: Of_q_v_a_j_placements_screws_on_dbase_acceleration_dscrew
    dtt: Of_q_v_a_j_s_placements_screws_on_ddbase_acceleration_dscrew
    dq: Of_q_v_a_placements_screws_on_base_acceleration_dscrew
    dv: Of_q_v_a_placements_screws_on_base_acceleration_dscrew
    da: Of_q_v_a_placements_screws_on_base_acceleration_dscrew
    dscrew: Of_q_v_a_placements_screws_on_base_acceleration_dscrew
    dplacement: Of_q_v_a_placements_screws_on_base_acceleration_dscrew
    jvp: Open_Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_a_placements_screws_lam_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_a_placements_screws_lam_on_base_acceleration_several

@type_check_only
class ClosedMorphableAccelerationWorld(Of_q_v_a_placements_screws, Quantity):
    dt: Of_q_v_a_j_placements_screws_dscrew
    dtt: Of_q_v_a_j_s_placements_screws_dscrew
    dq: Of_q_v_a_placements_screws_dscrew
    dv: Of_q_v_a_placements_screws_dscrew
    da: Of_q_v_a_placements_screws_dscrew
    dscrew: Of_q_v_a_placements_screws_dscrew
    dplacement: Of_q_v_a_placements_screws_dscrew
    jvp: Open_Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_a_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_a_placements_screws_lam_several

@type_check_only
class ClosedMorphableAccelerationMixed(Of_q_v_a_placements_screws, Quantity):
    dt: Of_q_v_a_j_placements_screws_dscrew
    dtt: Of_q_v_a_j_s_placements_screws_dscrew
    dq: Of_q_v_a_placements_screws_dscrew
    dv: Of_q_v_a_placements_screws_dscrew
    da: Of_q_v_a_placements_screws_dscrew
    dscrew: Of_q_v_a_placements_screws_dscrew
    dplacement: Of_q_v_a_placements_screws_dscrew
    jvp: Open_Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_a_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_a_placements_screws_lam_several

@type_check_only
class ClosedMorphableClassicalAcceleration(Of_q_v_a_placements_screws_on_base_acceleration, Quantity):
    dt: Of_q_v_a_j_placements_screws_on_dbase_acceleration_dscrew
    dtt: Of_q_v_a_j_s_placements_screws_on_ddbase_acceleration_dscrew
    dq: Of_q_v_a_placements_screws_on_base_acceleration_dscrew
    dv: Of_q_v_a_placements_screws_on_base_acceleration_dscrew
    da: Of_q_v_a_placements_screws_on_base_acceleration_dscrew
    dscrew: Of_q_v_a_placements_screws_on_base_acceleration_dscrew
    dplacement: Of_q_v_a_placements_screws_on_base_acceleration_dscrew
    jvp: Open_Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_a_placements_screws_lam_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_a_placements_screws_lam_on_base_acceleration_several

@type_check_only
class ClosedMorphableClassicalAccelerationMixed(Of_q_v_a_placements_screws, Quantity):
    dt: Of_q_v_a_j_placements_screws_dscrew
    dtt: Of_q_v_a_j_s_placements_screws_dscrew
    dq: Of_q_v_a_placements_screws_dscrew
    dv: Of_q_v_a_placements_screws_dscrew
    da: Of_q_v_a_placements_screws_dscrew
    dscrew: Of_q_v_a_placements_screws_dscrew
    dplacement: Of_q_v_a_placements_screws_dscrew
    jvp: Open_Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_a_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_placements_screws_dq_dv_da_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_a_placements_screws_lam_several

@type_check_only
class Of_q_v_a_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_pi_placements_screws_or_wrenches_dwrenches_joint_forces_djoint_forces_on_dbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, djoint_forces: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_pi_placements_screws_or_wrenches_dwrenches_joint_forces_djoint_forces_on_dbase_acceleration_dpidscrew(Of_q_v_a_j_pi_placements_screws_or_wrenches_dwrenches_joint_forces_djoint_forces_on_dbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_j_s_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_on_ddbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, s: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, ddwrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, djoint_forces: ArrayLike | None = None, ddjoint_forces: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, ddbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_s_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_on_ddbase_acceleration_dpidscrew(Of_q_v_a_j_s_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_on_ddbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    ds: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_dpidscrew(Of_q_v_a_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_several_dpidscrew(Of_q_v_a_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_lam_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, lam: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_lam_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_dpidscrew(Of_q_v_a_lam_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_lam_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, lam: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_lam_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_several_dpidscrew(Of_q_v_a_lam_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, da: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, dwrenches: Wrenches | None = None, djoint_forces: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration_coordinates(Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration_coordinates, Open):
    ...

@type_check_only
class Of_q_v_a_pi_placements_screws_lam_or_wrenches_joint_forces_on_base_acceleration_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_a_pi_placements_screws_lam_or_wrenches_joint_forces_on_base_acceleration_coordinates_several(Of_q_v_a_pi_placements_screws_lam_or_wrenches_joint_forces_on_base_acceleration_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, da: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, dwrenches: Wrenches | None = None, djoint_forces: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration(Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration, Open):
    ...

@type_check_only
class Of_q_v_a_pi_placements_screws_lam_or_wrenches_joint_forces_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_a_pi_placements_screws_lam_or_wrenches_joint_forces_on_base_acceleration_several(Of_q_v_a_pi_placements_screws_lam_or_wrenches_joint_forces_on_base_acceleration_several, Open):
    ...

@type_check_only
class ClosedMorphableInverseDynamics(Of_q_v_a_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration, Quantity):
    dt: Of_q_v_a_j_pi_placements_screws_or_wrenches_dwrenches_joint_forces_djoint_forces_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_a_j_s_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_a_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    dv: Of_q_v_a_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    da: Of_q_v_a_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    derivatives: Of_q_v_a_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_several_dpidscrew
    hessian: Of_q_v_a_lam_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    design: Of_q_v_a_lam_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_several_dpidscrew
    dpi: Of_q_v_a_pi_placements_screws_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_a_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_a_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_a_pi_placements_screws_lam_or_wrenches_joint_forces_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_a_pi_placements_screws_lam_or_wrenches_joint_forces_on_base_acceleration_several

@type_check_only
class Of_q_v_tau_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_pi_placements_screws_or_wrenches_dwrenches_joint_forces_djoint_forces_on_dbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, djoint_forces: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_pi_placements_screws_or_wrenches_dwrenches_joint_forces_djoint_forces_on_dbase_acceleration_dpidscrew(Of_q_v_tau_dtau_pi_placements_screws_or_wrenches_dwrenches_joint_forces_djoint_forces_on_dbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_dtau_ddtau_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_on_ddbase_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, ddtau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, ddwrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, djoint_forces: ArrayLike | None = None, ddjoint_forces: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, dbase_acceleration: ArrayLike | None = None, ddbase_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_ddtau_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_on_ddbase_acceleration_dpidscrew(Of_q_v_tau_dtau_ddtau_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_on_ddbase_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_dpidscrew(Of_q_v_tau_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_tau_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_several_dpidscrew(Of_q_v_tau_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_lam_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, lam: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_tau_lam_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_several_dpidscrew(Of_q_v_tau_lam_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, dwrenches: Wrenches | None = None, djoint_forces: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration_coordinates(Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration_coordinates, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_placements_screws_lam_or_wrenches_joint_forces_on_base_acceleration_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_pi_placements_screws_lam_or_wrenches_joint_forces_on_base_acceleration_coordinates_several(Of_q_v_tau_pi_placements_screws_lam_or_wrenches_joint_forces_on_base_acceleration_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, dwrenches: Wrenches | None = None, djoint_forces: ArrayLike | None = None, *, out: One = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration(Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_placements_screws_lam_or_wrenches_joint_forces_on_base_acceleration_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, *, out: Several = None, base_twist: ArrayLike | None = None, base_acceleration: ArrayLike | None = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_pi_placements_screws_lam_or_wrenches_joint_forces_on_base_acceleration_several(Of_q_v_tau_pi_placements_screws_lam_or_wrenches_joint_forces_on_base_acceleration_several, Open):
    ...

@type_check_only
class ClosedMorphableForwardDynamics(Of_q_v_tau_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration, Quantity):
    dt: Of_q_v_tau_dtau_pi_placements_screws_or_wrenches_dwrenches_joint_forces_djoint_forces_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_tau_dtau_ddtau_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_tau_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    dv: Of_q_v_tau_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    dtau: Of_q_v_tau_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    derivatives: Of_q_v_tau_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_several_dpidscrew
    design: Of_q_v_tau_lam_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_several_dpidscrew
    dpi: Of_q_v_tau_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_tau_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_tau_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_tau_pi_placements_screws_lam_or_wrenches_joint_forces_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_tau_pi_placements_screws_lam_or_wrenches_joint_forces_on_base_acceleration_several

@type_check_only
class ClosedMorphableConstraintForces(Of_q_v_tau_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration, Quantity):
    dt: Of_q_v_tau_dtau_pi_placements_screws_or_wrenches_dwrenches_joint_forces_djoint_forces_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_tau_dtau_ddtau_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_tau_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    dv: Of_q_v_tau_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    dtau: Of_q_v_tau_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    dpi: Of_q_v_tau_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_tau_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_tau_pi_placements_screws_or_wrenches_joint_forces_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_tau_pi_placements_screws_lam_or_wrenches_joint_forces_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_joint_forces_dwrenches_djoint_forces_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_tau_pi_placements_screws_lam_or_wrenches_joint_forces_on_base_acceleration_several

@type_check_only
class ClosedMorphableMassMatrix(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_pi_placements_screws_dpidscrew
    dq: Of_q_pi_placements_screws_dpidscrew
    dpi: Of_q_pi_placements_screws_dpidscrew
    dscrew: Of_q_pi_placements_screws_dpidscrew
    dplacement: Of_q_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_pi_placements_screws_lam_several

@type_check_only
class ClosedMorphableMassMatrixInverse(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_pi_placements_screws_dpidscrew
    dq: Of_q_pi_placements_screws_dpidscrew
    dpi: Of_q_pi_placements_screws_dpidscrew
    dscrew: Of_q_pi_placements_screws_dpidscrew
    dplacement: Of_q_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_pi_placements_screws_lam_several

@type_check_only
class ClosedMorphableCoriolisMatrix(Of_q_v_pi_placements_screws, Quantity):
    dt: Of_q_v_a_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_j_pi_placements_screws_dpidscrew
    dq: Of_q_v_pi_placements_screws_dpidscrew
    dv: Of_q_v_pi_placements_screws_dpidscrew
    dpi: Of_q_v_pi_placements_screws_dpidscrew
    dscrew: Of_q_v_pi_placements_screws_dpidscrew
    dplacement: Of_q_v_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_pi_placements_screws_lam_several

@type_check_only
class ClosedMorphableCoriolisMatrixGarofalo(Of_q_v_pi_placements_screws, Quantity):
    dt: Of_q_v_a_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_j_pi_placements_screws_dpidscrew
    dq: Of_q_v_pi_placements_screws_dpidscrew
    dv: Of_q_v_pi_placements_screws_dpidscrew
    dpi: Of_q_v_pi_placements_screws_dpidscrew
    dscrew: Of_q_v_pi_placements_screws_dpidscrew
    dplacement: Of_q_v_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_pi_placements_screws_lam_several

@type_check_only
class ClosedMorphableCoriolisMatrixMuellerKumar(Of_q_v_pi_placements_screws, Quantity):
    dt: Of_q_v_a_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_j_pi_placements_screws_dpidscrew
    dq: Of_q_v_pi_placements_screws_dpidscrew
    dv: Of_q_v_pi_placements_screws_dpidscrew
    dpi: Of_q_v_pi_placements_screws_dpidscrew
    dscrew: Of_q_v_pi_placements_screws_dpidscrew
    dplacement: Of_q_v_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_pi_placements_screws_lam_several

@type_check_only
class ClosedMorphableEquationsOfMotion(Of_q_v_pi_placements_screws_coriolis_several, Quantity):
    dt: Of_q_v_a_pi_placements_screws_coriolis_several_dpidscrew
    dtt: Of_q_v_a_j_pi_placements_screws_coriolis_several_dpidscrew
    dq: Of_q_v_pi_placements_screws_coriolis_several_dpidscrew
    dv: Of_q_v_pi_placements_screws_coriolis_several_dpidscrew
    dpi: Of_q_v_pi_placements_screws_coriolis_several_dpidscrew
    dscrew: Of_q_v_pi_placements_screws_coriolis_several_dpidscrew
    dplacement: Of_q_v_pi_placements_screws_coriolis_several_dpidscrew
    jvp: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coriolis_coordinates_several
    vjp: Open_Of_q_v_pi_placements_screws_lam_0_lam_1_lam_2_coriolis_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coriolis_several
    vjp_coordinates: Open_Of_q_v_pi_placements_screws_lam_0_lam_1_lam_2_coriolis_several

@type_check_only
class ClosedMorphableGravityForces(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_pi_placements_screws_dpidscrew
    dq: Of_q_pi_placements_screws_dpidscrew
    design: Of_q_lam_pi_placements_screws_several_dpidscrew
    dpi: Of_q_pi_placements_screws_dpidscrew
    dscrew: Of_q_pi_placements_screws_dpidscrew
    dplacement: Of_q_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_pi_placements_screws_lam_several

@type_check_only
class ClosedMorphableBiasForces(Of_q_v_pi_placements_screws_on_base_acceleration, Quantity):
    dt: Of_q_v_a_pi_placements_screws_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_a_j_pi_placements_screws_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_pi_placements_screws_on_base_acceleration_dpidscrew
    dv: Of_q_v_pi_placements_screws_on_base_acceleration_dpidscrew
    design: Of_q_v_lam_pi_placements_screws_on_base_acceleration_several_dpidscrew
    dpi: Of_q_v_pi_placements_screws_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_pi_placements_screws_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_pi_placements_screws_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_pi_placements_screws_lam_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_pi_placements_screws_lam_on_base_acceleration_several

@type_check_only
class Of_q_v_a_j_pi_placements_screws_dscrew(Of_q_v_a_j_pi_placements_screws, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class ClosedMorphableJointFriction(Of_q_v_pi_placements_screws, Quantity):
    dt: Of_q_v_a_pi_placements_screws_dscrew
    dtt: Of_q_v_a_j_pi_placements_screws_dscrew
    dq: Of_q_v_pi_placements_screws_dscrew
    dv: Of_q_v_pi_placements_screws_dscrew
    dscrew: Of_q_v_pi_placements_screws_dscrew
    dplacement: Of_q_v_pi_placements_screws_dscrew
    jvp: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_pi_placements_screws_lam_several

@type_check_only
class ClosedMorphableMomentumForces(Of_q_v_pi_placements_screws, Quantity):
    dt: Of_q_v_a_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_j_pi_placements_screws_dpidscrew
    dq: Of_q_v_pi_placements_screws_dpidscrew
    dv: Of_q_v_pi_placements_screws_dpidscrew
    dpi: Of_q_v_pi_placements_screws_dpidscrew
    dscrew: Of_q_v_pi_placements_screws_dpidscrew
    dplacement: Of_q_v_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_pi_placements_screws_lam_several

@type_check_only
class ClosedMorphablePassiveJacobian(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dscrew
    dtt: Of_q_v_a_pi_placements_screws_dscrew
    dq: Of_q_pi_placements_screws_dscrew
    dscrew: Of_q_pi_placements_screws_dscrew
    dplacement: Of_q_pi_placements_screws_dscrew
    jvp: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_pi_placements_screws_lam_several

@type_check_only
class ClosedMorphableVelocity(Of_q_v_pi_placements_screws, Quantity):
    dt: Of_q_v_a_pi_placements_screws_dscrew
    dtt: Of_q_v_a_j_pi_placements_screws_dscrew
    dq: Of_q_v_pi_placements_screws_dscrew
    dv: Of_q_v_pi_placements_screws_dscrew
    dscrew: Of_q_v_pi_placements_screws_dscrew
    dplacement: Of_q_v_pi_placements_screws_dscrew
    jvp: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_pi_placements_screws_lam_several

@type_check_only
class Of_q_joint_forces_pi_placements_screws(quantity.Evaluable):
    def __call__(self, q: ArrayLike, joint_forces: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_joint_forces_djoint_forces_pi_placements_screws(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, joint_forces: ArrayLike, djoint_forces: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_joint_forces_djoint_forces_pi_placements_screws_dscrew(Of_q_v_joint_forces_djoint_forces_pi_placements_screws, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_joint_forces_djoint_forces_ddjoint_forces_pi_placements_screws(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, joint_forces: ArrayLike, djoint_forces: ArrayLike, ddjoint_forces: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_joint_forces_djoint_forces_ddjoint_forces_pi_placements_screws_dscrew(Of_q_v_a_joint_forces_djoint_forces_ddjoint_forces_pi_placements_screws, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_joint_forces_pi_placements_screws_dscrew(Of_q_joint_forces_pi_placements_screws, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_joint_forces_pi_placements_screws_dq_djoint_forces_dpi_dplacements_dscrews_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, joint_forces: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, djoint_forces: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, *, out: One = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_joint_forces_pi_placements_screws_dq_djoint_forces_dpi_dplacements_dscrews_coordinates(Of_q_joint_forces_pi_placements_screws_dq_djoint_forces_dpi_dplacements_dscrews_coordinates, Open):
    ...

@type_check_only
class Of_q_joint_forces_pi_placements_screws_lam_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, joint_forces: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_joint_forces_pi_placements_screws_lam_coordinates_several(Of_q_joint_forces_pi_placements_screws_lam_coordinates_several, Open):
    ...

@type_check_only
class Of_q_joint_forces_pi_placements_screws_dq_djoint_forces_dpi_dplacements_dscrews(quantity.Evaluable):
    def __call__(self, q: ArrayLike, joint_forces: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, djoint_forces: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_joint_forces_pi_placements_screws_dq_djoint_forces_dpi_dplacements_dscrews(Of_q_joint_forces_pi_placements_screws_dq_djoint_forces_dpi_dplacements_dscrews, Open):
    ...

@type_check_only
class Of_q_joint_forces_pi_placements_screws_lam_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, joint_forces: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_joint_forces_pi_placements_screws_lam_several(Of_q_joint_forces_pi_placements_screws_lam_several, Open):
    ...

@type_check_only
class ClosedMorphableIndependentForces(Of_q_joint_forces_pi_placements_screws, Quantity):
    dt: Of_q_v_joint_forces_djoint_forces_pi_placements_screws_dscrew
    dtt: Of_q_v_a_joint_forces_djoint_forces_ddjoint_forces_pi_placements_screws_dscrew
    dq: Of_q_joint_forces_pi_placements_screws_dscrew
    dscrew: Of_q_joint_forces_pi_placements_screws_dscrew
    dplacement: Of_q_joint_forces_pi_placements_screws_dscrew
    jvp: Open_Of_q_joint_forces_pi_placements_screws_dq_djoint_forces_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_joint_forces_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_joint_forces_pi_placements_screws_dq_djoint_forces_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_joint_forces_pi_placements_screws_lam_several

@type_check_only
class Of_q_v_tau_h_pi_placements_screws_or_wrenches_joint_forces_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, *, out: Several = None, method: Literal['euler', 'rk4'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_tau_dtau_h_dh_pi_placements_screws_or_wrenches_dwrenches_joint_forces_djoint_forces_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, tau: ArrayLike, dtau: ArrayLike, h: ArrayLike, dh: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, djoint_forces: ArrayLike | None = None, *, out: Several = None, method: Literal['euler', 'rk4'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_tau_dtau_h_dh_pi_placements_screws_or_wrenches_dwrenches_joint_forces_djoint_forces_method_friction_several_dpidscrew(Of_q_v_a_tau_dtau_h_dh_pi_placements_screws_or_wrenches_dwrenches_joint_forces_djoint_forces_method_friction_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dtau: Further
    dh: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_j_tau_dtau_ddtau_h_dh_ddh_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, tau: ArrayLike, dtau: ArrayLike, ddtau: ArrayLike, h: ArrayLike, dh: ArrayLike, ddh: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, ddwrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, djoint_forces: ArrayLike | None = None, ddjoint_forces: ArrayLike | None = None, *, out: Several = None, method: Literal['euler', 'rk4'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_j_tau_dtau_ddtau_h_dh_ddh_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_method_friction_several_dpidscrew(Of_q_v_a_j_tau_dtau_ddtau_h_dh_ddh_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_method_friction_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dtau: Further
    dh: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_h_pi_placements_screws_or_wrenches_joint_forces_method_friction_several_dpidscrew(Of_q_v_tau_h_pi_placements_screws_or_wrenches_joint_forces_method_friction_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dh: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_h_pi_placements_screws_dq_dv_dtau_dh_dpi_dplacements_dscrews_or_wrenches_joint_forces_dwrenches_djoint_forces_method_friction_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dh: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, dwrenches: Wrenches | None = None, djoint_forces: ArrayLike | None = None, *, out: Several = None, method: Literal['euler', 'rk4'] = 'euler', friction: bool = False, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_h_pi_placements_screws_dq_dv_dtau_dh_dpi_dplacements_dscrews_or_wrenches_joint_forces_dwrenches_djoint_forces_method_friction_coordinates_several(Of_q_v_tau_h_pi_placements_screws_dq_dv_dtau_dh_dpi_dplacements_dscrews_or_wrenches_joint_forces_dwrenches_djoint_forces_method_friction_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_h_pi_placements_screws_lam_0_lam_1_or_wrenches_joint_forces_method_friction_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, *, out: Several = None, method: Literal['euler', 'rk4'] = 'euler', friction: bool = False, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_h_pi_placements_screws_lam_0_lam_1_or_wrenches_joint_forces_method_friction_coordinates_several(Of_q_v_tau_h_pi_placements_screws_lam_0_lam_1_or_wrenches_joint_forces_method_friction_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_h_pi_placements_screws_dq_dv_dtau_dh_dpi_dplacements_dscrews_or_wrenches_joint_forces_dwrenches_djoint_forces_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dh: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, dwrenches: Wrenches | None = None, djoint_forces: ArrayLike | None = None, *, out: Several = None, method: Literal['euler', 'rk4'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_h_pi_placements_screws_dq_dv_dtau_dh_dpi_dplacements_dscrews_or_wrenches_joint_forces_dwrenches_djoint_forces_method_friction_several(Of_q_v_tau_h_pi_placements_screws_dq_dv_dtau_dh_dpi_dplacements_dscrews_or_wrenches_joint_forces_dwrenches_djoint_forces_method_friction_several, Open):
    ...

@type_check_only
class Of_q_v_tau_h_pi_placements_screws_lam_0_lam_1_or_wrenches_joint_forces_method_friction_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, h: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, wrenches: Wrenches | None = None, joint_forces: ArrayLike | None = None, *, out: Several = None, method: Literal['euler', 'rk4'] = 'euler', friction: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_h_pi_placements_screws_lam_0_lam_1_or_wrenches_joint_forces_method_friction_several(Of_q_v_tau_h_pi_placements_screws_lam_0_lam_1_or_wrenches_joint_forces_method_friction_several, Open):
    ...

@type_check_only
class ClosedMorphableStep(Of_q_v_tau_h_pi_placements_screws_or_wrenches_joint_forces_method_friction_several, Quantity):
    dt: Of_q_v_a_tau_dtau_h_dh_pi_placements_screws_or_wrenches_dwrenches_joint_forces_djoint_forces_method_friction_several_dpidscrew
    dtt: Of_q_v_a_j_tau_dtau_ddtau_h_dh_ddh_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_method_friction_several_dpidscrew
    dq: Of_q_v_tau_h_pi_placements_screws_or_wrenches_joint_forces_method_friction_several_dpidscrew
    dv: Of_q_v_tau_h_pi_placements_screws_or_wrenches_joint_forces_method_friction_several_dpidscrew
    dtau: Of_q_v_tau_h_pi_placements_screws_or_wrenches_joint_forces_method_friction_several_dpidscrew
    dh: Of_q_v_tau_h_pi_placements_screws_or_wrenches_joint_forces_method_friction_several_dpidscrew
    derivatives: Of_q_v_tau_h_pi_placements_screws_or_wrenches_joint_forces_method_friction_several_dpidscrew
    dpi: Of_q_v_tau_h_pi_placements_screws_or_wrenches_joint_forces_method_friction_several_dpidscrew
    dscrew: Of_q_v_tau_h_pi_placements_screws_or_wrenches_joint_forces_method_friction_several_dpidscrew
    dplacement: Of_q_v_tau_h_pi_placements_screws_or_wrenches_joint_forces_method_friction_several_dpidscrew
    jvp: Open_Of_q_v_tau_h_pi_placements_screws_dq_dv_dtau_dh_dpi_dplacements_dscrews_or_wrenches_joint_forces_dwrenches_djoint_forces_method_friction_coordinates_several
    vjp: Open_Of_q_v_tau_h_pi_placements_screws_lam_0_lam_1_or_wrenches_joint_forces_method_friction_coordinates_several
    jvp_coordinates: Open_Of_q_v_tau_h_pi_placements_screws_dq_dv_dtau_dh_dpi_dplacements_dscrews_or_wrenches_joint_forces_dwrenches_djoint_forces_method_friction_several
    vjp_coordinates: Open_Of_q_v_tau_h_pi_placements_screws_lam_0_lam_1_or_wrenches_joint_forces_method_friction_several

@type_check_only
class ClosedMorphableExternalForces(Of_q_w_pi_placements_screws, Quantity):
    dt: Of_q_v_w_dw_pi_placements_screws_dscrew
    dtt: Of_q_v_a_w_dw_ddw_pi_placements_screws_dscrew
    dq: Of_q_w_pi_placements_screws_dscrew
    dscrew: Of_q_w_pi_placements_screws_dscrew
    dplacement: Of_q_w_pi_placements_screws_dscrew
    jvp: Open_Of_q_w_pi_placements_screws_dq_dw_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_w_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_w_pi_placements_screws_dq_dw_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_w_pi_placements_screws_lam_several

@type_check_only
class ClosedMorphableMotorForces(Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration, Quantity):
    dt: Of_q_v_a_j_pi_placements_screws_or_wrenches_dwrenches_on_dbase_acceleration_dpidscrew
    dtt: Of_q_v_a_j_s_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_on_ddbase_acceleration_dpidscrew
    dq: Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    dv: Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    da: Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    dpi: Of_q_v_a_pi_placements_screws_on_base_acceleration_dpidscrew
    dscrew: Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    dplacement: Of_q_v_a_pi_placements_screws_or_wrenches_on_base_acceleration_dpidscrew
    jvp: Open_Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_or_wrenches_dwrenches_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_a_pi_placements_screws_lam_or_wrenches_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_or_wrenches_dwrenches_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_a_pi_placements_screws_lam_or_wrenches_on_base_acceleration_several

@type_check_only
class ClosedMorphableGeneralizedMomentum(Of_q_v_pi_placements_screws, Quantity):
    dt: Of_q_v_a_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_j_pi_placements_screws_dpidscrew
    dq: Of_q_v_pi_placements_screws_dpidscrew
    dv: Of_q_v_pi_placements_screws_dpidscrew
    dpi: Of_q_v_pi_placements_screws_dpidscrew
    dscrew: Of_q_v_pi_placements_screws_dpidscrew
    dplacement: Of_q_v_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_pi_placements_screws_lam_several

@type_check_only
class ClosedMorphableKineticEnergy(Of_q_v_pi_placements_screws, Quantity):
    dt: Of_q_v_a_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_j_pi_placements_screws_dpidscrew
    dq: Of_q_v_pi_placements_screws_dpidscrew
    dv: Of_q_v_pi_placements_screws_dpidscrew
    dpi: Of_q_v_pi_placements_screws_dpidscrew
    dscrew: Of_q_v_pi_placements_screws_dpidscrew
    dplacement: Of_q_v_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_pi_placements_screws_lam_several

@type_check_only
class ClosedMorphablePotentialEnergy(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_pi_placements_screws_dpidscrew
    dq: Of_q_pi_placements_screws_dpidscrew
    dscrew: Of_q_pi_placements_screws_dpidscrew
    dplacement: Of_q_pi_placements_screws_dpidscrew
    dpi: Of_q_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_pi_placements_screws_lam_several

@type_check_only
class ClosedMorphableCenterOfMass(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_pi_placements_screws_dpidscrew
    dq: Of_q_pi_placements_screws_dpidscrew
    dscrew: Of_q_pi_placements_screws_dpidscrew
    dplacement: Of_q_pi_placements_screws_dpidscrew
    dpi: Of_q_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_pi_placements_screws_lam_several

@type_check_only
class ClosedMorphableComJacobian(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_pi_placements_screws_dpidscrew
    dq: Of_q_pi_placements_screws_dpidscrew
    dpi: Of_q_pi_placements_screws_dpidscrew
    dscrew: Of_q_pi_placements_screws_dpidscrew
    dplacement: Of_q_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_pi_placements_screws_lam_several

@type_check_only
class ClosedMorphableMomentum(Of_q_v_pi_placements_screws, Quantity):
    dt: Of_q_v_a_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_j_pi_placements_screws_dpidscrew
    dq: Of_q_v_pi_placements_screws_dpidscrew
    dv: Of_q_v_pi_placements_screws_dpidscrew
    dpi: Of_q_v_pi_placements_screws_dpidscrew
    dscrew: Of_q_v_pi_placements_screws_dpidscrew
    dplacement: Of_q_v_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_pi_placements_screws_lam_several

@type_check_only
class ClosedMorphableMomentumMatrix(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_pi_placements_screws_dpidscrew
    dq: Of_q_pi_placements_screws_dpidscrew
    dpi: Of_q_pi_placements_screws_dpidscrew
    dscrew: Of_q_pi_placements_screws_dpidscrew
    dplacement: Of_q_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_pi_placements_screws_lam_several

@type_check_only
class ClosedMorphableCentroidalMomentum(Of_q_v_pi_placements_screws, Quantity):
    dt: Of_q_v_a_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_j_pi_placements_screws_dpidscrew
    dq: Of_q_v_pi_placements_screws_dpidscrew
    dv: Of_q_v_pi_placements_screws_dpidscrew
    dpi: Of_q_v_pi_placements_screws_dpidscrew
    dscrew: Of_q_v_pi_placements_screws_dpidscrew
    dplacement: Of_q_v_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_pi_placements_screws_lam_several

@type_check_only
class ClosedMorphableCentroidalMomentumMatrix(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_pi_placements_screws_dpidscrew
    dq: Of_q_pi_placements_screws_dpidscrew
    dpi: Of_q_pi_placements_screws_dpidscrew
    dscrew: Of_q_pi_placements_screws_dpidscrew
    dplacement: Of_q_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_pi_placements_screws_lam_several

@type_check_only
class ClosedMorphableBodyPoses(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dscrew
    dtt: Of_q_v_a_pi_placements_screws_dscrew
    dq: Of_q_pi_placements_screws_dscrew
    dscrew: Of_q_pi_placements_screws_dscrew
    dplacement: Of_q_pi_placements_screws_dscrew
    jvp: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_pi_placements_screws_lam_several

@type_check_only
class ClosedMorphableBodyTwists(Of_q_v_pi_placements_screws_on_base_twist, Quantity):
    dt: Of_q_v_a_pi_placements_screws_on_base_acceleration_dscrew
    dtt: Of_q_v_a_j_pi_placements_screws_on_dbase_acceleration_dscrew
    dq: Of_q_v_pi_placements_screws_on_base_twist_dscrew
    dv: Of_q_v_pi_placements_screws_on_base_twist_dscrew
    dscrew: Of_q_v_pi_placements_screws_on_base_twist_dscrew
    dplacement: Of_q_v_pi_placements_screws_on_base_twist_dscrew
    jvp: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_on_base_twist_coordinates
    vjp: Open_Of_q_v_pi_placements_screws_lam_on_base_twist_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_on_base_twist
    vjp_coordinates: Open_Of_q_v_pi_placements_screws_lam_on_base_twist_several

@type_check_only
class ClosedMorphableBodyAccelerations(Of_q_v_a_pi_placements_screws_on_base_acceleration, Quantity):
    dt: Of_q_v_a_j_pi_placements_screws_on_dbase_acceleration_dscrew
    dtt: Of_q_v_a_j_s_pi_placements_screws_on_ddbase_acceleration_dscrew
    dq: Of_q_v_a_pi_placements_screws_on_base_acceleration_dscrew
    dv: Of_q_v_a_pi_placements_screws_on_base_acceleration_dscrew
    da: Of_q_v_a_pi_placements_screws_on_base_acceleration_dscrew
    dscrew: Of_q_v_a_pi_placements_screws_on_base_acceleration_dscrew
    dplacement: Of_q_v_a_pi_placements_screws_on_base_acceleration_dscrew
    jvp: Open_Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_on_base_acceleration_coordinates
    vjp: Open_Of_q_v_a_pi_placements_screws_lam_on_base_acceleration_coordinates_several
    jvp_coordinates: Open_Of_q_v_a_pi_placements_screws_dq_dv_da_dpi_dplacements_dscrews_on_base_acceleration
    vjp_coordinates: Open_Of_q_v_a_pi_placements_screws_lam_on_base_acceleration_several

@type_check_only
class ClosedMorphableLoopResidual(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dscrew
    dtt: Of_q_v_a_pi_placements_screws_dscrew
    dq: Of_q_pi_placements_screws_dscrew
    dscrew: Of_q_pi_placements_screws_dscrew
    dplacement: Of_q_pi_placements_screws_dscrew
    jvp: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_pi_placements_screws_lam_several

@type_check_only
class ClosedMorphableLoopJacobian(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dscrew
    dtt: Of_q_v_a_pi_placements_screws_dscrew
    dq: Of_q_pi_placements_screws_dscrew
    dscrew: Of_q_pi_placements_screws_dscrew
    dplacement: Of_q_pi_placements_screws_dscrew
    jvp: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_pi_placements_screws_lam_several

@type_check_only
class Of_q_v_tau_pi_placements_screws_or_wrenches(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_pi_placements_screws_or_wrenches_dwrenches(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_pi_placements_screws_or_wrenches_dwrenches_dpidscrew(Of_q_v_tau_dtau_pi_placements_screws_or_wrenches_dwrenches, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_dtau_ddtau_pi_placements_screws_or_wrenches_dwrenches_ddwrenches(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, ddtau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, ddwrenches: Wrenches | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_ddtau_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_dpidscrew(Of_q_v_tau_dtau_ddtau_pi_placements_screws_or_wrenches_dwrenches_ddwrenches, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_pi_placements_screws_or_wrenches_dpidscrew(Of_q_v_tau_pi_placements_screws_or_wrenches, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_dwrenches_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, *, out: One = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_dwrenches_coordinates(Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_dwrenches_coordinates, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_placements_screws_lam_or_wrenches_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_pi_placements_screws_lam_or_wrenches_coordinates_several(Of_q_v_tau_pi_placements_screws_lam_or_wrenches_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_dwrenches(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_dwrenches(Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_dwrenches, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_placements_screws_lam_or_wrenches_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_pi_placements_screws_lam_or_wrenches_several(Of_q_v_tau_pi_placements_screws_lam_or_wrenches_several, Open):
    ...

@type_check_only
class ClosedMorphableConstrainedDynamics(Of_q_v_tau_pi_placements_screws_or_wrenches, Quantity):
    dt: Of_q_v_tau_dtau_pi_placements_screws_or_wrenches_dwrenches_dpidscrew
    dtt: Of_q_v_tau_dtau_ddtau_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_dpidscrew
    dq: Of_q_v_tau_pi_placements_screws_or_wrenches_dpidscrew
    dv: Of_q_v_tau_pi_placements_screws_or_wrenches_dpidscrew
    dtau: Of_q_v_tau_pi_placements_screws_or_wrenches_dpidscrew
    dpi: Of_q_v_tau_pi_placements_screws_or_wrenches_dpidscrew
    dscrew: Of_q_v_tau_pi_placements_screws_or_wrenches_dpidscrew
    dplacement: Of_q_v_tau_pi_placements_screws_or_wrenches_dpidscrew
    jvp: Open_Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_dwrenches_coordinates
    vjp: Open_Of_q_v_tau_pi_placements_screws_lam_or_wrenches_coordinates_several
    jvp_coordinates: Open_Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_dwrenches
    vjp_coordinates: Open_Of_q_v_tau_pi_placements_screws_lam_or_wrenches_several

@type_check_only
class Of_q_v_tau_or_wrenches_anchors_kp_kd_damping_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_tau_dtau_or_wrenches_dwrenches_anchors_danchors_kp_dkp_kd_dkd_damping_ddamping_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, anchors: ArrayLike | None = None, danchors: ArrayLike | None = None, kp: ArrayLike | None = None, dkp: ArrayLike | None = None, kd: ArrayLike | None = None, dkd: ArrayLike | None = None, damping: ArrayLike | None = None, ddamping: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_tau_dtau_or_wrenches_dwrenches_anchors_danchors_kp_dkp_kd_dkd_damping_ddamping_several_dpidscrew(Of_q_v_tau_dtau_or_wrenches_dwrenches_anchors_danchors_kp_dkp_kd_dkd_damping_ddamping_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches_anchors_danchors_ddanchors_kp_dkp_ddkp_kd_dkd_ddkd_damping_ddamping_dddamping_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, ddtau: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, ddwrenches: Wrenches | None = None, anchors: ArrayLike | None = None, danchors: ArrayLike | None = None, ddanchors: ArrayLike | None = None, kp: ArrayLike | None = None, dkp: ArrayLike | None = None, ddkp: ArrayLike | None = None, kd: ArrayLike | None = None, dkd: ArrayLike | None = None, ddkd: ArrayLike | None = None, damping: ArrayLike | None = None, ddamping: ArrayLike | None = None, dddamping: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches_anchors_danchors_ddanchors_kp_dkp_ddkp_kd_dkd_ddkd_damping_ddamping_dddamping_several_dpidscrew(Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches_anchors_danchors_ddanchors_kp_dkp_ddkp_kd_dkd_ddkd_damping_ddamping_dddamping_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_or_wrenches_anchors_kp_kd_damping_several_dpidscrew(Of_q_v_tau_or_wrenches_anchors_kp_kd_damping_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_dq_dv_dtau_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, dwrenches: Wrenches | None = None, danchors: ArrayLike | None = None, dkp: ArrayLike | None = None, dkd: ArrayLike | None = None, ddamping: ArrayLike | None = None, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_dq_dv_dtau_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping_coordinates_several(Of_q_v_tau_dq_dv_dtau_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_lam_0_lam_1_or_wrenches_anchors_kp_kd_damping_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_lam_0_lam_1_or_wrenches_anchors_kp_kd_damping_coordinates_several(Of_q_v_tau_lam_0_lam_1_or_wrenches_anchors_kp_kd_damping_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_dq_dv_dtau_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, dwrenches: Wrenches | None = None, danchors: ArrayLike | None = None, dkp: ArrayLike | None = None, dkd: ArrayLike | None = None, ddamping: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_dq_dv_dtau_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping_several(Of_q_v_tau_dq_dv_dtau_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping_several, Open):
    ...

@type_check_only
class Of_q_v_tau_lam_0_lam_1_or_wrenches_anchors_kp_kd_damping_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_lam_0_lam_1_or_wrenches_anchors_kp_kd_damping_several(Of_q_v_tau_lam_0_lam_1_or_wrenches_anchors_kp_kd_damping_several, Open):
    ...

@type_check_only
class ContactDynamics(Of_q_v_tau_or_wrenches_anchors_kp_kd_damping_several, Quantity):
    dt: Of_q_v_tau_dtau_or_wrenches_dwrenches_anchors_danchors_kp_dkp_kd_dkd_damping_ddamping_several_dpidscrew
    dtt: Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches_anchors_danchors_ddanchors_kp_dkp_ddkp_kd_dkd_ddkd_damping_ddamping_dddamping_several_dpidscrew
    dq: Of_q_v_tau_or_wrenches_anchors_kp_kd_damping_several_dpidscrew
    dv: Of_q_v_tau_or_wrenches_anchors_kp_kd_damping_several_dpidscrew
    dtau: Of_q_v_tau_or_wrenches_anchors_kp_kd_damping_several_dpidscrew
    derivatives: Of_q_v_tau_or_wrenches_anchors_kp_kd_damping_several_dpidscrew
    dpi: Of_q_v_tau_or_wrenches_anchors_kp_kd_damping_several_dpidscrew
    dscrew: Of_q_v_tau_or_wrenches_anchors_kp_kd_damping_several_dpidscrew
    dplacement: Of_q_v_tau_or_wrenches_anchors_kp_kd_damping_several_dpidscrew
    jvp: Open_Of_q_v_tau_dq_dv_dtau_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping_coordinates_several
    vjp: Open_Of_q_v_tau_lam_0_lam_1_or_wrenches_anchors_kp_kd_damping_coordinates_several
    jvp_coordinates: Open_Of_q_v_tau_dq_dv_dtau_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping_several
    vjp_coordinates: Open_Of_q_v_tau_lam_0_lam_1_or_wrenches_anchors_kp_kd_damping_several

@type_check_only
class Of_q_v_tau_or_wrenches_anchors_kp_kd_damping(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_or_wrenches_dwrenches_anchors_danchors_kp_dkp_kd_dkd_damping_ddamping(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, anchors: ArrayLike | None = None, danchors: ArrayLike | None = None, kp: ArrayLike | None = None, dkp: ArrayLike | None = None, kd: ArrayLike | None = None, dkd: ArrayLike | None = None, damping: ArrayLike | None = None, ddamping: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_or_wrenches_dwrenches_anchors_danchors_kp_dkp_kd_dkd_damping_ddamping_dpidscrew(Of_q_v_tau_dtau_or_wrenches_dwrenches_anchors_danchors_kp_dkp_kd_dkd_damping_ddamping, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches_anchors_danchors_ddanchors_kp_dkp_ddkp_kd_dkd_ddkd_damping_ddamping_dddamping(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, ddtau: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, ddwrenches: Wrenches | None = None, anchors: ArrayLike | None = None, danchors: ArrayLike | None = None, ddanchors: ArrayLike | None = None, kp: ArrayLike | None = None, dkp: ArrayLike | None = None, ddkp: ArrayLike | None = None, kd: ArrayLike | None = None, dkd: ArrayLike | None = None, ddkd: ArrayLike | None = None, damping: ArrayLike | None = None, ddamping: ArrayLike | None = None, dddamping: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches_anchors_danchors_ddanchors_kp_dkp_ddkp_kd_dkd_ddkd_damping_ddamping_dddamping_dpidscrew(Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches_anchors_danchors_ddanchors_kp_dkp_ddkp_kd_dkd_ddkd_damping_ddamping_dddamping, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_or_wrenches_anchors_kp_kd_damping_dpidscrew(Of_q_v_tau_or_wrenches_anchors_kp_kd_damping, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_dq_dv_dtau_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, dwrenches: Wrenches | None = None, danchors: ArrayLike | None = None, dkp: ArrayLike | None = None, dkd: ArrayLike | None = None, ddamping: ArrayLike | None = None, *, out: One = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_tau_dq_dv_dtau_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping_coordinates(Of_q_v_tau_dq_dv_dtau_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping_coordinates, Open):
    ...

@type_check_only
class Of_q_v_tau_lam_or_wrenches_anchors_kp_kd_damping_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_lam_or_wrenches_anchors_kp_kd_damping_coordinates_several(Of_q_v_tau_lam_or_wrenches_anchors_kp_kd_damping_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_dq_dv_dtau_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, dwrenches: Wrenches | None = None, danchors: ArrayLike | None = None, dkp: ArrayLike | None = None, dkd: ArrayLike | None = None, ddamping: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_tau_dq_dv_dtau_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping(Of_q_v_tau_dq_dv_dtau_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping, Open):
    ...

@type_check_only
class Of_q_v_tau_lam_or_wrenches_anchors_kp_kd_damping_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_lam_or_wrenches_anchors_kp_kd_damping_several(Of_q_v_tau_lam_or_wrenches_anchors_kp_kd_damping_several, Open):
    ...

@type_check_only
class ContactForwardDynamics(Of_q_v_tau_or_wrenches_anchors_kp_kd_damping, Quantity):
    dt: Of_q_v_tau_dtau_or_wrenches_dwrenches_anchors_danchors_kp_dkp_kd_dkd_damping_ddamping_dpidscrew
    dtt: Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches_anchors_danchors_ddanchors_kp_dkp_ddkp_kd_dkd_ddkd_damping_ddamping_dddamping_dpidscrew
    dq: Of_q_v_tau_or_wrenches_anchors_kp_kd_damping_dpidscrew
    dv: Of_q_v_tau_or_wrenches_anchors_kp_kd_damping_dpidscrew
    dtau: Of_q_v_tau_or_wrenches_anchors_kp_kd_damping_dpidscrew
    derivatives: Of_q_v_tau_or_wrenches_anchors_kp_kd_damping_several_dpidscrew
    dpi: Of_q_v_tau_or_wrenches_anchors_kp_kd_damping_dpidscrew
    dscrew: Of_q_v_tau_or_wrenches_anchors_kp_kd_damping_dpidscrew
    dplacement: Of_q_v_tau_or_wrenches_anchors_kp_kd_damping_dpidscrew
    jvp: Open_Of_q_v_tau_dq_dv_dtau_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping_coordinates
    vjp: Open_Of_q_v_tau_lam_or_wrenches_anchors_kp_kd_damping_coordinates_several
    jvp_coordinates: Open_Of_q_v_tau_dq_dv_dtau_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping
    vjp_coordinates: Open_Of_q_v_tau_lam_or_wrenches_anchors_kp_kd_damping_several

@type_check_only
class Of_q_v_or_restitution_damping_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, restitution: ArrayLike | None = None, damping: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_or_restitution_drestitution_damping_ddamping_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, restitution: ArrayLike | None = None, drestitution: ArrayLike | None = None, damping: ArrayLike | None = None, ddamping: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_or_restitution_drestitution_damping_ddamping_several_dpidscrew(Of_q_v_a_or_restitution_drestitution_damping_ddamping_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_j_or_restitution_drestitution_ddrestitution_damping_ddamping_dddamping_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, restitution: ArrayLike | None = None, drestitution: ArrayLike | None = None, ddrestitution: ArrayLike | None = None, damping: ArrayLike | None = None, ddamping: ArrayLike | None = None, dddamping: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_j_or_restitution_drestitution_ddrestitution_damping_ddamping_dddamping_several_dpidscrew(Of_q_v_a_j_or_restitution_drestitution_ddrestitution_damping_ddamping_dddamping_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_or_restitution_damping_several_dpidscrew(Of_q_v_or_restitution_damping_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_dq_dv_or_restitution_damping_drestitution_ddamping_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, dq: ArrayLike, dv: ArrayLike, restitution: ArrayLike | None = None, damping: ArrayLike | None = None, drestitution: ArrayLike | None = None, ddamping: ArrayLike | None = None, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_dq_dv_or_restitution_damping_drestitution_ddamping_coordinates_several(Of_q_v_dq_dv_or_restitution_damping_drestitution_ddamping_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_lam_0_lam_1_or_restitution_damping_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, restitution: ArrayLike | None = None, damping: ArrayLike | None = None, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_lam_0_lam_1_or_restitution_damping_coordinates_several(Of_q_v_lam_0_lam_1_or_restitution_damping_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_dq_dv_or_restitution_damping_drestitution_ddamping_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, dq: ArrayLike, dv: ArrayLike, restitution: ArrayLike | None = None, damping: ArrayLike | None = None, drestitution: ArrayLike | None = None, ddamping: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_dq_dv_or_restitution_damping_drestitution_ddamping_several(Of_q_v_dq_dv_or_restitution_damping_drestitution_ddamping_several, Open):
    ...

@type_check_only
class Of_q_v_lam_0_lam_1_or_restitution_damping_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, restitution: ArrayLike | None = None, damping: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_lam_0_lam_1_or_restitution_damping_several(Of_q_v_lam_0_lam_1_or_restitution_damping_several, Open):
    ...

@type_check_only
class Impulse(Of_q_v_or_restitution_damping_several, Quantity):
    dt: Of_q_v_a_or_restitution_drestitution_damping_ddamping_several_dpidscrew
    dtt: Of_q_v_a_j_or_restitution_drestitution_ddrestitution_damping_ddamping_dddamping_several_dpidscrew
    dq: Of_q_v_or_restitution_damping_several_dpidscrew
    dv: Of_q_v_or_restitution_damping_several_dpidscrew
    derivatives: Of_q_v_or_restitution_damping_several_dpidscrew
    dpi: Of_q_v_or_restitution_damping_several_dpidscrew
    dscrew: Of_q_v_or_restitution_damping_several_dpidscrew
    dplacement: Of_q_v_or_restitution_damping_several_dpidscrew
    jvp: Open_Of_q_v_dq_dv_or_restitution_damping_drestitution_ddamping_coordinates_several
    vjp: Open_Of_q_v_lam_0_lam_1_or_restitution_damping_coordinates_several
    jvp_coordinates: Open_Of_q_v_dq_dv_or_restitution_damping_drestitution_ddamping_several
    vjp_coordinates: Open_Of_q_v_lam_0_lam_1_or_restitution_damping_several

@type_check_only
class ContactJacobian(Of_q, Quantity):
    dt: Of_q_v_dscrew
    dtt: Of_q_v_a_dscrew
    dq: Of_q_dscrew
    dscrew: Of_q_dscrew
    dplacement: Of_q_dscrew
    jvp: Open_Of_q_dq_coordinates
    vjp: Open_Of_q_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dq
    vjp_coordinates: Open_Of_q_lam_several

@type_check_only
class ContactVelocities(Of_q_v, Quantity):
    dt: Of_q_v_a_dscrew
    dtt: Of_q_v_a_j_dscrew
    dq: Of_q_v_dscrew
    dv: Of_q_v_dscrew
    dscrew: Of_q_v_dscrew
    dplacement: Of_q_v_dscrew
    jvp: Open_Of_q_v_dq_dv_coordinates
    vjp: Open_Of_q_v_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_dq_dv
    vjp_coordinates: Open_Of_q_v_lam_several

@type_check_only
class ContactDrift(Of_q_v, Quantity):
    dt: Of_q_v_a_dscrew
    dtt: Of_q_v_a_j_dscrew
    dq: Of_q_v_dscrew
    dv: Of_q_v_dscrew
    dscrew: Of_q_v_dscrew
    dplacement: Of_q_v_dscrew
    jvp: Open_Of_q_v_dq_dv_coordinates
    vjp: Open_Of_q_v_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_dq_dv
    vjp_coordinates: Open_Of_q_v_lam_several

@type_check_only
class DelassusMatrix(Of_q, Quantity):
    dt: Of_q_v_dpidscrew
    dtt: Of_q_v_a_dpidscrew
    dq: Of_q_dpidscrew
    dpi: Of_q_dpidscrew
    dscrew: Of_q_dpidscrew
    dplacement: Of_q_dpidscrew
    jvp: Open_Of_q_dq_coordinates
    vjp: Open_Of_q_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dq
    vjp_coordinates: Open_Of_q_lam_several

@type_check_only
class ContactPoses(Of_q, Quantity):
    dt: Of_q_v_plain
    dtt: Of_q_v_a_plain
    dq: Of_q_plain
    jvp: Open_Of_q_dq_coordinates
    vjp: Open_Of_q_lam_coordinates_several
    jvp_coordinates: Open_Of_q_dq
    vjp_coordinates: Open_Of_q_lam_several

@type_check_only
class Of_q_v_tau_pi_or_wrenches_anchors_kp_kd_damping_gravity_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_tau_dtau_pi_or_wrenches_dwrenches_anchors_danchors_kp_dkp_kd_dkd_damping_ddamping_gravity_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, anchors: ArrayLike | None = None, danchors: ArrayLike | None = None, kp: ArrayLike | None = None, dkp: ArrayLike | None = None, kd: ArrayLike | None = None, dkd: ArrayLike | None = None, damping: ArrayLike | None = None, ddamping: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_tau_dtau_pi_or_wrenches_dwrenches_anchors_danchors_kp_dkp_kd_dkd_damping_ddamping_gravity_several_dpidscrew(Of_q_v_tau_dtau_pi_or_wrenches_dwrenches_anchors_danchors_kp_dkp_kd_dkd_damping_ddamping_gravity_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_dtau_ddtau_pi_or_wrenches_dwrenches_ddwrenches_anchors_danchors_ddanchors_kp_dkp_ddkp_kd_dkd_ddkd_damping_ddamping_dddamping_gravity_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, ddtau: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, ddwrenches: Wrenches | None = None, anchors: ArrayLike | None = None, danchors: ArrayLike | None = None, ddanchors: ArrayLike | None = None, kp: ArrayLike | None = None, dkp: ArrayLike | None = None, ddkp: ArrayLike | None = None, kd: ArrayLike | None = None, dkd: ArrayLike | None = None, ddkd: ArrayLike | None = None, damping: ArrayLike | None = None, ddamping: ArrayLike | None = None, dddamping: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_tau_dtau_ddtau_pi_or_wrenches_dwrenches_ddwrenches_anchors_danchors_ddanchors_kp_dkp_ddkp_kd_dkd_ddkd_damping_ddamping_dddamping_gravity_several_dpidscrew(Of_q_v_tau_dtau_ddtau_pi_or_wrenches_dwrenches_ddwrenches_anchors_danchors_ddanchors_kp_dkp_ddkp_kd_dkd_ddkd_damping_ddamping_dddamping_gravity_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_pi_or_wrenches_anchors_kp_kd_damping_gravity_several_dpidscrew(Of_q_v_tau_pi_or_wrenches_anchors_kp_kd_damping_gravity_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_anchors_kp_kd_damping_gravity_dwrenches_danchors_dkp_dkd_ddamping_dgravity_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dpi: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, gravity: ArrayLike | None = None, dwrenches: Wrenches | None = None, danchors: ArrayLike | None = None, dkp: ArrayLike | None = None, dkd: ArrayLike | None = None, ddamping: ArrayLike | None = None, dgravity: ArrayLike | None = None, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_anchors_kp_kd_damping_gravity_dwrenches_danchors_dkp_dkd_ddamping_dgravity_coordinates_several(Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_anchors_kp_kd_damping_gravity_dwrenches_danchors_dkp_dkd_ddamping_dgravity_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_lam_0_lam_1_or_wrenches_anchors_kp_kd_damping_gravity_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_pi_lam_0_lam_1_or_wrenches_anchors_kp_kd_damping_gravity_coordinates_several(Of_q_v_tau_pi_lam_0_lam_1_or_wrenches_anchors_kp_kd_damping_gravity_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_anchors_kp_kd_damping_gravity_dwrenches_danchors_dkp_dkd_ddamping_dgravity_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dpi: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, gravity: ArrayLike | None = None, dwrenches: Wrenches | None = None, danchors: ArrayLike | None = None, dkp: ArrayLike | None = None, dkd: ArrayLike | None = None, ddamping: ArrayLike | None = None, dgravity: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_anchors_kp_kd_damping_gravity_dwrenches_danchors_dkp_dkd_ddamping_dgravity_several(Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_anchors_kp_kd_damping_gravity_dwrenches_danchors_dkp_dkd_ddamping_dgravity_several, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_lam_0_lam_1_or_wrenches_anchors_kp_kd_damping_gravity_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_pi_lam_0_lam_1_or_wrenches_anchors_kp_kd_damping_gravity_several(Of_q_v_tau_pi_lam_0_lam_1_or_wrenches_anchors_kp_kd_damping_gravity_several, Open):
    ...

@type_check_only
class ContactParametricContactDynamics(Of_q_v_tau_pi_or_wrenches_anchors_kp_kd_damping_gravity_several, Quantity):
    dt: Of_q_v_tau_dtau_pi_or_wrenches_dwrenches_anchors_danchors_kp_dkp_kd_dkd_damping_ddamping_gravity_several_dpidscrew
    dtt: Of_q_v_tau_dtau_ddtau_pi_or_wrenches_dwrenches_ddwrenches_anchors_danchors_ddanchors_kp_dkp_ddkp_kd_dkd_ddkd_damping_ddamping_dddamping_gravity_several_dpidscrew
    dq: Of_q_v_tau_pi_or_wrenches_anchors_kp_kd_damping_gravity_several_dpidscrew
    dv: Of_q_v_tau_pi_or_wrenches_anchors_kp_kd_damping_gravity_several_dpidscrew
    dtau: Of_q_v_tau_pi_or_wrenches_anchors_kp_kd_damping_gravity_several_dpidscrew
    derivatives: Of_q_v_tau_pi_or_wrenches_anchors_kp_kd_damping_gravity_several_dpidscrew
    dpi: Of_q_v_tau_pi_or_wrenches_anchors_kp_kd_damping_gravity_several_dpidscrew
    dscrew: Of_q_v_tau_pi_or_wrenches_anchors_kp_kd_damping_gravity_several_dpidscrew
    dplacement: Of_q_v_tau_pi_or_wrenches_anchors_kp_kd_damping_gravity_several_dpidscrew
    jvp: Open_Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_anchors_kp_kd_damping_gravity_dwrenches_danchors_dkp_dkd_ddamping_dgravity_coordinates_several
    vjp: Open_Of_q_v_tau_pi_lam_0_lam_1_or_wrenches_anchors_kp_kd_damping_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_anchors_kp_kd_damping_gravity_dwrenches_danchors_dkp_dkd_ddamping_dgravity_several
    vjp_coordinates: Open_Of_q_v_tau_pi_lam_0_lam_1_or_wrenches_anchors_kp_kd_damping_gravity_several

@type_check_only
class Of_q_v_tau_pi_or_wrenches_anchors_kp_kd_damping_gravity(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_pi_or_wrenches_dwrenches_anchors_danchors_kp_dkp_kd_dkd_damping_ddamping_gravity(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, anchors: ArrayLike | None = None, danchors: ArrayLike | None = None, kp: ArrayLike | None = None, dkp: ArrayLike | None = None, kd: ArrayLike | None = None, dkd: ArrayLike | None = None, damping: ArrayLike | None = None, ddamping: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_pi_or_wrenches_dwrenches_anchors_danchors_kp_dkp_kd_dkd_damping_ddamping_gravity_dpidscrew(Of_q_v_tau_dtau_pi_or_wrenches_dwrenches_anchors_danchors_kp_dkp_kd_dkd_damping_ddamping_gravity, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_dtau_ddtau_pi_or_wrenches_dwrenches_ddwrenches_anchors_danchors_ddanchors_kp_dkp_ddkp_kd_dkd_ddkd_damping_ddamping_dddamping_gravity(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, ddtau: ArrayLike, pi: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, ddwrenches: Wrenches | None = None, anchors: ArrayLike | None = None, danchors: ArrayLike | None = None, ddanchors: ArrayLike | None = None, kp: ArrayLike | None = None, dkp: ArrayLike | None = None, ddkp: ArrayLike | None = None, kd: ArrayLike | None = None, dkd: ArrayLike | None = None, ddkd: ArrayLike | None = None, damping: ArrayLike | None = None, ddamping: ArrayLike | None = None, dddamping: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_ddtau_pi_or_wrenches_dwrenches_ddwrenches_anchors_danchors_ddanchors_kp_dkp_ddkp_kd_dkd_ddkd_damping_ddamping_dddamping_gravity_dpidscrew(Of_q_v_tau_dtau_ddtau_pi_or_wrenches_dwrenches_ddwrenches_anchors_danchors_ddanchors_kp_dkp_ddkp_kd_dkd_ddkd_damping_ddamping_dddamping_gravity, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_pi_or_wrenches_anchors_kp_kd_damping_gravity_dpidscrew(Of_q_v_tau_pi_or_wrenches_anchors_kp_kd_damping_gravity, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_anchors_kp_kd_damping_gravity_dwrenches_danchors_dkp_dkd_ddamping_dgravity_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dpi: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, gravity: ArrayLike | None = None, dwrenches: Wrenches | None = None, danchors: ArrayLike | None = None, dkp: ArrayLike | None = None, dkd: ArrayLike | None = None, ddamping: ArrayLike | None = None, dgravity: ArrayLike | None = None, *, out: One = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_anchors_kp_kd_damping_gravity_dwrenches_danchors_dkp_dkd_ddamping_dgravity_coordinates(Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_anchors_kp_kd_damping_gravity_dwrenches_danchors_dkp_dkd_ddamping_dgravity_coordinates, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_lam_or_wrenches_anchors_kp_kd_damping_gravity_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_pi_lam_or_wrenches_anchors_kp_kd_damping_gravity_coordinates_several(Of_q_v_tau_pi_lam_or_wrenches_anchors_kp_kd_damping_gravity_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_anchors_kp_kd_damping_gravity_dwrenches_danchors_dkp_dkd_ddamping_dgravity(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dpi: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, gravity: ArrayLike | None = None, dwrenches: Wrenches | None = None, danchors: ArrayLike | None = None, dkp: ArrayLike | None = None, dkd: ArrayLike | None = None, ddamping: ArrayLike | None = None, dgravity: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_anchors_kp_kd_damping_gravity_dwrenches_danchors_dkp_dkd_ddamping_dgravity(Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_anchors_kp_kd_damping_gravity_dwrenches_danchors_dkp_dkd_ddamping_dgravity, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_lam_or_wrenches_anchors_kp_kd_damping_gravity_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_pi_lam_or_wrenches_anchors_kp_kd_damping_gravity_several(Of_q_v_tau_pi_lam_or_wrenches_anchors_kp_kd_damping_gravity_several, Open):
    ...

@type_check_only
class ContactParametricForwardDynamics(Of_q_v_tau_pi_or_wrenches_anchors_kp_kd_damping_gravity, Quantity):
    dt: Of_q_v_tau_dtau_pi_or_wrenches_dwrenches_anchors_danchors_kp_dkp_kd_dkd_damping_ddamping_gravity_dpidscrew
    dtt: Of_q_v_tau_dtau_ddtau_pi_or_wrenches_dwrenches_ddwrenches_anchors_danchors_ddanchors_kp_dkp_ddkp_kd_dkd_ddkd_damping_ddamping_dddamping_gravity_dpidscrew
    dq: Of_q_v_tau_pi_or_wrenches_anchors_kp_kd_damping_gravity_dpidscrew
    dv: Of_q_v_tau_pi_or_wrenches_anchors_kp_kd_damping_gravity_dpidscrew
    dtau: Of_q_v_tau_pi_or_wrenches_anchors_kp_kd_damping_gravity_dpidscrew
    derivatives: Of_q_v_tau_pi_or_wrenches_anchors_kp_kd_damping_gravity_several_dpidscrew
    dpi: Of_q_v_tau_pi_or_wrenches_anchors_kp_kd_damping_gravity_dpidscrew
    dscrew: Of_q_v_tau_pi_or_wrenches_anchors_kp_kd_damping_gravity_dpidscrew
    dplacement: Of_q_v_tau_pi_or_wrenches_anchors_kp_kd_damping_gravity_dpidscrew
    jvp: Open_Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_anchors_kp_kd_damping_gravity_dwrenches_danchors_dkp_dkd_ddamping_dgravity_coordinates
    vjp: Open_Of_q_v_tau_pi_lam_or_wrenches_anchors_kp_kd_damping_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_v_tau_pi_dq_dv_dtau_dpi_or_wrenches_anchors_kp_kd_damping_gravity_dwrenches_danchors_dkp_dkd_ddamping_dgravity
    vjp_coordinates: Open_Of_q_v_tau_pi_lam_or_wrenches_anchors_kp_kd_damping_gravity_several

@type_check_only
class Of_q_v_pi_or_restitution_damping_gravity_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, restitution: ArrayLike | None = None, damping: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_pi_or_restitution_drestitution_damping_ddamping_gravity_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, restitution: ArrayLike | None = None, drestitution: ArrayLike | None = None, damping: ArrayLike | None = None, ddamping: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_pi_or_restitution_drestitution_damping_ddamping_gravity_several_dpidscrew(Of_q_v_a_pi_or_restitution_drestitution_damping_ddamping_gravity_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_j_pi_or_restitution_drestitution_ddrestitution_damping_ddamping_dddamping_gravity_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, pi: ArrayLike, restitution: ArrayLike | None = None, drestitution: ArrayLike | None = None, ddrestitution: ArrayLike | None = None, damping: ArrayLike | None = None, ddamping: ArrayLike | None = None, dddamping: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_j_pi_or_restitution_drestitution_ddrestitution_damping_ddamping_dddamping_gravity_several_dpidscrew(Of_q_v_a_j_pi_or_restitution_drestitution_ddrestitution_damping_ddamping_dddamping_gravity_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_pi_or_restitution_damping_gravity_several_dpidscrew(Of_q_v_pi_or_restitution_damping_gravity_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_pi_dq_dv_dpi_or_restitution_damping_gravity_drestitution_ddamping_dgravity_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, dq: ArrayLike, dv: ArrayLike, dpi: ArrayLike, restitution: ArrayLike | None = None, damping: ArrayLike | None = None, gravity: ArrayLike | None = None, drestitution: ArrayLike | None = None, ddamping: ArrayLike | None = None, dgravity: ArrayLike | None = None, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_pi_dq_dv_dpi_or_restitution_damping_gravity_drestitution_ddamping_dgravity_coordinates_several(Of_q_v_pi_dq_dv_dpi_or_restitution_damping_gravity_drestitution_ddamping_dgravity_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_pi_lam_0_lam_1_or_restitution_damping_gravity_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, restitution: ArrayLike | None = None, damping: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_pi_lam_0_lam_1_or_restitution_damping_gravity_coordinates_several(Of_q_v_pi_lam_0_lam_1_or_restitution_damping_gravity_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_pi_dq_dv_dpi_or_restitution_damping_gravity_drestitution_ddamping_dgravity_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, dq: ArrayLike, dv: ArrayLike, dpi: ArrayLike, restitution: ArrayLike | None = None, damping: ArrayLike | None = None, gravity: ArrayLike | None = None, drestitution: ArrayLike | None = None, ddamping: ArrayLike | None = None, dgravity: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_pi_dq_dv_dpi_or_restitution_damping_gravity_drestitution_ddamping_dgravity_several(Of_q_v_pi_dq_dv_dpi_or_restitution_damping_gravity_drestitution_ddamping_dgravity_several, Open):
    ...

@type_check_only
class Of_q_v_pi_lam_0_lam_1_or_restitution_damping_gravity_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, restitution: ArrayLike | None = None, damping: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_pi_lam_0_lam_1_or_restitution_damping_gravity_several(Of_q_v_pi_lam_0_lam_1_or_restitution_damping_gravity_several, Open):
    ...

@type_check_only
class ContactParametricImpulse(Of_q_v_pi_or_restitution_damping_gravity_several, Quantity):
    dt: Of_q_v_a_pi_or_restitution_drestitution_damping_ddamping_gravity_several_dpidscrew
    dtt: Of_q_v_a_j_pi_or_restitution_drestitution_ddrestitution_damping_ddamping_dddamping_gravity_several_dpidscrew
    dq: Of_q_v_pi_or_restitution_damping_gravity_several_dpidscrew
    dv: Of_q_v_pi_or_restitution_damping_gravity_several_dpidscrew
    derivatives: Of_q_v_pi_or_restitution_damping_gravity_several_dpidscrew
    dpi: Of_q_v_pi_or_restitution_damping_gravity_several_dpidscrew
    dscrew: Of_q_v_pi_or_restitution_damping_gravity_several_dpidscrew
    dplacement: Of_q_v_pi_or_restitution_damping_gravity_several_dpidscrew
    jvp: Open_Of_q_v_pi_dq_dv_dpi_or_restitution_damping_gravity_drestitution_ddamping_dgravity_coordinates_several
    vjp: Open_Of_q_v_pi_lam_0_lam_1_or_restitution_damping_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_dq_dv_dpi_or_restitution_damping_gravity_drestitution_ddamping_dgravity_several
    vjp_coordinates: Open_Of_q_v_pi_lam_0_lam_1_or_restitution_damping_gravity_several

@type_check_only
class ContactParametricDelassusMatrix(Of_q_pi_or_gravity, Quantity):
    dt: Of_q_v_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_pi_or_gravity_dpidscrew
    dq: Of_q_pi_or_gravity_dpidscrew
    dpi: Of_q_pi_or_gravity_dpidscrew
    dscrew: Of_q_pi_or_gravity_dpidscrew
    dplacement: Of_q_pi_or_gravity_dpidscrew
    jvp: Open_Of_q_pi_dq_dpi_or_gravity_dgravity_coordinates
    vjp: Open_Of_q_pi_lam_or_gravity_coordinates_several
    jvp_coordinates: Open_Of_q_pi_dq_dpi_or_gravity_dgravity
    vjp_coordinates: Open_Of_q_pi_lam_or_gravity_several

@type_check_only
class Of_q_v_tau_pi_placements_screws_or_wrenches_anchors_kp_kd_damping_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_tau_dtau_pi_placements_screws_or_wrenches_dwrenches_anchors_danchors_kp_dkp_kd_dkd_damping_ddamping_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, anchors: ArrayLike | None = None, danchors: ArrayLike | None = None, kp: ArrayLike | None = None, dkp: ArrayLike | None = None, kd: ArrayLike | None = None, dkd: ArrayLike | None = None, damping: ArrayLike | None = None, ddamping: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_tau_dtau_pi_placements_screws_or_wrenches_dwrenches_anchors_danchors_kp_dkp_kd_dkd_damping_ddamping_several_dpidscrew(Of_q_v_tau_dtau_pi_placements_screws_or_wrenches_dwrenches_anchors_danchors_kp_dkp_kd_dkd_damping_ddamping_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_dtau_ddtau_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_anchors_danchors_ddanchors_kp_dkp_ddkp_kd_dkd_ddkd_damping_ddamping_dddamping_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, ddtau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, ddwrenches: Wrenches | None = None, anchors: ArrayLike | None = None, danchors: ArrayLike | None = None, ddanchors: ArrayLike | None = None, kp: ArrayLike | None = None, dkp: ArrayLike | None = None, ddkp: ArrayLike | None = None, kd: ArrayLike | None = None, dkd: ArrayLike | None = None, ddkd: ArrayLike | None = None, damping: ArrayLike | None = None, ddamping: ArrayLike | None = None, dddamping: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_tau_dtau_ddtau_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_anchors_danchors_ddanchors_kp_dkp_ddkp_kd_dkd_ddkd_damping_ddamping_dddamping_several_dpidscrew(Of_q_v_tau_dtau_ddtau_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_anchors_danchors_ddanchors_kp_dkp_ddkp_kd_dkd_ddkd_damping_ddamping_dddamping_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_pi_placements_screws_or_wrenches_anchors_kp_kd_damping_several_dpidscrew(Of_q_v_tau_pi_placements_screws_or_wrenches_anchors_kp_kd_damping_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, dwrenches: Wrenches | None = None, danchors: ArrayLike | None = None, dkp: ArrayLike | None = None, dkd: ArrayLike | None = None, ddamping: ArrayLike | None = None, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping_coordinates_several(Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_placements_screws_lam_0_lam_1_or_wrenches_anchors_kp_kd_damping_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_pi_placements_screws_lam_0_lam_1_or_wrenches_anchors_kp_kd_damping_coordinates_several(Of_q_v_tau_pi_placements_screws_lam_0_lam_1_or_wrenches_anchors_kp_kd_damping_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, dwrenches: Wrenches | None = None, danchors: ArrayLike | None = None, dkp: ArrayLike | None = None, dkd: ArrayLike | None = None, ddamping: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping_several(Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping_several, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_placements_screws_lam_0_lam_1_or_wrenches_anchors_kp_kd_damping_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_pi_placements_screws_lam_0_lam_1_or_wrenches_anchors_kp_kd_damping_several(Of_q_v_tau_pi_placements_screws_lam_0_lam_1_or_wrenches_anchors_kp_kd_damping_several, Open):
    ...

@type_check_only
class ContactMorphableContactDynamics(Of_q_v_tau_pi_placements_screws_or_wrenches_anchors_kp_kd_damping_several, Quantity):
    dt: Of_q_v_tau_dtau_pi_placements_screws_or_wrenches_dwrenches_anchors_danchors_kp_dkp_kd_dkd_damping_ddamping_several_dpidscrew
    dtt: Of_q_v_tau_dtau_ddtau_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_anchors_danchors_ddanchors_kp_dkp_ddkp_kd_dkd_ddkd_damping_ddamping_dddamping_several_dpidscrew
    dq: Of_q_v_tau_pi_placements_screws_or_wrenches_anchors_kp_kd_damping_several_dpidscrew
    dv: Of_q_v_tau_pi_placements_screws_or_wrenches_anchors_kp_kd_damping_several_dpidscrew
    dtau: Of_q_v_tau_pi_placements_screws_or_wrenches_anchors_kp_kd_damping_several_dpidscrew
    derivatives: Of_q_v_tau_pi_placements_screws_or_wrenches_anchors_kp_kd_damping_several_dpidscrew
    dpi: Of_q_v_tau_pi_placements_screws_or_wrenches_anchors_kp_kd_damping_several_dpidscrew
    dscrew: Of_q_v_tau_pi_placements_screws_or_wrenches_anchors_kp_kd_damping_several_dpidscrew
    dplacement: Of_q_v_tau_pi_placements_screws_or_wrenches_anchors_kp_kd_damping_several_dpidscrew
    jvp: Open_Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping_coordinates_several
    vjp: Open_Of_q_v_tau_pi_placements_screws_lam_0_lam_1_or_wrenches_anchors_kp_kd_damping_coordinates_several
    jvp_coordinates: Open_Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping_several
    vjp_coordinates: Open_Of_q_v_tau_pi_placements_screws_lam_0_lam_1_or_wrenches_anchors_kp_kd_damping_several

@type_check_only
class Of_q_v_tau_pi_placements_screws_or_wrenches_anchors_kp_kd_damping(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_pi_placements_screws_or_wrenches_dwrenches_anchors_danchors_kp_dkp_kd_dkd_damping_ddamping(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, anchors: ArrayLike | None = None, danchors: ArrayLike | None = None, kp: ArrayLike | None = None, dkp: ArrayLike | None = None, kd: ArrayLike | None = None, dkd: ArrayLike | None = None, damping: ArrayLike | None = None, ddamping: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_pi_placements_screws_or_wrenches_dwrenches_anchors_danchors_kp_dkp_kd_dkd_damping_ddamping_dpidscrew(Of_q_v_tau_dtau_pi_placements_screws_or_wrenches_dwrenches_anchors_danchors_kp_dkp_kd_dkd_damping_ddamping, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_dtau_ddtau_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_anchors_danchors_ddanchors_kp_dkp_ddkp_kd_dkd_ddkd_damping_ddamping_dddamping(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, ddtau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: Wrenches | None = None, dwrenches: Wrenches | None = None, ddwrenches: Wrenches | None = None, anchors: ArrayLike | None = None, danchors: ArrayLike | None = None, ddanchors: ArrayLike | None = None, kp: ArrayLike | None = None, dkp: ArrayLike | None = None, ddkp: ArrayLike | None = None, kd: ArrayLike | None = None, dkd: ArrayLike | None = None, ddkd: ArrayLike | None = None, damping: ArrayLike | None = None, ddamping: ArrayLike | None = None, dddamping: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_ddtau_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_anchors_danchors_ddanchors_kp_dkp_ddkp_kd_dkd_ddkd_damping_ddamping_dddamping_dpidscrew(Of_q_v_tau_dtau_ddtau_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_anchors_danchors_ddanchors_kp_dkp_ddkp_kd_dkd_ddkd_damping_ddamping_dddamping, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_pi_placements_screws_or_wrenches_anchors_kp_kd_damping_dpidscrew(Of_q_v_tau_pi_placements_screws_or_wrenches_anchors_kp_kd_damping, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping_coordinates(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, dwrenches: Wrenches | None = None, danchors: ArrayLike | None = None, dkp: ArrayLike | None = None, dkd: ArrayLike | None = None, ddamping: ArrayLike | None = None, *, out: One = None, coordinates: bool = False, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping_coordinates(Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping_coordinates, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_placements_screws_lam_or_wrenches_anchors_kp_kd_damping_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_pi_placements_screws_lam_or_wrenches_anchors_kp_kd_damping_coordinates_several(Of_q_v_tau_pi_placements_screws_lam_or_wrenches_anchors_kp_kd_damping_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, dtau: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, dwrenches: Wrenches | None = None, danchors: ArrayLike | None = None, dkp: ArrayLike | None = None, dkd: ArrayLike | None = None, ddamping: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Open_Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping(Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping, Open):
    ...

@type_check_only
class Of_q_v_tau_pi_placements_screws_lam_or_wrenches_anchors_kp_kd_damping_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam: ArrayLike, wrenches: Wrenches | None = None, anchors: ArrayLike | None = None, kp: ArrayLike | None = None, kd: ArrayLike | None = None, damping: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_tau_pi_placements_screws_lam_or_wrenches_anchors_kp_kd_damping_several(Of_q_v_tau_pi_placements_screws_lam_or_wrenches_anchors_kp_kd_damping_several, Open):
    ...

@type_check_only
class ContactMorphableForwardDynamics(Of_q_v_tau_pi_placements_screws_or_wrenches_anchors_kp_kd_damping, Quantity):
    dt: Of_q_v_tau_dtau_pi_placements_screws_or_wrenches_dwrenches_anchors_danchors_kp_dkp_kd_dkd_damping_ddamping_dpidscrew
    dtt: Of_q_v_tau_dtau_ddtau_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_anchors_danchors_ddanchors_kp_dkp_ddkp_kd_dkd_ddkd_damping_ddamping_dddamping_dpidscrew
    dq: Of_q_v_tau_pi_placements_screws_or_wrenches_anchors_kp_kd_damping_dpidscrew
    dv: Of_q_v_tau_pi_placements_screws_or_wrenches_anchors_kp_kd_damping_dpidscrew
    dtau: Of_q_v_tau_pi_placements_screws_or_wrenches_anchors_kp_kd_damping_dpidscrew
    derivatives: Of_q_v_tau_pi_placements_screws_or_wrenches_anchors_kp_kd_damping_several_dpidscrew
    dpi: Of_q_v_tau_pi_placements_screws_or_wrenches_anchors_kp_kd_damping_dpidscrew
    dscrew: Of_q_v_tau_pi_placements_screws_or_wrenches_anchors_kp_kd_damping_dpidscrew
    dplacement: Of_q_v_tau_pi_placements_screws_or_wrenches_anchors_kp_kd_damping_dpidscrew
    jvp: Open_Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping_coordinates
    vjp: Open_Of_q_v_tau_pi_placements_screws_lam_or_wrenches_anchors_kp_kd_damping_coordinates_several
    jvp_coordinates: Open_Of_q_v_tau_pi_placements_screws_dq_dv_dtau_dpi_dplacements_dscrews_or_wrenches_anchors_kp_kd_damping_dwrenches_danchors_dkp_dkd_ddamping
    vjp_coordinates: Open_Of_q_v_tau_pi_placements_screws_lam_or_wrenches_anchors_kp_kd_damping_several

@type_check_only
class Of_q_v_pi_placements_screws_or_restitution_damping_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, restitution: ArrayLike | None = None, damping: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_pi_placements_screws_or_restitution_drestitution_damping_ddamping_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, restitution: ArrayLike | None = None, drestitution: ArrayLike | None = None, damping: ArrayLike | None = None, ddamping: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_pi_placements_screws_or_restitution_drestitution_damping_ddamping_several_dpidscrew(Of_q_v_a_pi_placements_screws_or_restitution_drestitution_damping_ddamping_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_a_j_pi_placements_screws_or_restitution_drestitution_ddrestitution_damping_ddamping_dddamping_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, restitution: ArrayLike | None = None, drestitution: ArrayLike | None = None, ddrestitution: ArrayLike | None = None, damping: ArrayLike | None = None, ddamping: ArrayLike | None = None, dddamping: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_j_pi_placements_screws_or_restitution_drestitution_ddrestitution_damping_ddamping_dddamping_several_dpidscrew(Of_q_v_a_j_pi_placements_screws_or_restitution_drestitution_ddrestitution_damping_ddamping_dddamping_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_pi_placements_screws_or_restitution_damping_several_dpidscrew(Of_q_v_pi_placements_screws_or_restitution_damping_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dpi: Further
    dscrew: Further
    dplacement: Further
    jvp: Further
    vjp: Further
    jvp_coordinates: Further
    vjp_coordinates: Further

@type_check_only
class Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_or_restitution_damping_drestitution_ddamping_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, restitution: ArrayLike | None = None, damping: ArrayLike | None = None, drestitution: ArrayLike | None = None, ddamping: ArrayLike | None = None, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_or_restitution_damping_drestitution_ddamping_coordinates_several(Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_or_restitution_damping_drestitution_ddamping_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_pi_placements_screws_lam_0_lam_1_or_restitution_damping_coordinates_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, restitution: ArrayLike | None = None, damping: ArrayLike | None = None, *, out: Several = None, coordinates: bool = False, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_pi_placements_screws_lam_0_lam_1_or_restitution_damping_coordinates_several(Of_q_v_pi_placements_screws_lam_0_lam_1_or_restitution_damping_coordinates_several, Open):
    ...

@type_check_only
class Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_or_restitution_damping_drestitution_ddamping_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, dq: ArrayLike, dv: ArrayLike, dpi: ArrayLike, dplacements: ArrayLike, dscrews: ArrayLike, restitution: ArrayLike | None = None, damping: ArrayLike | None = None, drestitution: ArrayLike | None = None, ddamping: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_or_restitution_damping_drestitution_ddamping_several(Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_or_restitution_damping_drestitution_ddamping_several, Open):
    ...

@type_check_only
class Of_q_v_pi_placements_screws_lam_0_lam_1_or_restitution_damping_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, lam_0: ArrayLike, lam_1: ArrayLike, restitution: ArrayLike | None = None, damping: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Open_Of_q_v_pi_placements_screws_lam_0_lam_1_or_restitution_damping_several(Of_q_v_pi_placements_screws_lam_0_lam_1_or_restitution_damping_several, Open):
    ...

@type_check_only
class ContactMorphableImpulse(Of_q_v_pi_placements_screws_or_restitution_damping_several, Quantity):
    dt: Of_q_v_a_pi_placements_screws_or_restitution_drestitution_damping_ddamping_several_dpidscrew
    dtt: Of_q_v_a_j_pi_placements_screws_or_restitution_drestitution_ddrestitution_damping_ddamping_dddamping_several_dpidscrew
    dq: Of_q_v_pi_placements_screws_or_restitution_damping_several_dpidscrew
    dv: Of_q_v_pi_placements_screws_or_restitution_damping_several_dpidscrew
    derivatives: Of_q_v_pi_placements_screws_or_restitution_damping_several_dpidscrew
    dpi: Of_q_v_pi_placements_screws_or_restitution_damping_several_dpidscrew
    dscrew: Of_q_v_pi_placements_screws_or_restitution_damping_several_dpidscrew
    dplacement: Of_q_v_pi_placements_screws_or_restitution_damping_several_dpidscrew
    jvp: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_or_restitution_damping_drestitution_ddamping_coordinates_several
    vjp: Open_Of_q_v_pi_placements_screws_lam_0_lam_1_or_restitution_damping_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_or_restitution_damping_drestitution_ddamping_several
    vjp_coordinates: Open_Of_q_v_pi_placements_screws_lam_0_lam_1_or_restitution_damping_several

@type_check_only
class ContactMorphableContactJacobian(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dscrew
    dtt: Of_q_v_a_pi_placements_screws_dscrew
    dq: Of_q_pi_placements_screws_dscrew
    dscrew: Of_q_pi_placements_screws_dscrew
    dplacement: Of_q_pi_placements_screws_dscrew
    jvp: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_pi_placements_screws_lam_several

@type_check_only
class ContactMorphableContactVelocities(Of_q_v_pi_placements_screws, Quantity):
    dt: Of_q_v_a_pi_placements_screws_dscrew
    dtt: Of_q_v_a_j_pi_placements_screws_dscrew
    dq: Of_q_v_pi_placements_screws_dscrew
    dv: Of_q_v_pi_placements_screws_dscrew
    dscrew: Of_q_v_pi_placements_screws_dscrew
    dplacement: Of_q_v_pi_placements_screws_dscrew
    jvp: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_pi_placements_screws_lam_several

@type_check_only
class ContactMorphableContactDrift(Of_q_v_pi_placements_screws, Quantity):
    dt: Of_q_v_a_pi_placements_screws_dscrew
    dtt: Of_q_v_a_j_pi_placements_screws_dscrew
    dq: Of_q_v_pi_placements_screws_dscrew
    dv: Of_q_v_pi_placements_screws_dscrew
    dscrew: Of_q_v_pi_placements_screws_dscrew
    dplacement: Of_q_v_pi_placements_screws_dscrew
    jvp: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_v_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_v_pi_placements_screws_dq_dv_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_v_pi_placements_screws_lam_several

@type_check_only
class ContactMorphableDelassusMatrix(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_pi_placements_screws_dpidscrew
    dq: Of_q_pi_placements_screws_dpidscrew
    dpi: Of_q_pi_placements_screws_dpidscrew
    dscrew: Of_q_pi_placements_screws_dpidscrew
    dplacement: Of_q_pi_placements_screws_dpidscrew
    jvp: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews_coordinates
    vjp: Open_Of_q_pi_placements_screws_lam_coordinates_several
    jvp_coordinates: Open_Of_q_pi_placements_screws_dq_dpi_dplacements_dscrews
    vjp_coordinates: Open_Of_q_pi_placements_screws_lam_several

class RobotQuantities:
    inverse_dynamics: InverseDynamics
    """Generalised forces tau = M a + C v + g, minus external forces if wrenches are given."""
    forward_dynamics: ForwardDynamics
    """Acceleration a with M a + C v + g = tau, plus external forces if wrenches are given."""
    mass_matrix: MassMatrix
    """Mass matrix M, armature included."""
    mass_matrix_inverse: MassMatrixInverse
    """Inverse of the mass matrix."""
    coriolis_matrix: CoriolisMatrix
    """Christoffel Coriolis matrix C of M: C v are the velocity forces, and dM/dt = C + C^T."""
    christoffel: Christoffel
    """Christoffel symbols Gamma with C_ij = sum_k Gamma_ijk v_k, for any joints."""
    gravity_forces: GravityForces
    """Generalised forces g that hold the robot still."""
    bias_forces: BiasForces
    """Generalised forces C v + g that hold the velocity."""
    external_forces: ExternalForces
    """Generalised forces sum J_k^T w_k of wrenches acting on the bodies."""
    joint_friction: JointFriction
    """Friction of the joints, damping v + friction sign(v): part of motor_forces and driven_dynamics, and of no other quantity."""
    motor_forces: MotorForces
    """Inverse dynamics with friction, M a + C v + g + joint_friction: what motors must give."""
    driven_dynamics: DrivenDynamics
    """Forward dynamics with friction: a with M a + C v + g + joint_friction = tau."""
    slotine_li_regressor: SlotineLiRegressor
    """Regressor Y of adaptive control: M a_r + C v_r + g = Y pi, armature apart."""
    equations_of_motion: EquationsOfMotion
    """M, C and g of M a + C v + g = tau from one kernel, with dM/dt = C + C^T. Rates come order after order: M, C, g, dM, dC, dg, ..."""
    coriolis_matrix_garofalo: CoriolisMatrixGarofalo
    """Garofalo's Coriolis matrix C, with the same C v: dM/dt = C + C^T as with the Christoffel matrix, but it depends on more than M."""
    coriolis_matrix_mueller_kumar: CoriolisMatrixMuellerKumar
    """Coriolis matrix C of the Newton-Euler equations as they stand, with the same C v: only v^T (dM/dt - 2 C) v = 0, so no passivity."""
    slotine_li_regressor_garofalo: SlotineLiRegressorGarofalo
    """Regressor Y of adaptive control with Garofalo's C: M a_r + C v_r + g = Y pi, armature apart; dM/dt = C + C^T as with the Christoffel matrix, but it depends on more than M."""
    slotine_li_regressor_mueller_kumar: SlotineLiRegressorMuellerKumar
    """Regressor Y with Mueller and Kumar's C: M a_r + C v_r + g = Y pi, armature apart; only v^T (dM/dt - 2 C) v = 0, so no passivity."""
    velocity_map: VelocityMap
    """Gamma(q): the coordinates move with dq/dt = Gamma v."""
    generalized_momentum: GeneralizedMomentum
    """Generalised momentum M v, armature included."""
    momentum_forces: MomentumForces
    """C^T v - g: the rate of M v is tau plus these, so that no acceleration is needed."""
    kinetic_energy: KineticEnergy
    """Kinetic energy v^T M v / 2, armature included."""
    potential_energy: PotentialEnergy
    """Potential energy of gravity, zero at the world's origin."""
    center_of_mass: CenterOfMass
    """Centre of mass of the moving bodies, in the world."""
    com_jacobian: ComJacobian
    """Jacobian of the centre of mass: its velocity in the world is J v."""
    momentum: Momentum
    """Spatial momentum (angular, linear): world axes, about the world's origin."""
    momentum_matrix: MomentumMatrix
    """Matrix A with momentum = A v: world axes, about the world's origin."""
    centroidal_momentum: CentroidalMomentum
    """Momentum (angular, linear): world axes, about the centre of mass."""
    centroidal_momentum_matrix: CentroidalMomentumMatrix
    """Matrix A with centroidal momentum = A v: world axes, about the centre of mass."""
    body_poses: BodyPoses
    """Homogeneous matrices of all bodies in the world; .dq are their Jacobians (nb, 6, nv)."""
    body_twists: BodyTwists
    """Body-fixed twists (omega, v) of all bodies, in their own axes."""
    body_accelerations: BodyAccelerations
    """Spatial accelerations of all bodies, the time derivatives of body_twists; no gravity."""
    joint_wrenches: JointWrenches
    """Wrench (moment, force) that each joint exerts on its body: body's axes and origin."""
    integrate: Integrate
    """Configuration reached from q by the velocity dv held for one unit of time; its quaternions have unit length."""
    difference: Difference
    """Velocity that leads from q0 to q1 in one unit of time; orientations the shorter way."""
    interpolate: Interpolate
    """Configuration at the share s of the way from q0 to q1, along a constant velocity; beyond its ends for s below 0 or above 1."""
    normalise: Normalise
    """The same configuration with quaternions of unit length."""
    rates_from_velocity: RatesFromVelocity
    """Rates dq/dt of the entries of q for the velocity v; .dv is the matrix."""
    velocity_from_rates: VelocityFromRates
    """Velocity with which the entries of q change at the rates qdot, whatever of these only changes the length of a quaternion left aside; .dqdot is the matrix."""
    step: Step
    """Configuration and velocity after the time h, with tau held, and wrenches in the bodies' axes."""

class FrameQuantities:
    jacobian_rate: JacobianRate
    """Time derivative J' of the body-fixed Jacobian, rotation first, in the frame's axes."""
    pose: Pose
    """Homogeneous matrix of the frame in the world; .dq is the frame's Jacobian (6, nv)."""
    jacobian: Jacobian
    """Body-fixed Jacobian, rotation first: the twist in the frame's axes is J v."""
    jacobian_world: JacobianWorld
    """Spatial Jacobian, rotation first: world axes, about the world's origin."""
    jacobian_mixed: JacobianMixed
    """Jacobian, rotation first: world axes, about the frame's origin."""
    twist: Twist
    """Body-fixed twist (omega, v), in the frame's axes."""
    twist_world: TwistWorld
    """Spatial twist (omega, v): world axes, about the world's origin."""
    twist_mixed: TwistMixed
    """Twist (omega, v): world axes, about the frame's origin."""
    acceleration: Acceleration
    """Spatial acceleration, the time derivative of twist: in the frame's axes, no gravity."""
    acceleration_world: AccelerationWorld
    """Spatial acceleration, the time derivative of twist_world."""
    acceleration_mixed: AccelerationMixed
    """Spatial acceleration in world axes, about the frame's origin; not that of a point."""
    classical_acceleration: ClassicalAcceleration
    """Angular acceleration, and acceleration of the frame's origin as a point: frame's axes."""
    classical_acceleration_mixed: ClassicalAccelerationMixed
    """The same in world axes: the time derivative of twist_mixed."""
    task_inertia_inverse: TaskInertiaInverse
    """J M^-1 J^T in the frame's axes: its acceleration by a wrench on it. For any frame."""
    task_inertia: TaskInertia
    """Lambda = (J M^-1 J^T)^-1: the inertia at the frame, in its axes. Refused for a frame that cannot move in all six directions; inf, NaN or huge where it cannot at one pose."""
    task_jacobian_inverse: TaskJacobianInverse
    """Dynamically consistent inverse M^-1 J^T Lambda of the body-fixed Jacobian. Refused for a frame that cannot move in all six directions; inf, NaN or huge where it cannot at one pose."""
    task_bias: TaskBias
    """Lambda (J M^-1 (C v + g) - J' v): the wrench on the frame, in its axes, that keeps its body-fixed twist while the joints are free. Refused for a frame that cannot move in all six directions; inf, NaN or huge where it cannot at one pose."""

class ParametricQuantities:
    inverse_dynamics: ParametricInverseDynamics
    """Generalised forces tau = M a + C v + g, minus external forces if wrenches are given."""
    forward_dynamics: ParametricForwardDynamics
    """Acceleration a with M a + C v + g = tau, plus external forces if wrenches are given."""
    mass_matrix: ParametricMassMatrix
    """Mass matrix M, armature included."""
    mass_matrix_inverse: ParametricMassMatrixInverse
    """Inverse of the mass matrix."""
    coriolis_matrix: ParametricCoriolisMatrix
    """Christoffel Coriolis matrix C of M: C v are the velocity forces, and dM/dt = C + C^T."""
    christoffel: ParametricChristoffel
    """Christoffel symbols Gamma with C_ij = sum_k Gamma_ijk v_k, for any joints."""
    gravity_forces: ParametricGravityForces
    """Generalised forces g that hold the robot still."""
    bias_forces: ParametricBiasForces
    """Generalised forces C v + g that hold the velocity."""
    motor_forces: ParametricMotorForces
    """Inverse dynamics with friction, M a + C v + g + joint_friction: what motors must give."""
    driven_dynamics: ParametricDrivenDynamics
    """Forward dynamics with friction: a with M a + C v + g + joint_friction = tau."""
    equations_of_motion: ParametricEquationsOfMotion
    """M, C and g of M a + C v + g = tau from one kernel, with dM/dt = C + C^T. Rates come order after order: M, C, g, dM, dC, dg, ..."""
    coriolis_matrix_garofalo: ParametricCoriolisMatrixGarofalo
    """Garofalo's Coriolis matrix C, with the same C v: dM/dt = C + C^T as with the Christoffel matrix, but it depends on more than M."""
    coriolis_matrix_mueller_kumar: ParametricCoriolisMatrixMuellerKumar
    """Coriolis matrix C of the Newton-Euler equations as they stand, with the same C v: only v^T (dM/dt - 2 C) v = 0, so no passivity."""
    generalized_momentum: ParametricGeneralizedMomentum
    """Generalised momentum M v, armature included."""
    momentum_forces: ParametricMomentumForces
    """C^T v - g: the rate of M v is tau plus these, so that no acceleration is needed."""
    kinetic_energy: ParametricKineticEnergy
    """Kinetic energy v^T M v / 2, armature included."""
    potential_energy: ParametricPotentialEnergy
    """Potential energy of gravity, zero at the world's origin."""
    center_of_mass: ParametricCenterOfMass
    """Centre of mass of the moving bodies, in the world."""
    com_jacobian: ParametricComJacobian
    """Jacobian of the centre of mass: its velocity in the world is J v."""
    momentum: ParametricMomentum
    """Spatial momentum (angular, linear): world axes, about the world's origin."""
    momentum_matrix: ParametricMomentumMatrix
    """Matrix A with momentum = A v: world axes, about the world's origin."""
    centroidal_momentum: ParametricCentroidalMomentum
    """Momentum (angular, linear): world axes, about the centre of mass."""
    centroidal_momentum_matrix: ParametricCentroidalMomentumMatrix
    """Matrix A with centroidal momentum = A v: world axes, about the centre of mass."""
    joint_wrenches: ParametricJointWrenches
    """Wrench (moment, force) that each joint exerts on its body: body's axes and origin."""
    step: ParametricStep
    """Configuration and velocity after the time h, with tau held, and wrenches in the bodies' axes."""

@type_check_only
class MorphableFrame(tables.Frame):
    jacobian_rate: MorphableJacobianRate
    """Time derivative J' of the body-fixed Jacobian, rotation first, in the frame's axes."""
    pose: MorphablePose
    """Homogeneous matrix of the frame in the world; .dq is the frame's Jacobian (6, nv)."""
    jacobian: MorphableJacobian
    """Body-fixed Jacobian, rotation first: the twist in the frame's axes is J v."""
    jacobian_world: MorphableJacobianWorld
    """Spatial Jacobian, rotation first: world axes, about the world's origin."""
    jacobian_mixed: MorphableJacobianMixed
    """Jacobian, rotation first: world axes, about the frame's origin."""
    twist: MorphableTwist
    """Body-fixed twist (omega, v), in the frame's axes."""
    twist_world: MorphableTwistWorld
    """Spatial twist (omega, v): world axes, about the world's origin."""
    twist_mixed: MorphableTwistMixed
    """Twist (omega, v): world axes, about the frame's origin."""
    acceleration: MorphableAcceleration
    """Spatial acceleration, the time derivative of twist: in the frame's axes, no gravity."""
    acceleration_world: MorphableAccelerationWorld
    """Spatial acceleration, the time derivative of twist_world."""
    acceleration_mixed: MorphableAccelerationMixed
    """Spatial acceleration in world axes, about the frame's origin; not that of a point."""
    classical_acceleration: MorphableClassicalAcceleration
    """Angular acceleration, and acceleration of the frame's origin as a point: frame's axes."""
    classical_acceleration_mixed: MorphableClassicalAccelerationMixed
    """The same in world axes: the time derivative of twist_mixed."""
    task_inertia_inverse: MorphableTaskInertiaInverse
    """J M^-1 J^T in the frame's axes: its acceleration by a wrench on it. For any frame."""
    task_inertia: MorphableTaskInertia
    """Lambda = (J M^-1 J^T)^-1: the inertia at the frame, in its axes. Refused for a frame that cannot move in all six directions; inf, NaN or huge where it cannot at one pose."""
    task_jacobian_inverse: MorphableTaskJacobianInverse
    """Dynamically consistent inverse M^-1 J^T Lambda of the body-fixed Jacobian. Refused for a frame that cannot move in all six directions; inf, NaN or huge where it cannot at one pose."""
    task_bias: MorphableTaskBias
    """Lambda (J M^-1 (C v + g) - J' v): the wrench on the frame, in its axes, that keeps its body-fixed twist while the joints are free. Refused for a frame that cannot move in all six directions; inf, NaN or huge where it cannot at one pose."""

class MorphableQuantities:
    def frame(self, name: str) -> MorphableFrame: ...
    inverse_dynamics: MorphableInverseDynamics
    """Generalised forces tau = M a + C v + g, minus external forces if wrenches are given."""
    forward_dynamics: MorphableForwardDynamics
    """Acceleration a with M a + C v + g = tau, plus external forces if wrenches are given."""
    mass_matrix: MorphableMassMatrix
    """Mass matrix M, armature included."""
    mass_matrix_inverse: MorphableMassMatrixInverse
    """Inverse of the mass matrix."""
    coriolis_matrix: MorphableCoriolisMatrix
    """Christoffel Coriolis matrix C of M: C v are the velocity forces, and dM/dt = C + C^T."""
    gravity_forces: MorphableGravityForces
    """Generalised forces g that hold the robot still."""
    bias_forces: MorphableBiasForces
    """Generalised forces C v + g that hold the velocity."""
    external_forces: MorphableExternalForces
    """Generalised forces sum J_k^T w_k of wrenches acting on the bodies."""
    motor_forces: MorphableMotorForces
    """Inverse dynamics with friction, M a + C v + g + joint_friction: what motors must give."""
    driven_dynamics: MorphableDrivenDynamics
    """Forward dynamics with friction: a with M a + C v + g + joint_friction = tau."""
    equations_of_motion: MorphableEquationsOfMotion
    """M, C and g of M a + C v + g = tau from one kernel, with dM/dt = C + C^T. Rates come order after order: M, C, g, dM, dC, dg, ..."""
    coriolis_matrix_garofalo: MorphableCoriolisMatrixGarofalo
    """Garofalo's Coriolis matrix C, with the same C v: dM/dt = C + C^T as with the Christoffel matrix, but it depends on more than M."""
    coriolis_matrix_mueller_kumar: MorphableCoriolisMatrixMuellerKumar
    """Coriolis matrix C of the Newton-Euler equations as they stand, with the same C v: only v^T (dM/dt - 2 C) v = 0, so no passivity."""
    generalized_momentum: MorphableGeneralizedMomentum
    """Generalised momentum M v, armature included."""
    momentum_forces: MorphableMomentumForces
    """C^T v - g: the rate of M v is tau plus these, so that no acceleration is needed."""
    kinetic_energy: MorphableKineticEnergy
    """Kinetic energy v^T M v / 2, armature included."""
    potential_energy: MorphablePotentialEnergy
    """Potential energy of gravity, zero at the world's origin."""
    center_of_mass: MorphableCenterOfMass
    """Centre of mass of the moving bodies, in the world."""
    com_jacobian: MorphableComJacobian
    """Jacobian of the centre of mass: its velocity in the world is J v."""
    momentum: MorphableMomentum
    """Spatial momentum (angular, linear): world axes, about the world's origin."""
    momentum_matrix: MorphableMomentumMatrix
    """Matrix A with momentum = A v: world axes, about the world's origin."""
    centroidal_momentum: MorphableCentroidalMomentum
    """Momentum (angular, linear): world axes, about the centre of mass."""
    centroidal_momentum_matrix: MorphableCentroidalMomentumMatrix
    """Matrix A with centroidal momentum = A v: world axes, about the centre of mass."""
    body_poses: MorphableBodyPoses
    """Homogeneous matrices of all bodies in the world; .dq are their Jacobians (nb, 6, nv)."""
    body_twists: MorphableBodyTwists
    """Body-fixed twists (omega, v) of all bodies, in their own axes."""
    body_accelerations: MorphableBodyAccelerations
    """Spatial accelerations of all bodies, the time derivatives of body_twists; no gravity."""
    joint_wrenches: MorphableJointWrenches
    """Wrench (moment, force) that each joint exerts on its body: body's axes and origin."""
    step: MorphableStep
    """Configuration and velocity after the time h, with tau held, and wrenches in the bodies' axes."""

@type_check_only
class MechanismFrame(tables.Frame):
    jacobian_rate: JacobianRate
    """Time derivative J' of the body-fixed Jacobian, rotation first, in the frame's axes."""
    task_inertia_inverse: TaskInertiaInverse
    """J M^-1 J^T in the frame's axes: its acceleration by a wrench on it. For any frame."""
    task_inertia: TaskInertia
    """Lambda = (J M^-1 J^T)^-1: the inertia at the frame, in its axes. Refused for a frame that cannot move in all six directions; inf, NaN or huge where it cannot at one pose."""
    task_jacobian_inverse: TaskJacobianInverse
    """Dynamically consistent inverse M^-1 J^T Lambda of the body-fixed Jacobian. Refused for a frame that cannot move in all six directions; inf, NaN or huge where it cannot at one pose."""
    task_bias: TaskBias
    """Lambda (J M^-1 (C v + g) - J' v): the wrench on the frame, in its axes, that keeps its body-fixed twist while the joints are free. Refused for a frame that cannot move in all six directions; inf, NaN or huge where it cannot at one pose."""
    pose: Pose
    """Homogeneous matrix of the frame in the world; .dq is the frame's Jacobian (6, nv)."""
    jacobian: Jacobian
    """Body-fixed Jacobian, rotation first: the twist in the frame's axes is J v."""
    jacobian_world: JacobianWorld
    """Spatial Jacobian, rotation first: world axes, about the world's origin."""
    jacobian_mixed: JacobianMixed
    """Jacobian, rotation first: world axes, about the frame's origin."""
    twist: Twist
    """Body-fixed twist (omega, v), in the frame's axes."""
    twist_world: TwistWorld
    """Spatial twist (omega, v): world axes, about the world's origin."""
    twist_mixed: TwistMixed
    """Twist (omega, v): world axes, about the frame's origin."""
    acceleration: Acceleration
    """Spatial acceleration, the time derivative of twist: in the frame's axes, no gravity."""
    acceleration_world: AccelerationWorld
    """Spatial acceleration, the time derivative of twist_world."""
    acceleration_mixed: AccelerationMixed
    """Spatial acceleration in world axes, about the frame's origin; not that of a point."""
    classical_acceleration: ClassicalAcceleration
    """Angular acceleration, and acceleration of the frame's origin as a point: frame's axes."""
    classical_acceleration_mixed: ClassicalAccelerationMixed
    """The same in world axes: the time derivative of twist_mixed."""

class MechanismQuantities:
    def frame(self, name: str) -> MechanismFrame: ...
    inverse_dynamics: MechanismInverseDynamics
    """Forces E^T (M a + C v + g) on the independent joints, minus those that are given."""
    forward_dynamics: MechanismForwardDynamics
    """Acceleration a of the independent joints under forces tau on them, and given ones."""
    constraint_forces: ConstraintForces
    """Forces lam of the loops on their frames b, in the axes of a; the shortest if not unique."""
    mass_matrix: MechanismMassMatrix
    """Mass matrix E^T M E of the independent joints."""
    mass_matrix_inverse: MassMatrixInverse
    """Inverse of the mass matrix of the independent joints."""
    coriolis_matrix: CoriolisMatrix
    """Christoffel Coriolis matrix C = E^T (M E' + C E) of the independent joints."""
    christoffel: Christoffel
    """Christoffel symbols Gamma of E^T M E, with C_ij = sum_k Gamma_ijk v_k."""
    coriolis_matrix_garofalo: CoriolisMatrixGarofalo
    """Garofalo's Coriolis matrix C, with the same C v: dM/dt = C + C^T as with the Christoffel matrix, but it depends on more than M."""
    coriolis_matrix_mueller_kumar: CoriolisMatrixMuellerKumar
    """Coriolis matrix C of the Newton-Euler equations as they stand, with the same C v: only v^T (dM/dt - 2 C) v = 0, so no passivity."""
    equations_of_motion: EquationsOfMotion
    """M, C and g of M a + C v + g = tau from one kernel, with dM/dt = C + C^T. Rates come order after order: M, C, g, dM, dC, dg, ..."""
    gravity_forces: MechanismGravityForces
    """Forces E^T g on the independent joints that hold the mechanism still."""
    bias_forces: MechanismBiasForces
    """Forces C v + g on the independent joints that hold their velocity."""
    joint_friction: MechanismJointFriction
    """Friction E^T (damping v + friction sign(v)) of all joints; part of no other quantity."""
    momentum_forces: MomentumForces
    """C^T v - g: the rate of M v is tau plus these, so that no acceleration is needed."""
    passive_jacobian: PassiveJacobian
    """J_p = -g_p^+ g_a: the dependent joints move with J_p v."""
    velocity: Velocity
    """Velocity E v of all joints; its time derivatives are their acceleration, jerk, ..."""
    integrate: Integrate
    """Configuration of all joints that the independent ones reach from q by the velocity dv held for one unit of time, with the loops closed."""
    difference: Difference
    """Velocity of the independent joints that leads from q0 to q1 in one unit of time."""
    interpolate: Interpolate
    """Configuration of all joints at the share s of the way of the independent ones from q0 to q1, along a constant velocity of them, with the loops closed."""
    normalise: Normalise
    """The same configuration with quaternions of unit length."""
    velocity_from_rates: VelocityFromRates
    """Velocity of the independent joints with which the entries of q change at the rates qdot."""
    independent_forces: IndependentForces
    """Forces E^T tau on the independent joints that do the work of tau on all joints."""
    step: MechanismStep
    """Configuration and velocity after the time h, with tau held, and wrenches in the bodies' axes."""
    external_forces: ExternalForces
    """Generalised forces sum J_k^T w_k of wrenches acting on the bodies."""
    motor_forces: MotorForces
    """Inverse dynamics with friction, M a + C v + g + joint_friction: what motors must give."""
    slotine_li_regressor: SlotineLiRegressor
    """Regressor Y of adaptive control: M a_r + C v_r + g = Y pi, armature apart."""
    slotine_li_regressor_garofalo: SlotineLiRegressorGarofalo
    """Regressor Y of adaptive control with Garofalo's C: M a_r + C v_r + g = Y pi, armature apart; dM/dt = C + C^T as with the Christoffel matrix, but it depends on more than M."""
    slotine_li_regressor_mueller_kumar: SlotineLiRegressorMuellerKumar
    """Regressor Y with Mueller and Kumar's C: M a_r + C v_r + g = Y pi, armature apart; only v^T (dM/dt - 2 C) v = 0, so no passivity."""
    velocity_map: VelocityMap
    """Gamma(q): the coordinates move with dq/dt = Gamma v."""
    generalized_momentum: GeneralizedMomentum
    """Generalised momentum M v, armature included."""
    kinetic_energy: KineticEnergy
    """Kinetic energy v^T M v / 2, armature included."""
    potential_energy: MechanismPotentialEnergy
    """Potential energy of gravity, zero at the world's origin."""
    center_of_mass: CenterOfMass
    """Centre of mass of the moving bodies, in the world."""
    com_jacobian: ComJacobian
    """Jacobian of the centre of mass: its velocity in the world is J v."""
    momentum: Momentum
    """Spatial momentum (angular, linear): world axes, about the world's origin."""
    momentum_matrix: MomentumMatrix
    """Matrix A with momentum = A v: world axes, about the world's origin."""
    centroidal_momentum: CentroidalMomentum
    """Momentum (angular, linear): world axes, about the centre of mass."""
    centroidal_momentum_matrix: CentroidalMomentumMatrix
    """Matrix A with centroidal momentum = A v: world axes, about the centre of mass."""
    body_poses: BodyPoses
    """Homogeneous matrices of all bodies in the world; .dq are their Jacobians (nb, 6, nv)."""
    body_twists: BodyTwists
    """Body-fixed twists (omega, v) of all bodies, in their own axes."""
    body_accelerations: BodyAccelerations
    """Spatial accelerations of all bodies, the time derivatives of body_twists; no gravity."""
    rates_from_velocity: RatesFromVelocity
    """Rates dq/dt of the entries of q for the velocity v; .dv is the matrix."""
    loop_residual: LoopResidual
    """Zero where the loops are closed: sines of angles, then positions, in a's axes."""
    loop_jacobian: LoopJacobian
    """G: the rate of the residual is G v, v the velocity of all joints."""
    constrained_dynamics: ConstrainedDynamics
    """Acceleration of all joints, from the equations with multipliers of the loops."""

class ClosedParametricQuantities:
    inverse_dynamics: ClosedParametricInverseDynamics
    """Forces E^T (M a + C v + g) on the independent joints, minus those that are given."""
    forward_dynamics: ClosedParametricForwardDynamics
    """Acceleration a of the independent joints under forces tau on them, and given ones."""
    constraint_forces: ClosedParametricConstraintForces
    """Forces lam of the loops on their frames b, in the axes of a; the shortest if not unique."""
    mass_matrix: ClosedParametricMassMatrix
    """Mass matrix E^T M E of the independent joints."""
    mass_matrix_inverse: ClosedParametricMassMatrixInverse
    """Inverse of the mass matrix of the independent joints."""
    coriolis_matrix: ClosedParametricCoriolisMatrix
    """Christoffel Coriolis matrix C = E^T (M E' + C E) of the independent joints."""
    christoffel: ClosedParametricChristoffel
    """Christoffel symbols Gamma of E^T M E, with C_ij = sum_k Gamma_ijk v_k."""
    coriolis_matrix_garofalo: ClosedParametricCoriolisMatrixGarofalo
    """Garofalo's Coriolis matrix C, with the same C v: dM/dt = C + C^T as with the Christoffel matrix, but it depends on more than M."""
    coriolis_matrix_mueller_kumar: ClosedParametricCoriolisMatrixMuellerKumar
    """Coriolis matrix C of the Newton-Euler equations as they stand, with the same C v: only v^T (dM/dt - 2 C) v = 0, so no passivity."""
    equations_of_motion: ClosedParametricEquationsOfMotion
    """M, C and g of M a + C v + g = tau from one kernel, with dM/dt = C + C^T. Rates come order after order: M, C, g, dM, dC, dg, ..."""
    gravity_forces: ClosedParametricGravityForces
    """Forces E^T g on the independent joints that hold the mechanism still."""
    bias_forces: ClosedParametricBiasForces
    """Forces C v + g on the independent joints that hold their velocity."""
    momentum_forces: ClosedParametricMomentumForces
    """C^T v - g: the rate of M v is tau plus these, so that no acceleration is needed."""
    step: ClosedParametricStep
    """Configuration and velocity after the time h, with tau held, and wrenches in the bodies' axes."""
    motor_forces: ClosedParametricMotorForces
    """Inverse dynamics with friction, M a + C v + g + joint_friction: what motors must give."""
    generalized_momentum: ClosedParametricGeneralizedMomentum
    """Generalised momentum M v, armature included."""
    kinetic_energy: ClosedParametricKineticEnergy
    """Kinetic energy v^T M v / 2, armature included."""
    potential_energy: ClosedParametricPotentialEnergy
    """Potential energy of gravity, zero at the world's origin."""
    center_of_mass: ClosedParametricCenterOfMass
    """Centre of mass of the moving bodies, in the world."""
    com_jacobian: ClosedParametricComJacobian
    """Jacobian of the centre of mass: its velocity in the world is J v."""
    momentum: ClosedParametricMomentum
    """Spatial momentum (angular, linear): world axes, about the world's origin."""
    momentum_matrix: ClosedParametricMomentumMatrix
    """Matrix A with momentum = A v: world axes, about the world's origin."""
    centroidal_momentum: ClosedParametricCentroidalMomentum
    """Momentum (angular, linear): world axes, about the centre of mass."""
    centroidal_momentum_matrix: ClosedParametricCentroidalMomentumMatrix
    """Matrix A with centroidal momentum = A v: world axes, about the centre of mass."""
    constrained_dynamics: ClosedParametricConstrainedDynamics
    """Acceleration of all joints, from the equations with multipliers of the loops."""

@type_check_only
class ClosedMorphableFrame(tables.Frame):
    jacobian_rate: ClosedMorphableJacobianRate
    """Time derivative J' of the body-fixed Jacobian, rotation first, in the frame's axes."""
    task_inertia_inverse: ClosedMorphableTaskInertiaInverse
    """J M^-1 J^T in the frame's axes: its acceleration by a wrench on it. For any frame."""
    task_inertia: ClosedMorphableTaskInertia
    """Lambda = (J M^-1 J^T)^-1: the inertia at the frame, in its axes. Refused for a frame that cannot move in all six directions; inf, NaN or huge where it cannot at one pose."""
    task_jacobian_inverse: ClosedMorphableTaskJacobianInverse
    """Dynamically consistent inverse M^-1 J^T Lambda of the body-fixed Jacobian. Refused for a frame that cannot move in all six directions; inf, NaN or huge where it cannot at one pose."""
    task_bias: ClosedMorphableTaskBias
    """Lambda (J M^-1 (C v + g) - J' v): the wrench on the frame, in its axes, that keeps its body-fixed twist while the joints are free. Refused for a frame that cannot move in all six directions; inf, NaN or huge where it cannot at one pose."""
    pose: ClosedMorphablePose
    """Homogeneous matrix of the frame in the world; .dq is the frame's Jacobian (6, nv)."""
    jacobian: ClosedMorphableJacobian
    """Body-fixed Jacobian, rotation first: the twist in the frame's axes is J v."""
    jacobian_world: ClosedMorphableJacobianWorld
    """Spatial Jacobian, rotation first: world axes, about the world's origin."""
    jacobian_mixed: ClosedMorphableJacobianMixed
    """Jacobian, rotation first: world axes, about the frame's origin."""
    twist: ClosedMorphableTwist
    """Body-fixed twist (omega, v), in the frame's axes."""
    twist_world: ClosedMorphableTwistWorld
    """Spatial twist (omega, v): world axes, about the world's origin."""
    twist_mixed: ClosedMorphableTwistMixed
    """Twist (omega, v): world axes, about the frame's origin."""
    acceleration: ClosedMorphableAcceleration
    """Spatial acceleration, the time derivative of twist: in the frame's axes, no gravity."""
    acceleration_world: ClosedMorphableAccelerationWorld
    """Spatial acceleration, the time derivative of twist_world."""
    acceleration_mixed: ClosedMorphableAccelerationMixed
    """Spatial acceleration in world axes, about the frame's origin; not that of a point."""
    classical_acceleration: ClosedMorphableClassicalAcceleration
    """Angular acceleration, and acceleration of the frame's origin as a point: frame's axes."""
    classical_acceleration_mixed: ClosedMorphableClassicalAccelerationMixed
    """The same in world axes: the time derivative of twist_mixed."""

class ClosedMorphableQuantities:
    def frame(self, name: str) -> ClosedMorphableFrame: ...
    inverse_dynamics: ClosedMorphableInverseDynamics
    """Forces E^T (M a + C v + g) on the independent joints, minus those that are given."""
    forward_dynamics: ClosedMorphableForwardDynamics
    """Acceleration a of the independent joints under forces tau on them, and given ones."""
    constraint_forces: ClosedMorphableConstraintForces
    """Forces lam of the loops on their frames b, in the axes of a; the shortest if not unique."""
    mass_matrix: ClosedMorphableMassMatrix
    """Mass matrix E^T M E of the independent joints."""
    mass_matrix_inverse: ClosedMorphableMassMatrixInverse
    """Inverse of the mass matrix of the independent joints."""
    coriolis_matrix: ClosedMorphableCoriolisMatrix
    """Christoffel Coriolis matrix C = E^T (M E' + C E) of the independent joints."""
    coriolis_matrix_garofalo: ClosedMorphableCoriolisMatrixGarofalo
    """Garofalo's Coriolis matrix C, with the same C v: dM/dt = C + C^T as with the Christoffel matrix, but it depends on more than M."""
    coriolis_matrix_mueller_kumar: ClosedMorphableCoriolisMatrixMuellerKumar
    """Coriolis matrix C of the Newton-Euler equations as they stand, with the same C v: only v^T (dM/dt - 2 C) v = 0, so no passivity."""
    equations_of_motion: ClosedMorphableEquationsOfMotion
    """M, C and g of M a + C v + g = tau from one kernel, with dM/dt = C + C^T. Rates come order after order: M, C, g, dM, dC, dg, ..."""
    gravity_forces: ClosedMorphableGravityForces
    """Forces E^T g on the independent joints that hold the mechanism still."""
    bias_forces: ClosedMorphableBiasForces
    """Forces C v + g on the independent joints that hold their velocity."""
    joint_friction: ClosedMorphableJointFriction
    """Friction E^T (damping v + friction sign(v)) of all joints; part of no other quantity."""
    momentum_forces: ClosedMorphableMomentumForces
    """C^T v - g: the rate of M v is tau plus these, so that no acceleration is needed."""
    passive_jacobian: ClosedMorphablePassiveJacobian
    """J_p = -g_p^+ g_a: the dependent joints move with J_p v."""
    velocity: ClosedMorphableVelocity
    """Velocity E v of all joints; its time derivatives are their acceleration, jerk, ..."""
    independent_forces: ClosedMorphableIndependentForces
    """Forces E^T tau on the independent joints that do the work of tau on all joints."""
    step: ClosedMorphableStep
    """Configuration and velocity after the time h, with tau held, and wrenches in the bodies' axes."""
    external_forces: ClosedMorphableExternalForces
    """Generalised forces sum J_k^T w_k of wrenches acting on the bodies."""
    motor_forces: ClosedMorphableMotorForces
    """Inverse dynamics with friction, M a + C v + g + joint_friction: what motors must give."""
    generalized_momentum: ClosedMorphableGeneralizedMomentum
    """Generalised momentum M v, armature included."""
    kinetic_energy: ClosedMorphableKineticEnergy
    """Kinetic energy v^T M v / 2, armature included."""
    potential_energy: ClosedMorphablePotentialEnergy
    """Potential energy of gravity, zero at the world's origin."""
    center_of_mass: ClosedMorphableCenterOfMass
    """Centre of mass of the moving bodies, in the world."""
    com_jacobian: ClosedMorphableComJacobian
    """Jacobian of the centre of mass: its velocity in the world is J v."""
    momentum: ClosedMorphableMomentum
    """Spatial momentum (angular, linear): world axes, about the world's origin."""
    momentum_matrix: ClosedMorphableMomentumMatrix
    """Matrix A with momentum = A v: world axes, about the world's origin."""
    centroidal_momentum: ClosedMorphableCentroidalMomentum
    """Momentum (angular, linear): world axes, about the centre of mass."""
    centroidal_momentum_matrix: ClosedMorphableCentroidalMomentumMatrix
    """Matrix A with centroidal momentum = A v: world axes, about the centre of mass."""
    body_poses: ClosedMorphableBodyPoses
    """Homogeneous matrices of all bodies in the world; .dq are their Jacobians (nb, 6, nv)."""
    body_twists: ClosedMorphableBodyTwists
    """Body-fixed twists (omega, v) of all bodies, in their own axes."""
    body_accelerations: ClosedMorphableBodyAccelerations
    """Spatial accelerations of all bodies, the time derivatives of body_twists; no gravity."""
    loop_residual: ClosedMorphableLoopResidual
    """Zero where the loops are closed: sines of angles, then positions, in a's axes."""
    loop_jacobian: ClosedMorphableLoopJacobian
    """G: the rate of the residual is G v, v the velocity of all joints."""
    constrained_dynamics: ClosedMorphableConstrainedDynamics
    """Acceleration of all joints, from the equations with multipliers of the loops."""

class ContactQuantities:
    contact_dynamics: ContactDynamics
    """Acceleration of all joints and forces of the contacts; the shortest if not unique."""
    forward_dynamics: ContactForwardDynamics
    """Acceleration of all joints while the contacts hold."""
    impulse: Impulse
    """Velocity of all joints after the contacts were made, and the impulses that did it."""
    contact_jacobian: ContactJacobian
    """J: the velocities that the contacts lock are J v, in their own axes."""
    contact_velocities: ContactVelocities
    """J v: velocities that the contacts lock, zero while they hold."""
    contact_drift: ContactDrift
    """How the contacts accelerate at constant v: J a + drift is their acceleration."""
    delassus_matrix: DelassusMatrix
    """J M^-1 J^T: velocities of the contacts per unit of their impulses."""
    contact_poses: ContactPoses
    """Homogeneous matrices of the contacts' frames in the world, to be anchors later."""

class ContactParametricQuantities:
    contact_dynamics: ContactParametricContactDynamics
    """Acceleration of all joints and forces of the contacts; the shortest if not unique."""
    forward_dynamics: ContactParametricForwardDynamics
    """Acceleration of all joints while the contacts hold."""
    impulse: ContactParametricImpulse
    """Velocity of all joints after the contacts were made, and the impulses that did it."""
    delassus_matrix: ContactParametricDelassusMatrix
    """J M^-1 J^T: velocities of the contacts per unit of their impulses."""

class ContactMorphableQuantities:
    contact_dynamics: ContactMorphableContactDynamics
    """Acceleration of all joints and forces of the contacts; the shortest if not unique."""
    forward_dynamics: ContactMorphableForwardDynamics
    """Acceleration of all joints while the contacts hold."""
    impulse: ContactMorphableImpulse
    """Velocity of all joints after the contacts were made, and the impulses that did it."""
    contact_jacobian: ContactMorphableContactJacobian
    """J: the velocities that the contacts lock are J v, in their own axes."""
    contact_velocities: ContactMorphableContactVelocities
    """J v: velocities that the contacts lock, zero while they hold."""
    contact_drift: ContactMorphableContactDrift
    """How the contacts accelerate at constant v: J a + drift is their acceleration."""
    delassus_matrix: ContactMorphableDelassusMatrix
    """J M^-1 J^T: velocities of the contacts per unit of their impulses."""
