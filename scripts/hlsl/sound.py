"""Programs that no compiler writes and that are sound: what they use is declared, and fits.

One for each stage and model with every opcode that the table lets it have, so that a Program is built from each and, in the
stages that run, run. A geometry program of SM 5 has streams or has none, and then another set of instructions: there are two.
"""

import re

# What registers an operand is in, by the letter of the pattern, and what components of it.
TEMP, INPUT, OUTPUT, INDEXABLE, IMMEDIATE, SAMPLER, RESOURCE, CONSTANTS, LABEL = 0, 1, 2, 3, 4, 6, 7, 8, 10
STREAM, INTERFACE, UAV, SHARED = 16, 19, 30, 31
X, XY, XYZ, XYZW = 1, 3, 7, 15
SPECIAL = {"vPrim": 11, "vOutputControlPointID": 22, "vForkInstanceID": 23, "vJoinInstanceID": 24, "vicp": 25, "vocp": 26, "vpc": 27,
           "vDomain": 28, "vThreadID": 32, "vThreadIDInGroupFlattened": 36, "vGSInstanceID": 37}  # fmt: skip
STAGES = {"PIXEL": ["ps"], "GEOMETRY": ["gs"], "HULL": ["hs"], "TESSELLATION": ["hs", "ds"], "COMPUTE": ["cs"]}


def register(file, *at, mask=None, swizzle=None, one=None):
    token = file << 12 | len(at) << 20
    if mask is not None:
        token |= 2 | mask << 4
    elif swizzle is not None:
        token |= 2 | 1 << 2 | swizzle << 4
    elif one is not None:
        token |= 2 | 2 << 2 | one << 4
    return [token, *at]


def temp(number, mask=XYZW):
    return register(TEMP, number, mask=mask)


def read(number, swizzle=0xE4):
    return register(TEMP, number, swizzle=swizzle)


def scalar(number, component=0):
    return register(TEMP, number, one=component)


def word(value):
    return [IMMEDIATE << 12 | 1, value]


def words(*values):
    return [IMMEDIATE << 12 | 2 | 1 << 2 | 0xE4 << 4, *values]


def by_register(file, *at, temporary, dimension, swizzle=0xE4):
    """An operand of which an index is a constant and r#.x."""
    token = file << 12 | len(at) << 20 | 2 | 1 << 2 | swizzle << 4
    body = []
    for i, number in enumerate(at):
        body.append(number)
        if i == dimension:
            token |= 3 << (22 + 3 * i)
            body += scalar(temporary)
    return [token, *body]


def flat(operands):
    return [one for operand in operands for one in operand]


class Sound:
    def __init__(self, rows, stage, model, streams=True):
        self.stage, self.model, self.streams = stage, model, streams
        self.rows = {row[1]: row for row in rows if stage in STAGES.get(row[5], [stage]) and row[6] <= model}
        self.spaces = model >= (5, 1)

    def has(self, name):
        return name in self.rows

    def op(self, name, *operands, bits=0, long=False):
        body = flat(operands)
        if long:
            return [self.rows[name][0] | bits | 1 << 31, 2 + len(body), *body]
        return [self.rows[name][0] | bits | (1 + len(body)) << 24, *body]

    def bound(self, file, number, **selection):
        """A resource, sampler or view: in SM 5.1 of the range that its declaration gives this number."""
        return register(file, *([number, number] if self.spaces else [number]), **selection)

    # ---- declarations

    def resource(self, name, file, number, *after, bits=0, **selection):
        at = [number, number, number] if self.spaces else [number]
        space = [[0]] if self.spaces else []
        return self.op(name, register(file, *at, **selection), *([one] for one in after), *space, bits=bits)

    def resources(self):
        types = 5 | 5 << 4 | 5 << 8 | 5 << 12
        unsigned = 4 | 4 << 4 | 4 << 8 | 4 << 12
        swizzle = {"swizzle": 0xE4}
        if self.spaces:
            yield self.op("dcl_constantbuffer", register(CONSTANTS, 0, 0, 0, **swizzle), [4], [0], bits=1 << 11)
        else:
            yield self.op("dcl_constantbuffer", register(CONSTANTS, 0, 4, **swizzle), bits=1 << 11)
        yield self.resource("dcl_sampler", SAMPLER, 0)
        yield self.resource("dcl_sampler", SAMPLER, 1, bits=1 << 11)
        yield self.resource("dcl_resource", RESOURCE, 0, types, bits=3 << 11)
        yield self.resource("dcl_resource", RESOURCE, 1, types, bits=4 << 11 | 4 << 16)
        yield self.resource("dcl_resource_raw", RESOURCE, 2)
        yield self.resource("dcl_resource_structured", RESOURCE, 3, 16)
        if self.has("dcl_uav_typed"):
            yield self.resource("dcl_uav_typed", UAV, 0, unsigned, bits=3 << 11)
            # Ordered by the rasteriser, in the stage that has one before it.
            yield self.resource("dcl_uav_typed", UAV, 3, unsigned, bits=3 << 11 | (1 << 17 if self.stage == "ps" else 0))
        yield self.resource("dcl_uav_raw", UAV, 1)
        yield self.resource("dcl_uav_structured", UAV, 2, 16, bits=1 << 23)

    def interfaces(self):
        if self.has("fcall"):
            yield self.op("dcl_function_body", [0])
            yield self.op("dcl_function_table", [0], [1], [0], long=True)
            yield self.op("dcl_interface", [0], [1], [1 << 16 | 1], [0], long=True)

    def registers(self):
        """Of the program, or of a phase."""
        yield self.op("dcl_temps", [8])
        yield self.op("dcl_indexableTemp", [0], [4], [4])

    def outputs(self):
        """o0 to o4: of the pipeline's, of the program's own, and two that an index chooses from."""
        yield self.op("dcl_output_siv", register(OUTPUT, 0, mask=XYZW), [1])
        yield self.op("dcl_output", register(OUTPUT, 1, mask=XYZW))
        yield self.op("dcl_output_sgv", register(OUTPUT, 2, mask=X), [7])
        yield self.op("dcl_output", register(OUTPUT, 3, mask=XYZW))
        yield self.op("dcl_output", register(OUTPUT, 4, mask=XYZW))
        yield self.op("dcl_indexrange", register(OUTPUT, 3, mask=XYZW), [2])

    def vertices(self, file, count):
        """Inputs of each vertex or control point: its position, a number, and a vector."""
        yield self.op("dcl_input_siv", register(file, count, 0, mask=XYZW), [1])
        yield self.op("dcl_input_sgv", register(file, count, 1, mask=X), [8])
        yield self.op("dcl_input", register(file, count, 2, mask=XYZW))

    def head(self):
        """Declarations before the code, or before the phases."""
        stage = self.stage
        if stage == "hs":
            yield self.op("hs_decls")
        yield self.op("dcl_globalFlags", bits=(1 | (1 << 1 | 1 << 3 if self.model[0] == 5 else 0)) << 11)
        yield from self.resources()
        yield from self.interfaces()
        yield [53 | 3 << 11, 2 + 8, 0x3F800000, 1, 2, 3, 0x40000000, 5, 6, 7]
        if stage == "hs":
            yield self.op("dcl_input_control_point_count", bits=3 << 11)
            yield self.op("dcl_output_control_point_count", bits=3 << 11)
            yield self.op("dcl_tessellator_domain", bits=2 << 11)
            yield self.op("dcl_tessellator_partitioning", bits=3 << 11)
            yield self.op("dcl_tessellator_output_primitive", bits=3 << 11)
            yield self.op("dcl_hs_max_tessfactor", [0x42000000])
            return
        yield from self.registers()
        if stage == "ds":
            yield self.op("dcl_input_control_point_count", bits=3 << 11)
            yield self.op("dcl_tessellator_domain", bits=2 << 11)
            yield from self.vertices(SPECIAL["vicp"], 3)
            yield self.op("dcl_input_siv", register(SPECIAL["vpc"], 0, mask=X), [17])
            yield self.op("dcl_input", register(SPECIAL["vpc"], 1, mask=XYZW))
            yield self.op("dcl_input", register(SPECIAL["vDomain"], mask=XYZ))
            yield self.op("dcl_input", register(SPECIAL["vPrim"]))
        elif stage == "gs":
            yield from self.vertices(INPUT, 3)
            yield self.op("dcl_input", register(SPECIAL["vPrim"]))
            if self.has("dcl_gsinstances"):
                yield self.op("dcl_input", register(SPECIAL["vGSInstanceID"]))
                yield self.op("dcl_gsinstances", [2])
            yield self.op("dcl_inputprimitive", bits=3 << 11)
            if self.has("dcl_stream") and self.streams:
                yield self.op("dcl_stream", register(STREAM, 1))
                yield self.op("dcl_outputtopology", bits=1 << 11)
                yield self.op("dcl_output", register(OUTPUT, 0, mask=XY))
                yield self.op("dcl_output", register(OUTPUT, 1, mask=XYZW))
                yield self.op("dcl_stream", register(STREAM, 0))
            yield self.op("dcl_outputtopology", bits=1 << 11)
        elif stage == "vs":
            yield self.op("dcl_input", register(INPUT, 0, mask=XYZW))
            yield self.op("dcl_input_sgv", register(INPUT, 1, mask=X), [6])
            yield self.op("dcl_input_siv", register(INPUT, 2, mask=XYZW), [1])
        elif stage == "ps":
            yield self.op("dcl_input_ps_siv", register(INPUT, 0, mask=XYZW), [1], bits=4 << 11)
            yield self.op("dcl_input_ps_sgv", register(INPUT, 1, mask=X), [7], bits=1 << 11)
            yield self.op("dcl_input_ps", register(INPUT, 2, mask=XYZW), bits=2 << 11)
            yield self.op("dcl_input", register(INPUT, 3, mask=XYZW))
            yield self.op("dcl_input_sgv", register(INPUT, 4, mask=X), [9])
            yield self.op("dcl_input_siv", register(INPUT, 5, mask=XYZW), [1])
        elif stage == "cs":
            yield self.op("dcl_thread_group", [8], [1], [1])
            yield self.op("dcl_input", register(SPECIAL["vThreadID"], mask=XYZ))
            yield self.op("dcl_input_sgv", register(SPECIAL["vThreadIDInGroupFlattened"]), [0])
            yield self.op("dcl_input_siv", register(SPECIAL["vThreadID"], mask=XYZ), [0])
            if self.has("dcl_tgsm_raw"):
                yield self.op("dcl_tgsm_raw", register(SHARED, 0), [256])
            yield self.op("dcl_tgsm_structured", register(SHARED, 1), [16], [16])
        yield from self.outputs()
        if stage == "gs":
            yield self.op("dcl_maxout", [8])

    # ---- code

    def inputs(self, phase):
        """Fills r0 to r5 with what comes in, so that nothing is read that was not written."""
        points = {"hs": INPUT if phase == "points" else SPECIAL["vicp"], "ds": SPECIAL["vicp"], "gs": INPUT}.get(self.stage)
        move = lambda to, source, mask=XYZW: self.op("mov", temp(to, mask), source)
        yield move(0, words(1, 2, 1, 1))
        if points is not None:
            yield move(1, register(points, 1, 2, swizzle=0xE4))
            yield move(2, by_register(points, 0, 0, temporary=0, dimension=0))
            yield move(3, by_register(points, 0, 1, temporary=0, dimension=1, swizzle=0))
        else:
            yield move(1, register(INPUT, 0, swizzle=0xE4) if self.stage != "cs" else register(SPECIAL["vThreadID"], swizzle=0x24))
            yield move(2, register(CONSTANTS, *([0, 0, 1] if self.spaces else [0, 1]), swizzle=0xE4))
            yield move(3, words(0x3F000000, 0x3F800000, 0x40000000, 0x40400000))
        yield move(4, by_register(CONSTANTS, *([0, 0, 2] if self.spaces else [0, 2]), temporary=0, dimension=2 if self.spaces else 1))
        yield move(5, by_register(9, 0, temporary=0, dimension=0))
        yield self.op("mov", register(INDEXABLE, 0, 1, mask=XYZW), read(1))
        yield move(6, by_register(INDEXABLE, 0, 0, temporary=0, dimension=1))
        yield move(7, read(6))
        ids = {("hs", "points"): ["vOutputControlPointID", "vPrim"], ("hs", "fork"): ["vForkInstanceID"], ("hs", "join"): ["vJoinInstanceID", "vPrim"],
               ("ds", None): ["vPrim"], ("gs", None): ["vPrim", *(["vGSInstanceID"] if self.has("dcl_gsinstances") else [])]}  # fmt: skip
        for name in ids.get((self.stage, phase), []):
            yield self.op("iadd", temp(7, X), scalar(7), register(SPECIAL[name]))
        if self.stage == "ds":
            yield move(6, register(SPECIAL["vDomain"], swizzle=0x24))
            yield move(5, register(SPECIAL["vpc"], 1, swizzle=0xE4))
            yield move(5, by_register(SPECIAL["vpc"], 0, temporary=0, dimension=0, swizzle=0), X)

    def operand(self, name, letter, written, turn):
        """Of an instruction whose name does not decide more."""
        double = "d" in self.rows[name][2].split("=")[-1]
        if written and letter != "m":
            wide = letter == "d" or not double
            return temp(5 + turn, XYZW if wide else XY)
        if letter == "m":
            view = 0 if name == "store_uav_typed" else 2 if "structured" in name or name.endswith(("alloc", "consume")) else 1
            return self.bound(UAV, view, **({"mask": XYZW} if name.startswith("store") else {}))
        if letter == "t":
            if "uav" in name:
                return self.bound(UAV, 0, swizzle=0xE4)
            views = [("ldms", 1), ("sampleinfo", 1), ("samplepos", 1), ("ld_raw", 2), ("bufinfo", 2), ("ld_structured", 3), ("", 0)]
            view = next(view for start, view in views if name.startswith(start))
            return self.bound(RESOURCE, view, swizzle=0xE4)
        if letter == "s":
            compares = re.search("_c(_|$)", name) is not None
            return self.bound(SAMPLER, int(compares), **({"one": 1} if "gather" in name else {}))
        if letter == "l":
            return register(LABEL, 0)
        kind = self.rows[name][3]
        if kind == "Evaluate" and letter == "f":
            return register(INPUT, 2, swizzle=0xE4)
        sample = (name.startswith("ldms") and turn == 2) or (name == "eval_sample_index" and turn == 1)
        if (kind in ("Atomic", "Store", "Load", "Query") and letter == "u") or (letter == "b" and kind == "Flow") or sample:
            return scalar(0, turn % 4)
        return read([1, 2, 3, 4, 0][turn % 5], [0xE4, 0x4E, 0x1B][turn % 3]) if letter in "xiu" or turn else read(1)

    def plain(self, name):
        """An instruction of its pattern alone."""
        row = self.rows[name]
        body, written, turn = [], "=" in row[2], 0
        for letter in row[2]:
            if letter == "=":
                written, turn = False, 0
                continue
            body += self.operand(name, letter, written, turn)
            turn += 1
        bits = {"Test": 1 << 18, "Saturate": 1 << 13}.get(row[4], 0)
        # 22.17.7: threads and group-shared memory are a compute program's.
        bits = (0b0011 if self.stage == "cs" else 0b1000) << 11 if row[4] == "Sync" else bits
        return self.op(name, body, bits=bits)

    def flow(self):
        test = lambda name, component, nonzero=1: self.op(name, scalar(0, component), bits=nonzero << 18)
        yield test("if", 0)
        yield self.op("call", register(LABEL, 0))
        yield self.op("callc", scalar(0, 1), register(LABEL, 0), bits=1 << 18)
        yield self.op("else")
        yield self.op("nop")
        yield self.op("endif")
        yield self.op("mov", temp(7, X), word(0))
        yield self.op("loop")
        yield self.op("ige", temp(7, 2), scalar(7), word(3))
        yield self.op("breakc", scalar(7, 1), bits=1 << 18)
        yield self.op("iadd", temp(7, X), scalar(7), word(1))
        yield self.op("continuec", scalar(7, 1), bits=1 << 18)
        yield self.op("switch", scalar(7))
        yield self.op("case", word(1))
        yield self.op("break")
        yield self.op("case", word(2))
        yield self.op("default")
        yield self.op("mov", temp(0, 8), word(1))
        yield self.op("break")
        yield self.op("endswitch")
        yield self.op("continue")
        yield self.op("endloop")
        if self.has("fcall"):
            # An extended token would be its length.
            yield self.op("fcall", [0], register(INTERFACE, 0, 0))

    def results(self):
        """Writes what goes out."""
        vertex = [
            self.op("mov", register(OUTPUT, 0, mask=XYZW), read(5)),
            self.op("mov", register(OUTPUT, 1, mask=XYZW), read(6)),
            self.op("mov", register(OUTPUT, 2, mask=X), scalar(7)),
            self.op("mov", register(OUTPUT, 4, mask=XYZW), read(7)),
            self.op("mov", [OUTPUT << 12 | 1 << 20 | 3 << 22 | 2 | XYZW << 4, 3, *scalar(0, 3)], read(1)),
        ]
        if self.stage != "gs":
            yield from vertex
            return
        plain = [("emit", None), ("cut", None), ("emit_then_cut", None)]
        streams = [("emit_stream", 0), ("emit_stream", 1), ("cut_stream", 1), ("emit_then_cut_stream", 0)]
        for name, stream in streams if self.has("dcl_stream") and self.streams else plain:
            yield from vertex
            yield self.op(name, *([] if stream is None else [register(STREAM, stream)]))

    def code(self, phase=None):
        yield from self.inputs(phase)
        apart = {"if", "else", "endif", "loop", "endloop", "switch", "endswitch", "case", "default", "break", "breakc", "continue",
                 "continuec", "call", "callc", "label", "ret", "fcall", "retc"}  # fmt: skip
        whole = phase in (None, "points")
        plain = [name for name, row in self.rows.items() if row[3] not in ("Declaration", "Data", "Phase", "Stream") and name not in apart]
        for name in plain if whole else ["add", "mul", "iadd"]:
            if self.rows[name][3] == "Flow" and name != "discard":
                yield self.op(name)
            else:
                yield self.plain(name)
        if whole:
            # Least precisions of operands and a precise mask (22.19.2).
            half = lambda number: [register(TEMP, number, swizzle=0xE4)[0] | 1 << 31, 1 | 1 << 14, number]
            if self.model[0] == 5:
                yield self.op("add", [temp(5)[0] | 1 << 31, 1 | 1 << 14, 5], half(1), half(2), bits=0b0101 << 19)
            yield self.op("mov", temp(0), words(1, 0, 1, 0))
            yield from self.flow()
        yield from self.results() if whole else []
        if whole:
            yield self.op("retc", scalar(0, 1), bits=1 << 18)

    def subroutines(self):
        yield self.op("label", register(LABEL, 0))
        yield self.op("iadd", temp(0, 4), scalar(0, 2), word(1))
        yield self.op("ret")
        if self.has("fcall"):
            yield self.op("label", register(17, 0))
            yield self.op("iadd", temp(0, 4), scalar(0, 2), word(2))
            yield self.op("ret")

    def patch_phase(self, name):
        """A fork or join phase of two instances, each of which makes the factor of an edge; and what it reads of the phases before."""
        fork = name == "fork"
        yield self.op(f"hs_{name}_phase")
        yield self.op(f"dcl_hs_{name}_phase_instance_count", [2])
        yield from self.registers()
        yield self.op("dcl_input", register(SPECIAL["vForkInstanceID" if fork else "vJoinInstanceID"]))
        yield self.op("dcl_input", register(SPECIAL["vPrim"]))
        yield from self.vertices(SPECIAL["vicp"], 3)
        yield self.op("dcl_input", register(SPECIAL["vocp"], 3, 1, mask=XYZW))
        first = 0 if fork else 2
        if not fork:
            yield self.op("dcl_input", register(SPECIAL["vpc"], 0, mask=X))
            yield self.op("dcl_input", register(SPECIAL["vpc"], 1, mask=X))
        for i in range(2):
            yield self.op("dcl_output_siv", register(OUTPUT, first + i, mask=X), [17 + first + i])
        yield self.op("dcl_indexrange", register(OUTPUT, first, mask=X), [2])
        yield from self.code(name)
        yield self.op("mov", temp(1), register(SPECIAL["vocp"], 2, 1, swizzle=0xE4))
        yield self.op("mov", temp(2), by_register(SPECIAL["vocp"], 0, 1, temporary=0, dimension=0))
        if not fork:
            yield self.op("mov", temp(1, X), register(SPECIAL["vpc"], 0, one=0))
            yield self.op("add", temp(1, X), scalar(1), by_register(SPECIAL["vpc"], 0, temporary=0, dimension=0, swizzle=0))
        yield self.op("mov", temp(0, X), register(SPECIAL["vForkInstanceID" if fork else "vJoinInstanceID"]))
        yield self.op("mov", [OUTPUT << 12 | 1 << 20 | 3 << 22 | 2 | X << 4, first, *scalar(0)], scalar(1))
        yield self.op("ret")

    def program(self):
        yield from self.head()
        if self.stage == "hs":
            yield self.op("hs_control_point_phase")
            yield from self.registers()
            yield self.op("dcl_input", register(SPECIAL["vOutputControlPointID"]))
            yield self.op("dcl_input", register(SPECIAL["vPrim"]))
            yield from self.vertices(INPUT, 3)
            yield from self.outputs()
            yield from self.code("points")
        else:
            yield from self.code()
        yield self.op("ret")
        yield from self.subroutines()
        if self.stage == "hs":
            yield from self.patch_phase("fork")
            yield from self.patch_phase("join")


def programs(rows):
    """Name, stage, model and instructions of each."""
    for stage in ["vs", "hs", "ds", "gs", "ps", "cs"]:
        for model in [(4, 0), (4, 1), (5, 0), (5, 1)]:
            if stage in ("hs", "ds") and model[0] == 4:
                continue
            name = f"sound-{stage}_{model[0]}_{model[1]}"
            yield name, stage, model, list(Sound(rows, stage, model).program())
            if stage == "gs" and model[0] == 5:
                yield f"{name}-plain", stage, model, list(Sound(rows, stage, model, streams=False).program())
