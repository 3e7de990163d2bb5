//! The table of operations.
//!
//! Each operation is declared once, in `operations!` below: its name, class, scope, the widths of operands and results, the
//! [`Choice`]s it takes, what it names ([`TargetKind`]), which [`DetailKind`] picks its variant, and its meaning. The validator, the text form,
//! the executor and the documentation read this table.
//!
//! In signatures `T` and `U` are widths that the instruction decides (each the same throughout one signature), `B` is one bit,
//! `W` 32 bits. The first letter of a name says how bits are read: `f` as IEEE floats of T bits, `s` as signed and `u` as unsigned integers, `i` as
//! integers where sign makes no difference; the text form writes the width into it: `f32.add`.

use crate::attrs::{Choice, Detail, Target};
use crate::function::Width;

/// What an operation does besides computing its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Results depend on operands and choices alone.
    Pure,
    /// Reads what others may write, or what the case supplies.
    Reads,
    /// Writes memory or outputs, or ends lanes.
    Writes,
}

/// Which lanes an operation looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Its own.
    Lane,
    /// The quad's: convergent.
    Quad,
    /// The wave's: convergent.
    Wave,
    /// The group's: convergent.
    Group,
}

/// One letter of a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    /// The instruction's first width.
    T,
    /// The instruction's second width.
    U,
    /// One bit.
    B,
    /// 32 bits.
    W,
}

/// What an operation names besides its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TargetKind {
    /// Nothing.
    Nothing,
    /// A constant's bits.
    Bits,
    /// A component of an input.
    Input,
    /// A component of an output.
    Output,
    /// A per-lane array.
    Array,
    /// A group-shared memory.
    Shared,
    /// A resource.
    Resource,
    /// A texture and a sampler.
    Sampled,
    /// A function.
    Function,
}

impl TargetKind {
    /// Whether a target is of this kind.
    pub fn admits(self, target: Target) -> bool {
        self == match target {
            Target::None => TargetKind::Nothing,
            Target::Bits(_) => TargetKind::Bits,
            Target::Input(..) => TargetKind::Input,
            Target::Output(..) => TargetKind::Output,
            Target::Array(_) => TargetKind::Array,
            Target::Shared(_) => TargetKind::Shared,
            Target::Resource(_) => TargetKind::Resource,
            Target::Sampled(..) => TargetKind::Sampled,
            Target::Function(_) => TargetKind::Function,
        }
    }
}

/// Which variant detail an operation takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DetailKind {
    /// None.
    Plain,
    /// [`Detail::Atomic`].
    Atomic,
    /// [`Detail::Sampling`]: also decides the operands.
    Sampling,
    /// [`Detail::Derivative`].
    Derivative,
    /// [`Detail::Evaluation`].
    Evaluation,
    /// [`Detail::Barrier`].
    Barrier,
    /// [`Detail::Reduction`].
    Reduction,
    /// [`Detail::Norm`].
    Norm,
    /// [`Detail::Swap`].
    Swap,
    /// [`Detail::Register`], or none.
    Register,
    /// [`Detail::Stream`]: also decides the operands of what emits a vertex.
    Stream,
}

impl DetailKind {
    /// Whether a detail is of this kind.
    pub fn admits(self, detail: Detail) -> bool {
        if self == DetailKind::Register && detail == Detail::None {
            return true;
        }
        self == match detail {
            Detail::None => DetailKind::Plain,
            Detail::Atomic(_) => DetailKind::Atomic,
            Detail::Sampling(_) => DetailKind::Sampling,
            Detail::Derivative(_) => DetailKind::Derivative,
            Detail::Evaluation(_) => DetailKind::Evaluation,
            Detail::Barrier(_) => DetailKind::Barrier,
            Detail::Reduction(_) => DetailKind::Reduction,
            Detail::Norm(_) => DetailKind::Norm,
            Detail::Swap(_) => DetailKind::Swap,
            Detail::Register(_) => DetailKind::Register,
            Detail::Stream(_) => DetailKind::Stream,
        }
    }
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The operation.
    pub op: Op,
    /// Its name, with the letter of its family where it reads numbers.
    pub name: &'static str,
    /// What it does besides computing.
    pub class: Class,
    /// Which lanes it looks at.
    pub scope: Scope,
    /// Operands. Empty for `call`, whose function decides, for sampling, whose detail does, and for `emit`, whose stream does.
    pub operands: &'static [Slot],
    /// Results. Empty for `call`.
    pub results: &'static [Slot],
    /// The widths that T may have.
    pub widths: &'static [Width],
    /// The choices it takes.
    pub choices: &'static [Choice],
    /// What it names.
    pub target: TargetKind,
    /// Its variant.
    pub detail: DetailKind,
    /// What it means.
    pub doc: &'static str,
}

macro_rules! operations {
    ($($(#[doc = $doc:literal])+ $op:ident $name:literal $class:ident $scope:ident ($($operand:ident)*) -> ($($result:ident)*)
        [$widths:ident] {$($choice:ident)*} $target:ident $detail:ident;)*) => {
        /// An operation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Op { $($(#[doc = $doc])+ $op,)* }

        /// Every operation, in the order of [`Op`].
        pub const TABLE: &[Row] = &[$(Row {
            op: Op::$op,
            name: $name,
            class: Class::$class,
            scope: Scope::$scope,
            operands: &[$(Slot::$operand,)*],
            results: &[$(Slot::$result,)*],
            widths: $widths,
            choices: &[$(Choice::$choice,)*],
            target: TargetKind::$target,
            detail: DetailKind::$detail,
            doc: concat!($($doc,)+),
        },)*];
    };
}

const ANY: &[Width] = &[Width::W1, Width::W8, Width::W16, Width::W32, Width::W64];
const FLOAT: &[Width] = &[Width::W16, Width::W32, Width::W64];
const SINGLE: &[Width] = &[Width::W16, Width::W32];
const INT: &[Width] = &[Width::W8, Width::W16, Width::W32, Width::W64];
const MEMORY: &[Width] = &[Width::W8, Width::W16, Width::W32, Width::W64];
const BITS: &[Width] = ANY;
const WORD: &[Width] = &[Width::W32];
const WORDS: &[Width] = &[Width::W32, Width::W64];
const NONE: &[Width] = &[];

operations! {
    // Values
    /// The given bits.
    Const "const" Pure Lane () -> (T) [ANY] {} Bits Plain;
    /// A value that nothing wrote: an event when it is used; stands for 0.
    Undef "undef" Pure Lane () -> (T) [ANY] {} Nothing Register;
    /// The second operand where the first is 1, else the third, bit for bit (D3D11 22.9.2 movc, 22.16.2 dmovc; WGSL select).
    Select "select" Pure Lane (B T T) -> (T) [ANY] {} Nothing Plain;

    // Floats
    /// Sum, rounded to nearest even (D3D11 3.1.3, 22.10.1, 22.14.1 for doubles; WGSL Accuracy of Concrete Floating Point Expressions).
    FAdd "f.add" Pure Lane (T T) -> (T) [FLOAT] {Denormals Rounding Refactor} Nothing Plain;
    /// Difference, rounded to nearest even (D3D11 22.10.1 with a negated operand; WGSL arithmetic expressions).
    FSub "f.sub" Pure Lane (T T) -> (T) [FLOAT] {Denormals Rounding Refactor} Nothing Plain;
    /// Product, rounded to nearest even (D3D11 22.10.12, 22.14.4; WGSL arithmetic expressions).
    FMul "f.mul" Pure Lane (T T) -> (T) [FLOAT] {Denormals Rounding Refactor} Nothing Plain;
    /// Quotient, rounded to nearest even; x / 0 is an infinity, 0 / 0 NaN (D3D11 22.10.2, where a * (1 / b) is allowed too, 22.14.6; WGSL arithmetic expressions). Denormal
    /// doubles are numbers, as D3D11 3.1.4 has them, though the table in 22.14.6 treats them as zeros.
    FDiv "f.div" Pure Lane (T T) -> (T) [FLOAT] {Denormals Refactor} Nothing Plain;
    /// a * b + c: canonical is the product rounded (and flushed where denormals are), then the sum (D3D11 22.10.9; WGSL fma, whose accuracy is that of x * y + z).
    FMad "f.mad" Pure Lane (T T T) -> (T) [FLOAT] {Denormals Refactor} Nothing Plain;
    /// a * b + c rounded once (D3D11 22.14.7 dfma).
    FFma "f.fma" Pure Lane (T T T) -> (T) [FLOAT] {Denormals Refactor} Nothing Plain;
    /// a0*b0 + a1*b1: products and sums rounded one by one; operands a0 a1 b0 b1 (D3D11 22.10.3).
    FDot2 "f.dot2" Pure Lane (T T T T) -> (T) [FLOAT] {Denormals Refactor} Nothing Plain;
    /// (a0*b0 + a1*b1) + a2*b2: products and sums rounded one by one; operands a0 a1 a2 b0 b1 b2 (D3D11 22.10.4).
    FDot3 "f.dot3" Pure Lane (T T T T T T) -> (T) [FLOAT] {Denormals Refactor} Nothing Plain;
    /// ((a0*b0 + a1*b1) + a2*b2) + a3*b3: products and sums rounded one by one; operands a0 to a3, b0 to b3 (D3D11 22.10.5).
    FDot4 "f.dot4" Pure Lane (T T T T T T T T) -> (T) [FLOAT] {Denormals Refactor} Nothing Plain;
    /// Square root, correctly rounded; of -0 it is -0, of what is below NaN (D3D11 22.10.21; WGSL sqrt).
    FSqrt "f.sqrt" Pure Lane (T) -> (T) [FLOAT] {Denormals} Nothing Plain;
    /// 1 / sqrt(x), rounded once; of +0 and -0 it is an infinity of the same sign (D3D11 22.10.19; WGSL inverseSqrt).
    FRsqrt "f.rsqrt" Pure Lane (T) -> (T) [FLOAT] {Denormals} Nothing Plain;
    /// 1 / x, rounded to nearest even (D3D11 22.10.18, 22.14.5). Of doubles as [`Op::FDiv`].
    FRcp "f.rcp" Pure Lane (T) -> (T) [FLOAT] {Denormals} Nothing Plain;
    /// 2^x, correctly rounded (D3D11 22.10.6; WGSL exp2).
    FExp2 "f.exp2" Pure Lane (T) -> (T) [SINGLE] {Denormals} Nothing Plain;
    /// Base 2 logarithm, correctly rounded; of zero it is -infinity, of what is below NaN (D3D11 22.10.8; WGSL log2).
    FLog2 "f.log2" Pure Lane (T) -> (T) [SINGLE] {Denormals} Nothing Plain;
    /// e^x, correctly rounded (WGSL exp).
    FExp "f.exp" Pure Lane (T) -> (T) [SINGLE] {Denormals} Nothing Plain;
    /// Natural logarithm, correctly rounded; of zero it is -infinity, of what is below NaN (WGSL log).
    FLog "f.log" Pure Lane (T) -> (T) [SINGLE] {Denormals} Nothing Plain;
    /// Sine of radians, correctly rounded; of an infinity NaN (D3D11 22.10.20; WGSL sin).
    FSin "f.sin" Pure Lane (T) -> (T) [SINGLE] {Denormals} Nothing Plain;
    /// Cosine of radians, correctly rounded; of an infinity NaN (D3D11 22.10.20; WGSL cos).
    FCos "f.cos" Pure Lane (T) -> (T) [SINGLE] {Denormals} Nothing Plain;
    /// Arc sine in radians; NaN outside [-1, 1] (WGSL asin).
    FAsin "f.asin" Pure Lane (T) -> (T) [SINGLE] {Denormals} Nothing Plain;
    /// Arc cosine in radians; NaN outside [-1, 1] (WGSL acos).
    FAcos "f.acos" Pure Lane (T) -> (T) [SINGLE] {Denormals} Nothing Plain;
    /// Arc tangent in radians (WGSL atan).
    FAtan "f.atan" Pure Lane (T) -> (T) [SINGLE] {Denormals} Nothing Plain;
    /// Arc tangent of y / x in the quadrant of (x, y); operands y x (WGSL atan2).
    FAtan2 "f.atan2" Pure Lane (T T) -> (T) [SINGLE] {Denormals} Nothing Plain;
    /// Minimum, by the rule for NaN and zeros that the choice of order names (D3D11 22.10.11, 22.14.3; WGSL min).
    FMin "f.min" Pure Lane (T T) -> (T) [FLOAT] {Denormals Order} Nothing Plain;
    /// Maximum, by the rule for NaN and zeros that the choice of order names (D3D11 22.10.10, 22.14.2; WGSL max).
    FMax "f.max" Pure Lane (T T) -> (T) [FLOAT] {Denormals Order} Nothing Plain;
    /// min(1, max(0, x)), NaN gives 0 (D3D11 22.19.1; WGSL saturate).
    FSaturate "f.saturate" Pure Lane (T) -> (T) [FLOAT] {Denormals} Nothing Plain;
    /// The largest integral value not above x (D3D11 22.10.15 round_ni; WGSL floor).
    FFloor "f.floor" Pure Lane (T) -> (T) [FLOAT] {Denormals} Nothing Plain;
    /// The smallest integral value not below x (D3D11 22.10.16 round_pi; WGSL ceil).
    FCeil "f.ceil" Pure Lane (T) -> (T) [FLOAT] {Denormals} Nothing Plain;
    /// The integral value next toward zero (D3D11 22.10.17 round_z; WGSL trunc).
    FTrunc "f.trunc" Pure Lane (T) -> (T) [FLOAT] {Denormals} Nothing Plain;
    /// The nearest integral value, ties to even (D3D11 22.10.14 round_ne; WGSL round).
    FRound "f.round" Pure Lane (T) -> (T) [FLOAT] {Denormals} Nothing Plain;
    /// x - floor(x), the subtraction correctly rounded: 1 for tiny negative x (D3D11 22.10.7 frc; WGSL fract).
    FFract "f.fract" Pure Lane (T) -> (T) [FLOAT] {Denormals Rounding} Nothing Plain;
    /// The sign bit cleared; nothing else changes, not even a NaN (D3D11 22.18.1; WGSL abs).
    FAbs "f.abs" Pure Lane (T) -> (T) [FLOAT] {} Nothing Plain;
    /// The sign bit inverted; nothing else changes, not even a NaN (D3D11 22.18.2; WGSL arithmetic expressions).
    FNeg "f.neg" Pure Lane (T) -> (T) [FLOAT] {} Nothing Plain;
    /// 1, -1, or +0 for zeros and NaN (WGSL sign).
    FSign "f.sign" Pure Lane (T) -> (T) [FLOAT] {Denormals} Nothing Plain;
    /// Equal; false with NaN; zeros of both signs are equal (D3D11 22.6.1, 22.15.1; WGSL comparison expressions).
    FEq "f.eq" Pure Lane (T T) -> (B) [FLOAT] {Denormals} Nothing Plain;
    /// Not equal; true with NaN (D3D11 22.6.8, 22.15.4; WGSL comparison expressions).
    FNe "f.ne" Pure Lane (T T) -> (B) [FLOAT] {Denormals} Nothing Plain;
    /// Less; false with NaN (D3D11 22.6.7, 22.15.3; WGSL comparison expressions).
    FLt "f.lt" Pure Lane (T T) -> (B) [FLOAT] {Denormals} Nothing Plain;
    /// Less or equal; false with NaN (D3D11 22.6.2, 22.15.2 ge with operands exchanged; WGSL comparison expressions).
    FLe "f.le" Pure Lane (T T) -> (B) [FLOAT] {Denormals} Nothing Plain;
    /// x * 2^n, rounded once; n is a signed word (WGSL ldexp).
    FLdexp "f.ldexp" Pure Lane (T W) -> (T) [FLOAT] {Denormals Rounding} Nothing Plain;
    /// The fraction in [0.5, 1) with x's sign and the signed exponent (WGSL frexp); zeros give themselves and 0.
    FFrexp "f.frexp" Pure Lane (T) -> (T W) [FLOAT] {Denormals} Nothing Plain;

    // Conversions
    /// From float format T to float format U (D3D11 3.2.2, 22.13.1 f16tof32, 22.13.2 f32tof16, 22.17.1 dtof, 22.17.2 ftod; WGSL Floating Point Conversion).
    /// Between f32 and f64 D3D11 lets f32 denormals be kept or flushed; its programs flush them here.
    FConvert "f.convert" Pure Lane (T) -> (U) [FLOAT] {Denormals Rounding} Nothing Plain;
    /// Float to signed integer, toward zero; NaN gives 0 (D3D11 22.13.3 ftoi, 22.17.3 dtoi; WGSL Floating Point Conversion).
    FToS "f.to_s" Pure Lane (T) -> (U) [FLOAT] {Denormals Range} Nothing Plain;
    /// Float to unsigned integer, toward zero; NaN gives 0 (D3D11 22.13.4 ftou, 22.17.4 dtou; WGSL Floating Point Conversion).
    FToU "f.to_u" Pure Lane (T) -> (U) [FLOAT] {Denormals Range} Nothing Plain;
    /// Signed integer to float, to nearest even (D3D11 22.13.5 itof, where that is recommended, 22.17.5 itod; WGSL Floating Point Conversion).
    SToF "s.to_f" Pure Lane (T) -> (U) [INT] {Rounding} Nothing Plain;
    /// Unsigned integer to float, to nearest even (D3D11 22.13.6 utof, where that is recommended, 22.17.6 utod; WGSL Floating Point Conversion).
    UToF "u.to_f" Pure Lane (T) -> (U) [INT] {Rounding} Nothing Plain;
    /// Float to a normalised integer in the low bits: NaN gives 0, clamp, scale, add half away from zero, truncate (D3D11 3.2.3; WGSL data packing built-in functions).
    FToNorm "f.to_norm" Pure Lane (T) -> (W) [WORD] {} Nothing Norm;
    /// A normalised integer in the low bits to float, correctly rounded; the most negative signed one is -1 too (D3D11 3.2.3; WGSL data unpacking built-in functions).
    NormToF "norm.to_f" Pure Lane (W) -> (T) [WORD] {} Nothing Norm;
    /// Zero extension from T to the wider U.
    UExtend "u.extend" Pure Lane (T) -> (U) [BITS] {} Nothing Plain;
    /// Sign extension from T to the wider U; of one bit it is a mask, as D3D11's comparisons give (22.6).
    SExtend "s.extend" Pure Lane (T) -> (U) [BITS] {} Nothing Plain;
    /// The low bits of T, as the narrower U.
    ITruncate "i.truncate" Pure Lane (T) -> (U) [BITS] {} Nothing Plain;

    // Integers
    /// Sum modulo 2^T (D3D11 22.12.1; WGSL arithmetic expressions).
    IAdd "i.add" Pure Lane (T T) -> (T) [INT] {} Nothing Plain;
    /// Difference modulo 2^T (D3D11 22.12.1 and 22.12.7; WGSL arithmetic expressions).
    ISub "i.sub" Pure Lane (T T) -> (T) [INT] {} Nothing Plain;
    /// Product modulo 2^T: the low half of D3D11 22.12.6 and 22.12.13, the product in 22.12.3 and 22.12.10 (WGSL arithmetic expressions).
    IMul "i.mul" Pure Lane (T T) -> (T) [INT] {} Nothing Plain;
    /// The high half of the signed product (D3D11 22.12.6 imul).
    SMulHigh "s.mul_high" Pure Lane (T T) -> (T) [WORDS] {} Nothing Plain;
    /// The high half of the unsigned product (D3D11 22.12.13 umul).
    UMulHigh "u.mul_high" Pure Lane (T T) -> (T) [WORDS] {} Nothing Plain;
    /// Signed quotient toward zero (WGSL arithmetic expressions).
    SDiv "s.div" Pure Lane (T T) -> (T) [INT] {Division} Nothing Plain;
    /// Signed remainder, with the dividend's sign (WGSL arithmetic expressions).
    SRem "s.rem" Pure Lane (T T) -> (T) [INT] {Division} Nothing Plain;
    /// Unsigned quotient (D3D11 22.12.9 udiv; WGSL arithmetic expressions).
    UDiv "u.div" Pure Lane (T T) -> (T) [INT] {Division} Nothing Plain;
    /// Unsigned remainder (D3D11 22.12.9 udiv; WGSL arithmetic expressions).
    URem "u.rem" Pure Lane (T T) -> (T) [INT] {Division} Nothing Plain;
    /// Sum and carry (D3D11 22.12.8 uaddc).
    UAddCarry "u.add_carry" Pure Lane (T T) -> (T B) [WORDS] {} Nothing Plain;
    /// Difference and borrow (D3D11 22.12.14 usubb).
    USubBorrow "u.sub_borrow" Pure Lane (T T) -> (T B) [WORDS] {} Nothing Plain;
    /// Bitwise and (D3D11 22.11.1; WGSL bit expressions, logical expressions).
    IAnd "i.and" Pure Lane (T T) -> (T) [BITS] {} Nothing Plain;
    /// Bitwise or (D3D11 22.11.10; WGSL bit expressions, logical expressions).
    IOr "i.or" Pure Lane (T T) -> (T) [BITS] {} Nothing Plain;
    /// Bitwise exclusive or (D3D11 22.11.13; WGSL bit expressions).
    IXor "i.xor" Pure Lane (T T) -> (T) [BITS] {} Nothing Plain;
    /// Bitwise complement (D3D11 22.11.9; WGSL bit expressions, logical expressions).
    INot "i.not" Pure Lane (T) -> (T) [BITS] {} Nothing Plain;
    /// Shift left; the count is a word, modulo T (D3D11 22.11.7 ishl; WGSL bit expressions).
    IShl "i.shl" Pure Lane (T W) -> (T) [INT] {} Nothing Plain;
    /// Logical shift right; the count is a word, modulo T (D3D11 22.11.12 ushr; WGSL bit expressions).
    UShr "u.shr" Pure Lane (T W) -> (T) [INT] {} Nothing Plain;
    /// Arithmetic shift right; the count is a word, modulo T (D3D11 22.11.8 ishr; WGSL bit expressions).
    SShr "s.shr" Pure Lane (T W) -> (T) [INT] {} Nothing Plain;
    /// Equal (D3D11 22.6.4; WGSL comparison expressions).
    IEq "i.eq" Pure Lane (T T) -> (B) [BITS] {} Nothing Plain;
    /// Not equal (D3D11 22.6.6; WGSL comparison expressions).
    INe "i.ne" Pure Lane (T T) -> (B) [BITS] {} Nothing Plain;
    /// Signed less (D3D11 22.6.5; WGSL comparison expressions).
    SLt "s.lt" Pure Lane (T T) -> (B) [INT] {} Nothing Plain;
    /// Signed less or equal (D3D11 22.6.3 ige with operands exchanged; WGSL comparison expressions).
    SLe "s.le" Pure Lane (T T) -> (B) [INT] {} Nothing Plain;
    /// Unsigned less (D3D11 22.6.10; WGSL comparison expressions).
    ULt "u.lt" Pure Lane (T T) -> (B) [INT] {} Nothing Plain;
    /// Unsigned less or equal (D3D11 22.6.9 uge with operands exchanged; WGSL comparison expressions).
    ULe "u.le" Pure Lane (T T) -> (B) [INT] {} Nothing Plain;
    /// Signed minimum (D3D11 22.12.5; WGSL min).
    SMin "s.min" Pure Lane (T T) -> (T) [INT] {} Nothing Plain;
    /// Signed maximum (D3D11 22.12.4; WGSL max).
    SMax "s.max" Pure Lane (T T) -> (T) [INT] {} Nothing Plain;
    /// Unsigned minimum (D3D11 22.12.12; WGSL min).
    UMin "u.min" Pure Lane (T T) -> (T) [INT] {} Nothing Plain;
    /// Unsigned maximum (D3D11 22.12.11; WGSL max).
    UMax "u.max" Pure Lane (T T) -> (T) [INT] {} Nothing Plain;
    /// The unsigned field of the first operand, cut off at its highest bit: operands base, offset, width (D3D11 22.11.11 ubfe; WGSL extractBits).
    UExtract "u.extract" Pure Lane (T W W) -> (T) [WORDS] {Field} Nothing Plain;
    /// The sign-extended field of the first operand, cut off at its highest bit: operands base, offset, width (D3D11 22.11.6 ibfe; WGSL extractBits).
    SExtract "s.extract" Pure Lane (T W W) -> (T) [WORDS] {Field} Nothing Plain;
    /// The first operand with a field replaced by the low bits of the second: operands base, insert, offset, width (D3D11 22.11.2 bfi; WGSL insertBits).
    IInsert "i.insert" Pure Lane (T T W W) -> (T) [WORDS] {Field} Nothing Plain;
    /// Bits in reverse order (D3D11 22.11.3 bfrev; WGSL reverseBits).
    IReverse "i.reverse" Pure Lane (T) -> (T) [WORDS] {} Nothing Plain;
    /// How many bits are 1 (D3D11 22.11.4 countbits; WGSL countOneBits).
    ICount "i.count" Pure Lane (T) -> (T) [WORDS] {} Nothing Plain;
    /// The position of the lowest 1 from the least significant bit; all ones if none (D3D11 22.11.5 firstbit_lo; WGSL firstTrailingBit).
    IFindLow "i.find_low" Pure Lane (T) -> (T) [WORDS] {} Nothing Plain;
    /// The position of the highest 1 from the least significant bit; all ones if none (WGSL firstLeadingBit; D3D11 22.11.5 firstbit_hi counts from the other end).
    UFindHigh "u.find_high" Pure Lane (T) -> (T) [WORDS] {} Nothing Plain;
    /// The position of the highest bit that differs from the sign, from the least significant bit; all ones if none (WGSL firstLeadingBit; D3D11 22.11.5 firstbit_shi counts from the other end).
    SFindHigh "s.find_high" Pure Lane (T) -> (T) [WORDS] {} Nothing Plain;
    /// Masked sum of absolute differences of four bytes: operands reference, source, accumulator; bytes where the reference is 0 are skipped (D3D11 22.12.15).
    /// The sum wraps: D3D11 allows that, recommends that it saturate, and leaves it open for programs.
    UMsad "u.msad" Pure Lane (T T T) -> (T) [WORD] {} Nothing Plain;
    /// Sum of the products of four unsigned bytes (WGSL dot4U8Packed).
    UDot4x8 "u.dot4x8" Pure Lane (T T) -> (T) [WORD] {} Nothing Plain;
    /// Sum of the products of four signed bytes, modulo 2^32 (WGSL dot4I8Packed).
    SDot4x8 "s.dot4x8" Pure Lane (T T) -> (T) [WORD] {} Nothing Plain;

    // Inputs and outputs
    /// The component of an input.
    Input "input" Reads Lane () -> (T) [ANY] {} Input Plain;
    /// The component of a pixel input evaluated elsewhere; operands are the sample index and 0, or the offsets in sixteenths x and y, or 0 and 0 (D3D11 22.4.23 to 22.4.25, where a sample that does
    /// not exist is undefined).
    InputAt "input_at" Reads Quad (W W) -> (T) [WORD] {} Input Evaluation;
    /// The component of an input of one vertex of the primitive, or control point of the patch: operand its number (D3D11 10.7, 12, 13.2). A number out of range is undefined.
    InputVertex "input.vertex" Reads Lane (W) -> (T) [ANY] {} Input Plain;
    /// Sets the component of an output: of a hull program that of the lane's control point, or of the patch.
    Output "output" Writes Lane (T) -> () [ANY] {} Output Plain;
    /// The component of an output of one of the control points that an earlier phase made: operand its number (D3D11 10.8.2). A number out of range is undefined.
    OutputVertex "output.vertex" Reads Lane (W) -> (T) [ANY] {} Output Plain;
    /// The component of a constant of the patch that a fork phase made (D3D11 10.9.2).
    OutputPatch "output.patch" Reads Lane () -> (T) [ANY] {} Output Plain;
    /// Gives a vertex to a stream: operands are the components of the stream's outputs, in their order, x first. Past the declared number of vertices, those of
    /// all streams counted together, it does nothing (D3D11 13.3, 22.8.3, 22.8.4).
    Emit "emit" Writes Lane () -> () [NONE] {} Nothing Stream;
    /// Ends the strip that a stream's vertices make up; the next vertex begins another (D3D11 22.8.1, 22.8.2).
    Cut "cut" Writes Lane () -> () [NONE] {} Nothing Stream;
    /// The lane becomes a helper where the operand is 1: it goes on, and its outputs and stores no longer count (D3D11 22.5.1 discard; WGSL discard statement).
    Demote "demote" Writes Lane (B) -> () [NONE] {} Nothing Plain;
    /// Whether the lane is a helper.
    IsHelper "is_helper" Reads Lane () -> (B) [NONE] {} Nothing Plain;
    /// What an index stands for that names no declared resource: operands that index and how many are declared. An event; gives 0, or the number of any of
    /// these (D3D11 7.11 resource indexing).
    AnyBinding "binding.any" Reads Lane (W W) -> (W) [NONE] {} Nothing Plain;
    /// How many samples the render target has (D3D11 22.4.21 sampleinfo).
    RasterSamples "raster.samples" Reads Lane () -> (W) [NONE] {} Nothing Plain;
    /// The position of a sample in its pixel: x and y, f32 in [-0.5, 0.5); a number out of range gives 0 (D3D11 22.4.22 samplepos).
    RasterSamplePosition "raster.sample_position" Reads Lane (W) -> (W W) [NONE] {} Nothing Plain;

    // Per-lane and group memory
    /// The element of a per-lane array (D3D11 22.3.36 indexable temporaries; WGSL arrays in function and private memory).
    ArrayLoad "array.load" Reads Lane (W) -> (T) [ANY] {Bounds} Array Plain;
    /// Sets the element of a per-lane array: operands index, value.
    ArrayStore "array.store" Writes Lane (W T) -> () [ANY] {Bounds} Array Plain;
    /// Loads from group-shared memory: operand byte address (D3D11 22.4.10, 22.4.12; WGSL workgroup memory).
    SharedLoad "shared.load" Reads Lane (W) -> (T) [MEMORY] {Bounds} Shared Plain;
    /// Stores to group-shared memory: operands byte address, value (D3D11 22.4.11, 22.4.13; WGSL workgroup memory).
    SharedStore "shared.store" Writes Lane (W T) -> () [MEMORY] {Bounds} Shared Plain;
    /// Read-modify-write in group-shared memory: operands byte address, value, comparand (ignored but for compare-exchange). Gives the old value (D3D11 22.17.8 to 22.17.28; WGSL atomic built-in functions).
    SharedAtomic "shared.atomic" Writes Lane (W T T) -> (T) [WORDS] {Bounds} Shared Atomic;

    // Buffers. The first operand of what names a resource is its element in the binding array.
    /// Loads from a constant or byte-addressed buffer: operands element, byte offset (D3D11 22.4.10 ld_raw; WGSL uniform and storage memory). An offset may be at any byte; D3D11
    /// 22.3.47 wants a multiple of 4 and leaves others open.
    BufferLoad "buffer.load" Reads Lane (W W) -> (T) [MEMORY] {Bounds} Resource Plain;
    /// Stores to a byte-addressed buffer: operands element, byte offset, value (D3D11 22.4.11 store_raw; WGSL storage memory).
    BufferStore "buffer.store" Writes Lane (W W T) -> () [MEMORY] {Bounds} Resource Plain;
    /// Read-modify-write: operands element, byte offset, value, comparand. Gives the old value (D3D11 22.17.8 to 22.17.28; WGSL atomic built-in functions).
    BufferAtomic "buffer.atomic" Writes Lane (W W T T) -> (T) [WORDS] {Bounds} Resource Atomic;
    /// The bound size in bytes; for a structured buffer the number of structures, for a typed one the number of texels: operand element (D3D11 22.4.1 bufinfo; WGSL arrayLength).
    BufferSize "buffer.size" Reads Lane (W) -> (W) [NONE] {} Resource Plain;
    /// Loads from a structure: operands element, index, byte offset in the structure (D3D11 22.4.12 ld_structured). A structure past the last is out of range; an offset past the
    /// structure's end is undefined whatever the choice of bounds, as in the two operations that follow.
    StructuredLoad "structured.load" Reads Lane (W W W) -> (T) [MEMORY] {Bounds} Resource Plain;
    /// Stores to a structure: operands element, index, byte offset, value (D3D11 22.4.13 store_structured).
    StructuredStore "structured.store" Writes Lane (W W W T) -> () [MEMORY] {Bounds} Resource Plain;
    /// Read-modify-write: operands element, index, byte offset, value, comparand. Gives the old value (D3D11 22.17.8 to 22.17.28).
    StructuredAtomic "structured.atomic" Writes Lane (W W W T T) -> (T) [WORDS] {Bounds} Resource Atomic;
    /// Increments a buffer's hidden counter and gives its old value: operand element (D3D11 22.17.17 imm_atomic_alloc, append).
    CounterAlloc "counter.alloc" Writes Lane (W) -> (W) [NONE] {} Resource Plain;
    /// Decrements a buffer's hidden counter and gives its new value: operand element (D3D11 22.17.18 imm_atomic_consume).
    CounterConsume "counter.consume" Writes Lane (W) -> (W) [NONE] {} Resource Plain;

    // Textures
    /// One texel: operands element, x, y, z (integers; a layer takes the place after the last coordinate: x layer, or x y layer), then mip level or sample index.
    /// Results are four components as the format expands to words, and a status word that is nonzero when all was mapped (D3D11 22.4.6 to 22.4.8; WGSL textureLoad).
    TexelLoad "texel.load" Reads Lane (W W W W W) -> (W W W W W) [NONE] {Bounds} Resource Plain;
    /// Sets one texel: operands element, x, y, z (as for a load), four components (D3D11 22.4.9 store_uav_typed; WGSL textureStore).
    TexelStore "texel.store" Writes Lane (W W W W W W W W) -> () [NONE] {Bounds} Resource Plain;
    /// Read-modify-write of a one-component texel: operands element, x, y, z, value, comparand. Gives the old value (D3D11 22.17.8 to 22.17.28).
    TexelAtomic "texel.atomic" Writes Lane (W W W W T T) -> (T) [WORDS] {Bounds} Resource Atomic;
    /// Samples: operands as [`Sampling::operands`](crate::Sampling::operands). Results are four components and a status word (D3D11 7.18, 22.4.15 to 22.4.20; WGSL textureSample and its variants).
    Sample "texture.sample" Reads Quad () -> (W W W W W) [NONE] {} Sampled Sampling;
    /// Gathers one component of the four texels of a bilinear footprint, in the order (-,+) (+,+) (+,-) (-,-), and a status word (D3D11 22.4.2 to 22.4.5; WGSL textureGather, textureGatherCompare).
    /// Of texel offsets the low six bits count, as a signed number (22.4.4).
    Gather "texture.gather" Reads Lane () -> (W W W W W) [NONE] {} Sampled Sampling;
    /// The level of detail that sampling would use, clamped to the view and unclamped, f32: operands as for an implicit sample (D3D11 22.5.6 lod).
    SampleLevel "texture.level" Reads Quad () -> (W W) [NONE] {} Sampled Sampling;
    /// Width, height, depth or layers, and mip levels at a mip level: operands element, level. What a dimension lacks is 0; out of range is all 0 but the levels. Layers of a cube array are cubes, which D3D11 leaves open (D3D11 22.4.14 resinfo; WGSL textureDimensions, textureNumLayers, textureNumLevels).
    TextureSize "texture.size" Reads Lane (W W) -> (W W W W) [NONE] {} Resource Plain;
    /// How many samples its texels have: operand element (D3D11 22.4.21 sampleinfo; WGSL textureNumSamples).
    TextureSamples "texture.samples" Reads Lane (W) -> (W) [NONE] {} Resource Plain;
    /// The position of one of its samples: operands element, sample. As [`Op::RasterSamplePosition`] (D3D11 22.4.22 samplepos).
    TextureSamplePosition "texture.sample_position" Reads Lane (W W) -> (W W) [NONE] {} Resource Plain;

    // Other lanes
    /// Difference along x in the quad: the right pixel less the left one (D3D11 22.5.2, 22.5.4; WGSL dpdx and its variants).
    FDdx "f.ddx" Pure Quad (T) -> (T) [SINGLE] {Denormals} Nothing Derivative;
    /// Difference along y in the quad: the lower pixel less the upper one (D3D11 22.5.3, 22.5.5; WGSL dpdy and its variants).
    FDdy "f.ddy" Pure Quad (T) -> (T) [SINGLE] {Denormals} Nothing Derivative;
    /// The value of a lane of the quad: operands value, lane 0 to 3 (WGSL quadBroadcast).
    QuadRead "quad.read" Pure Quad (T W) -> (T) [ANY] {} Nothing Plain;
    /// The value of a neighbour in the quad (WGSL quadSwapX, quadSwapY, quadSwapDiagonal).
    QuadSwap "quad.swap" Pure Quad (T) -> (T) [ANY] {} Nothing Swap;
    /// The mask of active lanes where the operand is 1, lane 0 in bit 0 of the first word (WGSL subgroupBallot).
    WaveBallot "wave.ballot" Pure Wave (B) -> (W W W W) [NONE] {} Nothing Plain;
    /// Whether the operand is 1 in every active lane (WGSL subgroupAll).
    WaveAll "wave.all" Pure Wave (B) -> (B) [NONE] {} Nothing Plain;
    /// Whether the operand is 1 in an active lane (WGSL subgroupAny).
    WaveAny "wave.any" Pure Wave (B) -> (B) [NONE] {} Nothing Plain;
    /// Whether this is the lowest active lane (WGSL subgroupElect).
    WaveElect "wave.elect" Pure Wave () -> (B) [NONE] {} Nothing Plain;
    /// The value of the lowest active lane (WGSL subgroupBroadcastFirst).
    WaveReadFirst "wave.read_first" Pure Wave (T) -> (T) [ANY] {} Nothing Plain;
    /// The value of a lane by its index in the wave; an event when that lane is not active (WGSL subgroupBroadcast, subgroupShuffle and its variants).
    WaveReadLane "wave.read_lane" Pure Wave (T W) -> (T) [ANY] {} Nothing Plain;
    /// Active lanes combined, in order of lane (WGSL subgroupAdd, subgroupExclusiveAdd, subgroupMin and their like).
    WaveReduce "wave.reduce" Pure Wave (T) -> (T) [ANY] {} Nothing Reduction;
    /// Waits and orders memory (D3D11 22.17.7 sync; WGSL synchronization built-in functions).
    Barrier "barrier" Writes Group () -> () [NONE] {} Nothing Barrier;

    // Calls
    /// Runs a function: operands and results are the function's (D3D11 22.7.10 call; WGSL function calls).
    Call "call" Writes Lane () -> () [NONE] {} Function Plain;
}

impl Op {
    /// The operation's row of the table.
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// The choices that the operation takes.
    pub fn choices(self) -> &'static [Choice] {
        self.row().choices
    }

    /// The operation with this name in the table.
    pub fn from_name(name: &str) -> Option<Op> {
        TABLE.iter().find(|row| row.name == name).map(|row| row.op)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_enum_and_names_are_unique() {
        let mut names = std::collections::HashSet::new();
        for (index, row) in TABLE.iter().enumerate() {
            assert_eq!(row.op as usize, index);
            assert!(names.insert(row.name), "{} stands twice", row.name);
            assert_eq!(Op::from_name(row.name), Some(row.op));
        }
    }

    #[test]
    fn a_width_that_signatures_use_has_widths_to_choose_from() {
        for row in TABLE {
            let generic = row.operands.iter().chain(row.results).any(|slot| *slot == Slot::T);
            assert_eq!(generic, !row.widths.is_empty(), "{}", row.name);
        }
    }
}
