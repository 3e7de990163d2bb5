"""Rows for WGSL's operators and builtin functions. Sections are those of the WGSL specification.

What section 15.7.4 calls inherited from an expression is that expression, each step rounded to nearest even. Denormals are kept. NaN results are the
canonical one, and `min`, `max`, `clamp` and `select` are read literally. Where the specification leaves more open than that, there is no row.
"""

import itertools
import random
from fractions import Fraction

from exact import F16, F32, Floats, convert, signed, to_integer, wrap
from layout import Block
from values import BOOLEAN, COUNT, FLOAT16, FLOAT32, INTEGER, INTEGER_PAIRS, Kind, float_to_integer_edges, near, pairs

ONES = 0xFFFFFFFF
FLOATS = {"f32": Floats(F32), "f16": Floats(F16)}
KINDS = {"f32": FLOAT32, "f16": FLOAT16, "i32": INTEGER, "u32": INTEGER, "bool": BOOLEAN, "count": COUNT, "exponent": None}
S = FLOATS["f32"]


def scalars(kind):
    """The scalar type and number of components of `f32`, `vec3<f32>`."""
    if kind.startswith("vec"):
        return kind[5:-1], int(kind[3])
    return kind, 1


class Case:
    """An expression of typed variables and the rule for its results."""

    def __init__(self, programs, inputs, outputs, rule, specials=(), count=30, section="17.5", kinds=None, randoms=None):
        self.programs = [programs] if isinstance(programs, str) else programs
        self.inputs = inputs
        self.outputs = [outputs] if isinstance(outputs, str) else outputs
        self.rule = rule
        self.specials = list(specials)
        self.count = count
        self.section = section
        self.kinds = kinds or {}
        self.randoms = randoms

    def random(self, rng):
        if self.randoms:
            return tuple(self.randoms(rng))
        operands = []
        for name, kind in self.inputs:
            scalar, size = scalars(kind)
            for _ in range(size):
                operands.append(self.kinds.get(name, KINDS[scalar]).random(rng))
        types = [scalars(kind) for _, kind in self.inputs]
        if len(types) > 1 and types[-1] == types[-2] and types[0][0] in FLOATS and rng.random() < 0.25:
            size = types[-1][1]
            fmt = FLOATS[types[-1][0]].fmt
            for i in range(len(operands) - size, len(operands)):
                operands[i] = near(rng, fmt, operands[i - size])
        return tuple(operands)

    def block(self, name):
        rng = random.Random(f"wgsl {name} {self.programs} {self.inputs}")
        inputs = [f"{n}:{kind}" for n, kind in self.inputs]
        widths = tuple(
            [4 if scalars(kind)[0] == "f16" else 8 for kind in group for _ in range(scalars(kind)[1])]
            for group in ([kind for _, kind in self.inputs], self.outputs)
        )
        block = Block(", ".join(kind for _, kind in self.inputs), self.programs, inputs, self.outputs, widths)
        names = [KINDS[scalars(kind)[0]] for _, kind in self.inputs for _ in range(scalars(kind)[1])]
        for operands in self.specials:
            operands = operands if isinstance(operands, tuple) else (operands,)
            described = ", ".join(kind.name(bits) for kind, bits in zip(names, operands))
            block.row(operands, self.results(operands), f"{self.section}: {described}")
        left, tries = self.count, 0
        while left > 0 and tries < 2000:
            operands = self.random(rng)
            left -= block.row(operands, self.results(operands))
            tries += 1
        return block

    def results(self, operands):
        results = self.rule(*operands)
        return tuple(results) if isinstance(results, (tuple, list)) else (results,)


def unary_specials(kind):
    return [bits for _, bits in KINDS[kind].specials]


def float_case(expression, rule, arity, kind, result=None, specials=None, section="17.5, 15.7.4", **more):
    """A case of floats: `rule` takes the operations of the format, then the operands."""
    floats = FLOATS[kind]
    inputs = [(n, kind) for n in "abcd"[:arity]]
    if specials is None:
        specials = unary_specials(kind) if arity == 1 else pairs(floats.fmt)
        if arity == 3:
            others = itertools.cycle(unary_specials(kind))
            specials = [pair + (next(others),) for pair in specials]
    return Case(expression, inputs, result or kind, lambda *args: rule(floats, *args), specials, section=section, **more)


def both(expression, rule, arity, **more):
    """The same for f32 and f16."""
    return [float_case(expression, rule, arity, kind, **more) for kind in ("f32", "f16")]


def integer_case(expression, rule, arity, kind, result=None, specials=None, section="17.5", **more):
    """A case of integers: operands are read as the type says, results wrap."""

    def wrapped(*args):
        result = rule(*[signed(arg) if kind == "i32" else arg for arg in args])
        return None if result is None else wrap(int(result))

    inputs = [(n, kind) for n in "abcd"[:arity]]
    if specials is None:
        specials = unary_specials(kind) if arity == 1 else INTEGER_PAIRS
    return Case(expression, inputs, result or kind, wrapped, specials, section=section, **more)


def integers(expression, rule, arity, **more):
    return [integer_case(expression, rule, arity, kind, **more) for kind in ("i32", "u32")]


# Float rules


def minimum(f, a, b):
    return b if f.lt(b, a) else a


def maximum(f, a, b):
    return b if f.lt(a, b) else a


def clamp(f, e, low, high):
    return minimum(f, maximum(f, e, low), high)


def saturate(f, e):
    return clamp(f, e, 0, f.fmt.one)


def remainder(f, a, b):
    return f.sub(a, f.mul(b, f.trunc(f.div(a, b))))


def mix(f, x, y, z):
    return f.add(f.mul(x, f.sub(f.fmt.one, z)), f.mul(y, z))


def smoothstep(f, low, high, x):
    t = saturate(f, f.div(f.sub(x, low), f.sub(high, low)))
    return f.mul(f.mul(t, t), f.sub(f.of(3), f.mul(f.of(2), t)))


def sign(f, e):
    if f.fmt.is_nan(e):
        return None
    return f.fmt.one if f.lt(0, e) else f.neg(f.fmt.one) if f.lt(e, 0) else 0


def sinh(f, x):
    return f.mul(f.sub(f.exp(x), f.exp(f.neg(x))), f.of(Fraction(1, 2)))


def cosh(f, x):
    return f.mul(f.add(f.exp(x), f.exp(f.neg(x))), f.of(Fraction(1, 2)))


def asinh(f, x):
    return f.log(f.add(x, f.sqrt(f.add(f.mul(x, x), f.fmt.one))))


def acosh(f, x):
    return f.log(f.add(x, f.sqrt(f.sub(f.mul(x, x), f.fmt.one))))


def atanh(f, x):
    return f.mul(f.log(f.div(f.add(f.fmt.one, x), f.sub(f.fmt.one, x))), f.of(Fraction(1, 2)))


def frexp(f, x):
    if f.fmt.is_nan(x) or f.fmt.is_infinite(x):
        return (None, None)
    fraction, exponent = f.frexp(x)
    return fraction, wrap(exponent)


def modf(f, x):
    whole = f.trunc(x)
    return f.sub(x, whole), whole


def length(f, x):
    return f.sqrt(f.dot(x, x))


# 180 / pi and pi / 180 as the specification gives them
DEGREES = Fraction("57.295779513082322865")
RADIANS = Fraction("0.017453292519943295474")


def arithmetic():
    section = "8.7"
    for name, sign_, rule, whole in (
        ("add", "+", lambda f, a, b: f.add(a, b), lambda a, b: a + b),
        ("sub", "-", lambda f, a, b: f.sub(a, b), lambda a, b: a - b),
        ("mul", "*", lambda f, a, b: f.mul(a, b), lambda a, b: a * b),
    ):
        yield name, both(f"a {sign_} b", rule, 2, section=section) + integers(f"a {sign_} b", whole, 2, section=section)

    def quotient(a, b):
        # By zero: the dividend. The least number by -1: itself, which wrapping gives.
        return a if b == 0 else abs(a) // abs(b) * (-1 if (a < 0) != (b < 0) else 1)

    def rest(a, b):
        return 0 if b == 0 else abs(a) % abs(b) * (-1 if a < 0 else 1)

    yield "div", both("a / b", lambda f, a, b: f.div(a, b), 2, section=section) + integers("a / b", quotient, 2, section=section)
    section = "8.7, trap 20"
    yield "rem", both("a % b", remainder, 2, section=section) + integers("a % b", rest, 2, section=section)
    negated = both("-a", lambda f, a: f.neg(a), 1, section="8.7")
    yield "neg", negated + [integer_case("-a", lambda a: -a, 1, "i32", section="8.7")]
    yield "mad", both("a * b + c", lambda f, a, b, c: f.mad(a, b, c), 3, section="15.7.4: not fused")


def comparisons():
    section = "8.8"
    for name, operator, rule, whole in (
        ("eq", "==", lambda f, a, b: f.eq(a, b), lambda a, b: a == b),
        ("ne", "!=", lambda f, a, b: not f.eq(a, b), lambda a, b: a != b),
        ("lt", "<", lambda f, a, b: f.lt(a, b), lambda a, b: a < b),
        ("le", "<=", lambda f, a, b: f.le(a, b), lambda a, b: a <= b),
        ("gt", ">", lambda f, a, b: f.lt(b, a), lambda a, b: a > b),
        ("ge", ">=", lambda f, a, b: f.le(b, a), lambda a, b: a >= b),
    ):
        text = f"a {operator} b"
        cases = both(text, lambda f, a, b, rule=rule: int(rule(f, a, b)), 2, result="bool", section=section)
        cases += integers(text, whole, 2, result="bool", section=section)
        if name in ("eq", "ne"):
            cases.append(boolean(text, 2, whole))
        yield name, cases


def boolean(text, arity, rule):
    inputs = [(n, "bool") for n in "abc"[:arity]]
    every = list(itertools.product((0, 1), repeat=arity))
    return Case(text, inputs, "bool", lambda *args: int(rule(*args)), every, 0, "8.6")


def bits():
    section = "8.9"
    for name, operator, rule in (("and", "&", lambda a, b: a & b), ("or", "|", lambda a, b: a | b), ("xor", "^", lambda a, b: a ^ b)):
        cases = integers(f"a {operator} b", rule, 2, section=section)
        if name != "xor":
            cases += [boolean(f"a {operator} b", 2, rule), boolean(f"a {operator * 2} b", 2, rule)]
        yield name, cases
    yield "not", integers("~a", lambda a: ~a, 1, section=section) + [boolean("!a", 1, lambda a: not a)]
    for name, operator in (("shl", "<<"), ("shr", ">>")):
        cases = []
        for kind in ("i32", "u32"):

            def shift(a, n, kind=kind, operator=operator):
                a = signed(a) if kind == "i32" else a
                return wrap(a << (n & 31) if operator == "<<" else a >> (n & 31))

            values = [0x80000001, 0x7FFFFFFF, ONES, 1]
            specials = [(value, count) for (_, count), value in zip(COUNT.specials * 2, itertools.cycle(values))]
            inputs = [("a", kind), ("n", "u32")]
            cases.append(Case(f"a {operator} n", inputs, kind, shift, specials, section="8.9, trap 15", kinds={"n": COUNT}))
        yield name, cases

    def count_leading(a):
        return 32 - (a & ONES).bit_length()

    def lowest(a):
        return (a & -a).bit_length() - 1 if a else -1

    section = "17.5"
    yield "countLeadingZeros", integers("countLeadingZeros(a)", count_leading, 1)
    yield "countTrailingZeros", integers("countTrailingZeros(a)", lambda a: lowest(a) if a else 32, 1)
    yield "countOneBits", integers("countOneBits(a)", lambda a: f"{a & ONES:b}".count("1"), 1)
    yield "reverseBits", integers("reverseBits(a)", lambda a: int(f"{a & ONES:032b}"[::-1], 2), 1)
    yield "firstTrailingBit", integers("firstTrailingBit(a)", lowest, 1)
    yield "firstLeadingBit", [
        integer_case("firstLeadingBit(a)", lambda a: (a ^ -1 if a < 0 else a).bit_length() - 1, 1, "i32"),
        integer_case("firstLeadingBit(a)", lambda a: a.bit_length() - 1, 1, "u32"),
    ]
    fields = [(0xFFFFFFFF, o, c) for o, c in ((0, 0), (0, 32), (0, 33), (32, 0), (32, 5), (40, 40), (31, 1), (31, 31), (0, 31), (1, 31), (ONES, 1), (5, ONES))]
    fields += [(0x89ABCDEF, 24, 16), (0x89ABCDEF, 4, 4), (0x89ABCDEF, 0, 32), (0xF8, 3, 5), (0x78, 3, 5)]
    amounts = {"o": COUNT, "c": COUNT}

    def extract(kind):
        def rule(e, o, c):
            o = min(o, 32)
            c = min(c, 32 - o)
            field = e >> o & ((1 << c) - 1)
            return wrap(signed(field, c)) if kind == "i32" and c else field

        return rule

    def insert(e, n, o, c):
        o = min(o, 32)
        c = min(c, 32 - o)
        field = ((1 << c) - 1) << o
        return e & ~field & ONES | n << o & field

    kinds = ("i32", "u32")
    field = [("o", "u32"), ("c", "u32")]
    yield "extractBits", [
        Case("extractBits(e, o, c)", [("e", k)] + field, k, extract(k), fields, section="17.5, trap 6", kinds=amounts) for k in kinds
    ]
    inserted = [(0x5A5A5A5A, e, o, c) for e, o, c in fields]
    yield "insertBits", [
        Case("insertBits(e, n, o, c)", [("e", k), ("n", k)] + field, k, insert, inserted, section="17.5", kinds=amounts) for k in kinds
    ]


def conversions():
    section = "15.7.6"

    def to(source, target):
        """Clamped to the nearest value that both types have."""
        least, greatest = (-(2**31), 2**31 - 128) if target == "i32" else (0, 2**32 - 256)
        fmt = FLOATS[source].fmt

        def rule(a):
            if fmt is F16 and fmt.is_infinite(a):
                return None
            return wrap(to_integer(fmt, a, least, greatest))

        kind = KINDS[source].with_specials(float_to_integer_edges(fmt))
        specials = [bits for _, bits in kind.specials]
        return Case(f"{target}(a)", [("a", source)], target, rule, specials, section=section)

    def from_integer(source, target):
        fmt = FLOATS[target].fmt

        def rule(a):
            bits = fmt.of(signed(a) if source == "i32" else a)
            return None if fmt.is_infinite(bits) else bits

        return Case(f"{target}(a)", [("a", source)], target, rule, unary_specials(source), section=section)

    def between(source, target):
        def rule(a):
            bits = convert(FLOATS[source].fmt, FLOATS[target].fmt, a)
            overflows = FLOATS[target].fmt.is_infinite(bits) and not FLOATS[source].fmt.is_infinite(a)
            return None if overflows else bits

        ties = [0x3F801000, 0x3F803000, 0x3F801001, 0x33000000, 0x33000001, 0x477FEFFF, 0x387FE000, 0x387FF000] if source == "f32" else []
        return Case(f"{target}(a)", [("a", source)], target, rule, ties + unary_specials(source), section=section)

    def truth(target):
        one = FLOATS[target].fmt.one if target in FLOATS else 1
        return Case(f"{target}(a)", [("a", "bool")], target, lambda a: one if a else 0, [0, 1], 0, section="17.1")

    def nonzero(source):
        def rule(a):
            return int(not FLOATS[source].eq(a, 0)) if source in FLOATS else int(a != 0)

        return Case("bool(a)", [("a", source)], "bool", rule, unary_specials(source), section="17.1")

    yield "to_i32", [to("f32", "i32"), to("f16", "i32"), truth("i32"), Case("i32(a)", [("a", "u32")], "i32", lambda a: a, unary_specials("u32"), section="17.1")]
    yield "to_u32", [to("f32", "u32"), to("f16", "u32"), truth("u32"), Case("u32(a)", [("a", "i32")], "u32", lambda a: a, unary_specials("i32"), section="17.1")]
    yield "to_f32", [from_integer("i32", "f32"), from_integer("u32", "f32"), between("f16", "f32"), truth("f32")]
    yield "to_f16", [from_integer("i32", "f16"), from_integer("u32", "f16"), between("f32", "f16"), truth("f16")]
    yield "to_bool", [nonzero("f32"), nonzero("f16"), nonzero("i32"), nonzero("u32")]
    yield "bitcast", [
        Case(f"bitcast<{target}>(a)", [("a", source)], target, lambda a: a, unary_specials(source), section="17.2: bits are kept")
        for source, target in (("f32", "u32"), ("f32", "i32"), ("u32", "f32"), ("i32", "f32"), ("i32", "u32"))
    ]

    def quantize(a):
        half = convert(F32, F16, a)
        overflows = F16.is_infinite(half) and not F32.is_infinite(a)
        return None if overflows else convert(F16, F32, half)

    edges = [0x3F801000, 0x3F803000, 0x3F801001, 0x33000000, 0x33000001, 0x477FEFFF, 0x387FE000, 0x387FF000, 0xB3800000]
    yield "quantizeToF16", [Case("quantizeToF16(a)", [("a", "f32")], "f32", quantize, edges + unary_specials("f32"))]


def primitives():
    for name in "floor ceil trunc sqrt exp exp2 log log2 sin cos asin acos atan".split():
        yield name, both(f"{name}(a)", lambda f, a, name=name: getattr(f, name)(a), 1)
    yield "round", both("round(a)", lambda f, a: f.nearest(a), 1)
    yield "fract", both("fract(a)", lambda f, a: f.frc(a), 1)
    yield "inverseSqrt", both("inverseSqrt(a)", lambda f, a: f.rsqrt(a), 1)
    yield "atan2", both("atan2(a, b)", lambda f, a, b: f.atan2(a, b), 2)
    absolute = both("abs(a)", lambda f, a: f.abs(a), 1)
    yield "abs", absolute + integers("abs(a)", abs, 1)
    yield "sign", both("sign(a)", sign, 1) + [integer_case("sign(a)", lambda a: (a > 0) - (a < 0), 1, "i32")]
    yield "min", both("min(a, b)", minimum, 2, section="17.5, canonical: literal") + integers("min(a, b)", min, 2)
    yield "max", both("max(a, b)", maximum, 2, section="17.5, canonical: literal") + integers("max(a, b)", max, 2)

    def bounds(kind):
        low, high = (0, 5) if kind == "u32" else (wrap(-3), 5)
        return [(a, low, high) for a in unary_specials(kind)] + [(7, 5, 3), (4, 5, 3), (1, 5, 3)]

    limits = {k: [(a, f.neg(f.fmt.one), f.of(2)) for a in unary_specials(k)] for k, f in FLOATS.items()}
    crossed = {k: [(f.of(n), f.of(5), f.of(3)) for n in (1, 4, 7)] for k, f in FLOATS.items()}
    section = "17.5, trap 5, canonical: min(max(e, low), high)"
    yield "clamp", [float_case("clamp(a, b, c)", clamp, 3, k, specials=limits[k] + crossed[k], section=section) for k in FLOATS] + [
        integer_case("clamp(a, b, c)", lambda e, low, high: min(max(e, low), high), 3, k, specials=bounds(k), section=section) for k in ("i32", "u32")
    ]
    yield "saturate", both("saturate(a)", saturate, 1, section="17.5, canonical: clamp(e, 0, 1)")
    yield "fma", both("fma(a, b, c)", lambda f, a, b, c: f.mad(a, b, c), 3, section="15.7.4: a * b + c, not fused")
    # naga 30 makes the exponent of an f16 an integer of 16 bits, so it is converted.
    exponents = {"f32": "frexp(a).exp", "f16": "i32(frexp(a).exp)"}
    yield "frexp", [float_case(["frexp(a).fract", exponents[k]], frexp, 1, k, result=[k, "i32"]) for k in FLOATS]
    yield "modf", [float_case(["modf(a).fract", "modf(a).whole"], modf, 1, k, result=[k, k]) for k in FLOATS]
    exponents = [0, 1, wrap(-1), 127, 128, wrap(-126), wrap(-127), wrap(-149), wrap(-150), 277, 300, wrap(-300), 0x7FFFFFFF, 0x80000000, 15, wrap(-24), wrap(-25), 40]
    scaled = {
        k: [(a, e) for e, a in zip(exponents * 2, itertools.cycle([f.fmt.one, 1, f.fmt.one + 1, f.fmt.sign | f.fmt.largest, f.fmt.least_normal, f.fmt.sign]))]
        for k, f in FLOATS.items()
    }
    small = Kind([], lambda rng: wrap(rng.randrange(-40, 40)), 32)
    yield "ldexp", [
        Case("ldexp(a, e)", [("a", k), ("e", "i32")], k, lambda a, e, f=f: f.ldexp(a, signed(e)), scaled[k], kinds={"e": small}) for k, f in FLOATS.items()
    ]
    for name, kinds in (("f32", ("f32",)), ("i32", ("i32",)), ("u32", ("u32",)), ("f16", ("f16",))):
        odd = unary_specials(name)
        rows = [(a, b, c) for a, b, c in zip(odd, odd[1:], itertools.cycle((0, 1)))]
        inputs = [("a", name), ("b", name), ("c", "bool")]
        yield f"select_{name}", [Case("select(a, b, c)", inputs, name, lambda a, b, c: b if c else a, rows, section="17.3: bits are kept")]
    vectors = [("a", "vec2<f32>"), ("b", "vec2<f32>"), ("c", "vec2<bool>")]
    rows = [(1, 2, 3, 4, x, y) for x in (0, 1) for y in (0, 1)] + [(F32.nan | 1, 2, F32.infinity | 1, F32.sign, x, y) for x in (0, 1) for y in (0, 1)]

    def chosen(a0, a1, b0, b1, c0, c1):
        return (b0 if c0 else a0, b1 if c1 else a1)

    yield "select_vector", [Case("select(a, b, c)", vectors, "vec2<f32>", chosen, rows + [(5, 6, 7, 8, x, y) for x in (0, 1) for y in (0, 1)], section="17.3")]
    every = list(itertools.product((0, 1), repeat=4))
    yield "all", [Case("all(a)", [("a", "vec4<bool>")], "bool", lambda *a: int(all(a)), every, 0, section="17.3")]
    yield "any", [Case("any(a)", [("a", "vec4<bool>")], "bool", lambda *a: int(any(a)), every, 0, section="17.3")]


def expressions():
    yield "tan", both("tan(a)", lambda f, a: f.div(f.sin(a), f.cos(a)), 1)
    yield "sinh", both("sinh(a)", sinh, 1)
    yield "cosh", both("cosh(a)", cosh, 1)
    yield "tanh", both("tanh(a)", lambda f, a: f.div(sinh(f, a), cosh(f, a)), 1)
    yield "asinh", both("asinh(a)", asinh, 1)
    yield "acosh", both("acosh(a)", acosh, 1)
    yield "atanh", both("atanh(a)", atanh, 1)
    yield "degrees", both("degrees(a)", lambda f, a: f.mul(a, f.of(DEGREES)), 1)
    yield "radians", both("radians(a)", lambda f, a: f.mul(a, f.of(RADIANS)), 1)
    yield "pow", both("pow(a, b)", lambda f, a, b: f.exp2(f.mul(b, f.log2(a))), 2)
    yield "mix", both("mix(a, b, c)", mix, 3)
    yield "step", both("step(a, b)", lambda f, a, b: f.fmt.one if f.le(a, b) else 0, 2)
    yield "smoothstep", both("smoothstep(a, b, c)", smoothstep, 3)


def vector_specials(kind, size, vectors):
    """Vectors of special values, each value once in each place."""
    values = unary_specials(kind)
    others = [FLOATS[kind].fmt.one, FLOATS[kind].of(Fraction(1, 2)), FLOATS[kind].of(-2), FLOATS[kind].of(3)]
    rows = []
    for i, value in enumerate(values):
        row = [others[(i + j) % 4] for j in range(size * vectors)]
        row[i % (size * vectors)] = value
        rows.append(tuple(row))
    return rows


def vector_case(text, kind, size, vectors, rule, result, more=(), section="17.5, 15.7.4", **rest):
    """Vectors of one size as operands, and further scalar ones: `rule` takes the format's operations and lists."""
    floats = FLOATS[kind]
    inputs = [(n, f"vec{size}<{kind}>") for n in "abc"[:vectors]] + [(n, kind) for n in more]

    def split(*operands):
        parts = [list(operands[i * size : (i + 1) * size]) for i in range(vectors)]
        return rule(floats, *parts, *operands[vectors * size :])

    fillers = itertools.cycle([floats.of(Fraction(3, 2)), floats.of(Fraction(1, 2)), floats.of(0), floats.of(Fraction(-3, 4))])
    specials = [row + tuple(next(fillers) for _ in more) for row in vector_specials(kind, size, vectors)]
    return Case(text, inputs, result, split, specials, section=section, **rest)


def vectors():
    kinds = ("f32", "f16")
    sizes = (2, 3, 4)
    cases = [vector_case("dot(a, b)", k, n, 2, lambda f, a, b: f.dot(a, b), k) for k in kinds for n in sizes]
    for kind in ("i32", "u32"):

        def whole(*v):
            return wrap(sum(a * b for a, b in zip(v[:3], v[3:])))

        rows = [(a, b, 1, b, a, ONES) for a, b in INTEGER_PAIRS]
        cases.append(Case("dot(a, b)", [("a", f"vec3<{kind}>"), ("b", f"vec3<{kind}>")], kind, whole, rows))
    yield "dot", cases
    scalar = [float_case("length(a)", lambda f, a: f.abs(a), 1, k) for k in kinds]
    yield "length", scalar + [vector_case("length(a)", k, n, 1, length, k) for k in kinds for n in sizes]

    def distance(f, a, b):
        return length(f, [f.sub(x, y) for x, y in zip(a, b)])

    def normalize(f, a):
        size = length(f, a)
        return [f.div(x, size) for x in a]

    def cross(f, a, b):
        return [f.sub(f.mul(a[i], b[j]), f.mul(a[j], b[i])) for i, j in ((1, 2), (2, 0), (0, 1))]

    def face_forward(f, a, b, c):
        return a if f.lt(f.dot(b, c), 0) else [f.neg(x) for x in a]

    def reflect(f, a, b):
        twice = f.mul(f.of(2), f.dot(a, b))
        return [f.sub(x, f.mul(twice, y)) for x, y in zip(a, b)]

    def refract(f, a, b, ratio):
        d, one = f.dot(b, a), f.fmt.one
        k = f.sub(one, f.mul(f.mul(ratio, ratio), f.sub(one, f.mul(d, d))))
        if f.lt(k, 0):
            return [0] * len(a)
        factor = f.add(f.mul(ratio, d), f.sqrt(k))
        return [f.sub(f.mul(ratio, x), f.mul(factor, y)) for x, y in zip(a, b)]

    yield "distance", [vector_case("distance(a, b)", k, n, 2, distance, k) for k in kinds for n in sizes]
    yield "normalize", [vector_case("normalize(a)", k, n, 1, normalize, f"vec{n}<{k}>") for k in kinds for n in sizes]
    yield "cross", [vector_case("cross(a, b)", k, 3, 2, cross, f"vec3<{k}>") for k in kinds]
    yield "faceForward", [vector_case("faceForward(a, b, c)", k, n, 3, face_forward, f"vec{n}<{k}>") for k in kinds for n in sizes]
    yield "reflect", [vector_case("reflect(a, b)", k, n, 2, reflect, f"vec{n}<{k}>") for k in kinds for n in sizes]
    yield "refract", [vector_case("refract(a, b, r)", k, n, 2, refract, f"vec{n}<{k}>", more="r") for k in kinds for n in sizes]

    def mix_one(f, a, b, t):
        return [mix(f, x, y, t) for x, y in zip(a, b)]

    yield "mix_vector", [vector_case("mix(a, b, t)", k, 3, 2, mix_one, f"vec3<{k}>", more="t") for k in kinds]


def matrices():
    section = "8.7, canonical: products summed serially"
    kinds = ("f32", "f16")

    def from_left(f, a, b, c):
        return [f.dot([a[i], b[i]], c) for i in range(2)]

    def from_right(f, a, b, c):
        return [f.dot(c, a), f.dot(c, b)]

    yield "matrix_vector", [vector_case(f"mat2x2<{k}>(a, b) * c", k, 2, 3, from_left, f"vec2<{k}>", section=section) for k in kinds] + [
        vector_case(f"c * mat2x2<{k}>(a, b)", k, 2, 3, from_right, f"vec2<{k}>", section=section) for k in kinds
    ]

    def columns(f, a, b, c):
        # mat3x2 (three columns of two) times mat2x3 (two columns of three), as two columns.
        right = [[a[0], b[0], c[0]], [a[1], b[1], c[1]]]
        left = [a, b, c]
        return [f.dot([column[row] for column in left], r) for r in right for row in range(2)]

    text = "(mat3x2<{k}>(a, b, c) * transpose(mat3x2<{k}>(a, b, c)))[{i}]"
    yield "matrix_matrix", [
        vector_case([text.format(k=k, i=i) for i in (0, 1)], k, 2, 3, columns, [f"vec2<{k}>"] * 2, section=section) for k in kinds
    ]

    # Small integers, so that every order of summing gives the same.
    def small(size):
        return lambda rng: [F32.of(rng.randrange(-9, 10)) for _ in range(size * size)]

    def determinant(size):
        def rule(*cells):
            columns_ = [[F32.value(bits) for bits in cells[i * size : (i + 1) * size]] for i in range(size)]
            total = Fraction(0)
            for order in itertools.permutations(range(size)):
                inversions = sum(order[i] > order[j] for i in range(size) for j in range(i + 1, size))
                product = Fraction((-1) ** inversions)
                for column, row in enumerate(order):
                    product *= columns_[column][row]
                total += product
            return F32.of(total)

        return rule

    cases = []
    for size in (2, 3, 4):
        inputs = [(n, f"vec{size}<f32>") for n in "abcd"[:size]]
        identity = tuple(F32.one if i % (size + 1) == 0 else 0 for i in range(size * size))
        swapped = identity[size : 2 * size] + identity[:size] + identity[2 * size :]
        doubled = tuple(F32.of(2) if bits else 0 for bits in identity)
        equal = tuple(F32.of(3) for _ in identity)
        counted = tuple(F32.of(i) for i in range(size * size))
        arguments = ", ".join("abcd"[:size])
        cases.append(
            Case(f"determinant(mat{size}x{size}<f32>({arguments}))", inputs, "f32", determinant(size), [identity, swapped, doubled, equal, counted], 25, "17.5", randoms=small(size))
        )
    yield "determinant", cases


def packing():
    def fixed(name, size, low, scale):
        bits = 32 // size

        def rule(*e):
            word = 0
            for i, x in enumerate(e):
                if F32.is_nan(x):
                    return None
                held = clamp(S, x, F32.of(low), F32.one)
                whole = S.floor(S.add(F32.of(Fraction(1, 2)), S.mul(F32.of(scale), held)))
                word |= (int(F32.value(whole)) & ((1 << bits) - 1)) << bits * i
            return word

        edges = [Fraction(n, 2 * scale) for n in (1, 3, scale, -1, -3, -scale, 2 * scale - 1)]
        values = [F32.of(edge) for edge in edges] + unary_specials("f32")
        rows = [tuple(values[(i + j) % len(values)] for j in range(size)) for i in range(len(values))]
        fraction = Kind([], lambda rng: F32.of(Fraction(rng.randrange(-(2**20), 2**20), 2**20)), 32)
        return name, [Case(f"{name}(a)", [("a", f"vec{size}<f32>")], "u32", rule, rows, section="17.9", kinds={"a": fraction})]

    yield fixed("pack4x8snorm", 4, -1, 127)
    yield fixed("pack4x8unorm", 4, 0, 255)
    yield fixed("pack2x16snorm", 2, -1, 32767)
    yield fixed("pack2x16unorm", 2, 0, 65535)

    def pack_halves(a, b):
        parts = [convert(F32, F16, x) for x in (a, b)]
        if any(F16.is_infinite(p) and not F32.is_infinite(x) for p, x in zip(parts, (a, b))):
            return None
        return parts[0] | parts[1] << 16

    values = [0x3F801000, 0x3F803000, 0x33000000, 0x33000001, 0x477FEFFF, 0x387FF000] + unary_specials("f32")
    yield "pack2x16float", [
        Case("pack2x16float(a)", [("a", "vec2<f32>")], "u32", pack_halves, [(a, values[(3 * i + 1) % len(values)]) for i, a in enumerate(values)], section="17.9")
    ]
    for name, kind, low, high in (
        ("pack4xI8", "i32", None, None),
        ("pack4xU8", "u32", None, None),
        ("pack4xI8Clamp", "i32", -128, 127),
        ("pack4xU8Clamp", "u32", 0, 255),
    ):

        def join(*e, kind=kind, low=low, high=high):
            word = 0
            for i, x in enumerate(e):
                x = signed(x) if kind == "i32" else x
                word |= ((x if low is None else max(low, min(high, x))) & 255) << 8 * i
            return word

        values = [127, 128, wrap(-128), wrap(-129), 255, 256] + unary_specials(kind)
        rows = [tuple(values[(i + j) % len(values)] for j in range(4)) for i in range(len(values))]
        yield name, [Case(f"{name}(a)", [("a", f"vec4<{kind}>")], "u32", join, rows, section="17.9")]

    words = [0x80818283, 0x7F80FF00, 0x00017FFF, 0x80007FFF, 0xFFFF0001, 0x3C00FC00, 0x7C017E00, 0x83FF0400] + unary_specials("u32")

    def fields(word, size, is_signed):
        bits = 32 // size
        parts = [word >> bits * i & ((1 << bits) - 1) for i in range(size)]
        return [signed(p, bits) for p in parts] if is_signed else parts

    for name, size, is_signed, scale in (
        ("unpack4x8snorm", 4, True, 127),
        ("unpack4x8unorm", 4, False, 255),
        ("unpack2x16snorm", 2, True, 32767),
        ("unpack2x16unorm", 2, False, 65535),
    ):

        def parts(word, size=size, is_signed=is_signed, scale=scale):
            return [F32.of(max(Fraction(-1), Fraction(v, scale))) for v in fields(word, size, is_signed)]

        yield name, [Case(f"{name}(a)", [("a", "u32")], f"vec{size}<f32>", parts, words, section="17.10")]
    yield "unpack2x16float", [
        Case("unpack2x16float(a)", [("a", "u32")], "vec2<f32>", lambda w: [convert(F16, F32, h) for h in fields(w, 2, False)], words, section="17.10")
    ]
    for name, is_signed in (("unpack4xI8", True), ("unpack4xU8", False)):
        kind = "i32" if is_signed else "u32"
        yield name, [
            Case(f"{name}(a)", [("a", "u32")], f"vec4<{kind}>", lambda w, s=is_signed: [wrap(v) for v in fields(w, 4, s)], words, section="17.10")
        ]
    rows = INTEGER_PAIRS + [(0x80818283, 0x7F80FF00), (0x80808080, 0x80808080), (0x7F7F7F7F, 0x80808080)]
    for name, is_signed in (("dot4U8Packed", False), ("dot4I8Packed", True)):

        def dot(a, b, s=is_signed):
            return wrap(sum(x * y for x, y in zip(fields(a, 4, s), fields(b, 4, s))))

        kind = "i32" if is_signed else "u32"
        yield name, [Case(f"{name}(a, b)", [("a", "u32"), ("b", "u32")], kind, dot, rows, section="17.5")]


def files():
    """Every file: its name and blocks."""
    for group in (arithmetic, comparisons, bits, conversions, primitives, expressions, vectors, matrices, packing):
        for name, cases in group():
            yield name, [case.block(name) for case in cases]
