//! Formulas: what `trace` writes of every output of every fixture checks as the same and is not long, and formulas that people wrote are
//! held or found wrong where they are.

use gpuproof_program::Program;
use gpuproof_prove::compare::Status;
use gpuproof_prove::trace::{Trace, TraceError, trace, traceable};
use gpuproof_prove::{Check, CheckError, Settings, Subject, check};
use gpuproof_read::wgsl;
use gpuproof_tests::programs::{containers, each, original, root, text};

/// Outputs that WGSL has no formula for, and what it is that WGSL cannot say. All outputs of the fixture but those named after it.
const REFUSED: &[(&str, &str)] = &[
    ("/feedback/ps_5_0", "was mapped"),
    ("/gather/ps_5_0", "offsets that are computed"),
    ("/interpolation/ps_5_0", "input_at"),
    ("/queries/ps_4_1", "sample_position"),
    ("/queries/ps_5_0", "sample"),
    ("/textures/ps_4_0", "no texture of this shape"),
    ("/textures/ps_4_1", "texture.level"),
    ("/textures/ps_5_0", "no texture of this shape"),
    ("/atomics/cs_5_0-returning", "atomic on a texture"),
];

/// Programs whose lanes race, or that read memory that nothing wrote: words depend on it in ways that only some choices show.
const RACING: &[&str] = &["/exits/cs_5_0", "/uavs/cs_5_0"];

/// Programs with loops that may have no end, or an output that no case reaches.
const LIMITED: &[&str] = &["/flow/ps_", "/parallax/ps_", "/counters/ps_5_0"];

fn named(name: &str, list: &[&str]) -> bool {
    list.iter().any(|part| name.contains(part))
}

fn settings() -> Settings {
    Settings { lanes: 4096, max_steps: 100_000_000, locate: false, ..Settings::default() }
}

fn held(program: &Program, text: &str, settings: &Settings) -> Result<Check, CheckError> {
    check(&Subject::new(program, "program", b""), "formulas", text, settings, &mut |_| {})
}

/// What is wrong with a traced output; nothing when it is as it should be.
fn fault(name: &str, program: &Program, traced: &Trace) -> Option<String> {
    if traced.formula_operations > 3 * traced.live_operations.max(1) {
        return Some(format!("{} operations for {}", traced.formula_operations, traced.live_operations));
    }
    if let Err(error) = wgsl::read(&traced.module, &wgsl::Options::default()) {
        return Some(format!("the module is no WGSL: {error}"));
    }
    let checked = match held(program, &traced.formulas, &settings()) {
        Ok(checked) => checked,
        Err(error) => return Some(format!("is not taken: {error}")),
    };
    let evidence = &checked.evidence;
    let total = evidence.census.total();
    if named(name, RACING) {
        let racing = evidence.limits.iter().any(|limit| limit.contains("what only the port leaves undefined"));
        return (!(racing || total.same == total.words())).then(|| format!("{total:?} {:?}", evidence.first));
    }
    let limited = evidence.limits.is_empty() || named(name, LIMITED);
    let same = total.same == total.words() && total.words() > 0;
    (!(same && limited)).then(|| format!("{:?} {total:?} {:?} {:?}", checked.status, evidence.first, evidence.limits))
}

#[test]
fn every_traced_output_of_every_fixture_checks_as_the_same() {
    let stages = ["/vs_", "/ps_", "/cs_"];
    let mut fixtures = containers("tests/fixtures");
    // What is stripped has other names and the same operations: some are enough.
    let is_some = |name: &str| !name.ends_with("-strip") || name.ends_with("s_5_0-strip");
    fixtures.retain(|name| named(name, &stages) && is_some(name));
    assert!(fixtures.len() >= 180, "{} fixtures", fixtures.len());
    let found = each(&fixtures, |name| {
        let program = original(&root().join(format!("{name}.dxbc")));
        let (mut traced, mut refused, mut faults) = (0, 0, Vec::new());
        for output in traceable(&program) {
            match trace(&program, &output.name) {
                Ok(found) => {
                    traced += 1;
                    faults.extend(fault(name, &program, &found).map(|fault| format!("{name} {}: {fault}", output.name)));
                }
                Err(TraceError::Unsupported { what, .. })
                    if REFUSED.iter().any(|(known, why)| name.contains(known) && what.contains(why)) =>
                {
                    refused += 1;
                }
                Err(error) => faults.push(format!("{name} {}: {error}", output.name)),
            }
        }
        (traced, refused, faults)
    });
    let traced: usize = found.iter().map(|one| one.0).sum();
    let refused: usize = found.iter().map(|one| one.1).sum();
    let faults: Vec<String> = found.into_iter().flat_map(|one| one.2).collect();
    assert!(faults.is_empty(), "{} of {traced}\n{}", faults.len(), faults.join("\n"));
    assert!(traced >= 330 && refused <= 40, "{traced} traced, {refused} refused");
}

#[test]
fn every_traced_output_of_the_ports_checks_as_the_same() {
    let mut ports: Vec<std::path::PathBuf> = ["tests/pairs", "examples"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(root().join(folder)).expect("a folder").flatten())
        .filter(|folder| folder.path().is_dir())
        .flat_map(|folder| std::fs::read_dir(folder.path()).expect("a folder").flatten())
        .map(|file| file.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "wgsl") && !path.ends_with("port-wrong.wgsl"))
        .collect();
    ports.sort();
    assert!(ports.len() >= 60, "{} ports", ports.len());
    let found = each(&ports, |path| {
        let (name, text) = (path.display().to_string(), text(path));
        let program = wgsl::read(&text, &wgsl::Options::default()).expect("a program");
        let mut faults = Vec::new();
        for output in traceable(&program) {
            let fault = match trace(&program, &output.name) {
                Ok(traced) => fault(&name, &program, &traced),
                Err(error) => Some(error.to_string()),
            };
            faults.extend(fault.map(|fault| format!("{name} {}: {fault}", output.name)));
        }
        faults
    });
    let faults: Vec<String> = found.into_iter().flatten().collect();
    assert!(faults.is_empty(), "{}\n{}", faults.len(), faults.join("\n"));
}

/// A pixel program whose output is known: saturate(dot(normalize(n), light)) * colour, with what two people wrote of it.
const LAMBERT: &str = "
struct Light { direction: vec3<f32>, gain: f32 }
@group(0) @binding(0) var<uniform> light: Light;
@group(0) @binding(1) var base: texture_2d<f32>;
@group(0) @binding(2) var linear: sampler;
@fragment fn main(@location(0) normal: vec3<f32>, @location(1) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let n = normalize(normal);
    let lit = clamp(dot(n, light.direction), 0.0, 1.0);
    return vec4<f32>(textureSample(base, linear, uv).rgb * lit * light.gain, lit);
}";

fn lambert() -> Program {
    wgsl::read(LAMBERT, &wgsl::Options::default()).expect("a program")
}

fn output_name(program: &Program) -> String {
    traceable(program)[0].name.clone()
}

/// Holds a text against the program above, whose output is called `OUT` in it.
fn lambert_check(text: &str) -> Result<Check, CheckError> {
    let program = lambert();
    let text = text.replace("OUT", &output_name(&program));
    held(&program, &text, &Settings { locate: true, ..settings() })
}

fn status(text: &str) -> Status {
    lambert_check(text).unwrap_or_else(|error| panic!("{text}: {error}")).status
}

fn message(text: &str) -> (u32, String) {
    match lambert_check(text) {
        Err(CheckError::Formulas(error)) => (error.line, error.message),
        other => panic!("{text}: {:?}", other.map(|checked| checked.status)),
    }
}

#[test]
fn a_formula_that_says_the_same_otherwise_holds() {
    // WGSL 17.5: normalize(e) is e / length(e), length(e) is sqrt(dot(e, e)).
    let text = "// by hand\nlet n = normal.xyz / sqrt(dot(normal.xyz, normal.xyz));\nOUT.w = min(max(dot(n, light_direction), 0.0), 1.0);\n";
    let text = text.replace("light_direction", "direction");
    let checked = lambert_check(&text).expect("formulas");
    assert_eq!(checked.status, Status::Holds, "{:?}", checked.evidence.first);
    assert_eq!(checked.formulas.len(), 1);
    assert!(checked.formulas[0].words.same > 1000);
    let several = "let n = normalize(normal.xyz);\nlet lit = clamp(dot(n, direction), 0.0, 1.0);\nOUT.xyz = textureSample(base, linear, uv.xy).rgb * lit * gain;\nOUT.w = lit;";
    assert_eq!(status(several), Status::Holds);
}

#[test]
fn a_wrong_formula_is_found_with_lane_and_operation() {
    // The clamp is left out.
    let checked = lambert_check("let n = normalize(normal.xyz);\nOUT.w = dot(n, direction);\n").expect("formulas");
    assert_eq!(checked.status, Status::Differs);
    let first = checked.evidence.first.expect("a difference");
    assert!(first.lane.is_some());
    let parting = checked.evidence.parting.expect("where they part");
    let lines: Vec<&str> = parting.original.lines.iter().map(|line| line.text.as_str()).collect();
    assert!(lines.iter().any(|line| line.contains("clamp")), "{lines:?}");
    // The other order of multiplication rounds otherwise.
    let order = "let n = normalize(normal.xyz);\nlet lit = clamp(dot(n, direction), 0.0, 1.0);\nOUT.xyz = textureSample(base, linear, uv.xy).rgb * (lit * gain);";
    assert_ne!(status(order), Status::Holds);
}

#[test]
fn a_tolerance_holds_just_inside_and_not_just_outside() {
    let source = "@fragment fn main(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> {
        return vec4<f32>(a.x * 0.5, clamp(a.y, 0.0, 1.0), 0.0, 0.0);
    }";
    let program = wgsl::read(source, &wgsl::Options::default()).expect("a program");
    let finite = |text: &str| {
        let text = text.replace("OUT", &output_name(&program));
        held(&program, &text, &Settings { edges: false, ..settings() }).expect("formulas").status
    };
    // Adding one to the bits of a finite float moves it by one float.
    let moved = |within: &str, ulps: u32| {
        format!("let half = a.x * 0.5;\n@within({within}) OUT.x = bitcast<f32>(bitcast<u32>(half) + {ulps}u);")
    };
    assert_eq!(finite(&moved("2ulp", 2)), Status::Holds);
    assert_eq!(finite(&moved("2ulp", 3)), Status::Differs);
    assert_eq!(finite(&moved("3 ulp", 3)), Status::Holds);
    // In [0, 1] a sum with 0.25 is off by less than 2^-23.
    let added = |within: &str| format!("@within({within}) OUT.y = clamp(a.y, 0.0, 1.0) + 0.25;");
    assert_eq!(finite(&added("0.25001")), Status::Holds);
    assert_eq!(finite(&added("0.2499")), Status::Differs);
}

#[test]
fn texts_that_are_no_formulas_say_what_is_wrong() {
    for (text, line, part) in [
        ("let a = 1.0;\n", 0, "no formula sets an output"),
        ("\n\nOUT.q = 1.0;\n", 3, "has the components xyzw"),
        ("@within(2)\nlet a = 1.0;\nlet b = a;", 1, "expected an assignment"),
        ("@within(two ulp) OUT.x = 1.0;\n", 1, "expected a tolerance"),
        ("@within(-1) OUT.x = 1.0;\n", 1, "expected a tolerance"),
        ("OUT.xy = vec2f(1.0, 2.0)\n", 1, "expected `;`"),
        ("OUT.x = 1.0;\nOUT.y = colour;\n", 2, "no definition in scope for identifier"),
        ("OUT.x = 1u;\n", 1, ""),
        ("let OUT = 1.0;\n", 1, "is an output of the program"),
        ("OUT.x = (1.0;\n", 1, ""),
        ("/* not closed\nOUT.x = 1.0;", 0, "no formula sets an output"),
    ] {
        let found = message(text);
        assert!(found.1.contains(part), "{text}: {found:?}");
        assert!(line == 0 || found.0 == line, "{text}: {found:?}");
    }
}

#[test]
fn an_unknown_output_lists_those_that_there_are() {
    let program = original(&root().join("tests/fixtures/gbuffer/ps_5_0.dxbc"));
    let Err(TraceError::Unknown { known, .. }) = trace(&program, "o9") else { panic!("o9 is traced") };
    assert!(known.iter().any(|name| name == "o0.xyzw"), "{known:?}");
}

#[test]
fn a_component_depends_on_no_more_than_it_needs() {
    let program = lambert();
    let name = output_name(&program);
    let alpha = trace(&program, &format!("{name}.w")).expect("a formula");
    assert!(!alpha.formulas.contains("textureSample") && alpha.formulas.contains("direction"), "{}", alpha.formulas);
}

#[test]
fn modules_are_taken_too() {
    let program = original(&root().join("tests/fixtures/tonemap/ps_5_0.dxbc"));
    let traced = trace(&program, "o0").expect("a formula");
    assert_eq!(held(&program, &traced.module, &settings()).expect("a module").status, Status::Holds);
}

#[test]
fn a_vertex_program_tells_what_feeds_its_outputs() {
    // POSITION * scale + offset by constants, an unfed output, and one through a matrix.
    let text = "
struct Frame { tiling: vec4<f32>, world: mat4x4<f32> }
@group(0) @binding(0) var<uniform> frame: Frame;
struct Out { @builtin(position) place: vec4<f32>, @location(0) uv: vec2<f32> }
@vertex fn main(@location(0) stored: vec4<f32>, @location(1) st: vec2<f32>) -> Out {
    return Out(frame.world * stored, st * frame.tiling.xy + frame.tiling.zw);
}";
    let program = wgsl::read(text, &wgsl::Options::default()).expect("a program");
    let uv = trace(&program, "uv").expect("a formula");
    let scaled: Vec<Option<String>> = uv.feeds.iter().map(|feed| feed.scaled.clone()).collect();
    assert_eq!(scaled, [Some("st.xy * tiling.xy + tiling.zw".to_string())]);
    let place = trace(&program, "position").expect("a formula");
    assert_eq!(place.feeds[0].members, ["stored.xyzw"]);
    assert!(place.feeds[0].scaled.is_none());
}
