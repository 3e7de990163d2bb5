//! PNG pictures as 2D textures of one level.

use crate::failure::Failure;
use gpuproof_number::format::Format;
use gpuproof_program::{Dimension, TexelFormat};
use gpuproof_run::Texture;
use png::{BitDepth, ColorType, Transformations};

/// Pictures wider or higher than this are refused (D3D11's largest 2D texture).
const MAX_SIDE: u32 = 16384;

/// Reads a picture as R8G8B8A8_UNORM, or R16G16B16A16_UNORM when it has 16 bits a channel; a format of the same size may be given.
pub fn parse(file: &str, bytes: &[u8], format: Option<&Format>) -> Result<Texture, Failure> {
    let fail = |error: &dyn std::fmt::Display| Failure::bad(format!("{file}: not a PNG that can be used: {error}"));
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(Transformations::EXPAND | Transformations::ALPHA);
    let mut reader = decoder.read_info().map_err(|error| fail(&error))?;
    let (width, height) = (reader.info().width, reader.info().height);
    if width > MAX_SIDE || height > MAX_SIDE {
        return Err(fail(&format!("{width} x {height}, expected at most {MAX_SIDE} a side")));
    }
    let size = reader.output_buffer_size().ok_or_else(|| fail(&"it is too large"))?;
    let mut data = vec![0; size];
    let frame = reader.next_frame(&mut data).map_err(|error| fail(&error))?;
    data.truncate(frame.buffer_size());
    let wide = frame.bit_depth == BitDepth::Sixteen;
    let unit = if wide { 2 } else { 1 };
    let mut texels: Vec<u8> = match frame.color_type {
        ColorType::Rgba => data,
        ColorType::GrayscaleAlpha => data
            .chunks_exact(2 * unit)
            .flat_map(|texel| {
                let (gray, alpha) = texel.split_at(unit);
                [gray, gray, gray, alpha].concat()
            })
            .collect(),
        other => return Err(fail(&format!("{other:?} after expansion"))),
    };
    if wide {
        // PNG is big-endian.
        texels.chunks_exact_mut(2).for_each(<[u8]>::reverse);
    }
    // R16G16B16A16_UNORM and R8G8B8A8_UNORM.
    let dxgi = match format {
        Some(format) if format.bytes == 4 * unit && !format.is_block() => format.dxgi,
        Some(format) => return Err(fail(&format!("{} has {} bytes a texel, expected {}", format.name, format.bytes, 4 * unit))),
        None if wide => 11,
        None => 28,
    };
    Ok(Texture {
        dimension: Dimension::D2,
        arrayed: false,
        format: TexelFormat(dxgi),
        size: [width, height, 1],
        layers: 1,
        samples: 1,
        min_lod: 0.0,
        unmapped: false,
        levels: vec![texels],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(color: ColorType, depth: BitDepth, data: &[u8]) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, 2, 1);
        encoder.set_color(color);
        encoder.set_depth(depth);
        let mut writer = encoder.write_header().expect("a header");
        writer.write_image_data(data).expect("texels");
        writer.finish().expect("an end");
        file
    }

    /// Missing channels are grey and opaque (PNG, third edition, 4.4), and 16-bit channels are big-endian in the file.
    #[test]
    fn channels_are_filled_up_to_four() {
        let gray = parse("a.png", &encoded(ColorType::Grayscale, BitDepth::Eight, &[10, 200]), None).expect("a texture");
        assert_eq!((gray.format, gray.size), (TexelFormat(28), [2, 1, 1]));
        assert_eq!(gray.levels, vec![vec![10, 10, 10, 255, 200, 200, 200, 255]]);
        let rgb = parse("a.png", &encoded(ColorType::Rgb, BitDepth::Eight, &[1, 2, 3, 4, 5, 6]), None).expect("a texture");
        assert_eq!(rgb.levels, vec![vec![1, 2, 3, 255, 4, 5, 6, 255]]);
        let wide = parse("a.png", &encoded(ColorType::Grayscale, BitDepth::Sixteen, &[1, 2, 3, 4]), None).expect("a texture");
        assert_eq!(wide.format, TexelFormat(11));
        assert_eq!(wide.levels, vec![vec![2, 1, 2, 1, 2, 1, 255, 255, 4, 3, 4, 3, 4, 3, 255, 255]]);
    }

    #[test]
    fn what_is_no_picture_is_an_error_that_names_the_file() {
        let failure = parse("a.png", b"not a picture", None).expect_err("no picture");
        assert!(failure.message.starts_with("a.png: not a PNG that can be used"), "{failure}");
        let whole = encoded(ColorType::Rgb, BitDepth::Eight, &[1, 2, 3, 4, 5, 6]);
        for length in 0..whole.len() - 12 {
            assert!(parse("a.png", &whole[..length], None).is_err(), "{length} bytes");
        }
        let format = Format::from_name("R32_FLOAT").expect("a format");
        let misfit = parse("a.png", &encoded(ColorType::Rgba, BitDepth::Sixteen, &[0; 16]), Some(format)).expect_err("a misfit");
        assert!(misfit.message.contains("R32_FLOAT has 4 bytes a texel, expected 8"), "{misfit}");
    }
}
