"""Deprecated: import from `jounce.studies` instead of `jounce.study`."""

import sys
import warnings

from jounce import studies

warnings.warn(
    "jounce.study is a function; import other names from jounce.studies",
    DeprecationWarning,
    stacklevel=2,
)
# `jounce.study` stays the function: what is found in sys.modules becomes the attribute.
for _name in studies.__all__:
    setattr(studies.study, _name, getattr(studies, _name))
sys.modules[__name__] = studies.study  # pyright: ignore[reportArgumentType]
