"""Every controller as C, as WebAssembly, in JAX and in PyTorch: the kernel's values."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce import control
from support.control import run_as_c
from support.helpers import assert_close
from support.web import in_node

ARM = jounce.load("planar_2r")
K, J, H = 300.0, 0.2, 0.01

#: Controllers by the names of their laws.
LAWS: dict[str, Any] = {
    "gravity_compensation": lambda: control.gravity_compensation(ARM, kd=2.0),
    "pd_plus": lambda: control.pd_plus(ARM, 30.0, 4.0),
    "computed_torque": lambda: control.computed_torque(ARM, 100.0, 20.0),
    "slotine_li": lambda: control.slotine_li(ARM, 4.0, 6.0),
    "friction_compensation": lambda: control.friction_compensation(ARM, damping=1.0, friction=0.5),
    "slotine_li_adaptive": lambda: control.slotine_li_adaptive(ARM, 4.0, 6.0, 0.5, H),
    "composite_adaptive": lambda: control.composite_adaptive(
        ARM, 4.0, 6.0, 0.5, 1.0, H, filter_time=(0.1, 0.5)
    ),
    "operational_space": lambda: control.operational_space(
        ARM, [control.FrameTask("tool", "position"), control.PostureTask()]
    ),
    "cartesian_impedance": lambda: control.cartesian_impedance(
        ARM, "tool", 50.0, 5.0, rows="position", posture_damping=1.0
    ),
    "flatness_feedforward": lambda: control.flatness_feedforward(ARM, K, J, kp=50.0, kd=2.0),
    "feedback_linearization": lambda: control.feedback_linearization(ARM, K, J, 5.0, damping=1.0),
    "stiffness_decoupling": lambda: control.stiffness_decoupling(ARM, J, 5.0, 3.0),
    "backstepping": lambda: control.backstepping(ARM, K, J, 5.0, 4.0, 3.0, 2.0),
    "motor_pd": lambda: control.motor_pd(ARM, K, 50.0, 5.0, inertia_ratio=2.0, iterations=1),
    "momentum_observer": lambda: control.momentum_observer(ARM, 20.0, H),
    "wrench_observer": lambda: control.wrench_observer(
        ARM, "tool", 20.0, H, rows=(False, False, True, False, True, False), regularization=0.1
    ),
    "collision_detector": lambda: control.collision_detector(ARM, 20.0, 1.0, H, drift_rate=3.0),
    "disturbance_observer": lambda: control.disturbance_observer(ARM, 20.0, H),
}


@cache
def case(law: str) -> tuple[control.Controller, list[np.ndarray]]:
    """A controller, and values for its flat arguments: a state near its reference."""
    controller, rng = LAWS[law](), np.random.default_rng(6)
    values = [x + 0.1 for x in controller.initial_state()]
    for group in ("measurement", "reference"):
        for name, shape in controller.shapes[group].items():
            size = [ARM.sizes[n] if isinstance(n, str) else n for n in shape]
            values.append(0.3 * rng.standard_normal(size) + (K if name in ("K", "K_d") else 0.0))
    return controller, [*values, *controller.gains.values()]


def results_of(controller: Any, values: Any) -> tuple[np.ndarray, ...]:
    results = controller.function(*values)
    return results if controller.arguments["state"] else (results,)


def test_all_laws_are_listed() -> None:
    modules = {f"jounce.control.{x}" for x in ("adaptive", "elastic", "observers", "rigid")}
    modules.add("jounce.control.operational_space")
    functions = [x for x in control.__all__ if getattr(control, x).__module__ in modules]
    assert functions == sorted(LAWS)


@pytest.mark.parametrize("law", LAWS)
def test_c_code_has_the_values_of_the_kernel(law: str, tmp_path: Path) -> None:
    """In double, and in float."""
    controller, values = case(law)
    expected = results_of(controller, values)
    for dtype, tolerance in ((np.float64, 1e-12), (np.float32, 1e-3)):
        outputs = run_as_c(controller, values, tmp_path, dtype)
        for actual, wanted in zip(outputs, expected, strict=True):
            assert actual.dtype == dtype
            assert_close(actual, wanted, tolerance)


@pytest.mark.browser
def test_webassembly_has_the_values_of_the_kernel(tmp_path: Path) -> None:
    from jounce.viewer.web.module import build_module

    for law in LAWS:
        controller, values = case(law)
        folder = tmp_path / law
        folder.mkdir()
        module = build_module(controller, controller.call)
        flat = np.concatenate([x.ravel() for x in results_of(controller, values)])
        assert_close(in_node(module, [(controller.call, values)], folder), flat, 1e-12)


@pytest.mark.frameworks
@pytest.mark.parametrize("law", LAWS)
def test_jax_transforms_controllers(law: str) -> None:
    """jit and vmap give the kernel's values, grad the gradients of its vector-Jacobian product."""
    jax: Any = pytest.importorskip("jax")
    controller, values = case(law)
    expected = results_of(controller, values)
    weights = [np.cos(np.arange(x.size)).reshape(x.shape) for x in expected]
    gradients = controller.function.vjp(*values, *weights)

    def groups_of(flat: Any) -> tuple[Any, ...]:
        out, start = [], 0
        for group in ("state", "measurement", "reference"):
            count = len(controller.arguments[group])
            out.append(tuple(flat[start : start + count]))
            start += count
        return tuple(out)

    def total(*flat: Any) -> Any:
        results = controller.function(*flat)
        results = results if controller.arguments["state"] else (results,)
        return sum((w * x).sum() for w, x in zip(weights, results, strict=True))

    with jax.enable_x64(True):
        arrays = [jax.numpy.asarray(x) for x in values]
        command, state = jax.jit(controller)(*groups_of(arrays))
        batch = jax.tree.map(lambda x: jax.numpy.stack([x, x]), groups_of(arrays))
        commands, states = jax.vmap(controller)(*batch)
        for actual, wanted in zip((command, *state), expected, strict=True):
            assert np.array_equal(actual, wanted)
        for actual, wanted in zip((commands, *states), expected, strict=True):
            assert_close(actual[1], wanted, 1e-12)
        found = jax.jit(jax.grad(total, tuple(range(len(arrays)))))(*arrays)
    for actual, wanted in zip(found, gradients, strict=True):
        assert_close(actual, wanted, 1e-12)


@pytest.mark.frameworks
@pytest.mark.parametrize("law", LAWS)
def test_torch_differentiates_controllers(law: str) -> None:
    torch: Any = pytest.importorskip("torch")
    controller, values = case(law)
    expected = results_of(controller, values)
    weights = [np.cos(np.arange(x.size)).reshape(x.shape) for x in expected]
    tensors = [torch.tensor(x, requires_grad=True) for x in values]
    results = controller.function(*tensors)
    results = results if controller.arguments["state"] else (results,)
    total: Any = 0.0
    for result, weight, wanted in zip(results, weights, expected, strict=True):
        assert_close(result.detach().numpy(), wanted, 1e-15)
        total = total + (result * torch.tensor(weight)).sum()
    total.backward()
    for tensor, wanted in zip(tensors, controller.function.vjp(*values, *weights), strict=True):
        actual = np.zeros_like(wanted) if tensor.grad is None else tensor.grad.numpy()
        assert_close(actual, wanted, 1e-12)
