//! Each pair against itself, with every word that is not the same held to the list in `near.tsv`.
//!
//! On finite cases nothing may differ. On edge cases the two languages differ on purpose: WGSL keeps subnormal numbers and reads `min` and
//! `max` literally, D3D11 flushes them and drops NaN. How much comes from that is measured by giving the port's operations D3D11's rules.
//!
//! `UPDATE=1 cargo test -p gpuproof-tests --test pairs near` writes the list again; reasons stay.

use gpuproof_program::{Choice, Denormals, Node, Order, Program, Region, Rules};
use gpuproof_prove::Settings;
use gpuproof_prove::cases::CaseClass;
use gpuproof_prove::compare::Tally;
use gpuproof_tests::programs::{compare, containers, each, original, port, root, text};
use std::collections::BTreeMap;
use std::fmt::Write as _;

const HEAD: &str = "pair\tcases\twords\tallowed\tunspecified\tdifferent\tleft with D3D11's subnormals\tleft with its min and max too\treason of what is left\n";

/// Changes the rules of every operation that has a choice.
fn with_rule(program: &Program, choice: Choice, change: impl Fn(&mut Rules) + Copy) -> Program {
    fn regions(node: &mut Node) -> Vec<&mut Region> {
        match node {
            Node::Op(_) | Node::Br { .. } | Node::Return { .. } | Node::Unreachable => Vec::new(),
            Node::Block { body, .. } | Node::Loop { body, .. } => vec![body],
            Node::If { then, otherwise, .. } => vec![then, otherwise],
            Node::Switch { arms, .. } => arms.iter_mut().map(|arm| &mut arm.body).collect(),
        }
    }
    fn visit(region: &mut Region, choice: Choice, change: impl Fn(&mut Rules) + Copy) {
        for node in region {
            if let Node::Op(instruction) = node
                && instruction.op.choices().contains(&choice)
            {
                change(&mut instruction.attrs.rules);
            }
            for inner in regions(node) {
                visit(inner, choice, change);
            }
        }
    }
    let mut program = program.clone();
    for function in &mut program.functions {
        visit(&mut function.body, choice, change);
    }
    program
}

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
        assert!(fields.get(7) == Some(&"0") || fields.get(8).is_some_and(|reason| !reason.is_empty()), "no reason: {line}");
    }
}
