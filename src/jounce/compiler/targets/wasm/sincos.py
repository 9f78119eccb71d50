"""Sine and cosine in WebAssembly: both at once, for every finite argument.

Small angles are reduced by three terms of pi/2; large ones exactly (Payne and Hanek), in
integers. Infinities and NaN give NaN.
"""

from __future__ import annotations

import struct

from jounce.compiler.targets.sines import (
    COSINE,
    LARGE,
    PI_HALF_BITS,
    PI_HALVES,
    SINE,
    two_over_pi_words,
)

#: 1.5 2^52: adding it rounds to an integer in the low bits of the mantissa.
_MAGIC = 1.5 * 2**52


def table() -> bytes:
    """Return 2/pi, which `reduce` reads from the start of the memory."""
    words = two_over_pi_words()
    return struct.pack(f"<{len(words)}Q", *words)


def _signed_word(word: int) -> int:
    """Return the signed number with these 64 bits."""
    return word - (word >> 63 << 64)


def _horner(coefficients: tuple[float, ...]) -> str:
    """Return a polynomial in $z."""
    text = f"(f64.const {coefficients[-1]!r})"
    for c in reversed(coefficients[:-1]):
        text = f"(f64.add (f64.mul {text} (local.get $z)) (f64.const {c!r}))"
    return text


def _pieces() -> str:
    """Return x - k pi/2."""
    text = "(local.get $x)"
    for piece in PI_HALVES:
        text = f"(f64.sub {text} (f64.mul (local.get $k) (f64.const {piece!r})))"
    return text


def _rotate(even: str, odd: str, quadrant: str) -> str:
    """Return one of two values by the quadrant, negated in its upper two."""
    chosen = f"(select (local.get {odd}) (local.get {even}) (i32.and (local.get $n) (i32.const 1)))"
    sign = f"(i64.shl (i64.extend_i32_u (i32.and {quadrant} (i32.const 2))) (i64.const 62))"
    return f"(f64.reinterpret_i64 (i64.xor (i64.reinterpret_f64 {chosen}) {sign}))"


#: The upper half of a product of 64-bit numbers.
_HIGH = """
(func $high (param $a i64) (param $b i64) (result i64)
  (local $al i64) (local $ah i64) (local $bl i64) (local $bh i64) (local $m i64) (local $n i64)
  (local.set $al (i64.and (local.get $a) (i64.const 4294967295)))
  (local.set $ah (i64.shr_u (local.get $a) (i64.const 32)))
  (local.set $bl (i64.and (local.get $b) (i64.const 4294967295)))
  (local.set $bh (i64.shr_u (local.get $b) (i64.const 32)))
  (local.set $m (i64.add (i64.mul (local.get $ah) (local.get $bl))
    (i64.shr_u (i64.mul (local.get $al) (local.get $bl)) (i64.const 32))))
  (local.set $n (i64.add (i64.mul (local.get $al) (local.get $bh))
    (i64.and (local.get $m) (i64.const 4294967295))))
  (i64.add (i64.mul (local.get $ah) (local.get $bh))
    (i64.add (i64.shr_u (local.get $m) (i64.const 32)) (i64.shr_u (local.get $n) (i64.const 32)))))
"""


def _word(k: int) -> str:
    """Return 64 bits of 2/pi from place $start + 64 k on; shifts use their low six bits."""
    low, high = (f"(i64.load offset={8 * (k + j)} (local.get $at))" for j in (0, 1))
    back = "(i64.sub (i64.const 63) (i64.and (local.get $start) (i64.const 63)))"
    return (
        f"(i64.or (i64.shl {low} (local.get $start))"
        f" (i64.shr_u (i64.shr_u {high} (i64.const 1)) {back}))"
    )


# x = m 2^e with an integer m, so only the bits of 2/pi from place e - 2 on matter: 192 of them
# times m leave 2 bits of quadrant and 126 of fraction, in $h and $l
_REDUCE = f"""
(func $reduce (param $x f64) (result f64 i32)
  (local $m i64) (local $start i64) (local $at i32) (local $h i64) (local $l i64) (local $f i64)
  (local $q i64) (local $minus i64) (local $z i64) (local $r f64)
  (local.set $start (i64.sub (i64.and (i64.shr_u (i64.reinterpret_f64 (local.get $x))
    (i64.const 52)) (i64.const 2047)) (i64.const {1075 - 62})))
  (if (i64.eq (local.get $start) (i64.const {2047 - 1075 + 62}))
    (then (return (f64.sub (local.get $x) (local.get $x)) (i32.const 0))))
  (local.set $m (i64.or (i64.and (i64.reinterpret_f64 (local.get $x)) (i64.const {2**52 - 1}))
    (i64.const {2**52})))
  (local.set $at (i32.wrap_i64 (i64.shl (i64.shr_u (local.get $start) (i64.const 6))
    (i64.const 3))))
  (local.set $f {_word(1)})
  (local.set $h (i64.add (i64.mul {_word(0)} (local.get $m))
    (call $high (local.get $f) (local.get $m))))
  (local.set $f (i64.mul (local.get $f) (local.get $m)))
  (local.set $l (i64.add (local.get $f) (call $high {_word(2)} (local.get $m))))
  (local.set $h (i64.add (local.get $h)
    (i64.extend_i32_u (i64.lt_u (local.get $l) (local.get $f)))))
  (local.set $q (i64.shr_u (local.get $h) (i64.const 62)))
  (local.set $h (i64.or (i64.shl (local.get $h) (i64.const 2))
    (i64.shr_u (local.get $l) (i64.const 62))))
  (local.set $l (i64.shl (local.get $l) (i64.const 2)))
  (local.set $minus (i64.shr_u (local.get $h) (i64.const 63)))
  (local.set $q (i64.add (local.get $q) (local.get $minus)))
  (if (i32.wrap_i64 (local.get $minus)) (then
    (local.set $l (i64.sub (i64.const 0) (local.get $l)))
    (local.set $h (i64.sub (i64.extend_i32_u (i64.eqz (local.get $l)))
      (i64.add (local.get $h) (i64.const 1))))))
  (local.set $z (i64.clz (local.get $h)))
  (if (i64.eqz (local.get $h))
    (then
      (local.set $z (i64.add (i64.const 64) (i64.clz (local.get $l))))
      (local.set $h (i64.shl (local.get $l) (local.get $z))))
    (else (local.set $h (i64.or (i64.shl (local.get $h) (local.get $z))
      (i64.shr_u (i64.shr_u (local.get $l) (i64.const 1))
        (i64.sub (i64.const 63) (local.get $z)))))))
  (local.set $r (f64.mul
    (f64.convert_i64_u (call $high (local.get $h) (i64.const {_signed_word(PI_HALF_BITS)})))
    (f64.reinterpret_i64 (i64.shl (i64.sub (i64.const {1023 - 63}) (local.get $z))
      (i64.const 52)))))
  (if (i32.wrap_i64 (local.get $minus)) (then (local.set $r (f64.neg (local.get $r)))))
  (if (f64.lt (local.get $x) (f64.const 0)) (then
    (local.set $r (f64.neg (local.get $r)))
    (local.set $q (i64.sub (i64.const 0) (local.get $q)))))
  (local.get $r)
  (i32.wrap_i64 (local.get $q)))
"""

# copysign restores the sign of -0.0, which the polynomial would lose
_SINCOS = f"""
(func $sincos (param $x f64) (result f64 f64)
  (local $k f64) (local $r f64) (local $z f64) (local $s f64) (local $c f64) (local $n i32)
  (if (f64.le (f64.abs (local.get $x)) (f64.const {LARGE!r}))
    (then
      (local.set $k (f64.add (f64.mul (local.get $x) (f64.const 0.6366197723675814))
        (f64.const {_MAGIC!r})))
      (local.set $n (i32.wrap_i64 (i64.reinterpret_f64 (local.get $k))))
      (local.set $k (f64.sub (local.get $k) (f64.const {_MAGIC!r})))
      (local.set $r {_pieces()}))
    (else (call $reduce (local.get $x)) (local.set $n) (local.set $r)))
  (local.set $z (f64.mul (local.get $r) (local.get $r)))
  (local.set $s (f64.copysign (f64.add (local.get $r)
    (f64.mul (f64.mul (local.get $r) (local.get $z)) {_horner(SINE["double"])})) (local.get $r)))
  (local.set $c (f64.add (f64.const 1) (f64.mul (local.get $z)
    (f64.add (f64.const -0.5) (f64.mul (local.get $z) {_horner(COSINE["double"])})))))
  {_rotate("$s", "$c", "(local.get $n)")}
  {_rotate("$c", "$s", "(i32.add (local.get $n) (i32.const 1))")})
"""

#: Functions, each after those it calls.
FUNCTIONS = (_HIGH, _REDUCE, _SINCOS)
