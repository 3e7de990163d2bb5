//! WGSL's number types, as far as formulas use them.

use gpuproof_program::{Kind, Width};

/// The type of a number in a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Ty {
    Bool,
    U32,
    I32,
    F32,
    /// naga's extension.
    U64,
    /// naga's extension.
    F64,
}

impl Ty {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Ty::Bool => "bool",
            Ty::U32 => "u32",
            Ty::I32 => "i32",
            Ty::F32 => "f32",
            Ty::U64 => "u64",
            Ty::F64 => "f64",
        }
    }

    /// The type of a vector of so many, or of one number.
    pub(crate) fn vector(self, size: usize) -> String {
        if size == 1 { self.name().into() } else { format!("vec{size}<{}>", self.name()) }
    }

    pub(crate) fn of(kind: Kind, width: Width) -> Ty {
        match (width, kind) {
            (Width::W1, _) => Ty::Bool,
            (Width::W64, Kind::Float) => Ty::F64,
            (Width::W64, _) => Ty::U64,
            (_, Kind::Float | Kind::Unknown) => Ty::F32,
            (_, Kind::Sint) => Ty::I32,
            (_, Kind::Uint | Kind::Bool) => Ty::U32,
        }
    }

    /// How a number of this type with these bits is written. What WGSL has no literal for is read from a variable of the module.
    pub(crate) fn literal(self, bits: u64) -> String {
        let word = bits as u32;
        match self {
            Ty::Bool => if bits != 0 { "true" } else { "false" }.into(),
            Ty::U32 if word > 0xffff => format!("{word:#x}u"),
            Ty::U32 => format!("{word}u"),
            Ty::I32 if word == 0x8000_0000 => "i32(-2147483648)".into(),
            Ty::I32 => format!("{}i", word as i32),
            Ty::U64 => format!("{bits}lu"),
            Ty::F32 if f32::from_bits(word).is_finite() => format!("{:?}", f32::from_bits(word)),
            Ty::F32 => format!("bitcast<f32>({})", bits_name(word)),
            Ty::F64 if f64::from_bits(bits).is_finite() => format!("{:?}lf", f64::from_bits(bits)),
            Ty::F64 => format!("bitcast<f64>(u64({}) << 32u)", bits_name((bits >> 32) as u32)),
        }
    }
}

/// The private variable that holds a word: `bitcast` of a constant may not give an infinity or NaN (WGSL 15.7.2).
pub(crate) fn bits_name(word: u32) -> String {
    format!("bits_{word:08x}")
}
