"""Writes src/tables.rs: constants that the correctly rounded functions and the sRGB conversions use.

Needs mpmath. Run from the crate's folder: python3 tools/tables.py > src/tables.rs
"""

from mpmath import mp, mpf, pi, log, sin, cos, atan, floor

import struct

mp.prec = 1200


def f64(x):
    """The f64 nearest to x (mpmath rounds to even and keeps every exponent that occurs here)."""
    return float(mp.mpf(x))


def bits(x):
    return "0x%016x" % struct.unpack("<Q", struct.pack("<d", x))[0]


def lit(x):
    return "f64::from_bits(%s)" % bits(x)


def dd(x):
    hi = f64(x)
    lo = f64(x - mpf(hi))
    return "(%s, %s)" % (lit(hi), lit(lo))


def head(x, width):
    """x cut to a multiple of 2^-width."""
    return floor(x * mpf(2) ** width) / mpf(2) ** width


out = []


def const(name, doc, ty, value):
    out.append("/// %s\npub(crate) const %s: %s = %s;\n" % (doc, name, ty, value))


def static(name, doc, ty, items):
    out.append(
        "/// %s\npub(crate) static %s: [%s; %d] = [\n%s];\n"
        % (doc, name, ty, len(items), "".join("    %s,\n" % i for i in items))
    )


PAIR = "(f64, f64)"
const("LN2", "ln 2.", PAIR, dd(log(2)))
const("INV_LN2", "1 / ln 2.", PAIR, dd(1 / log(2)))
const("PI", "pi.", PAIR, dd(pi))
const("PI_2", "pi / 2.", PAIR, dd(pi / 2))
const("PI_32", "pi / 32.", PAIR, dd(pi / 32))

step = log(2) / 32
h = head(step, 43)
const("LN2_32_HEAD", "ln 2 / 32 cut to a multiple of 2^-43: exact times an integer below 2^13.", "f64", lit(f64(h)))
const("LN2_32_TAIL", "ln 2 / 32 less its head.", PAIR, dd(step - h))
h = head(log(2), 42)
const("LN2_HEAD", "ln 2 cut to a multiple of 2^-42: exact times an exponent.", "f64", lit(f64(h)))
const("LN2_TAIL", "ln 2 less its head.", "f64", lit(f64(log(2) - h)))

p = pi / 32
p1 = head(p, 36)
p2 = head(p - p1, 69)
const("PI_32_A", "pi / 32 cut to a multiple of 2^-36.", "f64", lit(f64(p1)))
const("PI_32_B", "The next part of pi / 32, a multiple of 2^-69.", "f64", lit(f64(p2)))
const("PI_32_C", "The rest of pi / 32.", "f64", lit(f64(p - p1 - p2)))

inv = 1 / (2 * pi)
words = ["0x%016x" % 0]
for i in range(8):
    words.append("0x%016x" % (int(floor(inv * mpf(2) ** (64 * (i + 1)))) & (2**64 - 1)))
static("INV_2PI", "A word of zeros, then the bits of 1 / (2 pi) after the binary point.", "u64", words)

static("EXP2_32", "2^(i / 32).", PAIR, [dd(mpf(2) ** (mpf(i) / 32)) for i in range(32)])
static("SIN_64", "sin(i pi / 32) for a whole turn.", PAIR,
       [dd(mpf(0) if i % 32 == 0 else mpf((-1) ** (i // 32)) if i % 16 == 0 else sin(i * pi / 32)) for i in range(64)])
static("ATAN_32", "atan(i / 32).", PAIR, [dd(atan(mpf(i) / 32)) for i in range(33)])

# For m in [1 + i/128, 1 + (i+1)/128): a factor c of ten bits near 1/m (near 2/m from i = 64 on, where the reader halves m).
static("RECIPROCALS", "1 / n, for n from 1; the entry of 0 is 0.", PAIR, [dd(mpf(0))] + [dd(1 / mpf(n)) for n in range(1, 22)])
static("INV_FACTORIALS", "1 / n!.", PAIR, [dd(1 / mp.factorial(n)) for n in range(16)])

rows = []
for i in range(128):
    centre = 1 + (mpf(i) + mpf("0.5")) / 128
    if i >= 64:
        centre /= 2
    c = mpf(1) if i in (0, 127) else floor(512 / centre + mpf("0.5")) / 512
    l = -log(c) if c != 1 else mpf(0)
    hl = head(l, 42)
    l2 = -log(c, 2) if c != 1 else mpf(0)
    h2 = head(l2, 42)
    full = f64(l - hl), f64((l - hl) - mpf(f64(l - hl)))
    rows.append("LogRow { factor: %s, ln_head: %s, ln_tail: (%s, %s), log2_head: %s, log2_tail: %s }"
                % (lit(f64(c)), lit(f64(hl)), lit(full[0]), lit(full[1]), lit(f64(h2)), lit(f64(l2 - h2))))
static("LOG_128", "Factors near 1/m and their negated logarithms.", "LogRow", rows)


def f32_bits(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def from_f32_bits(b):
    return mpf(struct.unpack("<f", struct.pack("<I", b))[0])


def round_f32(x):
    """Nearest f32 to x in (0, 1], by comparing neighbours exactly."""
    b = f32_bits(f64(x))
    best = min((b - 1, b, b + 1), key=lambda c: abs(from_f32_bits(c) - x)) if b else 0
    return best


def linear(c):
    f = mpf(c) / 255
    return f / mpf("12.92") if f <= mpf("0.04045") else ((f + mpf("0.055")) / mpf("1.055")) ** mpf("2.4")


def srgb(f):
    return f * mpf("12.92") if f < mpf("0.0031308") else mpf("1.055") * f ** (1 / mpf("2.4")) - mpf("0.055")


mp.prec = 200
static("SRGB_TO_LINEAR", "The f32 nearest to each 8-bit sRGB code's linear value.", "u32",
       ["0x%08x" % round_f32(linear(c)) for c in range(256)])
thresholds = []
for k in range(1, 256):
    lo, hi = 0, 0x3F800000
    while hi - lo > 1:
        mid = (lo + hi) // 2
        if 255 * srgb(from_f32_bits(mid)) + mpf("0.5") >= k:
            hi = mid
        else:
            lo = mid
    thresholds.append("0x%08x" % hi)
static("LINEAR_TO_SRGB", "Entry k - 1: the least f32 whose 8-bit sRGB code is k or more.", "u32", thresholds)

print("//! Constants, written by `tools/tables.py`; not to be edited.\n")
print("/// A factor near 1/m and its negated logarithms, each cut into an exact head and a tail.")
print("pub(crate) struct LogRow {")
for field, ty, doc in (
    ("factor", "f64", "The factor c."),
    ("ln_head", "f64", "-ln c cut to a multiple of 2^-42."),
    ("ln_tail", PAIR, "-ln c less its head."),
    ("log2_head", "f64", "-log2 c cut to a multiple of 2^-42."),
    ("log2_tail", "f64", "-log2 c less its head."),
):
    print("    /// %s\n    pub(crate) %s: %s," % (doc, field, ty))
print("}\n")
print("\n".join(out), end="")
