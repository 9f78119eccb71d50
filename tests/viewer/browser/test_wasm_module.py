"""The ES module around a robot's WebAssembly: what it offers, takes and refuses, in node."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.model.model import Frame, Mimic
from jounce.robot import Robot
from jounce.viewer.web.module import build_module
from support.helpers import assert_close, random_robot
from support.robots import SINGLE, random_model
from support.web import NODE, put, run_node

pytestmark = pytest.mark.browser

NAMES = (
    "mass_matrix",
    "inverse_dynamics",
    "inverse_dynamics.rates(2)",
    "inverse_dynamics.vjp",
    "kinetic_energy",
    "frame(tool).jacobian",
    "step(method=rk4)",
)


@pytest.fixture(scope="module")
def arm() -> Robot:
    return jounce.load("planar_2r")


@pytest.fixture(scope="module")
def folder(arm: Robot, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("module")
    put(build_module(arm, NAMES, "arm"), place)
    return place


def answer(script: str, folder: Path) -> Any:
    """What the body of a script with a `robot` returns, through JSON."""
    head = 'import { load } from "./arm.js"; const robot = await load();'
    text = f"{head} const f = async () => {{ {script} }}; console.log(JSON.stringify(await f()));"
    return json.loads(run_node(text, folder))


def test_a_robot_says_what_it_is(arm: Robot, folder: Path) -> None:
    found = answer("return {...robot, neutral: [...robot.neutral]};", folder)
    assert found["name"] == arm.name
    assert (found["nq"], found["nv"], found["nb"]) == (2, 2, arm.nb)
    assert found["gravity"] == arm.model.gravity.tolist()
    assert found["neutral"] == arm.neutral().tolist()
    first = found["joints"][0]
    assert (first["name"], first["kind"]) == (arm.model.joint_names[0], "revolute")
    assert (first["q"], first["v"]) == ([0, 1], [0, 1])
    assert list(found["functions"]) == [
        "mass_matrix",
        "inverse_dynamics",
        "inverse_dynamics_rates_2",
        "inverse_dynamics_vjp",
        "kinetic_energy",
        "tool_jacobian",
        "step_method_rk4",
    ]
    own = found["functions"]["inverse_dynamics"]
    row = arm.inverse_dynamics.kernel.quantity
    assert (own["doc"], own["unit"], own["equation"]) == (row.doc, row.unit, row.equation)
    assert own["operations"] == len(arm.inverse_dynamics.kernel.tape)
    assert [x["name"] for x in own["arguments"]] == ["q", "v", "a", "wrenches"]
    assert [x.get("optional", False) for x in own["arguments"]] == [False, False, False, True]
    assert own["results"][0]["shape"] == [2]
    assert "kernels" not in own


def test_limits_and_mimics(tmp_path: Path) -> None:
    model = random_robot(2, 3, SINGLE)
    joints = list(model.joints)
    joints[0] = replace(joints[0], lower=np.array([-1.5]), upper=np.array([2.0]))
    joints[2] = replace(joints[2], mimic=Mimic(joints[0].name, -0.5, 0.25))
    robot = Robot(replace(model, joints=tuple(joints)))
    put(build_module(robot, "mass_matrix", "arm"), tmp_path)
    script = "return robot.joints.map((x) => ({...x, free: x.upper[0] === Infinity}));"
    first, second, third = answer(script, tmp_path)
    assert (first["lower"], first["upper"]) == ([-1.5], [2.0])
    assert second["free"] == np.isposinf(robot.limits.upper[1])
    assert third["mimic"] == {"joint": joints[0].name, "multiplier": -0.5, "offset": 0.25}
    assert third["q"] == first["q"]


def test_results_are_arrays_of_the_robot(arm: Robot, folder: Path) -> None:
    q, v, a = [0.3, -0.4], [1.0, 2.0], [0.5, -0.25]
    w = np.arange(6.0 * arm.nb).reshape(arm.nb, 6)
    given = ", ".join(map(json.dumps, (q, v, a)))
    found = answer(
        f"const w = {json.dumps(w.tolist())};"
        f"const [tau, dtau, ddtau] = robot.inverse_dynamics_rates_2({given}, [0, 0], [0, 0]);"
        f"const out = new Float64Array(4);"
        "return {M: [...robot.mass_matrix([0.3, -0.4])],"
        " kind: robot.mass_matrix([0.3, -0.4]).constructor.name,"
        " same: robot.mass_matrix.into(out, Float32Array.of(0.5, -0.25)) === out, out: [...out],"
        f" tau: [...robot.inverse_dynamics({given})], rates: [[...tau], [...dtau], [...ddtau]],"
        f" none: [...robot.inverse_dynamics({given}, undefined)],"
        f" pushed: [...robot.inverse_dynamics({given}, w)],"
        f" flat: [...robot.inverse_dynamics({given}, w.flat())],"
        f" vjp: robot.inverse_dynamics_vjp({given}, [1, 2]).length,"
        f" more: robot.inverse_dynamics_vjp({given}, [1, 2], w).map((x) => [...x]),"
        f" T: [...robot.kinetic_energy({json.dumps(q)}, {json.dumps(v)})]}};",
        folder,
    )
    assert found["kind"] == "Float64Array"
    assert found["same"]
    assert_close(np.reshape(found["M"], (2, 2)), arm.mass_matrix(q), 1e-14)
    assert_close(np.reshape(found["out"], (2, 2)), arm.mass_matrix([0.5, -0.25]), 1e-14)
    assert_close(found["tau"], arm.inverse_dynamics(q, v, a), 1e-14)
    assert found["none"] == found["tau"]
    rates = arm.inverse_dynamics.rates(2)(q, v, a, [0, 0], [0, 0])
    for one, other in zip(found["rates"], rates, strict=True):
        assert_close(one, other, 1e-14)
    assert_close(found["pushed"], arm.inverse_dynamics(q, v, a, w), 1e-14)
    assert found["flat"] == found["pushed"]
    assert found["vjp"] == 3
    gradients = arm.inverse_dynamics.vjp(q, v, a, [1, 2], wrenches=w)
    for one, other in zip(found["more"], gradients, strict=True):
        assert_close(np.reshape(one, other.shape), other, 1e-14)
    assert_close(found["T"], [arm.kinetic_energy(q, v)], 1e-14)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            "mass_matrix()",
            "arm.mass_matrix: argument 'q' is missing; expected mass_matrix(q)",
        ),
        ("mass_matrix([1, 2], [3])", "arm.mass_matrix takes (q), found 2 arguments"),
        ("mass_matrix([1])", "argument 'q' must be 2 numbers, found Array of 1"),
        ("mass_matrix(new Float64Array(3))", "must be 2 numbers, found Float64Array of 3"),
        ("mass_matrix('ab')", "argument 'q' must be 2 numbers, found string"),
        ("mass_matrix([1, '2'])", "argument 'q': entry 1 must be a number, found string"),
        ("mass_matrix([1, undefined])", "entry 1 must be a number, found undefined"),
        ("mass_matrix(BigInt64Array.of(1n, 2n))", "entry 0 must be a number, found bigint"),
        ("mass_matrix([[1], [2]])", "must be 2 numbers, found Array of 2"),
        ("mass_matrix(null)", "argument 'q' is missing"),
        (
            "inverse_dynamics([1, 2], [1, 2])",
            "argument 'a' is missing; expected inverse_dynamics(q, v, a, wrenches?)",
        ),
        ("inverse_dynamics([1, 2], [1, 2], [1, 2], [[1]])", "must be 2 x 6 numbers"),
        ("mass_matrix.into([0, 0, 0, 0], [1, 2])", "out must be a Float64Array of 4, found Array"),
        (
            "inverse_dynamics_rates_2.into([], [1, 2], [1, 2], [1, 2], [1, 2], [1, 2])",
            "out must be a list of 3 Float64Arrays, found Array of 0",
        ),
    ],
)
def test_wrong_calls_are_explained(call: str, message: str, folder: Path) -> None:
    script = f"try {{ robot.{call}; return ['']; }} catch (e) {{ return [e.name, e.message]; }}"
    kind, *text = answer(script, folder)
    assert kind == "TypeError"
    assert message in text[0]


def test_calls_within_calls_and_robots_side_by_side(folder: Path) -> None:
    """Arguments are read before anything is written, and each robot has a memory of its own."""
    found = answer(
        "const other = await load();"
        "const sly = {length: 2, get 0() { robot.mass_matrix([9, 9]); return 0.3; }, 1: -0.4};"
        "const first = robot.mass_matrix([0.3, -0.4]);"
        "other.mass_matrix([1, 1]);"
        "return [[...first], [...robot.mass_matrix(sly)], [...other.mass_matrix([0.3, -0.4])]];",
        folder,
    )
    assert found[0] == found[1] == found[2]


def test_where_a_module_may_come_from(folder: Path) -> None:
    found = answer(
        'const { readFileSync } = await import("node:fs");'
        'const bytes = readFileSync("arm.wasm");'
        "const sources = [undefined, 'arm.wasm', new URL('./arm.wasm', import.meta.url), bytes,"
        " new Uint8Array(bytes).buffer, await WebAssembly.compile(bytes), new Response(bytes),"
        " Promise.resolve(bytes)];"
        "const out = [];"
        "for (const x of sources) out.push((await load(x)).mass_matrix([0.3, -0.4])[1]);"
        "const wrong = [7, new Response('', {status: 404}), Uint8Array.of(0,97,115,109,1,0,0,0)];"
        "const texts = [];"
        "for (const x of wrong) { try { await load(x); } catch (e) { texts.push(e.message); } }"
        "return [out, texts];",
        folder,
    )
    values, texts = found
    assert len(values) == 8
    assert len(set(values)) == 1
    assert texts[0].endswith("bytes or a WebAssembly.Module, found number")
    assert "the server returned 404" in texts[1]
    assert "does not belong to the JavaScript of 'arm'" in texts[2]


def test_names_cannot_break_out(tmp_path: Path) -> None:
    """Quotes, ends of scripts and comments, letters of other alphabets, taken names."""
    model = random_model(np.random.default_rng(1), 3, ("revolute",))
    joints = [
        replace(x, name=f"</script>'\"`${{1}}*/\u2028{k}") for k, x in enumerate(model.joints)
    ]
    frames = (Frame("then", 0), Frame("3d", 1), Frame("\u673a", 2), Frame("a*/b", 2))
    robot = Robot(replace(model, name="r\u00f6b*/\n</script>", joints=tuple(joints), frames=frames))
    names = ["frame(then).pose", "frame(3d).pose", "frame(\u673a).pose", "frame(a*/b).pose"]
    module = build_module(robot, names, "arm")
    for text in (module.javascript, module.declarations, module.factory):
        assert text.isascii()
    assert "</script" not in module.javascript + module.factory
    put(module, tmp_path)
    found = answer(
        "return [robot.name, robot.joints[0].name, Object.keys(robot.functions)];", tmp_path
    )
    assert found == [
        robot.name,
        robot.model.joint_names[0],
        ["then_pose", "frame_3d_pose", "pose", "a_b_pose"],
    ]


@pytest.mark.parametrize("make", ["planar_2r", "five_bar", "contacts"])
def test_exported_files_test_themselves(make: str, tmp_path: Path) -> None:
    system: Any = jounce.load("planar_2r" if make == "contacts" else make)
    if make == "five_bar":
        system = system.closed()
    if make == "contacts":
        system = system.edit.with_contact("tool", "point").contacts()
    paths = system.export.web(tmp_path, name="arm", page=False)
    assert [x.name for x in paths] == ["arm.wasm", "arm.js", "arm.d.ts", "selftest.mjs"]
    command = [NODE, "selftest.mjs"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "PASS"
    text = paths[-1].read_text()
    paths[-1].write_text(
        text.replace("Math.abs(results[k][i] - x)", "Math.abs(1.001 * results[k][i] - x)")
    )
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "FAIL"


def test_the_page_on_javascript_runs() -> None:
    page = Path(__file__).parents[3] / "docs" / "guide" / "web.md"
    text = page.read_text("utf-8")
    session: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL):
        exec(compile(block, page.name, "exec"), session)
    folder = Path(session["folder"])
    (folder / "package.json").write_text('{"type": "module"}')
    blocks = re.findall(r"```js\n(.*?)```", text, flags=re.DOTALL)
    assert len(blocks) >= 4
    lines = run_node("\n".join(blocks), folder).splitlines()
    size, tau = lines[0].split()
    assert int(size) == 49
    q = np.arange(1, 8) / 10
    assert_close(float(tau), session["robot"].gravity_forces(q)[1], 1e-13)
    assert any("joint1" in line for line in lines)
