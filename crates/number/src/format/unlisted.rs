//! DXGI formats that have no values of their own in a program.

use core::fmt;

/// A DXGI format that no view of a program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unlisted {
    /// The name after `DXGI_FORMAT_`.
    pub name: &'static str,
    /// The DXGI_FORMAT number.
    pub dxgi: u32,
    /// The formats of the views that programs have of its planes (the descriptions of DXGI_FORMAT), if there are any.
    pub views: &'static [&'static str],
}

const fn row(dxgi: u32, name: &'static str, views: &'static [&'static str]) -> Unlisted {
    Unlisted { name, dxgi, views }
}

const UNLISTED: [Unlisted; 19] = [
    row(66, "R1_UNORM", &[]),
    row(100, "AYUV", &["R8G8B8A8_UNORM", "R8G8B8A8_UINT"]),
    row(101, "Y410", &["R10G10B10A2_UNORM", "R10G10B10A2_UINT"]),
    row(102, "Y416", &["R16G16B16A16_UNORM", "R16G16B16A16_UINT"]),
    row(103, "NV12", &["R8_UNORM", "R8G8_UNORM"]),
    row(104, "P010", &["R16_UNORM", "R16G16_UNORM"]),
    row(105, "P016", &["R16_UNORM", "R16G16_UNORM"]),
    row(106, "420_OPAQUE", &[]),
    row(107, "YUY2", &["R8G8B8A8_UNORM", "R8G8_B8G8_UNORM"]),
    row(108, "Y210", &["R16G16B16A16_UNORM", "R16G16B16A16_UINT"]),
    row(109, "Y216", &["R16G16B16A16_UNORM", "R16G16B16A16_UINT"]),
    row(110, "NV11", &["R8_UNORM", "R8G8_UNORM"]),
    row(111, "AI44", &[]),
    row(112, "IA44", &[]),
    row(113, "P8", &[]),
    row(114, "A8P8", &[]),
    row(130, "P208", &["R8_UNORM", "R8G8_UNORM"]),
    row(131, "V208", &["R8_UNORM"]),
    row(132, "V408", &["R8_UNORM"]),
];

impl Unlisted {
    /// The format of a DXGI name, with or without `DXGI_FORMAT_`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<&'static Unlisted> {
        let name = name.strip_prefix("DXGI_FORMAT_").unwrap_or(name);
        UNLISTED.iter().find(|format| format.name == name)
    }

    /// The format of a DXGI number.
    #[must_use]
    pub fn from_dxgi(dxgi: u32) -> Option<&'static Unlisted> {
        UNLISTED.iter().find(|format| format.dxgi == dxgi)
    }
}

impl fmt::Display for Unlisted {
    /// Why it is not supported, and what to do.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.views, self.name) {
            ([], "R1_UNORM") => write!(f, "R1_UNORM is for the text filter of Direct3D 10, which Direct3D 11 has not"),
            ([], name) => write!(f, "{name} is a format of video that programs cannot view"),
            ([one], name) => write!(f, "{name} is a format of video: programs view its planes as {one}, so bind a plane as that"),
            (views, name) => {
                write!(
                    f,
                    "{name} is a format of video: programs view its planes as {}, so bind a plane as that",
                    views.join(" or ")
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Format;

    /// Every number up to 132 that DXGI defines is in one of the tables, and what programs view a plane as is supported.
    #[test]
    fn every_format_is_listed_or_not() {
        for dxgi in (1..=115).chain(130..=132) {
            assert!(Format::from_dxgi(dxgi).is_some() != Unlisted::from_dxgi(dxgi).is_some(), "{dxgi}");
        }
        for format in UNLISTED {
            assert_eq!(Unlisted::from_name(format.name).map(|found| found.dxgi), Some(format.dxgi));
            format.views.iter().for_each(|view| assert!(Format::from_name(view).is_some(), "{view}"));
        }
    }
}
