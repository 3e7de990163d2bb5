//! What a comparison is said to be worth. The fate of each mutant follows from the program by hand; the comments say how.

use gpuproof_prove::adequacy::*;
use gpuproof_prove::compare::Status;
use gpuproof_prove::{Evidence, Settings, Side, Subject, verify};
use gpuproof_read::wgsl;

fn held(text: &str, settings: AdequacySettings) -> Evidence {
    let program = wgsl::read(text, &wgsl::Options::default()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let subject = Subject::new(&program, "a", text.as_bytes());
    let settings = Settings { lanes: 4096, adequacy: Some(settings), ..Settings::default() };
    verify(&subject, &subject, &settings, &mut |_| {}).expect("evidence").evidence
}

fn measured(text: &str, settings: AdequacySettings) -> Adequacy {
    held(text, settings).adequacy.expect("adequacy")
}

fn pixel(body: &str) -> String {
    format!("@fragment fn main(@location(0) v: vec4f) -> @location(0) vec4f {{\n{body}\n}}")
}

fn survivors(adequacy: &Adequacy) -> Vec<String> {
    let mutants = adequacy.mutants.as_ref().expect("mutants");
    mutants.survivors.iter().map(|survivor| format!("{:?} {}", survivor.kind, survivor.change)).collect()
}

fn tally(adequacy: &Adequacy, kind: MutantKind) -> [u32; 4] {
    let mutants = adequacy.mutants.as_ref().expect("mutants");
    let found = mutants.kinds.iter().find(|tally| tally.kind == kind);
    found.map_or([0; 4], |tally| [tally.made, tally.noticed, tally.equivalent, tally.survived])
}

#[test]
fn every_mutant_of_a_sum_is_noticed() {
    // x + y: a difference, a negated sum, another component of each of two inputs, and four outputs left out or put elsewhere all show on random inputs.
    let adequacy = measured(&pixel("return vec4f(v.x + v.y, v.z, v.w, 1.0);"), AdequacySettings::full());
    assert_eq!(survivors(&adequacy), [""; 0]);
    assert_eq!(tally(&adequacy, MutantKind::Operation), [1, 1, 0, 0]);
    assert_eq!(tally(&adequacy, MutantKind::Negation), [1, 1, 0, 0]);
    assert_eq!(tally(&adequacy, MutantKind::Store), [4, 4, 0, 0]);
    // 1.0 to its neighbour, its double and its negative.
    assert_eq!(tally(&adequacy, MutantKind::Constant), [3, 3, 0, 0]);
}

#[test]
fn a_proof_needs_everything_reached_and_every_mutant_shown() {
    let evidence = held(&pixel("return vec4f(v.x + v.y, v.z, v.w, 1.0);"), AdequacySettings::full());
    assert_eq!((evidence.status, evidence.grade), (Status::Holds, Some(Grade::Proven)));
    // Half of nothing: a condition that no number meets, which no analysis of ranges sees.
    let open = pixel("if (v.x * v.x == -v.y * v.y - 1.0) { return vec4f(0.0); }\nreturn v;");
    let evidence = held(&open, AdequacySettings { rounds: 2, ..AdequacySettings::full() });
    assert_eq!((evidence.status, evidence.grade), (Status::Holds, Some(Grade::Observed)));
    let sampled = AdequacySettings { mutants: 3, ..AdequacySettings::full() };
    let evidence = held(&pixel("return vec4f(v.x + v.y, v.z, v.w, 1.0);"), sampled);
    assert_eq!(evidence.grade, Some(Grade::Observed));
    let mutants = evidence.adequacy.and_then(|adequacy| adequacy.mutants).expect("mutants");
    assert!(mutants.kinds.iter().map(|kind| kind.made).sum::<u32>() == 3 && mutants.of > 3);
}

#[test]
fn mutants_that_compute_the_same_are_shown_to() {
    // cos(-x) is cos(x), so negating the product changes nothing; a square has no sign; sin is within [-1, 1], so a clamp to [-2, 2] never
    // takes its other side, and abs of a square changes nothing.
    let even = measured(&pixel("return vec4f(cos(v.x * v.y));"), AdequacySettings::full());
    assert_eq!(tally(&even, MutantKind::Negation)[2], 1, "{even:?}");
    let square = measured(&pixel("let d = v.x - v.y;\nreturn vec4f(d * d);"), AdequacySettings::full());
    assert_eq!(tally(&square, MutantKind::Operands), [1, 0, 1, 0], "{square:?}");
    let bool_mask =
        measured(&pixel("let bits = (bitcast<u32>(v.x) & 255u) >> 3u;\nreturn vec4f(f32(bits));"), AdequacySettings::full());
    // A logical or arithmetic shift, a conversion from signed or unsigned: of a word below 256 both give the same.
    let operations = tally(&bool_mask, MutantKind::Operation);
    assert_eq!((operations[2], operations[3]), (2, 0), "{bool_mask:?}");
}

#[test]
fn goals_that_cannot_be_reached_are_known() {
    let adequacy = measured(&pixel("return vec4f(min(saturate(v.x), 2.0));"), AdequacySettings::quick());
    // A number in [0, 1] is never above 2: of the minimum's two sides one is out of reach.
    let sides = adequacy.original.goals.iter().find(|tally| tally.class == GoalClass::Side).expect("sides");
    assert_eq!((sides.goals - sides.reached, sides.unreachable), (1, 1), "{adequacy:?}");
    assert_eq!(adequacy.original.missing, []);
}

#[test]
fn rounds_of_loops_are_counted_by_lane() {
    let text = "@group(0) @binding(0) var<uniform> limits: vec4u;
@fragment fn main(@location(0) v: vec4f) -> @location(0) vec4f {
  var sum = 0.0;
  for (var i = 0u; i < limits.x; i++) { sum += v.x; }
  for (var i = 0u; i < 4u; i++) { sum *= v.y; }
  return vec4f(sum);
}";
    let adequacy = measured(text, AdequacySettings::quick());
    // The first loop may go round not at all, once and more often, and counts are generated from 0 up. The second always goes round four times: it has no goals.
    let loops = adequacy.original.goals.iter().find(|tally| tally.class == GoalClass::Loop).expect("loops");
    assert_eq!((loops.goals, loops.reached), (3, 3), "{adequacy:?}");
}

#[test]
fn what_chance_does_not_meet_is_searched_for() {
    // Equal only where x is 0.625 exactly after scaling: one number of four billion, which a climb finds.
    let text = pixel("if (v.x * 3.0 + v.y == 7.3125) { return vec4f(1.0, 2.0, 3.0, 4.0); }\nreturn v;");
    let off = measured(&text, AdequacySettings { rounds: 0, ..AdequacySettings::quick() });
    let missed = |adequacy: &Adequacy| {
        adequacy.one_way().any(|(side, missing)| side == Side::Original && missing.class == GoalClass::Decision)
    };
    assert!(missed(&off));
    let on = measured(&text, AdequacySettings::full());
    assert!(!missed(&on), "{on:?}");
    assert!(on.searched.cases > 0 && on.searched.reached > 0);
}

#[test]
fn operations_that_no_lane_executes_are_named() {
    let text = pixel("var r = v;\nif (v.x * v.x < -1.0) {\n  r = sin(r);\n}\nreturn r;");
    let adequacy = measured(&text, AdequacySettings { rounds: 0, ..AdequacySettings::quick() });
    let missing: Vec<u32> = adequacy
        .original
        .missing
        .iter()
        .filter(|missing| missing.class == GoalClass::Operation)
        .map(|missing| missing.line)
        .collect();
    assert_eq!(missing, [4]);
}
