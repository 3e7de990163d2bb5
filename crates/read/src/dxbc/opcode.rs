//! The one table of the format's opcodes (Microsoft's d3d11TokenizedProgramFormat).
//!
//! Decoder, encoder and listing all work from it. Each row gives the number, the name in Microsoft's listings, the
//! pattern of what follows the opcode token, the class, the meaning of the token's control bits, the stages that may
//! have the instruction, and the first shader model with it.
//!
//! **Patterns.** One letter an operand, destinations before `=`, sources after: `f` f32, `i` i32, `u` u32, `d` f64 (two
//! components each), `b` a mask of all ones or zeros, `x` any 32 bits, `t` a resource or view that is read, `m` memory
//! that is written or updated, `s` a sampler, `l` a label, `o` a geometry stream, `n` an interface, `r` the register that
//! a declaration declares. Plain words: `w` one word, `z` one word in SM 5.1 only (a register space; of a constant
//! buffer its size before that), `*` any number of further words.

/// What an instruction does, as far as a reader of the listing cares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// Sums, products, functions and extrema of numbers.
    Arithmetic,
    /// Masks from comparing numbers.
    Comparison,
    /// From one format of number to another.
    Conversion,
    /// Bits of integers.
    Bitwise,
    /// Copies and selections, which keep bits.
    Move,
    /// Differences across a quad.
    Derivative,
    /// Texture reads through a sampler.
    Sample,
    /// Reads of resources, views and group-shared memory.
    Load,
    /// Writes of views and group-shared memory.
    Store,
    /// Atomic updates of views and group-shared memory, counters included.
    Atomic,
    /// Memory and execution barriers.
    Barrier,
    /// Properties of resources and of earlier reads.
    Query,
    /// Pixel inputs at other places.
    Evaluate,
    /// Vertices and cuts of geometry streams.
    Stream,
    /// Control flow.
    Flow,
    /// Nothing.
    Nop,
    /// Starts of the phases of a hull program.
    Phase,
    /// Declarations.
    Declaration,
    /// A block of data or text.
    Data,
}

/// What the opcode token's control bits mean. Shifts are those of the whole token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Controls {
    /// None but the precise mask.
    None,
    /// Bit 13: clamp the result to [0, 1].
    Saturate,
    /// Bit 18: whether the condition holds for a non-zero (1) or zero (0) value.
    Test,
    /// Bits 11 and 12: the result as float (0), reciprocal float (1) or unsigned integer (2); of `sampleinfo`, 1 is
    /// unsigned integer.
    ReturnType,
    /// Bits 11 to 14: threads, group-shared memory, views for the group, views for the device.
    Sync,
    /// Bits 11 to 15 the dimension, 16 to 22 the sample count.
    Resource,
    /// Bits 11 to 15 the dimension (typed views), 16 globally coherent, 17 rasteriser ordered, 23 with a counter.
    Uav,
    /// Bit 11: indexed dynamically.
    AccessPattern,
    /// Bits 11 to 14: default, comparison, mono.
    SamplerMode,
    /// Bits 11 to 14: the interpolation mode.
    Interpolation,
    /// Bits 11 to 16: the topology.
    OutputTopology,
    /// Bits 11 to 16: the primitive.
    InputPrimitive,
    /// Bits 11 to 16: how many.
    ControlPoints,
    /// Bits 11 and 12: the domain.
    Domain,
    /// Bits 11 to 13: the partitioning.
    Partitioning,
    /// Bits 11 to 13: the primitive.
    OutputPrimitive,
    /// Bit 11: indexed dynamically.
    Interface,
    /// Bits 11 to 23: the flags.
    GlobalFlags,
    /// Bits 11 to 31: the class of the data.
    CustomDataClass,
}

/// A set of stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stages(u8);

impl Stages {
    const PIXEL: Stages = Stages(1 << 0);
    const GEOMETRY: Stages = Stages(1 << 2);
    const HULL: Stages = Stages(1 << 3);
    const TESSELLATION: Stages = Stages(1 << 3 | 1 << 4);
    const COMPUTE: Stages = Stages(1 << 5);
    const ANY: Stages = Stages(0x3f);

    /// Whether the set has this stage.
    pub fn contains(self, stage: super::Stage) -> bool {
        self.0 >> (stage as u8) & 1 == 1
    }
}

/// One letter of a pattern: see the module's head.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `f`
    Float,
    /// `i`
    Int,
    /// `u`
    Uint,
    /// `d`
    Double,
    /// `b`
    Mask,
    /// `x`
    Bits,
    /// `t`
    Resource,
    /// `m`
    Memory,
    /// `s`
    Sampler,
    /// `l`
    Label,
    /// `o`
    Stream,
    /// `n`
    Interface,
    /// `r`
    Declared,
}

/// One thing that follows the opcode token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Slot {
    /// An operand.
    Operand {
        /// Whether the instruction writes it.
        write: bool,
        /// How its bits are read.
        kind: Kind,
    },
    /// A plain word.
    Word,
    /// A plain word in SM 5.1 only.
    SpaceWord,
    /// Any number of plain words.
    Rest,
}

/// A row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Info {
    /// The opcode.
    pub opcode: Opcode,
    /// Its name in Microsoft's listings.
    pub name: &'static str,
    /// What follows it: see the module's head.
    pub pattern: &'static str,
    /// What it does.
    pub class: Class,
    /// What its control bits mean.
    pub controls: Controls,
    /// The stages that may have it.
    pub stages: Stages,
    /// The first shader model with it: major, minor.
    pub since: (u8, u8),
}

impl Info {
    /// The pattern, letter by letter.
    pub fn slots(&self) -> impl Iterator<Item = Slot> + use<> {
        let mut write = self.pattern.contains('=');
        self.pattern.chars().filter_map(move |letter| {
            let kind = match letter {
                'w' => return Some(Slot::Word),
                'z' => return Some(Slot::SpaceWord),
                '*' => return Some(Slot::Rest),
                'f' => Kind::Float,
                'i' => Kind::Int,
                'u' => Kind::Uint,
                'd' => Kind::Double,
                'b' => Kind::Mask,
                'x' => Kind::Bits,
                't' => Kind::Resource,
                'm' => Kind::Memory,
                's' => Kind::Sampler,
                'l' => Kind::Label,
                'o' => Kind::Stream,
                'n' => Kind::Interface,
                'r' => Kind::Declared,
                _ => {
                    write = false;
                    return None;
                }
            };
            Some(Slot::Operand { write, kind })
        })
    }

    /// The operands of the pattern: whether each is written, and its kind.
    pub fn operands(&self) -> impl Iterator<Item = (bool, Kind)> + use<> {
        self.slots().filter_map(|slot| match slot {
            Slot::Operand { write, kind } => Some((write, kind)),
            _ => None,
        })
    }

    /// Whether Microsoft's listings number the instruction: those that declare nothing.
    pub fn is_numbered(&self) -> bool {
        !matches!(self.class, Class::Declaration | Class::Data) && self.opcode != Opcode::HsDecls
    }
}

macro_rules! opcodes {
    ($($number:literal $opcode:ident $name:literal $pattern:literal $class:ident $controls:ident $stages:ident
       $since:expr;)*) => {
        /// An opcode of the format. The names are Microsoft's listing names; `S` at an end is a form that also gives
        /// a status of residency, `Cl` one with a clamp of the level of detail.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u16)]
        pub enum Opcode {
            $(#[doc = concat!("`", $name, "`")] $opcode = $number,)*
        }

        /// Every row, by number.
        pub const TABLE: &[Info] = &[
            $(Info {
                opcode: Opcode::$opcode,
                name: $name,
                pattern: $pattern,
                class: Class::$class,
                controls: Controls::$controls,
                stages: Stages::$stages,
                since: $since,
            },)*
        ];
    };
}

opcodes! {
    0 Add "add" "f=ff" Arithmetic Saturate ANY (4, 0);
    1 And "and" "u=uu" Bitwise None ANY (4, 0);
    2 Break "break" "" Flow None ANY (4, 0);
    3 Breakc "breakc" "=b" Flow Test ANY (4, 0);
    4 Call "call" "=l" Flow None ANY (4, 0);
    5 Callc "callc" "=bl" Flow Test ANY (4, 0);
    6 Case "case" "=i" Flow None ANY (4, 0);
    7 Continue "continue" "" Flow None ANY (4, 0);
    8 Continuec "continuec" "=b" Flow Test ANY (4, 0);
    9 Cut "cut" "" Stream None GEOMETRY (4, 0);
    10 Default "default" "" Flow None ANY (4, 0);
    11 DerivRtx "deriv_rtx" "f=f" Derivative Saturate PIXEL (4, 0);
    12 DerivRty "deriv_rty" "f=f" Derivative Saturate PIXEL (4, 0);
    13 Discard "discard" "=b" Flow Test PIXEL (4, 0);
    14 Div "div" "f=ff" Arithmetic Saturate ANY (4, 0);
    15 Dp2 "dp2" "f=ff" Arithmetic Saturate ANY (4, 0);
    16 Dp3 "dp3" "f=ff" Arithmetic Saturate ANY (4, 0);
    17 Dp4 "dp4" "f=ff" Arithmetic Saturate ANY (4, 0);
    18 Else "else" "" Flow None ANY (4, 0);
    19 Emit "emit" "" Stream None GEOMETRY (4, 0);
    20 EmitThenCut "emit_then_cut" "" Stream None GEOMETRY (4, 0);
    21 Endif "endif" "" Flow None ANY (4, 0);
    22 Endloop "endloop" "" Flow None ANY (4, 0);
    23 Endswitch "endswitch" "" Flow None ANY (4, 0);
    24 Eq "eq" "b=ff" Comparison None ANY (4, 0);
    25 Exp "exp" "f=f" Arithmetic Saturate ANY (4, 0);
    26 Frc "frc" "f=f" Arithmetic Saturate ANY (4, 0);
    27 Ftoi "ftoi" "i=f" Conversion None ANY (4, 0);
    28 Ftou "ftou" "u=f" Conversion None ANY (4, 0);
    29 Ge "ge" "b=ff" Comparison None ANY (4, 0);
    30 Iadd "iadd" "i=ii" Arithmetic None ANY (4, 0);
    31 If "if" "=b" Flow Test ANY (4, 0);
    32 Ieq "ieq" "b=ii" Comparison None ANY (4, 0);
    33 Ige "ige" "b=ii" Comparison None ANY (4, 0);
    34 Ilt "ilt" "b=ii" Comparison None ANY (4, 0);
    35 Imad "imad" "i=iii" Arithmetic None ANY (4, 0);
    36 Imax "imax" "i=ii" Arithmetic None ANY (4, 0);
    37 Imin "imin" "i=ii" Arithmetic None ANY (4, 0);
    38 Imul "imul" "ii=ii" Arithmetic None ANY (4, 0);
    39 Ine "ine" "b=ii" Comparison None ANY (4, 0);
    40 Ineg "ineg" "i=i" Arithmetic None ANY (4, 0);
    41 Ishl "ishl" "i=iu" Bitwise None ANY (4, 0);
    42 Ishr "ishr" "i=iu" Bitwise None ANY (4, 0);
    43 Itof "itof" "f=i" Conversion None ANY (4, 0);
    44 Label "label" "=l" Flow None ANY (4, 0);
    45 Ld "ld" "x=it" Load None ANY (4, 0);
    46 LdMs "ldms" "x=iti" Load None ANY (4, 0);
    47 Log "log" "f=f" Arithmetic Saturate ANY (4, 0);
    48 Loop "loop" "" Flow None ANY (4, 0);
    49 Lt "lt" "b=ff" Comparison None ANY (4, 0);
    50 Mad "mad" "f=fff" Arithmetic Saturate ANY (4, 0);
    51 Min "min" "f=ff" Arithmetic Saturate ANY (4, 0);
    52 Max "max" "f=ff" Arithmetic Saturate ANY (4, 0);
    53 CustomData "customdata" "*" Data CustomDataClass ANY (4, 0);
    54 Mov "mov" "x=x" Move Saturate ANY (4, 0);
    55 Movc "movc" "x=bxx" Move Saturate ANY (4, 0);
    56 Mul "mul" "f=ff" Arithmetic Saturate ANY (4, 0);
    57 Ne "ne" "b=ff" Comparison None ANY (4, 0);
    58 Nop "nop" "" Nop None ANY (4, 0);
    59 Not "not" "u=u" Bitwise None ANY (4, 0);
    60 Or "or" "u=uu" Bitwise None ANY (4, 0);
    61 Resinfo "resinfo" "x=ut" Query ReturnType ANY (4, 0);
    62 Ret "ret" "" Flow None ANY (4, 0);
    63 Retc "retc" "=b" Flow Test ANY (4, 0);
    64 RoundNe "round_ne" "f=f" Arithmetic Saturate ANY (4, 0);
    65 RoundNi "round_ni" "f=f" Arithmetic Saturate ANY (4, 0);
    66 RoundPi "round_pi" "f=f" Arithmetic Saturate ANY (4, 0);
    67 RoundZ "round_z" "f=f" Arithmetic Saturate ANY (4, 0);
    68 Rsq "rsq" "f=f" Arithmetic Saturate ANY (4, 0);
    69 Sample "sample" "f=fts" Sample Saturate PIXEL (4, 0);
    70 SampleC "sample_c" "f=ftsf" Sample Saturate PIXEL (4, 0);
    71 SampleCLz "sample_c_lz" "f=ftsf" Sample Saturate ANY (4, 0);
    72 SampleL "sample_l" "f=ftsf" Sample Saturate ANY (4, 0);
    73 SampleD "sample_d" "f=ftsff" Sample Saturate ANY (4, 0);
    74 SampleB "sample_b" "f=ftsf" Sample Saturate PIXEL (4, 0);
    75 Sqrt "sqrt" "f=f" Arithmetic Saturate ANY (4, 0);
    76 Switch "switch" "=i" Flow None ANY (4, 0);
    77 Sincos "sincos" "ff=f" Arithmetic Saturate ANY (4, 0);
    78 Udiv "udiv" "uu=uu" Arithmetic None ANY (4, 0);
    79 Ult "ult" "b=uu" Comparison None ANY (4, 0);
    80 Uge "uge" "b=uu" Comparison None ANY (4, 0);
    81 Umul "umul" "uu=uu" Arithmetic None ANY (4, 0);
    82 Umad "umad" "u=uuu" Arithmetic None ANY (4, 0);
    83 Umax "umax" "u=uu" Arithmetic None ANY (4, 0);
    84 Umin "umin" "u=uu" Arithmetic None ANY (4, 0);
    85 Ushr "ushr" "u=uu" Bitwise None ANY (4, 0);
    86 Utof "utof" "f=u" Conversion None ANY (4, 0);
    87 Xor "xor" "u=uu" Bitwise None ANY (4, 0);
    88 DclResource "dcl_resource" "rwz" Declaration Resource ANY (4, 0);
    89 DclConstantBuffer "dcl_constantbuffer" "rzz" Declaration AccessPattern ANY (4, 0);
    90 DclSampler "dcl_sampler" "rz" Declaration SamplerMode ANY (4, 0);
    91 DclIndexRange "dcl_indexrange" "rw" Declaration None ANY (4, 0);
    92 DclGsOutputPrimitiveTopology "dcl_outputtopology" "" Declaration OutputTopology GEOMETRY (4, 0);
    93 DclGsInputPrimitive "dcl_inputprimitive" "" Declaration InputPrimitive GEOMETRY (4, 0);
    94 DclMaxOutputVertexCount "dcl_maxout" "w" Declaration None GEOMETRY (4, 0);
    95 DclInput "dcl_input" "r" Declaration None ANY (4, 0);
    96 DclInputSgv "dcl_input_sgv" "rw" Declaration None ANY (4, 0);
    97 DclInputSiv "dcl_input_siv" "rw" Declaration None ANY (4, 0);
    98 DclInputPs "dcl_input_ps" "r" Declaration Interpolation PIXEL (4, 0);
    99 DclInputPsSgv "dcl_input_ps_sgv" "rw" Declaration Interpolation PIXEL (4, 0);
    100 DclInputPsSiv "dcl_input_ps_siv" "rw" Declaration Interpolation PIXEL (4, 0);
    101 DclOutput "dcl_output" "r" Declaration None ANY (4, 0);
    102 DclOutputSgv "dcl_output_sgv" "rw" Declaration None ANY (4, 0);
    103 DclOutputSiv "dcl_output_siv" "rw" Declaration None ANY (4, 0);
    104 DclTemps "dcl_temps" "w" Declaration None ANY (4, 0);
    105 DclIndexableTemp "dcl_indexableTemp" "www" Declaration None ANY (4, 0);
    106 DclGlobalFlags "dcl_globalFlags" "" Declaration GlobalFlags ANY (4, 0);
    108 Lod "lod" "f=fts" Query None PIXEL (4, 1);
    109 Gather4 "gather4" "x=fts" Sample None ANY (4, 1);
    110 SamplePos "samplepos" "f=tu" Query None ANY (4, 1);
    111 SampleInfo "sampleinfo" "x=t" Query ReturnType ANY (4, 1);
    113 HsDecls "hs_decls" "" Phase None HULL (5, 0);
    114 HsControlPointPhase "hs_control_point_phase" "" Phase None HULL (5, 0);
    115 HsForkPhase "hs_fork_phase" "" Phase None HULL (5, 0);
    116 HsJoinPhase "hs_join_phase" "" Phase None HULL (5, 0);
    117 EmitStream "emit_stream" "=o" Stream None GEOMETRY (5, 0);
    118 CutStream "cut_stream" "=o" Stream None GEOMETRY (5, 0);
    119 EmitThenCutStream "emit_then_cut_stream" "=o" Stream None GEOMETRY (5, 0);
    120 InterfaceCall "fcall" "w=n" Flow None ANY (5, 0);
    121 BufInfo "bufinfo" "u=t" Query None ANY (4, 0);
    122 DerivRtxCoarse "deriv_rtx_coarse" "f=f" Derivative Saturate PIXEL (5, 0);
    123 DerivRtxFine "deriv_rtx_fine" "f=f" Derivative Saturate PIXEL (5, 0);
    124 DerivRtyCoarse "deriv_rty_coarse" "f=f" Derivative Saturate PIXEL (5, 0);
    125 DerivRtyFine "deriv_rty_fine" "f=f" Derivative Saturate PIXEL (5, 0);
    126 Gather4C "gather4_c" "x=ftsf" Sample None ANY (5, 0);
    127 Gather4Po "gather4_po" "x=fits" Sample None ANY (5, 0);
    128 Gather4PoC "gather4_po_c" "x=fitsf" Sample None ANY (5, 0);
    129 Rcp "rcp" "f=f" Arithmetic Saturate ANY (5, 0);
    130 F32ToF16 "f32tof16" "u=f" Conversion None ANY (5, 0);
    131 F16ToF32 "f16tof32" "f=u" Conversion None ANY (5, 0);
    132 Uaddc "uaddc" "uu=uu" Arithmetic None ANY (5, 0);
    133 Usubb "usubb" "uu=uu" Arithmetic None ANY (5, 0);
    134 CountBits "countbits" "u=u" Bitwise None ANY (5, 0);
    135 FirstBitHi "firstbit_hi" "u=u" Bitwise None ANY (5, 0);
    136 FirstBitLo "firstbit_lo" "u=u" Bitwise None ANY (5, 0);
    137 FirstBitShi "firstbit_shi" "u=i" Bitwise None ANY (5, 0);
    138 Ubfe "ubfe" "u=uuu" Bitwise None ANY (5, 0);
    139 Ibfe "ibfe" "i=uui" Bitwise None ANY (5, 0);
    140 Bfi "bfi" "u=uuuu" Bitwise None ANY (5, 0);
    141 BfRev "bfrev" "u=u" Bitwise None ANY (5, 0);
    142 Swapc "swapc" "xx=bxx" Move None ANY (5, 0);
    143 DclStream "dcl_stream" "r" Declaration None GEOMETRY (5, 0);
    144 DclFunctionBody "dcl_function_body" "w" Declaration None ANY (5, 0);
    145 DclFunctionTable "dcl_function_table" "ww*" Declaration None ANY (5, 0);
    146 DclInterface "dcl_interface" "www*" Declaration Interface ANY (5, 0);
    147 DclInputControlPointCount "dcl_input_control_point_count" "" Declaration ControlPoints TESSELLATION (5, 0);
    148 DclOutputControlPointCount "dcl_output_control_point_count" "" Declaration ControlPoints HULL (5, 0);
    149 DclTessDomain "dcl_tessellator_domain" "" Declaration Domain TESSELLATION (5, 0);
    150 DclTessPartitioning "dcl_tessellator_partitioning" "" Declaration Partitioning HULL (5, 0);
    151 DclTessOutputPrimitive "dcl_tessellator_output_primitive" "" Declaration OutputPrimitive HULL (5, 0);
    152 DclHsMaxTessFactor "dcl_hs_max_tessfactor" "w" Declaration None HULL (5, 0);
    153 DclHsForkPhaseInstanceCount "dcl_hs_fork_phase_instance_count" "w" Declaration None HULL (5, 0);
    154 DclHsJoinPhaseInstanceCount "dcl_hs_join_phase_instance_count" "w" Declaration None HULL (5, 0);
    155 DclThreadGroup "dcl_thread_group" "www" Declaration None COMPUTE (4, 0);
    156 DclUavTyped "dcl_uav_typed" "rwz" Declaration Uav ANY (5, 0);
    157 DclUavRaw "dcl_uav_raw" "rz" Declaration Uav ANY (4, 0);
    158 DclUavStructured "dcl_uav_structured" "rwz" Declaration Uav ANY (4, 0);
    159 DclTgsmRaw "dcl_tgsm_raw" "rw" Declaration None COMPUTE (5, 0);
    160 DclTgsmStructured "dcl_tgsm_structured" "rww" Declaration None COMPUTE (4, 0);
    161 DclResourceRaw "dcl_resource_raw" "rz" Declaration None ANY (4, 0);
    162 DclResourceStructured "dcl_resource_structured" "rwz" Declaration None ANY (4, 0);
    163 LdUavTyped "ld_uav_typed" "x=it" Load None ANY (5, 0);
    164 StoreUavTyped "store_uav_typed" "m=ix" Store None ANY (5, 0);
    165 LdRaw "ld_raw" "x=ut" Load None ANY (4, 0);
    166 StoreRaw "store_raw" "m=ux" Store None ANY (4, 0);
    167 LdStructured "ld_structured" "x=uut" Load None ANY (4, 0);
    168 StoreStructured "store_structured" "m=uux" Store None ANY (4, 0);
    169 AtomicAnd "atomic_and" "m=uu" Atomic None ANY (5, 0);
    170 AtomicOr "atomic_or" "m=uu" Atomic None ANY (5, 0);
    171 AtomicXor "atomic_xor" "m=uu" Atomic None ANY (5, 0);
    172 AtomicCmpStore "atomic_cmp_store" "m=uuu" Atomic None ANY (5, 0);
    173 AtomicIadd "atomic_iadd" "m=ui" Atomic None ANY (5, 0);
    174 AtomicImax "atomic_imax" "m=ui" Atomic None ANY (5, 0);
    175 AtomicImin "atomic_imin" "m=ui" Atomic None ANY (5, 0);
    176 AtomicUmax "atomic_umax" "m=uu" Atomic None ANY (5, 0);
    177 AtomicUmin "atomic_umin" "m=uu" Atomic None ANY (5, 0);
    178 ImmAtomicAlloc "imm_atomic_alloc" "um=" Atomic None ANY (5, 0);
    179 ImmAtomicConsume "imm_atomic_consume" "um=" Atomic None ANY (5, 0);
    180 ImmAtomicIadd "imm_atomic_iadd" "um=ui" Atomic None ANY (5, 0);
    181 ImmAtomicAnd "imm_atomic_and" "um=uu" Atomic None ANY (5, 0);
    182 ImmAtomicOr "imm_atomic_or" "um=uu" Atomic None ANY (5, 0);
    183 ImmAtomicXor "imm_atomic_xor" "um=uu" Atomic None ANY (5, 0);
    184 ImmAtomicExch "imm_atomic_exch" "um=uu" Atomic None ANY (5, 0);
    185 ImmAtomicCmpExch "imm_atomic_cmp_exch" "um=uuu" Atomic None ANY (5, 0);
    186 ImmAtomicImax "imm_atomic_imax" "um=ui" Atomic None ANY (5, 0);
    187 ImmAtomicImin "imm_atomic_imin" "um=ui" Atomic None ANY (5, 0);
    188 ImmAtomicUmax "imm_atomic_umax" "um=uu" Atomic None ANY (5, 0);
    189 ImmAtomicUmin "imm_atomic_umin" "um=uu" Atomic None ANY (5, 0);
    190 Sync "sync" "" Barrier Sync ANY (4, 0);
    191 Dadd "dadd" "d=dd" Arithmetic Saturate ANY (5, 0);
    192 Dmax "dmax" "d=dd" Arithmetic Saturate ANY (5, 0);
    193 Dmin "dmin" "d=dd" Arithmetic Saturate ANY (5, 0);
    194 Dmul "dmul" "d=dd" Arithmetic Saturate ANY (5, 0);
    195 Deq "deq" "b=dd" Comparison None ANY (5, 0);
    196 Dge "dge" "b=dd" Comparison None ANY (5, 0);
    197 Dlt "dlt" "b=dd" Comparison None ANY (5, 0);
    198 Dne "dne" "b=dd" Comparison None ANY (5, 0);
    199 Dmov "dmov" "d=d" Move Saturate ANY (5, 0);
    200 Dmovc "dmovc" "d=bdd" Move Saturate ANY (5, 0);
    201 Dtof "dtof" "f=d" Conversion Saturate ANY (5, 0);
    202 Ftod "ftod" "d=f" Conversion None ANY (5, 0);
    203 EvalSnapped "eval_snapped" "f=fi" Evaluate None PIXEL (5, 0);
    204 EvalSampleIndex "eval_sample_index" "f=fi" Evaluate None PIXEL (5, 0);
    205 EvalCentroid "eval_centroid" "f=f" Evaluate None PIXEL (5, 0);
    206 DclGsInstanceCount "dcl_gsinstances" "w" Declaration None GEOMETRY (5, 0);
    207 Abort "abort" "" Flow None ANY (5, 0);
    208 DebugBreak "debug_break" "" Flow None ANY (5, 0);
    210 Ddiv "ddiv" "d=dd" Arithmetic Saturate ANY (5, 0);
    211 Dfma "dfma" "d=ddd" Arithmetic Saturate ANY (5, 0);
    212 Drcp "drcp" "d=d" Arithmetic Saturate ANY (5, 0);
    213 Msad "msad" "u=uuu" Arithmetic None ANY (5, 0);
    214 Dtoi "dtoi" "i=d" Conversion None ANY (5, 0);
    215 Dtou "dtou" "u=d" Conversion None ANY (5, 0);
    216 Itod "itod" "d=i" Conversion None ANY (5, 0);
    217 Utod "utod" "d=u" Conversion None ANY (5, 0);
    219 Gather4S "gather4_s" "xu=fts" Sample None ANY (5, 0);
    220 Gather4CS "gather4_c_s" "xu=ftsf" Sample None ANY (5, 0);
    221 Gather4PoS "gather4_po_s" "xu=fits" Sample None ANY (5, 0);
    222 Gather4PoCS "gather4_po_c_s" "xu=fitsf" Sample None ANY (5, 0);
    223 LdS "ld_s" "xu=it" Load None ANY (5, 0);
    224 LdMsS "ldms_s" "xu=iti" Load None ANY (5, 0);
    225 LdUavTypedS "ld_uav_typed_s" "xu=it" Load None ANY (5, 0);
    226 LdRawS "ld_raw_s" "xu=ut" Load None ANY (5, 0);
    227 LdStructuredS "ld_structured_s" "xu=uut" Load None ANY (5, 0);
    228 SampleLS "sample_l_s" "fu=ftsf" Sample Saturate ANY (5, 0);
    229 SampleCLzS "sample_c_lz_s" "fu=ftsf" Sample Saturate ANY (5, 0);
    230 SampleClS "sample_cl_s" "fu=ftsf" Sample Saturate PIXEL (5, 0);
    231 SampleBClS "sample_b_cl_s" "fu=ftsff" Sample Saturate PIXEL (5, 0);
    232 SampleDClS "sample_d_cl_s" "fu=ftsfff" Sample Saturate ANY (5, 0);
    233 SampleCClS "sample_c_cl_s" "fu=ftsff" Sample Saturate PIXEL (5, 0);
    234 CheckAccessFullyMapped "check_access_fully_mapped" "b=u" Query None ANY (5, 0);
}

impl Opcode {
    /// The row with this number.
    pub fn from_number(number: u16) -> Option<&'static Info> {
        TABLE.binary_search_by_key(&number, |info| info.opcode as u16).ok().map(|i| &TABLE[i])
    }

    /// The opcode's row.
    pub fn info(self) -> &'static Info {
        // Numbers are sorted and have few gaps, all of them below this opcode's own row or not at all.
        let at = TABLE.partition_point(|info| info.opcode < self);
        &TABLE[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_and_found() {
        assert!(TABLE.is_sorted_by(|a, b| a.opcode < b.opcode));
        for info in TABLE {
            assert_eq!(info.opcode.info(), info);
            assert_eq!(Opcode::from_number(info.opcode as u16), Some(info));
            let letters = info.pattern.chars().filter(|&c| c != '=').count();
            assert_eq!(info.slots().count(), letters, "{}: a letter that is none", info.name);
        }
    }

    /// Numbers of d3d11TokenizedProgramFormat.hpp at both ends of each run between its reserved ones.
    #[test]
    fn numbers_are_the_formats() {
        for (opcode, number) in [
            (Opcode::Add, 0),
            (Opcode::CustomData, 53),
            (Opcode::DclGlobalFlags, 106),
            (Opcode::Lod, 108),
            (Opcode::SampleInfo, 111),
            (Opcode::HsDecls, 113),
            (Opcode::Sync, 190),
            (Opcode::DebugBreak, 208),
            (Opcode::Ddiv, 210),
            (Opcode::Utod, 217),
            (Opcode::Gather4S, 219),
            (Opcode::CheckAccessFullyMapped, 234),
        ] {
            assert_eq!(opcode as u16, number);
        }
        assert_eq!(Opcode::from_number(107), None);
    }
}
