"""Rollouts on tensors, and modules whose parameters are a robot's numbers."""

from __future__ import annotations

import copy
import io
import pickle
import warnings
from functools import cache
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.errors import ArgumentError, ModelError, ModelWarning
from jounce.model.inertia import from_log_cholesky, is_consistent
from jounce.robot import Robot
from support.helpers import assert_close, chain, small_model, with_frames
from support.mechanisms import mechanism

torch = pytest.importorskip("torch", reason="PyTorch, a large package, is not installed")

pytestmark = pytest.mark.frameworks


@cache
def arm() -> Robot:
    model = chain(("revolute", "spherical"))
    return Robot(with_frames(model, np.random.default_rng(1)))


@cache
def small() -> Robot:
    return Robot(small_model())


def state(robot: Robot, *batch: int, count: int = 2) -> list[Any]:
    rng = np.random.default_rng(2)
    q = robot.random(rng, int(np.prod(batch, dtype=int))).reshape(*batch, robot.nq)
    return [torch.tensor(x) for x in (q, *rng.normal(size=(count, *batch, robot.nv)))]


def dynamics(robot: Robot, *learn: str, **options: Any) -> Any:
    from jounce.arrays.torch_adapter import Dynamics

    return Dynamics(robot, learn, margin=1e-3, **options)


# ------------------------------------------------------------------ rollouts


@pytest.mark.parametrize("options", [{}, {"method": "rk4", "friction": True}])
def test_rollouts_are_robots_own(options):
    robot = arm()
    q, v = state(robot, 3, count=1)
    rng = np.random.default_rng(3)
    taus, w = torch.tensor(rng.normal(size=(3, 5, robot.nv))), torch.tensor(rng.normal(size=(5, 6)))
    found = robot.torch.rollout(q, v, taus, 0.01, {"tool": w}, **options)
    pushed = robot.rollout(q.numpy(), v.numpy(), taus.numpy(), 0.01, {"tool": w.numpy()}, **options)
    for x, y in zip(found, pushed, strict=True):
        assert_close(x, y)
    wrenches = torch.zeros(5, robot.nb, 6).double()
    found = robot.torch.rollout(q, v, taus, torch.tensor(0.01).double(), wrenches, **options)
    for x, y in zip(found, robot.torch.rollout(q, v, taus, 0.01, **options), strict=True):
        assert_close(x, y, 1e-6)  # h is rounded


def test_gradients_through_rollouts():
    robot = arm()
    q, v = state(robot, count=1)
    rng = np.random.default_rng(3)
    taus = torch.tensor(rng.normal(size=(9, robot.nv)), requires_grad=True)
    lam_q, lam_v = (torch.tensor(rng.normal(size=(10, n))) for n in (robot.nq, robot.nv))
    found = []
    for checkpoint in (False, True):
        Q, V = robot.torch.rollout(q, v, taus, 0.01, checkpoint=checkpoint)
        (gradient,) = torch.autograd.grad((Q * lam_q).sum() + (V * lam_v).sum(), taus)
        found.append(gradient)
    assert_close(found[1], found[0])
    Q, _ = robot.torch.rollout(q, v, taus.detach(), 0.01)
    along = robot.torch.tangent.gradient(Q, lam_q).numpy()
    own = robot.rollout.vjp(q.numpy(), v.numpy(), taus.detach().numpy(), 0.01, along, lam_v.numpy())
    assert_close(found[0], own[2], 1e-10)
    h = torch.tensor(0.01, dtype=torch.float64, requires_grad=True)
    final = lambda taus, h: robot.torch.rollout(q, v, taus, h)[0][-1]  # noqa: E731
    assert torch.autograd.gradcheck(final, (taus[:2].detach().requires_grad_(), h))
    assert torch.autograd.gradgradcheck(final, (taus[:2].detach().requires_grad_(), h))


def test_policies():
    robot = arm()
    q, v = state(robot, 4, count=1)
    policy = torch.nn.Linear(robot.nv, robot.nv, dtype=torch.float64)
    Q, V = robot.torch.rollout(q, v, h=0.01, policy=lambda k, q, v: policy(v), steps=6)
    assert Q.shape == (4, 7, robot.nq)
    V[:, -1].square().sum().backward()
    assert policy.weight.grad.abs().max() > 0.0
    again = torch.stack([policy(V[:, k]) for k in range(6)], dim=-2)
    assert_close(robot.torch.rollout(q, v, again, 0.01)[0].detach(), Q.detach())
    Q, _ = robot.torch.rollout(q, v, h=0.01, policy=lambda k, q, v: torch.zeros(()), steps=0)
    assert Q.shape == (4, 1, robot.nq)


def test_rollouts_that_diverge_are_reported_where_values_are_known():
    robot = arm()
    q, v = state(robot, 3, count=1)
    taus = torch.zeros(3, 6, robot.nv).double()
    taus[1, 3], taus[2, 4] = torch.nan, torch.inf
    model = dynamics(robot, "friction")
    expected = r"states are NaN or infinite from q\[..., 4, :\] on in 2 of 3 motions"
    for roll in (robot.torch.rollout, robot.rollout, model.rollout):
        for forces in (taus, taus.clone().requires_grad_()):
            with pytest.warns(ModelWarning, match=expected) as caught:
                roll(q, v, forces, 0.01)
            assert {x.filename for x in caught} == {__file__}
    with pytest.warns(ModelWarning, match=expected):
        robot.torch.rollout(q, v, taus.requires_grad_(), 0.01, checkpoint=True)
    taus = taus.detach()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        robot.torch.rollout(q * torch.nan, v, taus, 0.01)  # which is known already
        robot.torch.rollout(q[0], v[0], taus[0], 0.01)
        final = lambda taus: robot.torch.rollout(q, v, taus, 0.01)[0][:, -1].sum()  # noqa: E731
        assert not torch.func.grad(final)(taus).isfinite().all()
        each = torch.func.vmap(lambda q, v, taus: robot.torch.rollout(q, v, taus, 0.01)[0])
        assert each(q, v, taus).isnan().any()


def test_rollouts_of_mechanisms():
    closed = mechanism("floating")
    q, v = torch.tensor(closed.reference), torch.zeros(closed.nv, dtype=torch.float64)
    taus = torch.zeros(3, closed.nv, dtype=torch.float64)
    found = closed.torch.rollout(q, v, taus, 0.001)
    expected = closed.rollout(q.numpy(), v.numpy(), taus.numpy(), 0.001)
    for x, y in zip(found, expected, strict=True):
        assert_close(x, y, 1e-9)
    with pytest.raises(
        ArgumentError, match=r"torch\.rollout: argument 'q0': the loops are open by"
    ):
        closed.torch.rollout(q + 0.5, v, taus, 0.001)


def test_wrong_rollouts_get_a_sentence():
    robot = arm()
    q, v = state(robot, 4, count=1)
    taus = torch.zeros(4, 3, robot.nv)
    roll = robot.torch.rollout
    with pytest.raises(
        TypeError, match=r"chain\.torch\.rollout: expected either taus, or a policy"
    ):
        roll(q, v, h=0.01)
    with pytest.raises(TypeError, match="argument 'h' is missing, the time step in seconds"):
        roll(q, v, taus)
    with pytest.raises(ArgumentError, match="steps must be a whole number >= 0 with a policy"):
        roll(q, v, h=0.01, policy=lambda k, q, v: v)
    with pytest.raises(
        ArgumentError, match="steps must be the number of rows of taus, 3, or omitted, found 5"
    ):
        roll(q, v, taus, 0.01, steps=5)
    with pytest.raises(ArgumentError, match=r"'taus' must have shape \(\.\.\., T, 4\), found"):
        roll(q, v, taus[..., :2], 0.01)
    with pytest.raises(ArgumentError, match=r"'taus' must have shape \(\.\.\., T, 4\)"):
        roll(q, v, taus[0, 0], 0.01)
    with pytest.raises(ArgumentError, match="batch axes do not broadcast: q0"):
        roll(q, v[:3], taus, 0.01)
    with pytest.raises(ArgumentError, match="what policy gives at step 0 must have shape"):
        roll(q, v, h=0.01, policy=lambda k, q, v: v[:, :2], steps=2)
    with pytest.raises(TypeError, match="what policy gives at step 0 must be a tensor, found list"):
        roll(q, v, h=0.01, policy=lambda k, q, v: [0.0] * 4, steps=2)
    with pytest.raises(TypeError, match="argument 'q0' must be float64 or float32, found int64"):
        roll(q.long(), v, taus, 0.01)


# ------------------------------------------------------------------ modules


@pytest.mark.parametrize("robot", [arm, small])
def test_what_is_not_learnt_is_the_robots(robot):
    q, v, a = state(robot(), 3)
    module = dynamics(robot())
    assert not list(module.parameters())
    tau = module(q, v, a)
    fading = v / torch.sqrt(v * v + 1e-4) - torch.sign(v)
    own = robot().torch.motor_forces(q, v, a)
    assert_close(tau, own + module.friction * fading)
    assert_close(module.forward_dynamics(q, v, tau), a, 1e-9)
    assert_close(module.mass_matrix(q), robot().torch.mass_matrix(q))
    again = module.to_robot()
    assert_close(again.motor_forces(q.numpy(), v.numpy(), a.numpy()), own)
    h = torch.full((3,), 0.01, dtype=torch.float64)
    for x, y in zip(module.step(q, v, tau, h), module.step(q, v, tau, 0.01), strict=True):
        assert_close(x, y)


@pytest.mark.parametrize("make", [arm, small])
def test_the_start_is_the_robot(make):
    robot = make()
    q, v, a = state(robot, 3)
    module = dynamics(robot, "inertia", "friction", "armature", smoothing=1e-6)
    assert_close(module(q, v, a).detach(), robot.torch.motor_forces(q, v, a), 1e-9)
    assert_close(module.pi.detach(), robot.model.parameters)
    found = module.forward_dynamics(q, v, module(q, v, a))
    assert_close(found.detach(), a, 1e-9)
    Q, V = module.rollout(q, v, torch.zeros(3, 4, robot.nv).double(), 0.01)
    assert Q.shape == (3, 5, robot.nq)
    q1, v1 = module.step(q, v, torch.zeros_like(v), 0.01)
    assert_close(Q[:, 1].detach(), q1.detach())
    assert_close(V[:, 1].detach(), v1.detach())
    pushed = module.inverse_dynamics(q, v, a, {"tool": torch.ones(6).double()})
    assert_close(
        (pushed - module(q, v, a)).detach(),
        robot.torch.inverse_dynamics(q, v, a, wrenches={"tool": np.ones(6)})
        - robot.torch.inverse_dynamics(q, v, a),
        1e-9,
    )


def test_whatever_an_optimizer_does_the_robot_could_exist():
    robot = arm()
    module = dynamics(robot, "inertia", "friction", "armature")
    rng = np.random.default_rng(0)
    with torch.no_grad():
        for x in module.parameters():
            x += 3.0 * torch.tensor(rng.normal(size=tuple(x.shape)))
    found = module.to_robot()
    assert all(is_consistent(pi) for pi in found.model.parameters)
    for x in (module.damping, module.friction, module.armature):
        assert (x >= 0.0).all()
    start = dynamics(robot)
    assert torch.equal(module.damping[1:], start.damping[1:])  # of the spherical joint: no drive
    assert module.damping[0] != start.damping[0]
    q, v, a = state(robot, 3)
    numpy = [x.numpy() for x in (q, v, a)]
    smooth = module.joint_friction(v) - torch.tensor(found.joint_friction(v.numpy()))
    assert_close((module(q, v, a) - smooth).detach(), found.motor_forces(*numpy), 1e-9)
    assert_close(module.mass_matrix(q).detach(), found.mass_matrix(numpy[0]), 1e-9)


def test_log_cholesky_coordinates():
    from jounce.arrays.torch_adapter import from_log_cholesky as on_tensors

    theta = np.random.default_rng(0).normal(size=(4, 10))
    assert_close(on_tensors(torch.tensor(theta)), from_log_cholesky(theta))
    assert torch.autograd.gradcheck(on_tensors, (torch.tensor(theta, requires_grad=True),))


def test_gradients_in_all_parameters():
    robot = arm()
    q, v, a = state(robot, 3)
    for learn in (("inertia", "friction"), ("inertia", "friction", "armature")):
        module = dynamics(robot, *learn)
        names = [name for name, _ in module.named_parameters()]
        numbers = tuple(x.detach().clone().requires_grad_() for x in module.parameters())

        def tau(*given: Any, module: Any = module, names: Any = names) -> Any:
            return torch.func.functional_call(
                module, dict(zip(names, given, strict=True)), (q, v, a)
            )

        assert torch.autograd.gradcheck(tau, numbers)
        loss = module.forward_dynamics(q, v, a).square().sum()
        loss.backward()
        assert all(x.grad is not None for x in module.parameters())


def test_some_links_alone_are_learnt():
    robot = arm()
    module = dynamics(robot, "inertia", links=["body1"])
    assert module.inertia_coordinates.shape == (1, 10)
    with torch.no_grad():
        module.inertia_coordinates += 0.1
    pi = module.pi.detach().numpy()
    np.testing.assert_array_equal(pi[0], robot.model.parameters[0])
    assert np.abs(pi[1] - robot.model.parameters[1]).max() > 0.01


def test_modules_are_modules():
    robot = arm()
    q, v, a = state(robot, 3)
    module = dynamics(robot, "inertia", "friction")
    expected = module(q, v, a).detach()
    file = io.BytesIO()
    torch.save(module.state_dict(), file)
    file.seek(0)
    other = dynamics(
        robot.edit.with_parameters(1.2 * robot.model.parameters), "inertia", "friction"
    )
    other.load_state_dict(torch.load(file))
    assert_close(other(q, v, a).detach(), expected)
    for again in (copy.deepcopy(module), pickle.loads(pickle.dumps(module))):
        assert_close(again(q, v, a).detach(), expected)
    single = copy.deepcopy(module).to(torch.float32)
    found = single(q.float(), v.float(), a.float())
    assert found.dtype == torch.float32
    assert_close(found.detach(), expected, 1e-4)
    assert "learn=('inertia', 'friction')" in repr(module)


def test_modules_are_compiled():
    module = dynamics(arm(), "inertia", "friction")
    q, v, a = state(arm(), 3)
    found = torch.compile(module, fullgraph=True, backend="aot_eager")(q, v, a)
    assert_close(found.detach(), module(q, v, a).detach())


def test_wrong_modules_get_a_sentence():
    from jounce.arrays.torch_adapter import Dynamics

    robot = jounce.load("planar_2r")
    with pytest.raises(ArgumentError, match="among inertia, friction, armature, found 'mass'"):
        Dynamics(robot, ("mass",))
    with pytest.raises(ArgumentError, match="among inertia, friction, armature, found 'inertia'"):
        Dynamics(robot, "inertia")
    with pytest.raises(
        ModelError, match=r"body 'link1' is flat or not physically consistent.*margin=1e-3"
    ):
        Dynamics(robot, margin=None)
    with pytest.warns(ModelWarning, match="link1, link2 of 'planar_2r' are flat or not"):
        Dynamics(robot)
    with pytest.raises(ArgumentError, match="has no body 'hand'; choose one of link1, link2"):
        Dynamics(robot, links=["hand"], margin=1e-3)
    with pytest.raises(ArgumentError, match="smoothing must be a speed > 0, found 0"):
        Dynamics(robot, smoothing=0)
    with pytest.raises(TypeError, match=r"expected a jounce\.Robot, found Mechanism"):
        Dynamics(mechanism("floating"))
    massless = robot.edit.with_parameters(np.zeros((2, 10)))
    with pytest.raises(ModelError, match=r"body 'link1' must have a mass > 0, found 0\.0"):
        Dynamics(massless, links=["link1"])
    assert Dynamics(massless).inertia_coordinates.shape == (0, 10)
    assert is_consistent(Dynamics(robot, margin=1e-3).to_robot().model.parameters[0])
