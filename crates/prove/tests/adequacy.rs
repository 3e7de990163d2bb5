//! What a comparison is said to be worth. The fate of each mutant follows from the program by hand; the comments say how.

use gpuproof_program::Program;
use gpuproof_prove::adequacy::*;
use gpuproof_prove::bind::Map;
use gpuproof_prove::cases::UserInputs;
use gpuproof_prove::compare::Status;
use gpuproof_prove::{Evidence, Settings, Side, Subject, verify};
use gpuproof_read::wgsl;
use gpuproof_run::Machine;

fn read(text: &str) -> Program {
    wgsl::read(text, &wgsl::Options::default()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn held(text: &str, settings: AdequacySettings) -> Evidence {
    held_against(text, text, Settings { adequacy: Some(settings), ..Settings::default() })
}

fn held_against(original: &str, port: &str, settings: Settings) -> Evidence {
    let (original, port) = (read(original), read(port));
    let subjects = (Subject::new(&original, "a", b""), Subject::new(&port, "b", b""));
    let settings = Settings { lanes: 4096, adequacy: settings.adequacy.or(Some(AdequacySettings::full())), ..settings };
    verify(&subjects.0, &subjects.1, &settings, &mut |_| {}).expect("evidence").evidence
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

/// The program that every mutant of is noticed.
const SUM: &str = "return vec4f(v.x + v.y, v.z, v.w, 1.0);";

#[test]
fn a_proof_needs_everything_of_the_port_reached_too() {
    let with = |condition: &str| pixel(&SUM.replace("return", &format!("if ({condition}) {{ return vec4f(0.0); }}\nreturn")));
    let against = |port: &str| held_against(&pixel(SUM), port, Settings::default());
    // One number of four billion, which the original does not look for: a search for the port's own branch meets it.
    assert_eq!(against(&with("v.x == 1234.5678")).status, Status::Differs);
    // A product of bits that nothing leads to: nothing is found, and nothing is said to be proven.
    let evidence = against(&with("(bitcast<u32>(v.x) * 2654435761u ^ bitcast<u32>(v.y) * 2246822519u) == 374761393u"));
    assert_eq!((evidence.status, evidence.grade), (Status::Holds, Some(Grade::Observed)));
    // A branch that no number takes hides nothing.
    let evidence = against(&with("abs(v.x) < -1.0"));
    assert_eq!((evidence.status, evidence.grade), (Status::Holds, Some(Grade::Proven)));
}

#[test]
fn a_proof_is_of_equal_words_of_exact_runs_on_all_that_may_be_read() {
    let with = |settings: Settings| held_against(&pixel(SUM), &pixel(SUM), settings).grade;
    assert_eq!(with(Settings::default()), Some(Grade::Proven));
    assert_eq!(with(Settings { edges: false, ..Settings::default() }), Some(Grade::Observed));
    // Machines and inputs that the user names: their results and values say nothing of others.
    let machine = Machine::ALL.iter().copied().find(|machine| *machine != Machine::Exact).expect("a machine");
    assert_eq!(with(Settings { machines: [machine, Machine::Exact], ..Settings::default() }), Some(Grade::Observed));
    assert_eq!(with(Settings { machines: [Machine::Exact, machine], ..Settings::default() }), Some(Grade::Observed));
    let program = read(&pixel(SUM));
    let numbers = |at: usize| (0..64u32).map(|lane| (lane as f32 * 0.37 - at as f32).to_bits()).collect();
    let values = gpuproof_run::LaneValues { components: std::array::from_fn(numbers) };
    assert_eq!(program.interface.inputs.len(), 1);
    let user = UserInputs { inputs: vec![(gpuproof_program::InputId(0), values)], ..UserInputs::default() };
    assert_eq!(with(Settings { user, ..Settings::default() }), Some(Grade::Observed));
    // A quotient may be 2.5 ulp off (WGSL Floating Point Evaluation), so the port is right, but not the same.
    let (original, port) = (pixel("return vec4f(v.x / v.y);"), pixel("return vec4f(v.x * (1.0 / v.y));"));
    let evidence = held_against(&original, &port, Settings::default());
    assert!(evidence.census.total().allowed > 0);
    assert_eq!((evidence.status, evidence.grade), (Status::Holds, Some(Grade::Observed)));
}

#[test]
fn mutants_of_what_is_not_compared_are_not_noticed() {
    let text = "struct Out { @location(0) a: vec4f, @location(1) b: vec4f }
@fragment fn main(@location(0) v: vec4f) -> Out { return Out(v + v.yzwx, v - v.wxyz); }";
    let program = read(text);
    let mut map = Map::infer(&program, &program).expect("a map");
    map.outputs.retain(|pair| pair.original.starts_with('a'));
    let evidence = held_against(text, text, Settings { map: Some(map), ..Settings::default() });
    let adequacy = evidence.adequacy.expect("adequacy");
    // Each of the four components of b: a difference made a sum, its operands exchanged, it negated, its output left out and put elsewhere.
    let survivors = survivors(&adequacy);
    for (change, times) in [("f.sub to f.add", 4), ("f.add to f.sub", 0), ("output left out", 4)] {
        assert_eq!(survivors.iter().filter(|line| line.contains(change)).count(), times, "{change}: {survivors:?}");
    }
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
    let text = pixel("var r = v;\nif (v.x * v.x < -v.y * v.y - 1.0) {\n  r = sin(r);\n}\nreturn r;");
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

#[test]
fn survivors_are_told_apart() {
    // Products of tiny numbers vanish beside v, so their mutants survive: the same change of several products of one line.
    let text = "@fragment fn main(@location(0) v: vec4f) -> @location(0) vec4f {
  return clamp(v, vec4f(-1.0), vec4f(1.0)) * (v.x * 1e-30 * 1e-30) + (v * 1e-30) * (v.yzwx * 1e-30) + v;
}";
    let adequacy = measured(text, AdequacySettings::full());
    let mutants = adequacy.mutants.as_ref().expect("mutants");
    let lines: std::collections::BTreeSet<String> = mutants
        .survivors
        .iter()
        .map(|survivor| format!("{} {}", survivor.place(gpuproof_program::Dialect::Wgsl), survivor.change))
        .collect();
    assert!(mutants.survivors.len() > 4, "{adequacy:?}");
    assert_eq!(lines.len(), mutants.survivors.len(), "{adequacy:?}");
}
