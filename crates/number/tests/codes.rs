//! Every code of every channel of 16 bits or fewer, and every step between two codes, against exact arithmetic.
//!
//! What a code is worth is an integer over an integer, or an integer times a power of two; a float of 24 bits times such an integer is exact as
//! f64, so neighbours are compared without rounding.

use gpuproof_number::format::*;

fn value(bits: u32) -> f64 {
    f64::from(f32::from_bits(bits))
}

/// Whether an f32 is the nearest to `numerator / denominator`, no nearer neighbour being left.
fn is_nearest(bits: u32, numerator: i64, denominator: i64) -> bool {
    let error = |bits: u32| (value(bits) * denominator as f64 - numerator as f64).abs();
    let f = f32::from_bits(bits);
    if numerator == 0 {
        return bits == 0;
    }
    [f.next_up(), f.next_down()].iter().all(|other| error(bits) < error(other.to_bits()))
}

/// The value of a float code with five bits of exponent and so many of fraction, without its sign; none for what is no number.
fn small_float(code: u32, fraction_bits: i32) -> Option<f64> {
    let (exponent, fraction) = (code >> fraction_bits, f64::from(code & ((1 << fraction_bits) - 1)));
    match exponent {
        0 => Some(fraction * 2f64.powi(-14 - fraction_bits)),
        31 => None,
        _ => Some((f64::from(1 << fraction_bits) + fraction) * 2f64.powi(exponent as i32 - 15 - fraction_bits)),
    }
}

/// Whether a component is what a code of a channel means.
fn means(channel: Channel, code: u32, component: u32) -> bool {
    let bits = u32::from(channel.bits);
    let signed = (code << (32 - bits)) as i32 >> (32 - bits);
    match channel.kind {
        Kind::Unorm => is_nearest(component, code.into(), (1 << bits) - 1),
        Kind::Snorm => is_nearest(component, i64::from(signed).max(1 - (1 << (bits - 1))), (1 << (bits - 1)) - 1),
        Kind::Uint => component == code,
        Kind::Sint => component as i32 == signed,
        Kind::XrBias => is_nearest(component, i64::from(code) - 384, 510),
        Kind::Float => {
            let (sign, fraction_bits) = if bits == 16 { (code >> 15, 10) } else { (0, bits as i32 - 5) };
            let magnitude = code & ((1 << (fraction_bits + 5)) - 1);
            let expected_sign = component >> 31 == sign;
            match small_float(magnitude, fraction_bits) {
                Some(expected) => expected_sign && value(component).abs() == expected,
                None if magnitude & ((1 << fraction_bits) - 1) == 0 => component == 0x7f80_0000 | sign << 31,
                None => f32::from_bits(component).is_nan(),
            }
        }
        other => panic!("{other:?}"),
    }
}

fn is_short(channel: &Channel) -> bool {
    channel.bits <= 16 && !matches!(channel.kind, Kind::Typeless | Kind::SharedExponent | Kind::Srgb)
}

/// Formats of one and two bytes, code by code.
#[test]
fn every_code_of_short_formats() {
    let mut names = Vec::new();
    for format in FORMATS.iter().filter(|format| format.bytes <= 2 && !format.is_typeless()) {
        names.push(format.name);
        for code in 0..1u32 << (8 * format.bytes) {
            let mut texel = code.to_le_bytes()[..format.bytes].to_vec();
            let components = format.decode(&texel).unwrap();
            for (at, (component, channel)) in components.into_iter().zip(format.channels).enumerate() {
                let integer = format.is_integer();
                let missing = if at < 3 {
                    0
                } else if integer {
                    1
                } else {
                    0x3f80_0000
                };
                let right = match channel {
                    Some(channel) => means(channel, code >> channel.shift & ((1 << channel.bits) - 1), component),
                    None => component == missing,
                };
                assert!(right, "{} {code:#x} component {at}: {component:#x}", format.name);
            }
            // And back: to the same code, or for a second -1 and NaNs to one that reads the same.
            format.encode(components, &mut texel).unwrap();
            let same = texel[..] == code.to_le_bytes()[..format.bytes];
            assert!(same || format.decode(&texel).unwrap() == components, "{} {code:#x}", format.name);
            let exact = format.channels.iter().flatten().all(|channel| !matches!(channel.kind, Kind::Snorm | Kind::Float));
            assert!(same || !exact, "{} {code:#x}", format.name);
        }
    }
    assert_eq!(names.len(), 19, "{names:?}");
}

/// The channels of up to 16 bits of longer formats, each code in each place.
#[test]
fn every_code_of_short_channels() {
    let mut channels = 0;
    for format in FORMATS.iter().filter(|format| format.bytes > 2 && !format.is_block() && !format.is_typeless()) {
        for (at, channel) in format.channels.iter().enumerate() {
            let Some(channel) = channel.filter(is_short) else { continue };
            channels += 1;
            for code in 0..1u32 << channel.bits {
                let texel = (u128::from(code) << channel.shift).to_le_bytes();
                let components = format.decode(&texel[..format.bytes]).unwrap();
                assert!(means(channel, code, components[at]), "{} {code:#x} component {at}", format.name);
            }
        }
    }
    assert!(channels >= 70, "{channels} channels");
}

/// Every kind and length of channel, with its format and place.
fn kinds() -> Vec<(&'static Format, usize, Channel)> {
    let mut found: Vec<(&Format, usize, Channel)> = Vec::new();
    for format in FORMATS.iter().filter(|format| !format.is_block() && !format.is_typeless()) {
        for (at, channel) in format.channels.iter().enumerate() {
            let Some(channel) = channel.filter(is_short) else { continue };
            if !found.iter().any(|(_, _, known)| (known.kind, known.bits) == (channel.kind, channel.bits)) {
                found.push((format, at, channel));
            }
        }
    }
    found
}

/// The code that a component becomes in a channel.
fn encoded(&(format, at, channel): &(&'static Format, usize, Channel), component: u32) -> u32 {
    let (mut components, mut texel) = ([0; 4], [0; 16]);
    components[at] = component;
    format.encode(components, &mut texel[..format.bytes]).unwrap();
    (u128::from_le_bytes(texel) >> channel.shift) as u32 & ((1 << channel.bits) - 1)
}

/// The greatest f32 below `numerator / denominator`, and the least one that is not.
fn around(numerator: i64, denominator: i64) -> [f32; 2] {
    let below = |f: f32| f64::from(f) * (denominator as f64) < numerator as f64;
    let mut f = (numerator as f64 / denominator as f64) as f32;
    while below(f) {
        f = f.next_up();
    }
    while !below(f.next_down()) {
        f = f.next_down();
    }
    [f.next_down(), f]
}

/// §3.2.3: scaled, half added with the sign, truncated. So a code begins at the midpoint before it, and a negative one just after it.
#[test]
fn every_step_of_normalized_codes() {
    let mut steps = 0;
    for kind in &kinds() {
        let channel = kind.2;
        // Codes from the least to the greatest, what they are scaled by, and the code of zero.
        let (least, most, scale, bias) = match channel.kind {
            Kind::Unorm => (0, (1 << channel.bits) - 1, (1 << channel.bits) - 1, 0),
            Kind::Snorm => (1 - (1 << (channel.bits - 1)), (1 << (channel.bits - 1)) - 1, (1 << (channel.bits - 1)) - 1, 0),
            Kind::XrBias => (-384, 1023 - 384, 510, 384),
            _ => continue,
        };
        let mask = (1u32 << channel.bits) - 1;
        for v in least..most {
            let [low, high] = around(2 * v + 1, 2 * scale);
            // A midpoint that is itself a float goes away from zero.
            let halfway = f64::from(high) * (2 * scale) as f64 == (2 * v + 1) as f64;
            let first = if halfway && v < 0 { high.next_up() } else { high };
            let codes = [encoded(kind, low.to_bits()), encoded(kind, first.to_bits())];
            let expected = [v, v + 1].map(|v| (v + bias) as u32 & mask);
            assert_eq!(codes, expected, "{:?} of {} bits: {v}", channel.kind, channel.bits);
            if halfway && v < 0 {
                assert_eq!(encoded(kind, high.to_bits()), expected[0]);
            }
            steps += 1;
        }
        let ends = [f32::NEG_INFINITY, -1e30, 1e30, f32::INFINITY].map(|f| encoded(kind, f.to_bits()));
        assert_eq!(ends, [least, least, most, most].map(|v| (v + bias) as u32 & mask));
        assert_eq!(encoded(kind, f32::NAN.to_bits()), if channel.kind == Kind::XrBias { encoded(kind, 0) } else { 0 });
    }
    assert!(steps > 130_000, "{steps}");
}

/// §3.2.2: toward zero, so a code ends where the next one's value begins; what is too large but finite is the greatest number.
#[test]
fn every_step_of_small_floats() {
    for kind in kinds().iter().filter(|kind| kind.2.kind == Kind::Float) {
        let fraction_bits = if kind.2.bits == 16 { 10 } else { i32::from(kind.2.bits) - 5 };
        let infinity = 31u32 << fraction_bits;
        for code in 0..infinity {
            let first = small_float(code, fraction_bits).unwrap() as f32;
            let last = small_float(code + 1, fraction_bits).map_or(f32::MAX, |next| (next as f32).next_down());
            assert_eq!([first, last].map(|f| encoded(kind, f.to_bits())), [code; 2], "{} bits", kind.2.bits);
            let negative = if kind.2.bits == 16 { code | 0x8000 } else { 0 };
            assert_eq!([-first, -last].map(|f| encoded(kind, f.to_bits())), [negative; 2], "{} bits", kind.2.bits);
        }
        assert_eq!(encoded(kind, f32::INFINITY.to_bits()), infinity);
        assert_eq!(encoded(kind, f32::NEG_INFINITY.to_bits()), if kind.2.bits == 16 { infinity | 0x8000 } else { 0 });
        assert!(encoded(kind, f32::NAN.to_bits()) & !0x8000 > infinity);
    }
}

/// Integers are clamped to what a channel holds.
#[test]
fn integers_at_the_ends() {
    for kind in &kinds() {
        let channel = kind.2;
        let all = (1u32 << channel.bits) - 1;
        match channel.kind {
            Kind::Uint => {
                for (given, expected) in [(0, 0), (all, all), (all + 1, all), (u32::MAX, all)] {
                    assert_eq!(encoded(kind, given), expected);
                }
            }
            Kind::Sint => {
                let most = (all >> 1) as i32;
                for (given, expected) in [
                    (most, most),
                    (most + 1, most),
                    (i32::MAX, most),
                    (-most - 1, -most - 1),
                    (-most - 2, -most - 1),
                    (i32::MIN, -most - 1),
                ] {
                    assert_eq!(encoded(kind, given as u32), expected as u32 & all);
                }
            }
            _ => {}
        }
    }
}
