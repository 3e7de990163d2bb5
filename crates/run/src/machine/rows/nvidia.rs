//! The H200's functions of 16 lanes, by the model of one, which is free of branches.

use super::CHUNK;
use gpuproof_number::Denormals;
use gpuproof_number::machine::nvidia_sm90;

type Words = [u32; CHUNK];

macro_rules! functions {
    ($($name:ident)*) => {
        $(#[inline(always)]
        pub(super) fn $name<const F: bool>(a: Words) -> Words {
            let denormals = if F { Denormals::Flush } else { Denormals::Keep };
            let mut out = [0; CHUNK];
            for i in 0..CHUNK {
                out[i] = nvidia_sm90::$name(a[i], denormals);
            }
            out
        })*
    };
}

functions!(rcp sqrt rsqrt ex2 lg2 sin cos);
