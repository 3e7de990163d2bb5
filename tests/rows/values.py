"""Operands: named special values, and random ones from several distributions."""

from fractions import Fraction

from exact import F16, F32, F64, signed, wrap


def float_specials(fmt):
    """Special values of a float format, by name."""
    negative = fmt.sign
    ulp = Fraction(1, 2**fmt.fraction_bits)
    halves = [Fraction(1, 2), Fraction(3, 2), Fraction(5, 2), Fraction(-1, 2), Fraction(-5, 2)]
    named = [
        ("+0", 0),
        ("-0", negative),
        ("1", fmt.one),
        ("-1", negative | fmt.one),
        ("+inf", fmt.infinity),
        ("-inf", negative | fmt.infinity),
        ("NaN", fmt.nan),
        ("NaN with payload", fmt.nan | 0x35),
        ("signalling NaN", fmt.infinity | 1),
        ("NaN with sign and payload", negative | fmt.nan | 0x123),
        ("smallest denormal", 1),
        ("-smallest denormal", negative | 1),
        ("largest denormal", fmt.least_normal - 1),
        ("-largest denormal", negative | fmt.least_normal - 1),
        ("smallest normal", fmt.least_normal),
        ("-smallest normal", negative | fmt.least_normal),
        ("largest finite", fmt.largest),
        ("-largest finite", negative | fmt.largest),
        ("1 + ulp", fmt.one + 1),
        ("1 - ulp", fmt.one - 1),
        ("-tiny", negative | fmt.one - ((fmt.fraction_bits + 2) << fmt.fraction_bits)),
    ]
    named += [(f"{float(half)}", fmt.of(half)) for half in halves]
    named += [
        ("half below the last integral unit", fmt.of(2 ** (fmt.fraction_bits - 1) + Fraction(1, 2))),
        ("-(half above an odd integer)", fmt.of(-(2 ** (fmt.fraction_bits - 1)) - Fraction(3, 2))),
        ("first without fraction", fmt.of(2**fmt.fraction_bits + 1)),
        ("0.1", fmt.of(Fraction(1, 10))),
        ("0.5 - ulp", fmt.of(Fraction(1, 2)) - 1),
        ("1 + half of the digits", fmt.of(1 + ulp * 2 ** (fmt.fraction_bits // 2))),
    ]
    return named


def float_to_integer_edges(fmt):
    """Around the ends of the ranges of integers."""
    numbers = [2**31, 2**31 - 128, -(2**31), -(2**31) - 256, 2**32, 2**32 - 256, 2**24 + 2, 2**63, 10**20, -(10**20)]
    numbers += [Fraction(-9, 10), Fraction(9, 10), Fraction(-199, 100), Fraction(5, 2)]
    if fmt is F64:
        numbers += [2**31 - Fraction(1, 2), 2**32 - Fraction(1, 2), -(2**31) - Fraction(1, 2), 2**31 - 1, 2**32 - 1, -(2**31)]
    if fmt is F16:
        numbers = [65504, -65504, 2048, Fraction(4095, 2), Fraction(-9, 10), Fraction(9, 10), Fraction(-199, 100)]
    return [(f"{float(number):.12g}", fmt.of(number)) for number in numbers]


INTEGER_SPECIALS = [
    ("0", 0),
    ("1", 1),
    ("-1", 0xFFFFFFFF),
    ("2^31 - 1", 0x7FFFFFFF),
    ("-2^31", 0x80000000),
    ("-2^31 + 1", 0x80000001),
    ("-2", 0xFFFFFFFE),
    ("2^16 - 1", 0xFFFF),
    ("2^16", 0x10000),
    ("2^24 + 1", 0x1000001),
    ("2^24 + 3", 0x1000003),
    ("2^25 + 3", 0x2000003),
    ("alternating bits", 0x55555555),
    ("alternating bits, inverted", 0xAAAAAAAA),
    ("2^32 - 129", 0xFFFFFF7F),
    ("2^32 - 128", 0xFFFFFF80),
    ("-(2^24 + 1)", wrap(-(2**24) - 1)),
    ("2^31 - 64", 0x7FFFFFC0),
]

COUNTS = [("0", 0), ("1", 1), ("31", 31), ("32", 32), ("33", 33), ("63", 63), ("-1", 0xFFFFFFFF), ("2^31", 0x80000000), ("16", 16), ("100", 100)]


def random_float(rng, fmt):
    choice = rng.random()
    if choice < 0.1:
        return rng.getrandbits(fmt.bits)
    if choice < 0.25:
        return fmt.of(Fraction(rng.randrange(-200, 201), 2 ** rng.randrange(0, 4)))
    # Exponents near 0, so that results are mostly in range.
    spread = 3 if choice < 0.7 else fmt.bias // 8
    exponent = fmt.bias + rng.randrange(-spread, spread + 1)
    return rng.getrandbits(1) * fmt.sign | exponent << fmt.fraction_bits | rng.getrandbits(fmt.fraction_bits)


def random_integer(rng):
    choice = rng.random()
    if choice < 0.3:
        return rng.getrandbits(32)
    if choice < 0.6:
        return rng.getrandbits(rng.randrange(1, 33))
    return wrap(rng.randrange(-1000, 1000))


def near(rng, fmt, bits):
    """A value close to another, so that sums cancel."""
    return wrap(bits + rng.randrange(-3, 4), fmt.bits) ^ rng.getrandbits(1) * fmt.sign


class Kind:
    """How operands of a kind are made: named special values and random ones."""

    def __init__(self, specials, random, bits):
        self.specials = specials
        self.random = random
        self.bits = bits

    def name(self, bits):
        for name, value in self.specials:
            if value == bits:
                return name
        return f"{bits:0{self.bits // 4}x}"

    def with_specials(self, more):
        return Kind(more + self.specials, self.random, self.bits)


FLOAT16 = Kind(float_specials(F16), lambda rng: random_float(rng, F16), 16)
FLOAT32 = Kind(float_specials(F32), lambda rng: random_float(rng, F32), 32)
FLOAT64 = Kind(float_specials(F64), lambda rng: random_float(rng, F64), 64)
INTEGER = Kind(INTEGER_SPECIALS, random_integer, 32)
COUNT = Kind(COUNTS, lambda rng: rng.randrange(0, 40), 32)
BOOLEAN = Kind([("false", 0), ("true", 1)], lambda rng: rng.getrandbits(1), 32)
# What tests of a word take: any bit set is true.
CONDITION = Kind(
    [("all ones", 0xFFFFFFFF), ("0", 0), ("1", 1), ("only the sign bit", 0x80000000), ("1.0", 0x3F800000), ("2", 2), ("NaN", 0x7FC00000)],
    lambda rng: rng.choice([0, 0xFFFFFFFF]),
    32,
)


def pairs(fmt):
    """Pairs of special operands for operations of two floats."""
    negative, tiny = fmt.sign, fmt.least_normal
    inf, nan = fmt.infinity, fmt.nan
    half_ulp = fmt.one - ((fmt.fraction_bits + 1) << fmt.fraction_bits)
    return [
        (inf, negative | inf),
        (inf, inf),
        (negative | inf, negative | inf),
        (0, inf),
        (negative | inf, 0),
        (0, negative),
        (negative, 0),
        (0, 0),
        (negative, negative),
        (nan, fmt.one),
        (fmt.one, nan),
        (inf | 1, negative | nan | 0x123),
        (nan, negative | inf),
        (1, 0),
        (0, negative | 1),
        (tiny - 1, 1),
        (tiny, tiny - 1),
        (fmt.largest, fmt.largest),
        (fmt.largest, negative | fmt.largest),
        (fmt.largest, fmt.of(Fraction(1, 2))),
        (tiny, fmt.of(Fraction(1, 2))),
        (tiny, fmt.of(2)),
        (tiny + 1, negative | tiny),
        (fmt.one, half_ulp),
        (fmt.one + 1, half_ulp),
        (fmt.one, half_ulp + 1),
        (fmt.one, 0),
        (negative | fmt.one, 0),
        (fmt.one, negative),
        (fmt.one, inf),
        (fmt.one, negative | inf),
        (fmt.of(2**fmt.fraction_bits), fmt.of(Fraction(1, 2))),
        (fmt.of(2 ** (fmt.fraction_bits + 1)), fmt.one),
        (fmt.of(3), negative | fmt.of(3)),
    ]


INTEGER_PAIRS = [
    (0, 0),
    (1, 0),
    (0xFFFFFFFF, 0),
    (0x80000000, 0),
    (0x80000000, 0xFFFFFFFF),
    (0xFFFFFFFF, 1),
    (0xFFFFFFFF, 0xFFFFFFFF),
    (0x7FFFFFFF, 1),
    (0x7FFFFFFF, 0x7FFFFFFF),
    (0x80000000, 0x80000000),
    (0x80000000, 0x7FFFFFFF),
    (0, 1),
    (1, 2),
    (0xFFFF, 0x10001),
    (0x10000, 0x10000),
    (7, wrap(-2)),
    (wrap(-7), 2),
    (wrap(-7), wrap(-2)),
    (0x12345678, 0x9ABCDEF0),
    (0x55555555, 0xAAAAAAAA),
]

assert signed(0xFFFFFFFF) == -1
