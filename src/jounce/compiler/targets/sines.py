"""Coefficients of sine and cosine, for the targets that compute them without a library."""

from __future__ import annotations

from functools import cache

#: Cody-Waite works below this: k = x 2/pi has at most 19 bits, and 19 + 33 bits fit a double.
LARGE = 2.0**19

# pi/2 in three pieces; products of the first two with k are exact
PI_HALVES = (
    1.5707963267341256e00,
    6.0771005063039660e-11,
    2.0222662487959506e-21,
)

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

#: pi/2 with 63 bits behind the binary point.
PI_HALF_BITS = 0xC90FDAA22168C235


@cache
def two_over_pi_words() -> list[int]:
    """2/pi as 64-bit words: one word of zeros, then 1344 bits behind the binary point."""
    bits = 1344
    unit = 1 << (bits + 64)

    def arctan_of_inverse(n: int) -> int:
        total = term = unit // n
        k, sign = 3, -1
        while term:
            term //= n * n
            total += sign * (term // k)
            k, sign = k + 2, -sign
        return total

    pi = 4 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239))
    ratio = (2 * unit << bits) // pi
    words = bits // 64
    return [0, *(ratio >> (64 * (words - 1 - k)) & (2**64 - 1) for k in range(words))]
