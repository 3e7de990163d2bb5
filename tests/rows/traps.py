"""Blocks for what optimisers fold wrongly: README.md numbers the traps. Programs have constants, or one operand twice."""

import random

from dxbc import ONES, S, divide, extract, insert, mask, minimum
from exact import F32, Floats, wrap
from layout import Block
from values import FLOAT32, INTEGER

FIVE, THREE = F32.of(5), F32.of(3)
K = Floats(F32)  # WGSL keeps denormals


def l(bits):
    return f"l(0x{bits:08x})"


# File, trap, program, kind of the operand, what it gives.
DXBC = [
    ("add", "a - a is no constant", ["add o0.x, v0.x, -v0.x"], FLOAT32, lambda a: S.sub(a, a)),
    ("add", "adding +0 changes -0", [f"add o0.x, v0.x, {l(0)}"], FLOAT32, lambda a: S.add(a, 0)),
    ("add", "adding -0 changes a denormal", [f"add o0.x, v0.x, {l(F32.sign)}"], FLOAT32, lambda a: S.add(a, F32.sign)),
    ("mul", "a * 0 is no constant", [f"mul o0.x, v0.x, {l(0)}"], FLOAT32, lambda a: S.mul(a, 0)),
    ("mul", "a * 1 changes a denormal", [f"mul o0.x, v0.x, {l(F32.one)}"], FLOAT32, lambda a: S.mul(a, F32.one)),
    ("mad", "a * 0 + 0 is no constant", [f"mad o0.x, v0.x, {l(0)}, {l(F32.sign)}"], FLOAT32, lambda a: S.mad(a, 0, F32.sign)),
    ("div", "a / a is no constant", ["div o0.x, v0.x, v0.x"], FLOAT32, lambda a: S.div(a, a)),
    ("min", "trap 2", ["min o0.x, -v0.x, -v0.x"], FLOAT32, lambda a: minimum(S, S.neg(a), S.neg(a), True)),
    ("max", "trap 2", ["max o0.x, -v0.x, -v0.x"], FLOAT32, lambda a: minimum(S, S.neg(a), S.neg(a), False)),
    ("ge", "trap 3", [f"ge o0.x, |v0.x|, {l(0)}"], FLOAT32, lambda a: mask(S.le(0, S.abs(a)))),
    ("lt", "trap 3", [f"lt o0.x, {l(0)}, |v0.x|"], FLOAT32, lambda a: mask(S.lt(0, S.abs(a)))),
    ("min", "trap 5", [f"max r0.x, v0.x, {l(FIVE)}", f"min o0.x, r0.x, {l(THREE)}"], FLOAT32, lambda a: THREE),
    ("max", "trap 5", [f"min r0.x, v0.x, {l(THREE)}", f"max o0.x, r0.x, {l(FIVE)}"], FLOAT32, lambda a: FIVE),
    ("umin", "trap 5", [f"umax r0.x, v0.x, {l(FIVE)}", f"umin o0.x, r0.x, {l(3)}"], INTEGER, lambda a: 3),
    ("eq", "trap 11", ["eq o0.x, v0.x, v0.x"], FLOAT32, lambda a: mask(not F32.is_nan(a))),
    ("ne", "trap 11", ["ne o0.x, v0.x, v0.x"], FLOAT32, lambda a: mask(F32.is_nan(a))),
    ("udiv", "traps 1 and 10", [f"udiv o0.x, o1.x, v0.x, {l(0)}"], INTEGER, lambda a: divide(a, 0)),
    ("udiv", "traps 1 and 10", [f"udiv o0.x, o1.x, {l(7)}, v0.x"], INTEGER, lambda a: divide(7, a)),
    ("ubfe", "trap 6", [f"ubfe o0.x, {l(16)}, {l(24)}, v0.x"], INTEGER, lambda a: extract(16, 24, a, False)),
    ("ibfe", "trap 6", [f"ibfe o0.x, {l(16)}, {l(24)}, v0.x"], INTEGER, lambda a: extract(16, 24, a, True)),
    ("bfi", "trap 6", [f"bfi o0.x, {l(16)}, {l(24)}, v0.x, {l(0x12345678)}"], INTEGER, lambda a: insert(16, 24, a, 0x12345678)),
    ("ishl", "trap 15", [f"ishl o0.x, v0.x, {l(33)}"], INTEGER, lambda a: wrap(a << 1)),
    ("ushr", "trap 15", [f"ushr o0.x, v0.x, {l(32)}"], INTEGER, lambda a: a),
    ("ishr", "trap 15", [f"ishr o0.x, v0.x, {l(ONES)}"], INTEGER, lambda a: ONES if a >> 31 else 0),
]
WGSL = [
    ("sub", "a - a is no constant", "a - a", "f32", lambda a: K.sub(a, a)),
    ("mul", "a * 0 is no constant", "a * 0.0", "f32", lambda a: K.mul(a, 0)),
    ("div", "a / a is no constant", "a / a", "f32", lambda a: K.div(a, a)),
    ("rem", "a % 1 is no constant", "a % 1.0", "f32", lambda a: K.sub(a, K.trunc(a))),
    ("min", "trap 2", "min(-a, -a)", "f32", lambda a: K.neg(a)),
    ("ge", "trap 3", "abs(a) >= 0.0", "bool", lambda a: int(not F32.is_nan(a))),
    ("gt", "trap 3", "abs(a) > 0.0", "bool", lambda a: int(not F32.is_nan(a) and not F32.is_zero(a))),
    ("clamp", "trap 5", "max(min(a, 3.0), 5.0)", "f32", lambda a: FIVE if not F32.is_nan(a) else None),
    ("eq", "trap 11", "a == a", "bool", lambda a: int(not F32.is_nan(a))),
    ("ne", "trap 11", "a != a", "bool", lambda a: int(F32.is_nan(a))),
]


def block(title, program, inputs, outputs, kind, rule):
    rng = random.Random(f"trap {program}")
    made = Block(title, program, inputs, outputs, ([8], [8] * len(outputs)))
    for operand in [bits for _, bits in kind.specials] + [kind.random(rng) for _ in range(6)]:
        results = rule(operand)
        made.row((operand,), results if isinstance(results, tuple) else (results,), f"{title}: {kind.name(operand)}")
    return made


def blocks(language, name):
    """The blocks that belong to a file."""
    if language == "dxbc":
        for file, title, program, kind, rule in DXBC:
            if file == name:
                outputs = ["o0.x", "o1.x"] if name == "udiv" else ["o0.x"]
                yield block(title, program, ["v0.x"], outputs, kind, rule)
    else:
        for file, title, expression, result, rule in WGSL:
            if file == name:
                yield block(title, [expression], ["a:f32"], [result], FLOAT32, rule)
