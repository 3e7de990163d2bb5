//! Lint: programs with the findings that they must give and no other, and what is found in all compiled programs of the repository.
//!
//! A case of `tests/lints` starts with lines `// finds: PLACE RULE WORDS`, or `// finds: nothing`, and says below why that is right. PLACE is the
//! number of the instruction or line, or a name; the message must have WORDS in it. `.asm` files are assembled (vertex programs), `.wgsl` files
//! read. Rules are asked all together, apart from unused-input in `.asm` files, whose inputs have all four components.

use gpuproof_prove::lint::{Finding, RULES, Report, Rule, Subject, lint};
use gpuproof_read::dxbc::{Container, Shader, program};
use gpuproof_tests::assembler::assemble;
use gpuproof_tests::programs::{bytes, containers, each, port, root, text};
use std::path::Path;

fn container_findings(container: &Container, rules: &[&'static Rule]) -> Report {
    let shader = Shader::find(container).expect("code");
    match program(container) {
        Ok(program) => lint(&Subject::new(&program, Some(&shader)), rules),
        Err(_) => lint(&Subject::tokens(&shader), rules),
    }
}

fn findings(path: &Path) -> Vec<Finding> {
    let source = text(path);
    let is_assembly = path.extension().is_some_and(|end| end == "asm");
    if !is_assembly {
        let program = port(&source).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let rules: Vec<&Rule> = RULES.iter().collect();
        return lint(&Subject::new(&program, None), &rules).findings;
    }
    let lines = source.lines().filter(|line| !line.starts_with("//"));
    let container = assemble(lines).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let rules: Vec<&Rule> = RULES.iter().filter(|rule| rule.name != "unused-input").collect();
    container_findings(&container, &rules).findings
}

fn place(finding: &Finding) -> String {
    finding.place.number.map_or_else(|| finding.place.text.clone(), |number| number.to_string())
}

/// What is wrong with the findings of a case.
fn wrong(path: &Path) -> Option<String> {
    let source = text(path);
    let expected: Vec<&str> = source.lines().filter_map(|line| line.strip_prefix("// finds: ")).collect();
    let found = findings(path);
    let shown = || format!("{}: {found:#?}", path.display());
    if expected.is_empty() {
        return Some(format!("{}: no line `// finds: `", path.display()));
    }
    if expected == ["nothing"] {
        return (!found.is_empty()).then(shown);
    }
    let matches = |line: &&str, finding: &Finding| {
        let mut words = line.splitn(3, ' ');
        let (at, rule) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let name = place(finding);
        let at_place = name == at || name.split(' ').next() == Some(at);
        at_place && finding.rule == rule && finding.message.contains(words.next().unwrap_or_default())
    };
    let all = expected.len() == found.len();
    let each = expected.iter().all(|line| found.iter().filter(|finding| matches(line, finding)).count() == 1);
    (!all || !each).then(shown)
}

#[test]
fn cases_find_what_they_say() {
    let mut paths: Vec<_> = std::fs::read_dir(root().join("tests/lints"))
        .expect("the cases")
        .map(|file| file.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|end| end == "asm" || end == "wgsl"))
        .collect();
    paths.sort();
    assert!(paths.len() >= 25, "{} cases", paths.len());
    for rule in RULES {
        let stem = |path: &std::path::PathBuf| text(path).contains(rule.name);
        assert!(paths.iter().any(stem), "no case of {}", rule.name);
    }
    let wrong: Vec<String> = paths.iter().filter_map(|path| wrong(path)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is found in compiled programs and their ports: the files (one, or all of a stem), the rule, the places, and why that is right.
const FOUND: &[(&[&str], &str, &[&str], &str)] = &[
    (
        &["examples/gbuffer/port-wrong.wgsl"],
        "dead-code",
        &["46"],
        "the mistake of this port: line 47 clamps `x` where it should clamp `raised`",
    ),
    (
        &["atomics/cs_5_0", "atomics/cs_5_1"],
        "race-candidate",
        &["44"],
        "results.Store2(t * 8) by the number in the group: every group writes the same",
    ),
    (
        &["tests/pairs/resolve/main"],
        "dead-code",
        &["2"],
        "ld2dms takes two coordinates of a texture that is no array; the compiler sets all four",
    ),
    (&["atomics/cs_5_0-od", "atomics/cs_5_1-od"], "race-candidate", &["84"], "as in the optimised program"),
    (&["atomics/cs_5_0-returning"], "race-candidate", &["46"], "results.Store4(t * 16), likewise"),
    (&["atomics/cs_5_0-returning-od"], "race-candidate", &["110"], "as in the optimised program"),
    (
        &["compute_4/cs_4_0-raw"],
        "race-candidate",
        &["5"],
        "lanes of one x and different y store at x * 8, and other lanes load from the unaligned address y",
    ),
    (&["compute_4/cs_4_0-raw-od"], "race-candidate", &["8"], "as in the optimised program"),
    (
        &["exits/cs_5_0", "exits/cs_5_0-o0", "exits/cs_5_0-prefer-flow"],
        "race-candidate",
        &["5", "34", "40"],
        "data[id.x + 1] is the next lane's data[id.x]; data[i] is every lane's",
    ),
    (&["exits/cs_5_0-od"], "race-candidate", &["12", "13", "14", "15", "49", "56"], "the same, a store for each component"),
    (
        &["feedback/ps_5_0-loads", "feedback/ps_5_0-loads-od"],
        "unused-input",
        &["v1 (UV)"],
        "the entry point takes uv and loads by other coordinates",
    ),
    (&["feedback/ps_5_0-views"], "dead-code", &["1"], "the view that r0 addresses has two dimensions and no mip levels"),
    (&["feedback/ps_5_0-views-od"], "dead-code", &["8"], "the same of r2"),
    (
        &["fxaa/ps_4_0-od", "fxaa/ps_4_1-od", "fxaa/ps_5_0-od"],
        "dead-code",
        &["6", "14", "22", "30", "56", "64", "72", "80"],
        "texel offsets that are folded into the instructions, and still moved to registers",
    ),
    (
        &["pbr/ps_4_0-od", "pbr/ps_4_1-od", "pbr/ps_5_0-od", "pbr/ps_5_0-ieee-od", "pbr/ps_5_1-od"],
        "dead-code",
        &["150", "151", "156", "161", "166", "167", "172", "177", "182", "183", "188", "193"],
        "counters of loops that were unrolled",
    ),
    (&["queries/ps_4_0"], "dead-code", &["1"], "a multisampled texture has no mip levels, so that ldms takes x and y alone"),
    (&["queries/ps_4_0-od"], "dead-code", &["10"], "the same"),
    (&["queries/ps_4_1"], "dead-code", &["8"], "the same"),
    (&["queries/ps_4_1-od"], "dead-code", &["19"], "the same"),
    (&["queries/ps_5_0"], "dead-code", &["42"], "the same"),
    (&["queries/ps_5_0-od"], "dead-code", &["89", "95", "101"], "the same, #95 of an array, whose layer is z"),
    (
        &["queries/ps_4_0", "queries/ps_4_0-od", "queries/ps_4_1", "queries/ps_4_1-od"],
        "unused-input",
        &["v1 (UV)"],
        "the entry point of these profiles does not use uv",
    ),
    (&["spaces/cs_5_1"], "race-candidate", &["6"], "targets[id.z & 1][id.xy]: z and z + 2 are one place"),
    (&["spaces/cs_5_1-od"], "race-candidate", &["10"], "the same"),
    (
        &["uavs/cs_5_0"],
        "race-candidate",
        &["23", "27", "29", "31", "38", "43", "46", "55", "57", "58", "59"],
        "buffer_float[id.y], buffer_uint[id.x + 8], image1[id.x], image2[id.xy], structured[id.y] and structured[id.x] are one place for lanes that \
         differ in the other numbers and store those; image3[id] is image3[id.zyx] of another lane; raw at an address that is loaded; and \
         raw.Store3(64) by every group",
    ),
    (
        &["uavs/cs_5_0-od"],
        "race-candidate",
        &[
            "35", "40", "43", "45", "55", "61", "64", "88", "89", "90", "91", "92", "93", "94", "95", "96", "97", "98", "99",
            "100",
        ],
        "the same, a store for each component of structured",
    ),
    (&["stages/ds_5_0"], "unused-input", &["v1 (COLOR)"], "domain takes the patch's mean"),
    (
        &["tessellation/ds_5_0-line", "tessellation/ds_5_1-line"],
        "unused-input",
        &["v1 (NORMAL)", "v2 (TEXCOORD)"],
        "domain_line takes positions alone",
    ),
    (
        &["tessellation/ds_5_0-quad", "tessellation/ds_5_0-quad-od"],
        "unused-input",
        &["v2 (TEXCOORD)"],
        "domain_quad has no use for uv",
    ),
    (&["wide/cs_5_0"], "race-candidate", &["6"], "target.Store4(id.x * 32 + 24) goes 8 bytes into what the next lane stores"),
    (&["wide/cs_5_0-od"], "race-candidate", &["63"], "the same"),
];

/// All programs with original or port of the fixtures, pairs and examples: DXBC files, and WGSL files.
fn programs() -> Vec<String> {
    let mut all: Vec<String> = ["tests/fixtures", "tests/pairs", "examples"]
        .into_iter()
        .flat_map(|folder| containers(folder).into_iter().map(|stem| format!("{stem}.dxbc")))
        .collect();
    for folder in ["tests/pairs", "examples"] {
        for inner in std::fs::read_dir(root().join(folder)).expect("a folder").flatten() {
            let Ok(files) = std::fs::read_dir(inner.path()) else { continue };
            let name = inner.file_name().to_string_lossy().to_string();
            let files = files.flatten().map(|file| file.file_name().to_string_lossy().to_string());
            all.extend(files.filter(|file| file.ends_with(".wgsl")).map(|file| format!("{folder}/{name}/{file}")));
        }
    }
    all.sort();
    all
}

#[test]
fn compiled_programs_give_what_was_judged() {
    let programs = programs();
    assert!(programs.len() >= 290, "{} programs", programs.len());
    let rules: Vec<&Rule> = RULES.iter().collect();
    let wrong: Vec<String> = each(&programs, |name| {
        let path = root().join(name);
        let report = match name.ends_with(".dxbc") {
            true => container_findings(&Container::parse(&bytes(&path)).expect("a container"), &rules),
            false => {
                let program = port(&text(&path)).unwrap_or_else(|error| panic!("{name}: {error}"));
                lint(&Subject::new(&program, None), &rules)
            }
        };
        // What is stripped of reflection has the findings of the whole.
        let stem = name.trim_start_matches("tests/fixtures/").trim_end_matches(".dxbc").trim_end_matches("-strip");
        let mut found: Vec<(&str, String)> = report.findings.iter().map(|finding| (finding.rule, place(finding))).collect();
        let of_file = FOUND.iter().filter(|(files, ..)| files.contains(&stem));
        let mut expected: Vec<(&str, String)> =
            of_file.flat_map(|(_, rule, places, _)| places.iter().map(|place| (*rule, place.to_string()))).collect();
        for list in [&mut found, &mut expected] {
            list.sort();
            list.dedup();
        }
        (found != expected).then(|| format!("{name}: found {found:?}, expected {expected:?}"))
    })
    .into_iter()
    .flatten()
    .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
