//! The container's digest: MD5's rounds over the file from offset 20, padded in another way.

/// The constants of MD5's 64 steps (RFC 1321, 3.4: the whole part of 2^32 |sin(i + 1)|).
#[rustfmt::skip]
const SINES: [u32; 64] = [
    0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a, 0xa830_4613, 0xfd46_9501,
    0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be, 0x6b90_1122, 0xfd98_7193, 0xa679_438e, 0x49b4_0821,
    0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d, 0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8,
    0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed, 0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a,
    0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c, 0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70,
    0x289b_7ec6, 0xeaa1_27fa, 0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665,
    0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
    0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1, 0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb, 0xeb86_d391,
];

/// How far each step rotates: four a round, taken in turn (RFC 1321, 3.4).
const ROTATIONS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// One MD5 block (RFC 1321, 3.4).
fn block(state: &mut [u32; 4], bytes: &[u8; 64]) {
    let mut words = [0u32; 16];
    for (word, chunk) in words.iter_mut().zip(bytes.chunks_exact(4)) {
        *word = u32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]);
    }
    let [mut a, mut b, mut c, mut d] = *state;
    for (i, sine) in SINES.iter().enumerate() {
        let (mix, word) = match i / 16 {
            0 => ((b & c) | (!b & d), i),
            1 => ((b & d) | (c & !d), 5 * i + 1),
            2 => (b ^ c ^ d, 3 * i + 5),
            _ => (c ^ (b | !d), 7 * i),
        };
        let sum = a.wrapping_add(mix).wrapping_add(words[word % 16]).wrapping_add(*sine);
        a = d;
        d = c;
        c = b;
        b = b.wrapping_add(sum.rotate_left(ROTATIONS[i / 16][i % 4]));
    }
    for (s, v) in state.iter_mut().zip([a, b, c, d]) {
        *s = s.wrapping_add(v);
    }
}

/// The digest of a container file: of its bytes from offset 20 on (an empty rest where there are fewer).
///
/// For n bytes the two numbers A = 8n and B = 2n | 1 enter the padding: when fewer than 56 bytes are left after the
/// whole blocks, the last block is A, those bytes, 0x80, zeros, B; otherwise there are two, the bytes, 0x80, zeros,
/// and then A, zeros, B.
pub fn digest(file: &[u8]) -> [u8; 16] {
    let hashed = file.get(20..).unwrap_or(&[]);
    let mut state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    let (blocks, tail) = hashed.as_chunks::<64>();
    for whole in blocks {
        block(&mut state, whole);
    }
    // The format keeps both numbers modulo 2^32.
    let bits = (hashed.len() as u32).wrapping_mul(8).to_le_bytes();
    let end = ((hashed.len() as u32).wrapping_mul(2) | 1).to_le_bytes();
    let mut last = [0u8; 64];
    if tail.len() < 56 {
        last[..4].copy_from_slice(&bits);
        last[4..4 + tail.len()].copy_from_slice(tail);
        last[4 + tail.len()] = 0x80;
    } else {
        last[..tail.len()].copy_from_slice(tail);
        last[tail.len()] = 0x80;
        block(&mut state, &last);
        last = [0; 64];
        last[..4].copy_from_slice(&bits);
    }
    last[60..].copy_from_slice(&end);
    block(&mut state, &last);
    let mut out = [0; 16];
    for (bytes, word) in out.chunks_exact_mut(4).zip(state) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 1321, A.5: MD5("abc") and MD5(""), padded as that document says.
    #[test]
    fn the_block_function_is_md5s() {
        for (text, expected) in [
            (&b"abc"[..], [0x9850_0190, 0xb04f_d23c, 0x7d3f_96d6, 0x727f_e128]),
            (&b""[..], [0xd98c_1dd4, 0x04b2_008f, 0x9809_80e9, 0x7e42_f8ec]),
        ] {
            let mut padded = [0u8; 64];
            padded[..text.len()].copy_from_slice(text);
            padded[text.len()] = 0x80;
            padded[56] = 8 * text.len() as u8;
            let mut state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
            block(&mut state, &padded);
            assert_eq!(state, expected);
        }
    }
}
