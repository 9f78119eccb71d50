"""Deprecated: import from `jounce.studies` instead of `jounce.study`."""

from jounce.deprecation import alias_package

alias_package(__name__, "jounce.studies")
