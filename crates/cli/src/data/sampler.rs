//! Sampler states from words or a file.

use crate::failure::Failure;
use gpuproof_run::{AddressMode, Comparison, Filter, FilterReduction, SamplerState};

/// Words: `point` or `linear` (all three filters), `min=`, `mag=`, `mip=` with one of them, `anisotropic=` with the greatest ratio, `minimum` or `maximum`
/// of the texels, an address mode (all three axes) or `u=`, `v=`, `w=` with one, a comparison, `bias=`, `min_lod=`, `max_lod=`. Or a `.toml` of
/// [`SamplerState`]'s fields.
pub fn parse(text: &str, comparison: bool) -> Result<SamplerState, Failure> {
    if text.ends_with(".toml") {
        let bytes = super::read(text)?;
        let fail = |error: &dyn std::fmt::Display| Failure::bad(format!("{text}: not a sampler state: {error}"));
        let content = std::str::from_utf8(&bytes).map_err(|error| fail(&error))?;
        return toml::from_str(content).map_err(|error| fail(&error));
    }
    let mut state = SamplerState { comparison: comparison.then_some(Comparison::LessEqual), ..SamplerState::default() };
    for word in text.split(',') {
        set(&mut state, word.trim()).ok_or_else(|| {
            Failure::bad(format!(
                "'{word}' is no word of a sampler; expected point, linear, min=, mag=, mip=, anisotropic= (1 to 16), minimum, maximum, wrap, mirror, clamp, border, \
                 mirror_once, u=, v=, w=, never, less, equal, less_equal, greater, not_equal, greater_equal, always, bias=, \
                 min_lod= or max_lod="
            ))
        })?;
    }
    Ok(state)
}

fn set(state: &mut SamplerState, word: &str) -> Option<()> {
    if let Some(filter) = filter(word) {
        (state.magnify, state.minify, state.mip) = (filter, filter, filter);
        return Some(());
    }
    if let Some(reduction) = reduction(word) {
        state.reduction = reduction;
        return Some(());
    }
    if let Some(mode) = address(word) {
        state.address = [mode; 3];
        return Some(());
    }
    if let Some(comparison) = comparison(word) {
        state.comparison = Some(comparison);
        return Some(());
    }
    let (name, value) = word.split_once('=')?;
    match name {
        "min" => state.minify = filter(value)?,
        "mag" => state.magnify = filter(value)?,
        "mip" => state.mip = filter(value)?,
        "anisotropic" => state.max_anisotropy = Some(value.parse().ok().filter(|most| (1..=16).contains(most))?),
        "u" => state.address[0] = address(value)?,
        "v" => state.address[1] = address(value)?,
        "w" => state.address[2] = address(value)?,
        "bias" => state.lod_bias = value.parse().ok()?,
        "min_lod" => state.min_lod = value.parse().ok()?,
        "max_lod" => state.max_lod = value.parse().ok()?,
        _ => return None,
    }
    Some(())
}

fn filter(word: &str) -> Option<Filter> {
    Some(match word {
        "point" => Filter::Point,
        "linear" => Filter::Linear,
        _ => return None,
    })
}

fn reduction(word: &str) -> Option<FilterReduction> {
    Some(match word {
        "minimum" => FilterReduction::Minimum,
        "maximum" => FilterReduction::Maximum,
        _ => return None,
    })
}

fn address(word: &str) -> Option<AddressMode> {
    Some(match word {
        "wrap" => AddressMode::Wrap,
        "mirror" => AddressMode::Mirror,
        "clamp" => AddressMode::Clamp,
        "border" => AddressMode::Border,
        "mirror_once" => AddressMode::MirrorOnce,
        _ => return None,
    })
}

fn comparison(word: &str) -> Option<Comparison> {
    Some(match word {
        "never" => Comparison::Never,
        "less" => Comparison::Less,
        "equal" => Comparison::Equal,
        "less_equal" => Comparison::LessEqual,
        "greater" => Comparison::Greater,
        "not_equal" => Comparison::NotEqual,
        "greater_equal" => Comparison::GreaterEqual,
        "always" => Comparison::Always,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_set_what_they_say() {
        let state = parse("point,mip=linear,clamp,v=mirror,bias=0.5,max_lod=3", false).expect("a state");
        assert_eq!((state.minify, state.magnify, state.mip), (Filter::Point, Filter::Point, Filter::Linear));
        assert_eq!(state.address, [AddressMode::Clamp, AddressMode::Mirror, AddressMode::Clamp]);
        assert_eq!((state.lod_bias, state.max_lod, state.comparison), (0.5, 3.0, None));
        let state = parse("anisotropic=8,maximum", false).expect("a state");
        assert_eq!((state.max_anisotropy, state.reduction), (Some(8), FilterReduction::Maximum));
        assert!(parse("anisotropic=17", false).is_err() && parse("anisotropic", false).is_err());
        assert_eq!(parse("linear", true).expect("a state").comparison, Some(Comparison::LessEqual));
        assert!(parse("cubic", false).expect_err("no word").message.starts_with("'cubic' is no word of a sampler"));
    }
}
