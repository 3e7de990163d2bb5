//! The choices that an operation carries.
//!
//! [`Rules`] are numeric: each field is one question that specifications answer differently. An operation takes only the
//! fields that its row of the table lists ([`Op::choices`](crate::Op::choices)); the others stay at their default, which the validator holds.

use crate::function::{ArrayId, FunctionId, InputId, OutputId, ResourceId, SamplerId, SharedId};
use serde::{Deserialize, Serialize};

/// All choices of one instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Attrs {
    /// Numeric choices.
    pub rules: Rules,
    /// What the instruction names besides its operands.
    pub target: Target,
    /// The variant of an operation that has several.
    pub detail: Detail,
}

impl Attrs {
    /// Attributes with these rules alone.
    pub fn rules(rules: Rules) -> Attrs {
        Attrs { rules, ..Attrs::default() }
    }
    /// Attributes with this target alone.
    pub fn target(target: Target) -> Attrs {
        Attrs { target, ..Attrs::default() }
    }
    /// The same attributes with this detail.
    pub fn with_detail(self, detail: Detail) -> Attrs {
        Attrs { detail, ..self }
    }
    /// The same attributes with these rules.
    pub fn with_rules(self, rules: Rules) -> Attrs {
        Attrs { rules, ..self }
    }
}

macro_rules! choices {
    ($(#[$doc:meta] $field:ident: $ty:ident { $($(#[$vdoc:meta])* $variant:ident $word:literal,)* })*) => {
        /// Numeric choices of an instruction.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub struct Rules {
            $(#[$doc] pub $field: $ty,)*
        }
        $(
            #[$doc]
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
            pub enum $ty { $($(#[$vdoc])* $variant,)* }
        )*
        /// One field of [`Rules`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Choice { $(#[$doc] $ty,)* }

        impl Choice {
            /// Every choice, in the order of the fields.
            pub const ALL: &'static [Choice] = &[$(Choice::$ty,)*];
        }

        impl Rules {
            /// The word of the text form for this choice, or none at the default.
            pub fn word(&self, choice: Choice) -> Option<&'static str> {
                match choice {
                    $(Choice::$ty if self.$field == $ty::default() => None,
                      Choice::$ty => Some(match self.$field { $($ty::$variant => $word,)* }),)*
                }
            }

            /// Sets the choice that a word of the text form stands for; false for an unknown word.
            pub fn set_word(&mut self, word: &str) -> bool {
                match word {
                    $($($word => self.$field = $ty::$variant,)*)*
                    _ => return false,
                }
                true
            }
        }
    };
}

choices! {
    /// What happens to subnormal operands and results.
    denormals: Denormals {
        /// They are kept.
        #[default]
        Keep "keep",
        /// Operands and results that are subnormal become zero of the same sign (D3D11 3.1.3 for f32).
        Flush "flush",
        /// They are kept, where the language otherwise lets them be flushed (SPIR-V `DenormPreserve`).
        Preserve "preserve",
    }
    /// The rule of a minimum or maximum.
    order: Order {
        /// NaN loses: the other operand is the result; NaN of both is NaN (D3D11 22.10.10 and 22.10.11, IEEE 754-2008 minNum). Else `min` is `a < b ? a : b` and `max` `a >= b ? a : b`, so of equal operands, -0 and +0 among them, `min` gives the second and `max` the first.
        #[default]
        NanLoses "nan_loses",
        /// As WGSL writes it: `min(a, b)` is b where b < a, else a; `max(a, b)` is b where a < b, else a.
        Literal "literal",
    }
    /// The rounding of a conversion.
    rounding: Rounding {
        /// To the nearest, ties to even.
        #[default]
        NearestEven "to_nearest",
        /// Toward zero; a finite value too large for a float format becomes its largest finite one (D3D11 3.2.2).
        TowardZero "to_zero",
        /// To the nearest, ties to even, where the language otherwise lets either neighbour be taken (SPIR-V `RoundingModeRTE`).
        OnlyNearest "only_nearest",
    }
    /// What an integer division by zero gives, and that of the smallest number by -1.
    division: Division {
        /// All ones, quotient and remainder (D3D11 22.12.9).
        #[default]
        AllOnes "div_ones",
        /// The dividend as quotient and 0 as remainder (WGSL arithmetic expressions); the smallest number by -1 likewise gives itself and 0.
        Identity "div_identity",
    }
    /// What a float out of the integer range converts to. NaN gives 0.
    range: Range {
        /// The nearest integer of the range (D3D11 22.13.3).
        #[default]
        Clamp "clamp",
        /// The nearest value that is both in the integer range and in the float format (WGSL Floating Point Conversion): 0xffffff00 for f32 to u32.
        ClampToFloat "clamp_to_float",
    }
    /// How offset and width of a bit field are taken.
    field: Field {
        /// Their low five bits (D3D11 22.11); a width of 0 gives 0.
        #[default]
        LowBits "low_bits",
        /// Clamped: offset to the number's width w, width to w - offset (WGSL extractBits, insertBits).
        Clamp "field_clamp",
    }
    /// Whether an implementation may fuse, reassociate or otherwise refactor the operation. Canonical results never do.
    refactor: Refactor {
        /// Fusing and reassociation are allowed.
        #[default]
        Allowed "refactor",
        /// The operation is `precise` (D3D11 22.19.2).
        Precise "precise",
    }
    /// What an access out of range gives or does.
    bounds: Bounds {
        /// Defined: a load gives 0 (or the format's defaults), a store is dropped, an atomic does nothing and returns an undefined value.
        #[default]
        Defined "bounded",
        /// Undefined: an event, a load gives 0, a store is dropped.
        Undefined "unbounded",
        /// Any value of the same memory or zero (WGSL): an event, and the index is clamped to the last element.
        Clamped "clamped",
    }
}

/// What an instruction names besides its operands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Target {
    /// Nothing.
    #[default]
    None,
    /// The bits of a constant.
    Bits(u64),
    /// A component (0 to 3) of an input.
    Input(InputId, u8),
    /// A component (0 to 3) of an output.
    Output(OutputId, u8),
    /// A per-lane array.
    Array(ArrayId),
    /// A group-shared memory.
    Shared(SharedId),
    /// A resource.
    Resource(ResourceId),
    /// A texture and a sampler.
    Sampled(ResourceId, SamplerId),
    /// A function.
    Function(FunctionId),
}

/// The variant of an operation that has several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Detail {
    /// It has none.
    #[default]
    None,
    /// Which read-modify-write an atomic does.
    Atomic(AtomicOp),
    /// How a texture is sampled.
    Sampling(Sampling),
    /// Which derivative.
    Derivative(Derivative),
    /// Where an input is evaluated.
    Evaluation(Evaluation),
    /// What a barrier waits for.
    Barrier(Barrier),
    /// What lanes of a wave are combined with.
    Reduction(Reduction),
    /// A normalised integer format.
    Norm(Norm),
    /// Which neighbour of the quad.
    Swap(QuadAxis),
    /// Which register of the source it is, for reports.
    Register(Register),
    /// Which stream of a geometry program.
    Stream(u8),
}

/// A component of a register of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Register {
    /// The register's number.
    pub number: u32,
    /// 0 for x to 3 for w.
    pub component: u8,
}

impl std::fmt::Display for Register {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "r{}.{}", self.number, ["x", "y", "z", "w"][usize::from(self.component & 3)])
    }
}

/// Read-modify-write operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum AtomicOp {
    /// Sum modulo 2^w.
    Add,
    /// Difference modulo 2^w.
    Sub,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Signed minimum.
    SMin,
    /// Signed maximum.
    SMax,
    /// Unsigned minimum.
    UMin,
    /// Unsigned maximum.
    UMax,
    /// Replaces.
    Exchange,
    /// Replaces where the old value equals the comparand.
    CompareExchange,
    /// Only reads.
    Load,
    /// Only writes; returns the old value.
    Store,
}

/// Which derivative of a quad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Derivative {
    /// One for the whole quad: from its first row or column.
    Coarse,
    /// One for each row or column.
    Fine,
    /// The implementation's choice; canonical is coarse.
    Any,
}

/// Where an input is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Evaluation {
    /// At the centroid of the covered samples.
    Centroid,
    /// At the sample whose index is the first operand.
    Sample,
    /// At an offset from the pixel centre in sixteenths, from the low four bits of the operands, signed.
    Snapped,
}

/// What a barrier waits for and orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Barrier {
    /// Whether all threads of the group wait here.
    pub group: bool,
    /// Whether group-shared memory is ordered.
    pub shared: bool,
    /// Whether resources are ordered, and how far.
    pub resources: Option<BarrierScope>,
}

/// How far the ordering of resources reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BarrierScope {
    /// The thread group.
    Group,
    /// The whole device.
    Device,
    /// The wave.
    Wave,
}

/// How lanes of a wave are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Reduction {
    /// The operation between lanes.
    pub op: ReductionOp,
    /// Which lanes take part for each.
    pub mode: ReductionMode,
    /// How the bits are read: float, signed or unsigned.
    pub kind: crate::Kind,
}

/// What lanes are combined with. `kind` of [`Reduction`] says how their bits are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ReductionOp {
    /// Sum.
    Add,
    /// Product.
    Mul,
    /// Minimum.
    Min,
    /// Maximum.
    Max,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
}

/// Which lanes take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ReductionMode {
    /// All active ones.
    All,
    /// Active ones up to and with this lane.
    Inclusive,
    /// Active ones before this lane; the first gets the identity.
    Exclusive,
}

/// A normalised integer format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Norm {
    /// Whether it is signed.
    pub signed: bool,
    /// Its bits, 1 to 16.
    pub bits: u8,
}

/// Which neighbour of a quad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum QuadAxis {
    /// The other one of the row.
    X,
    /// The other one of the column.
    Y,
    /// The opposite one.
    Diagonal,
}

/// How a texture is sampled or gathered, which decides the operands: see [`Sampling::operands`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sampling {
    /// Where the level of detail comes from.
    pub level: Level,
    /// Whether texels are compared with a reference, through the sampler's comparison.
    pub compare: bool,
    /// Whether a lower bound of the level is given (`_cl`).
    pub clamp: bool,
    /// Whether texel offsets are given, as operands.
    pub offset: bool,
    /// For a gather, the component that is gathered.
    pub component: u8,
    /// WGSL's `textureSampleBaseClampToEdge`: level 0, coordinates clamped to half a texel inside.
    pub base_clamp_to_edge: bool,
}

/// Where the level of detail comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Level {
    /// Derivatives over the quad.
    Implicit,
    /// Derivatives over the quad, plus an operand.
    Bias,
    /// An operand.
    Explicit,
    /// Level 0.
    Zero,
    /// Derivatives that are operands.
    Gradient,
}

/// The operand positions of a sampling instruction. All 32-bit; coordinates, level, gradients, reference and clamp are f32, offsets i32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SamplingOperands {
    /// Bias or level.
    pub level: Option<usize>,
    /// Six gradients: d/dx of x, y, z, then d/dy of x, y, z.
    pub gradients: Option<usize>,
    /// The reference of a comparison.
    pub reference: Option<usize>,
    /// The least level.
    pub clamp: Option<usize>,
    /// Three texel offsets.
    pub offset: Option<usize>,
    /// How many operands there are.
    pub count: usize,
}

impl SamplingOperands {
    /// The texture's element in its binding array.
    pub const TEXTURE: usize = 0;
    /// The sampler's element in its binding array.
    pub const SAMPLER: usize = 1;
    /// Coordinates x, y, z; those that the dimension lacks are 0.
    pub const COORDINATES: usize = 2;
    /// The array layer as f32 (rounded to nearest even when used), 0 if not arrayed.
    pub const LAYER: usize = 5;
}

impl Sampling {
    /// A plain sample at this level.
    pub fn at(level: Level) -> Sampling {
        Sampling { level, compare: false, clamp: false, offset: false, component: 0, base_clamp_to_edge: false }
    }

    /// Where each operand stands: texture element, sampler element, x, y, z, layer, then those that the variant has.
    pub fn operands(&self) -> SamplingOperands {
        let mut next = SamplingOperands::LAYER + 1;
        let mut take = |present: bool, count: usize| {
            present.then(|| {
                next += count;
                next - count
            })
        };
        let level = take(matches!(self.level, Level::Bias | Level::Explicit), 1);
        let gradients = take(self.level == Level::Gradient, 6);
        let reference = take(self.compare, 1);
        let clamp = take(self.clamp, 1);
        let offset = take(self.offset, 3);
        SamplingOperands { level, gradients, reference, clamp, offset, count: next }
    }
}
