"""xacro files, expanded by the xacro package.

A xacro file is a program: it evaluates Python expressions and reads other files. Expand only files
you trust; no other format is ever evaluated.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import io
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from jounce.errors import ModelError
from jounce.io.files import read_bytes
from jounce.io.packages import Folders, find_package
from jounce.io.xml import MAX_BYTES, parse_xml, read_xml
from jounce.utils.forks import compiling

#: xacro keeps its state in globals.
_ONE_AT_A_TIME = threading.Lock()


def expand_xacro(
    path: str | os.PathLike[str],
    arguments: Mapping[str, Any] | None = None,
    package_dirs: Folders = (),
) -> str:
    """The XML text a xacro file expands to.

    arguments: values of the file's <xacro:arg> elements. package_dirs: folders in which $(find ...)
    looks first, then as `jounce.io.packages.resolve_mesh` does. Needs the xacro package.
    """
    source = os.fspath(path)
    read_xml(source)  # what is wrong with the file comes before what is missing to expand it
    try:
        xacro: Any = importlib.import_module("xacro")
    except ImportError as error:
        raise ImportError(
            f"'{path}' is a xacro file: pip install xacro, or expand it first:"
            " xacro robot.urdf.xacro > robot.urdf"
        ) from error
    mappings = {str(key): _word(value) for key, value in (arguments or {}).items()}
    with (
        compiling(),
        _ONE_AT_A_TIME,
        _finding_packages(source, package_dirs),
        _reading_safely(xacro),
    ):
        try:
            return xacro.process_file(source, mappings=mappings).toxml()
        except Exception as error:  # whatever the file's expressions raise
            inner = getattr(error, "exc", None)  # xacro wraps what it meets and says it twice
            text = str(inner if isinstance(inner, ModelError) else error) or type(error).__name__
            raise ModelError(f"{source}: xacro cannot expand it: {text}") from error


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@contextlib.contextmanager
def _reading_safely(xacro: Any) -> Iterator[None]:
    """Guard the files that a xacro file includes: XML as `read_xml` does, and YAML."""
    parse: Callable[..., Any] = xacro.parse

    def guarded_parse(document: Any, filename: str | None = None) -> Any:
        if document is None and filename is not None and os.path.exists(filename):
            data = read_bytes(filename, MAX_BYTES)
            parse_xml(data, filename)  # refuses what robot files never need
            document = io.BytesIO(data)
        return parse(document, filename)

    def guarded_open(filename: str) -> io.BytesIO:
        if not os.path.exists(filename):  # which `optional="true"` forgives
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), filename)
        return io.BytesIO(read_bytes(filename, MAX_BYTES))

    xacro.parse, xacro.open = guarded_parse, guarded_open  # instead of Python's own `open`
    try:
        yield
    finally:
        xacro.parse = parse
        del xacro.open


@contextlib.contextmanager
def _finding_packages(source: str, package_dirs: Folders) -> Iterator[None]:
    """Let $(find ...) look where meshes are looked for; xacro alone asks a ROS installation."""
    try:
        module: Any = importlib.import_module("xacro.substitution_args")
        resolve: Callable[[str], str] = module._eval_find
    except (ImportError, AttributeError):  # a xacro that finds packages in another way
        yield
        return

    def find(name: str) -> str:
        folder = find_package(name, source, package_dirs)
        if folder is not None:
            return str(folder)
        try:
            return resolve(name)
        except ImportError:
            raise ModelError(
                f"cannot find the package '{name}'; pass package_dirs=, or --package-dir on the"
                " command line"
            ) from None

    module._eval_find = module._eval_dict["find"] = find
    try:
        yield
    finally:
        module._eval_find = module._eval_dict["find"] = resolve
