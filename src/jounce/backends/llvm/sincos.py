"""Sine and cosine as LLVM text: both at once, on vectors, for every finite argument."""

from __future__ import annotations

from functools import cache

from jounce.backends.llvm.ir import BYTES, Code, number

BITS = {"double": "i64", "float": "i32"}

#: Cody-Waite works below this: k = x 2/pi has at most 19 bits, and 19 + 33 bits fit a double.
LARGE = 2.0**19

# pi/2 in three pieces; products of the first two with k are exact
PI_HALVES = (
    1.5707963267341256e00,
    6.0771005063039660e-11,
    2.0222662487959506e-21,
)

#: pi/2 with 63 bits behind the binary point.
PI_HALF_BITS = 0xC90FDAA22168C235

# minimax polynomials on [-pi/4, pi/4]: sin r = r + r z S(z), cos r = 1 - z/2 + z z C(z), z = r r
SINE = {
    "double": (
        -1.66666666666666324348e-01,
        8.33333333332248946124e-03,
        -1.98412698298579493134e-04,
        2.75573137070700676789e-06,
        -2.50507602534068634195e-08,
        1.58969099521155010221e-10,
    ),
    "float": (-1.6666654611e-1, 8.3321608736e-3, -1.9515295891e-4),
}
COSINE = {
    "double": (
        4.16666666666666019037e-02,
        -1.38888888888741095749e-03,
        2.48015872894767294178e-05,
        -2.75573143513906633035e-07,
        2.08757232129817482790e-09,
        -1.13596475577881948265e-11,
    ),
    "float": (4.166664568298827e-2, -1.388731625493765e-3, 2.443315711809948e-5),
}


@cache
def _two_over_pi() -> list[int]:
    """2/pi as 64-bit words: one word of zeros, then 1344 bits behind the binary point."""
    bits = 1344
    one = 1 << (bits + 64)

    def arctan_of_inverse(n: int) -> int:
        total = term = one // n
        k, sign = 3, -1
        while term:
            term //= n * n
            total += sign * (term // k)
            k, sign = k + 2, -sign
        return total

    pi = 4 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239))
    ratio = (2 * one << bits) // pi
    words = bits // 64
    return [0, *(ratio >> (64 * (words - 1 - k)) & (2**64 - 1) for k in range(words))]


def reduce_large() -> str:
    """Payne-Hanek: x mod pi/2 for one large double, and the quadrant, exactly reduced.

    x = m 2^e with an integer m, so only the bits of 2/pi from place e - 2 on matter (multiples of
    four quadrants drop out): 192 of them times m leave 2 bits of quadrant and 126 of fraction.
    """
    code = Code()
    bits = code.let("bitcast double %x to i64")
    biased = code.let(f"and i64 {code.let(f'lshr i64 {bits}, 52')}, 2047")
    fraction = code.let(f"and i64 {bits}, {2**52 - 1}")
    m = code.let(f"or i64 {fraction}, {2**52}")
    start = code.let(f"sub i64 {biased}, {1075 - 62}")
    # infinities and NaN read from a valid place; their result is replaced at the end
    special = code.let(f"icmp eq i64 {biased}, 2047")
    start = code.let(f"select i1 {special}, i64 64, i64 {start}")
    word = code.let(f"lshr i64 {start}, 6")
    shift = code.let(f"and i64 {start}, 63")
    table = code.let(f"getelementptr i64, ptr @two_over_pi, i64 {word}")
    T = [code.let(f"load i64, ptr {code.offset(table, 8 * k)}") for k in range(4)]
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
    rest = code.let(f"shl i128 {Y}, 2")
    negative = code.let(f"icmp slt i128 {rest}, 0")
    up = code.let(f"zext i1 {negative} to i64")
    quadrant = code.let(f"add i64 {quadrant}, {up}")
    size = code.let(f"select i1 {negative}, i128 {code.let(f'sub i128 0, {rest}')}, i128 {rest}")
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
    code.emit(f"store double {r}, ptr %remainder")
    code.emit(f"store i64 {quadrant}, ptr %quadrant")
    code.emit("ret void")
    words = ", ".join(f"i64 {w}" for w in _two_over_pi())
    table_text = f"@two_over_pi = internal constant [{len(_two_over_pi())} x i64] [{words}]\n"
    signature = "internal void @reduce_large(double %x, ptr %remainder, ptr %quadrant)"
    return table_text + code.function(signature, "#1")


def sincos(scalar: str, width: int, attributes: str) -> str:
    """Sines and cosines of many slots: (workspace, table, how many).

    The table holds three byte offsets into the workspace per angle: argument, sine, cosine. Both
    are within 2 units in the last place up to ten turns and from LARGE on, within 3 between (there
    the reduced angle is rounded twice); infinities and NaN give NaN in their own lane.
    """
    vector, doubles = f"<{width} x {scalar}>", f"<{width} x double>"
    integers = f"<{width} x i64>"
    align = BYTES[scalar] * width
    code = Code()
    spare_r = code.let(f"alloca {doubles}, align 64")
    spare_q = code.let(f"alloca {integers}, align 64")

    def op(name: str, kind: str, a: str, b: str) -> str:
        return code.let(f"{name} {kind} {a}, {b}")

    def splat(value: float, of: str) -> str:
        return f"splat ({of} {number(value, of)})"

    with code.loop("%angles") as i:
        entry = code.offset("%table", code.let(f"mul i64 {i}, 12"))
        places = []
        for k in range(3):
            offset = code.let(f"load i32, ptr {code.offset(entry, 4 * k)}")
            places.append(code.offset("%ws", code.let(f"zext i32 {offset} to i64")))
        given = code.let(f"load {vector}, ptr {places[0]}, align {align}")
        x = given if scalar == "double" else code.let(f"fpext {vector} {given} to {doubles}")
        # k = round(x 2/pi): adding 1.5 2^52 leaves k in the low bits of the mantissa
        magic = splat(1.5 * 2**52, "double")
        scaled = op("fmul contract", doubles, x, splat(0.6366197723675814, "double"))
        moved = op("fadd contract", doubles, scaled, magic)
        k = op("fsub", doubles, moved, magic)
        quadrants = code.let(f"bitcast {doubles} {moved} to {integers}")
        r = x
        for piece in PI_HALVES:
            product = op("fmul contract", doubles, k, splat(piece, "double"))
            r = op("fsub contract", doubles, r, product)
        size = code.let(f"call {doubles} @llvm.fabs.v{width}f64({doubles} {x})")
        large = op("fcmp ugt", doubles, size, splat(LARGE, "double"))
        lanes = code.let(f"bitcast <{width} x i1> {large} to i{width}")
        any_large = code.let(f"icmp ne i{width} {lanes}, 0")
        fast = code.block
        slow, done = code.label(), code.label()
        code.emit(f"br i1 {any_large}, label %{slow}, label %{done}")
        code.start(slow)
        code.emit(f"store {doubles} {r}, ptr {spare_r}, align 64")
        code.emit(f"store {integers} {quadrants}, ptr {spare_q}, align 64")
        for lane in range(width):
            flag = code.let(f"extractelement <{width} x i1> {large}, i64 {lane}")
            with code.when(flag):
                one = code.let(f"extractelement {doubles} {x}, i64 {lane}")
                to_r, to_q = code.offset(spare_r, 8 * lane), code.offset(spare_q, 8 * lane)
                code.emit(f"call void @reduce_large(double {one}, ptr {to_r}, ptr {to_q})")
        slow_r = code.let(f"load {doubles}, ptr {spare_r}, align 64")
        slow_q = code.let(f"load {integers}, ptr {spare_q}, align 64")
        slow = code.block
        code.emit(f"br label %{done}")
        code.start(done)
        r = code.let(f"phi {doubles} [{r}, %{fast}], [{slow_r}, %{slow}]")
        quadrants = code.let(f"phi {integers} [{quadrants}, %{fast}], [{slow_q}, %{slow}]")
        if scalar == "float":
            r = code.let(f"fptrunc {doubles} {r} to {vector}")

        def horner(coefficients: tuple[float, ...], z: str) -> str:
            total = splat(coefficients[-1], scalar)
            for c in reversed(coefficients[:-1]):
                product = op("fmul contract", vector, total, z)
                total = op("fadd contract", vector, product, splat(c, scalar))
            return total

        z = op("fmul", vector, r, r)
        rz = op("fmul", vector, r, z)
        sine = op("fmul contract", vector, rz, horner(SINE[scalar], z))
        sine = op("fadd contract", vector, r, sine)
        inner = op("fmul contract", vector, z, horner(COSINE[scalar], z))
        inner = op("fadd contract", vector, inner, splat(-0.5, scalar))
        cosine = op("fmul contract", vector, z, inner)
        cosine = op("fadd contract", vector, cosine, splat(1.0, scalar))
        odd = code.let(f"trunc {integers} {quadrants} to <{width} x i1>")
        turned_s = code.let(f"select <{width} x i1> {odd}, {vector} {cosine}, {vector} {sine}")
        turned_c = code.let(f"select <{width} x i1> {odd}, {vector} {sine}, {vector} {cosine}")
        # the sine is negative in quadrants 2 and 3, the cosine in 1 and 2
        bits, same = BITS[scalar], f"<{width} x {BITS[scalar]}>"
        if scalar == "float":
            quadrants = code.let(f"trunc {integers} {quadrants} to {same}")
        next_quadrant = op("add", same, quadrants, f"splat ({bits} 1)")
        for value, q, place in (
            (turned_s, quadrants, places[1]),
            (turned_c, next_quadrant, places[2]),
        ):
            second = op("and", same, q, f"splat ({bits} 2)")
            sign = op("shl", same, second, f"splat ({bits} {8 * BYTES[scalar] - 2})")
            raw = code.let(f"bitcast {vector} {value} to {same}")
            raw = op("xor", same, raw, sign)
            signed = code.let(f"bitcast {same} {raw} to {vector}")
            code.emit(f"store {vector} {signed}, ptr {place}, align {align}")
    code.emit("ret void")
    return code.function("internal void @sincos(ptr %ws, ptr %table, i64 %angles)", attributes)
