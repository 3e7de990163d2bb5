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
        Some(format) if format.bytes == 4 * unit => format.dxgi,
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
        levels: vec![texels],
    })
}
