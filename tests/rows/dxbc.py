"""Rows for the instructions of DXBC. Sections are those of the Direct3D 11.3 functional specification, trap numbers those of README.md."""

import itertools
import random

from exact import F16, F32, F64, Floats, convert, signed, to_integer, wrap
from layout import Block
from values import (
    CONDITION,
    COUNT,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INTEGER,
    INTEGER_PAIRS,
    Kind,
    float_to_integer_edges,
    near,
    pairs,
)

S = Floats(F32, flush=True)  # 3.1.3: denormals are flushed
D = Floats(F64)  # 3.1.4: f64 keeps them
ONES = 0xFFFFFFFF


def mask(condition):
    return ONES if condition else 0


def minimum(floats, a, b, smallest):
    """22.10.10: NaN loses. Two zeros of different sign and denormals of either kind are left out: their results are open."""
    fmt = floats.fmt
    if floats.flush and (fmt.is_denormal(a) or fmt.is_denormal(b)):
        return None
    if fmt.is_nan(a) and fmt.is_nan(b):
        return fmt.nan
    if fmt.is_nan(a):
        return b
    if fmt.is_nan(b):
        return a
    order = floats.compare(a, b)
    if order == 0:
        return a if a == b else None
    return a if (order < 0) == smallest else b


def saturate(floats, bits):
    """22.19.1: min(1, max(0, v)), NaN gives 0. The order of -0 and +0 is open."""
    fmt = floats.fmt
    if bits is None or bits == fmt.sign:
        return None
    if fmt.is_nan(bits) or fmt.is_negative(bits):
        return 0
    return min(bits, fmt.one)


def divide(a, b):
    """22.12.9"""
    return (ONES, ONES) if b == 0 else (a // b, a % b)


def extract(width, offset, base, is_signed):
    """22.11: the low five bits of width and offset; the field is cut off at bit 31; a width of 0 gives 0."""
    width, offset = width & 31, offset & 31
    if width == 0:
        return 0
    width = min(width, 32 - offset)
    field = base >> offset & ((1 << width) - 1)
    return wrap(signed(field, width)) if is_signed else field


def insert(width, offset, source, base):
    """22.11: the low five bits of width and offset."""
    width, offset = width & 31, offset & 31
    field = wrap(((1 << width) - 1) << offset)
    return source << offset & field | base & ~field & ONES


def absolute_differences(reference, source, total):
    """22.12.14: bytes of the reference that are 0 do not count. What an overflow gives is open."""
    for shift in (0, 8, 16, 24):
        a, b = reference >> shift & 255, source >> shift & 255
        total += abs(a - b) if a else 0
    return total if total <= ONES else None


def first_high(bits):
    return 32 - bits.bit_length() if bits else ONES


def truth(word):
    return word != 0


def flushed(bits):
    return S.operand(bits)


# mnemonic: section, what it computes from its sources. Kinds of operands come from KINDS.
RULES = {
    # f32
    "add": ("3.1.3", S.add),
    "mul": ("22.10", S.mul),
    "div": ("3.1.3", S.div),
    "rcp": ("22.10.18", S.rcp),
    "sqrt": ("22.10.21", S.sqrt),
    "rsq": ("22.10.19", S.rsqrt),
    "exp": ("22.10.6", S.exp2),
    "log": ("22.10.8", S.log2),
    "sincos": ("22.10.20", lambda a: (S.sin(a), S.cos(a))),
    "frc": ("22.10.7", S.frc),
    "round_ne": ("22.10", S.nearest),
    "round_ni": ("22.10", S.floor),
    "round_pi": ("22.10", S.ceil),
    "round_z": ("22.10", S.trunc),
    "mad": ("22.10", S.mad),
    "min": ("22.10.10", lambda a, b: minimum(S, a, b, True)),
    "max": ("22.10.10", lambda a, b: minimum(S, a, b, False)),
    "eq": ("3.1.3", lambda a, b: mask(S.eq(a, b))),
    "ne": ("3.1.3", lambda a, b: mask(not S.eq(a, b))),
    "lt": ("3.1.3", lambda a, b: mask(S.lt(a, b))),
    "ge": ("3.1.3", lambda a, b: mask(S.le(b, a))),
    # f64
    "dadd": ("3.1.4", D.add),
    "dmul": ("3.1.4", D.mul),
    "ddiv": ("3.1.4", D.div),
    "drcp": ("3.1.4", D.rcp),
    "dfma": ("3.1.4", D.fma),
    "dmin": ("22.10.10", lambda a, b: minimum(D, a, b, True)),
    "dmax": ("22.10.10", lambda a, b: minimum(D, a, b, False)),
    "deq": ("3.1.3", lambda a, b: mask(D.eq(a, b))),
    "dne": ("3.1.3", lambda a, b: mask(not D.eq(a, b))),
    "dlt": ("3.1.3", lambda a, b: mask(D.lt(a, b))),
    "dge": ("3.1.3", lambda a, b: mask(D.le(b, a))),
    # Conversions
    "ftoi": ("22.13.3", lambda a: wrap(to_integer(F32, a, -(2**31), 2**31 - 1))),
    "ftou": ("22.13.4", lambda a: to_integer(F32, a, 0, ONES)),
    "itof": ("22.13.5", lambda a: F32.of(signed(a))),
    "utof": ("22.13.6", lambda a: F32.of(a)),
    "f32tof16": ("3.2.2", lambda a: convert(F32, F16, a, toward_zero=True)),
    "f16tof32": ("3.2.2", lambda a: convert(F16, F32, a & 0xFFFF)),
    "dtof": ("3.2.2, canonical: denormals flushed", lambda a: flushed(convert(F64, F32, a))),
    "ftod": ("3.2.2, canonical: denormals flushed", lambda a: convert(F32, F64, flushed(a))),
    "dtoi": ("22.13.3", lambda a: wrap(to_integer(F64, a, -(2**31), 2**31 - 1))),
    "dtou": ("22.13.4", lambda a: to_integer(F64, a, 0, ONES)),
    "itod": ("22.13.5", lambda a: F64.of(signed(a))),
    "utod": ("22.13.6", lambda a: F64.of(a)),
    # Integers
    "iadd": ("22.12", lambda a, b: wrap(a + b)),
    "imad": ("22.12", lambda a, b, c: wrap(a * b + c)),
    "umad": ("22.12", lambda a, b, c: wrap(a * b + c)),
    "imul": ("22.12, trap 27", lambda a, b: (wrap(signed(a) * signed(b) >> 32), wrap(a * b))),
    "umul": ("22.12, trap 27", lambda a, b: (a * b >> 32, wrap(a * b))),
    "udiv": ("22.12.9, traps 1 and 10", divide),
    "ineg": ("22.12", lambda a: wrap(-a)),
    "imax": ("22.12", lambda a, b: wrap(max(signed(a), signed(b)))),
    "imin": ("22.12", lambda a, b: wrap(min(signed(a), signed(b)))),
    "umax": ("22.12", max),
    "umin": ("22.12", min),
    "uaddc": ("22.12", lambda a, b: (wrap(a + b), a + b >> 32)),
    "usubb": ("22.12", lambda a, b: (wrap(a - b), int(a < b))),
    "msad": ("22.12.14", absolute_differences),
    "ieq": ("22.12", lambda a, b: mask(a == b)),
    "ine": ("22.12", lambda a, b: mask(a != b)),
    "ilt": ("22.12", lambda a, b: mask(signed(a) < signed(b))),
    "ige": ("22.12", lambda a, b: mask(signed(a) >= signed(b))),
    "ult": ("22.12", lambda a, b: mask(a < b)),
    "uge": ("22.12", lambda a, b: mask(a >= b)),
    # Bits
    "and": ("22.11", lambda a, b: a & b),
    "or": ("22.11", lambda a, b: a | b),
    "xor": ("22.11", lambda a, b: a ^ b),
    "not": ("22.11", lambda a: a ^ ONES),
    "ishl": ("22.11, trap 15", lambda a, n: wrap(a << (n & 31))),
    "ishr": ("22.11, trap 15", lambda a, n: wrap(signed(a) >> (n & 31))),
    "ushr": ("22.11, trap 15", lambda a, n: a >> (n & 31)),
    "ubfe": ("22.11, trap 6", lambda w, o, a: extract(w, o, a, False)),
    "ibfe": ("22.11, trap 6", lambda w, o, a: extract(w, o, a, True)),
    "bfi": ("22.11", insert),
    "bfrev": ("22.11", lambda a: int(f"{a:032b}"[::-1], 2)),
    "countbits": ("22.11", lambda a: f"{a:b}".count("1")),
    "firstbit_hi": ("22.11.5", first_high),
    "firstbit_lo": ("22.11.5", lambda a: (a & -a).bit_length() - 1 if a else ONES),
    "firstbit_shi": ("22.11.5", lambda a: first_high(a ^ ONES if a >> 31 else a)),
    # Moves keep bits
    "mov": ("3.1.3: a move keeps bits", lambda a: a),
    "movc": ("3.1.3: a move keeps bits", lambda c, a, b: a if truth(c) else b),
    "swapc": ("3.1.3: a move keeps bits", lambda c, a, b: (b, a) if truth(c) else (a, b)),
    "dmov": ("3.1.3: a move keeps bits", lambda a: a),
    "dmovc": ("3.1.3: a move keeps bits", lambda c, a, b: a if truth(c) else b),
}

# Kinds of the sources where the first letters of the mnemonic do not say it: f f32, d f64, i and u integers, n a count, b a condition,
# x bits of a float, h an f16.
KINDS = {
    "add mul div min max eq ne lt ge": "ff",
    "rcp sqrt rsq exp log sincos frc round_ne round_ni round_pi round_z ftoi ftou f32tof16 ftod": "f",
    "mad": "fff",
    "dadd dmul ddiv dmin dmax deq dne dlt dge": "dd",
    "drcp dtof dtoi dtou dmov": "d",
    "dfma": "ddd",
    "itof itod ineg firstbit_shi": "i",
    "utof utod not bfrev countbits firstbit_hi firstbit_lo": "u",
    "f16tof32": "h",
    "iadd imul imax imin ieq ine ilt ige": "ii",
    "umul udiv umax umin uaddc usubb ult uge and or xor": "uu",
    "imad": "iii",
    "umad msad": "uuu",
    "ishl ishr ushr": "un",
    "ubfe ibfe": "nnu",
    "bfi": "nnuu",
    "mov": "x",
    "movc swapc": "bxx",
    "dmovc": "bdd",
}
SOURCES = {name: kinds for names, kinds in KINDS.items() for name in names.split()}

WORDS = Kind(
    [("a half in the low bits, ones above", 0xFFFF3C00), ("half: -65504", 0xFBFF), ("half: smallest denormal", 1), ("half: -0", 0x8000)]
    + [(f"half: {name}", bits) for name, bits in FLOAT16.specials],
    lambda rng: FLOAT16.random(rng) | rng.getrandbits(16) << 16,
    32,
)
ANGLES = [("pi", 0x40490FDB), ("pi / 2", 0x3FC90FDB), ("-100 pi", 0xC39D1463), ("1e10", F32.of(10**10)), ("2^127", 0x7F000000)]
HALF_EDGES = [(f"{float(n):.9g}", F32.of(n)) for n in (65504, 65519, 65520, 65536, 10**9, -(10**9), -65520)] + [
    ("between halves", 0x3F801FFF),
    ("-(between halves)", 0xBF801000),
    ("a denormal half", 0x33800000),
    ("half of the smallest half", 0x33000000),
    ("-(below the smallest half)", 0xB37FFFFF),
    ("between denormal halves", 0x387FDFFF),
]
EXPONENTS = [(f"{n}", F32.of(n)) for n in (127, 128, -126, -127, -150, -149, 10)] + [("just below 128", F32.of(128) - 1), ("just below -126", F32.of(-126) + 1)]
POWERS = [("2", F32.of(2)), ("2^100", F32.of(2**100)), ("2^-126", F32.least_normal), ("0.25", 0x3E800000)]
DOUBLE_EDGES = [
    ("2^128", F64.of(2**128)),
    ("largest f32", F64.of(F32.value(F32.largest))),
    ("rounds to an infinite f32", F64.of(2**128 - 2**103)),
    ("tie to even", F64.of(1 + F32.value(0x33800000))),
    ("above the tie", F64.of(1 + F32.value(0x33800000)) + 1),
    ("f32 denormal", F64.of(F32.value(0x00400000))),
    ("rounds up to the smallest normal f32", F64.of(F32.value(0x00800000)) - 1),
    ("-1e-300", F64.of("-1e-300")),
]

EXTRA = {
    "sincos": ANGLES,
    "ftoi": float_to_integer_edges(F32),
    "ftou": float_to_integer_edges(F32),
    "dtoi": float_to_integer_edges(F64),
    "dtou": float_to_integer_edges(F64),
    "f32tof16": HALF_EDGES,
    "exp": EXPONENTS,
    "log": POWERS,
    "rsq": POWERS,
    "sqrt": POWERS,
    "dtof": DOUBLE_EDGES,
}
LETTERS = {"f": FLOAT32, "d": FLOAT64, "i": INTEGER, "u": INTEGER, "n": COUNT, "b": CONDITION, "x": FLOAT32, "h": WORDS}

TERNARY = {
    "mad": [
        (0x3F800001, 0x3F800001, 0xBF800002),  # fused and unfused differ
        (0x3F800001, 0x3F7FFFFF, 0xBF800000),
        (F32.largest, F32.of(2), 0x80000000 | F32.infinity),
        (F32.largest, F32.largest, 0x80000000 | F32.largest),
        (0x00800000, 0x3F000000, 0),  # the product is flushed
        (0x00800000, 0x3F000000, 0x80000000),
        (0x1F800000, 0x1F800000, 0x00800001),
        (0, F32.infinity, F32.one),
        (F32.infinity, F32.one, 0x80000000 | F32.infinity),
        (F32.one, F32.one, F32.nan),
        (0x80000000, F32.one, 0),
        (0x80000000, F32.one, 0x80000000),
        (1, F32.largest, 1),
        (0x4B800001, 0x4B800001, 0xD7800001),
    ],
    "dfma": [
        (0x3FF0000000000001, 0x3FF0000000000001, 0xBFF0000000000002),  # 2^-104, which only one rounding gives
        (0x3FF0000000000001, 0x3FEFFFFFFFFFFFFF, 0xBFF0000000000000),
        (F64.largest, F64.of(2), F64.sign | F64.largest),
        (F64.largest, F64.of(2), F64.sign | F64.infinity),
        (F64.least_normal, F64.of("0.5"), 0),
        (F64.least_normal, F64.least_normal, 1),
        (F64.least_normal, F64.sign | F64.least_normal, 0),
        (0, F64.infinity, F64.one),
        (0, F64.infinity, F64.nan),
        (F64.infinity, F64.one, F64.sign | F64.infinity),
        (F64.one, F64.one, F64.infinity | 1),
        (F64.sign, F64.one, 0),
        (F64.sign, F64.one, F64.sign),
        (F64.one, F64.sign | F64.one, F64.one),
        (1, F64.of("0.5"), 1),
        (1, F64.of("0.5"), 0),
        (3, F64.of("0.5"), 0),
    ],
    "imad": [(0x80000000, ONES, 1), (0x10000, 0x10000, 5), (0x7FFFFFFF, 0x7FFFFFFF, ONES), (ONES, ONES, ONES), (0, ONES, 0x80000000)],
    "msad": [
        (0, 0x12345678, 7),
        (0x01020304, 0x04030201, 0),
        (0x00FF00FF, 0xFF00FF00, 10),
        (0xFFFFFFFF, 0, 0),
        (0xFFFFFFFF, 0, ONES - 1020),
        (0x80808080, 0x7F817F81, 0x80000000),
        (0x01000000, 0xFF000000, 1),
        (0x00000001, 0xFFFFFFFF, 1),
        (0x11111111, 0x11111111, ONES),
        (0x00000100, 0x0000FF00, 0),
        (0xFF00, 0x00FF, 0),
        (1, 0, 0),
    ],
}
TERNARY["umad"] = TERNARY["imad"]
FIELDS = [
    (0, 0, 0xFFFFFFFF),
    (0, 5, 0xFFFFFFFF),
    (32, 0, 0xFFFFFFFF),  # a width of 32 is one of 0
    (33, 0, 0xFFFFFFFF),
    (31, 0, 0xFFFFFFFF),
    (31, 1, 0x80000001),
    (31, 31, 0x80000000),
    (16, 24, 0x89ABCDEF),
    (8, 24, 0x89ABCDEF),
    (8, 28, 0x89ABCDEF),
    (1, 31, 0x80000000),
    (1, 0, 1),
    (4, 32, 0x89ABCDEF),  # an offset of 32 is one of 0
    (4, 36, 0x89ABCDEF),
    (ONES, ONES, 0x80000000),
    (5, 3, 0x000000F8),
    (5, 3, 0x00000078),
]


def special_operands(name, kinds):
    """Tuples of special operands for an instruction."""
    if name in TERNARY:
        chosen = list(TERNARY[name])
        if name in ("imad", "umad"):
            chosen += [(a, b, c) for (a, b), (_, c) in zip(INTEGER_PAIRS[4:14], INTEGER.specials)]
        return chosen
    if name in ("ubfe", "ibfe"):
        return FIELDS
    if name == "bfi":
        return [(w, o, a, 0x5A5A5A5A) for w, o, a in FIELDS] + [(8, 8, 0, ONES), (31, 0, 0, ONES)]
    if kinds == "ff":
        return pairs(F32) + ([(0x3F800001, 0x3F800001)] if name == "mul" else [])
    if kinds == "dd":
        return pairs(F64)
    if kinds in ("ii", "uu"):
        return INTEGER_PAIRS
    if kinds == "un":
        values = [0x80000001, 0x7FFFFFFF, ONES, 1]
        return [(value, count) for (_, count), value in zip(COUNT.specials * 2, itertools.cycle(values))]
    if kinds[0] == "b":
        fmt, other = (F64, F64.of(3)) if "d" in kinds else (F32, F32.of(3))
        odd = itertools.cycle([fmt.infinity | 1, 1, fmt.sign, fmt.sign | fmt.nan | 5, fmt.infinity, fmt.least_normal - 1])
        return [(condition, next(odd), other) for _, condition in CONDITION.specials * 2]
    return [(bits,) for _, bits in EXTRA.get(name, []) + LETTERS[kinds].specials]


def describe(name, kinds, operands, section):
    names = []
    for letter, bits in zip(kinds, operands):
        extra = dict((bits, text) for text, bits in EXTRA.get(name, []))
        names.append(extra.get(bits) or LETTERS[letter].name(bits))
    return f"{section}: {', '.join(names)}"


def tuple_of(result):
    return result if isinstance(result, tuple) else (result,)


def operands_at_random(rng, kinds):
    operands = [LETTERS[letter].random(rng) for letter in kinds]
    if len(kinds) >= 2 and kinds[-1] in "fd" and kinds[-1] == kinds[-2] and rng.random() < 0.25:
        # Close to the one before, or to its product, so that sums cancel.
        fmt = F32 if kinds[-1] == "f" else F64
        before = operands[-2] if len(kinds) == 2 else Floats(fmt).mul(operands[0], operands[1])
        operands[-1] = near(rng, fmt, before)
    return tuple(operands)


def source(index, letter, modifier=""):
    register = f"v{index}.xyxy" if letter == "d" else f"v{index}.x"
    return {"": register, "-": f"-{register}", "||": f"|{register}|", "-||": f"-|{register}|"}[modifier]


def column(index, letter):
    return f"v{index}.xy" if letter == "d" else f"v{index}.x"


def modified(letter, bits, modifier):
    if letter in "iu":
        return wrap(-bits) if modifier else bits
    fmt = F64 if letter == "d" else F32
    if "||" in modifier:
        bits &= ~fmt.sign
    return bits ^ fmt.sign if modifier.startswith("-") else bits


class Instruction:
    """One instruction and the blocks of rows for it."""

    def __init__(self, name):
        self.name = name
        self.kinds = SOURCES[name]
        self.section, self.rule = RULES[name]
        self.rng = random.Random(f"dxbc {name}")
        self.doubles = name in ("dadd", "dmul", "ddiv", "drcp", "dfma", "dmin", "dmax", "ftod", "itod", "utod", "dmov", "dmovc")
        self.results = 2 if name in ("sincos", "imul", "umul", "udiv", "uaddc", "usubb", "swapc") else 1

    def line(self, name=None, modifiers=None, destinations=None):
        sources = [source(i, letter, (modifiers or {}).get(i, "")) for i, letter in enumerate(self.kinds)]
        default = ["o0.xy"] if self.doubles else [f"o{i}.x" for i in range(self.results)]
        return f"{name or self.name} {', '.join((destinations or default) + sources)}"

    def block(self, title, program, rule, specials, count, section=None):
        inputs = [column(i, letter) for i, letter in enumerate(self.kinds)]
        outputs = ["o0.xy"] if self.doubles else [f"o{i}.x" for i in range(self.results)]
        block = Block(title, [program], inputs, outputs)
        for operands in specials:
            why = describe(self.name, self.kinds, operands, section or self.section)
            block.row(operands, tuple_of(rule(*operands)), why)
        while count > 0:
            operands = operands_at_random(self.rng, self.kinds)
            count -= block.row(operands, tuple_of(rule(*operands)))
        return block

    def blocks(self):
        specials = special_operands(self.name, self.kinds)
        yield self.block("plain", self.line(), self.rule, specials, 30)
        if self.name in SATURATING:
            floats = D if self.doubles else S

            def clamped(*operands):
                return tuple(saturate(floats, bits) for bits in tuple_of(self.rule(*operands)))

            yield self.block("saturated", self.line(f"{self.name}_sat"), clamped, specials[:16], 12, f"{self.section}, 22.19.1")
        yield from self.modifier_blocks(specials)
        yield from self.overlap_blocks()
        if self.results == 2 and self.name != "swapc":
            for kept in (0, 1):
                destinations = ["null", "null"]
                destinations[kept] = "o0.x"
                program = self.line(destinations=destinations)
                block = Block(f"only result {kept} is wanted", [program], [column(i, k) for i, k in enumerate(self.kinds)], ["o0.x"])
                for operands in specials[:4]:
                    block.row(operands, (self.rule(*operands)[kept],), describe(self.name, self.kinds, operands, self.section))
                yield block

    def modifier_blocks(self, specials):
        if not all(letter in "fdxb" for letter in self.kinds) and self.name not in NEGATABLE:
            return
        places = [i for i, letter in enumerate(self.kinds) if letter != "b"]
        choices = [{places[0]: "-"}]
        if self.name not in NEGATABLE:
            choices.append({place: modifier for place, modifier in zip(places, itertools.cycle(["-||", "||", "-"]))})
            choices.append({places[-1]: "||"})
        for modifiers in choices:

            def rule(*operands):
                return self.rule(*(modified(k, bits, modifiers.get(i, "")) for i, (k, bits) in enumerate(zip(self.kinds, operands))))

            title = "modifiers of sources, traps 2 and 3"
            yield self.block(title, self.line(modifiers=modifiers), rule, specials[:14], 6, f"{self.section}, modified")

    def overlap_blocks(self):
        """Destinations that are sources (trap 17): all is read before anything is written."""
        if self.results == 2:
            yield self.overlapping_results()
        elif "d" in self.kinds or self.doubles:
            if self.doubles and set(self.kinds) == {"d"}:
                yield self.overlapping_doubles()
        else:
            yield self.overlapping_components()

    def random_specials(self, count):
        specials = special_operands(self.name, self.kinds)
        return [self.rng.choice(specials) if self.rng.random() < 0.5 else operands_at_random(self.rng, self.kinds) for _ in range(count)]

    def overlapping_results(self):
        registers = [f"r0.{c}" for c in "xyz"[: len(self.kinds)]]
        # The results replace the first two components, which are sources.
        sources = registers if self.name != "swapc" else ["r0.z", "r0.x", "r0.y"]
        order = "xyz" if self.name != "swapc" else "zxy"
        program = ["mov r0.xyzw, v0.xyzw", f"{self.name} r0.x, r0.y, {', '.join(sources)}", "mov o0.xy, r0.xyxx"]
        inputs = [f"v0.{c}" for c in order[: len(self.kinds)]]
        block = Block("destinations that are sources", program, inputs, ["o0.x", "o0.y"])
        for operands in self.random_specials(10):
            block.row(operands, self.rule(*operands), "trap 17: read all, then write")
        return block

    def overlapping_components(self):
        moves = [f"mov r{i}.xyzw, v{i}.xyzw" for i in range(len(self.kinds))]
        swizzles = ["yzwx", "zwxy", "wxyz", "yxwz"]
        sources = [f"r{i}.{swizzles[i]}" for i in range(len(self.kinds))]
        last = len(self.kinds) - 1
        program = moves + [f"{self.name} r{last}.xyzw, {', '.join(sources)}", f"mov o0.xyzw, r{last}.xyzw"]
        inputs = [f"v{i}.{c}" for i in range(len(self.kinds)) for c in "xyzw"]
        block = Block("swizzles, and a destination that is a source", program, inputs, [f"o0.{c}" for c in "xyzw"])
        while len(block.rows) < 8:
            lanes = self.random_specials(4)
            registers = [{} for _ in self.kinds]
            for component, operands in zip("xyzw", lanes):
                for register, swizzle, bits in zip(registers, swizzles, operands):
                    register["xyzw"[("xyzw").index(swizzle["xyzw".index(component)])]] = bits
            operands = tuple(register[c] for register in registers for c in "xyzw")
            block.row(operands, tuple(self.rule(*lane) for lane in lanes), "trap 17: read all, then write")
        return block

    def overlapping_doubles(self):
        moves = [f"mov r{i}.xyzw, v{i}.xyzw" for i in range(len(self.kinds))]
        swizzles = ["zwxy", "xyzw", "zwxy"]
        sources = [f"r{i}.{swizzles[i]}" for i in range(len(self.kinds))]
        program = moves + [f"{self.name} r0.xyzw, {', '.join(sources)}", "mov o0.xyzw, r0.xyzw"]
        inputs = [f"v{i}.{c}" for i in range(len(self.kinds)) for c in ("xy", "zw")]
        block = Block("pairs exchanged, and a destination that is a source", program, inputs, ["o0.xy", "o0.zw"])
        while len(block.rows) < 8:
            lanes = self.random_specials(2)
            operands = []
            for i in range(len(self.kinds)):
                both = (lanes[0][i], lanes[1][i])
                operands += both if swizzles[i] == "xyzw" else both[::-1]
            block.row(tuple(operands), tuple(self.rule(*lane) for lane in lanes), "trap 17: read all, then write")
        return block


SATURATING = set("add mul div rcp sqrt rsq exp log sincos frc round_ne round_ni round_pi round_z mad min max".split())
SATURATING |= set("dadd dmul ddiv drcp dfma dmin dmax".split())
# Integer instructions whose sources may be negated.
NEGATABLE = set("iadd imad imax imin ieq ine ilt ige itof".split())


def dots(size):
    """dp2, dp3, dp4: products summed serially from x to w, each step rounded and flushed."""
    name = f"dp{size}"
    rng = random.Random(f"dxbc {name}")
    components = "xyzw"[:size]
    inputs = [f"v{v}.{c}" for v in (0, 1) for c in components]
    section = f"3.1.3, canonical: serial from x to w"
    inf, big, one = F32.infinity, F32.largest, F32.one
    chosen = [
        ([inf, one], [one, 0x80000000 | inf], "inf - inf"),
        ([0, one], [inf, one], "0 * inf"),
        ([big, big], [F32.of(2), F32.sign | F32.of(2)], "overflow before cancelling"),
        ([0x3F800001, F32.sign | F32.one], [0x3F800001, 0x3F800002], "unfused"),
        ([0x4B800001, F32.sign | 0x4B800001], [0x4B800001, 0x4B800001], "exact cancelling"),
        ([F32.nan, one], [one, one], "NaN"),
        ([one, F32.infinity | 1], [one, 0], "signalling NaN last"),
        ([1, one], [big, 0], "a denormal operand"),
        ([0x00800000, 0x00800000], [0x3F000000, 0x3F000000], "denormal products"),
        ([0x80000000, 0x80000000], [one, one], "-0 and -0"),
        ([0x80000000, 0], [one, one], "-0 and +0"),
        ([F32.of(2**24), one], [one, one], "a sum that is a tie"),
        ([F32.of(2**25), F32.of(3)], [one, one], "small terms after a large one"),
    ]

    def values(operands):
        return S.dot(operands[:size], operands[size:])

    for title, line, rule in [
        ("plain", f"{name} o0.x, v0.xyzw, v1.xyzw", values),
        ("saturated", f"{name}_sat o0.x, v0.xyzw, v1.xyzw", lambda o: saturate(S, values(o))),
        (
            "modifiers of sources",
            f"{name} o0.x, -v0.xyzw, |v1.xyzw|",
            lambda o: values([S.neg(b) for b in o[:size]] + [S.abs(b) for b in o[size:]]),
        ),
    ]:
        block = Block(title, [line], inputs, ["o0.x"])
        for left, right, why in chosen:
            for filler in (one, 0) if size > 2 else (one,):
                left_full, right_full = (left + [filler] * 2)[:size], (right + [filler] * 2)[:size]
                block.row(tuple(left_full + right_full), (rule(left_full + right_full),), f"{section}: {why}")
        for _ in range(30):
            operands = [FLOAT32.random(rng) for _ in range(2 * size)]
            block.row(tuple(operands), (rule(operands),))
        yield block
    swizzles = ["yzwx", "wzyx"]
    program = ["mov r0.xyzw, v0.xyzw", "mov r1.xyzw, v1.xyzw", f"{name} r0.xyzw, r0.{swizzles[0]}, r1.{swizzles[1]}", "mov o0.xyzw, r0.xyzw"]
    block = Block("swizzles, and a destination that is a source", program, [f"v{v}.{c}" for v in (0, 1) for c in "xyzw"], [f"o0.{c}" for c in "xyzw"])
    for _ in range(8):
        operands = [FLOAT32.random(rng) for _ in range(8)]
        left = [operands["xyzw".index(c)] for c in swizzles[0][:size]]
        right = [operands[4 + "xyzw".index(c)] for c in swizzles[1][:size]]
        block.row(tuple(operands), (S.dot(left, right),) * 4, "trap 17: one sum for all components")
    yield block


def narrow_pairs(name):
    """Two doubles to two words: the first result goes to the first component of the mask."""
    instruction = Instruction(name)
    both = len(instruction.kinds) == 2
    program = [f"{name} o0.yw, v0.xyzw" + (", v1.xyzw" if both else "")]
    inputs = [f"v{i}.{c}" for i in range(len(instruction.kinds)) for c in ("xy", "zw")]
    block = Block("two at once", program, inputs, ["o0.y", "o0.w"])
    for _ in range(8):
        lanes = instruction.random_specials(2)
        operands = tuple(lanes[pair][i] for i in range(len(instruction.kinds)) for pair in (0, 1))
        block.row(operands, tuple(instruction.rule(*lane) for lane in lanes), "results in the order of the mask")
    return block


def files():
    """Every file: its name and blocks."""
    for name in RULES:
        blocks = list(Instruction(name).blocks())
        if name in ("dtof", "dtoi", "dtou", "deq", "dne", "dlt", "dge"):
            blocks.append(narrow_pairs(name))
        yield name, blocks
    for size in (2, 3, 4):
        yield f"dp{size}", list(dots(size))
