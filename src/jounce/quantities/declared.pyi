"""Every quantity and derivative with its signature; made by `python -m jounce reference --stubs`.

Long, since it lists what the catalog derives: nobody reads or edits it but type checkers.
"""

# pyright: reportIncompatibleMethodOverride=false, reportIncompatibleVariableOverride=false
# mypy: disable-error-code="assignment, override, misc"

from typing import Any, TypedDict, Unpack, type_check_only

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
class Of_q_v_a_or_wrenches(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, wrenches: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_or_wrenches_dwrenches(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, wrenches: ArrayLike | None = None, dwrenches: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_or_wrenches_dwrenches_dpidscrew(Of_q_v_a_j_or_wrenches_dwrenches, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class Of_q_v_a_j_s_or_wrenches_dwrenches_ddwrenches(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, s: ArrayLike, wrenches: ArrayLike | None = None, dwrenches: ArrayLike | None = None, ddwrenches: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_s_or_wrenches_dwrenches_ddwrenches_dpidscrew(Of_q_v_a_j_s_or_wrenches_dwrenches_ddwrenches, Quantity):
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

@type_check_only
class Of_q_v_a_or_wrenches_dpidscrew(Of_q_v_a_or_wrenches, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class Of_q_v_a_or_wrenches_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, wrenches: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_or_wrenches_several_dpidscrew(Of_q_v_a_or_wrenches_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class Of_q_v_a_lam_or_wrenches(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, lam: ArrayLike, wrenches: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_lam_or_wrenches_dpidscrew(Of_q_v_a_lam_or_wrenches, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class Of_q_v_a_lam_or_wrenches_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, lam: ArrayLike, wrenches: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_lam_or_wrenches_several_dpidscrew(Of_q_v_a_lam_or_wrenches_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class Of_q_v_a_extended(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, out: One = None, extended: bool = False, smoothing: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_extended_dpidscrew(Of_q_v_a_extended, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class InverseDynamics(Of_q_v_a_or_wrenches, Quantity):
    dt: Of_q_v_a_j_or_wrenches_dwrenches_dpidscrew
    dtt: Of_q_v_a_j_s_or_wrenches_dwrenches_ddwrenches_dpidscrew
    dq: Of_q_v_a_or_wrenches_dpidscrew
    dv: Of_q_v_a_or_wrenches_dpidscrew
    da: Of_q_v_a_or_wrenches_dpidscrew
    dqq: Of_q_v_a_or_wrenches_dpidscrew
    dqv: Of_q_v_a_or_wrenches_dpidscrew
    dvv: Of_q_v_a_or_wrenches_dpidscrew
    daq: Of_q_v_a_or_wrenches_dpidscrew
    derivatives: Of_q_v_a_or_wrenches_several_dpidscrew
    hessian: Of_q_v_a_lam_or_wrenches_dpidscrew
    design: Of_q_v_a_lam_or_wrenches_several_dpidscrew
    dpi: Of_q_v_a_extended_dpidscrew
    dscrew: Of_q_v_a_or_wrenches_dpidscrew
    dplacement: Of_q_v_a_or_wrenches_dpidscrew

@type_check_only
class Of_q_v_tau_or_wrenches(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, wrenches: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_or_wrenches_dwrenches(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, wrenches: ArrayLike | None = None, dwrenches: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

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

@type_check_only
class Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, ddtau: ArrayLike, wrenches: ArrayLike | None = None, dwrenches: ArrayLike | None = None, ddwrenches: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

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

@type_check_only
class Of_q_v_tau_or_wrenches_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, wrenches: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_tau_or_wrenches_several_dpidscrew(Of_q_v_tau_or_wrenches_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class Of_q_v_tau_lam_or_wrenches_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, lam: ArrayLike, wrenches: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_tau_lam_or_wrenches_several_dpidscrew(Of_q_v_tau_lam_or_wrenches_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class ForwardDynamics(Of_q_v_tau_or_wrenches, Quantity):
    dt: Of_q_v_tau_dtau_or_wrenches_dwrenches_dpidscrew
    dtt: Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches_dpidscrew
    dq: Of_q_v_tau_or_wrenches_dpidscrew
    dv: Of_q_v_tau_or_wrenches_dpidscrew
    dtau: Of_q_v_tau_or_wrenches_dpidscrew
    dqq: Of_q_v_tau_or_wrenches_dpidscrew
    dqv: Of_q_v_tau_or_wrenches_dpidscrew
    dvv: Of_q_v_tau_or_wrenches_dpidscrew
    dqtau: Of_q_v_tau_or_wrenches_dpidscrew
    derivatives: Of_q_v_tau_or_wrenches_several_dpidscrew
    design: Of_q_v_tau_lam_or_wrenches_several_dpidscrew
    dpi: Of_q_v_tau_or_wrenches_dpidscrew
    dscrew: Of_q_v_tau_or_wrenches_dpidscrew
    dplacement: Of_q_v_tau_or_wrenches_dpidscrew

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

@type_check_only
class Of_q_dpidscrew(Of_q, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class MassMatrix(Of_q, Quantity):
    dt: Of_q_v_dpidscrew
    dtt: Of_q_v_a_dpidscrew
    dq: Of_q_dpidscrew
    dqq: Of_q_dpidscrew
    dpi: Of_q_dpidscrew
    dscrew: Of_q_dpidscrew
    dplacement: Of_q_dpidscrew

@type_check_only
class MassMatrixInverse(Of_q, Quantity):
    dt: Of_q_v_dpidscrew
    dtt: Of_q_v_a_dpidscrew
    dq: Of_q_dpidscrew
    dpi: Of_q_dpidscrew
    dscrew: Of_q_dpidscrew
    dplacement: Of_q_dpidscrew

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

@type_check_only
class CoriolisMatrix(Of_q_v, Quantity):
    dt: Of_q_v_a_dpidscrew
    dtt: Of_q_v_a_j_dpidscrew
    dq: Of_q_v_dpidscrew
    dv: Of_q_v_dpidscrew
    dpi: Of_q_v_dpidscrew
    dscrew: Of_q_v_dpidscrew
    dplacement: Of_q_v_dpidscrew

@type_check_only
class Of_q_v_dpi(Of_q_v, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dpi: Further

@type_check_only
class Of_q_v_a_dpi(Of_q_v_a, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further

@type_check_only
class Of_q_dpi(Of_q, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dpi: Further

@type_check_only
class Christoffel(Of_q, Quantity):
    dt: Of_q_v_dpi
    dtt: Of_q_v_a_dpi
    dq: Of_q_dpi
    dpi: Of_q_dpi

@type_check_only
class Of_q_lam_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, lam: ArrayLike, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_lam_several_dpidscrew(Of_q_lam_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

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

@type_check_only
class Of_q_v_lam_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, lam: ArrayLike, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_lam_several_dpidscrew(Of_q_v_lam_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class BiasForces(Of_q_v, Quantity):
    dt: Of_q_v_a_dpidscrew
    dtt: Of_q_v_a_j_dpidscrew
    dq: Of_q_v_dpidscrew
    dv: Of_q_v_dpidscrew
    dqq: Of_q_v_dpidscrew
    dqv: Of_q_v_dpidscrew
    dvv: Of_q_v_dpidscrew
    design: Of_q_v_lam_several_dpidscrew
    dpi: Of_q_v_dpidscrew
    dscrew: Of_q_v_dpidscrew
    dplacement: Of_q_v_dpidscrew

@type_check_only
class Of_q_w(quantity.Evaluable):
    def __call__(self, q: ArrayLike, w: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_w_dw(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, w: ArrayLike, dw: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_w_dw_dscrew(Of_q_v_w_dw, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class Of_q_v_a_w_dw_ddw(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, w: ArrayLike, dw: ArrayLike, ddw: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_w_dw_ddw_dscrew(Of_q_v_a_w_dw_ddw, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class Of_q_w_dscrew(Of_q_w, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class ExternalForces(Of_q_w, Quantity):
    dt: Of_q_v_w_dw_dscrew
    dtt: Of_q_v_a_w_dw_ddw_dscrew
    dq: Of_q_w_dscrew
    dscrew: Of_q_w_dscrew
    dplacement: Of_q_w_dscrew

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

@type_check_only
class Of_v_plain(Of_v, Quantity):
    dt: Further
    dtt: Further
    dv: Further

@type_check_only
class JointFriction(Of_v, Quantity):
    dt: Of_v_a_plain
    dtt: Of_v_a_j_plain
    dv: Of_v_plain

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

@type_check_only
class Of_q_v_v_r_a_r(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, v_r: ArrayLike, a_r: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_v_r_a_r_plain(Of_q_v_v_r_a_r, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further

@type_check_only
class SlotineLiRegressor(Of_q_v_v_r_a_r_extended, Quantity):
    dt: Of_q_v_a_v_r_dv_r_a_r_da_r_plain
    dtt: Of_q_v_a_j_v_r_dv_r_ddv_r_a_r_da_r_dda_r_plain
    dq: Of_q_v_v_r_a_r_plain
    dv: Of_q_v_v_r_a_r_plain

@type_check_only
class GeneralizedMomentum(Of_q_v, Quantity):
    dt: Of_q_v_a_dpidscrew
    dtt: Of_q_v_a_j_dpidscrew
    dq: Of_q_v_dpidscrew
    dv: Of_q_v_dpidscrew
    dpi: Of_q_v_dpidscrew
    dscrew: Of_q_v_dpidscrew
    dplacement: Of_q_v_dpidscrew

@type_check_only
class MomentumForces(Of_q_v, Quantity):
    dt: Of_q_v_a_dpidscrew
    dtt: Of_q_v_a_j_dpidscrew
    dq: Of_q_v_dpidscrew
    dv: Of_q_v_dpidscrew
    dpi: Of_q_v_dpidscrew
    dscrew: Of_q_v_dpidscrew
    dplacement: Of_q_v_dpidscrew

@type_check_only
class KineticEnergy(Of_q_v, Quantity):
    dt: Of_q_v_a_dpidscrew
    dtt: Of_q_v_a_j_dpidscrew
    dq: Of_q_v_dpidscrew
    dv: Of_q_v_dpidscrew
    dpi: Of_q_v_dpidscrew
    dscrew: Of_q_v_dpidscrew
    dplacement: Of_q_v_dpidscrew

@type_check_only
class PotentialEnergy(Of_q, Quantity):
    dt: Of_q_v_dpidscrew
    dtt: Of_q_v_a_dpidscrew
    dq: Of_q_dpidscrew
    dqq: Of_q_dpidscrew
    dpi: Of_q_dpidscrew
    dscrew: Of_q_dpidscrew
    dplacement: Of_q_dpidscrew

@type_check_only
class CenterOfMass(Of_q, Quantity):
    dt: Of_q_v_dpidscrew
    dtt: Of_q_v_a_dpidscrew
    dq: Of_q_dpidscrew
    dpi: Of_q_dpidscrew
    dscrew: Of_q_dpidscrew
    dplacement: Of_q_dpidscrew

@type_check_only
class ComJacobian(Of_q, Quantity):
    dt: Of_q_v_dpidscrew
    dtt: Of_q_v_a_dpidscrew
    dq: Of_q_dpidscrew
    dpi: Of_q_dpidscrew
    dscrew: Of_q_dpidscrew
    dplacement: Of_q_dpidscrew

@type_check_only
class Momentum(Of_q_v, Quantity):
    dt: Of_q_v_a_dpidscrew
    dtt: Of_q_v_a_j_dpidscrew
    dq: Of_q_v_dpidscrew
    dv: Of_q_v_dpidscrew
    dpi: Of_q_v_dpidscrew
    dscrew: Of_q_v_dpidscrew
    dplacement: Of_q_v_dpidscrew

@type_check_only
class MomentumMatrix(Of_q, Quantity):
    dt: Of_q_v_dpidscrew
    dtt: Of_q_v_a_dpidscrew
    dq: Of_q_dpidscrew
    dpi: Of_q_dpidscrew
    dscrew: Of_q_dpidscrew
    dplacement: Of_q_dpidscrew

@type_check_only
class CentroidalMomentum(Of_q_v, Quantity):
    dt: Of_q_v_a_dpidscrew
    dtt: Of_q_v_a_j_dpidscrew
    dq: Of_q_v_dpidscrew
    dv: Of_q_v_dpidscrew
    dpi: Of_q_v_dpidscrew
    dscrew: Of_q_v_dpidscrew
    dplacement: Of_q_v_dpidscrew

@type_check_only
class CentroidalMomentumMatrix(Of_q, Quantity):
    dt: Of_q_v_dpidscrew
    dtt: Of_q_v_a_dpidscrew
    dq: Of_q_dpidscrew
    dpi: Of_q_dpidscrew
    dscrew: Of_q_dpidscrew
    dplacement: Of_q_dpidscrew

@type_check_only
class Of_q_v_dscrew(Of_q_v, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class Of_q_v_a_dscrew(Of_q_v_a, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class Of_q_dscrew(Of_q, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class Pose(Of_q, Quantity):
    dt: Of_q_v_dscrew
    dtt: Of_q_v_a_dscrew
    dq: Of_q_dscrew
    dscrew: Of_q_dscrew
    dplacement: Of_q_dscrew

@type_check_only
class Jacobian(Of_q, Quantity):
    dt: Of_q_v_dscrew
    dtt: Of_q_v_a_dscrew
    dq: Of_q_dscrew
    dscrew: Of_q_dscrew
    dplacement: Of_q_dscrew

@type_check_only
class JacobianWorld(Of_q, Quantity):
    dt: Of_q_v_dscrew
    dtt: Of_q_v_a_dscrew
    dq: Of_q_dscrew
    dscrew: Of_q_dscrew
    dplacement: Of_q_dscrew

@type_check_only
class JacobianMixed(Of_q, Quantity):
    dt: Of_q_v_dscrew
    dtt: Of_q_v_a_dscrew
    dq: Of_q_dscrew
    dscrew: Of_q_dscrew
    dplacement: Of_q_dscrew

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

@type_check_only
class Twist(Of_q_v, Quantity):
    dt: Of_q_v_a_dscrew
    dtt: Of_q_v_a_j_dscrew
    dq: Of_q_v_dscrew
    dv: Of_q_v_dscrew
    dscrew: Of_q_v_dscrew
    dplacement: Of_q_v_dscrew

@type_check_only
class TwistWorld(Of_q_v, Quantity):
    dt: Of_q_v_a_dscrew
    dtt: Of_q_v_a_j_dscrew
    dq: Of_q_v_dscrew
    dv: Of_q_v_dscrew
    dscrew: Of_q_v_dscrew
    dplacement: Of_q_v_dscrew

@type_check_only
class TwistMixed(Of_q_v, Quantity):
    dt: Of_q_v_a_dscrew
    dtt: Of_q_v_a_j_dscrew
    dq: Of_q_v_dscrew
    dv: Of_q_v_dscrew
    dscrew: Of_q_v_dscrew
    dplacement: Of_q_v_dscrew

@type_check_only
class Of_q_v_a_pi_or_wrenches_gravity(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, wrenches: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_pi_or_wrenches_dwrenches_gravity(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, pi: ArrayLike, wrenches: ArrayLike | None = None, dwrenches: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_pi_or_wrenches_dwrenches_gravity_dpidscrew(Of_q_v_a_j_pi_or_wrenches_dwrenches_gravity, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class Of_q_v_a_j_s_pi_or_wrenches_dwrenches_ddwrenches_gravity(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, s: ArrayLike, pi: ArrayLike, wrenches: ArrayLike | None = None, dwrenches: ArrayLike | None = None, ddwrenches: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_s_pi_or_wrenches_dwrenches_ddwrenches_gravity_dpidscrew(Of_q_v_a_j_s_pi_or_wrenches_dwrenches_ddwrenches_gravity, Quantity):
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

@type_check_only
class Of_q_v_a_pi_or_wrenches_gravity_dpidscrew(Of_q_v_a_pi_or_wrenches_gravity, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class Of_q_v_a_pi_or_wrenches_gravity_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, wrenches: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_pi_or_wrenches_gravity_several_dpidscrew(Of_q_v_a_pi_or_wrenches_gravity_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class Of_q_v_a_lam_pi_or_wrenches_gravity(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, lam: ArrayLike, pi: ArrayLike, wrenches: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_lam_pi_or_wrenches_gravity_dpidscrew(Of_q_v_a_lam_pi_or_wrenches_gravity, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class Of_q_v_a_lam_pi_or_wrenches_gravity_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, lam: ArrayLike, pi: ArrayLike, wrenches: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_lam_pi_or_wrenches_gravity_several_dpidscrew(Of_q_v_a_lam_pi_or_wrenches_gravity_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

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

@type_check_only
class ParametricInverseDynamics(Of_q_v_a_pi_or_wrenches_gravity, Quantity):
    dt: Of_q_v_a_j_pi_or_wrenches_dwrenches_gravity_dpidscrew
    dtt: Of_q_v_a_j_s_pi_or_wrenches_dwrenches_ddwrenches_gravity_dpidscrew
    dq: Of_q_v_a_pi_or_wrenches_gravity_dpidscrew
    dv: Of_q_v_a_pi_or_wrenches_gravity_dpidscrew
    da: Of_q_v_a_pi_or_wrenches_gravity_dpidscrew
    dqq: Of_q_v_a_pi_or_wrenches_gravity_dpidscrew
    dqv: Of_q_v_a_pi_or_wrenches_gravity_dpidscrew
    dvv: Of_q_v_a_pi_or_wrenches_gravity_dpidscrew
    daq: Of_q_v_a_pi_or_wrenches_gravity_dpidscrew
    derivatives: Of_q_v_a_pi_or_wrenches_gravity_several_dpidscrew
    hessian: Of_q_v_a_lam_pi_or_wrenches_gravity_dpidscrew
    design: Of_q_v_a_lam_pi_or_wrenches_gravity_several_dpidscrew
    dpi: Of_q_v_a_pi_or_gravity_dpidscrew
    dscrew: Of_q_v_a_pi_or_wrenches_gravity_dpidscrew
    dplacement: Of_q_v_a_pi_or_wrenches_gravity_dpidscrew

@type_check_only
class Of_q_v_tau_pi_or_wrenches_gravity(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, wrenches: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_pi_or_wrenches_dwrenches_gravity(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, pi: ArrayLike, wrenches: ArrayLike | None = None, dwrenches: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

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

@type_check_only
class Of_q_v_tau_dtau_ddtau_pi_or_wrenches_dwrenches_ddwrenches_gravity(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, ddtau: ArrayLike, pi: ArrayLike, wrenches: ArrayLike | None = None, dwrenches: ArrayLike | None = None, ddwrenches: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

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

@type_check_only
class Of_q_v_tau_pi_or_wrenches_gravity_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, wrenches: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_tau_pi_or_wrenches_gravity_several_dpidscrew(Of_q_v_tau_pi_or_wrenches_gravity_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class Of_q_v_tau_lam_pi_or_wrenches_gravity_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, lam: ArrayLike, pi: ArrayLike, wrenches: ArrayLike | None = None, gravity: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_tau_lam_pi_or_wrenches_gravity_several_dpidscrew(Of_q_v_tau_lam_pi_or_wrenches_gravity_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class ParametricForwardDynamics(Of_q_v_tau_pi_or_wrenches_gravity, Quantity):
    dt: Of_q_v_tau_dtau_pi_or_wrenches_dwrenches_gravity_dpidscrew
    dtt: Of_q_v_tau_dtau_ddtau_pi_or_wrenches_dwrenches_ddwrenches_gravity_dpidscrew
    dq: Of_q_v_tau_pi_or_wrenches_gravity_dpidscrew
    dv: Of_q_v_tau_pi_or_wrenches_gravity_dpidscrew
    dtau: Of_q_v_tau_pi_or_wrenches_gravity_dpidscrew
    dqq: Of_q_v_tau_pi_or_wrenches_gravity_dpidscrew
    dqv: Of_q_v_tau_pi_or_wrenches_gravity_dpidscrew
    dvv: Of_q_v_tau_pi_or_wrenches_gravity_dpidscrew
    dqtau: Of_q_v_tau_pi_or_wrenches_gravity_dpidscrew
    derivatives: Of_q_v_tau_pi_or_wrenches_gravity_several_dpidscrew
    design: Of_q_v_tau_lam_pi_or_wrenches_gravity_several_dpidscrew
    dpi: Of_q_v_tau_pi_or_wrenches_gravity_dpidscrew
    dscrew: Of_q_v_tau_pi_or_wrenches_gravity_dpidscrew
    dplacement: Of_q_v_tau_pi_or_wrenches_gravity_dpidscrew

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

@type_check_only
class Of_q_pi_or_gravity_dpidscrew(Of_q_pi_or_gravity, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class ParametricMassMatrix(Of_q_pi_or_gravity, Quantity):
    dt: Of_q_v_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_pi_or_gravity_dpidscrew
    dq: Of_q_pi_or_gravity_dpidscrew
    dqq: Of_q_pi_or_gravity_dpidscrew
    dpi: Of_q_pi_or_gravity_dpidscrew
    dscrew: Of_q_pi_or_gravity_dpidscrew
    dplacement: Of_q_pi_or_gravity_dpidscrew

@type_check_only
class ParametricMassMatrixInverse(Of_q_pi_or_gravity, Quantity):
    dt: Of_q_v_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_pi_or_gravity_dpidscrew
    dq: Of_q_pi_or_gravity_dpidscrew
    dpi: Of_q_pi_or_gravity_dpidscrew
    dscrew: Of_q_pi_or_gravity_dpidscrew
    dplacement: Of_q_pi_or_gravity_dpidscrew

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

@type_check_only
class ParametricCoriolisMatrix(Of_q_v_pi_or_gravity, Quantity):
    dt: Of_q_v_a_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_j_pi_or_gravity_dpidscrew
    dq: Of_q_v_pi_or_gravity_dpidscrew
    dv: Of_q_v_pi_or_gravity_dpidscrew
    dpi: Of_q_v_pi_or_gravity_dpidscrew
    dscrew: Of_q_v_pi_or_gravity_dpidscrew
    dplacement: Of_q_v_pi_or_gravity_dpidscrew

@type_check_only
class Of_q_v_pi_or_gravity_dpi(Of_q_v_pi_or_gravity, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dpi: Further

@type_check_only
class Of_q_v_a_pi_or_gravity_dpi(Of_q_v_a_pi_or_gravity, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further

@type_check_only
class Of_q_pi_or_gravity_dpi(Of_q_pi_or_gravity, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dpi: Further

@type_check_only
class ParametricChristoffel(Of_q_pi_or_gravity, Quantity):
    dt: Of_q_v_pi_or_gravity_dpi
    dtt: Of_q_v_a_pi_or_gravity_dpi
    dq: Of_q_pi_or_gravity_dpi
    dpi: Of_q_pi_or_gravity_dpi

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

@type_check_only
class Of_q_v_lam_pi_or_gravity_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, lam: ArrayLike, pi: ArrayLike, gravity: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_lam_pi_or_gravity_several_dpidscrew(Of_q_v_lam_pi_or_gravity_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class ParametricBiasForces(Of_q_v_pi_or_gravity, Quantity):
    dt: Of_q_v_a_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_j_pi_or_gravity_dpidscrew
    dq: Of_q_v_pi_or_gravity_dpidscrew
    dv: Of_q_v_pi_or_gravity_dpidscrew
    dqq: Of_q_v_pi_or_gravity_dpidscrew
    dqv: Of_q_v_pi_or_gravity_dpidscrew
    dvv: Of_q_v_pi_or_gravity_dpidscrew
    design: Of_q_v_lam_pi_or_gravity_several_dpidscrew
    dpi: Of_q_v_pi_or_gravity_dpidscrew
    dscrew: Of_q_v_pi_or_gravity_dpidscrew
    dplacement: Of_q_v_pi_or_gravity_dpidscrew

@type_check_only
class ParametricGeneralizedMomentum(Of_q_v_pi_or_gravity, Quantity):
    dt: Of_q_v_a_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_j_pi_or_gravity_dpidscrew
    dq: Of_q_v_pi_or_gravity_dpidscrew
    dv: Of_q_v_pi_or_gravity_dpidscrew
    dpi: Of_q_v_pi_or_gravity_dpidscrew
    dscrew: Of_q_v_pi_or_gravity_dpidscrew
    dplacement: Of_q_v_pi_or_gravity_dpidscrew

@type_check_only
class ParametricMomentumForces(Of_q_v_pi_or_gravity, Quantity):
    dt: Of_q_v_a_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_j_pi_or_gravity_dpidscrew
    dq: Of_q_v_pi_or_gravity_dpidscrew
    dv: Of_q_v_pi_or_gravity_dpidscrew
    dpi: Of_q_v_pi_or_gravity_dpidscrew
    dscrew: Of_q_v_pi_or_gravity_dpidscrew
    dplacement: Of_q_v_pi_or_gravity_dpidscrew

@type_check_only
class ParametricKineticEnergy(Of_q_v_pi_or_gravity, Quantity):
    dt: Of_q_v_a_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_j_pi_or_gravity_dpidscrew
    dq: Of_q_v_pi_or_gravity_dpidscrew
    dv: Of_q_v_pi_or_gravity_dpidscrew
    dpi: Of_q_v_pi_or_gravity_dpidscrew
    dscrew: Of_q_v_pi_or_gravity_dpidscrew
    dplacement: Of_q_v_pi_or_gravity_dpidscrew

@type_check_only
class ParametricPotentialEnergy(Of_q_pi_or_gravity, Quantity):
    dt: Of_q_v_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_pi_or_gravity_dpidscrew
    dq: Of_q_pi_or_gravity_dpidscrew
    dqq: Of_q_pi_or_gravity_dpidscrew
    dpi: Of_q_pi_or_gravity_dpidscrew
    dscrew: Of_q_pi_or_gravity_dpidscrew
    dplacement: Of_q_pi_or_gravity_dpidscrew

@type_check_only
class ParametricCenterOfMass(Of_q_pi_or_gravity, Quantity):
    dt: Of_q_v_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_pi_or_gravity_dpidscrew
    dq: Of_q_pi_or_gravity_dpidscrew
    dpi: Of_q_pi_or_gravity_dpidscrew
    dscrew: Of_q_pi_or_gravity_dpidscrew
    dplacement: Of_q_pi_or_gravity_dpidscrew

@type_check_only
class ParametricComJacobian(Of_q_pi_or_gravity, Quantity):
    dt: Of_q_v_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_pi_or_gravity_dpidscrew
    dq: Of_q_pi_or_gravity_dpidscrew
    dpi: Of_q_pi_or_gravity_dpidscrew
    dscrew: Of_q_pi_or_gravity_dpidscrew
    dplacement: Of_q_pi_or_gravity_dpidscrew

@type_check_only
class ParametricMomentum(Of_q_v_pi_or_gravity, Quantity):
    dt: Of_q_v_a_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_j_pi_or_gravity_dpidscrew
    dq: Of_q_v_pi_or_gravity_dpidscrew
    dv: Of_q_v_pi_or_gravity_dpidscrew
    dpi: Of_q_v_pi_or_gravity_dpidscrew
    dscrew: Of_q_v_pi_or_gravity_dpidscrew
    dplacement: Of_q_v_pi_or_gravity_dpidscrew

@type_check_only
class ParametricMomentumMatrix(Of_q_pi_or_gravity, Quantity):
    dt: Of_q_v_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_pi_or_gravity_dpidscrew
    dq: Of_q_pi_or_gravity_dpidscrew
    dpi: Of_q_pi_or_gravity_dpidscrew
    dscrew: Of_q_pi_or_gravity_dpidscrew
    dplacement: Of_q_pi_or_gravity_dpidscrew

@type_check_only
class ParametricCentroidalMomentum(Of_q_v_pi_or_gravity, Quantity):
    dt: Of_q_v_a_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_j_pi_or_gravity_dpidscrew
    dq: Of_q_v_pi_or_gravity_dpidscrew
    dv: Of_q_v_pi_or_gravity_dpidscrew
    dpi: Of_q_v_pi_or_gravity_dpidscrew
    dscrew: Of_q_v_pi_or_gravity_dpidscrew
    dplacement: Of_q_v_pi_or_gravity_dpidscrew

@type_check_only
class ParametricCentroidalMomentumMatrix(Of_q_pi_or_gravity, Quantity):
    dt: Of_q_v_pi_or_gravity_dpidscrew
    dtt: Of_q_v_a_pi_or_gravity_dpidscrew
    dq: Of_q_pi_or_gravity_dpidscrew
    dpi: Of_q_pi_or_gravity_dpidscrew
    dscrew: Of_q_pi_or_gravity_dpidscrew
    dplacement: Of_q_pi_or_gravity_dpidscrew

@type_check_only
class Of_q_placements_screws(quantity.Evaluable):
    def __call__(self, q: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_placements_screws(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_placements_screws_dscrew(Of_q_v_placements_screws, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dscrew: Further
    dplacement: Further

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

@type_check_only
class Of_q_placements_screws_dscrew(Of_q_placements_screws, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class MorphablePose(Of_q_placements_screws, Quantity):
    dt: Of_q_v_placements_screws_dscrew
    dtt: Of_q_v_a_placements_screws_dscrew
    dq: Of_q_placements_screws_dscrew
    dscrew: Of_q_placements_screws_dscrew
    dplacement: Of_q_placements_screws_dscrew

@type_check_only
class MorphableJacobian(Of_q_placements_screws, Quantity):
    dt: Of_q_v_placements_screws_dscrew
    dtt: Of_q_v_a_placements_screws_dscrew
    dq: Of_q_placements_screws_dscrew
    dscrew: Of_q_placements_screws_dscrew
    dplacement: Of_q_placements_screws_dscrew

@type_check_only
class MorphableJacobianWorld(Of_q_placements_screws, Quantity):
    dt: Of_q_v_placements_screws_dscrew
    dtt: Of_q_v_a_placements_screws_dscrew
    dq: Of_q_placements_screws_dscrew
    dscrew: Of_q_placements_screws_dscrew
    dplacement: Of_q_placements_screws_dscrew

@type_check_only
class MorphableJacobianMixed(Of_q_placements_screws, Quantity):
    dt: Of_q_v_placements_screws_dscrew
    dtt: Of_q_v_a_placements_screws_dscrew
    dq: Of_q_placements_screws_dscrew
    dscrew: Of_q_placements_screws_dscrew
    dplacement: Of_q_placements_screws_dscrew

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

@type_check_only
class MorphableTwist(Of_q_v_placements_screws, Quantity):
    dt: Of_q_v_a_placements_screws_dscrew
    dtt: Of_q_v_a_j_placements_screws_dscrew
    dq: Of_q_v_placements_screws_dscrew
    dv: Of_q_v_placements_screws_dscrew
    dscrew: Of_q_v_placements_screws_dscrew
    dplacement: Of_q_v_placements_screws_dscrew

@type_check_only
class MorphableTwistWorld(Of_q_v_placements_screws, Quantity):
    dt: Of_q_v_a_placements_screws_dscrew
    dtt: Of_q_v_a_j_placements_screws_dscrew
    dq: Of_q_v_placements_screws_dscrew
    dv: Of_q_v_placements_screws_dscrew
    dscrew: Of_q_v_placements_screws_dscrew
    dplacement: Of_q_v_placements_screws_dscrew

@type_check_only
class MorphableTwistMixed(Of_q_v_placements_screws, Quantity):
    dt: Of_q_v_a_placements_screws_dscrew
    dtt: Of_q_v_a_j_placements_screws_dscrew
    dq: Of_q_v_placements_screws_dscrew
    dv: Of_q_v_placements_screws_dscrew
    dscrew: Of_q_v_placements_screws_dscrew
    dplacement: Of_q_v_placements_screws_dscrew

@type_check_only
class Of_q_v_a_pi_placements_screws_or_wrenches(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_pi_placements_screws_or_wrenches_dwrenches(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: ArrayLike | None = None, dwrenches: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_pi_placements_screws_or_wrenches_dwrenches_dpidscrew(Of_q_v_a_j_pi_placements_screws_or_wrenches_dwrenches, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class Of_q_v_a_j_s_pi_placements_screws_or_wrenches_dwrenches_ddwrenches(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, s: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: ArrayLike | None = None, dwrenches: ArrayLike | None = None, ddwrenches: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_s_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_dpidscrew(Of_q_v_a_j_s_pi_placements_screws_or_wrenches_dwrenches_ddwrenches, Quantity):
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

@type_check_only
class Of_q_v_a_pi_placements_screws_or_wrenches_dpidscrew(Of_q_v_a_pi_placements_screws_or_wrenches, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class Of_q_v_a_pi_placements_screws_or_wrenches_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_pi_placements_screws_or_wrenches_several_dpidscrew(Of_q_v_a_pi_placements_screws_or_wrenches_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class Of_q_v_a_lam_pi_placements_screws_or_wrenches(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, lam: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_lam_pi_placements_screws_or_wrenches_dpidscrew(Of_q_v_a_lam_pi_placements_screws_or_wrenches, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class Of_q_v_a_lam_pi_placements_screws_or_wrenches_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, lam: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_a_lam_pi_placements_screws_or_wrenches_several_dpidscrew(Of_q_v_a_lam_pi_placements_screws_or_wrenches_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

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

@type_check_only
class MorphableInverseDynamics(Of_q_v_a_pi_placements_screws_or_wrenches, Quantity):
    dt: Of_q_v_a_j_pi_placements_screws_or_wrenches_dwrenches_dpidscrew
    dtt: Of_q_v_a_j_s_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_dpidscrew
    dq: Of_q_v_a_pi_placements_screws_or_wrenches_dpidscrew
    dv: Of_q_v_a_pi_placements_screws_or_wrenches_dpidscrew
    da: Of_q_v_a_pi_placements_screws_or_wrenches_dpidscrew
    dqq: Of_q_v_a_pi_placements_screws_or_wrenches_dpidscrew
    dqv: Of_q_v_a_pi_placements_screws_or_wrenches_dpidscrew
    dvv: Of_q_v_a_pi_placements_screws_or_wrenches_dpidscrew
    daq: Of_q_v_a_pi_placements_screws_or_wrenches_dpidscrew
    derivatives: Of_q_v_a_pi_placements_screws_or_wrenches_several_dpidscrew
    hessian: Of_q_v_a_lam_pi_placements_screws_or_wrenches_dpidscrew
    design: Of_q_v_a_lam_pi_placements_screws_or_wrenches_several_dpidscrew
    dpi: Of_q_v_a_pi_placements_screws_dpidscrew
    dscrew: Of_q_v_a_pi_placements_screws_or_wrenches_dpidscrew
    dplacement: Of_q_v_a_pi_placements_screws_or_wrenches_dpidscrew

@type_check_only
class Of_q_v_tau_pi_placements_screws_or_wrenches(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_pi_placements_screws_or_wrenches_dwrenches(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: ArrayLike | None = None, dwrenches: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

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

@type_check_only
class Of_q_v_tau_dtau_ddtau_pi_placements_screws_or_wrenches_dwrenches_ddwrenches(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, ddtau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: ArrayLike | None = None, dwrenches: ArrayLike | None = None, ddwrenches: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

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

@type_check_only
class Of_q_v_tau_pi_placements_screws_or_wrenches_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_tau_pi_placements_screws_or_wrenches_several_dpidscrew(Of_q_v_tau_pi_placements_screws_or_wrenches_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class Of_q_v_tau_lam_pi_placements_screws_or_wrenches_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, lam: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, wrenches: ArrayLike | None = None, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_tau_lam_pi_placements_screws_or_wrenches_several_dpidscrew(Of_q_v_tau_lam_pi_placements_screws_or_wrenches_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class MorphableForwardDynamics(Of_q_v_tau_pi_placements_screws_or_wrenches, Quantity):
    dt: Of_q_v_tau_dtau_pi_placements_screws_or_wrenches_dwrenches_dpidscrew
    dtt: Of_q_v_tau_dtau_ddtau_pi_placements_screws_or_wrenches_dwrenches_ddwrenches_dpidscrew
    dq: Of_q_v_tau_pi_placements_screws_or_wrenches_dpidscrew
    dv: Of_q_v_tau_pi_placements_screws_or_wrenches_dpidscrew
    dtau: Of_q_v_tau_pi_placements_screws_or_wrenches_dpidscrew
    dqq: Of_q_v_tau_pi_placements_screws_or_wrenches_dpidscrew
    dqv: Of_q_v_tau_pi_placements_screws_or_wrenches_dpidscrew
    dvv: Of_q_v_tau_pi_placements_screws_or_wrenches_dpidscrew
    dqtau: Of_q_v_tau_pi_placements_screws_or_wrenches_dpidscrew
    derivatives: Of_q_v_tau_pi_placements_screws_or_wrenches_several_dpidscrew
    design: Of_q_v_tau_lam_pi_placements_screws_or_wrenches_several_dpidscrew
    dpi: Of_q_v_tau_pi_placements_screws_or_wrenches_dpidscrew
    dscrew: Of_q_v_tau_pi_placements_screws_or_wrenches_dpidscrew
    dplacement: Of_q_v_tau_pi_placements_screws_or_wrenches_dpidscrew

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

@type_check_only
class Of_q_pi_placements_screws_dpidscrew(Of_q_pi_placements_screws, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class MorphableMassMatrix(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_pi_placements_screws_dpidscrew
    dq: Of_q_pi_placements_screws_dpidscrew
    dqq: Of_q_pi_placements_screws_dpidscrew
    dpi: Of_q_pi_placements_screws_dpidscrew
    dscrew: Of_q_pi_placements_screws_dpidscrew
    dplacement: Of_q_pi_placements_screws_dpidscrew

@type_check_only
class MorphableMassMatrixInverse(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_pi_placements_screws_dpidscrew
    dq: Of_q_pi_placements_screws_dpidscrew
    dpi: Of_q_pi_placements_screws_dpidscrew
    dscrew: Of_q_pi_placements_screws_dpidscrew
    dplacement: Of_q_pi_placements_screws_dpidscrew

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

@type_check_only
class MorphableCoriolisMatrix(Of_q_v_pi_placements_screws, Quantity):
    dt: Of_q_v_a_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_j_pi_placements_screws_dpidscrew
    dq: Of_q_v_pi_placements_screws_dpidscrew
    dv: Of_q_v_pi_placements_screws_dpidscrew
    dpi: Of_q_v_pi_placements_screws_dpidscrew
    dscrew: Of_q_v_pi_placements_screws_dpidscrew
    dplacement: Of_q_v_pi_placements_screws_dpidscrew

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

@type_check_only
class Of_q_v_lam_pi_placements_screws_several(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, lam: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: Several = None, **options: Unpack[Options]) -> tuple[NDArray[Any], ...]: ...

@type_check_only
class Of_q_v_lam_pi_placements_screws_several_dpidscrew(Of_q_v_lam_pi_placements_screws_several, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class MorphableBiasForces(Of_q_v_pi_placements_screws, Quantity):
    dt: Of_q_v_a_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_j_pi_placements_screws_dpidscrew
    dq: Of_q_v_pi_placements_screws_dpidscrew
    dv: Of_q_v_pi_placements_screws_dpidscrew
    dqq: Of_q_v_pi_placements_screws_dpidscrew
    dqv: Of_q_v_pi_placements_screws_dpidscrew
    dvv: Of_q_v_pi_placements_screws_dpidscrew
    design: Of_q_v_lam_pi_placements_screws_several_dpidscrew
    dpi: Of_q_v_pi_placements_screws_dpidscrew
    dscrew: Of_q_v_pi_placements_screws_dpidscrew
    dplacement: Of_q_v_pi_placements_screws_dpidscrew

@type_check_only
class Of_q_w_pi_placements_screws(quantity.Evaluable):
    def __call__(self, q: ArrayLike, w: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_w_dw_pi_placements_screws(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, w: ArrayLike, dw: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_w_dw_pi_placements_screws_dscrew(Of_q_v_w_dw_pi_placements_screws, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class Of_q_v_a_w_dw_ddw_pi_placements_screws(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, w: ArrayLike, dw: ArrayLike, ddw: ArrayLike, pi: ArrayLike, placements: ArrayLike, screws: ArrayLike, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_w_dw_ddw_pi_placements_screws_dscrew(Of_q_v_a_w_dw_ddw_pi_placements_screws, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class Of_q_w_pi_placements_screws_dscrew(Of_q_w_pi_placements_screws, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class MorphableExternalForces(Of_q_w_pi_placements_screws, Quantity):
    dt: Of_q_v_w_dw_pi_placements_screws_dscrew
    dtt: Of_q_v_a_w_dw_ddw_pi_placements_screws_dscrew
    dq: Of_q_w_pi_placements_screws_dscrew
    dscrew: Of_q_w_pi_placements_screws_dscrew
    dplacement: Of_q_w_pi_placements_screws_dscrew

@type_check_only
class MorphableGeneralizedMomentum(Of_q_v_pi_placements_screws, Quantity):
    dt: Of_q_v_a_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_j_pi_placements_screws_dpidscrew
    dq: Of_q_v_pi_placements_screws_dpidscrew
    dv: Of_q_v_pi_placements_screws_dpidscrew
    dpi: Of_q_v_pi_placements_screws_dpidscrew
    dscrew: Of_q_v_pi_placements_screws_dpidscrew
    dplacement: Of_q_v_pi_placements_screws_dpidscrew

@type_check_only
class MorphableMomentumForces(Of_q_v_pi_placements_screws, Quantity):
    dt: Of_q_v_a_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_j_pi_placements_screws_dpidscrew
    dq: Of_q_v_pi_placements_screws_dpidscrew
    dv: Of_q_v_pi_placements_screws_dpidscrew
    dpi: Of_q_v_pi_placements_screws_dpidscrew
    dscrew: Of_q_v_pi_placements_screws_dpidscrew
    dplacement: Of_q_v_pi_placements_screws_dpidscrew

@type_check_only
class MorphableKineticEnergy(Of_q_v_pi_placements_screws, Quantity):
    dt: Of_q_v_a_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_j_pi_placements_screws_dpidscrew
    dq: Of_q_v_pi_placements_screws_dpidscrew
    dv: Of_q_v_pi_placements_screws_dpidscrew
    dpi: Of_q_v_pi_placements_screws_dpidscrew
    dscrew: Of_q_v_pi_placements_screws_dpidscrew
    dplacement: Of_q_v_pi_placements_screws_dpidscrew

@type_check_only
class MorphablePotentialEnergy(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_pi_placements_screws_dpidscrew
    dq: Of_q_pi_placements_screws_dpidscrew
    dqq: Of_q_pi_placements_screws_dpidscrew
    dpi: Of_q_pi_placements_screws_dpidscrew
    dscrew: Of_q_pi_placements_screws_dpidscrew
    dplacement: Of_q_pi_placements_screws_dpidscrew

@type_check_only
class MorphableCenterOfMass(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_pi_placements_screws_dpidscrew
    dq: Of_q_pi_placements_screws_dpidscrew
    dpi: Of_q_pi_placements_screws_dpidscrew
    dscrew: Of_q_pi_placements_screws_dpidscrew
    dplacement: Of_q_pi_placements_screws_dpidscrew

@type_check_only
class MorphableComJacobian(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_pi_placements_screws_dpidscrew
    dq: Of_q_pi_placements_screws_dpidscrew
    dpi: Of_q_pi_placements_screws_dpidscrew
    dscrew: Of_q_pi_placements_screws_dpidscrew
    dplacement: Of_q_pi_placements_screws_dpidscrew

@type_check_only
class MorphableMomentum(Of_q_v_pi_placements_screws, Quantity):
    dt: Of_q_v_a_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_j_pi_placements_screws_dpidscrew
    dq: Of_q_v_pi_placements_screws_dpidscrew
    dv: Of_q_v_pi_placements_screws_dpidscrew
    dpi: Of_q_v_pi_placements_screws_dpidscrew
    dscrew: Of_q_v_pi_placements_screws_dpidscrew
    dplacement: Of_q_v_pi_placements_screws_dpidscrew

@type_check_only
class MorphableMomentumMatrix(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_pi_placements_screws_dpidscrew
    dq: Of_q_pi_placements_screws_dpidscrew
    dpi: Of_q_pi_placements_screws_dpidscrew
    dscrew: Of_q_pi_placements_screws_dpidscrew
    dplacement: Of_q_pi_placements_screws_dpidscrew

@type_check_only
class MorphableCentroidalMomentum(Of_q_v_pi_placements_screws, Quantity):
    dt: Of_q_v_a_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_j_pi_placements_screws_dpidscrew
    dq: Of_q_v_pi_placements_screws_dpidscrew
    dv: Of_q_v_pi_placements_screws_dpidscrew
    dpi: Of_q_v_pi_placements_screws_dpidscrew
    dscrew: Of_q_v_pi_placements_screws_dpidscrew
    dplacement: Of_q_v_pi_placements_screws_dpidscrew

@type_check_only
class MorphableCentroidalMomentumMatrix(Of_q_pi_placements_screws, Quantity):
    dt: Of_q_v_pi_placements_screws_dpidscrew
    dtt: Of_q_v_a_pi_placements_screws_dpidscrew
    dq: Of_q_pi_placements_screws_dpidscrew
    dpi: Of_q_pi_placements_screws_dpidscrew
    dscrew: Of_q_pi_placements_screws_dpidscrew
    dplacement: Of_q_pi_placements_screws_dpidscrew

@type_check_only
class Of_q_v_a_or_wrenches_joint_forces(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, wrenches: ArrayLike | None = None, joint_forces: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_or_wrenches_dwrenches_joint_forces_djoint_forces(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, wrenches: ArrayLike | None = None, dwrenches: ArrayLike | None = None, joint_forces: ArrayLike | None = None, djoint_forces: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_or_wrenches_dwrenches_joint_forces_djoint_forces_dpidscrew(Of_q_v_a_j_or_wrenches_dwrenches_joint_forces_djoint_forces, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dj: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class Of_q_v_a_j_s_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, j: ArrayLike, s: ArrayLike, wrenches: ArrayLike | None = None, dwrenches: ArrayLike | None = None, ddwrenches: ArrayLike | None = None, joint_forces: ArrayLike | None = None, djoint_forces: ArrayLike | None = None, ddjoint_forces: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_a_j_s_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_dpidscrew(Of_q_v_a_j_s_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces, Quantity):
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

@type_check_only
class Of_q_v_a_or_wrenches_joint_forces_dpidscrew(Of_q_v_a_or_wrenches_joint_forces, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    da: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class MechanismInverseDynamics(Of_q_v_a_or_wrenches_joint_forces, Quantity):
    dt: Of_q_v_a_j_or_wrenches_dwrenches_joint_forces_djoint_forces_dpidscrew
    dtt: Of_q_v_a_j_s_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_dpidscrew
    dq: Of_q_v_a_or_wrenches_joint_forces_dpidscrew
    dv: Of_q_v_a_or_wrenches_joint_forces_dpidscrew
    da: Of_q_v_a_or_wrenches_joint_forces_dpidscrew
    dpi: Of_q_v_a_dpidscrew
    dscrew: Of_q_v_a_or_wrenches_joint_forces_dpidscrew
    dplacement: Of_q_v_a_or_wrenches_joint_forces_dpidscrew

@type_check_only
class Of_q_v_tau_or_wrenches_joint_forces(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, wrenches: ArrayLike | None = None, joint_forces: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_or_wrenches_dwrenches_joint_forces_djoint_forces(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, wrenches: ArrayLike | None = None, dwrenches: ArrayLike | None = None, joint_forces: ArrayLike | None = None, djoint_forces: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_or_wrenches_dwrenches_joint_forces_djoint_forces_dpidscrew(Of_q_v_tau_dtau_or_wrenches_dwrenches_joint_forces_djoint_forces, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces(quantity.Evaluable):
    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dtau: ArrayLike, ddtau: ArrayLike, wrenches: ArrayLike | None = None, dwrenches: ArrayLike | None = None, ddwrenches: ArrayLike | None = None, joint_forces: ArrayLike | None = None, djoint_forces: ArrayLike | None = None, ddjoint_forces: ArrayLike | None = None, *, out: One = None, **options: Unpack[Options]) -> NDArray[Any]: ...

@type_check_only
class Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_dpidscrew(Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class Of_q_v_tau_or_wrenches_joint_forces_dpidscrew(Of_q_v_tau_or_wrenches_joint_forces, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dv: Further
    dtau: Further
    dpi: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class MechanismForwardDynamics(Of_q_v_tau_or_wrenches_joint_forces, Quantity):
    dt: Of_q_v_tau_dtau_or_wrenches_dwrenches_joint_forces_djoint_forces_dpidscrew
    dtt: Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_dpidscrew
    dq: Of_q_v_tau_or_wrenches_joint_forces_dpidscrew
    dv: Of_q_v_tau_or_wrenches_joint_forces_dpidscrew
    dtau: Of_q_v_tau_or_wrenches_joint_forces_dpidscrew
    dpi: Of_q_v_tau_or_wrenches_joint_forces_dpidscrew
    dscrew: Of_q_v_tau_or_wrenches_joint_forces_dpidscrew
    dplacement: Of_q_v_tau_or_wrenches_joint_forces_dpidscrew

@type_check_only
class ConstraintForces(Of_q_v_tau_or_wrenches_joint_forces, Quantity):
    dt: Of_q_v_tau_dtau_or_wrenches_dwrenches_joint_forces_djoint_forces_dpidscrew
    dtt: Of_q_v_tau_dtau_ddtau_or_wrenches_dwrenches_ddwrenches_joint_forces_djoint_forces_ddjoint_forces_dpidscrew
    dq: Of_q_v_tau_or_wrenches_joint_forces_dpidscrew
    dv: Of_q_v_tau_or_wrenches_joint_forces_dpidscrew
    dtau: Of_q_v_tau_or_wrenches_joint_forces_dpidscrew
    dpi: Of_q_v_tau_or_wrenches_joint_forces_dpidscrew
    dscrew: Of_q_v_tau_or_wrenches_joint_forces_dpidscrew
    dplacement: Of_q_v_tau_or_wrenches_joint_forces_dpidscrew

@type_check_only
class MechanismMassMatrix(Of_q, Quantity):
    dt: Of_q_v_dpidscrew
    dtt: Of_q_v_a_dpidscrew
    dq: Of_q_dpidscrew
    dpi: Of_q_dpidscrew
    dscrew: Of_q_dpidscrew
    dplacement: Of_q_dpidscrew

@type_check_only
class MechanismGravityForces(Of_q, Quantity):
    dt: Of_q_v_dpidscrew
    dtt: Of_q_v_a_dpidscrew
    dq: Of_q_dpidscrew
    dpi: Of_q_dpidscrew
    dscrew: Of_q_dpidscrew
    dplacement: Of_q_dpidscrew

@type_check_only
class MechanismBiasForces(Of_q_v, Quantity):
    dt: Of_q_v_a_dpidscrew
    dtt: Of_q_v_a_j_dpidscrew
    dq: Of_q_v_dpidscrew
    dv: Of_q_v_dpidscrew
    dpi: Of_q_v_dpidscrew
    dscrew: Of_q_v_dpidscrew
    dplacement: Of_q_v_dpidscrew

@type_check_only
class PassiveJacobian(Of_q, Quantity):
    dt: Of_q_v_dscrew
    dtt: Of_q_v_a_dscrew
    dq: Of_q_dscrew
    dscrew: Of_q_dscrew
    dplacement: Of_q_dscrew

@type_check_only
class Velocity(Of_q_v, Quantity):
    dt: Of_q_v_a_dscrew
    dtt: Of_q_v_a_j_dscrew
    dq: Of_q_v_dscrew
    dv: Of_q_v_dscrew
    dscrew: Of_q_v_dscrew
    dplacement: Of_q_v_dscrew

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

@type_check_only
class Of_q_joint_forces_dscrew(Of_q_joint_forces, Quantity):
    dt: Further
    dtt: Further
    dq: Further
    dscrew: Further
    dplacement: Further

@type_check_only
class IndependentForces(Of_q_joint_forces, Quantity):
    dt: Of_q_v_joint_forces_djoint_forces_dscrew
    dtt: Of_q_v_a_joint_forces_djoint_forces_ddjoint_forces_dscrew
    dq: Of_q_joint_forces_dscrew
    dscrew: Of_q_joint_forces_dscrew
    dplacement: Of_q_joint_forces_dscrew

@type_check_only
class MechanismPotentialEnergy(Of_q, Quantity):
    dt: Of_q_v_dpidscrew
    dtt: Of_q_v_a_dpidscrew
    dq: Of_q_dpidscrew
    dpi: Of_q_dpidscrew
    dscrew: Of_q_dpidscrew
    dplacement: Of_q_dpidscrew

@type_check_only
class LoopResidual(Of_q, Quantity):
    dt: Of_q_v_dscrew
    dtt: Of_q_v_a_dscrew
    dq: Of_q_dscrew
    dscrew: Of_q_dscrew
    dplacement: Of_q_dscrew

@type_check_only
class LoopJacobian(Of_q, Quantity):
    dt: Of_q_v_dscrew
    dtt: Of_q_v_a_dscrew
    dq: Of_q_dscrew
    dscrew: Of_q_dscrew
    dplacement: Of_q_dscrew

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
    """Friction of the joints, damping v + friction sign(v); part of no other quantity."""
    slotine_li_regressor: SlotineLiRegressor
    """Regressor Y of adaptive control: M a_r + C v_r + g = Y pi, armature apart."""
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

class FrameQuantities:
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

@type_check_only
class MorphableFrame(tables.Frame):
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

@type_check_only
class MechanismFrame(tables.Frame):
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
    coriolis_matrix: CoriolisMatrix
    """Christoffel Coriolis matrix C = E^T (M E' + C E) of the independent joints."""
    gravity_forces: MechanismGravityForces
    """Forces E^T g on the independent joints that hold the mechanism still."""
    bias_forces: MechanismBiasForces
    """Forces C v + g on the independent joints that hold their velocity."""
    passive_jacobian: PassiveJacobian
    """J_p = -g_p^+ g_a: the dependent joints move with J_p v."""
    velocity: Velocity
    """Velocity E v of all joints; its time derivatives are their acceleration, jerk, ..."""
    independent_forces: IndependentForces
    """Forces E^T tau on the independent joints that do the work of tau on all joints."""
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
    loop_residual: LoopResidual
    """Zero where the loops are closed: sines of angles, then positions, in a's axes."""
    loop_jacobian: LoopJacobian
    """G: the rate of the residual is G v, v the velocity of all joints."""
    constrained_dynamics: ConstrainedDynamics
    """Acceleration of all joints, from the equations with multipliers of the loops."""
