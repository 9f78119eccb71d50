"""Robots that come to a process are made once, and known by what they are."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

import jounce
from jounce.utils import content_cache
from jounce.utils.content_cache import get_shared, hash_content


def test_a_robot_that_comes_again_is_the_one_that_came() -> None:
    robot = jounce.load("planar_2r")
    first, again = (pickle.loads(pickle.dumps(robot)) for _ in range(2))
    assert first is again
    assert first.content_hash == robot.content_hash
    assert pickle.loads(pickle.dumps(first)) is first
    assert pickle.loads(pickle.dumps(robot.mass_matrix)) is first.mass_matrix


def test_a_mechanism_that_comes_again_is_the_one_that_came() -> None:
    closed = jounce.load("five_bar").closed()
    first, again = (pickle.loads(pickle.dumps(closed)) for _ in range(2))
    assert first is again
    assert first.content_hash == closed.content_hash
    assert pickle.loads(pickle.dumps(first.mass_matrix)) is first.mass_matrix


def test_robots_differ_by_names_limits_and_numbers() -> None:
    robot = jounce.load("planar_2r")
    model = robot.model
    others = [
        replace(model, name="another"),
        replace(model, gravity=np.zeros(3)),
        replace(model, joints=(replace(model.joints[0], upper=np.ones(1)), *model.joints[1:])),
    ]
    result = {jounce.Robot(other).content_hash for other in (model, *others)}
    assert len(result) == 4
    assert jounce.load("planar_2r").content_hash == robot.content_hash


def test_those_that_came_last_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content_cache, "MAX_OBJECTS", 2)
    monkeypatch.setattr(content_cache, "_objects", type(content_cache._objects)())
    for key in ("a", "b", "a", "c"):
        get_shared(key, object)
    assert list(content_cache._objects) == ["a", "c"]


def test_content_is_of_plain_data() -> None:
    assert hash_content(1) != hash_content(1.0) != hash_content("1")
    assert hash_content([1, [2]]) != hash_content([1, 2])
    assert hash_content(np.zeros(2)) != hash_content(np.zeros((1, 2)))
    assert hash_content({"b": 1, "a": 2}) == hash_content({"a": 2, "b": 1})
    with pytest.raises(TypeError, match="expected plain data, found object"):
        hash_content(object())
