//! Words as people read them.

use gpuproof_program::Kind;

/// The letters of components.
pub const LETTERS: [char; 4] = ['x', 'y', 'z', 'w'];

/// A word as hexadecimal bits and, where its kind is known, its number: `0x3e99999a (0.3)`.
pub fn word(bits: u32, kind: Kind) -> String {
    match kind {
        Kind::Float => format!("0x{bits:08x} ({})", float(f32::from_bits(bits))),
        Kind::Sint => format!("0x{bits:08x} ({})", bits as i32),
        Kind::Uint | Kind::Bool => format!("0x{bits:08x} ({bits})"),
        Kind::Unknown => format!("0x{bits:08x}"),
    }
}

/// The shortest decimal that is this float, with an exponent where it would be long.
pub fn float(value: f32) -> String {
    let magnitude = value.abs();
    if value == 0.0 || !value.is_finite() || (1e-4..1e7).contains(&magnitude) { format!("{value}") } else { format!("{value:e}") }
}

/// A number to a few digits.
pub fn short(x: f64) -> String {
    if x == 0.0 || (1e-3..1e6).contains(&x) {
        let text = format!("{x:.6}");
        text.trim_end_matches('0').trim_end_matches('.').into()
    } else {
        format!("{x:.2e}")
    }
}
