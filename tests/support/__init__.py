"""What tests share: robots, states, comparisons, and the scripts that long runs are made of."""

from pathlib import Path

#: This folder, with the scripts that tests run in processes of their own; and the project's.
SUPPORT = Path(__file__).parent
PROJECT = SUPPORT.parent.parent
