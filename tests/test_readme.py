"""The README's Python blocks run, in order, as one session, and its grid matches the catalog."""

import re
import warnings

from jounce.catalog.reference import reference
from jounce.catalog.rows import ROWS
from jounce.errors import ModelWarning
from support import PROJECT

README = (PROJECT / "README.md").read_text()


def test_code_blocks_run(capsys):
    blocks = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    assert len(blocks) >= 4
    session: dict[str, object] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        for block in blocks:
            exec(compile(block, "README.md", "exec"), session)
    assert "operations" in capsys.readouterr().out


def test_every_quantity_is_in_the_grid():
    grid = README[README.index("## What a robot can compute") : README.index("## Measured")]
    for row in ROWS:
        name = re.sub(r"(_world|_mixed|_matrix)$", r"", row.name)
        assert name.split("_")[0] in grid, row.name


def test_reference_page_is_current():
    page = PROJECT / "docs" / "quantities.md"
    assert page.read_text() == reference(), "run: python -m jounce reference > docs/quantities.md"
