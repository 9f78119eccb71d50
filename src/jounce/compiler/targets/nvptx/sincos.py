"""Sine and cosine of one number as LLVM text: both at once, for every finite argument.

Small angles are reduced by three terms of pi/2 in their own precision, since consumer cards compute
doubles at a sixty-fourth of the speed. Large ones are reduced exactly by a function, which a warp
calls only if one of its threads needs it.
"""

from __future__ import annotations

from collections.abc import Callable

from jounce.compiler.targets.llvm.code import Code
from jounce.compiler.targets.llvm.sincos import polynomials, reduction, two_over_pi
from jounce.compiler.targets.sines import LARGE, PI_HALVES

#: Address space of the tables.
_GLOBAL = " addrspace(1)"

#: pi/2 as a sum of floats; products with k are fused and therefore exact.
_PI_HALVES_FLOAT = (1.57079637050628662109375, -4.37113900018624283e-8, -1.71512451e-15)

#: Range reduction: the terms of pi/2, the largest angle they are accurate for, and the constant
#: whose addition rounds to an integer in the low bits of the mantissa.
_REDUCTION = {
    "double": (PI_HALVES, LARGE, 1.5 * 2**52),
    "float": (_PI_HALVES_FLOAT, 65536.0, 1.5 * 2**23),
}


def functions() -> str:
    """Return the function that reduces large angles, with its table and declarations."""
    code = Code()
    r, quadrant = reduction(code, _GLOBAL)
    low = code.let(f"trunc i64 {quadrant} to i32")
    pair = code.let(f"insertvalue {{ double, i32 }} poison, double {r}, 0")
    pair = code.let(f"insertvalue {{ double, i32 }} {pair}, i32 {low}, 1")
    code.emit(f"ret {{ double, i32 }} {pair}")
    signature = "internal { double, i32 } @reduce_large(double %x)"
    return (
        "declare double @llvm.fabs.f64(double)\n"
        "declare float @llvm.fabs.f32(float)\n"
        "declare i64 @llvm.fshl.i64(i64, i64, i64)\n"
        "declare i128 @llvm.ctlz.i128(i128, i1)\n"
        + two_over_pi(_GLOBAL)
        + code.function(signature, "noinline nounwind")
    )


#: Returns the operand of a constant.
Constants = Callable[[float], str]


def sincos(code: Code, scalar: str, x: str, constants: Constants) -> tuple[str, str]:
    """Return the sine and cosine of a number."""
    r, quadrant = _reduce(code, scalar, x, constants)
    sine, cosine = polynomials(code, scalar, scalar, r, constants)
    odd = code.let(f"trunc i32 {quadrant} to i1")
    of_sine = code.let(f"select i1 {odd}, {scalar} {cosine}, {scalar} {sine}")
    of_cosine = code.let(f"select i1 {odd}, {scalar} {sine}, {scalar} {cosine}")
    # the sine is negative in quadrants 2 and 3, the cosine in 1 and 2
    following = code.let(f"add i32 {quadrant}, 1")
    return _apply_sign(code, scalar, of_sine, quadrant), _apply_sign(
        code, scalar, of_cosine, following
    )


def _apply_sign(code: Code, scalar: str, value: str, quadrant: str) -> str:
    """Return a value, negated if the second bit of the quadrant is set."""
    kind = {"double": "i64", "float": "i32"}[scalar]
    sign = code.let(f"and i32 {code.let(f'shl i32 {quadrant}, 30')}, {-(1 << 31)}")
    if scalar == "double":
        sign = code.let(f"shl i64 {code.let(f'zext i32 {sign} to i64')}, 32")
    raw = code.let(f"bitcast {scalar} {value} to {kind}")
    return code.let(f"bitcast {kind} {code.let(f'xor {kind} {raw}, {sign}')} to {scalar}")


def _reduce(code: Code, scalar: str, x: str, constants: Constants) -> tuple[str, str]:
    """Return x - k pi/2 in [-pi/4, pi/4], and k, of which only the low bits matter."""
    pieces, bound, magic = _REDUCTION[scalar]
    moved = code.let(f"fmul contract {scalar} {x}, {constants(0.6366197723675814)}")
    moved = code.let(f"fadd contract {scalar} {moved}, {constants(magic)}")
    k = code.let(f"fsub {scalar} {moved}, {constants(magic)}")
    bits = {"double": "i64", "float": "i32"}[scalar]
    quadrant = code.let(f"bitcast {scalar} {moved} to {bits}")
    if scalar == "double":
        quadrant = code.let(f"trunc i64 {quadrant} to i32")
    r = x
    for piece in pieces:
        product = code.let(f"fmul contract {scalar} {k}, {constants(piece)}")
        r = code.let(f"fsub contract {scalar} {r}, {product}")
    suffix = {"double": "f64", "float": "f32"}[scalar]
    size = code.let(f"call {scalar} @llvm.fabs.{suffix}({scalar} {x})")
    large = code.let(f"fcmp ugt {scalar} {size}, {constants(bound)}")
    return _select_large(code, scalar, x, (r, quadrant, large))


def _select_large(code: Code, scalar: str, x: str, fast: tuple[str, str, str]) -> tuple[str, str]:
    """Return remainder and quadrant, computed by `reduce_large` if the angle is large."""
    r, quadrant, large = fast
    slow, done, before = code.label(), code.label(), code.block
    code.emit(f"br i1 {large}, label %{slow}, label %{done}, !prof !0")
    code.start(slow)
    wide = x if scalar == "double" else code.let(f"fpext float {x} to double")
    pair = code.let(f"call {{ double, i32 }} @reduce_large(double {wide})")
    exact = code.let(f"extractvalue {{ double, i32 }} {pair}, 0")
    turns = code.let(f"extractvalue {{ double, i32 }} {pair}, 1")
    if scalar == "float":
        exact = code.let(f"fptrunc double {exact} to float")
    code.emit(f"br label %{done}")
    code.start(done)
    r = code.let(f"phi {scalar} [{r}, %{before}], [{exact}, %{slow}]")
    return r, code.let(f"phi i32 [{quadrant}, %{before}], [{turns}, %{slow}]")
