"""`jounce.study(...)` and `jounce.identify(...)`: rooms that are called like their function."""

from __future__ import annotations

import inspect
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import jounce


@pytest.mark.parametrize("name", ["study", "identify"])
def test_rooms_are_called_like_the_function_of_their_name(name, monkeypatch):
    room: Any = getattr(jounce, name)
    assert isinstance(room, ModuleType)
    assert inspect.signature(room) == inspect.signature(vars(room)[name])
    monkeypatch.setattr(room, name, lambda *args, **named: (args, named))
    assert room(1, 2, three=3) == ((1, 2), {"three": 3})


def test_both_ways_give_the_same_numbers():
    robot, point = jounce.load("planar_2r"), [*np.eye(3, 2)]
    room: Any = jounce.study
    how = {"vary": {"mass": "5%"}, "samples": 20}
    np.testing.assert_array_equal(
        room(robot, point, **how).std, room.study(robot, point, **how).std
    )
