//! The H200's functions of 16 lanes, as shaders have them, by the model of one, which is free of branches.

use super::CHUNK;
use gpuproof_number::Denormals::Flush;
use gpuproof_number::machine::nvidia_sm90 as model;

type Words = [u32; CHUNK];

macro_rules! functions {
    ($($name:ident = |$x:ident| $result:expr;)*) => {
        $(#[inline(always)]
        pub(super) fn $name(a: Words) -> Words {
            let mut out = [0; CHUNK];
            for i in 0..CHUNK {
                let $x = a[i];
                out[i] = $result;
            }
            out
        })*
    };
}

functions! {
    rcp = |x| model::rcp(x, Flush);
    sqrt = |x| model::sqrt(x, Flush);
    rsqrt = |x| model::rsqrt(x, Flush);
    exp2 = |x| model::ex2(x, Flush);
    exp = |x| model::exp(x);
    log2 = |x| model::lg2(x, Flush);
    log = |x| model::log(x);
    sin = |x| model::sin(x, Flush);
    cos = |x| model::cos(x, Flush);
}
