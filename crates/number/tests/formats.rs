//! Texel formats: the table against the meaning of its names, conversions against exact arithmetic and rows from D3D11.3 §3.

use gpuproof_number::format::*;
use gpuproof_number::{float16, pack};

fn one(name: &str, texel: &[u8]) -> [u32; 4] {
    Format::from_name(name).unwrap().decode(texel).unwrap()
}

fn encoded(name: &str, components: [f32; 4]) -> Vec<u8> {
    let format = Format::from_name(name).unwrap();
    let mut texel = vec![0xaa; format.bytes];
    format.encode(components.map(f32::to_bits), &mut texel).unwrap();
    texel
}

#[test]
fn the_table_is_what_its_names_say() {
    // A DXGI name lists channels from the lowest bit up, each a letter and its bits, and then how they are read.
    for format in FORMATS.iter().filter(|format| !format.is_block()) {
        let mut shift = 0;
        let chars: Vec<char> = format.name.chars().collect();
        let mut i = 0;
        while i < chars.len() {
            let digits: String = chars[i + 1..].iter().take_while(|c| c.is_ascii_digit()).collect();
            let starts = i == 0 || chars[i - 1].is_ascii_digit() || chars[i - 1] == '_';
            if !digits.is_empty() && starts && chars[i].is_ascii_uppercase() {
                let bits: u8 = digits.parse().unwrap();
                let channel = match chars[i] {
                    'R' | 'D' => Some(0),
                    'G' | 'S' => Some(1),
                    'B' => Some(2),
                    'A' => Some(3),
                    'X' | 'E' => None,
                    other => panic!("{}: {other}", format.name),
                };
                if let Some(channel) = channel {
                    let channel = format.channels[channel].unwrap();
                    assert_eq!((channel.bits, channel.shift), (bits, shift), "{}", format.name);
                    let rest: String = chars[i..].iter().collect();
                    let kind = match channel.kind {
                        Kind::Typeless => "TYPELESS",
                        Kind::Unorm => "UNORM",
                        Kind::Srgb => "UNORM_SRGB",
                        Kind::Snorm => "SNORM",
                        Kind::Uint => "UINT",
                        Kind::Sint => "SINT",
                        Kind::Float => "FLOAT",
                        Kind::SharedExponent => "SHAREDEXP",
                        Kind::XrBias => "XR_BIAS",
                    };
                    assert!(rest.contains(kind), "{}: {kind}", format.name);
                }
                shift += bits;
            }
            i += 1;
        }
        assert_eq!(usize::from(shift), format.bytes * 8, "{}", format.name);
    }
    assert!(FORMATS.windows(2).all(|pair| pair[0].dxgi < pair[1].dxgi));
    // dxgiformat.h's numbers at the ends of its runs.
    for (number, name) in [
        (2, "R32G32B32A32_FLOAT"),
        (10, "R16G16B16A16_FLOAT"),
        (26, "R11G11B10_FLOAT"),
        (28, "R8G8B8A8_UNORM"),
        (45, "D24_UNORM_S8_UINT"),
        (61, "R8_UNORM"),
        (67, "R9G9B9E5_SHAREDEXP"),
        (68, "R8G8_B8G8_UNORM"),
        (70, "BC1_TYPELESS"),
        (84, "BC5_SNORM"),
        (85, "B5G6R5_UNORM"),
        (93, "B8G8R8X8_UNORM_SRGB"),
        (94, "BC6H_TYPELESS"),
        (99, "BC7_UNORM_SRGB"),
        (115, "B4G4R4A4_UNORM"),
    ] {
        assert_eq!(Format::from_dxgi(number).unwrap().name, name);
    }
    assert_eq!(Format::from_name("DXGI_FORMAT_R8_UINT").unwrap().dxgi, 62);
    assert_eq!(Format::from_wgsl("bgra8unorm").unwrap().dxgi, 87);
    assert!(Format::from_dxgi(100).is_none() && Format::from_dxgi(u32::MAX).is_none());
}

#[test]
fn wgsl_names_say_the_same_as_dxgi_names() {
    for format in FORMATS {
        let Some(wgsl) = format.wgsl else { continue };
        let kind = format.channels[0].unwrap().kind;
        let suffix = match kind {
            Kind::Unorm => "unorm",
            Kind::Snorm => "snorm",
            Kind::Uint => "uint",
            Kind::Sint => "sint",
            _ => "float",
        };
        assert!(wgsl.ends_with(suffix), "{wgsl}");
        let count = format.channels.iter().flatten().count();
        let letters = wgsl.chars().filter(|c| "rgba".contains(*c)).count();
        // "float" and "unorm" hold an 'a' or 'r' of their own.
        let own = suffix.chars().filter(|c| "rgba".contains(*c)).count();
        assert_eq!(letters - own, count, "{wgsl}");
    }
}

/// Families of dxgiformat.h: the typed forms of each typeless format.
#[test]
fn views_stay_in_a_family() {
    let views = |name: &str| {
        let of = Format::from_name(name).unwrap();
        FORMATS.iter().filter(|view| view.is_view_of(of) && !view.is_typeless()).map(|view| view.name).collect::<Vec<_>>()
    };
    assert_eq!(views("R8_TYPELESS"), ["R8_UNORM", "R8_UINT", "R8_SNORM", "R8_SINT"]);
    assert_eq!(views("R32_TYPELESS"), ["D32_FLOAT", "R32_FLOAT", "R32_UINT", "R32_SINT"]);
    assert_eq!(views("R24G8_TYPELESS"), ["D24_UNORM_S8_UINT", "R24_UNORM_X8_TYPELESS", "X24_TYPELESS_G8_UINT"]);
    assert_eq!(views("R10G10B10A2_TYPELESS"), ["R10G10B10A2_UNORM", "R10G10B10A2_UINT", "R10G10B10_XR_BIAS_A2_UNORM"]);
    assert_eq!(views("B8G8R8X8_TYPELESS"), ["B8G8R8X8_UNORM", "B8G8R8X8_UNORM_SRGB"]);
    assert_eq!(views("BC6H_TYPELESS"), ["BC6H_UF16", "BC6H_SF16"]);
    assert_eq!(views("BC1_UNORM_SRGB"), ["BC1_UNORM", "BC1_UNORM_SRGB"]);
    for alone in ["R11G11B10_FLOAT", "A8_UNORM", "B5G6R5_UNORM", "R9G9B9E5_SHAREDEXP", "R8G8_B8G8_UNORM"] {
        assert_eq!(views(alone), [alone]);
    }
    // Each typeless format is followed by its forms, and each typed one but those that are alone has one.
    for typeless in FORMATS.iter().filter(|format| format.is_typeless()) {
        assert!(views(typeless.name).len() >= 2, "{}", typeless.name);
    }
}

#[test]
fn missing_components_read_as_0_0_0_1() {
    assert_eq!(one("R8_UNORM", &[255]), [0x3f80_0000, 0, 0, 0x3f80_0000]);
    assert_eq!(one("R8_UINT", &[255]), [255, 0, 0, 1]);
    assert_eq!(one("A8_UNORM", &[255]), [0, 0, 0, 0x3f80_0000]);
    assert_eq!(one("B8G8R8X8_UNORM", &[0, 0, 255, 0]), [0x3f80_0000, 0, 0, 0x3f80_0000]);
    assert_eq!(one("X24_TYPELESS_G8_UINT", &[1, 2, 3, 4]), [0, 4, 0, 1]);
}

#[test]
fn wrong_texels_are_errors() {
    let format = Format::from_dxgi(28).unwrap();
    assert_eq!(format.decode(&[0; 3]), Err(FormatError::Length { expected: 4, found: 3 }));
    assert_eq!(format.encode([0; 4], &mut [0; 17]), Err(FormatError::Length { expected: 4, found: 17 }));
    let typeless = Format::from_dxgi(27).unwrap();
    assert_eq!(typeless.decode(&[0; 4]), Err(FormatError::Typeless { format: "R8G8B8A8_TYPELESS" }));
}

#[test]
fn every_code_survives_a_round_trip() {
    for format in FORMATS {
        if format.is_typeless() || format.is_block() {
            continue;
        }
        for pattern in 0..=u16::MAX {
            // Each channel takes all the values that 16 bits give it.
            let mut bits = 0u128;
            for channel in format.channels.iter().flatten() {
                let mask = u128::MAX >> (128 - channel.bits);
                bits |= (u128::from(pattern) & mask) << channel.shift;
            }
            let exponents = format.channels[0].is_some_and(|channel| channel.kind == Kind::SharedExponent);
            if exponents {
                // A full mantissa is the only form of its value; exponent 31 is not infinity here.
                bits |= 1 << 8 | u128::from(pattern >> 11) << 27;
            }
            let texel = &bits.to_le_bytes()[..format.bytes];
            let components = format.decode(texel).unwrap();
            let mut again = vec![0; format.bytes];
            format.encode(components, &mut again).unwrap();
            let second = format.decode(&again).unwrap();
            assert_eq!(components, second, "{} {texel:02x?} {again:02x?}", format.name);
            // NaNs become one, and the lowest SNORM code is a second -1; every other code comes back itself.
            let float = format.channels.iter().flatten().any(|channel| channel.kind == Kind::Float);
            let snorm = format.channels.iter().flatten().any(|channel| channel.kind == Kind::Snorm);
            if !float && !snorm {
                assert_eq!(texel, again, "{}", format.name);
            }
        }
    }
}

#[test]
fn unorm_is_the_nearest_of_the_quotient() {
    for bits in 1..=16 {
        let max = (1u32 << bits) - 1;
        for v in 0..=max {
            // Correct rounding by exact integers: |f * max - v| is at most half a unit of f, times max.
            let f = f64::from(f32::from_bits(unorm_to_f32(v, bits)));
            let [below, above] =
                [-1i32, 1].map(|step| f64::from(f32::from_bits(unorm_to_f32(v, bits).wrapping_add_signed(step))));
            let error = |f: f64| (f * f64::from(max) - f64::from(v)).abs();
            assert!(v == 0 || error(f) <= error(below) && error(f) <= error(above), "{v} of {bits}");
            assert_eq!(f32_to_unorm(unorm_to_f32(v, bits), bits), v);
        }
    }
}

#[test]
fn rounding_to_normalized_integers_is_exact() {
    // D3D11.3 §3.2.3. 0.5 / 255 is not a float: its neighbours fall on either side.
    let half = 0.5f32 / 255.0;
    let below = if f64::from(half) * 255.0 < 0.5 { half } else { f32::from_bits(half.to_bits() - 1) };
    assert_eq!(f32_to_unorm(below.to_bits(), 8), 0);
    assert_eq!(f32_to_unorm(below.to_bits() + 1, 8), 1);
    // 0.5 * 3 = 1.5 and 0.5 * 1 = 0.5 exactly: halves go up, negative ones down.
    assert_eq!(f32_to_unorm(0.5f32.to_bits(), 2), 2);
    assert_eq!(f32_to_unorm(0.5f32.to_bits(), 1), 1);
    assert_eq!(f32_to_snorm((-0.5f32).to_bits(), 8) as u8 as i8, -64);
    assert_eq!(f32_to_snorm(0.5f32.to_bits(), 8), 64);
    // WGSL packs the same value by floor(0.5 + e): -63.5 goes up.
    assert_eq!(pack::pack4x8_snorm([(-0.5f32).to_bits(), 0.5f32.to_bits(), 0, 0]), 0x0000_40c1);
    for (a, unorm, snorm) in [
        (f32::NAN, 0, 0),
        (-0.0, 0, 0),
        (2.0, 255, 127),
        (f32::INFINITY, 255, 127),
        (f32::NEG_INFINITY, 0, -127),
        (-1.0, 0, -127),
    ] {
        assert_eq!(f32_to_unorm(a.to_bits(), 8), unorm, "{a}");
        assert_eq!(f32_to_snorm(a.to_bits(), 8) as u8 as i8, snorm, "{a}");
    }
    assert_eq!(snorm_to_f32(0x80, 8), (-1f32).to_bits());
    assert_eq!(snorm_to_f32(0x81, 8), (-1f32).to_bits());
    assert_eq!(snorm_to_f32(1, 16), (1f32 / 32767.0).to_bits());
    assert_eq!(f32_to_unorm(float_just_below_one(), 24), 0xff_ffff - 1);
}

/// 1 - 2^-24: times 2^24 - 1 it is 2^24 - 2 + 2^-24.
fn float_just_below_one() -> u32 {
    0x3f7f_ffff
}

#[test]
fn srgb_follows_its_definition() {
    let linear = |v: u8| {
        let c = f64::from(v) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { core_math::pow((c + 0.055) / 1.055, 2.4) }
    };
    let code = |a: u32| {
        let c = f64::from(f32::from_bits(a));
        let s = if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * core_math::pow(c, 1.0 / 2.4) - 0.055 };
        (255.0 * s + 0.5).floor() as u8
    };
    for v in 0..=255 {
        assert_eq!(srgb_to_linear(v), (linear(v) as f32).to_bits(), "{v}");
        assert_eq!(linear_to_srgb(srgb_to_linear(v)), v);
    }
    for a in (0..0x3f80_0000).step_by(997) {
        assert_eq!(linear_to_srgb(a), code(a), "{a:#010x}");
    }
    // Around every step between two codes.
    for v in 0..255u8 {
        let (mut low, mut high) = (srgb_to_linear(v), srgb_to_linear(v + 1));
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if code(middle) > v { high = middle } else { low = middle }
        }
        assert_eq!((linear_to_srgb(low), linear_to_srgb(high)), (v, v + 1));
    }
    assert_eq!([f32::NAN, -1.0, -0.0].map(|a| linear_to_srgb(a.to_bits())), [0; 3]);
    assert_eq!([1.0, 2.0, f32::INFINITY].map(|a| linear_to_srgb(a.to_bits())), [255; 3]);
    // Alpha is linear.
    assert_eq!(encoded("R8G8B8A8_UNORM_SRGB", [0.5, 0.5, 0.5, 0.5]), [188, 188, 188, 128]);
}

#[test]
fn small_floats_round_toward_zero() {
    let inf = f32::INFINITY;
    // 11 bits: 1.0 is exponent 15, so 0x3c0; the largest is 65024, 0x7bf. 10 bits: 0x1e0; 64512, 0x3df.
    let pack = |r: u32, g: u32, b: u32| (r | g << 11 | b << 22).to_le_bytes().to_vec();
    for (rgb, texel) in [
        ([1.0, 1.0, 1.0], pack(0x3c0, 0x3c0, 0x1e0)),
        ([1e9, 65535.0, 65535.0], pack(0x7bf, 0x7bf, 0x3df)),
        ([inf, -inf, -1.0], pack(0x7c0, 0, 0)),
        ([-0.0, f32::NAN, f32::NAN], pack(0, 0x7e0, 0x3f0)),
        // 2^-20 is the least denormal of 11 bits, 2^-19 of 10.
        ([9.5e-7, 9.6e-7, 3.0e-6], pack(0, 1, 1)),
        ([1.999_999, 1.0, 1.999_999], pack(0x3ff, 0x3c0, 0x1ff)),
    ] {
        let [r, g, b] = rgb;
        assert_eq!(encoded("R11G11B10_FLOAT", [r, g, b, 0.0]), texel, "{rgb:?}");
    }
    let largest = one("R11G11B10_FLOAT", &pack(0x7bf, 1, 0x3df));
    assert_eq!(largest.map(f32::from_bits), [65024.0, 2f32.powi(-20), 64512.0, 1.0]);
    assert_eq!(encoded("R16_FLOAT", [65519.0, 0.0, 0.0, 0.0]), 0x7bffu16.to_le_bytes());
    assert_eq!(encoded("R16_FLOAT", [1.000_976_5, 0.0, 0.0, 0.0]), 0x3c00u16.to_le_bytes());
    assert_eq!(one("R16_FLOAT", &[0x01, 0x80])[0], float16::to_f32(0x8001));
    // 32 bits pass as they are.
    let nan = 0xff80_0001u32;
    assert_eq!(one("R32_FLOAT", &nan.to_le_bytes())[0], nan);
}

#[test]
fn shared_exponents() {
    // Mantissas are m * 2^(e - 24): 1.0 is 256 * 2^-8.
    let texel = |r: u32, g: u32, b: u32, e: u32| r | g << 9 | b << 18 | e << 27;
    let pack = |rgb: [f32; 3]| pack_rgb9e5(rgb.map(f32::to_bits));
    assert_eq!(pack([1.0, 0.5, 0.0]), texel(256, 128, 0, 16));
    assert_eq!(pack([65408.0, 1e9, f32::INFINITY]), texel(511, 511, 511, 31));
    assert_eq!(pack([f32::NAN, -1.0, f32::NEG_INFINITY]), 0);
    // 0.9995 * 512 rounds to 512, which needs the next exponent.
    assert_eq!(pack([0.9995, 0.25, 0.0]), texel(256, 64, 0, 16));
    // 2^-24 is the least; half of it goes up, less goes to 0.
    assert_eq!(pack([2f32.powi(-24), 2f32.powi(-25), 2.9e-8]), texel(1, 1, 0, 0));
    assert_eq!(unpack_rgb9e5(texel(511, 1, 0, 31)).map(f32::from_bits), [65408.0, 128.0, 0.0]);
    assert_eq!(unpack_rgb9e5(texel(1, 0, 0, 0)).map(f32::from_bits), [2f32.powi(-24), 0.0, 0.0]);
}

#[test]
fn integers_clamp_on_store() {
    let format = Format::from_name("R8G8B8A8_SINT").unwrap();
    let mut texel = [0; 4];
    format.encode([200, -200i32 as u32, -1i32 as u32, 127], &mut texel).unwrap();
    assert_eq!(texel, [127, 0x80, 0xff, 127]);
    let format = Format::from_name("R10G10B10A2_UINT").unwrap();
    format.encode([2000, 5, 1023, 9], &mut texel).unwrap();
    assert_eq!(u32::from_le_bytes(texel), 1023 | 5 << 10 | 1023 << 20 | 3 << 30);
}

#[test]
fn biased_format() {
    // 2.8 fixed point with a bias of 384: 0x180 is 0, 510 above it is 1.
    let texel = 0x180u32 | 0x37e << 10 | 3 << 30;
    assert_eq!(one("R10G10B10_XR_BIAS_A2_UNORM", &texel.to_le_bytes()).map(f32::from_bits), [0.0, 1.0, -384.0 / 510.0, 1.0]);
    assert_eq!(encoded("R10G10B10_XR_BIAS_A2_UNORM", [0.0, 1.0, -9.0, 1.0]), texel.to_le_bytes());
}

#[test]
fn wgsl_packing() {
    let f = |x: f32| x.to_bits();
    assert_eq!(pack::pack4x8_unorm([f(0.0), f(1.0), f(0.5), f(f32::NAN)]), 0x0080_ff00);
    assert_eq!(pack::pack4x8_snorm([f(-1.0), f(-2.0), f(1.0), f(f32::NAN)]), 0x817f_8181);
    assert_eq!(pack::pack2x16_snorm([f(1.0), f(-1.0)]), 0x8001_7fff);
    assert_eq!(pack::pack2x16_unorm([f(0.5), f(9.0)]), 0xffff_8000);
    assert_eq!(pack::pack2x16_float([f(1.0), f(65520.0)]), 0x7c00_3c00);
    assert_eq!(pack::pack4x8_low([0x101, 0xfff, 3, u32::MAX]), 0xff03_ff01);
    assert_eq!(pack::pack4x8_clamp_signed([1000, -1000i32 as u32, 5, 0]), 0x0005_807f);
    assert_eq!(pack::pack4x8_clamp_unsigned([1000, u32::MAX, 5, 0]), 0x0005_ffff);
    assert_eq!(pack::unpack4x8_snorm(0x8180_007f), [f(1.0), 0, f(-1.0), f(-1.0)]);
    assert_eq!(pack::unpack4x8_unorm(0x3300_00ff), [f(1.0), 0, 0, f(0.2)]);
    assert_eq!(pack::unpack2x16_snorm(0x8000_7fff), [f(1.0), f(-1.0)]);
    assert_eq!(pack::unpack2x16_unorm(0xffff_0000), [0, f(1.0)]);
    assert_eq!(pack::unpack2x16_float(0xc000_0001), [f(2f32.powi(-24)), f(-2.0)]);
    assert_eq!(pack::unpack4x8_signed(0xff80_017f), [127, 1, -128i32 as u32, u32::MAX]);
    assert_eq!(pack::unpack4x8_unsigned(0xff80_017f), [127, 1, 128, 255]);
}
