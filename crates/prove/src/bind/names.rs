//! When two names mean the same thing.

/// How names are compared, from strict to loose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strictness {
    /// Case, underscores and prefixes that tools add do not matter.
    Strict,
    /// Nor do a number after an underscore (writers add it to make names unique) and a semantic index of 0.
    Loose,
}

/// Prefixes that programmers and tools put before a name.
const PREFIXES: &[&str] = &["type_", "in_var_", "out_var_", "g_", "m_", "cb_", "u_", "a_", "v_", "t_", "s_"];

/// What of a name tells it from others.
pub(super) fn key(name: &str, strictness: Strictness) -> String {
    // `.` of SPIR-V names comes out of naga as `_u002e_`; what stands before it is the kind of thing.
    let name = name.replace("_u002e_", ".").to_ascii_lowercase();
    let last = name.rsplit('.').find(|part| !part.is_empty()).unwrap_or_default();
    let mut rest = last.trim_matches('_');
    if strictness == Strictness::Loose {
        if let Some((stem, number)) = rest.rsplit_once('_')
            && !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
        {
            rest = stem;
        }
        while let Some(prefix) = PREFIXES.iter().find(|prefix| rest.len() > prefix.len() && rest.starts_with(**prefix)) {
            rest = &rest[prefix.len()..];
        }
    }
    let mut key: String = rest.chars().filter(|c| *c != '_').collect();
    if strictness == Strictness::Loose && key.len() > 1 && key.ends_with('0') {
        let before = key.as_bytes()[key.len() - 2];
        if !before.is_ascii_digit() {
            key.pop();
        }
    }
    key
}

/// Pairs of positions whose names agree, each position in one pair at most. An ambiguous name makes no pair.
pub(super) fn pairs(
    original: &[(usize, String)],
    port: &[(usize, String)],
    fits: &dyn Fn(usize, usize) -> bool,
) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for strictness in [Strictness::Strict, Strictness::Loose] {
        for (left, name) in original {
            if found.iter().any(|pair| pair.0 == *left) {
                continue;
            }
            let wanted = key(name, strictness);
            let twins = original.iter().filter(|other| key(&other.1, strictness) == wanted).count();
            let open = |right: &usize| !found.iter().any(|pair| pair.1 == *right);
            let mut matching =
                port.iter().filter(|(right, name)| open(right) && key(name, strictness) == wanted && fits(*left, *right));
            if let (Some((right, _)), None, 1) = (matching.next(), matching.next(), twins)
                && !wanted.is_empty()
            {
                found.push((*left, *right));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_tools_decorate_agree() {
        let same = [
            ("TEXCOORD0", "in_u002e_var_u002e_TEXCOORD0_1"),
            ("TEXCOORD0", "texcoord"),
            ("SV_Target0", "out_u002e_var_u002e_SV_Target"),
            ("Noise", "type_Noise"),
            ("worldViewProjection", "world_view_projection"),
            ("g_lights", "lights"),
            ("compare", "compare_"),
        ];
        for (a, b) in same {
            let agree = [Strictness::Strict, Strictness::Loose].iter().any(|s| key(a, *s) == key(b, *s));
            assert!(agree, "{a} {b}");
        }
        for (a, b) in [("TEXCOORD0", "TEXCOORD1"), ("scale", "scales"), ("t10", "t1"), ("t0", "s0")] {
            assert_ne!(key(a, Strictness::Loose), key(b, Strictness::Loose), "{a} {b}");
        }
    }

    #[test]
    fn an_ambiguous_name_makes_no_pair() {
        let original = [(0, "a_1".to_string()), (1, "a_2".to_string())];
        let port = [(0, "a".to_string())];
        assert_eq!(pairs(&original, &port, &|_, _| true), []);
        let port = [(0, "a_2".to_string()), (1, "a_1".to_string())];
        assert_eq!(pairs(&original, &port, &|_, _| true), [(0, 1), (1, 0)]);
    }
}
