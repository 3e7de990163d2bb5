//! Each pair against itself, with every word that is not the same held to the list in `near.tsv`.
//!
//! On finite cases nothing may differ. On edge cases the two languages differ on purpose: WGSL keeps subnormal numbers and reads `min` and
//! `max` literally, D3D11 flushes them and drops NaN. How much comes from that is measured by giving the port's operations D3D11's rules.
//!
//! `UPDATE=1 cargo test -p gpuproof-tests --test pairs near` writes the list again; reasons stay.

use gpuproof_program::{Choice, Denormals, Order, Program};
use gpuproof_prove::Settings;
use gpuproof_prove::cases::CaseClass;
use gpuproof_prove::compare::Tally;
use gpuproof_tests::programs::{compare, containers, each, original, port, root, text, with_rule};
use std::collections::BTreeMap;
use std::fmt::Write as _;

const HEAD: &str = "pair\tcases\twords\tallowed\tunspecified\tdifferent\tleft with D3D11's subnormals\tleft with its min and max too\treason of what is different or left\n";

fn settings() -> Settings {
    Settings { lanes: 32768, locate: false, ..Settings::default() }
}

fn other(tally: Tally) -> u64 {
    tally.words() - tally.same - tally.allowed
}

/// The rows of a pair: one for each class of cases in which not everything is the same.
fn rows(pair: &str) -> Vec<(String, [u64; 6])> {
    let first = original(&root().join(format!("{pair}.dxbc")));
    let second = port(&text(&root().join(format!("{pair}.wgsl")))).unwrap_or_else(|error| panic!("{pair}: {error}"));
    let census = |second: &Program| {
        let evidence = compare(&first, second, &settings()).unwrap_or_else(|error| panic!("{pair}: {error}"));
        assert!(evidence.limits.is_empty(), "{pair}: {:?}", evidence.limits);
        (evidence.census.finite, evidence.census.edge)
    };
    let (finite, edge) = census(&second);
    if finite.words() + edge.words() == finite.same + edge.same {
        return Vec::new();
    }
    let flushing = with_rule(&second, Choice::Denormals, |rules| rules.denormals = Denormals::Flush);
    let minima = with_rule(&flushing, Choice::Order, |rules| rules.order = Order::NanLoses);
    let (flushed, reordered) = (census(&flushing), census(&minima));
    let classes = [(CaseClass::Finite, finite, flushed.0, reordered.0), (CaseClass::Edge, edge, flushed.1, reordered.1)];
    let name = pair.trim_start_matches("tests/pairs/");
    let row = |(class, tally, flushed, reordered): (CaseClass, Tally, Tally, Tally)| {
        assert!(class == CaseClass::Edge || tally.different + tally.unspecified == 0, "{pair}: finite words differ: {tally:?}");
        assert_eq!(tally.undefined + tally.schedule, 0, "{pair}: {tally:?}");
        let key = format!("{name}\t{}", if class == CaseClass::Finite { "finite" } else { "edge" });
        let numbers = [tally.words(), tally.allowed, tally.unspecified, tally.different, other(flushed), other(reordered)];
        (tally.words() > tally.same).then_some((key, numbers))
    };
    classes.into_iter().filter_map(row).collect()
}

#[test]
fn pairs_are_the_same_but_for_what_is_listed() {
    let pairs = containers("tests/pairs");
    assert!(pairs.len() >= 40, "{} pairs", pairs.len());
    let path = root().join("tests/pairs/near.tsv");
    let listed = std::fs::read_to_string(&path).unwrap_or_default();
    let reasons: BTreeMap<String, String> = listed
        .lines()
        .filter_map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            Some((format!("{}\t{}", fields.first()?, fields.get(1)?), fields.get(8)?.to_string()))
        })
        .collect();
    let mut found = HEAD.to_string();
    for (key, numbers) in each(&pairs, |pair| rows(pair)).into_iter().flatten() {
        let numbers = numbers.map(|number| number.to_string()).join("\t");
        let _ = writeln!(found, "{key}\t{numbers}\t{}", reasons.get(&key).map_or("", String::as_str));
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &found).expect("a writable list");
    }
    let listed = text(&path);
    assert!(found == listed, "near.tsv lists something else than what is found:\n{found}");
    for line in listed.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let is_told =
            [5, 7].iter().all(|at| fields.get(*at) == Some(&"0")) || fields.get(8).is_some_and(|reason| !reason.is_empty());
        assert!(is_told, "no reason: {line}");
    }
}

/// `derivatives.hlsl` by hand, as Direct3D 11 computes it: subnormal numbers become zero wherever an operation takes or gives them (3.1.3), NaN loses a
/// maximum (22.10.10).
const BY_HAND: &str = "
fn flush(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    return bitcast<f32>(select(bits, bits & 0x80000000u, (bits & 0x7f800000u) == 0u));
}
fn flush2(v: vec2<f32>) -> vec2<f32> { return vec2<f32>(flush(v.x), flush(v.y)); }
fn flush3(v: vec3<f32>) -> vec3<f32> { return vec3<f32>(flush(v.x), flush(v.y), flush(v.z)); }
fn larger(a: f32, b: f32) -> f32 {
    if (a != a) { return b; }
    if (b != b) { return a; }
    return max(a, b);
}
@fragment
fn main(@location(0) world: vec3<f32>, @location(1) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let a = flush3(dpdx(flush3(world)));
    let b = flush3(dpdy(flush3(world)));
    let n = flush3(flush3(a.yzx * b.zxy) - flush3(a.zxy * b.yzx));
    let width = flush2(abs(flush2(dpdx(flush2(uv)))) + abs(flush2(dpdy(flush2(uv)))));
    return vec4<f32>(n, larger(width.x, width.y));
}";

#[test]
fn a_port_that_flushes_by_hand_is_the_same() {
    let first = original(&root().join("tests/pairs/derivatives/main.dxbc"));
    let evidence = compare(&first, &port(BY_HAND).expect("a program"), &settings()).expect("evidence");
    let tally = evidence.census.total();
    assert!(tally.same == tally.words() && evidence.census.edge.same > 30_000, "{:?} {:?}", evidence.census, evidence.first);
}
