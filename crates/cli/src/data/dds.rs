//! DDS textures, with their mips, layers, faces and depth.

use crate::failure::Failure;
use ddsfile::{Caps2, D3D10ResourceDimension, Dds, MiscFlag};
use gpuproof_number::format::Format;
use gpuproof_program::{Dimension, TexelFormat};
use gpuproof_run::Texture;

/// Reads a texture in one of the uncompressed formats.
pub fn parse(file: &str, bytes: &[u8]) -> Result<Texture, Failure> {
    let fail = |error: &dyn std::fmt::Display| Failure::bad(format!("{file}: not a DDS that can be used: {error}"));
    let dds = Dds::read(bytes).map_err(|error| fail(&error))?;
    let dxgi = dds.get_dxgi_format().map(|format| format as u32).or_else(|| legacy_format(&dds));
    let dxgi = dxgi.ok_or_else(|| fail(&"its pixel format has no DXGI number"))?;
    let format = Format::from_dxgi(dxgi).ok_or_else(|| {
        Failure::unsupported(format!("{file}: the format DXGI {dxgi} is not supported yet (uncompressed formats are)"))
    })?;
    let (width, height) = (dds.get_width(), dds.get_height());
    let (cube, dimension) = match &dds.header10 {
        Some(header) => (
            header.misc_flag.contains(MiscFlag::TEXTURECUBE),
            match header.resource_dimension {
                D3D10ResourceDimension::Texture1D => Dimension::D1,
                D3D10ResourceDimension::Texture3D => Dimension::D3,
                _ => Dimension::D2,
            },
        ),
        None if dds.header.caps2.contains(Caps2::VOLUME) => (false, Dimension::D3),
        None => (dds.header.caps2.contains(Caps2::CUBEMAP), Dimension::D2),
    };
    let depth = if dimension == Dimension::D3 { dds.get_depth() } else { 1 };
    let elements = dds.header10.as_ref().map_or(1, |header| header.array_size).max(1);
    let layers = elements.checked_mul(if cube { 6 } else { 1 }).ok_or_else(|| fail(&"too many layers"))?;
    let mips = dds.get_num_mipmap_levels().clamp(1, 15);
    let mut texture = Texture {
        dimension: if cube { Dimension::Cube } else { dimension },
        arrayed: elements > 1,
        format: TexelFormat(dxgi),
        size: [width, height, depth],
        layers,
        samples: 1,
        min_lod: 0.0,
        levels: vec![Vec::new(); mips as usize],
    };
    // A file holds layers one after another, each with all its levels; a texture holds levels, each with all its layers.
    let mut rest = dds.data.as_slice();
    for _ in 0..layers {
        for level in 0..mips {
            let size = texture.level_size(level).map(|n| n as usize);
            let length = size.iter().try_fold(format.bytes, |product, n| product.checked_mul(*n));
            let taken = length.and_then(|length| rest.split_at_checked(length));
            let Some((texels, more)) = taken else {
                return Err(fail(&format!("{} bytes of texels, fewer than its header calls for", dds.data.len())));
            };
            texture.levels[level as usize].extend_from_slice(texels);
            rest = more;
        }
    }
    Ok(texture)
}

/// Formats of headers without a DXGI number, as masks of 32-bit pixels: R8G8B8A8 and B8G8R8A8.
fn legacy_format(dds: &Dds) -> Option<u32> {
    let format = &dds.header.spf;
    match (format.rgb_bit_count, format.r_bit_mask, format.a_bit_mask) {
        (Some(32), Some(0x0000_00ff), _) => Some(28),
        (Some(32), Some(0x00ff_0000), Some(0xff00_0000)) => Some(87),
        (Some(32), Some(0x00ff_0000), _) => Some(88),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file by the DDS programming guide: magic, DDS_HEADER of 124 bytes with a DX10 pixel format, DDS_HEADER_DXT10, texels.
    fn file(size: [u32; 2], mips: u32, dxgi: u32, layers: u32, cube: bool, texels: &[u8]) -> Vec<u8> {
        let mut words = vec![124, 0x0002_1007, size[1], size[0], 0, 1, mips];
        words.extend([0; 11]);
        words.extend([32, 0x4, u32::from_le_bytes(*b"DX10"), 0, 0, 0, 0, 0]);
        words.extend([0x0040_1008, 0, 0, 0, 0]);
        words.extend([dxgi, 3, if cube { 4 } else { 0 }, layers, 0]);
        let mut bytes = b"DDS ".to_vec();
        bytes.extend(words.into_iter().flat_map(u32::to_le_bytes));
        bytes.extend_from_slice(texels);
        bytes
    }

    /// A file has the levels of a layer together; a texture has the layers of a level together.
    #[test]
    fn layers_of_a_level_come_together() {
        // Two layers of R8_UNORM, 2x1 with a second level of one texel.
        let texture = parse("a.dds", &file([2, 1], 2, 61, 2, false, &[1, 2, 3, 4, 5, 6])).expect("a texture");
        assert_eq!((texture.dimension, texture.arrayed, texture.layers), (Dimension::D2, true, 2));
        assert_eq!(texture.levels, vec![vec![1, 2, 4, 5], vec![3, 6]]);
        let cube = parse("a.dds", &file([1, 1], 1, 61, 1, true, &[1, 2, 3, 4, 5, 6])).expect("a cube");
        assert_eq!((cube.dimension, cube.arrayed, cube.layers), (Dimension::Cube, false, 6));
    }

    #[test]
    fn short_and_unknown_files_are_errors_of_their_own() {
        let short = parse("a.dds", &file([4, 4], 1, 61, 1, false, &[0; 15])).expect_err("too short");
        assert!(short.message.contains("fewer than its header calls for"), "{short}");
        // BC1_UNORM
        let compressed = parse("a.dds", &file([4, 4], 1, 71, 1, false, &[0; 8])).expect_err("compressed");
        assert_eq!(compressed.status, crate::failure::Status::Unsupported);
        let whole = file([2, 1], 1, 61, 1, false, &[1, 2]);
        for length in 0..whole.len() {
            assert!(parse("a.dds", &whole[..length]).is_err(), "{length} bytes");
        }
    }
}
