//! NumPy arrays.

use crate::failure::Failure;
use gpuproof_number::format::Format;
use gpuproof_program::{Dimension, TexelFormat, TextureShape};
use gpuproof_run::Texture;
use npyz::{DType, NpyFile, Order};

/// An array of 32-bit words, in row-major order.
pub struct Array {
    /// Its shape.
    pub shape: Vec<usize>,
    /// Its elements: floats, or integers of at most 32 bits, as words.
    pub words: Vec<u32>,
    /// Whether elements are floats.
    float: bool,
}

/// Reads an array of f2, f4, f8 (rounded to f4), or integers of up to 32 bits.
pub fn parse(file: &str, bytes: &[u8]) -> Result<Array, Failure> {
    let fail = |error: &dyn std::fmt::Display| Failure::bad(format!("{file}: not a NumPy array that can be used: {error}"));
    let npy = NpyFile::new(bytes).map_err(|error| fail(&error))?;
    if npy.order() == Order::Fortran && npy.shape().len() > 1 {
        return Err(fail(&"its order is Fortran's, expected C's (use numpy.ascontiguousarray)"));
    }
    let shape: Vec<usize> = npy.shape().iter().map(|n| *n as usize).collect();
    let dtype = npy.dtype();
    let DType::Plain(kind) = &dtype else { return Err(fail(&"a structured type")) };
    let name = kind.to_string();
    let kind = name.trim_start_matches(['<', '>', '=', '|', '\'']).trim_end_matches('\'').to_string();
    macro_rules! read {
        ($type:ty, $word:expr) => {{
            let values: Vec<$type> = npy.into_vec().map_err(|error| fail(&error))?;
            values.into_iter().map($word).collect()
        }};
    }
    let words: Vec<u32> = match kind.as_str() {
        "f4" => read!(f32, f32::to_bits),
        "f8" => read!(f64, |value| (value as f32).to_bits()),
        "u1" => read!(u8, u32::from),
        "u2" => read!(u16, u32::from),
        "u4" => read!(u32, |value| value),
        "i1" => read!(i8, |value| i32::from(value) as u32),
        "i2" => read!(i16, |value| i32::from(value) as u32),
        "i4" => read!(i32, |value| value as u32),
        "b1" => read!(bool, u32::from),
        other => return Err(fail(&format!("elements of type {other}, expected f4, f8 or integers of up to 32 bits"))),
    };
    Ok(Array { shape, words, float: kind.starts_with('f') })
}

impl Array {
    /// The elements as little-endian words.
    pub fn bytes(&self) -> Vec<u8> {
        self.words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// The array as a texture of 32-bit components: its last axis are components (1 to 4), before it layers or depth, y, x, and samples of a multisampled one.
    pub fn texture(&self, file: &str, format: Option<&Format>, shape: TextureShape) -> Result<Texture, Failure> {
        if format.is_some() {
            return Err(Failure::bad(format!(
                "{file}: an array gives a texture of 32-bit components, so no format can be given"
            )));
        }
        let (dimension, layered) = (shape.dimension, shape.arrayed || shape.dimension == Dimension::Cube);
        let axes = match dimension {
            Dimension::Buffer | Dimension::D1 => 1,
            Dimension::D2 | Dimension::Cube => 2,
            Dimension::D3 => 3,
        } + usize::from(layered);
        let texels = axes;
        let axes = axes + usize::from(shape.multisampled);
        let components = self.shape.get(axes).copied().unwrap_or(0);
        // DXGI_FORMAT numbers of 1, 2, 3 and 4 components of 32 bits, as floats and as unsigned integers.
        let formats = if self.float { [41, 16, 6, 2] } else { [42, 17, 7, 3] };
        let format = components.checked_sub(1).and_then(|at| formats.get(at));
        let (Some(format), true) = (format, self.shape.len() == axes + 1 && !self.words.is_empty()) else {
            return Err(Failure::bad(format!(
                "{file}: an array of shape {:?}, expected {axes} axes of texels and one of 1 to 4 components",
                self.shape
            )));
        };
        let sizes: Vec<u32> = self.shape[usize::from(layered)..texels].iter().rev().map(|n| *n as u32).collect();
        let size = [0, 1, 2].map(|at| sizes.get(at).copied().unwrap_or(1));
        let layers = if layered { self.shape[0] as u32 } else { 1 };
        if dimension == Dimension::Cube && layers % 6 != 0 {
            return Err(Failure::bad(format!("{file}: {layers} layers, expected six for each cube")));
        }
        Ok(Texture {
            dimension,
            arrayed: shape.arrayed,
            format: TexelFormat(*format),
            size,
            layers,
            samples: if shape.multisampled { self.shape[texels] as u32 } else { 1 },
            min_lod: 0.0,
            unmapped: false,
            levels: vec![self.bytes()],
        })
    }
}
