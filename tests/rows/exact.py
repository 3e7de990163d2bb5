"""Floating-point formats and operations in exact arithmetic: rationals, and for functions of reals intervals that are narrowed until rounding is certain.

Nothing here uses the host's floating point. Numbers are bit patterns, as Python integers.
"""

from fractions import Fraction

import mpmath


class Format:
    """A binary format of IEEE 754."""

    def __init__(self, exponent_bits, fraction_bits):
        self.fraction_bits = fraction_bits
        self.bits = 1 + exponent_bits + fraction_bits
        self.bias = (1 << (exponent_bits - 1)) - 1
        self.least_exponent = 1 - self.bias
        self.sign = 1 << (self.bits - 1)
        self.infinity = ((1 << exponent_bits) - 1) << fraction_bits
        self.nan = self.infinity | 1 << (fraction_bits - 1)
        self.largest = self.infinity - 1
        self.one = self.bias << fraction_bits
        self.least_normal = 1 << fraction_bits

    def is_nan(self, bits):
        return bits & ~self.sign > self.infinity

    def is_infinite(self, bits):
        return bits & ~self.sign == self.infinity

    def is_zero(self, bits):
        return bits & ~self.sign == 0

    def is_denormal(self, bits):
        return 0 < bits & ~self.sign < self.least_normal

    def is_negative(self, bits):
        return bits & self.sign != 0

    def value(self, bits):
        """The number that a finite pattern stands for."""
        magnitude = bits & ~self.sign
        exponent, fraction = divmod(magnitude, 1 << self.fraction_bits)
        if exponent:
            fraction |= 1 << self.fraction_bits
        scale = max(exponent, 1) - self.bias - self.fraction_bits
        number = Fraction(fraction) * Fraction(2) ** scale
        return -number if bits & self.sign else number

    def round(self, number, negative_zero=False, toward_zero=False):
        """The pattern nearest to a number, ties to even, or the nearest one toward zero."""
        if number == 0:
            return self.sign if negative_zero else 0
        sign, magnitude = (self.sign, -number) if number < 0 else (0, number)
        exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
        if Fraction(2) ** exponent > magnitude:
            exponent -= 1
        exponent = max(exponent, self.least_exponent)
        scaled = magnitude / Fraction(2) ** (exponent - self.fraction_bits)
        whole = scaled.numerator // scaled.denominator
        rest = scaled - whole
        if not toward_zero and (rest > Fraction(1, 2) or rest == Fraction(1, 2) and whole % 2 == 1):
            whole += 1
        bits = ((exponent + self.bias - 1) << self.fraction_bits) + whole
        if bits >= self.infinity:
            bits = self.largest if toward_zero else self.infinity
        return sign | bits

    def of(self, number):
        """The pattern of a number given as int, Fraction or decimal text."""
        return self.round(Fraction(number))


F16 = Format(5, 10)
F32 = Format(8, 23)
F64 = Format(11, 52)


def to_fraction(number):
    """An mpmath number as a rational, exactly."""
    sign, mantissa, exponent, _ = number._mpf_
    value = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    return -value if sign else value


def to_mpf(number):
    return mpmath.mpf(number.numerator) / number.denominator


class Floats:
    """The operations of a format under a rule for denormals. NaN results are the canonical one."""

    def __init__(self, fmt, flush=False):
        self.fmt = fmt
        self.flush = flush

    # Operands and results

    def operand(self, bits):
        if self.flush and self.fmt.is_denormal(bits):
            return bits & self.fmt.sign
        return bits

    def result(self, bits):
        return self.fmt.nan if self.fmt.is_nan(bits) else self.operand(bits)

    def rounded(self, number, negative_zero=False):
        return self.result(self.fmt.round(number, negative_zero))

    def of(self, number):
        return self.fmt.of(number)

    # Primitive operations

    def add(self, a, b):
        f, a, b = self.fmt, self.operand(a), self.operand(b)
        if f.is_nan(a) or f.is_nan(b):
            return f.nan
        if f.is_infinite(a):
            return f.nan if f.is_infinite(b) and a != b else a
        if f.is_infinite(b):
            return b
        # A sum that is zero is +0, unless both operands are -0 (to nearest).
        return self.rounded(f.value(a) + f.value(b), a == b == f.sign)

    def sub(self, a, b):
        return self.add(a, b if self.fmt.is_nan(b) else b ^ self.fmt.sign)

    def mul(self, a, b):
        f, a, b = self.fmt, self.operand(a), self.operand(b)
        sign = (a ^ b) & f.sign
        if f.is_nan(a) or f.is_nan(b):
            return f.nan
        if f.is_infinite(a) or f.is_infinite(b):
            return f.nan if f.is_zero(a) or f.is_zero(b) else sign | f.infinity
        return self.rounded(f.value(a) * f.value(b), sign != 0)

    def div(self, a, b):
        f, a, b = self.fmt, self.operand(a), self.operand(b)
        sign = (a ^ b) & f.sign
        if f.is_nan(a) or f.is_nan(b):
            return f.nan
        if f.is_infinite(a):
            return f.nan if f.is_infinite(b) else sign | f.infinity
        if f.is_infinite(b):
            return sign
        if f.is_zero(b):
            return f.nan if f.is_zero(a) else sign | f.infinity
        return self.rounded(f.value(a) / f.value(b), sign != 0)

    def rcp(self, a):
        return self.div(self.fmt.one, a)

    def mad(self, a, b, c):
        return self.add(self.mul(a, b), c)

    def fma(self, a, b, c):
        f = self.fmt
        a, b, c = self.operand(a), self.operand(b), self.operand(c)
        sign = (a ^ b) & f.sign
        if f.is_nan(a) or f.is_nan(b) or f.is_nan(c):
            return f.nan
        if f.is_infinite(a) or f.is_infinite(b):
            if f.is_zero(a) or f.is_zero(b):
                return f.nan
            return self.add(sign | f.infinity, c)
        if f.is_infinite(c):
            return c
        product = f.value(a) * f.value(b)
        both_negative = product == 0 and sign != 0 and c == f.sign
        return self.rounded(product + f.value(c), both_negative)

    def dot(self, a, b):
        total = self.mul(a[0], b[0])
        for x, y in zip(a[1:], b[1:]):
            total = self.add(total, self.mul(x, y))
        return total

    # Integral values

    def integral(self, a, rounding):
        f, a = self.fmt, self.operand(a)
        if f.is_nan(a) or f.is_infinite(a):
            return self.result(a)
        return f.round(Fraction(rounding(f.value(a))), f.is_negative(a))

    def floor(self, a):
        return self.integral(a, lambda x: x.numerator // x.denominator)

    def ceil(self, a):
        return self.integral(a, lambda x: -(-x.numerator // x.denominator))

    def trunc(self, a):
        return self.integral(a, lambda x: abs(x.numerator) // x.denominator * (-1 if x < 0 else 1))

    def nearest(self, a):
        return self.integral(a, round)  # Python's round of a Fraction takes ties to even.

    def frc(self, a):
        return self.sub(a, self.floor(a))

    # Comparisons: None where a NaN makes them unordered

    def compare(self, a, b):
        f, a, b = self.fmt, self.operand(a), self.operand(b)
        if f.is_nan(a) or f.is_nan(b):
            return None

        def key(x):
            if f.is_infinite(x):
                return (-1 if f.is_negative(x) else 1, 0)
            return (0, f.value(x))

        x, y = key(a), key(b)
        return (x > y) - (x < y)

    def lt(self, a, b):
        return self.compare(a, b) == -1

    def le(self, a, b):
        return self.compare(a, b) in (-1, 0)

    def eq(self, a, b):
        return self.compare(a, b) == 0

    def neg(self, a):
        return a ^ self.fmt.sign

    def abs(self, a):
        return a & ~self.fmt.sign

    # Functions of reals, correctly rounded

    def narrowed(self, compute):
        """Rounds what `compute` gives at growing precision, once an interval around it rounds to one pattern."""
        precision = 160
        while precision < 20000:
            with mpmath.workprec(precision):
                number = to_fraction(compute())
            error = abs(number) * Fraction(1, 2 ** (precision - 24))
            low, high = self.fmt.round(number - error), self.fmt.round(number + error)
            if low == high:
                return self.result(low)
            precision *= 2
        raise ArithmeticError("a result too near to the middle of two numbers")

    def real(self, function, a):
        """A function at a finite operand. Its zero, if it gives one, is +0."""
        number = self.fmt.value(self.operand(a))
        return self.narrowed(lambda: function(to_mpf(number)))

    def sqrt(self, a):
        f, a = self.fmt, self.operand(a)
        if f.is_nan(a) or f.is_negative(a) and not f.is_zero(a):
            return f.nan
        return a if f.is_zero(a) or f.is_infinite(a) else self.real(mpmath.sqrt, a)

    def rsqrt(self, a):
        f, a = self.fmt, self.operand(a)
        if f.is_zero(a):
            return a | f.infinity
        if f.is_nan(a) or f.is_negative(a):
            return f.nan
        return 0 if f.is_infinite(a) else self.real(lambda x: 1 / mpmath.sqrt(x), a)

    def exponential(self, a, function):
        f, a = self.fmt, self.operand(a)
        if f.is_nan(a):
            return f.nan
        # Beyond +-5000 every format here over- or underflows.
        if f.is_infinite(a) or abs(f.value(a)) > 5000:
            return 0 if f.is_negative(a) else f.infinity
        return self.real(function, a)

    def exp2(self, a):
        f, x = self.fmt, self.operand(a)
        if not f.is_nan(x) and not f.is_infinite(x) and f.value(x).denominator == 1 and abs(f.value(x)) < 5000:
            # Exact, and perhaps in the middle of two numbers.
            return self.rounded(Fraction(2) ** f.value(x))
        return self.exponential(a, lambda x: mpmath.power(2, x))

    def exp(self, a):
        return self.exponential(a, mpmath.exp)

    def logarithm(self, a, function):
        f, a = self.fmt, self.operand(a)
        if f.is_zero(a):
            return f.sign | f.infinity
        if f.is_nan(a) or f.is_negative(a):
            return f.nan
        return a if f.is_infinite(a) else self.real(function, a)

    def log2(self, a):
        return self.logarithm(a, lambda x: mpmath.log(x) / mpmath.log(2))

    def log(self, a):
        return self.logarithm(a, mpmath.log)

    def odd(self, a, function):
        """A function whose zero at a zero keeps its sign; NaN of infinities."""
        f, a = self.fmt, self.operand(a)
        if f.is_nan(a) or f.is_infinite(a):
            return f.nan
        return a if f.is_zero(a) else self.real(function, a)

    def sin(self, a):
        return self.odd(a, mpmath.sin)

    def cos(self, a):
        f, a = self.fmt, self.operand(a)
        return f.nan if f.is_nan(a) or f.is_infinite(a) else self.real(mpmath.cos, a)

    def asin(self, a):
        f, a = self.fmt, self.operand(a)
        if not f.is_nan(a) and self.lt(f.one, self.abs(a)):
            return f.nan
        return self.odd(a, mpmath.asin)

    def acos(self, a):
        f, a = self.fmt, self.operand(a)
        if f.is_nan(a) or self.lt(f.one, self.abs(a)):
            return f.nan
        return self.real(mpmath.acos, a)

    def atan(self, a):
        f, a = self.fmt, self.operand(a)
        if f.is_infinite(a):
            return a & f.sign | self.narrowed(lambda: mpmath.pi / 2)
        return self.odd(a, mpmath.atan)

    def atan2(self, y, x):
        """As IEEE 754-2019 9.2 defines it."""
        f, y, x = self.fmt, self.operand(y), self.operand(x)
        if f.is_nan(y) or f.is_nan(x):
            return f.nan
        sign = y & f.sign
        if f.is_infinite(y) and f.is_infinite(x):
            quarter = 3 if f.is_negative(x) else 1
            return sign | self.narrowed(lambda: quarter * mpmath.pi / 4)
        if f.is_infinite(y) or f.is_zero(x) and not f.is_zero(y):
            return sign | self.narrowed(lambda: mpmath.pi / 2)
        if f.is_infinite(x) or f.is_zero(y):
            return sign | (self.narrowed(lambda: +mpmath.pi) if f.is_negative(x) else 0)
        v, u = f.value(y), f.value(x)
        return self.narrowed(lambda: mpmath.atan2(to_mpf(v), to_mpf(u)))

    # Scaling

    def ldexp(self, a, exponent):
        f, a = self.fmt, self.operand(a)
        if f.is_nan(a) or f.is_infinite(a):
            return self.result(a)
        power = Fraction(2) ** max(min(exponent, 5000), -5000)
        return self.rounded(f.value(a) * power, f.is_negative(a))

    def frexp(self, a):
        """Fraction of magnitude in [1/2, 1) and exponent of a finite number."""
        f, a = self.fmt, self.operand(a)
        if f.is_zero(a):
            return a, 0
        number, exponent = f.value(a), 0
        while abs(number) >= 1:
            number, exponent = number / 2, exponent + 1
        while abs(number) < Fraction(1, 2):
            number, exponent = number * 2, exponent - 1
        return f.round(number), exponent


def convert(source, target, bits, toward_zero=False):
    """From one format to another, denormals kept. A finite number too large becomes, toward zero, the largest finite one."""
    if source.is_nan(bits):
        return target.nan
    sign = target.sign if source.is_negative(bits) else 0
    if source.is_infinite(bits):
        return sign | target.infinity
    return target.round(source.value(bits), sign != 0, toward_zero)


def to_integer(fmt, bits, least, greatest):
    """Toward zero, clamped; NaN gives 0. The result is an integer, perhaps negative."""
    if fmt.is_nan(bits):
        return 0
    if fmt.is_infinite(bits):
        return least if fmt.is_negative(bits) else greatest
    number = fmt.value(bits)
    whole = abs(number.numerator) // number.denominator * (-1 if number < 0 else 1)
    return max(least, min(greatest, whole))


def signed(bits, width=32):
    return bits - (1 << width) if bits >> (width - 1) & 1 else bits


def wrap(number, width=32):
    return number & ((1 << width) - 1)
