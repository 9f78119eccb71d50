"""Fixtures of the tests of identification."""

from __future__ import annotations

import pytest

from jounce.robot import Robot
from support.identify_data import two_links


@pytest.fixture(scope="session")
def arm() -> Robot:
    """The smallest robot with everything."""
    return two_links()
