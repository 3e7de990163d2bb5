//! The row operations. Each is a branch-free function of chunks, written as short loops over 16 lanes so that the compiler makes vector code
//! of every step.

use super::{CHUNK, Call, Isa, Kind, functions, nvidia};
use gpuproof_number::float32::NAN;
use gpuproof_number::machine::{Machine, nvidia_sm90};

type Words = [u32; CHUNK];

const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = 0x7f80_0000;

#[inline(always)]
fn each(a: Words, f: impl Fn(u32) -> u32) -> Words {
    let mut out = [0; CHUNK];
    for i in 0..CHUNK {
        out[i] = f(a[i]);
    }
    out
}

#[inline(always)]
fn each2(a: Words, b: Words, f: impl Fn(u32, u32) -> u32) -> Words {
    let mut out = [0; CHUNK];
    for i in 0..CHUNK {
        out[i] = f(a[i], b[i]);
    }
    out
}

#[inline(always)]
fn each3(a: Words, b: Words, c: Words, f: impl Fn(u32, u32, u32) -> u32) -> Words {
    let mut out = [0; CHUNK];
    for i in 0..CHUNK {
        out[i] = f(a[i], b[i], c[i]);
    }
    out
}

/// All ones where the condition holds: how a row holds a truth value.
#[inline(always)]
fn mask(condition: bool) -> u32 {
    u32::from(condition).wrapping_neg()
}

#[inline(always)]
fn choose(condition: u32, yes: u32, no: u32) -> u32 {
    (yes & condition) | (no & !condition)
}

/// Subnormals to zeros of their sign.
#[inline(always)]
pub(super) fn flush<const F: bool>(a: Words) -> Words {
    if F { each(a, |x| x & (mask(x & INFINITY != 0) | SIGN)) } else { a }
}

/// What arithmetic gives: NaN canonical, flushed where told.
#[inline(always)]
fn canonical<const F: bool>(a: Words) -> Words {
    let a = flush::<F>(a);
    each(a, |x| if float(x).is_nan() { NAN } else { x })
}

#[inline(always)]
fn float(x: u32) -> f32 {
    f32::from_bits(x)
}

/// `F`: whether subnormals are flushed. `C`: whether the operands are known to have none.
#[inline(always)]
fn arithmetic<const F: bool, const C: bool>(a: Words, b: Words, f: impl Fn(f32, f32) -> f32) -> Words {
    let (a, b) = if C { (a, b) } else { (flush::<F>(a), flush::<F>(b)) };
    canonical::<F>(each2(a, b, |x, y| f(float(x), float(y)).to_bits()))
}

#[inline(always)]
fn add<const F: bool, const C: bool>(a: Words, b: Words) -> Words {
    arithmetic::<F, C>(a, b, |x, y| x + y)
}

#[inline(always)]
fn sub<const F: bool, const C: bool>(a: Words, b: Words) -> Words {
    arithmetic::<F, C>(a, b, |x, y| x - y)
}

#[inline(always)]
fn mul<const F: bool, const C: bool>(a: Words, b: Words) -> Words {
    arithmetic::<F, C>(a, b, |x, y| x * y)
}

#[inline(always)]
fn div<const F: bool, const C: bool>(a: Words, b: Words) -> Words {
    arithmetic::<F, C>(a, b, |x, y| x / y)
}

#[inline(always)]
fn mad<const F: bool, const C: bool>(a: Words, b: Words, c: Words) -> Words {
    let (a, b, c) = if C { (a, b, c) } else { (flush::<F>(a), flush::<F>(b), flush::<F>(c)) };
    // A NaN of the product is one of the sum, which is made canonical.
    let product = flush::<F>(each2(a, b, |x, y| (float(x) * float(y)).to_bits()));
    add::<F, true>(product, c)
}

#[inline(always)]
fn rcp<const F: bool>(a: Words) -> Words {
    div::<F, false>([1f32.to_bits(); CHUNK], a)
}

#[inline(always)]
fn unary<const F: bool>(a: Words, f: impl Fn(f32) -> f32) -> Words {
    canonical::<F>(each(flush::<F>(a), |x| f(float(x)).to_bits()))
}

#[inline(always)]
fn sqrt<const F: bool>(a: Words) -> Words {
    unary::<F>(a, f32::sqrt)
}

#[inline(always)]
fn floor<const F: bool>(a: Words) -> Words {
    unary::<F>(a, f32::floor)
}

#[inline(always)]
fn ceil<const F: bool>(a: Words) -> Words {
    unary::<F>(a, f32::ceil)
}

#[inline(always)]
fn trunc<const F: bool>(a: Words) -> Words {
    unary::<F>(a, f32::trunc)
}

#[inline(always)]
fn round<const F: bool>(a: Words) -> Words {
    unary::<F>(a, f32::round_ties_even)
}

#[inline(always)]
fn fract<const F: bool>(a: Words) -> Words {
    sub::<F, false>(a, floor::<F>(a))
}

#[inline(always)]
fn compare<const F: bool>(a: Words, b: Words, f: impl Fn(f32, f32) -> bool) -> Words {
    each2(flush::<F>(a), flush::<F>(b), |x, y| mask(f(float(x), float(y))))
}

#[inline(always)]
fn eq<const F: bool>(a: Words, b: Words) -> Words {
    compare::<F>(a, b, |x, y| x == y)
}

#[inline(always)]
fn ne<const F: bool>(a: Words, b: Words) -> Words {
    compare::<F>(a, b, |x, y| x != y)
}

#[inline(always)]
fn lt<const F: bool>(a: Words, b: Words) -> Words {
    compare::<F>(a, b, |x, y| x < y)
}

#[inline(always)]
fn le<const F: bool>(a: Words, b: Words) -> Words {
    compare::<F>(a, b, |x, y| x <= y)
}

#[inline(always)]
fn is_nan(x: u32) -> u32 {
    mask(x & !SIGN > INFINITY)
}

#[inline(always)]
fn nan_loses<const F: bool>(a: Words, b: Words, first: Words) -> Words {
    let (a, b) = (flush::<F>(a), flush::<F>(b));
    let first = each3(first, a, b, |first, x, y| (first | is_nan(y)) & !is_nan(x));
    canonical::<F>(each3(first, a, b, choose))
}

#[inline(always)]
fn min<const F: bool>(a: Words, b: Words) -> Words {
    nan_loses::<F>(a, b, lt::<F>(a, b))
}

#[inline(always)]
fn max<const F: bool>(a: Words, b: Words) -> Words {
    nan_loses::<F>(a, b, le::<F>(b, a))
}

#[inline(always)]
fn min_literal<const F: bool>(a: Words, b: Words) -> Words {
    each3(lt::<F>(b, a), b, a, choose)
}

#[inline(always)]
fn max_literal<const F: bool>(a: Words, b: Words) -> Words {
    each3(lt::<F>(a, b), b, a, choose)
}

#[inline(always)]
fn saturate<const F: bool>(a: Words) -> Words {
    each(flush::<F>(a), |x| {
        let below = choose(mask(float(x) < 1.0), x, 1f32.to_bits());
        below & mask(float(x) > 0.0)
    })
}

#[inline(always)]
fn sign<const F: bool>(a: Words) -> Words {
    each(flush::<F>(a), |x| (1f32.to_bits() & mask(float(x) > 0.0)) | ((-1f32).to_bits() & mask(float(x) < 0.0)))
}

#[inline(always)]
fn to_signed<const MOST: u32>(a: Words) -> Words {
    // The conversion saturates and takes NaN to 0.
    each(a, |x| (float(x) as i32).min(MOST as i32) as u32)
}

#[inline(always)]
fn to_unsigned<const MOST: u32>(a: Words) -> Words {
    each(a, |x| (float(x) as u32).min(MOST))
}

#[inline(always)]
fn divide(a: Words, b: Words, by_zero: impl Fn(u32) -> u32, f: impl Fn(u32, u32) -> u32) -> Words {
    each2(a, b, |x, y| {
        let zero = mask(y == 0);
        choose(zero, by_zero(x), f(x, y | (zero & 1)))
    })
}

#[inline(always)]
fn extract(a: Words, offset: Words, width: Words, shift: impl Fn(u32, u32) -> u32) -> Words {
    let mut out = [0; CHUNK];
    for i in 0..CHUNK {
        let (offset, width) = (offset[i] & 31, width[i] & 31);
        // Moved to the top, then down: a field past the top is cut off there.
        let width = width.min(32 - offset);
        let top = a[i] << (32u32.wrapping_sub(offset + width) & 31);
        out[i] = shift(top, 32u32.wrapping_sub(width) & 31) & mask(width != 0);
    }
    out
}

#[inline(always)]
fn insert(base: Words, value: Words, offset: Words, width: Words) -> Words {
    let mut out = [0; CHUNK];
    for i in 0..CHUNK {
        let field = ((1u32 << (width[i] & 31)) - 1) << (offset[i] & 31);
        out[i] = choose(field, value[i] << (offset[i] & 31), base[i]);
    }
    out
}

macro_rules! kernels {
    ($($(#[$doc:meta])* $name:ident $arity:ident $body:expr;)*) => {
        /// An operation on rows of 32-bit registers. Truth values are all ones or zero.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Kernel { $($(#[$doc])* $name,)* }

        impl Kernel {
            /// How many operands it reads.
            pub fn operands(self) -> usize {
                const COUNTS: &[usize] = &[$(kernels!(@count $arity),)*];
                COUNTS[self as usize]
            }
        }

        kernels!(@set baseline [] $($name $arity $body;)*);
        #[cfg(target_arch = "x86_64")]
        kernels!(@set avx2 [#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]] $($name $arity $body;)*);
        #[cfg(target_arch = "x86_64")]
        kernels!(@set avx512 [#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx512cd,bmi1,bmi2,lzcnt,popcnt")]] $($name $arity $body;)*);
    };
    (@set $set:ident $feature:tt $($name:ident $arity:ident $body:expr;)*) => {
        #[allow(non_snake_case)]
        mod $set {
            use super::*;
            $(kernels!(@function $feature $name $arity $body);)*
            pub(super) static TABLE: &[unsafe fn(&Call)] = &[$($name,)*];
        }
    };
    (@function [$($feature:tt)*] $name:ident $arity:ident $body:expr) => {
        $($feature)* pub(super) unsafe fn $name(call: &Call) {
            for chunk in 0..call.chunks {
                keep_chunks_apart();
                // SAFETY: `chunk` is below `chunks`, and `Rows::apply` has checked the rows.
                unsafe { call.write(chunk, kernels!(@call $arity call chunk $body)) }
            }
        }
    };
    (@count one) => { 1 };
    (@count two) => { 2 };
    (@count three) => { 3 };
    (@count four) => { 4 };
    (@call one $call:ident $chunk:ident $body:expr) => { ($body)($call.read(0, $chunk)) };
    (@call two $call:ident $chunk:ident $body:expr) => { ($body)($call.read(0, $chunk), $call.read(1, $chunk)) };
    (@call three $call:ident $chunk:ident $body:expr) => {
        ($body)($call.read(0, $chunk), $call.read(1, $chunk), $call.read(2, $chunk))
    };
    (@call four $call:ident $chunk:ident $body:expr) => {
        ($body)($call.read(0, $chunk), $call.read(1, $chunk), $call.read(2, $chunk), $call.read(3, $chunk))
    };
}

/// The compiler would make vectors across chunks too, by gathering single words: slower by far. It does not look across this.
#[inline(always)]
fn keep_chunks_apart() {
    // SAFETY: no instruction at all.
    unsafe { std::arch::asm!("", options(nomem, nostack, preserves_flags)) }
}

/// How an operand's chunk goes through one scalar function.
#[inline(always)]
fn by1(f: impl Fn(u32) -> u32) -> impl Fn(Words) -> Words {
    move |a| each(a, &f)
}

#[inline(always)]
fn by2(f: impl Fn(u32, u32) -> u32) -> impl Fn(Words, Words) -> Words {
    move |a, b| each2(a, b, &f)
}

#[inline(always)]
fn by3(f: impl Fn(u32, u32, u32) -> u32) -> impl Fn(Words, Words, Words) -> Words {
    move |a, b, c| each3(a, b, c, &f)
}

kernels! {
    /// The operand.
    Copy one by1(|x| x);
    /// By mask: condition, yes, no.
    Select three by3(choose);
    /// Sum, subnormals kept. Of each float operation there is a form that keeps subnormals and one that flushes them.
    Add two add::<false, false>;
    /// Sum, flushing.
    AddFlush two add::<true, false>;
    /// The same of operands without subnormals.
    AddClean two add::<true, true>;
    /// Difference.
    Sub two sub::<false, false>;
    /// Difference, flushing.
    SubFlush two sub::<true, false>;
    /// The same of operands without subnormals.
    SubClean two sub::<true, true>;
    /// Product.
    Mul two mul::<false, false>;
    /// Product, flushing.
    MulFlush two mul::<true, false>;
    /// The same of operands without subnormals.
    MulClean two mul::<true, true>;
    /// Quotient.
    Div two div::<false, false>;
    /// Quotient, flushing.
    DivFlush two div::<true, false>;
    /// The same of operands without subnormals.
    DivClean two div::<true, true>;
    /// Product, then sum.
    Mad three mad::<false, false>;
    /// Product, then sum, flushing.
    MadFlush three mad::<true, false>;
    /// The same of operands without subnormals.
    MadClean three mad::<true, true>;
    /// Reciprocal.
    Rcp one rcp::<false>;
    /// Reciprocal, flushing.
    RcpFlush one rcp::<true>;
    /// Square root.
    Sqrt one sqrt::<false>;
    /// Square root, flushing.
    SqrtFlush one sqrt::<true>;
    /// One over the square root.
    Rsqrt one functions::rsqrt::<false>;
    /// One over the square root, flushing.
    RsqrtFlush one functions::rsqrt::<true>;
    /// 2^x.
    Exp2 one functions::exp2::<false>;
    /// 2^x, flushing.
    Exp2Flush one functions::exp2::<true>;
    /// e^x.
    Exp one functions::exp::<false>;
    /// e^x, flushing.
    ExpFlush one functions::exp::<true>;
    /// Logarithm of base 2.
    Log2 one functions::log2::<false>;
    /// Logarithm of base 2, flushing.
    Log2Flush one functions::log2::<true>;
    /// Natural logarithm.
    Log one functions::log::<false>;
    /// Natural logarithm, flushing.
    LogFlush one functions::log::<true>;
    /// Sine.
    Sin one functions::sin::<false>;
    /// Sine, flushing.
    SinFlush one functions::sin::<true>;
    /// Cosine.
    Cos one functions::cos::<false>;
    /// Cosine, flushing.
    CosFlush one functions::cos::<true>;
    /// Quotient of an H200, which flushes, as all of its functions in shaders.
    NvidiaDiv two by2(nvidia_sm90::div);
    /// Reciprocal of an H200.
    NvidiaRcp one nvidia::rcp;
    /// Square root of an H200.
    NvidiaSqrt one nvidia::sqrt;
    /// One over the square root of an H200.
    NvidiaRsqrt one nvidia::rsqrt;
    /// 2^x of an H200.
    NvidiaExp2 one nvidia::exp2;
    /// e^x of an H200.
    NvidiaExp one nvidia::exp;
    /// Logarithm of base 2 of an H200.
    NvidiaLog2 one nvidia::log2;
    /// Natural logarithm of an H200.
    NvidiaLog one nvidia::log;
    /// Sine of an H200.
    NvidiaSin one nvidia::sin;
    /// Cosine of an H200.
    NvidiaCos one nvidia::cos;
    /// Floor.
    Floor one floor::<false>;
    /// Floor, flushing.
    FloorFlush one floor::<true>;
    /// Ceiling.
    Ceil one ceil::<false>;
    /// Ceiling, flushing.
    CeilFlush one ceil::<true>;
    /// Toward zero.
    Trunc one trunc::<false>;
    /// Toward zero, flushing.
    TruncFlush one trunc::<true>;
    /// To nearest even.
    Round one round::<false>;
    /// To nearest even, flushing.
    RoundFlush one round::<true>;
    /// Fraction.
    Fract one fract::<false>;
    /// Fraction, flushing.
    FractFlush one fract::<true>;
    /// Minimum, NaN loses.
    Min two min::<false>;
    /// Minimum, NaN loses, flushing.
    MinFlush two min::<true>;
    /// Maximum, NaN loses.
    Max two max::<false>;
    /// Maximum, NaN loses, flushing.
    MaxFlush two max::<true>;
    /// Minimum as WGSL writes it.
    MinLiteral two min_literal::<false>;
    /// Minimum as WGSL writes it, the comparison flushing.
    MinLiteralFlush two min_literal::<true>;
    /// Maximum as WGSL writes it.
    MaxLiteral two max_literal::<false>;
    /// Maximum as WGSL writes it, the comparison flushing.
    MaxLiteralFlush two max_literal::<true>;
    /// Clamped to 0 and 1.
    Saturate one saturate::<false>;
    /// Clamped to 0 and 1, flushing.
    SaturateFlush one saturate::<true>;
    /// Sign.
    Sign one sign::<false>;
    /// Sign, flushing.
    SignFlush one sign::<true>;
    /// Sign bit cleared.
    Abs one by1(|x| x & !SIGN);
    /// Sign bit inverted.
    Neg one by1(|x| x ^ SIGN);
    /// Equal.
    FEq two eq::<false>;
    /// Equal, flushing.
    FEqFlush two eq::<true>;
    /// Not equal.
    FNe two ne::<false>;
    /// Not equal, flushing.
    FNeFlush two ne::<true>;
    /// Less.
    FLt two lt::<false>;
    /// Less, flushing.
    FLtFlush two lt::<true>;
    /// Less or equal.
    FLe two le::<false>;
    /// Less or equal, flushing.
    FLeFlush two le::<true>;
    /// To signed, clamped.
    ToSigned one to_signed::<0x7fff_ffff>;
    /// To signed, clamped to what f32 holds.
    ToSignedFloat one to_signed::<0x7fff_ff80>;
    /// To unsigned, clamped.
    ToUnsigned one to_unsigned::<0xffff_ffff>;
    /// To unsigned, clamped to what f32 holds.
    ToUnsignedFloat one to_unsigned::<0xffff_ff00>;
    /// From signed.
    FromSigned one by1(|x| (x as i32 as f32).to_bits());
    /// From unsigned.
    FromUnsigned one by1(|x| (x as f32).to_bits());
    /// Sum.
    IAdd two by2(u32::wrapping_add);
    /// Difference.
    ISub two by2(u32::wrapping_sub);
    /// Product.
    IMul two by2(u32::wrapping_mul);
    /// High half of the signed product.
    SMulHigh two by2(|x, y| ((i64::from(x as i32) * i64::from(y as i32)) >> 32) as u32);
    /// High half of the unsigned product.
    UMulHigh two by2(|x, y| ((u64::from(x) * u64::from(y)) >> 32) as u32);
    /// Unsigned quotient; all ones by 0.
    UDivOnes two |a, b| divide(a, b, |_| !0, |x, y| x / y);
    /// Unsigned quotient; the dividend by 0.
    UDivIdentity two |a, b| divide(a, b, |x| x, |x, y| x / y);
    /// Unsigned remainder; all ones by 0.
    URemOnes two |a, b| divide(a, b, |_| !0, |x, y| x % y);
    /// Unsigned remainder; 0 by 0.
    URemIdentity two |a, b| divide(a, b, |_| 0, |x, y| x % y);
    /// Signed quotient; all ones by 0.
    SDivOnes two |a, b| divide(a, b, |_| !0, |x, y| (x as i32).wrapping_div(y as i32) as u32);
    /// Signed quotient; the dividend by 0.
    SDivIdentity two |a, b| divide(a, b, |x| x, |x, y| (x as i32).wrapping_div(y as i32) as u32);
    /// Signed remainder; all ones by 0.
    SRemOnes two |a, b| divide(a, b, |_| !0, |x, y| (x as i32).wrapping_rem(y as i32) as u32);
    /// Signed remainder; 0 by 0.
    SRemIdentity two |a, b| divide(a, b, |_| 0, |x, y| (x as i32).wrapping_rem(y as i32) as u32);
    /// Carry of the sum.
    Carry two by2(|x, y| mask(x.wrapping_add(y) < x));
    /// And.
    And two by2(|x, y| x & y);
    /// Or.
    Or two by2(|x, y| x | y);
    /// Exclusive or.
    Xor two by2(|x, y| x ^ y);
    /// Complement.
    Not one by1(|x| !x);
    /// Shift left.
    Shl two by2(|x, y| x << (y & 31));
    /// Logical shift right.
    Shr two by2(|x, y| x >> (y & 31));
    /// Arithmetic shift right.
    Sar two by2(|x, y| ((x as i32) >> (y & 31)) as u32);
    /// Equal.
    IEq two by2(|x, y| mask(x == y));
    /// Not equal.
    INe two by2(|x, y| mask(x != y));
    /// Signed less.
    SLt two by2(|x, y| mask((x as i32) < y as i32));
    /// Signed less or equal.
    SLe two by2(|x, y| mask(x as i32 <= y as i32));
    /// Unsigned less.
    ULt two by2(|x, y| mask(x < y));
    /// Unsigned less or equal.
    ULe two by2(|x, y| mask(x <= y));
    /// Signed minimum.
    SMin two by2(|x, y| (x as i32).min(y as i32) as u32);
    /// Signed maximum.
    SMax two by2(|x, y| (x as i32).max(y as i32) as u32);
    /// Unsigned minimum.
    UMin two by2(u32::min);
    /// Unsigned maximum.
    UMax two by2(u32::max);
    /// Unsigned field; offset and width in their low five bits.
    UExtract three |a, o, w| extract(a, o, w, |x, n| x >> n);
    /// Signed field.
    SExtract three |a, o, w| extract(a, o, w, |x, n| ((x as i32) >> n) as u32);
    /// Field replaced; base, value, offset, width.
    Insert four insert;
    /// Bits reversed.
    Reverse one by1(u32::reverse_bits);
    /// Bits counted.
    Count one by1(u32::count_ones);
    /// Lowest bit.
    FindLow one by1(|x| x.trailing_zeros() | mask(x == 0));
    /// Highest bit.
    UFindHigh one by1(|x| 31u32.wrapping_sub(x.leading_zeros()) | mask(x == 0));
    /// Highest bit that differs from the sign.
    SFindHigh one by1(|x| {
        let x = x ^ ((x as i32) >> 31) as u32;
        31u32.wrapping_sub(x.leading_zeros()) | mask(x == 0)
    });
    /// The lowest bit as a truth value.
    Truth one by1(|x| (x & 1).wrapping_neg());
    /// A truth value as 0 or 1.
    Unit one by1(|x| x & 1);
}

impl Kernel {
    /// The operation that gives a machine's results, where its model has other ones.
    #[inline]
    pub(super) fn on(self, machine: Machine) -> Kernel {
        if machine != Machine::NvidiaSm90 {
            return self;
        }
        match self {
            Kernel::Div | Kernel::DivFlush | Kernel::DivClean => Kernel::NvidiaDiv,
            Kernel::Rcp | Kernel::RcpFlush => Kernel::NvidiaRcp,
            Kernel::Sqrt | Kernel::SqrtFlush => Kernel::NvidiaSqrt,
            Kernel::Rsqrt | Kernel::RsqrtFlush => Kernel::NvidiaRsqrt,
            Kernel::Exp2 | Kernel::Exp2Flush => Kernel::NvidiaExp2,
            Kernel::Exp | Kernel::ExpFlush => Kernel::NvidiaExp,
            Kernel::Log2 | Kernel::Log2Flush => Kernel::NvidiaLog2,
            Kernel::Log | Kernel::LogFlush => Kernel::NvidiaLog,
            Kernel::Sin | Kernel::SinFlush => Kernel::NvidiaSin,
            Kernel::Cos | Kernel::CosFlush => Kernel::NvidiaCos,
            other => other,
        }
    }
}

impl Isa {
    #[inline]
    pub(super) fn function(self, kernel: Kernel) -> unsafe fn(&Call) {
        let table = match self.0 {
            Kind::Baseline => baseline::TABLE,
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => avx2::TABLE,
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => avx512::TABLE,
        };
        table[kernel as usize]
    }
}
