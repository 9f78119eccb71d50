"""Sine and cosine as LLVM text: both at once, on vectors, for every finite argument."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from jounce.compiler.targets.llvm.code import Code, Lanes, load_splat, table
from jounce.compiler.targets.sines import (
    COSINE,
    LARGE,
    PI_HALF_BITS,
    PI_HALVES,
    SINE,
    two_over_pi_words,
)


def reduction(code: Code, space: str = "") -> tuple[str, str]:
    """Payne-Hanek: %x mod pi/2 for one large double, and the quadrant, exactly reduced.

    x = m 2^e with an integer m, so only the bits of 2/pi from place e - 2 on matter (multiples of
    four quadrants drop out): 192 of them times m leave 2 bits of quadrant and 126 of fraction.
    Not valid below 2^-10. space: address space of the table.
    """
    bits = code.let("bitcast double %x to i64")
    biased = code.let(f"and i64 {code.let(f'lshr i64 {bits}, 52')}, 2047")
    mantissa = code.let(f"and i64 {bits}, {2**52 - 1}")
    m = code.let(f"or i64 {mantissa}, {2**52}")
    start = code.let(f"sub i64 {biased}, {1075 - 62}")
    # infinities and NaN read a valid entry; their result is replaced at the end
    special = code.let(f"icmp eq i64 {biased}, 2047")
    start = code.let(f"select i1 {special}, i64 64, i64 {start}")
    word = code.let(f"lshr i64 {start}, 6")
    shift = code.let(f"and i64 {start}, 63")
    pointer = f"ptr{space}"
    places = [word, *(code.let(f"add i64 {word}, {k}") for k in (1, 2, 3))]
    addresses = [code.let(f"getelementptr i64, {pointer} @two_over_pi, i64 {k}") for k in places]
    T = [code.let(f"load i64, {pointer} {k}") for k in addresses]
    F = [
        code.let(f"call i64 @llvm.fshl.i64(i64 {T[k]}, i64 {T[k + 1]}, i64 {shift})")
        for k in range(3)
    ]
    wide = [code.let(f"zext i64 {f} to i128") for f in F]
    wide_m = code.let(f"zext i64 {m} to i128")
    p0, p1, p2 = (code.let(f"mul i128 {w}, {wide_m}") for w in wide)
    low = code.let(f"add i128 {p1}, {code.let(f'lshr i128 {p2}, 64')}")
    Y = code.let(f"add i128 {code.let(f'shl i128 {p0}, 64')}, {low}")
    quadrant = code.let(f"trunc i128 {code.let(f'lshr i128 {Y}, 126')} to i64")
    fraction = code.let(f"shl i128 {Y}, 2")
    negative = code.let(f"icmp slt i128 {fraction}, 0")
    up = code.let(f"zext i1 {negative} to i64")
    quadrant = code.let(f"add i64 {quadrant}, {up}")
    size = code.let(
        f"select i1 {negative}, i128 {code.let(f'sub i128 0, {fraction}')}, i128 {fraction}"
    )
    zeros = code.let(f"call i128 @llvm.ctlz.i128(i128 {size}, i1 false)")
    zeros = code.let(f"and i128 {zeros}, 127")
    top = code.let(f"lshr i128 {code.let(f'shl i128 {size}, {zeros}')}, 64")
    # times pi/2 in integers, so that r is rounded only once, with or without fused products
    product = code.let(f"mul i128 {top}, {PI_HALF_BITS}")
    product = code.let(f"trunc i128 {code.let(f'lshr i128 {product}, 64')} to i64")
    mantissa = code.let(f"uitofp i64 {product} to double")
    exponent = code.let(f"sub i64 {1023 - 63}, {code.let(f'trunc i128 {zeros} to i64')}")
    scale = code.let(f"bitcast i64 {code.let(f'shl i64 {exponent}, 52')} to double")
    r = code.let(f"fmul double {mantissa}, {scale}")
    x_negative = code.let(f"icmp slt i64 {bits}, 0")
    flip = code.let(f"xor i1 {x_negative}, {negative}")
    r = code.let(f"select i1 {flip}, double {code.let(f'fneg double {r}')}, double {r}")
    back = code.let(f"sub i64 0, {quadrant}")
    quadrant = code.let(f"select i1 {x_negative}, i64 {back}, i64 {quadrant}")
    nan = code.let("fsub double %x, %x")
    r = code.let(f"select i1 {special}, double {nan}, double {r}")
    return r, quadrant


def two_over_pi(space: str = "") -> str:
    """Return the table that `reduction` reads."""
    words = ", ".join(f"i64 {w}" for w in two_over_pi_words())
    return f"@two_over_pi = internal{space} constant [{len(two_over_pi_words())} x i64] [{words}]\n"


def reduce_large() -> str:
    """Return the function that reduces one large double, with its table; see `reduction`."""
    code = Code()
    r, quadrant = reduction(code)
    code.emit(f"store double {r}, ptr %remainder")
    code.emit(f"store i64 {quadrant}, ptr %quadrant")
    code.emit("ret void")
    signature = "internal void @reduce_large(double %x, ptr %remainder, ptr %quadrant)"
    return two_over_pi() + code.function(signature, "#1")


class _ConstantTable:
    """Constants in memory behind a pointer, broadcast to lanes.

    Instructions broadcast them from memory as operands. Otherwise each call would first have to
    load them all into registers, which takes as long as a few angles.
    """

    def __init__(self, code: Code, lanes: Lanes, pointer: str) -> None:
        self.code, self.lanes, self.pointer = code, lanes, pointer
        self.values: list[float] = []

    def __call__(self, value: float) -> str:
        """Return a vector of the number."""
        if value not in self.values:
            self.values.append(value)
        return load_splat(self.code, self.lanes, self.pointer, self.values.index(value))

    def table(self, name: str) -> str:
        """Return the definition of the table."""
        return table(name, self.lanes.scalar, self.values)


#: Further arguments of `sincos`, after the table and the number of angles.
CONSTANTS = "ptr @sine_pieces, ptr @sine_coefficients"

_ARGUMENTS = "ptr %ws, ptr %table, i64 %angles, ptr %pieces, ptr %coefficients"


def sincos(lanes: Lanes, attributes: str) -> str:
    """Return the function for sines and cosines of slots: (workspace, table, number, constants).

    The table has three byte offsets into the workspace per angle: argument, sine, cosine. Both
    are within 2 units in the last place up to ten turns and from LARGE on, within 3 between (there
    the reduced angle is rounded twice); infinities and NaN give NaN in their own lane. If any
    angle is large, all are computed again by a function that checks each of them.
    """
    return "".join(_angles(lanes, attributes, each) for each in (True, False))


def _angles(lanes: Lanes, attributes: str, each: bool) -> str:
    """Return the loop over angles; each: whether it checks each of them, or all of them once."""
    vector, wide = lanes.vector, Lanes("double", lanes.width)
    code = Code()
    pieces = _ConstantTable(code, wide, "%pieces")
    coefficients = _ConstantTable(code, lanes, "%coefficients")
    spares = (
        [code.let(f"alloca {x}, align 64") for x in _remainder_types(lanes.width)] if each else []
    )
    flags = f"i{lanes.width}"
    with code.loop("%angles", carried=[(flags, "0")]) as (i, (seen,)):
        entry = code.offset("%table", code.let(f"mul i64 {i}, 12"))
        places = []
        for k in range(3):
            offset = code.let(f"load i32, ptr {code.offset(entry, 4 * k)}")
            places.append(code.offset("%ws", code.let(f"zext i32 {offset} to i64")))
        x = code.let(f"load {vector}, ptr {places[0]}, align {lanes.bytes}")
        if lanes.scalar == "float":
            x = code.let(f"fpext {vector} {x} to {wide.vector}")
        r, quadrants, large = _reduce(pieces, x)
        if each:
            r, quadrants = _replace_large(code, lanes.width, x, (r, quadrants, large), spares)
        if lanes.scalar == "float":
            r = code.let(f"fptrunc {wide.vector} {r} to {vector}")
        sine, cosine = polynomials(code, vector, lanes.scalar, r, coefficients)
        rotated = _rotate(code, lanes, sine, cosine, quadrants)
        for value, place in zip(rotated, places[1:], strict=True):
            code.emit(f"store {vector} {value}, ptr {place}, align {lanes.bytes}")
        code.carry([code.let(f"or {flags} {seen}, {large}")])
    if not each:
        with code.when(code.let(f"icmp ne {flags} {seen}, 0")):
            code.emit(f"call void @sincos_large({_ARGUMENTS})")
    code.emit("ret void")
    name = "sincos_large" if each else "sincos"
    text = code.function(f"internal void @{name}({_ARGUMENTS})", attributes)
    # both functions use the same constants in the same order
    tables = pieces.table("sine_pieces") + coefficients.table("sine_coefficients")
    return text if each else tables + text


def declarations(width: int) -> str:
    """Return declarations of the functions that these call."""
    doubles = Lanes("double", width)
    return (
        f"declare {doubles.vector} @llvm.fabs.{doubles.suffix}({doubles.vector})\n"
        "declare i64 @llvm.fshl.i64(i64, i64, i64)\n"
        "declare i128 @llvm.ctlz.i128(i128, i1)\n"
    )


def _remainder_types(width: int) -> tuple[str, str]:
    """Return the types of a vector of remainders, and of one of quadrants."""
    return f"<{width} x double>", f"<{width} x i64>"


def _reduce(numbers: _ConstantTable, x: str) -> tuple[str, str, str]:
    """Return x - k pi/2 in [-pi/4, pi/4], k as integers whose low bits matter, and a flag per lane.

    The flags mark angles that are too large for this reduction.
    """
    code, lanes = numbers.code, numbers.lanes
    doubles, integers = _remainder_types(lanes.width)
    # k = round(x 2/pi): adding 1.5 2^52 leaves k in the low bits of the mantissa
    magic = numbers(1.5 * 2**52)
    scaled = code.let(f"fmul contract {doubles} {x}, {numbers(0.6366197723675814)}")
    moved = code.let(f"fadd contract {doubles} {scaled}, {magic}")
    k = code.let(f"fsub {doubles} {moved}, {magic}")
    quadrants = code.let(f"bitcast {doubles} {moved} to {integers}")
    r = x
    for piece in PI_HALVES:
        product = code.let(f"fmul contract {doubles} {k}, {numbers(piece)}")
        r = code.let(f"fsub contract {doubles} {r}, {product}")
    size = code.let(f"call {doubles} @llvm.fabs.{lanes.suffix}({doubles} {x})")
    large = code.let(f"fcmp ugt {doubles} {size}, {numbers(LARGE)}")
    # the remainder of a large angle could overflow, which would set a floating-point flag
    r = code.let(f"select {lanes.mask} {large}, {doubles} zeroinitializer, {doubles} {r}")
    return r, quadrants, code.let(f"bitcast {lanes.mask} {large} to i{lanes.width}")


def _replace_large(
    code: Code, width: int, x: str, reduced: tuple[str, str, str], spares: Sequence[str]
) -> tuple[str, str]:
    """Return remainders and quadrants, with those of large angles computed by `reduce_large`.

    spares: stack memory for both.
    """
    kinds, (r, quadrants, flags) = _remainder_types(width), reduced
    for kind, value, spare in zip(kinds, (r, quadrants), spares, strict=True):
        code.emit(f"store {kind} {value}, ptr {spare}, align 64")
    for lane in range(width):
        flag = code.let(f"trunc i{width} {code.let(f'lshr i{width} {flags}, {lane}')} to i1")
        with code.when(flag):
            angle = code.let(f"extractelement {kinds[0]} {x}, i64 {lane}")
            to_r, to_q = (code.offset(spare, 8 * lane) for spare in spares)
            code.emit(f"call void @reduce_large(double {angle}, ptr {to_r}, ptr {to_q})")
    r, quadrants = (
        code.let(f"load {kind}, ptr {spare}, align 64")
        for kind, spare in zip(kinds, spares, strict=True)
    )
    return r, quadrants


def polynomials(
    code: Code, kind: str, scalar: str, r: str, numbers: Callable[[float], str]
) -> tuple[str, str]:
    """Emit sine and cosine of angles within pi/4 of zero.

    kind: type of the operands, whose entries are of type `scalar`. numbers(value): operand of a
    constant.
    """

    def multiply(a: str, b: str) -> str:
        return code.let(f"fmul contract {kind} {a}, {b}")

    def add(a: str, b: str) -> str:
        return code.let(f"fadd contract {kind} {a}, {b}")

    def horner(coefficients: tuple[float, ...], z: str) -> str:
        total = numbers(coefficients[-1])
        for c in reversed(coefficients[:-1]):
            total = add(multiply(total, z), numbers(c))
        return total

    z = code.let(f"fmul {kind} {r}, {r}")
    rz = code.let(f"fmul {kind} {r}, {z}")
    sine = add(r, multiply(rz, horner(SINE[scalar], z)))
    inner = add(multiply(z, horner(COSINE[scalar], z)), numbers(-0.5))
    return sine, add(multiply(z, inner), numbers(1.0))


def _rotate(code: Code, lanes: Lanes, sine: str, cosine: str, quadrants: str) -> Iterator[str]:
    """Yield sine, then cosine, of angles rotated by a number of quadrants."""
    vector, mask = lanes.vector, lanes.mask
    bits = f"i{8 * lanes.item}"
    same = f"<{lanes.width} x {bits}>"
    if lanes.scalar == "float":
        quadrants = code.let(f"trunc <{lanes.width} x i64> {quadrants} to {same}")
    low = code.let(f"and {same} {quadrants}, splat ({bits} 1)")
    odd = code.let(f"icmp ne {same} {low}, zeroinitializer")
    turned_s = code.let(f"select {mask} {odd}, {vector} {cosine}, {vector} {sine}")
    turned_c = code.let(f"select {mask} {odd}, {vector} {sine}, {vector} {cosine}")
    # the sine is negative in quadrants 2 and 3, the cosine in 1 and 2
    following = code.let(f"add {same} {quadrants}, splat ({bits} 1)")
    for value, quadrant in ((turned_s, quadrants), (turned_c, following)):
        second = code.let(f"shl {same} {quadrant}, splat ({bits} {8 * lanes.item - 2})")
        sign = code.let(f"and {same} {second}, splat ({bits} {-(1 << (8 * lanes.item - 1))})")
        raw = code.let(f"bitcast {vector} {value} to {same}")
        raw = code.let(f"xor {same} {raw}, {sign}")
        yield code.let(f"bitcast {same} {raw} to {vector}")
