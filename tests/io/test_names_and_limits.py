"""Names that readers make up beside those of the file, extreme joint limits, the cache's switch."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import jounce
from jounce.errors import ModelWarning
from jounce.io import TreeBuilder, read_mjcf, read_sdf, read_urdf
from jounce.model.model import Model
from jounce.utils import cache

NAMES = ("base", "base_joint", "base_joint_2", "world", "universe", "root")


def urdf(links: tuple[str, ...], joints: tuple[str, ...]) -> str:
    inertia = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
    out = [
        f'<link name="{name}"><inertial><mass value="1"/>{inertia}</inertial></link>'
        for name in links
    ]
    for joint, parent, child in zip(joints, links, links[1:], strict=False):
        ends = f'<parent link="{parent}"/><child link="{child}"/>'
        out.append(f'<joint name="{joint}" type="continuous">{ends}</joint>')
    return f'<robot name="r">{"".join(out)}</robot>'


def check(model: Model, nv: int, *joints: str) -> None:
    names = [joint.name for joint in model.joints]
    assert model.nv == nv
    assert len(set(names)) == len(names)
    assert {*joints} < {*names}


@pytest.mark.parametrize("joints", list(itertools.permutations(NAMES[:4], 3))[::5])
def test_floating_urdf_with_any_names(joints: tuple[str, ...]) -> None:
    for links in list(itertools.permutations(NAMES, 4))[::7]:
        check(read_urdf(urdf(links, joints), base="floating"), 9, *joints)


def test_floating_sdf_with_any_names() -> None:
    for a, b, c, d, e in itertools.permutations(set(NAMES) - {"world"}, 5):
        text = f"""<sdf version="1.9"><model name="m"><link name="{a}"/><link name="{b}"/>
        <joint name="{c}" type="revolute"><parent>{a}</parent><child>{b}</child></joint>
        <frame name="{d}"/><link name="l"/><joint name="{e}" type="revolute"><parent>{b}</parent>
        <child>l</child></joint></model></sdf>"""
        check(read_sdf(text, base="floating"), 8, c, e)


@pytest.mark.parametrize("first", ["", '<joint name="base_joint_2"/>'])
def test_floating_mjcf_with_any_names(first: str) -> None:
    pytest.importorskip("mujoco")
    for a, b, c, d in itertools.permutations(("base", "base_joint", "root", "base_2"), 4):
        text = f"""<mujoco><worldbody><body name="{a}">{first}<geom size="1"/><body name="{b}">
        <joint name="{c}"/><geom size="1"/></body><body><joint name="{a}"/><geom size="1"/>
        <site name="{d}"/></body></body></worldbody></mujoco>"""
        if first:
            with pytest.warns(ModelWarning, match="massless"):
                model = read_mjcf(text, base="floating")
        else:
            model = read_mjcf(text, base="floating")
        check(model, 8 + bool(first), c, a)


def test_floating_screws_with_any_names() -> None:
    X, B = np.tile((0, 0, 1.0, 0, 0, 0), (3, 1)), np.tile(np.eye(4), (3, 1, 1))
    for names in itertools.permutations(("base", "root", "root_2", "tool"), 3):
        tool = None if "tool" in names else np.eye(4)
        with pytest.warns(ModelWarning, match="massless"):
            model = jounce.from_screws(X, B, names=names, tool=tool, base="floating")
        check(model, 9, "joint1", "joint2", "joint3")


def test_two_floating_robots_are_attached_without_a_clash_of_what_is_welded() -> None:
    one = jounce.Robot(read_urdf(urdf(("a", "b"), ("j",)), base="floating"))
    two = jounce.Robot(read_urdf(urdf(("c", "d"), ("k",)), base="floating"))
    joined = one.edit.attach(two, "b")
    assert [joint.name for joint in joined.model.joints] == ["base", "j", "k"]
    with pytest.raises(jounce.ModelError, match="already has a joint 'base'"):
        one.edit.attach(two, "b", weld=False)
    kept = one.edit.attach(two, "b", weld=False, prefix="tool_")
    assert [joint.name for joint in kept.model.joints] == ["base", "j", "tool_base", "tool_k"]


# ------------------------------------------------------------------ limits

_LIMITS = (-np.inf, -1.7e308, -1e308, -1.0, -5e-324, 0.0, 5e-324, 2.0, 1e308, 1.7e308, np.inf)


@pytest.mark.filterwarnings("ignore::jounce.ModelWarning")
@pytest.mark.parametrize("kind", ["revolute", "prismatic", "helical"])
def test_random_is_finite_and_within_any_limits(kind: str) -> None:
    for a, b in itertools.product(_LIMITS, _LIMITS):  # reversed ones too
        arm = TreeBuilder("r").add("l", kind, lower=a, upper=b, mass=1.0).build()
        joint, q = arm.joints[0], jounce.Robot(arm).random(0, 200)
        assert np.isfinite(q).all()
        if np.isfinite(a) or np.isfinite(b) or a != b:
            assert ((joint.lower <= q) & (q <= joint.upper)).all()
        if np.isfinite([a, b]).all() and a != b and abs(a - b) > 1e-300:
            assert np.ptp(q / max(abs(a), abs(b))) > 0.4


def test_random_is_uniform_as_before() -> None:
    arm = TreeBuilder("r").add("l", "revolute", lower=-0.3, upper=1.7, mass=1.0).build()
    expected = np.random.default_rng(5).uniform(-0.3, 1.7, (100, 1))
    assert (jounce.Robot(arm).random(5, 100) == expected).all()


# ------------------------------------------------------------------ the cache


@pytest.mark.parametrize("word", ["0", "off", "OFF", "Off", "false", "False", "no", "NO", " off "])
def test_the_cache_is_turned_off_by_any_of_these(
    word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JOUNCE_CACHE", word)
    assert cache.directory() is None
    monkeypatch.setenv("JOUNCE_CACHE", f"{word.strip()}/folder")
    assert cache.directory() is not None
