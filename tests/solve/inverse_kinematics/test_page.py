"""The page on inverse kinematics tells the truth."""

from __future__ import annotations

import re
from typing import Any

from support import PROJECT


def test_the_page_runs() -> None:
    page = (PROJECT / "docs" / "guide" / "inverse-kinematics.md").read_text("utf-8")
    session: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL):
        exec(compile(block, "inverse-kinematics.md", "exec"), session)
    assert session["solution"].gap.shape == (20,)
