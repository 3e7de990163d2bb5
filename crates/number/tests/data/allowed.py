#!/usr/bin/env python3
"""Writes allowed.rows again: `python3 crates/number/tests/data/allowed.py`. Needs Python 3.10 and mpmath 1.3.

A row is `specification function format operands... : least greatest`, patterns in hexadecimal: the ends of the set of allowed results,
computed from the specifications' sentences with rational and 300-bit arithmetic. Rows whose bound lies within 2^-34 of a value are left out, because there
the last place of a float bound decides.
"""

import itertools
import pathlib
import random
from fractions import Fraction as Q

import mpmath

mpmath.mp.prec = 300


class Format:
    def __init__(self, name, exponent, fraction):
        self.name, self.fraction = name, fraction
        self.bias = (1 << (exponent - 1)) - 1
        self.infinity = ((1 << exponent) - 1) << fraction
        self.sign = 1 << (exponent + fraction)
        self.min_exponent = 1 - self.bias

    def value(self, bits):
        magnitude = bits & (self.sign - 1)
        e, f = magnitude >> self.fraction, magnitude & ((1 << self.fraction) - 1)
        mantissa = f if e == 0 else f | 1 << self.fraction
        v = Q(mantissa) * Q(2) ** (max(e, 1) - self.bias - self.fraction)
        return -v if bits & self.sign else v

    def floor(self, x):
        """The pattern of the greatest value not above x."""
        if x < 0:
            return self.sign | self.ceil(-x)
        low, high = 0, self.infinity - 1
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.value(middle) <= x else (low, middle - 1)
        return low

    def ceil(self, x):
        if x <= 0:
            return self.sign | self.floor(-x) if x < 0 else 0
        down = self.floor(x)
        return down if self.value(down) == x else down + 1

    def nearest(self, x):
        down, up = self.floor(x), self.ceil(x)
        a, b = x - self.value(down), self.value(up) - x
        return down if a < b or a == b and down % 2 == 0 else up

    def ulp(self, x):
        """Least distance between two values that x lies between."""
        x = abs(x)
        e = self.min_exponent
        while Q(2) ** (e + 1) < x:
            e += 1
        return Q(2) ** (e - self.fraction)


F16, F32 = Format("f16", 5, 10), Format("f32", 8, 23)


def to_fraction(x):
    sign, man, exp, _ = mpmath.mpf(x)._mpf_
    v = Q(int(man)) * (Q(2) ** exp)
    return -v if sign else v


def real(f):
    return lambda *args: to_fraction(f(*[mpmath.mpf(a.numerator) / a.denominator for a in args]))


EXP2 = real(lambda x: mpmath.power(2, x))
EXP, LOG, SIN, COS, ATAN = map(real, (mpmath.exp, mpmath.log, mpmath.sin, mpmath.cos, mpmath.atan))
LOG2 = real(lambda x: mpmath.log(x) / mpmath.log(2))
SQRT, RSQRT = real(mpmath.sqrt), real(lambda x: 1 / mpmath.sqrt(x))
ATAN2, ASIN, ACOS = real(mpmath.atan2), real(mpmath.asin), real(mpmath.acos)


class Near(Exception):
    """A bound falls too close to a value."""


def inside(f, low, high):
    """Ends of the values from low to high; refuses bounds that nearly touch one."""
    for bound in (low, high):
        near = f.value(f.nearest(bound))
        if abs(near - bound) < abs(bound) / 2**34:
            raise Near
    assert abs(low) < 2 ** f.bias and abs(high) < 2 ** f.bias, "overflow is tested by hand"
    return f.ceil(low), f.floor(high)


def ulps(function, count):
    def rule(f, *args):
        y = function(*args)
        n = count(*args) if callable(count) else Q(count)
        d = n * f.ulp(y)
        if f.ulp(y - d) != f.ulp(y + d):
            raise Near
        return inside(f, y - d, y + d)

    return rule


def relative(function, error):
    def rule(f, *args):
        y = function(*args)
        d = abs(y) * error
        return inside(f, y - d, y + d)

    return rule


def absolute(function, error):
    def rule(f, *args):
        y = function(*args)
        return inside(f, y - error, y + error)

    return rule


def unit(rule):
    """Results clipped to [-1, 1]."""

    def clipped(f, *args):
        low, high = rule(f, *args)
        one = f.nearest(Q(1))
        return (low if f.value(low) >= -1 else f.sign | one), (high if f.value(high) <= 1 else one)

    return clipped


def nearest(function):
    return lambda f, *args: (f.nearest(function(*args)),) * 2


def faithful(function):
    return lambda f, *args: (f.floor(function(*args)), f.ceil(function(*args)))


def two_step(f, a, b):
    """a * r with r a value within one ulp of 1 / b, rounded to nearest."""
    if abs(b) == 1:
        return (f.nearest(a / b),) * 2
    y = 1 / b
    low, high = inside(f, y - f.ulp(y), y + f.ulp(y))
    ends = [f.value(f.nearest(a * f.value(r))) for r in (low, high)] + [f.value(f.nearest(a / b))]
    return f.nearest(min(ends)), f.nearest(max(ends))


def serial(f, products, addends):
    """No farther from the exact sum than the worst order of single roundings."""
    total = sum(products) + sum(addends)
    terms = [f.value(f.nearest(p)) for p in products] + list(addends)
    worst = Q(0)
    for order in itertools.permutations(terms):
        acc = order[0]
        for term in order[1:]:
            acc = f.value(f.nearest(acc + term))
        worst = max(worst, abs(acc - total))
    # The bound itself is a value, so it belongs; only its mirror image may nearly touch one.
    low, high = total - worst, total + worst
    for bound in (low, high):
        near = f.value(f.nearest(bound))
        if near != bound and abs(near - bound) < abs(bound) / 2**34:
            raise Near
    return f.ceil(low), f.floor(high)


def any_order(f, products, addends):
    """Every bracketing, each step rounded up or down."""
    terms = [(f.value(f.floor(p)), f.value(f.ceil(p))) for p in products] + [(a, a) for a in addends]

    def sums(terms):
        if len(terms) == 1:
            return terms
        found = []
        for i, j in itertools.combinations(range(len(terms)), 2):
            rest = [t for k, t in enumerate(terms) if k not in (i, j)]
            low, high = terms[i][0] + terms[j][0], terms[i][1] + terms[j][1]
            found += sums(rest + [(f.value(f.floor(low)), f.value(f.ceil(high)))])
        return found

    ends = sums(terms)
    return f.nearest(min(e[0] for e in ends)), f.nearest(max(e[1] for e in ends))


def dot(rule):
    def wrapped(f, *args):
        n = len(args) // 2
        return rule(f, [a * b for a, b in zip(args[:n], args[n:])], [])

    return wrapped


def mad(rule):
    return lambda f, a, b, c: rule(f, [a * b], [c])


def wgsl_sqrt(f, x):
    """1 / inverseSqrt(x): 2 ulp, then a division of 2.5 ulp."""
    ends = []
    for bits in ulps(RSQRT, 2)(f, x):
        ends += [f.value(e) for e in ulps(lambda y: 1 / y, Q(5, 2))(f, f.value(bits))]
    return f.nearest(min(ends)), f.nearest(max(ends))


def inherited_angle(function, error, steps, order):
    """The worse of an absolute error and of atan2 of a and sqrt(1 - a * a)."""

    def rule(f, a):
        low, high = (f.value(b) for b in absolute(function, error)(f, a))
        squares = [f.value(f.floor(a * a)), f.value(f.ceil(a * a))]
        rests = [f.value(f.floor(1 - squares[1])), f.value(f.ceil(1 - squares[0]))]
        roots = [f.value(b) for r in rests for b in wgsl_sqrt(f, r)]
        for root in (min(roots), max(roots)):
            for b in ulps(ATAN2, steps)(f, *order(a, root)):
                low, high = min(low, f.value(b)), max(high, f.value(b))
        return f.nearest(low), f.nearest(high)

    return rule


def fract(x):
    return x - (x.numerator // x.denominator)


E21, E11, E7 = Q(1, 2**21), Q(1, 2**11), Q(1, 2**7)
growing = lambda base: lambda x: base + 2 * abs(x)
positive = lambda r: 2.0 ** r.uniform(-20, 20)
signed = lambda r: r.choice([-1, 1]) * 2.0 ** r.uniform(-12, 12)
small = lambda r: r.choice([-1, 1]) * 2.0 ** r.uniform(-6, 3)
exponent = lambda r: r.choice([-1, 1]) * 2.0 ** r.uniform(-6, 6.9)
turn = lambda r: r.uniform(-3.14, 3.14)
half_to_two = lambda r: r.uniform(0.5, 2.0)
above_two = lambda r: 2.0 ** r.uniform(1.1, 12)
near_one = lambda r: r.uniform(-0.9, 0.9)

add, sub, mul, div = (lambda a, b: a + b), (lambda a, b: a - b), (lambda a, b: a * b), (lambda a, b: a / b)
rcp = lambda x: 1 / x

# specification, function, format, rule, operands
FACTS = [
    ("d3d11", "add", F32, nearest(add), [signed, signed]),
    ("d3d11", "sub", F32, nearest(sub), [signed, signed]),
    ("d3d11", "mul", F32, nearest(mul), [signed, signed]),
    ("d3d11", "add", F16, nearest(add), [small, small]),
    ("d3d11", "mul", F16, nearest(mul), [small, small]),
    ("d3d11", "div", F32, two_step, [signed, signed]),
    ("d3d11", "div", F16, nearest(div), [small, small]),
    ("d3d11", "mad", F32, mad(serial), [small, small, small]),
    ("d3d11", "fma", F32, nearest(lambda a, b, c: a * b + c), [small, small, small]),
    ("d3d11", "mad", F16, mad(serial), [small, small, small]),
    ("d3d11", "dot3", F16, dot(serial), [lambda r: r.choice([-1, 1]) * 2.0 ** r.uniform(-2, 2)] * 6),
    # Relative 2^-21 is less than half a unit of f16: the nearest value is what is left.
    ("d3d11", "rsqrt", F16, nearest(RSQRT), [lambda r: 2.0 ** r.uniform(-10, 10)]),
    ("d3d11", "dot2", F32, dot(serial), [small] * 4),
    ("d3d11", "dot3", F32, dot(serial), [small] * 6),
    ("d3d11", "dot4", F32, dot(serial), [small] * 8),
    ("d3d11", "sqrt", F32, ulps(SQRT, 1), [positive]),
    ("d3d11", "rsqrt", F32, relative(RSQRT, E21), [positive]),
    ("d3d11", "rcp", F32, relative(rcp, E21), [signed]),
    ("d3d11", "exp2", F32, relative(EXP2, E21), [exponent]),
    ("d3d11", "log2", F32, absolute(LOG2, E21), [half_to_two]),
    ("d3d11", "log2", F32, relative(LOG2, E21), [above_two]),
    ("d3d11", "log2", F32, relative(LOG2, E21), [lambda r: 2.0 ** r.uniform(-30, -1.1)]),
    ("d3d11", "sin", F32, unit(absolute(SIN, Q(8, 10000))), [lambda r: r.uniform(-314, 314)]),
    ("d3d11", "cos", F32, unit(absolute(COS, Q(8, 10000))), [lambda r: r.uniform(-314, 314)]),
    ("d3d11", "fract", F32, nearest(fract), [signed]),
    ("wgsl", "add", F32, faithful(add), [signed, signed]),
    ("wgsl", "sub", F32, faithful(sub), [signed, signed]),
    ("wgsl", "mul", F32, faithful(mul), [signed, signed]),
    ("wgsl", "add", F16, faithful(add), [small, small]),
    ("wgsl", "mul", F16, faithful(mul), [small, small]),
    ("wgsl", "div", F32, ulps(div, Q(5, 2)), [signed, signed]),
    ("wgsl", "div", F16, ulps(div, Q(5, 2)), [small, small]),
    ("wgsl", "mad", F32, mad(any_order), [small, small, small]),
    ("wgsl", "dot2", F32, dot(any_order), [small] * 4),
    ("wgsl", "dot3", F32, dot(any_order), [small] * 6),
    ("wgsl", "dot4", F32, dot(any_order), [small] * 8),
    ("wgsl", "dot3", F16, dot(any_order), [lambda r: r.choice([-1, 1]) * 2.0 ** r.uniform(-2, 2)] * 6),
    ("wgsl", "sqrt", F32, wgsl_sqrt, [positive]),
    ("wgsl", "sqrt", F16, wgsl_sqrt, [lambda r: 2.0 ** r.uniform(-6, 6)]),
    ("wgsl", "rsqrt", F32, ulps(RSQRT, 2), [positive]),
    ("wgsl", "rsqrt", F16, ulps(RSQRT, 2), [lambda r: 2.0 ** r.uniform(-10, 10)]),
    ("wgsl", "exp2", F32, ulps(EXP2, growing(3)), [exponent]),
    ("wgsl", "exp2", F16, ulps(EXP2, growing(1)), [small]),
    ("wgsl", "exp", F32, ulps(EXP, growing(3)), [small]),
    ("wgsl", "exp", F16, ulps(EXP, growing(1)), [small]),
    ("wgsl", "log2", F32, absolute(LOG2, E21), [half_to_two]),
    ("wgsl", "log2", F32, ulps(LOG2, 3), [above_two]),
    ("wgsl", "log2", F16, absolute(LOG2, E7), [half_to_two]),
    ("wgsl", "log2", F16, ulps(LOG2, 3), [above_two]),
    ("wgsl", "log", F32, absolute(LOG, E21), [half_to_two]),
    ("wgsl", "log", F32, ulps(LOG, 3), [above_two]),
    ("wgsl", "log", F16, absolute(LOG, E7), [half_to_two]),
    ("wgsl", "log", F16, ulps(LOG, 3), [above_two]),
    ("wgsl", "sin", F32, absolute(SIN, E11), [turn]),
    ("wgsl", "sin", F16, absolute(SIN, E7), [turn]),
    ("wgsl", "cos", F32, absolute(COS, E11), [turn]),
    ("wgsl", "cos", F16, absolute(COS, E7), [turn]),
    ("wgsl", "atan", F32, ulps(ATAN, 4096), [signed]),
    ("wgsl", "atan", F16, ulps(ATAN, 5), [small]),
    ("wgsl", "atan2", F32, ulps(ATAN2, 4096), [signed, signed]),
    ("wgsl", "atan2", F16, ulps(ATAN2, 5), [small, small]),
    ("wgsl", "asin", F32, inherited_angle(ASIN, Q(681, 10**7), 4096, lambda a, root: (a, root)), [near_one]),
    ("wgsl", "acos", F32, inherited_angle(ACOS, Q(677, 10**7), 4096, lambda a, root: (root, a)), [near_one]),
    ("wgsl", "asin", F16, inherited_angle(ASIN, Q(391, 10**5), 5, lambda a, root: (a, root)), [near_one]),
    ("wgsl", "acos", F16, inherited_angle(ACOS, Q(391, 10**5), 5, lambda a, root: (root, a)), [near_one]),
    ("wgsl", "fract", F32, faithful(fract), [signed]),
]


def rows():
    for specification, name, f, rule, operands in FACTS:
        r = random.Random(f"{specification} {name} {f.name} {len(operands)}")
        made, tried = 0, 0
        while made < 12 and tried < 2000:
            tried += 1
            bits = [f.nearest(Q(draw(r))) for draw in operands]
            try:
                low, high = rule(f, *[f.value(b) for b in bits])
            except Near:
                continue
            # Results near 0 may be flushed too: sets of their own, tested by hand.
            if abs(f.value(low)) < Q(2) ** f.min_exponent or abs(f.value(high)) < Q(2) ** f.min_exponent:
                continue
            made += 1
            yield f"{specification} {name} {f.name} {' '.join(f'{b:x}' for b in bits)} : {low:x} {high:x}"
        assert made == 12, (specification, name, f.name, made)


pathlib.Path(__file__).with_name("allowed.rows").write_text("\n".join(rows()) + "\n")
