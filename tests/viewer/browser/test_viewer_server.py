"""Viewers without a browser: ports, hosts, what is said and what is not, and what is sent."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.errors import ArgumentError, JounceWarning
from jounce.viewer.live import OVERLAYS
from jounce.viewer.live.layers import wrench_arrows
from jounce.viewer.live.server import FIRST_PORT, choose_port
from support import PROJECT
from support.docs_pages import blocks

pytestmark = pytest.mark.browser


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """Counts messages of viser by their kind."""
    from viser.infra._async_message_buffer import AsyncMessageBuffer

    counts: Counter[str] = Counter()
    push = AsyncMessageBuffer.push

    def counted(self: Any, message: Any) -> None:
        counts[type(message).__name__] += 1
        push(self, message)

    monkeypatch.setattr(AsyncMessageBuffer, "push", counted)
    return counts


def chain(n: int) -> jounce.Robot:
    """A robot of n bodies."""
    builder = jounce.TreeBuilder(f"chain{n}")
    step = np.eye(4)
    step[2, 3] = 0.1
    parent: tuple[str, ...] = ()
    for k in range(n):
        axis = np.eye(3)[k % 3]
        builder.add(
            f"l{k}",
            "revolute",
            *parent,
            joint_name=f"j{k}",
            placement=step,
            axis=axis,
            mass=1.0,
            com=(0, 0, 0.05),
            inertia_com=0.01 * np.eye(3),
        )
        parent = (f"l{k}",)
    return jounce.Robot(builder.build())


def test_fifty_bodies_are_two_messages_each_and_quick(shown: Any, sent: Counter[str]) -> None:
    robot = chain(50)
    viewer = shown(robot.view.show)
    rng = np.random.default_rng(0)
    viewer.q = robot.random(rng)
    viewer.settle()
    sent.clear()
    state = viewer._state_at_rest(robot.random(rng))
    with viewer._server.atomic():
        viewer._stage.move(state)
    # nothing but where bodies are, and no shape of any of them
    assert set(sent) == {"SetOrientationMessage", "SetPositionMessage"}
    assert sent.total() <= 2 * robot.nb
    frames = [viewer._state_at_rest(q) for q in robot.random(rng, 30)]

    def seconds(work: Callable[[], None]) -> float:
        from time import perf_counter

        begun = perf_counter()
        work()
        return perf_counter() - begun

    def draw() -> None:
        for frame in frames:
            with viewer._server.atomic():
                viewer._stage.move(frame)

    # a second's worth of frames takes less than the making of the same scene from scratch thrice
    again = seconds(lambda: shown(robot.view.show))
    assert seconds(draw) < 3.0 * again


def test_only_changes_are_sent(shown: Any, sent: Counter[str]) -> None:
    robot = chain(6)
    viewer = shown(robot.view.show, np.zeros(6), overlays=("com", "frames", "inertias"))
    viewer.settle()
    sent.clear()
    last = np.zeros(6)
    last[5] = 0.3
    viewer.q = last
    viewer.settle()
    moved = sent["SetOrientationMessage"] + sent["SetPositionMessage"]
    assert moved <= 3  # the last body turns in its place; the center of mass moves
    assert not any("Mesh" in name for name in sent)


def test_a_port_that_is_taken(shown: Any, capsys: Any) -> None:
    robot = jounce.load("planar_2r")
    one = shown(robot.view.show)
    with pytest.raises(ArgumentError, match=f"port {one.port} of localhost is taken; choose"):
        robot.view.show(port=one.port, open_browser=False)
    two = shown(robot.view.show)
    assert two.port != one.port
    assert f"at {two.url}> (port {FIRST_PORT} is taken)" in capsys.readouterr().out
    two.close()
    three = shown(robot.view.show, port=two.port)
    assert three.port == two.port


def test_it_listens_on_this_machine_only_unless_told_otherwise(shown: Any) -> None:
    robot = jounce.load("planar_2r")
    viewer = shown(robot.view.show)
    others = {x[4][0] for x in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for address in others - {"127.0.0.1", "127.0.1.1"}:
        with pytest.raises(OSError, match="refused"):
            socket.create_connection((address, viewer.port), 5.0)
    with pytest.warns(JounceWarning, match="anyone with its address and token"):
        wide = shown(robot.view.show, host="0.0.0.0")
    assert wide.url.startswith(f"http://localhost:{wide.port}/")
    with pytest.raises(ArgumentError, match="not an address of this machine"):
        robot.view.show(host="192.0.2.1", open_browser=False)


def test_nothing_is_printed_but_one_line(capfd: Any) -> None:
    robot = jounce.load("planar_2r")
    with robot.view.show(open_browser=False) as viewer:
        assert repr(viewer) == f"<viewer of planar_2r, at {viewer.url}>"
        assert f'src="{viewer.url}"' in viewer._repr_html_()
    out, err = capfd.readouterr()
    assert out.splitlines()[0].startswith("<viewer of planar_2r, at http://localhost:")
    assert len(out.splitlines()) == 1
    assert err == ""
    assert repr(viewer) == "<viewer of planar_2r, closed>"
    assert "closed" in viewer._repr_html_()
    viewer.close()
    assert not any(thread.name == "jounce viewer" for thread in threading.enumerate())


def test_a_missing_mesh_is_said_and_the_rest_is_shown(shown: Any, tmp_path: Any) -> None:
    file = tmp_path / "half.urdf"
    file.write_text(
        '<robot name="half"><link name="a"><visual><geometry><box size="1 1 1"/></geometry>'
        '</visual></link><link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"'
        ' ixy="0" ixz="0" iyz="0"/></inertial><visual><geometry><mesh filename="gone.stl"/>'
        '</geometry></visual></link><joint name="j" type="continuous"><parent link="a"/>'
        '<child link="b"/><origin xyz="0 0 1"/><axis xyz="1 0 0"/></joint></robot>'
    )
    viewer = shown(jounce.load(file).view.show)
    (sentence,) = viewer.messages
    assert "link 'b'" in sentence
    assert "gone.stl" in sentence
    assert {part.origin for part in viewer._stage.looks.parts} == {"solid", "skeleton"}


@pytest.mark.parametrize("name", ["kuka_iiwa14", "toro25", "five_bar", "planar_rp"])
def test_every_overlay_can_be_shown_and_hidden(shown: Any, name: str) -> None:
    robot: Any = jounce.load(name)
    system = robot.closed() if robot.model.loops else robot
    viewer = shown(system.view.show, overlays=OVERLAYS)
    assert not viewer.messages
    offered = {key for key, layer in viewer._layers.items() if layer.has_content()}
    assert set(viewer.overlays) == offered
    assert {"frames", "axes", "com", "inertias", "gravity", "manipulability"} <= offered
    viewer.q = system.random(np.random.default_rng(3))
    for key in OVERLAYS:
        viewer.switch(key, False)
    assert viewer.overlays == ()
    assert not viewer.messages


def test_contacts_and_given_wrenches_are_shown(shown: Any) -> None:
    robot = jounce.load("toro25")
    foot = robot.model.frame_names[-1]
    held = robot.edit.with_contact(foot, name="foot").contacts()
    viewer = shown(
        held.view.show, overlays=("constraints", "wrenches"), wrenches={foot: (0,) * 5 + (50,)}
    )
    assert viewer.wrenches.shape == (robot.nb, 6)
    layer = viewer._layers["wrenches"]
    starts, vectors = wrench_arrows(layer, viewer._state)["given_force"]
    pushed = np.flatnonzero(np.linalg.norm(vectors, axis=1))
    assert len(pushed) == 1
    pose = robot.frame(foot).pose(viewer.q)
    assert np.allclose(np.cross(vectors[pushed[0]], pose[:3, 2]), 0.0)
    assert np.allclose(starts[pushed[0]], robot.body_poses(viewer.q)[pushed[0], :3, 3])
    viewer.wrenches = None
    viewer.settle()
    assert not np.any(wrench_arrows(layer, viewer._state)["given_force"][1])
    assert not viewer.messages
    with pytest.raises(ArgumentError, match=r"'wrenches' must be finite numbers of shape"):
        viewer.wrenches = np.zeros((2, 6))


def test_handles_move_bodies_where_they_are_pulled(shown: Any) -> None:
    builder = jounce.TreeBuilder("pulled")
    seat = np.eye(4)
    seat[:3, 3] = (0.1, 0.2, 0.3)
    how = {"mass": 1.0, "inertia_com": np.eye(3), "placement": seat}
    builder.add("base", "free", **how)
    builder.add("arm", "revolute", "base", axis=(1, 0, 0), **how)
    builder.add("ball", "spherical", "arm", **how)
    robot = jounce.Robot(builder.build())
    viewer = shown(robot.view.show, robot.random(np.random.default_rng(0)))
    base, ball = viewer._handles
    assert base.node.visible
    assert not ball.node.visible
    rng = np.random.default_rng(1)
    for handle, body in ((base, 0), (ball, 2)):
        q = viewer.q
        goal = robot.random(rng)
        at = robot.joints[robot.model.joint_names[body]].q
        wanted = q.copy()
        wanted[at] = goal[at]
        pose = robot.body_poses(wanted)[body]
        handle.node.wxyz = jounce.lie.quaternion.from_rotation(pose[:3, :3])
        handle.node.position = pose[:3, 3]
        viewer.edit(handle, handle.write)
        assert np.allclose(robot.body_poses(viewer.q), robot.body_poses(wanted))


def test_a_slider_in_the_hand_is_left_alone_and_others_follow(shown: Any) -> None:
    robot = jounce.load("planar_2r")
    viewer = shown(robot.view.show)
    sliders = viewer._panel._sliders
    (first, one), (_, two) = sliders
    viewer.edit(first, lambda q: first.write(q, 0.7))
    viewer.q = (0.7, 9.0)
    viewer.settle()
    end = threading.Event()
    for _ in range(200):
        if two.value == 9.0:
            break
        end.wait(0.05)
    assert two.value == 9.0
    assert two.max >= 9.0  # beyond where it went to
    assert one.max == pytest.approx(np.pi)


def test_what_goes_wrong_while_drawing_is_a_sentence(shown: Any, capfd: Any) -> None:
    viewer = shown(jounce.load("planar_2r").view.show)
    viewer.enqueue(lambda: (_ for _ in ()).throw(ArgumentError("no such thing as a <thing>")))
    assert any("no such thing as a <thing>" in text for text in viewer.messages)
    viewer.q = (0.1, 0.2)
    assert not viewer.messages
    assert "Traceback" not in capfd.readouterr().err


def test_arguments_are_checked(shown: Any) -> None:
    robot = jounce.load("planar_2r")
    with pytest.raises(ArgumentError, match="unknown overlay 'frame'; choose among frames, names"):
        robot.view.show(overlays="frame", open_browser=False)
    with pytest.raises(ArgumentError, match="one configuration"):
        robot.view.show(np.zeros((3, 2)), open_browser=False)
    viewer = shown(robot.view.show)
    with pytest.raises(ArgumentError, match="this viewer shows no motion"):
        viewer.play()
    with pytest.raises(ArgumentError, match="speed must be a positive number"):
        robot.view.play(np.zeros((3, 2)), 0.1, speed=0.0)
    with pytest.raises(ArgumentError, match="speed must be a positive number, found None"):
        robot.view.play(np.zeros((3, 2)), 0.1, speed=None)
    with pytest.raises(TypeError, match=r"play takes no 'q'; it is called as"):
        robot.view.play(np.zeros((3, 2)), 0.1, q=np.zeros(2))
    with pytest.raises(ArgumentError, match=r"host: expected a name or address .* found 5"):
        robot.view.show(host=5, open_browser=False)
    with pytest.raises(TypeError, match=r"'overlays' must be names of frames, .* found 5"):
        robot.view.show(overlays=5, open_browser=False)
    with pytest.raises(TypeError, match="argument 'wrenches' must be real"):
        viewer.wrenches = "abc"
    motion = shown(robot.view.play, np.zeros((3, 2)), 0.1, playing=False, loop=None)
    with pytest.raises(ArgumentError, match="'time' must be one number in seconds, found nan"):
        motion.time = np.nan
    motion.time = 0.1
    assert motion.time == 0.1


def test_what_fails_while_a_viewer_is_made_leaves_no_server_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("no panel")

    monkeypatch.setattr("jounce.viewer.live.viewer.Panel", broken)
    before = choose_port("localhost", None)
    with pytest.raises(RuntimeError, match="no panel"):
        jounce.load("planar_2r").view.show(open_browser=False)
    assert choose_port("localhost", None) <= before


def test_a_closed_viewer_says_that_it_is() -> None:
    viewer = jounce.load("planar_2r").view.show((0.0, 0.0), open_browser=False)
    viewer.close()
    with pytest.raises(ArgumentError, match="this viewer is closed"):
        viewer.q = (0.1, 0.2)
    with pytest.raises(ArgumentError, match="this viewer is closed"):
        viewer.wrenches = None
    with pytest.raises(ArgumentError, match="this viewer is closed"):
        viewer.switch("com")
    assert viewer.clients == 0
    assert np.array_equal(viewer.q, (0.0, 0.0))
    assert "closed" in repr(viewer)
    assert "closed" in viewer._repr_html_()


def test_without_viser_a_sentence_says_how_to_get_it() -> None:
    code = (
        "import sys; sys.modules['viser'] = None\n"
        "import jounce\n"
        "try: jounce.load('planar_2r').view.show()\n"
        "except ImportError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'jounce[view]'" in done.stdout


#: The command, interruptible even where the tests run in the background of a shell.
_COMMAND = """
import signal
from jounce.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
main(["view", "four_bar", "--no-open"])
"""


def test_the_command_prints_where_it_is_and_ends_quietly() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _COMMAND], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith("<viewer of four_bar.closed(), at http://localhost:")
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert err == ""
    assert out.strip() == ""
    assert process.returncode == 0


def test_the_command_says_what_is_wrong() -> None:
    for arguments, words in (
        (("nothing.urdf",), "nothing.urdf"),
        (("planar_2r", "--overlay", "x"), "unknown overlay 'x'"),
        (("planar_2r", "--active", "joint1"), "no closed loops"),
    ):
        command = [sys.executable, "-m", "jounce", "view", *arguments, "--no-open"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode == 1
        assert words in done.stderr
        assert "Traceback" not in done.stderr
        assert len(done.stderr.splitlines()) == 1


def test_viewers_are_closed_at_the_end_of_a_program_without_a_word() -> None:
    code = "import jounce; jounce.load('planar_2r').view.show(open_browser=False)"
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1


def test_scripts_wait_until_they_are_interrupted(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    text = "import jounce\njounce.load('planar_2r').view.show(open_browser=False{})\nprint('end')"
    script.write_text(text.format(""))
    command = [sys.executable, "-W", "error", str(script)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        try:
            assert run.stdout is not None
            assert run.stdout.readline().startswith("<viewer of planar_2r, at http://localhost:")
            assert run.stdout.readline().startswith("Press Ctrl-C to close the viewer;")
            run.send_signal(signal.SIGINT)
            assert run.communicate(timeout=60) == ("end\n", "")
        finally:
            run.kill()
    script.write_text(text.format(", block=False"))
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.endswith("\nend\n")
    assert len(done.stdout.splitlines()) == 2


def test_no_warnings_from_a_viewer_that_was_closed() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        viewer = jounce.load("planar_2r").view.show(open_browser=False)
        viewer.close()
        viewer.edit("program", lambda q: q)
        viewer.settle()


def test_the_page_on_viewers_runs_and_names_all_overlays(monkeypatch: pytest.MonkeyPatch) -> None:
    import webbrowser

    monkeypatch.setattr(webbrowser, "open", lambda url: True)
    page = (PROJECT / "docs" / "guide" / "viewer.md").read_text("utf-8")
    session: dict[str, Any] = {}
    for block in blocks(page, "python"):
        exec(compile(block, "viewer.md", "exec"), session)
    with session["viewer"] as viewer:
        assert viewer._playback.motion.ghosts == 5
        assert not viewer.messages
    assert [name for name in OVERLAYS if f"`{name}`" not in page] == []
