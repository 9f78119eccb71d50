"""Text of the LLVM functions every kernel shares: moving rows into SIMD lanes, and sincos.

Each function here returns the definition of one LLVM function for `width` lanes of `scalar`
("double" or "float"). A workspace slot is one vector: the same quantity of `width` samples.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

#: Core axes an operand may have; fewer are padded with length 1.
MAX_AXES = 4

BYTES = {"double": 8, "float": 4}
BITS = {"double": "i64", "float": "i32"}


class Code:
    """LLVM text under construction: fresh names, blocks, counted loops."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.block = "entry"
        self._fresh = 0

    def emit(self, line: str) -> None:
        """One instruction without a result."""
        self.lines.append("  " + line)

    def let(self, instruction: str) -> str:
        """One instruction with a result; returns its name."""
        name = f"%t{self._fresh}"
        self._fresh += 1
        self.lines.append(f"  {name} = {instruction}")
        return name

    def label(self) -> str:
        """A fresh block name."""
        self._fresh += 1
        return f"b{self._fresh}"

    def start(self, block: str) -> None:
        """Begin a block."""
        self.lines.append(f"{block}:")
        self.block = block

    def offset(self, base: str, bytes_: str | int) -> str:
        """Pointer `bytes_` beyond `base`."""
        return self.let(f"getelementptr i8, ptr {base}, i64 {bytes_}")

    @contextmanager
    def loop(self, stop: str | int, step: int = 1) -> Iterator[str]:
        """Counted loop from 0 while less than `stop`; yields the counter."""
        head, body, done = self.label(), self.label(), self.label()
        counter = f"%i{self._fresh}"
        before = self.block
        self.emit(f"br label %{head}")
        self.start(head)
        slot = len(self.lines)
        self.lines.append("")
        more = self.let(f"icmp slt i64 {counter}, {stop}")
        self.emit(f"br i1 {more}, label %{body}, label %{done}")
        self.start(body)
        yield counter
        following = self.let(f"add i64 {counter}, {step}")
        self.emit(f"br label %{head}")
        self.lines[slot] = f"  {counter} = phi i64 [0, %{before}], [{following}, %{self.block}]"
        self.start(done)

    @contextmanager
    def when(self, condition: str) -> Iterator[None]:
        """Code that runs only if the i1 `condition` holds."""
        body, done = self.label(), self.label()
        self.emit(f"br i1 {condition}, label %{body}, label %{done}")
        self.start(body)
        yield
        self.emit(f"br label %{done}")
        self.start(done)

    def function(self, signature: str, attributes: str) -> str:
        """The whole function definition."""
        return "\n".join([f"define {signature} {attributes} {{", "entry:", *self.lines, "}", ""])


def _row_pointers(code: Code, width: int, base: str) -> list[str]:
    """Pointers to the rows of `width` samples.

    Lanes past the last sample point at the last sample: they compute (and store) the same numbers
    again, so a tail needs no code of its own.
    """
    last = code.let("sub i64 %count, 1")
    rows = []
    for lane in range(width):
        late = code.let(f"icmp slt i64 {last}, {lane}")
        sample = code.let(f"select i1 {late}, i64 {last}, i64 {lane}")
        rows.append(code.offset(base, code.let(f"mul i64 {sample}, %step")))
    return rows


def _transpose(code: Code, vector: str, width: int, rows: list[str]) -> list[str]:
    """Columns of square blocks held as row vectors: a round of shuffles per factor of two.

    With n row vectors of n lanes this is their transpose; with fewer, n x n blocks that lie side
    by side in the vectors are each transposed.
    """
    block = 1
    while block < len(rows):
        turned = list(rows)
        low = [j if not j & block else width + j - block for j in range(width)]
        high = [j + block if not j & block else width + j for j in range(width)]
        for i in range(len(rows)):
            if not i & block:
                pair = f"{vector} {rows[i]}, {vector} {rows[i + block]}"
                for target, order in ((i, low), (i + block, high)):
                    mask = ", ".join(f"i32 {j}" for j in order)
                    turned[target] = code.let(
                        f"shufflevector {pair}, <{width} x i32> <{mask}>"
                    )
        rows, block = turned, 2 * block
    return rows


def _tail_mask(code: Code, width: int, left: str) -> str:
    """Mask of the first `left` lanes."""
    lanes = ", ".join(f"i64 {j}" for j in range(width))
    first = code.let(f"insertelement <{width} x i64> poison, i64 {left}, i64 0")
    zeros = f"<{width} x i32> zeroinitializer"
    many = code.let(f"shufflevector <{width} x i64> {first}, <{width} x i64> poison, {zeros}")
    return code.let(f"icmp ult <{width} x i64> <{lanes}>, {many}")


def pack_rows(scalar: str, width: int, attributes: str) -> str:
    """Contiguous rows to slots: (base, step, size, count, slots).

    Moves `size` values of `count` <= width samples, `step` bytes apart, by width x width
    transposes in registers.
    """
    vector, item = f"<{width} x {scalar}>", BYTES[scalar]
    slot_bytes = item * width
    code = Code()
    rows = _row_pointers(code, width, "%base")

    def block(start: str, mask: str | None) -> None:
        slots = code.offset("%slots", code.let(f"mul i64 {start}, {slot_bytes}"))
        skip = code.let(f"mul i64 {start}, {item}")
        lines = []
        for row in rows:
            memory = code.offset(row, skip)
            if mask is None:
                lines.append(code.let(f"load {vector}, ptr {memory}, align {item}"))
            else:
                lines.append(
                    code.let(
                        f"call {vector} @llvm.masked.load.v{width}f{8 * item}.p0(ptr {memory},"
                        f" i32 {item}, <{width} x i1> {mask}, {vector} zeroinitializer)"
                    )
                )
        for k, column in enumerate(_transpose(code, vector, width, lines)):
            place = code.offset(slots, k * slot_bytes)
            code.emit(f"store {vector} {column}, ptr {place}, align {slot_bytes}")

    left = code.let(f"urem i64 %size, {width}")
    full = code.let(f"sub i64 %size, {left}")
    with code.loop(full, width) as start:
        block(start, None)
    some = code.let(f"icmp ne i64 {left}, 0")
    with code.when(some):
        block(full, _tail_mask(code, width, left))
    code.emit("ret void")
    arguments = "ptr %base, i64 %step, i64 %size, i64 %count, ptr noalias %slots"
    return code.function(f"internal void @pack_rows({arguments})", attributes)


def unpack_rows(scalar: str, width: int, attributes: str) -> str:
    """Slots to contiguous rows: (base, step, size, count, workspace, table).

    The table gives the byte offset of each value's slot, so that equal outputs share one. Most of
    the time of kernels with many outputs goes here. Slots are read in pieces of 128 bits, two
    pieces joined while loading (no shuffle port), and only small transposes inside the 128-bit
    halves remain. A few rows at a time are written from end to end: the lines of more rows can
    fall on the same places of the cache.
    """
    item = BYTES[scalar]
    piece = 16 // item
    halves = 2 if item * width >= 32 else 1
    columns = halves * piece
    small, line = f"<{piece} x {scalar}>", f"<{columns} x {scalar}>"
    code = Code()
    rows = _row_pointers(code, width, "%base")
    group = min(width, max(piece, 4))
    left = code.let(f"urem i64 %size, {columns}")
    full = code.let(f"sub i64 %size, {left}")

    def read(slots: list[str], lane: int) -> str:
        """Lanes `lane`... of one slot, and of another behind them."""
        parts = [
            code.let(f"load {small}, ptr {code.offset(slot, lane * item)}, align 16")
            for slot in slots
        ]
        if halves == 1:
            return parts[0]
        order = ", ".join(f"i32 {j}" for j in range(columns))
        return code.let(
            f"shufflevector {small} {parts[0]}, {small} {parts[1]}, <{columns} x i32> <{order}>"
        )

    def write(start: str, first: int, targets: list[str], mask: str | None) -> None:
        entry = code.offset("%table", code.let(f"mul i64 {start}, 4"))
        skip = code.let(f"mul i64 {start}, {item}")
        slots = []
        for k in range(columns):
            offset = code.let(f"load i32, ptr {code.offset(entry, 4 * k)}, align 4")
            slots.append(code.offset("%ws", code.let(f"zext i32 {offset} to i64")))
        for lane in range(0, group, piece):
            parts = [read(slots[k::piece], first + lane) for k in range(piece)]
            lines = _transpose(code, line, columns, parts)
            for target, values in zip(targets[lane : lane + piece], lines, strict=True):
                memory = code.offset(target, skip)
                if mask is None:
                    code.emit(f"store {line} {values}, ptr {memory}, align {item}")
                else:
                    code.emit(
                        f"call void @llvm.masked.store.v{columns}f{8 * item}.p0({line} {values},"
                        f" ptr {memory}, i32 {item}, <{columns} x i1> {mask})"
                    )

    some = code.let(f"icmp ne i64 {left}, 0")
    for first in range(0, width, group):
        targets = rows[first : first + group]
        with code.loop(full, columns) as start:
            write(start, first, targets, None)
        with code.when(some):
            write(full, first, targets, _tail_mask(code, columns, left))
    code.emit("ret void")
    arguments = "ptr %base, i64 %step, i64 %size, i64 %count, ptr %ws, ptr %table"
    return code.function(f"internal void @unpack_rows({arguments})", attributes)


def strided_mover(name: str, scalar: str, width: int, attributes: str) -> str:
    """pack or unpack for any strides: (base, step, shape, strides, count, workspace, table).

    shape and strides point at MAX_AXES integers each; the table holds the byte offset of each
    value's slot. Handles single samples (count = 1) and
    batches that are contiguous along the batch axis (Fortran order) without a loop over lanes.
    """
    vector, item = f"<{width} x {scalar}>", BYTES[scalar]
    slot_bytes = item * width
    pack = name == "pack"
    code = Code()
    sizes, strides = [], []
    for axis in range(MAX_AXES):
        sizes.append(code.let(f"load i64, ptr {code.offset('%shape', 8 * axis)}"))
        strides.append(code.let(f"load i64, ptr {code.offset('%strides', 8 * axis)}"))
    single = code.let("icmp eq i64 %count, 1")
    full = code.let(f"icmp eq i64 %count, {width}")
    dense = code.let(f"icmp eq i64 %step, {item}")
    along = code.let(f"and i1 {full}, {dense}")
    last = code.let("sub i64 %count, 1")

    def element(memory: str, slot: str) -> None:
        one, vectors, many, lanes, done = (code.label() for _ in range(5))
        code.emit(f"br i1 {single}, label %{one}, label %{many}")
        code.start(many)
        code.emit(f"br i1 {along}, label %{vectors}, label %{lanes}")
        code.start(one)
        if pack:
            x = code.let(f"load {scalar}, ptr {memory}, align {item}")
            head = code.let(f"insertelement {vector} poison, {scalar} {x}, i64 0")
            zeros = f"<{width} x i32> zeroinitializer"
            spread = code.let(f"shufflevector {vector} {head}, {vector} poison, {zeros}")
            code.emit(f"store {vector} {spread}, ptr {slot}, align {slot_bytes}")
        else:
            x = code.let(f"load {scalar}, ptr {slot}, align {item}")
            code.emit(f"store {scalar} {x}, ptr {memory}, align {item}")
        code.emit(f"br label %{done}")
        code.start(vectors)
        source, target = (memory, slot) if pack else (slot, memory)
        x = code.let(f"load {vector}, ptr {source}, align {item}")
        code.emit(f"store {vector} {x}, ptr {target}, align {item}")
        code.emit(f"br label %{done}")
        code.start(lanes)
        with code.loop(width) as lane:
            late = code.let(f"icmp slt i64 {last}, {lane}")
            sample = code.let(f"select i1 {late}, i64 {last}, i64 {lane}")
            there = code.offset(memory, code.let(f"mul i64 {sample}, %step"))
            here = code.offset(slot, code.let(f"mul i64 {lane}, {item}"))
            source, target = (there, here) if pack else (here, there)
            x = code.let(f"load {scalar}, ptr {source}, align {item}")
            code.emit(f"store {scalar} {x}, ptr {target}, align {item}")
        code.emit(f"br label %{done}")
        code.start(done)

    def nest(axis: int, memory: str, index: str) -> None:
        if axis == MAX_AXES:
            entry = code.offset("%table", code.let(f"mul i64 {index}, 4"))
            offset = code.let(f"load i32, ptr {entry}, align 4")
            element(memory, code.offset("%ws", code.let(f"zext i32 {offset} to i64")))
            return
        scaled = code.let(f"mul i64 {index}, {sizes[axis]}")
        with code.loop(sizes[axis]) as i:
            inner = code.offset(memory, code.let(f"mul i64 {i}, {strides[axis]}"))
            nest(axis + 1, inner, code.let(f"add i64 {scaled}, {i}"))

    nest(0, "%base", "0")
    code.emit("ret void")
    arguments = (
        "ptr %base, i64 %step, ptr %shape, ptr %strides, i64 %count, ptr noalias %ws, ptr %table"
    )
    return code.function(f"internal void @{name}_strided({arguments})", attributes)


# ------------------------------------------------------------------ sine and cosine

#: Cody-Waite works below this: k = x 2/pi has at most 19 bits, and 19 + 33 bits fit a double.
_LARGE = 2.0**19

# pi/2 in three pieces; products of the first two with k are exact
_PI_HALVES = (
    1.5707963267341256e00,
    6.0771005063039660e-11,
    2.0222662487959506e-21,
)

# minimax polynomials on [-pi/4, pi/4]: sin r = r + r z S(z), cos r = 1 - z/2 + z z C(z), z = r r
_SIN = {
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
_COS = {
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


def number(value: float, scalar: str = "double") -> str:
    """LLVM spelling of a floating-point constant, exact to the bit."""
    import struct

    if scalar == "float":
        value = struct.unpack("f", struct.pack("f", value))[0]
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


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
    mantissa = code.let(f"uitofp i64 {code.let(f'trunc i128 {top} to i64')} to double")
    exponent = code.let(f"sub i64 {1023 - 64}, {code.let(f'trunc i128 {zeros} to i64')}")
    scale = code.let(f"bitcast i64 {code.let(f'shl i64 {exponent}, 52')} to double")
    turn = code.let(f"fmul double {mantissa}, {scale}")
    small = code.let(f"fmul contract double {turn}, {number(6.123233995736766e-17)}")
    large = code.let(f"fmul contract double {turn}, {number(1.5707963267948966)}")
    r = code.let(f"fadd contract double {large}, {small}")
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
    are within 2 ulp for every finite argument; infinities and NaN give NaN in their own lane.
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
        for piece in _PI_HALVES:
            product = op("fmul contract", doubles, k, splat(piece, "double"))
            r = op("fsub contract", doubles, r, product)
        size = code.let(f"call {doubles} @llvm.fabs.v{width}f64({doubles} {x})")
        large = op("fcmp ugt", doubles, size, splat(_LARGE, "double"))
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
        sine = op("fmul contract", vector, rz, horner(_SIN[scalar], z))
        sine = op("fadd contract", vector, r, sine)
        inner = op("fmul contract", vector, z, horner(_COS[scalar], z))
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
