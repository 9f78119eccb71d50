"""Every small mistake that can be made in a source: arithmetic, order, indices, statements."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

#: What an operation or a comparison becomes.
_OTHER: dict[type[ast.AST], type[ast.AST]] = {
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult},
    **{ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.Pow: ast.Mult},
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt},
    **{ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is},
    **{ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And},
}
#: Functions that do not mind the order of their arguments.
_ANY_ORDER = {"dot", "max", "min", "isinstance", "zeros"}
#: What no mistake is made in: messages, imports, what is not there when the program runs.
_PASSED = (ast.Raise, ast.JoinedStr, ast.Assert, ast.Import, ast.ImportFrom, ast.AnnAssign)


@dataclass(frozen=True)
class Mutant:
    """One mistake: the file's new text, and where and what it is.

    key: the same as long as the function is; line: of the file, from 1; function: qualified name,
    "" outside of all functions.
    """

    path: str
    function: str
    line: int
    old: str
    new: str
    text: str
    key: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} ({self.function or 'module'})  {self.old}  ->  {self.new}"


def mutants(path: str, text: str) -> list[Mutant]:
    """All mutants of one file, path: how it is called."""
    source, made = text.encode(), list[Mutant]()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for function, scope, node in _places(ast.parse(text)):
        for new in _mistakes(node):
            first = starts[node.lineno - 1] + node.col_offset
            last = starts[node.end_lineno - 1] + node.end_col_offset
            written = ast.unparse(new)
            if isinstance(new, ast.expr):
                written = f"({written})"
            body = source[:first] + written.encode() + source[last:]
            old = " ".join(source[first:last].decode().split())
            begin = starts[scope.lineno - 1]
            mark = (path, function, source[begin:last], source[last:].partition(b"\n")[0], written)
            key = hashlib.sha256(repr(mark).encode()).hexdigest()[:12]
            made.append(Mutant(path, function, node.lineno, old, written, body.decode(), key))
    return made


def _places(tree: Any, name: str = "", scope: Any = None) -> Iterator[tuple[str, Any, Any]]:
    """Every node where a mistake may be made, with the outermost function it stands in.

    Outside of functions that is "", and the statement.
    """
    for field, value in ast.iter_fields(tree):
        if field in ("annotation", "returns", "decorator_list"):
            continue
        for node in value if isinstance(value, list) else [value]:
            if not isinstance(node, ast.AST) or isinstance(node, _PASSED) or _said(node):
                continue
            if scope:
                if hasattr(node, "lineno"):
                    inside = isinstance(scope, ast.FunctionDef)
                    yield name if inside else "", scope, node
                yield from _places(node, name, scope)
            elif isinstance(node, ast.ClassDef | ast.FunctionDef):
                inner = f"{name}.{node.name}".lstrip(".")
                yield from _places(node, inner, None if isinstance(node, ast.ClassDef) else node)
            elif isinstance(node, ast.stmt):
                yield "", node, node
                yield from _places(node, name, node)


def _said(node: ast.AST) -> bool:
    """Docstrings, what only type checkers read, and whether lengths are compared on the way."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.keyword):
        return node.arg == "strict"
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def _mistakes(node: Any) -> Iterator[ast.AST]:
    """What may stand in the place of a node."""
    match node:
        case ast.BinOp(op=ast.MatMult()):
            yield ast.BinOp(node.right, node.op, node.left)
        case ast.BinOp(op=op) | ast.BoolOp(op=op) if type(op) in _OTHER:
            yield _with(node, op=_OTHER[type(op)]())
        case ast.Compare(ops=[op]) if type(op) in _OTHER:
            yield _with(node, ops=[_OTHER[type(op)]()])
        case ast.UnaryOp(op=ast.USub() | ast.Not()):
            yield node.operand
        case ast.Constant(value=bool(x)):
            yield ast.Constant(not x)
        case ast.Constant(value=int(x)):
            yield ast.Constant(x + 1)
        case ast.Constant(value=float(x)):
            yield ast.Constant(0.5 * x if x else 1.0)
        case ast.Subscript(slice=ast.Name() as at, ctx=ast.Load()):
            yield _with(node, slice=ast.BinOp(at, ast.Sub(), ast.Constant(1)))
        case ast.Attribute(attr="T"):
            yield node.value
        case ast.Call(args=[*before, first, second]):
            starred = any(isinstance(x, ast.Starred) for x in (first, second))
            if not starred and ast.unparse(node.func) not in _ANY_ORDER:
                yield _with(node, args=[*before, second, first])
        case ast.IfExp():
            yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Continue() | ast.Break():
            yield ast.Pass()
        case ast.Assign(targets=[ast.Subscript()]):
            yield ast.Pass()
        case ast.Assign(targets=[ast.Name(id=target)]):
            if any(isinstance(x, ast.Name) and x.id == target for x in ast.walk(node.value)):
                yield ast.Pass()  # a second value of the same name


def _with(node: Any, **fields: Any) -> Any:
    """The node with some of its fields changed."""
    new = deepcopy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new
