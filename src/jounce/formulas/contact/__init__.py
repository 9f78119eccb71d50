"""Contacts with the world: geometry, constrained dynamics, impulses, and derivatives.

`geometry.py` has Jacobians of contact points, `dynamics.py` accelerations and forces under contact,
`derivatives.py` closed derivatives. Start with `dynamics.py`.
"""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
