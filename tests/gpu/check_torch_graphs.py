"""robot.torch on the GPU with streams, CUDA graphs and torch.compile."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

import jounce
from support.helpers import chain, with_frames
from tests.gpu.check_torch import close, hinges, raises, state, there

#: Clock cycles for which a stream is kept busy: some tenths of a second.
BUSY = 500_000_000


def made(seed: int) -> jounce.Robot:
    """Return a new robot without kernels."""
    model = chain(("revolute", "prismatic"), seed)
    return jounce.Robot(with_frames(model, np.random.default_rng(seed)))


class Torques(torch.nn.Module):
    """A module that calls a robot."""

    def __init__(self, robot: jounce.Robot) -> None:
        super().__init__()
        self.robot = robot

    def forward(self, q: Any, v: Any, a: Any) -> Any:
        """Return torques plus one."""
        return self.robot.torch.inverse_dynamics(q, v, a) + 1.0


def agree(function: Callable[..., Any], compiled: Callable[..., Any], *sizes: int) -> None:
    """Assert that compiled functions give the same as without, several times."""
    robot = hinges()
    for size in sizes:
        for k in range(4):  # CUDA graphs: as it is, recorded, replayed, replayed
            q, v, a = (x + 0.1 * k for x in there(*state(robot, size)))
            expected = function(q, v, a)
            close(compiled(q, v, a), expected, what=f"{size} samples", tolerance=1e-11)


# ------------------------------------------------------------------ streams


def check_nothing_waits() -> None:
    """Calls return while the stream is busy: values, gradients, numbers and wrenches."""
    robot = hinges()
    q, v, a = there(*state(robot, 64))
    leaf = q.clone().requires_grad_()
    push = {"tool": torch.ones(6, device="cuda", dtype=torch.float64)}

    def work() -> Any:
        found = robot.torch.inverse_dynamics(q, v, a, wrenches=push)
        moved = robot.torch.step(q, v, a, 0.01, method="rk4")
        robot.torch.inverse_dynamics(leaf, v, a).sum().backward()
        return found, *moved

    torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):  # allocates the stream's memory
        expected = work()
    torch.cuda.synchronize()
    torch.cuda.set_sync_debug_mode("error")  # raises where PyTorch would synchronize
    try:
        with torch.cuda.stream(stream):
            torch.cuda._sleep(BUSY)
            found = work()
            assert not stream.query(), "it waited for the stream"
    finally:
        torch.cuda.set_sync_debug_mode("default")
    stream.synchronize()
    close(found, expected)


def check_streams() -> None:
    """Work is queued on the current stream, after earlier work."""
    robot = hinges()
    arrays = state(robot, 4096)
    q, v, a = there(*arrays)
    expected = robot.inverse_dynamics(*arrays)
    robot.torch.inverse_dynamics(q, v, a)
    late = torch.zeros_like(v)
    torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(BUSY // 10)
        late.copy_(v)
        found = robot.torch.inverse_dynamics(q, late, a)
    torch.cuda.current_stream().wait_stream(stream)
    close(found, expected)


def check_threads() -> None:
    """Several threads, each with its own stream and new robot."""
    results: list[Any] = [None] * 4

    def work(k: int) -> None:
        robot = made(20 + k)
        arrays = state(robot, 100)
        tensors = there(*arrays)
        torch.cuda.synchronize()
        with torch.cuda.stream(torch.cuda.Stream()):
            found = [robot.torch.inverse_dynamics(*tensors) for _ in range(50)]
            torch.cuda.current_stream().synchronize()
        results[k] = found, robot.inverse_dynamics(*arrays)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for every, expected in results:
        for found in every:
            close(found, expected)


def check_several_devices() -> None:
    """The device of the tensors is used, not the current one; needs two GPUs to be conclusive."""
    robot = hinges()
    arrays = state(robot, 10)
    last = torch.cuda.device_count() - 1
    tensors = [torch.tensor(x, device=f"cuda:{last}") for x in arrays]
    with torch.cuda.device(0):
        found = robot.torch.inverse_dynamics(*tensors)
    assert found.get_device() == last
    close(found, robot.inverse_dynamics(*arrays))


# ------------------------------------------------------------------ CUDA graphs


def check_capture() -> None:
    """A graph that is captured and replayed with other inputs; slices and numbers in it."""
    robot = hinges()
    q, v, a = there(*state(robot, 256))
    wide = torch.cat((q, v, a), dim=-1)
    push = {"tool": torch.ones(6, device="cuda", dtype=torch.float64)}

    def work() -> tuple[Any, ...]:
        parts = wide.split(3, dim=-1)
        tau = robot.torch.inverse_dynamics(*parts, wrenches=push)
        return tau, *robot.torch.step(*parts[:2], tau, 0.01), robot.torch.mass_matrix(parts[0])

    captured, found = recorded(work)
    for k in range(3):
        wide.copy_(torch.cat((q, v, a), dim=-1) + 0.1 * k)
        captured.replay()
        close([x.clone() for x in found], list(work()), what=f"replay {k}")


def recorded(work: Callable[[], Any]) -> tuple[Any, Any]:
    """Return a CUDA graph of some work, after the required warm-up, and its results."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            work()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        found = work()
    return graph, found


def check_capture_of_training() -> None:
    """Forward, backward and optimizer in one graph: the loss decreases as without."""
    robot = hinges()
    q, v, a = there(*state(robot, 128))
    wanted = robot.torch.inverse_dynamics(q, v, a)

    def losses(captured: bool) -> list[float]:
        leaf = (q + 0.3).requires_grad_()
        optimizer = torch.optim.Adam([leaf], lr=0.02, capturable=True)

        def work() -> Any:
            optimizer.zero_grad(set_to_none=True)
            loss = (robot.torch.inverse_dynamics(leaf, v, a) - wanted).square().mean()
            loss.backward()
            optimizer.step()
            return loss.detach()

        if not captured:
            return [work().item() for _ in range(23)]
        graph, found = recorded(work)
        out = []
        for _ in range(20):
            graph.replay()
            out.append(found.item())
        return out

    plain, replayed = losses(captured=False), losses(captured=True)
    assert replayed[-1] < 0.9 * replayed[0]
    close(np.array(replayed), np.array(plain[3:]), tolerance=1e-6)


def check_graphed_callables() -> None:
    """torch.cuda.make_graphed_callables of a module, forward and backward, repeatedly."""
    robot = hinges()
    arrays = state(robot, 32)
    samples = tuple(x.requires_grad_() for x in there(*arrays))  # overwritten by calls
    graphed: Any = torch.cuda.make_graphed_callables(Torques(robot), samples)
    for shift in (0.2, -0.1, 0.0, 0.2):
        found = []
        for function in (graphed, Torques(robot)):
            leaves = [(x + shift).requires_grad_() for x in there(*arrays)]
            tau = function(*leaves)
            tau.square().sum().backward()
            found.append([x.clone() for x in (tau.detach(), *(x.grad for x in leaves))])
        close(*found, what=f"shifted by {shift}", tolerance=1e-11)


def check_capture_without_a_kernel() -> None:
    """A kernel missing during a capture raises an error, and the next capture works."""
    robot = made(11)
    tensors = there(*state(robot, 8))

    def capture() -> Any:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            found = robot.torch.inverse_dynamics(*tensors)
        return graph, found

    raises(RuntimeError, ("the kernel for cuda:0 must be compiled", "once before"), capture)
    expected = robot.torch.inverse_dynamics(*tensors)
    graph, found = capture()
    graph.replay()
    close(found, expected)


def check_capture_after_warmup() -> None:
    """warmup(device=...) suffices before a capture, and graphs outlive their robots."""
    robot = made(12)
    arrays = state(robot, 8)
    tensors = there(*arrays)
    expected = robot.inverse_dynamics(*arrays)
    robot.inverse_dynamics.warmup(device=0)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        found = robot.torch.inverse_dynamics(*tensors)
    del robot
    other = made(13)
    other.torch.inverse_dynamics(*there(*state(other, 8)))
    graph.replay()
    close(found, expected)


# ------------------------------------------------------------------ torch.compile


def effort() -> Callable[[Any, Any, Any], Any]:
    """Return a function of a robot with PyTorch operations around it."""
    arm = hinges().torch

    def work(q: Any, v: Any, a: Any) -> Any:
        tau = arm.inverse_dynamics(q.sin(), v, a)
        return tau.square() + arm.step(q, v, a, 0.01)[1]

    return work


def compiled(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """Return the result of torch.compile, in one graph."""
    torch._dynamo.reset()
    return torch.compile(function, fullgraph=True, **options)


def check_compile() -> None:
    """One graph for all batch sizes, by PyTorch's operators."""
    torch._dynamo.utils.counters.clear()
    work = effort()
    agree(work, compiled(work, backend="aot_eager", dynamic=True), 5, 8, 64)
    assert torch._dynamo.utils.counters["stats"]["unique_graphs"] == 1


def check_compile_by_inductor() -> None:
    """The default backend, with Triton kernels."""
    work = effort()
    agree(work, compiled(work), 64)


def check_compile_into_cuda_graphs() -> None:
    """The backend that only records CUDA graphs."""
    work = effort()
    agree(work, compiled(work, backend="cudagraphs"), 64)


def check_compile_with_less_overhead() -> None:
    """mode="reduce-overhead", which must not disable CUDA graphs."""
    torch._dynamo.utils.counters.clear()
    work = effort()
    function = compiled(work, mode="reduce-overhead")
    agree(work, lambda *x: function(*x).clone(), 64)
    skipped = torch._dynamo.utils.counters["inductor"]["cudagraph_skips"]
    assert skipped == 0, f"{skipped} graphs of CUDA were given up"


def check_gradients_of_what_is_compiled() -> None:
    """Backward graphs, by operators and with less overhead."""
    robot, work = hinges(), effort()
    for options in ({"backend": "aot_eager"}, {"mode": "reduce-overhead"}):
        function = compiled(work, **options)
        for _ in range(4):
            found = []
            for f in (function, work):
                leaves = [x.requires_grad_() for x in there(*state(robot, 16))]
                f(*leaves).sum().backward()
                found.append([x.grad.clone() for x in leaves])
            close(*found, tolerance=1e-10, what=str(options))


def check_transforms_inside() -> None:
    """torch.func inside compiled functions."""
    from torch.func import jacrev, vmap

    tau = hinges().torch.inverse_dynamics
    work = lambda q, v, a: vmap(jacrev(tau))(q, v, a)  # noqa: E731
    agree(work, compiled(work, backend="aot_eager"), 8)


def check_export() -> None:
    """A program that is exported on the GPU, saved, loaded, and called with another batch size."""
    robot = hinges()
    size = torch.export.Dim("size")
    shapes = {name: {0: size} for name in ("q", "v", "a")}
    arguments = tuple(there(*state(robot, 3)))
    program = torch.export.export(Torques(robot), arguments, dynamic_shapes=shapes, strict=False)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "torques.pt2"
        torch.export.save(program, path)
        module = torch.export.load(path).module()
    arrays = state(robot, 7)
    close(module(*there(*arrays)), robot.inverse_dynamics(*arrays) + 1.0)


def check_the_operator() -> None:
    """torch.library.opcheck of jounce::call on the GPU."""
    from jounce.arrays.frameworks.operators import operator
    from jounce.arrays.torch_adapter.operations import _register_operator

    robot = hinges()
    key = _register_operator(operator(robot.inverse_dynamics), for_good=True)
    leaves = [x.requires_grad_() for x in there(*state(robot, 2))]
    torch.library.opcheck(torch.ops.jounce.call.default, (key, leaves))
