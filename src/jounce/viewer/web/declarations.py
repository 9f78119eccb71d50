"""TypeScript declarations of a module."""

from __future__ import annotations

from collections.abc import Sequence

from jounce.compiler.targets import wrap_comment
from jounce.viewer.web.functions import WebFunction

_TYPES = """\
/** A sequence of numbers: an array or a typed array. */
export type Vector = ArrayLike<number>;

/** Numbers in row-major order, or a list of rows. */
export type Matrix = Vector | ArrayLike<Vector>;

/** Numbers in row-major order, or nested lists. */
export type Tensor = Matrix | ArrayLike<Tensor>;

/** A quantity; `into` writes the result to `out` without allocating memory. */
export interface Quantity<Arguments extends unknown[], Result> {
  (...inputs: Arguments): Result;
  into<Out extends Result>(out: Out, ...inputs: Arguments): Out;
}

/** An argument or a result of a quantity. */
export interface Operand {
  readonly name: string;
  /** Empty for a single number. */
  readonly shape: readonly number[];
  readonly doc: string;
  /** True for arguments that are optional. */
  readonly optional?: boolean;
  /** The optional argument without which this result is absent. */
  readonly of?: string;
}

/** Description of a quantity. */
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

/** A joint: its ranges in q and in the velocities of all joints, and its limits. */
export interface Joint {
  readonly name: string;
  readonly kind: string;
  readonly q: readonly [start: number, stop: number];
  readonly v: readonly [start: number, stop: number];
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  /** The joint that it mimics: q = multiplier * q_joint + offset. */
  readonly mimic?: { readonly joint: string; readonly multiplier: number; readonly offset: number };
}

/** Sources of a module. */
export type Source = string | URL | Response | ArrayBuffer | ArrayBufferView | WebAssembly.Module;
"""

_ROBOT = """\
  readonly name: string;
  /** Lengths of configurations and velocities, and the number of moving bodies. */
  readonly nq: number;
  readonly nv: number;
  readonly nb: number;
  readonly gravity: readonly [number, number, number];
  /** An initial configuration; for a mechanism, one with closed loops. */
  readonly neutral: Float64Array;
  /** Indices of the entries of v among the velocities of all joints. */
  readonly velocities: readonly number[];
  readonly joints: readonly Joint[];
  readonly functions: { readonly [identifier: string]: Description };
"""


def declarations(prefix: str, about: Sequence[str], functions: Sequence[WebFunction]) -> str:
    """Return the text of PREFIX.d.ts; about: lines of its first comment."""
    members = "\n".join(_member(function) for function in functions)
    interface = f"/** The robot. */\nexport interface Robot {{\n{_ROBOT}\n{members}}}\n"
    load = (
        f"/** Load the robot, by default from {prefix}.wasm next to this module. */\n"
        "export declare function load(source?: Source | PromiseLike<Source>): Promise<Robot>;\n"
    )
    return "\n".join((_comment(about, ""), _TYPES, interface, load))


def _member(function: WebFunction) -> str:
    """Return the declaration of a quantity, with a comment."""
    lines = [function.doc, f"Quantity '{function.quantity}', {function.operations} operations."]
    if function.equation:
        lines.append(f"Equation: {function.equation}.")
    operands = [*function.kernels[-1].inputs, *function.kernels[-1].outputs]
    lines += (f"  {x.name} ({' x '.join(map(str, x.shape)) or '1'}): {x.doc}" for x in operands)
    parameters = []
    names = zip(function.arguments, function.kernels[-1].inputs, strict=True)
    for name, x in names:
        kind = (
            ("Vector | number", "Vector", "Matrix")[len(x.shape)] if len(x.shape) < 3 else "Tensor"
        )
        parameters.append(f"{x.name}{'?' if name in function.presets else ''}: {kind}")
    count = len(function.results)
    result = "Float64Array" if count == 1 else f"[{', '.join(['Float64Array'] * count)}]"
    if function.gradients:
        result = "Float64Array[]"
    declaration = f"  readonly {function.name}: Quantity<[{', '.join(parameters)}], {result}>;\n"
    return _comment(lines, "  ") + declaration


def _comment(lines: Sequence[str], indent: str) -> str:
    """Return a documentation comment."""
    inner = "".join(f"{indent} * {line}".rstrip() + "\n" for line in wrap_comment(lines))
    return f"{indent}/**\n{inner}{indent} */\n"
