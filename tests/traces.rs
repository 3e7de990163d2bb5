//! Formulas: what `trace` writes of every output of every fixture checks as the same and is not long, and formulas that people wrote are
//! held or found wrong where they are.

use gpuproof_program::{Attrs, FunctionBuilder, FunctionId, InputId, Op, OutputId, Program, Target, Value, Width};
use gpuproof_prove::compare::Status;
use gpuproof_prove::trace::{Trace, TraceError, trace, traceable};
use gpuproof_prove::{Check, CheckError, Settings, Subject, check};
use gpuproof_read::wgsl;
use gpuproof_tests::programs::{containers, each, original, root, text};

/// Outputs that are compared, but not on every word, and the only limit that there may be.
const LIMITED: &[(&str, &str, &str)] = &[
    ("counters/ps_5_0", "nodes", "no lane of any case wrote heads"),
    ("counters/ps_5_0", "heads", "no lane of any case wrote heads"),
    ("counters/ps_5_0-strip", "u", "no lane of any case wrote u2"),
    ("counters/ps_5_0-od", "nodes", "no lane of any case wrote heads"),
    ("counters/ps_5_0-od", "heads", "no lane of any case wrote heads"),
];

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
    let known = LIMITED.iter().find(|(fixture, output, _)| name.ends_with(fixture) && traced.output.starts_with(output));
    let limited = evidence.limits.iter().all(|limit| known.is_some_and(|(.., why)| limit.contains(why)));
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
        let (mut traced, mut faults) = (0, Vec::new());
        for output in traceable(&program) {
            match trace(&program, &output.name) {
                Ok(found) => {
                    traced += 1;
                    faults.extend(fault(name, &program, &found).map(|fault| format!("{name} {}: {fault}", output.name)));
                }
                Err(error) => faults.push(format!("{name} {}: {error}", output.name)),
            }
        }
        (traced, faults)
    });
    let traced: usize = found.iter().map(|one| one.0).sum();
    let faults: Vec<String> = found.into_iter().flat_map(|one| one.1).collect();
    assert!(faults.is_empty(), "{} of {traced}\n{}", faults.len(), faults.join("\n"));
    assert!(traced >= 376, "{traced} traced");
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
fn mistakes_are_told_with_their_column_and_with_names_that_are_near() {
    let error = |text: &str| match lambert_check(text) {
        Err(CheckError::Formulas(error)) => error,
        other => panic!("{text}: {:?}", other.map(|checked| checked.status)),
    };
    // The line, the word that stands at the column (none where no place is known), and a part of the message.
    for (text, line, word, part) in [
        ("OUT.x = direcion.x;", 1, "direcion", "near it there is direction"),
        ("let n = normal.xyz;\nOUT.x = lerp(n.x, gain, 0.5);", 2, "lerp", "WGSL has mix"),
        ("OUT.xyz = normal.xyz + nromal.xyz;", 1, "nromal", "near it there is normal"),
        ("let a = 1.0;\n  OUT.q = a;", 2, "OUT", "has the components xyzw"),
        ("OUT.x = textureSample(base, linaer, uv.xy).x;", 1, "linaer", "near it there is linear"),
        ("OUT.x = gain\n  * gian;", 2, "gian", "near it there is gain"),
        ("OUT.x = gain +;", 1, ";", "expected"),
        ("OUT.x = f32(read_status(gain));", 1, "", "a texture read"),
        ("OUT.x = at_centroid(vec4f(gain)).x;", 1, "", "an input of the program"),
        ("OUT.x = least_level(vec4f(gain), 1.0).x;", 1, "", "takes what textureSample"),
        ("OUT.x = normal.xyz * uv.xy;", 1, "normal", "vec3<f32> and vec2<f32>"),
        ("OUT.x = vec2f(gain, 2.0);", 1, "", "another type"),
        ("OUT.x = frac(gain);", 1, "frac", "WGSL has fract"),
        ("OUT.x = float3(1.0, 1.0, 1.0).x;", 1, "float3", "WGSL has vec3f"),
        ("if gain { OUT.x = 1.0; }", 1, "", ""),
        ("OUT.x = min(gain, 1u);", 1, "min", "argument #2 has type u32"),
        ("OUT.x = textureSample(base, uv.xy).x;", 1, "", ""),
        ("for (var i = 0; i < 3; i++) { OUT.x = gian; }", 1, "gian", "near it there is gain"),
        ("let x = 1.0;\nlet x = 2.0;\nOUT.x = x;", 2, "", ""),
        ("OUT.x = gain;\nbreak;", 0, "", ""),
        ("OUT.x = pow(gain);", 1, "", ""),
    ] {
        let found = error(text);
        assert!(found.message.contains(part), "{text}: {found:?}");
        assert!(line == 0 || found.line == line, "{text}: {found:?}");
        let output = output_name(&lambert());
        let (text, word) = (text.replace("OUT", &output), word.replace("OUT", &output));
        let of_line = text.lines().nth((found.line as usize).saturating_sub(1)).unwrap_or("");
        let at = of_line.get((found.column as usize).saturating_sub(1)..).unwrap_or("");
        assert!(word.is_empty() || (found.column > 0 && at.starts_with(&word)), "{text}: {found:?}");
        let message = &found.message;
        assert!(!message.contains('\n') && !message.contains("naga") && !message.is_empty(), "{text}: {found:?}");
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

/// A program of the key and the value that the text names, with another body.
fn of_key_and_value(body: impl FnOnce(&mut FunctionBuilder, Value, Value) -> Value) -> Program {
    let frame = "@fragment fn main(@location(0) @interpolate(flat) key: u32, @location(1) v: f32) -> @location(0) f32 { return v + f32(key); }";
    let mut program = wgsl::read(frame, &wgsl::Options::default()).expect("a program");
    let at = |name: &str| {
        let found = program.interface.inputs.iter().position(|input| input.name == name).expect("an input");
        Attrs::target(Target::Input(InputId(found as u32), 0))
    };
    let mut b = FunctionBuilder::new("main", &[]);
    let [key, v] = ["key", "v"].map(|name| b.value_of(Width::W32, Op::Input, at(name), &[]));
    let result = body(&mut b, key, v);
    b.effect(Op::Output, Attrs::target(Target::Output(OutputId(0), 0)), &[result]);
    program.functions = vec![b.finish()];
    program.entry = FunctionId(0);
    gpuproof_program::validate(&program).expect("a valid program");
    program
}

#[test]
fn arms_that_fall_through_are_choices_one_after_another() {
    // 1 falls through the default into 8, which leaves; 10 falls off the end; a value differs between entering and falling.
    let program = of_key_and_value(|b, key, v| {
        let sum = b.local(Width::W32);
        b.set(sum, v);
        let rules = b.value_of(Width::W32, Op::UToF, Attrs::default(), &[key]);
        let label = b.begin_switch(key);
        let add = |b: &mut FunctionBuilder, amount: f32| {
            let (now, amount) = (b.get(sum), b.word(amount.to_bits()));
            let next = b.value_of(Width::W32, Op::FAdd, Attrs::default(), &[now, amount]);
            b.set(sum, next);
        };
        b.begin_arm(&[1, 3], false);
        add(b, 1.0);
        b.begin_arm(&[4], true);
        add(b, 16.0);
        let small = b.word(2);
        let is_small = b.value_of(Width::W1, Op::ULt, Attrs::default(), &[key, small]);
        b.begin_if(is_small);
        b.br(label);
        b.end_if();
        b.begin_arm(&[8], false);
        add(b, 256.0);
        b.br(label);
        b.begin_arm(&[10], false);
        b.set(sum, rules);
        b.end();
        b.get(sum)
    });
    let name = output_name(&program);
    let traced = trace(&program, &name).expect("a formula");
    assert_eq!(fault("falls through", &program, &traced), None, "{}", traced.formulas);
    // The same by hand: 3 goes through all three, 1 leaves in the second.
    let hand = |last: &str| {
        format!(
            "var sum = v;
if key == 10u {{ sum = f32(key); }}
else if key == 8u {{ sum = v + 256.0; }}
else if key == 3u {{ sum = v + 1.0 + 16.0 + 256.0; }}
else if key == 1u {{ sum = v + 1.0 + 16.0; }}
else if key == 0u {{ sum = v + 16.0; }}
else {{ sum = v + 16.0 + {last}; }}
{name} = sum;"
        )
    };
    let held = |text: &str| held(&program, text, &settings()).expect("formulas").status;
    assert_eq!(held(&hand("256.0")), Status::Holds);
    assert_eq!(held(&hand("255.0")), Status::Differs);
}

#[test]
fn functions_of_formulas_are_what_the_program_s_language_makes_of_them() {
    let text = |file: &str, output: &str| {
        let program = original(&root().join(file));
        trace(&program, output).expect("a formula").formulas
    };
    // HLSL's normalize, lerp, pow and cross, which the source of these fixtures calls.
    let pbr = text("tests/fixtures/pbr/ps_5_0.dxbc", "o0");
    for part in ["normalize(", "cross(", "reflect(", "clamp("] {
        assert!(pbr.contains(part), "{part}\n{pbr}");
    }
    assert!(!pbr.contains("inverseSqrt(dot(NORMAL0"), "{pbr}");
    let noise = text("examples/noise/original.dxbc", "o0");
    assert!(noise.contains("mix("), "{noise}");
    // What such a text says is held to the same: another order of the arguments differs.
    let program = original(&root().join("examples/noise/original.dxbc"));
    let traced = trace(&program, "o0").expect("a formula");
    let last = traced.formulas.lines().last().expect("a line").to_string();
    assert!(last.contains("mix(low_color, high_color, "), "{last}");
    let wrong = traced.formulas.replace("mix(low_color, high_color, ", "mix(high_color, low_color, ");
    assert_eq!(held(&program, &traced.formulas, &settings()).expect("formulas").status, Status::Holds);
    assert_eq!(held(&program, &wrong, &settings()).expect("formulas").status, Status::Differs);
}

#[test]
fn functions_that_stand_for_what_wgsl_lacks_are_held_too() {
    // A part of a fixture's formulas, and what is wrong in its place.
    for (file, output, right, wrong) in [
        ("feedback/ps_5_0", "o0", ", lod_clamp)", ", lod_clamp + 8.0)"),
        ("feedback/ps_5_0", "o0", "= read_status(", "= 0u * read_status("),
        ("interpolation/ps_5_0", "o0", "at_sample(A0, bitcast<i32>(SV_SampleIndex0))", "at_centroid(A0)"),
        ("interpolation/ps_5_0", "o0", "vec2i(-3i, 4i)", "vec2i(4i, -3i)"),
        ("queries/ps_5_0", "o0", "target_sample_position(1u)", "target_sample_position(2u)"),
        ("textures/ps_4_1", "o0", "t2_level(s, ", "1.5 * t2_level(s, "),
        ("textures/ps_5_0", "o0", "vec2f(UV0.x, 0.5)", "vec2f(UV0.y, 0.5)"),
    ] {
        let program = original(&root().join(format!("tests/fixtures/{file}.dxbc")));
        let traced = trace(&program, output).expect("a formula");
        assert!(traced.formulas.contains(right), "{file}: {right}\n{}", traced.formulas);
        let changed = traced.formulas.replacen(right, wrong, 1);
        assert_eq!(held(&program, &changed, &settings()).expect("formulas").status, Status::Differs, "{file}: {wrong}");
    }
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
    assert_eq!(place.feeds[0].matrices, ["world"]);
    assert!(place.feeds[0].scaled.is_none());
    // Its source multiplies by world, then by view_projection.
    let pbr = original(&root().join("tests/fixtures/pbr/vs_5_0.dxbc"));
    let position = trace(&pbr, "position").expect("a formula");
    assert_eq!(position.feeds[0].members, ["POSITION0.xyz"]);
    assert_eq!(position.feeds[0].matrices, ["world", "view_projection"]);
}
