//! Ports that are wrong only where a word has one value out of many. What is right follows from the texts: each port below is its original with
//! one number of one condition changed.

use gpuproof_prove::adequacy::AdequacySettings;
use gpuproof_prove::compare::Status;
use gpuproof_prove::{Evidence, Settings, Side, Subject, verify};
use gpuproof_read::wgsl;

const ORIGINAL: &str = "
struct Params { mode: u32, limit: f32, kinds: array<vec4f, 4> }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
  var x = 1.0;
  let flag = flags[id.x];
  if flag == 123456789u { x += 1.0; }
  if (flag & 0x00ff0000u) == 0x00420000u { x += 2.0; }
  if flag + 5u == 70000u { x += 4.0; }
  if params.limit >= 3000.0 { x += 8.0; }
  if params.kinds[flag & 3u].y > 1e6 { x += 16.0; }
  switch params.mode {
    case 11u: { x *= 32.0; }
    case 12u, 13u: { x *= 64.0; }
    default: { x = -x; }
  }
  out[id.x] = x;
}";

fn held_against(port: &str) -> Evidence {
    let read = |text| wgsl::read(text, &wgsl::Options::default()).expect("a program");
    let (original, port) = (read(ORIGINAL), read(port));
    let subjects = (Subject::new(&original, "original", b""), Subject::new(&port, "port", b""));
    let settings = Settings { adequacy: Some(AdequacySettings::quick()), ..Settings::default() };
    verify(&subjects.0, &subjects.1, &settings, &mut |_| {}).expect("evidence").evidence
}

#[test]
fn numbers_that_words_are_compared_with_are_tried() {
    for (right, wrong) in [
        ("123456789u", "123456788u"),
        ("0x00420000u", "0x00430000u"),
        ("70000u", "70001u"),
        (">= 3000.0", "> 3000.0"),
        ("> 1e6", "> 1e7"),
        ("case 11u", "case 10u"),
        ("12u, 13u", "12u"),
        ("12u, 13u", "13u"),
    ] {
        let port = ORIGINAL.replace(right, wrong);
        assert_ne!(port, ORIGINAL);
        assert_eq!(held_against(&port).status, Status::Differs, "{wrong} for {right}");
    }
}

#[test]
fn conditions_that_went_both_ways_are_not_listed() {
    let evidence = held_against(ORIGINAL);
    assert_eq!(evidence.status, Status::Holds);
    let adequacy = evidence.adequacy.expect("adequacy");
    assert_eq!(adequacy.one_way().collect::<Vec<_>>(), []);
}

#[test]
fn a_branch_of_the_port_that_was_never_taken_is_listed() {
    let port = ORIGINAL.replace("  out[id.x] = x;", "  if flag == 987654321u { x = 0.0; }\n  out[id.x] = x;");
    let evidence = held_against(&port);
    assert_eq!(evidence.status, Status::Holds);
    let adequacy = evidence.adequacy.expect("adequacy");
    let [(side, decision)] = adequacy.one_way().collect::<Vec<_>>()[..] else { panic!("{adequacy:?}") };
    assert_eq!((side, decision.line, decision.what.as_str()), (Side::Port, 19, "true"));
    assert_eq!(decision.text, "if flag == 987654321u { x = 0.0; }");
}
