//! The table of formats, in the order of their DXGI numbers.

use super::Kind::{self, Float, SharedExponent, Sint, Snorm, Srgb, Typeless, Uint, Unorm, XrBias};
use super::block::Coding::{self, Bc1, Bc2, Bc3, Bc4, Bc5, Bc6h, Bc7, SubSampled, Texel};
use super::{Channel, Format};

/// Components and, as `X`, bits that belong to none.
const R: usize = 0;
const G: usize = 1;
const B: usize = 2;
const A: usize = 3;
const X: usize = 4;

/// Fields from the lowest bit up: component, bits, kind.
const fn mixed(dxgi: u32, name: &'static str, fields: &[(usize, u8, Kind)], wgsl: Option<&'static str>) -> Format {
    let mut channels = [None; 4];
    let mut shift = 0;
    let mut i = 0;
    while i < fields.len() {
        let (component, bits, kind) = fields[i];
        if component != X {
            channels[component] = Some(Channel { kind, bits, shift });
        }
        shift += bits;
        i += 1;
    }
    Format { name, dxgi, bytes: shift as usize / 8, channels, coding: Texel, wgsl }
}

/// Fields of one kind; sRGB and biased formats have a plain normalized alpha.
const fn plain<const N: usize>(
    dxgi: u32,
    name: &'static str,
    kind: Kind,
    fields: [(usize, u8); N],
    wgsl: Option<&'static str>,
) -> Format {
    let mut all = [(X, 0, kind); N];
    let mut i = 0;
    while i < N {
        let (component, bits) = fields[i];
        let kind = if component == A && matches!(kind, Srgb | XrBias) { Unorm } else { kind };
        all[i] = (component, bits, kind);
        i += 1;
    }
    mixed(dxgi, name, &all, wgsl)
}

/// A format of blocks, of which decoded channels are worth so many bits; alpha of an sRGB one is plain.
const fn blocks(dxgi: u32, name: &'static str, coding: Coding, kind: Kind, (channels, bits): (usize, u8)) -> Format {
    let mut all = [None; 4];
    let mut i = 0;
    while i < channels {
        let kind = if i == A && matches!(kind, Srgb) { Unorm } else { kind };
        all[i] = Some(Channel { kind, bits, shift: 0 });
        i += 1;
    }
    Format { name, dxgi, bytes: coding.bytes(), channels: all, coding, wgsl: None }
}

const RGBA32: [(usize, u8); 4] = [(R, 32), (G, 32), (B, 32), (A, 32)];
const RGB32: [(usize, u8); 3] = [(R, 32), (G, 32), (B, 32)];
const RGBA16: [(usize, u8); 4] = [(R, 16), (G, 16), (B, 16), (A, 16)];
const RG32: [(usize, u8); 2] = [(R, 32), (G, 32)];
const RGB10A2: [(usize, u8); 4] = [(R, 10), (G, 10), (B, 10), (A, 2)];
const RGBA8: [(usize, u8); 4] = [(R, 8), (G, 8), (B, 8), (A, 8)];
const RG16: [(usize, u8); 2] = [(R, 16), (G, 16)];
const R32: [(usize, u8); 1] = [(R, 32)];
const RG8: [(usize, u8); 2] = [(R, 8), (G, 8)];
const R16: [(usize, u8); 1] = [(R, 16)];
const R8: [(usize, u8); 1] = [(R, 8)];
const BGRA8: [(usize, u8); 4] = [(B, 8), (G, 8), (R, 8), (A, 8)];
const BGRX8: [(usize, u8); 4] = [(B, 8), (G, 8), (R, 8), (X, 8)];

/// Every DXGI format that a texture or typed buffer of Direct3D 11 has texels in.
pub static FORMATS: &[Format] = &[
    plain(1, "R32G32B32A32_TYPELESS", Typeless, RGBA32, None),
    plain(2, "R32G32B32A32_FLOAT", Float, RGBA32, Some("rgba32float")),
    plain(3, "R32G32B32A32_UINT", Uint, RGBA32, Some("rgba32uint")),
    plain(4, "R32G32B32A32_SINT", Sint, RGBA32, Some("rgba32sint")),
    plain(5, "R32G32B32_TYPELESS", Typeless, RGB32, None),
    plain(6, "R32G32B32_FLOAT", Float, RGB32, None),
    plain(7, "R32G32B32_UINT", Uint, RGB32, None),
    plain(8, "R32G32B32_SINT", Sint, RGB32, None),
    plain(9, "R16G16B16A16_TYPELESS", Typeless, RGBA16, None),
    plain(10, "R16G16B16A16_FLOAT", Float, RGBA16, Some("rgba16float")),
    plain(11, "R16G16B16A16_UNORM", Unorm, RGBA16, Some("rgba16unorm")),
    plain(12, "R16G16B16A16_UINT", Uint, RGBA16, Some("rgba16uint")),
    plain(13, "R16G16B16A16_SNORM", Snorm, RGBA16, Some("rgba16snorm")),
    plain(14, "R16G16B16A16_SINT", Sint, RGBA16, Some("rgba16sint")),
    plain(15, "R32G32_TYPELESS", Typeless, RG32, None),
    plain(16, "R32G32_FLOAT", Float, RG32, Some("rg32float")),
    plain(17, "R32G32_UINT", Uint, RG32, Some("rg32uint")),
    plain(18, "R32G32_SINT", Sint, RG32, Some("rg32sint")),
    plain(19, "R32G8X24_TYPELESS", Typeless, [(R, 32), (G, 8), (X, 24)], None),
    mixed(20, "D32_FLOAT_S8X24_UINT", &[(R, 32, Float), (G, 8, Uint), (X, 24, Typeless)], None),
    plain(21, "R32_FLOAT_X8X24_TYPELESS", Float, [(R, 32), (X, 32)], None),
    plain(22, "X32_TYPELESS_G8X24_UINT", Uint, [(X, 32), (G, 8), (X, 24)], None),
    plain(23, "R10G10B10A2_TYPELESS", Typeless, RGB10A2, None),
    plain(24, "R10G10B10A2_UNORM", Unorm, RGB10A2, Some("rgb10a2unorm")),
    plain(25, "R10G10B10A2_UINT", Uint, RGB10A2, Some("rgb10a2uint")),
    plain(26, "R11G11B10_FLOAT", Float, [(R, 11), (G, 11), (B, 10)], Some("rg11b10ufloat")),
    plain(27, "R8G8B8A8_TYPELESS", Typeless, RGBA8, None),
    plain(28, "R8G8B8A8_UNORM", Unorm, RGBA8, Some("rgba8unorm")),
    plain(29, "R8G8B8A8_UNORM_SRGB", Srgb, RGBA8, None),
    plain(30, "R8G8B8A8_UINT", Uint, RGBA8, Some("rgba8uint")),
    plain(31, "R8G8B8A8_SNORM", Snorm, RGBA8, Some("rgba8snorm")),
    plain(32, "R8G8B8A8_SINT", Sint, RGBA8, Some("rgba8sint")),
    plain(33, "R16G16_TYPELESS", Typeless, RG16, None),
    plain(34, "R16G16_FLOAT", Float, RG16, Some("rg16float")),
    plain(35, "R16G16_UNORM", Unorm, RG16, Some("rg16unorm")),
    plain(36, "R16G16_UINT", Uint, RG16, Some("rg16uint")),
    plain(37, "R16G16_SNORM", Snorm, RG16, Some("rg16snorm")),
    plain(38, "R16G16_SINT", Sint, RG16, Some("rg16sint")),
    plain(39, "R32_TYPELESS", Typeless, R32, None),
    plain(40, "D32_FLOAT", Float, R32, None),
    plain(41, "R32_FLOAT", Float, R32, Some("r32float")),
    plain(42, "R32_UINT", Uint, R32, Some("r32uint")),
    plain(43, "R32_SINT", Sint, R32, Some("r32sint")),
    plain(44, "R24G8_TYPELESS", Typeless, [(R, 24), (G, 8)], None),
    mixed(45, "D24_UNORM_S8_UINT", &[(R, 24, Unorm), (G, 8, Uint)], None),
    plain(46, "R24_UNORM_X8_TYPELESS", Unorm, [(R, 24), (X, 8)], None),
    plain(47, "X24_TYPELESS_G8_UINT", Uint, [(X, 24), (G, 8)], None),
    plain(48, "R8G8_TYPELESS", Typeless, RG8, None),
    plain(49, "R8G8_UNORM", Unorm, RG8, Some("rg8unorm")),
    plain(50, "R8G8_UINT", Uint, RG8, Some("rg8uint")),
    plain(51, "R8G8_SNORM", Snorm, RG8, Some("rg8snorm")),
    plain(52, "R8G8_SINT", Sint, RG8, Some("rg8sint")),
    plain(53, "R16_TYPELESS", Typeless, R16, None),
    plain(54, "R16_FLOAT", Float, R16, Some("r16float")),
    plain(55, "D16_UNORM", Unorm, R16, None),
    plain(56, "R16_UNORM", Unorm, R16, Some("r16unorm")),
    plain(57, "R16_UINT", Uint, R16, Some("r16uint")),
    plain(58, "R16_SNORM", Snorm, R16, Some("r16snorm")),
    plain(59, "R16_SINT", Sint, R16, Some("r16sint")),
    plain(60, "R8_TYPELESS", Typeless, R8, None),
    plain(61, "R8_UNORM", Unorm, R8, Some("r8unorm")),
    plain(62, "R8_UINT", Uint, R8, Some("r8uint")),
    plain(63, "R8_SNORM", Snorm, R8, Some("r8snorm")),
    plain(64, "R8_SINT", Sint, R8, Some("r8sint")),
    plain(65, "A8_UNORM", Unorm, [(A, 8)], None),
    plain(67, "R9G9B9E5_SHAREDEXP", SharedExponent, [(R, 9), (G, 9), (B, 9), (X, 5)], None),
    blocks(68, "R8G8_B8G8_UNORM", SubSampled { green_first: false }, Unorm, (3, 8)),
    blocks(69, "G8R8_G8B8_UNORM", SubSampled { green_first: true }, Unorm, (3, 8)),
    blocks(70, "BC1_TYPELESS", Bc1, Typeless, (4, 8)),
    blocks(71, "BC1_UNORM", Bc1, Unorm, (4, 8)),
    blocks(72, "BC1_UNORM_SRGB", Bc1, Srgb, (4, 8)),
    blocks(73, "BC2_TYPELESS", Bc2, Typeless, (4, 8)),
    blocks(74, "BC2_UNORM", Bc2, Unorm, (4, 8)),
    blocks(75, "BC2_UNORM_SRGB", Bc2, Srgb, (4, 8)),
    blocks(76, "BC3_TYPELESS", Bc3, Typeless, (4, 8)),
    blocks(77, "BC3_UNORM", Bc3, Unorm, (4, 8)),
    blocks(78, "BC3_UNORM_SRGB", Bc3, Srgb, (4, 8)),
    blocks(79, "BC4_TYPELESS", Bc4, Typeless, (1, 16)),
    blocks(80, "BC4_UNORM", Bc4, Unorm, (1, 16)),
    blocks(81, "BC4_SNORM", Bc4, Snorm, (1, 16)),
    blocks(82, "BC5_TYPELESS", Bc5, Typeless, (2, 16)),
    blocks(83, "BC5_UNORM", Bc5, Unorm, (2, 16)),
    blocks(84, "BC5_SNORM", Bc5, Snorm, (2, 16)),
    plain(85, "B5G6R5_UNORM", Unorm, [(B, 5), (G, 6), (R, 5)], None),
    plain(86, "B5G5R5A1_UNORM", Unorm, [(B, 5), (G, 5), (R, 5), (A, 1)], None),
    plain(87, "B8G8R8A8_UNORM", Unorm, BGRA8, Some("bgra8unorm")),
    plain(88, "B8G8R8X8_UNORM", Unorm, BGRX8, None),
    plain(89, "R10G10B10_XR_BIAS_A2_UNORM", XrBias, RGB10A2, None),
    plain(90, "B8G8R8A8_TYPELESS", Typeless, BGRA8, None),
    plain(91, "B8G8R8A8_UNORM_SRGB", Srgb, BGRA8, None),
    plain(92, "B8G8R8X8_TYPELESS", Typeless, BGRX8, None),
    plain(93, "B8G8R8X8_UNORM_SRGB", Srgb, BGRX8, None),
    blocks(94, "BC6H_TYPELESS", Bc6h { signed: false }, Typeless, (3, 16)),
    blocks(95, "BC6H_UF16", Bc6h { signed: false }, Float, (3, 16)),
    blocks(96, "BC6H_SF16", Bc6h { signed: true }, Float, (3, 16)),
    blocks(97, "BC7_TYPELESS", Bc7, Typeless, (4, 8)),
    blocks(98, "BC7_UNORM", Bc7, Unorm, (4, 8)),
    blocks(99, "BC7_UNORM_SRGB", Bc7, Srgb, (4, 8)),
    plain(115, "B4G4R4A4_UNORM", Unorm, [(B, 4), (G, 4), (R, 4), (A, 4)], None),
    plain(191, "A4B4G4R4_UNORM", Unorm, [(A, 4), (B, 4), (G, 4), (R, 4)], None),
];
