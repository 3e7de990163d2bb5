//! DDS textures, with their mips, layers, faces and depth (Microsoft's programming guide for DDS; its table of Direct3D 9 formats for headers
//! without a DXGI number).

use crate::failure::Failure;
use gpuproof_number::format::{FORMATS, Format, Unlisted};
use gpuproof_program::{Dimension, TexelFormat};
use gpuproof_run::Texture;

/// Words of the magic number and the header.
const HEADER: usize = 32;
/// Words of the header behind it that has a DXGI number.
const EXTENDED: usize = 5;

/// The words of both headers.
struct Header<'a> {
    words: Vec<u32>,
    texels: &'a [u8],
}

// Places of words, the magic number first.
const HEIGHT: usize = 3;
const WIDTH: usize = 4;
const DEPTH: usize = 6;
const MIPS: usize = 7;
const PIXEL_FLAGS: usize = 20;
const FOUR_CC: usize = 21;
const BITS: usize = 22;
const MASKS: usize = 23;
const CAPS2: usize = 28;
const DXGI: usize = 32;
// The resource's dimension, miscellaneous flags and array size.
const RESOURCE_DIMENSION: usize = 33;
const ARRAY_SIZE: usize = 35;

const HAS_FOUR_CC: u32 = 0x4;
const CUBE: u32 = 0x200;
const ALL_FACES: u32 = 0xfc00;
const VOLUME: u32 = 0x20_0000;
const MISC_CUBE: u32 = 0x4;

fn four_cc(text: &[u8; 4]) -> u32 {
    u32::from_le_bytes(*text)
}

/// The DXGI numbers of four-character codes and of D3DFORMAT numbers in their place.
const CODES: [(&[u8; 4], u32); 21] = [
    (b"DXT1", 71),
    (b"DXT2", 74),
    (b"DXT3", 74),
    (b"DXT4", 77),
    (b"DXT5", 77),
    (b"ATI1", 80),
    (b"BC4U", 80),
    (b"BC4S", 81),
    (b"ATI2", 83),
    (b"BC5U", 83),
    (b"BC5S", 84),
    (b"RGBG", 68),
    (b"GRGB", 69),
    (b"\x24\0\0\0", 11),
    (b"\x6e\0\0\0", 13),
    (b"\x6f\0\0\0", 54),
    (b"\x70\0\0\0", 34),
    (b"\x71\0\0\0", 10),
    (b"\x72\0\0\0", 41),
    (b"\x73\0\0\0", 16),
    (b"\x74\0\0\0", 2),
];

/// Kinds of pixels that have masks.
const ALPHA_ONLY: u32 = 0x2;
const RGB: u32 = 0x40;
const LUMINANCE: u32 = 0x2_0000;
const BUMP: u32 = 0x8_0000;

/// The DXGI numbers of pixels with masks: their kind, bits, and masks of red, green, blue and alpha.
const MASKED: [(u32, u32, [u32; 4], u32); 17] = [
    (RGB, 32, [0xff, 0xff00, 0xff_0000, 0xff00_0000], 28),
    (RGB, 32, [0xff_0000, 0xff00, 0xff, 0xff00_0000], 87),
    (RGB, 32, [0xff_0000, 0xff00, 0xff, 0], 88),
    (RGB, 32, [0x3ff, 0xf_fc00, 0x3ff0_0000, 0xc000_0000], 24),
    (RGB, 32, [0xffff, 0xffff_0000, 0, 0], 35),
    (RGB, 32, [0xffff_ffff, 0, 0, 0], 41),
    (RGB, 16, [0xf800, 0x7e0, 0x1f, 0], 85),
    (RGB, 16, [0x7c00, 0x3e0, 0x1f, 0x8000], 86),
    (RGB, 16, [0xf00, 0xf0, 0xf, 0xf000], 115),
    (LUMINANCE, 8, [0xff, 0, 0, 0], 61),
    (LUMINANCE, 16, [0xffff, 0, 0, 0], 56),
    (LUMINANCE, 16, [0xff, 0, 0, 0xff00], 49),
    (ALPHA_ONLY, 8, [0, 0, 0, 0xff], 65),
    (BUMP, 16, [0xff, 0xff00, 0, 0], 51),
    (BUMP, 32, [0xff, 0xff00, 0xff_0000, 0xff00_0000], 31),
    (BUMP, 32, [0xffff, 0xffff_0000, 0, 0], 37),
    (RGB, 8, [0xff, 0, 0, 0], 61),
];

impl<'a> Header<'a> {
    fn read(bytes: &'a [u8]) -> Result<Header<'a>, String> {
        let words = |count: usize| -> Result<Vec<u32>, String> {
            let bytes = bytes
                .get(..4 * count)
                .ok_or_else(|| format!("{} bytes, of which the header alone takes {}", bytes.len(), 4 * count))?;
            Ok(bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect())
        };
        let mut header = words(HEADER)?;
        if header[0] != four_cc(b"DDS ") || header[1] != 124 || header[PIXEL_FLAGS - 1] != 32 {
            return Err("its first words are not those of a header".into());
        }
        if header[PIXEL_FLAGS] & HAS_FOUR_CC != 0 && header[FOUR_CC] == four_cc(b"DX10") {
            header = words(HEADER + EXTENDED)?;
        }
        let texels = bytes.get(4 * header.len()..).unwrap_or_default();
        Ok(Header { words: header, texels })
    }

    fn format(&self) -> Option<u32> {
        let [flags, code, bits] = [PIXEL_FLAGS, FOUR_CC, BITS].map(|at| self.words[at]);
        if let Some(dxgi) = self.words.get(DXGI) {
            return Some(*dxgi);
        }
        if flags & HAS_FOUR_CC != 0 {
            return CODES.iter().find(|(text, _)| four_cc(text) == code).map(|(_, dxgi)| *dxgi);
        }
        let kind = flags & (ALPHA_ONLY | RGB | LUMINANCE | BUMP);
        // Masks that the flags don't call for may hold anything.
        let mut masks: [u32; 4] = std::array::from_fn(|at| self.words[MASKS + at]);
        if flags & 0x3 == 0 && kind != BUMP {
            masks[3] = 0;
        }
        MASKED.iter().find(|row| (row.0, row.1, row.2) == (kind, bits, masks)).map(|row| row.3)
    }

    /// The shape: dimension, whether it is a cube, and elements of an array.
    fn shape(&self) -> Result<(Dimension, bool, u32), String> {
        let caps = self.words[CAPS2];
        let Some(&[kind, misc, elements]) = self.words.get(RESOURCE_DIMENSION..ARRAY_SIZE + 1) else {
            return match (caps & VOLUME != 0, caps & CUBE != 0, caps & ALL_FACES == ALL_FACES) {
                (true, ..) => Ok((Dimension::D3, false, 1)),
                (_, true, false) => Err("a cube without all its faces".into()),
                (_, cube, _) => Ok((Dimension::D2, cube, 1)),
            };
        };
        let elements = elements.max(1);
        match kind {
            2 => Ok((Dimension::D1, false, elements)),
            3 => Ok((Dimension::D2, misc & MISC_CUBE != 0, elements)),
            4 if elements == 1 => Ok((Dimension::D3, false, 1)),
            4 => Err(format!("an array of {elements} volumes")),
            other => Err(format!("a resource of dimension {other}, expected 2, 3 or 4 for 1D, 2D or 3D")),
        }
    }
}

/// Reads a texture, as a view of the given format if there is one.
pub fn parse(file: &str, bytes: &[u8], view: Option<&'static Format>) -> Result<Texture, Failure> {
    let fail = |error: &dyn std::fmt::Display| Failure::bad(format!("{file}: not a DDS that can be used: {error}"));
    let header = Header::read(bytes).map_err(|error| fail(&error))?;
    let dxgi = header.format().ok_or_else(|| fail(&"its pixel format has no DXGI number"))?;
    let format = Format::from_dxgi(dxgi).ok_or_else(|| match Unlisted::from_dxgi(dxgi) {
        Some(known) => Failure::unsupported(format!("{file}: {known}")),
        None => Failure::unsupported(format!("{file}: the format DXGI {dxgi} is not supported")),
    })?;
    let view = view_of(file, format, view)?;
    let (dimension, cube, elements) = header.shape().map_err(|error| fail(&error))?;
    let size = [
        header.words[WIDTH],
        if dimension == Dimension::D1 { 1 } else { header.words[HEIGHT] },
        if dimension == Dimension::D3 { header.words[DEPTH] } else { 1 },
    ];
    let layers = elements.checked_mul(if cube { 6 } else { 1 }).ok_or_else(|| fail(&"too many layers"))?;
    let mips = header.words[MIPS].max(1);
    let most = u32::BITS - size.iter().fold(0, |bits, n| bits | n).leading_zeros();
    if mips > most || size.contains(&0) {
        return Err(fail(&format!("{mips} mip levels of {} x {} x {} texels", size[0], size[1], size[2])));
    }
    let mut texture = Texture {
        dimension: if cube { Dimension::Cube } else { dimension },
        arrayed: elements > 1,
        format: TexelFormat(view.dxgi),
        size,
        layers,
        samples: 1,
        min_lod: 0.0,
        unmapped: false,
        levels: vec![Vec::new(); mips as usize],
    };
    // A file holds layers one after another, each with all its levels; a texture holds levels, each with all its layers.
    let mut rest = header.texels;
    for _ in 0..layers {
        for level in 0..mips {
            let length = format.bytes_of(texture.level_size(level)).and_then(|bytes| usize::try_from(bytes).ok());
            let taken = length.filter(|length| *length > 0).and_then(|length| rest.split_at_checked(length));
            let Some((texels, more)) = taken else {
                return Err(fail(&format!("{} bytes of texels, fewer than its header calls for", header.texels.len())));
            };
            texture.levels[level as usize].extend_from_slice(texels);
            rest = more;
        }
    }
    Ok(texture)
}

/// The format that a file's texels are viewed in.
fn view_of(file: &str, format: &'static Format, view: Option<&'static Format>) -> Result<&'static Format, Failure> {
    let view = view.unwrap_or(format);
    if !view.is_view_of(format) {
        return Err(Failure::bad(format!("{file}: its format {} cannot be viewed as {}", format.name, view.name)));
    }
    if view.is_typeless() {
        let views: Vec<&str> =
            FORMATS.iter().filter(|view| view.is_view_of(format) && !view.is_typeless()).map(|view| view.name).collect();
        return Err(Failure::bad(format!(
            "{file}: its format {} has no values before a view gives it a type; write the view's format behind the file, as in {file}:{} (there are {})",
            format.name,
            views.first().unwrap_or(&""),
            views.join(", ")
        )));
    }
    Ok(view)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file by the programming guide: magic number, DDS_HEADER of 124 bytes with a DX10 pixel format, DDS_HEADER_DXT10, texels.
    fn file(size: [u32; 2], mips: u32, dxgi: u32, layers: u32, cube: bool, texels: &[u8]) -> Vec<u8> {
        let mut words = vec![124, 0x0002_1007, size[1], size[0], 0, 1, mips];
        words.extend([0; 11]);
        words.extend([32, 0x4, u32::from_le_bytes(*b"DX10"), 0, 0, 0, 0, 0]);
        words.extend([0x0040_1008, 0, 0, 0, 0]);
        words.extend([dxgi, 3, if cube { 4 } else { 0 }, layers, 0]);
        bytes(&words, texels)
    }

    fn bytes(words: &[u32], texels: &[u8]) -> Vec<u8> {
        let mut bytes = b"DDS ".to_vec();
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend_from_slice(texels);
        bytes
    }

    /// A file of Direct3D 9 of one texel or block: pixel flags, code, bits, masks; depth and second capabilities.
    fn legacy(pixels: [u32; 7], (depth, caps2): (u32, u32), texels: &[u8]) -> Vec<u8> {
        let mut words = vec![124, 0x1007, 1, 1, 0, depth, 0];
        words.extend([0; 11]);
        words.push(32);
        words.extend(pixels);
        words.extend([0x1000, caps2, 0, 0, 0]);
        bytes(&words, texels)
    }

    fn parsed(bytes: &[u8]) -> Result<Texture, Failure> {
        parse("a.dds", bytes, None)
    }

    /// A file has the levels of a layer together; a texture has the layers of a level together.
    #[test]
    fn layers_of_a_level_come_together() {
        // Two layers of R8_UNORM, 2x1 with a second level of one texel.
        let texture = parsed(&file([2, 1], 2, 61, 2, false, &[1, 2, 3, 4, 5, 6])).expect("a texture");
        assert_eq!((texture.dimension, texture.arrayed, texture.layers), (Dimension::D2, true, 2));
        assert_eq!(texture.levels, vec![vec![1, 2, 4, 5], vec![3, 6]]);
        let cube = parsed(&file([1, 1], 1, 61, 1, true, &[1, 2, 3, 4, 5, 6])).expect("a cube");
        assert_eq!((cube.dimension, cube.arrayed, cube.layers), (Dimension::Cube, false, 6));
        let cubes = parsed(&file([1, 1], 1, 61, 2, true, &[0; 12])).expect("cubes");
        assert_eq!((cubes.dimension, cubes.arrayed, cubes.layers), (Dimension::Cube, true, 12));
    }

    /// Levels of blocks end with whole ones: 5x3 texels are two, the levels below are one each.
    #[test]
    fn blocks_are_whole() {
        let texels: Vec<u8> = (0..16 + 8 + 8).collect();
        let texture = parsed(&file([5, 3], 3, 71, 1, false, &texels)).expect("a texture");
        assert_eq!((texture.format, texture.size), (TexelFormat(71), [5, 3, 1]));
        assert_eq!(texture.levels, vec![texels[..16].to_vec(), texels[16..24].to_vec(), texels[24..].to_vec()]);
        assert!(parsed(&file([5, 3], 3, 71, 1, false, &texels[1..])).is_err());
    }

    /// Every format of the table is read, by its bytes of one texel or block.
    #[test]
    fn every_format_is_read() {
        for format in FORMATS {
            let texels: Vec<u8> = (0..format.bytes as u8).collect();
            let result = parsed(&file([1, 1], 1, format.dxgi, 1, false, &texels));
            if format.is_typeless() {
                let failure = result.expect_err("no values");
                assert!(failure.message.contains("has no values before a view gives it a type"), "{failure}");
            } else {
                let texture = result.expect(format.name);
                assert_eq!((texture.format.0, texture.levels), (format.dxgi, vec![texels]));
            }
        }
    }

    #[test]
    fn views_give_a_type() {
        let view = |dxgi, name: &str| parse("a.dds", &file([1, 1], 1, dxgi, 1, false, &[0; 16]), Format::from_name(name));
        // BC3_TYPELESS, R24G8_TYPELESS, R8G8B8A8_UNORM.
        assert_eq!(view(76, "BC3_UNORM_SRGB").expect("a view").format, TexelFormat(78));
        assert_eq!(view(44, "X24_TYPELESS_G8_UINT").expect("a view").format, TexelFormat(47));
        assert_eq!(view(28, "R8G8B8A8_UNORM_SRGB").expect("a view").format, TexelFormat(29));
        let misfit = view(76, "BC2_UNORM").expect_err("another family");
        assert_eq!(misfit.message, "a.dds: its format BC3_TYPELESS cannot be viewed as BC2_UNORM");
        let typeless = parsed(&file([1, 1], 1, 82, 1, false, &[0; 16])).expect_err("no type");
        assert!(typeless.message.ends_with("as in a.dds:BC5_UNORM (there are BC5_UNORM, BC5_SNORM)"), "{typeless}");
    }

    /// Rows of Microsoft's table of Direct3D 9 formats.
    #[test]
    fn files_of_direct3d_9() {
        let code = |text: &[u8; 4]| [0x4, u32::from_le_bytes(*text), 0, 0, 0, 0, 0];
        let masks = |flags, bits, [r, g, b, a]: [u32; 4]| [flags, 0, bits, r, g, b, a];
        for (pixels, expected) in [
            (code(b"DXT1"), "BC1_UNORM"),
            (code(b"DXT3"), "BC2_UNORM"),
            (code(b"DXT5"), "BC3_UNORM"),
            (code(b"BC5S"), "BC5_SNORM"),
            ([0x4, 113, 0, 0, 0, 0, 0], "R16G16B16A16_FLOAT"),
            (masks(0x41, 32, [0xff_0000, 0xff00, 0xff, 0xff00_0000]), "B8G8R8A8_UNORM"),
            (masks(0x40, 32, [0xff_0000, 0xff00, 0xff, 0xdead]), "B8G8R8X8_UNORM"),
            (masks(0x40, 16, [0xf800, 0x7e0, 0x1f, 0]), "B5G6R5_UNORM"),
            (masks(0x41, 16, [0x7c00, 0x3e0, 0x1f, 0x8000]), "B5G5R5A1_UNORM"),
            (masks(0x2_0000, 8, [0xff, 0, 0, 0]), "R8_UNORM"),
            (masks(0x2, 8, [0, 0, 0, 0xff]), "A8_UNORM"),
            (masks(0x8_0000, 16, [0xff, 0xff00, 0, 0]), "R8G8_SNORM"),
        ] {
            let texture = parsed(&legacy(pixels, (0, 0), &[0; 16])).expect(expected);
            assert_eq!(Format::from_dxgi(texture.format.0).map(|format| format.name), Some(expected));
        }
        // 24 bits a pixel have no DXGI format, nor has red first without alpha.
        for masked in [masks(0x40, 24, [0xff_0000, 0xff00, 0xff, 0]), masks(0x40, 32, [0xff, 0xff00, 0xff_0000, 0])] {
            let failure = parsed(&legacy(masked, (0, 0), &[0; 16])).expect_err("no number");
            assert!(failure.message.contains("no DXGI number"), "{failure}");
        }
        let gray = masks(0x2_0000, 8, [0xff, 0, 0, 0]);
        let volume = parsed(&legacy(gray, (3, 0x20_0000), &[1, 2, 3])).expect("a volume");
        assert_eq!((volume.dimension, volume.size, volume.levels), (Dimension::D3, [1, 1, 3], vec![vec![1, 2, 3]]));
        let cube = parsed(&legacy(gray, (0, 0xfe00), &[0; 6])).expect("a cube");
        assert_eq!((cube.dimension, cube.layers), (Dimension::Cube, 6));
        let part = parsed(&legacy(gray, (0, 0x0600), &[0; 6])).expect_err("one face");
        assert!(part.message.ends_with("a cube without all its faces"), "{part}");
    }

    #[test]
    fn short_and_unknown_files_are_errors_of_their_own() {
        let short = parsed(&file([4, 4], 1, 61, 1, false, &[0; 15])).expect_err("too short");
        assert!(short.message.contains("fewer than its header calls for"), "{short}");
        // NV12
        let video = parsed(&file([4, 4], 1, 103, 1, false, &[0; 24])).expect_err("planes");
        assert_eq!(video.status, crate::failure::Status::Unsupported);
        let whole = file([2, 1], 1, 61, 1, false, &[1, 2]);
        for length in 0..whole.len() {
            assert!(parsed(&whole[..length]).is_err(), "{length} bytes");
        }
        // A level too many, no texels, and more than there is memory for.
        for (size, mips, layers) in [([2, 1], 3, 1), ([0, 1], 1, 1), ([u32::MAX; 2], 1, 1), ([1, 1], 1, u32::MAX)] {
            assert!(parsed(&file(size, mips, 61, layers, false, &[0; 64])).is_err(), "{size:?} {mips} {layers}");
        }
    }
}
