//! Blocks of texels: BC6H and BC7 against an H200, the others against their formulas and blocks worked out by hand.

use gpuproof_number::format::*;

const ONE: u32 = 0x3f80_0000;

/// splitmix64's step.
fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ x >> 31
}

/// A random block of the format that stands at `place` in `blocks.cu`.
fn random(place: u64, number: u64) -> [u8; 16] {
    let words = [0, 1].map(|word| u128::from(mix(place << 32 | (2 * number + word))));
    (words[0] | words[1] << 64).to_le_bytes()
}

fn decoded(name: &str, block: &[u8]) -> [[u32; 4]; BLOCK_TEXELS] {
    let format = Format::from_name(name).unwrap();
    format.decode_block(&block[..format.bytes]).unwrap()
}

/// The sum of mix(index << 32 | pattern) over all components of 4,096 blocks.
fn fingerprint(name: &str, block: impl Fn(u64) -> [u8; 16]) -> u64 {
    let words = (0..4096).flat_map(|number| decoded(name, &block(number))).flatten();
    words.zip(0u64..).fold(0, |sum, (word, index)| sum.wrapping_add(mix(index << 32 | u64::from(word))))
}

/// The texture units of an NVIDIA H200 give these very words (`tests/data/blocks.cu`): the specification asks for bit-exact results, also for reserved modes.
#[test]
fn bc6h_and_bc7_are_what_hardware_gives() {
    // Every mode of 5 bits; a mode of BC7 is its number of low zero bits, and the ninth is reserved.
    let half = |place| {
        move |number| {
            let mut block = random(place, number);
            block[0] = block[0] & !31 | (number % 32) as u8;
            block
        }
    };
    let bc7 = |number| {
        let mut block = random(9, number);
        let mode = number % 9;
        block[0] = if mode == 8 { 0 } else { block[0] & !((2u32 << mode) - 1) as u8 | 1 << mode };
        block
    };
    assert_eq!(fingerprint("BC6H_UF16", half(7)), 0xcf2f_8a54_47eb_8de1);
    assert_eq!(fingerprint("BC6H_SF16", half(8)), 0x94ca_36e8_974b_1c5e);
    assert_eq!(fingerprint("BC7_UNORM", bc7), 0xa340_c88a_1892_ff7f);
}

/// §19.5.13.3 and §19.5.14.4.8: a reserved mode gives zeros, of BC6H with alpha 1.
#[test]
fn reserved_modes_are_black() {
    assert_eq!(decoded("BC7_UNORM", &[&[0; 1][..], &[0xff; 15]].concat()), [[0; 4]; 16]);
    for mode in [0b10011, 0b10111, 0b11011, 0b11111] {
        for name in ["BC6H_UF16", "BC6H_SF16"] {
            assert_eq!(decoded(name, &[&[mode | 0xe0][..], &[0xff; 15]].concat()), [[0, 0, 0, ONE]; 16]);
        }
    }
}

/// Mode 6 of BC7: one pair of endpoints of 7 bits and a bit each, indices of 4 bits.
#[test]
fn a_block_of_bc7_by_hand() {
    // Endpoints: red 0 and 127, green 127 and 0, blue 64 and 64, alpha 127 and 127, low bits 0 and 1.
    let fields = [(0, 7), (127, 7), (127, 7), (0, 7), (64, 7), (64, 7), (127, 7), (127, 7), (0, 1), (1, 1)];
    let (mut bits, mut at) = (1u128 << 6, 7);
    for (value, width) in fields {
        bits |= value << at;
        at += width;
    }
    // Index 0 of texel 0 has three bits; texel 1 has 15, texel 2 has 5 (weight 21).
    bits |= 15 << (at + 3) | 5 << (at + 7);
    let texels = decoded("BC7_UNORM", &bits.to_le_bytes());
    let codes = |r: u32, g: u32, b: u32, a: u32| [r, g, b, a].map(|code| unorm_to_f32(code, 8));
    assert_eq!(texels[0], codes(0, 254, 128, 254));
    assert_eq!(texels[1], codes(255, 1, 129, 255));
    // (43 * 0 + 21 * 255 + 32) / 64 and so on, each down.
    assert_eq!(texels[2], codes(84, 171, 128, 254));
    assert_eq!(texels[3], texels[0]);
    let srgb = decoded("BC7_UNORM_SRGB", &bits.to_le_bytes());
    assert_eq!(srgb[2], [srgb_to_linear(84), srgb_to_linear(171), srgb_to_linear(128), unorm_to_f32(254, 8)]);
}

/// `numerator / denominator`: the quotient of such small integers is no midpoint of f32, so rounding it twice does no harm.
fn ratio(numerator: i32, denominator: i32) -> u32 {
    ((f64::from(numerator) / f64::from(denominator)) as f32).to_bits()
}

/// §19.5.6 for red, green and blue in turn, with endpoints promoted by §19.5.3.
fn reference_colours(block: &[u8], three: bool) -> [[u32; 4]; 16] {
    let word = |at: usize| i32::from(u16::from_le_bytes([block[at], block[at + 1]]));
    let (first, second) = (word(0), word(2));
    let promoted = |end: i32| {
        let (r, g, b) = (end / 2048, end / 32 % 64, end % 32);
        [r * 8 + r / 4, g * 4 + g / 16, b * 8 + b / 4]
    };
    let (p, q) = (promoted(first), promoted(second));
    std::array::from_fn(|texel| {
        let code = block[4 + texel / 4] >> (texel % 4 * 2) & 3;
        let channel = |at: usize| match (code, first > second || !three) {
            (0, _) => ratio(p[at], 255),
            (1, _) => ratio(q[at], 255),
            (2, true) => ratio(2 * p[at] + q[at], 3 * 255),
            (2, false) => ratio(p[at] + q[at], 2 * 255),
            (_, true) => ratio(p[at] + 2 * q[at], 3 * 255),
            (_, false) => 0,
        };
        let alpha = if three && first <= second && code == 3 { 0 } else { ONE };
        [channel(0), channel(1), channel(2), alpha]
    })
}

/// §19.5.9 and §19.5.10.
fn reference_component(block: &[u8], signed: bool) -> [u32; 16] {
    let codes = [block[0], block[1]].map(|code| if signed { i32::from(code as i8) } else { i32::from(code) });
    let [a, b] = codes.map(|code| if code == -128 { -127 } else { code });
    let most = if signed { 127 } else { 255 };
    let least = if signed { -1f32 } else { 0.0 };
    let eight = [(1, 0, 1), (0, 1, 1), (6, 1, 7), (5, 2, 7), (4, 3, 7), (3, 4, 7), (2, 5, 7), (1, 6, 7)];
    let six = [(1, 0, 1), (0, 1, 1), (4, 1, 5), (3, 2, 5), (2, 3, 5), (1, 4, 5)];
    std::array::from_fn(|texel| {
        let bits = (2..8).rev().fold(0u64, |bits, at| bits << 8 | u64::from(block[at]));
        let code = (bits >> (3 * texel)) as usize & 7;
        let table = if codes[0] > codes[1] { &eight[..] } else { &six[..] };
        match table.get(code) {
            Some((of_a, of_b, parts)) => ratio(of_a * a + of_b * b, parts * most),
            None if code == 6 => least.to_bits(),
            None => ONE,
        }
    })
}

#[test]
fn bc1_to_bc5_follow_their_formulas() {
    for number in 0..4096 {
        let mut block = random(0, number);
        // Endpoints in either order, equal ones, and both codes for -1.
        match number % 8 {
            0 => block.copy_within(0..2, 2),
            1 => block[1] = block[0],
            2 => (block[0], block[8]) = (0x80, 0x81),
            3 => (block[0], block[1], block[8], block[9]) = (0x81, 0x80, 0x80, 0x81),
            _ => {}
        }
        let (low, high) = (&block[..8], &block[8..]);
        assert_eq!(decoded("BC1_UNORM", low), reference_colours(low, true));
        let with = |alpha: [u32; 16]| {
            let mut texels = reference_colours(high, false);
            texels.iter_mut().zip(alpha).for_each(|(texel, alpha)| texel[3] = alpha);
            texels
        };
        let four_bits = std::array::from_fn(|texel| ratio(i32::from(low[texel / 2] >> (texel % 2 * 4) & 15), 15));
        assert_eq!(decoded("BC2_UNORM", &block), with(four_bits));
        assert_eq!(decoded("BC3_UNORM", &block), with(reference_component(low, false)));
        for (signed, one, two) in [(false, "BC4_UNORM", "BC5_UNORM"), (true, "BC4_SNORM", "BC5_SNORM")] {
            let (red, green) = (reference_component(low, signed), reference_component(high, signed));
            assert_eq!(decoded(one, low), red.map(|red| [red, 0, 0, ONE]));
            assert_eq!(decoded(two, &block), std::array::from_fn(|at| [red[at], green[at], 0, ONE]));
        }
    }
}

/// A palette entry of an sRGB format is a code first: of (2 * 255 + 0) / 3 = 170, (255 + 2 * 0) / 3 = 85, and (8 + 0) / 2 = 4; and alpha is linear.
#[test]
fn srgb_blocks_round_to_codes() {
    // Red 31 against 0 in all three channels, codes 0 to 3.
    let four = [0xff, 0xff, 0, 0, 0b1110_0100, 0, 0, 0];
    let texels = decoded("BC1_UNORM_SRGB", &four);
    for (texel, code) in texels.into_iter().zip([255, 0, 170, 85]) {
        assert_eq!(texel, [srgb_to_linear(code), srgb_to_linear(code), srgb_to_linear(code), ONE]);
    }
    // Blue 0 and 1 (promoted 8), three colours: 4; red 1 and 4 of 31 (8 and 33): 20.5 goes up.
    let three = [1 << 5, 8, 1, 33, 0b1110_0100, 0, 0, 0];
    let texels = decoded("BC1_UNORM_SRGB", &three);
    let (first, second) = (0x0820u32, 0x2101u32);
    assert_eq!((first >> 11, second >> 11, first & 31, second & 31), (1, 4, 0, 1));
    assert_eq!([texels[2][0], texels[2][2], texels[2][3]], [srgb_to_linear(21), srgb_to_linear(4), ONE]);
    assert_eq!(texels[3], [0; 4]);
    let alpha = decoded("BC3_UNORM_SRGB", &[&[255, 0, 2, 0, 0, 0, 0, 0][..], &four].concat());
    assert_eq!(alpha[0][3], ratio(6, 7));
}

/// §19.4: two texels share red and blue.
#[test]
fn sub_sampled_pairs() {
    let pair = |name, bytes: [u8; 4]| decoded(name, &bytes)[..2].to_vec();
    let texel = |r: u32, g: u32, b: u32| [unorm_to_f32(r, 8), unorm_to_f32(g, 8), unorm_to_f32(b, 8), ONE];
    let expected = vec![texel(10, 20, 30), texel(10, 40, 30)];
    assert_eq!(pair("R8G8_B8G8_UNORM", [10, 20, 30, 40]), expected);
    assert_eq!(pair("G8R8_G8B8_UNORM", [20, 10, 40, 30]), expected);
}

#[test]
fn sizes_and_errors() {
    let format = |name: &str| Format::from_name(name).unwrap();
    for (name, block, bytes) in [
        ("R8G8B8A8_UNORM", [1, 1], 4),
        ("G8R8_G8B8_UNORM", [2, 1], 4),
        ("BC1_UNORM", [4, 4], 8),
        ("BC4_SNORM", [4, 4], 8),
        ("BC2_TYPELESS", [4, 4], 16),
        ("BC6H_SF16", [4, 4], 16),
    ] {
        assert_eq!((format(name).block(), format(name).bytes), (block, bytes), "{name}");
    }
    // 10 by 6 texels are 3 by 2 blocks; a level of one texel is a whole one.
    assert_eq!(format("BC1_UNORM").bytes_of([10, 6, 3]), Some(3 * 2 * 8 * 3));
    assert_eq!(format("BC7_UNORM").bytes_of([1, 1, 1]), Some(16));
    assert_eq!(format("R8G8_B8G8_UNORM").bytes_of([3, 5, 1]), Some(2 * 5 * 4));
    assert_eq!(format("R8_UNORM").bytes_of([3, 5, 2]), Some(30));
    assert_eq!(format("R32G32B32A32_UINT").bytes_of([u32::MAX; 3]), None);
    let bc1 = format("BC1_UNORM");
    assert_eq!(bc1.decode_block(&[0; 7]), Err(FormatError::Length { expected: 8, found: 7 }));
    assert_eq!(bc1.decode(&[0; 8]), Err(FormatError::Block { format: "BC1_UNORM" }));
    assert_eq!(bc1.encode([0; 4], &mut [0; 8]), Err(FormatError::Block { format: "BC1_UNORM" }));
    assert_eq!(format("BC7_TYPELESS").decode_block(&[0; 16]), Err(FormatError::Typeless { format: "BC7_TYPELESS" }));
    assert!(format("BC7_TYPELESS").is_typeless() && !bc1.is_typeless() && bc1.is_block());
    assert_eq!(format("R8_UINT").decode_block(&[7]), Ok([[7, 0, 0, 1]; 16]));
}
