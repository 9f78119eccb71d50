"""The page about PyTorch, and the examples with it, run and reach what they promise."""

from __future__ import annotations

import importlib.util
import re
from typing import Any

import pytest

from support import PROJECT

torch = pytest.importorskip("torch", reason="PyTorch, a large package, is not installed")

pytestmark = [
    pytest.mark.frameworks,
    pytest.mark.filterwarnings("ignore::DeprecationWarning:torch"),
]


@pytest.fixture(autouse=True)
def _one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def test_code_blocks_run(capsys):
    page = (PROJECT / "docs" / "guide" / "pytorch.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    assert len(blocks) >= 5
    session: dict[str, Any] = {}
    torch.manual_seed(0)
    for block in blocks:
        exec(compile(block, "pytorch.md", "exec"), session)
    assert session["loss"].item() < 0.1 * session["measured"].square().mean().item()
    assert "tensor" in capsys.readouterr().out


def example(name: str) -> dict[str, float]:
    path = PROJECT / "examples" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"examples_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.main(["--quick"])


def test_identify(capsys):
    found = example("torch_identify")
    assert found["after"] < found["before"] / 10.0
    assert "masses of" in capsys.readouterr().out


def test_policy(capsys):
    found = example("torch_policy")
    assert found["after"] < found["before"] / 5.0
    assert found["distance"] < 0.04
    assert "never seen" in capsys.readouterr().out
