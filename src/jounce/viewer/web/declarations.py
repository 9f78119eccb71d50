"""The types of a module for TypeScript."""

from __future__ import annotations

from collections.abc import Sequence

from jounce.compiler.targets import wrap_comment
from jounce.viewer.web.functions import WebFunction

_TYPES = """\
/** Numbers in order: an array, or a typed one. */
export type Vector = ArrayLike<number>;

/** Numbers row by row, or a list of rows. */
export type Matrix = Vector | ArrayLike<Vector>;

/** Numbers row by row, or lists of lists. */
export type Tensor = Matrix | ArrayLike<Tensor>;

/** A quantity; `into` writes the result where it is told, and allocates nothing. */
export interface Quantity<Arguments extends unknown[], Result> {
  (...given: Arguments): Result;
  into<Out extends Result>(out: Out, ...given: Arguments): Out;
}

/** An argument or a result of a quantity. */
export interface Operand {
  readonly name: string;
  /** Empty for a single number. */
  readonly shape: readonly number[];
  readonly doc: string;
  /** Of an argument: whether it may be left out. */
  readonly optional?: boolean;
  /** Of a result that comes only with an optional argument: that argument. */
  readonly of?: string;
}

/** What a quantity is. */
export interface Description {
  readonly quantity: string;
  readonly doc: string;
  readonly unit: string;
  readonly equation: string;
  /** Arithmetic operations of a call. */
  readonly operations: number;
  readonly arguments: readonly Operand[];
  readonly results: readonly Operand[];
}

/** A joint: where it sits in q and in the velocities of all joints, and its bounds. */
export interface Joint {
  readonly name: string;
  readonly kind: string;
  readonly q: readonly [start: number, stop: number];
  readonly v: readonly [start: number, stop: number];
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  /** The joint that it follows: q = multiplier * q_joint + offset. */
  readonly mimic?: { readonly joint: string; readonly multiplier: number; readonly offset: number };
}

/** Where a module may come from. */
export type Source = string | URL | Response | ArrayBuffer | ArrayBufferView | WebAssembly.Module;
"""

_ROBOT = """\
  readonly name: string;
  /** Lengths of configurations and velocities, and how many bodies move. */
  readonly nq: number;
  readonly nv: number;
  readonly nb: number;
  readonly gravity: readonly [number, number, number];
  /** A configuration to begin with; of a mechanism, one with closed loops. */
  readonly neutral: Float64Array;
  /** Which velocities of all joints v has. */
  readonly velocities: readonly number[];
  readonly joints: readonly Joint[];
  readonly functions: { readonly [identifier: string]: Description };
"""


def declarations(prefix: str, about: Sequence[str], functions: Sequence[WebFunction]) -> str:
    """The text of PREFIX.d.ts; about: lines of its first comment."""
    members = "\n".join(_member(function) for function in functions)
    interface = f"/** The robot. */\nexport interface Robot {{\n{_ROBOT}\n{members}}}\n"
    load = (
        f"/** The robot, from {prefix}.wasm beside this module if nothing else is given. */\n"
        "export declare function load(source?: Source | PromiseLike<Source>): Promise<Robot>;\n"
    )
    return "\n".join((_comment(about, ""), _TYPES, interface, load))


def _member(function: WebFunction) -> str:
    """A quantity of the robot, with its comment."""
    lines = [function.doc, f"Quantity '{function.quantity}', {function.operations} operations."]
    if function.equation:
        lines.append(f"Equation: {function.equation}.")
    operands = [*function.kernels[-1].inputs, *function.kernels[-1].outputs]
    lines += (f"  {x.name} ({' x '.join(map(str, x.shape)) or '1'}): {x.doc}" for x in operands)
    given = []
    names = zip(function.arguments, function.kernels[-1].inputs, strict=True)
    for name, x in names:
        kind = (
            ("Vector | number", "Vector", "Matrix")[len(x.shape)] if len(x.shape) < 3 else "Tensor"
        )
        given.append(f"{x.name}{'?' if name in function.presets else ''}: {kind}")
    count = len(function.results)
    result = "Float64Array" if count == 1 else f"[{', '.join(['Float64Array'] * count)}]"
    if function.gradients:
        result = "Float64Array[]"
    own = f"  readonly {function.name}: Quantity<[{', '.join(given)}], {result}>;\n"
    return _comment(lines, "  ") + own


def _comment(lines: Sequence[str], indent: str) -> str:
    """A comment that checkers and editors show."""
    inner = "".join(f"{indent} * {line}".rstrip() + "\n" for line in wrap_comment(lines))
    return f"{indent}/**\n{inner}{indent} */\n"
