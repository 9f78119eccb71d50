"""Deprecated: import from `jounce.studies` instead of `jounce.study`."""

import sys

from jounce import studies
from jounce.errors import warn

warn("jounce.study is a function; import other names from jounce.studies", DeprecationWarning)
# `jounce.study` stays the function: what is found in sys.modules becomes the attribute.
for _name in studies.__all__:
    setattr(studies.study, _name, getattr(studies, _name))
sys.modules[__name__] = studies.study  # pyright: ignore[reportArgumentType]
