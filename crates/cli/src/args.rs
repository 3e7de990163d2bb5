//! The command line's words.

use clap::builder::TypedValueParser;
use clap::{Args, Parser, Subcommand};
use gpuproof_run::{Machine, Schedule, UndefinedChoice};

/// The most lanes that are generated: what every lane reads is in memory.
const MOST_LANES: u64 = 1 << 26;

/// Tells what a compiled GPU program computes, runs it exactly on the CPU, and shows whether a port computes the same.
#[derive(Debug, Parser)]
#[command(name = "gpuproof", version, max_term_width = 110, propagate_version = true, disable_help_subcommand = true)]
#[command(after_help = "\
Exit status: 0 it holds, 1 it differs, 2 unusable input or arguments, 3 not supported, 4 inconclusive.
Any FILE may be - for standard input. What a file is, is found from its content: DXBC containers (SM 4.0 to 5.1), effects of them, and WGSL.

Examples:
  gpuproof verify original.dxbc port.wgsl     hold a port against the original
  gpuproof info shader.dxbc                   what a file holds
  gpuproof list shader.dxbc                   its listing
  gpuproof run shader.dxbc --grid 4x4x1       run it on generated inputs
  gpuproof trace shader.dxbc o0.x             an output as a formula
  gpuproof check shader.dxbc formulas.wgsl    hold formulas against it")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Tell what a file holds: parts, signatures, resources and their layout, root signature, programs of an effect
    #[command(after_help = "\
Examples:
  gpuproof info shader.dxbc
  gpuproof info port.wgsl --entry vs_main --json
  cat shader.dxbc | gpuproof info -")]
    Info(Info),
    /// Find every compiled program in any file and write each out
    #[command(after_help = "\
Finds DXBC containers in executables, archives and bundles that are not compressed, those inside effects too, and the programs of
Direct3D 9 that containers for feature level 9 have beside their own.

Examples:
  gpuproof extract game.exe                   what there is, and where
  gpuproof extract game.exe --to shaders      write each to shaders/OFFSET-KIND.dxbc")]
    Extract(Extract),
    /// Print a listing: what Microsoft's disassembler prints of a container, or a text's lines
    #[command(after_help = "\
Examples:
  gpuproof list shader.dxbc
  gpuproof list shader.dxbc --numbers         with the numbers by which other commands name instructions
  gpuproof list shader.dxbc --program         gpuproof's own representation, which reads back
  gpuproof list port.wgsl --entry fs_main --program")]
    List(List),
    /// Run a program exactly and print what it gives
    #[command(after_help = "\
Inputs that are not given are generated from the seed.

Examples:
  gpuproof run shader.dxbc                                    generated inputs
  gpuproof run shader.dxbc --bind t0=albedo.dds b0=frame.bin --input v1=uv.npy
  gpuproof run shader.dxbc --bind b0=constants.toml --sampler s0=point,clamp
  gpuproof run reduce.wgsl --entry main --grid 8 --set WIDTH=64 --json
  gpuproof run shader.dxbc --machine nvidia-sm90              with an H200's functions, see docs/machines
  gpuproof run shader.dxbc --save-case case.json              keep what it read
  gpuproof run shader.dxbc --case case.json --values          replay it, every value
  gpuproof run shader.dxbc --undefined seed:2                 other values for what is undefined")]
    Run(Box<Run>),
    /// Look for mistakes that a program shows by itself
    #[command(after_help = "\
Exit status: 0 nothing found, 1 something found, 2 and above as for every command.

Examples:
  gpuproof lint shader.dxbc
  gpuproof lint all.wgsl                                      every entry point
  gpuproof lint shader.dxbc --allow dead-code unused-input    not these
  gpuproof lint shader.dxbc --rule never-written --json       this one alone
  gpuproof lint --rules                                       what there is
  gpuproof lint --explain nan-mask                            a rule's manual page")]
    Lint(Lint),
    /// Write an output as formulas of the inputs, in WGSL
    #[command(after_help = "\
What is printed is a text of formulas that check takes; docs/formulas.md describes it.

Examples:
  gpuproof trace shader.dxbc                  what there is to trace
  gpuproof trace shader.dxbc o0.x             one component
  gpuproof trace shader.dxbc SV_Target0       by its semantic
  gpuproof trace vs.dxbc position             with the members that feed it
  gpuproof trace cs.dxbc u0                   what is stored to a buffer
  gpuproof trace port.wgsl color --entry fs_main
  gpuproof trace shader.dxbc o0 --wgsl        as a whole WGSL module")]
    Trace(Trace),
    /// Hold formulas against a program: every output that they set, on every lane
    #[command(after_help = "\
FORMULAS are WGSL statements that set outputs; docs/formulas.md describes them:

  let n = normalize(NORMAL0.xyz);
  o0.x = saturate(dot(n, lightDir.xyz));
  @within(2ulp) o0.y = pow(o0.x, 2.0);

Examples:
  gpuproof check shader.dxbc formulas.wgsl
  gpuproof check shader.dxbc formulas.wgsl --lanes 1000000 --seed 7
  gpuproof check shader.dxbc formulas.wgsl --bind t0=albedo.dds
  gpuproof trace shader.dxbc o0 | gpuproof check shader.dxbc -")]
    Check(Box<Check>),
    /// Hold a port against the original: run both on the same cases and show where they part
    #[command(after_help = "\
Examples:
  gpuproof verify original.dxbc port.wgsl
  gpuproof verify original.dxbc port.wgsl --seed 7 --lanes 1000000
  gpuproof verify original.dxbc port.wgsl --bind t0=albedo.dds b0=frame.bin
  gpuproof verify original.dxbc all.wgsl --port-entry fs_noise --set QUALITY=2
  gpuproof verify original.dxbc port.wgsl --machine nvidia-sm90    what the port gives there
  gpuproof verify original.dxbc port.wgsl --write-map map.toml     then edit it, and
  gpuproof verify original.dxbc port.wgsl --map map.toml
  gpuproof verify original.dxbc port.wgsl --report page.html       and look at it in a browser
  gpuproof verify original.dxbc port.wgsl --only-case 3            one of the cases alone
  gpuproof verify original.dxbc port.wgsl --save-case 3=case.json  and replay that case:
  gpuproof run original.dxbc --case case.json --values")]
    Verify(Box<Verify>),
    /// Write a program in another language: SPIR-V, WGSL, HLSL, GLSL
    #[command(after_help = "\
What is written is read back and held against the original before it is handed out; where it differs, or the comparison decides nothing, nothing is written.
Exit status: 0 it was written, 1 and 4 as for verify, 3 the language cannot say something.

Examples:
  gpuproof write shader.dxbc --to spirv --output shader.spv
  gpuproof write shader.dxbc --to wgsl                                to standard output
  gpuproof write shader.dxbc --to hlsl --recompile ./fxc -o shader.hlsl   held against what fxc makes of it
  gpuproof write shader.dxbc --to spirv --output shader.spv --lanes 1000000
  gpuproof write shader.dxbc --to spirv --output shader.spv --json    bindings and evidence
  gpuproof write shader.dxbc --to spirv --unchecked > shader.spv")]
    Write(Write),
}

/// Which program of which file.
#[derive(Debug, Args)]
pub struct Subject {
    /// A compiled program or a text; - for standard input
    pub file: String,
    /// The entry point, of a text with several; of an effect the program: Technique/Pass/ps, or a variable's name
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// Give a value of a pipeline-overridable constant of WGSL
    #[arg(long, value_name = "NAME=VALUE", value_parser = set, num_args = 1..)]
    pub set: Vec<(String, f64)>,
}

/// `info`.
#[derive(Debug, Args)]
pub struct Info {
    #[command(flatten)]
    pub subject: Subject,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `extract`.
#[derive(Debug, Args)]
pub struct Extract {
    /// Any file; - for standard input
    pub file: String,
    /// Write the programs into this folder
    #[arg(long, value_name = "FOLDER")]
    pub to: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `list`.
#[derive(Debug, Args)]
pub struct List {
    #[command(flatten)]
    pub subject: Subject,
    /// Print gpuproof's representation of the program instead
    #[arg(long, conflicts_with_all = ["numbers", "offsets"])]
    pub program: bool,
    /// Number the instructions, as other commands name them
    #[arg(long)]
    pub numbers: bool,
    /// Give the byte offset of each instruction in the file
    #[arg(long)]
    pub offsets: bool,
    /// Print JSON: the lines, with instructions as data
    #[arg(long)]
    pub json: bool,
}

/// `lint`.
#[derive(Debug, Args)]
pub struct Lint {
    /// A compiled program or a text; - for standard input
    #[arg(required_unless_present_any = ["explain", "rules"])]
    pub file: Option<String>,
    /// The entry point, of a text with several, or the program of an effect; every one if not given
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// Give a value of a pipeline-overridable constant of WGSL
    #[arg(long, value_name = "NAME=VALUE", value_parser = set, num_args = 1..)]
    pub set: Vec<(String, f64)>,
    /// Ask these rules alone
    #[arg(long, value_name = "RULE", value_parser = rule, num_args = 1..)]
    pub rule: Vec<&'static gpuproof_prove::lint::Rule>,
    /// Do not ask these rules
    #[arg(long, value_name = "RULE", value_parser = rule, num_args = 1..)]
    pub allow: Vec<&'static gpuproof_prove::lint::Rule>,
    /// Print a rule's manual page
    #[arg(long, value_name = "RULE", value_parser = rule, conflicts_with_all = ["file", "json", "rules"])]
    pub explain: Option<&'static gpuproof_prove::lint::Rule>,
    /// Print what rules there are
    #[arg(long, conflicts_with = "file")]
    pub rules: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `trace`.
#[derive(Debug, Args)]
pub struct Trace {
    #[command(flatten)]
    pub subject: Subject,
    /// The output: by register with components (o0, o0.x), semantic, builtin, name, or a buffer that is stored to; left out, those that there are
    pub output: Option<String>,
    /// Print a whole WGSL module
    #[arg(long)]
    pub wgsl: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `write`.
#[derive(Debug, Args)]
pub struct Write {
    #[command(flatten)]
    pub subject: Subject,
    /// The language
    #[arg(long, value_name = "LANGUAGE")]
    pub to: Language,
    /// The file to write; left out, standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<String>,
    /// Write it without holding it against the original
    #[arg(long)]
    pub unchecked: bool,
    /// The compiler that HLSL (fxc, dxc) or GLSL (glslangValidator) is read back through; left out, the one in PATH
    #[arg(long, value_name = "COMPILER", conflicts_with = "unchecked")]
    pub recompile: Option<String>,
    /// Seed of the cases that it is held against
    #[arg(long, default_value_t = 1, value_name = "N", conflicts_with = "unchecked")]
    pub seed: u64,
    /// Lanes in all
    #[arg(long, default_value_t = 65536, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_LANES), conflicts_with = "unchecked")]
    pub lanes: u64,
    /// Cases
    #[arg(long, default_value_t = 14, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000), conflicts_with = "unchecked")]
    pub cases: u32,
    /// Leave out cases with infinities, NaNs and subnormals
    #[arg(long, conflicts_with = "unchecked")]
    pub finite: bool,
    /// Print JSON; what is written goes to the file
    #[arg(long, requires = "output")]
    pub json: bool,
}

/// What programs are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Language {
    /// SPIR-V 1.5 for Vulkan 1.2
    Spirv,
    /// WGSL
    Wgsl,
    /// HLSL for fxc and dxc, read back through whichever there is
    Hlsl,
    /// GLSL 4.60 for Vulkan, read back through glslangValidator
    Glsl,
}

/// `check`.
#[derive(Debug, Args)]
pub struct Check {
    /// The program; - for standard input
    pub file: String,
    /// The formulas; - for standard input
    pub formulas: String,
    /// The program's entry point, of a text with several
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    #[command(flatten)]
    pub given: Given,
    /// Lanes in all
    #[arg(long, default_value_t = 65536, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_LANES))]
    pub lanes: u64,
    /// Cases
    #[arg(long, default_value_t = 14, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub cases: u32,
    /// Leave out cases with infinities, NaNs and subnormals
    #[arg(long)]
    pub finite: bool,
    /// Steps of one run (one operation on one lane each) before it is given up
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// What a person gives of a case.
#[derive(Debug, Args)]
pub struct Given {
    /// Bind a file to a resource: by register (t0, b1, u2), name, or group:binding (0:3). Of .dds, .png (textures), .npy, .toml
    /// (constants by name), else raw bytes. `:FORMAT` behind the file is the DXGI format of a typed buffer or picture, or views a .dds
    #[arg(long, value_name = "NAME=FILE", value_parser = file, num_args = 1.., help_heading = "Inputs")]
    pub bind: Vec<(String, String)>,
    /// Give an input of the lanes: by register (v1), semantic, name or location; a .npy of lanes x components, or raw words
    #[arg(long, value_name = "NAME=FILE", value_parser = file, num_args = 1.., help_heading = "Inputs")]
    pub input: Vec<(String, String)>,
    /// Set a sampler: words such as point, linear, wrap, mirror, clamp, border, less, bias=0.5, anisotropic=16, minimum, or a .toml of its fields
    #[arg(long, value_name = "NAME=STATE", value_parser = state, num_args = 1.., help_heading = "Inputs")]
    pub sampler: Vec<(String, String)>,
    /// Dispatch so many thread groups: 8, 8x8 or 8x8x1
    #[arg(long, value_name = "X[xYxZ]", value_parser = grid, help_heading = "Inputs")]
    pub grid: Option<[u32; 3]>,
    /// Give a value of a pipeline-overridable constant of WGSL
    #[arg(long, value_name = "NAME=VALUE", value_parser = set, num_args = 1.., help_heading = "Inputs")]
    pub set: Vec<(String, f64)>,
    /// The seed of what is generated
    #[arg(long, default_value_t = 1, help_heading = "Inputs")]
    pub seed: u64,
}

/// `run`.
#[derive(Debug, Args)]
pub struct Run {
    /// A compiled program or a text; - for standard input
    pub file: String,
    /// The entry point, of a text with several; of an effect the program: Technique/Pass/ps, or a variable's name
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    #[command(flatten)]
    pub given: Given,
    /// Lanes to generate
    #[arg(long, default_value_t = 64, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_LANES))]
    pub lanes: u64,
    /// Run a saved case instead
    #[arg(long, value_name = "FILE", conflicts_with_all = ["bind", "input", "sampler", "grid", "lanes"])]
    pub case: Option<String>,
    /// Save what the program read
    #[arg(long, value_name = "FILE")]
    pub save_case: Option<String>,
    /// Print every value as it is made
    #[arg(long)]
    pub values: bool,
    /// Lanes to print
    #[arg(long, default_value_t = 16, value_name = "N")]
    pub show: usize,
    /// Take a real machine's results of approximate operations (division, roots, exponents, logarithms, sin, cos), as far as its model knows them
    #[arg(long, value_name = "NAME", default_value_t = Machine::Exact, value_parser = machine())]
    pub machine: Machine,
    /// Steps (one operation on one lane) before the run is given up
    #[arg(long, value_name = "N", default_value_t = gpuproof_run::Options::default().max_steps)]
    pub max_steps: u64,
    /// What stands for what the API leaves undefined: zero, or what follows from a seed
    #[arg(long, default_value = "zero", value_name = "zero|seed:N", value_parser = undefined)]
    pub undefined: UndefinedChoice,
    /// Let --undefined hold at these lines or instructions alone
    #[arg(long, value_name = "LINE", num_args = 1..)]
    pub undefined_at: Vec<u32>,
    /// The order of lanes within an operation, and of groups
    #[arg(long, default_value = "canonical", value_name = "canonical|reversed|permuted:N", value_parser = schedule)]
    pub schedule: Schedule,
    /// Print JSON, with all lanes
    #[arg(long)]
    pub json: bool,
}

/// `verify`.
#[derive(Debug, Args)]
pub struct Verify {
    /// The original program; - for standard input
    pub original: String,
    /// The port; - for standard input. With --case also outputs that were computed elsewhere, as run --json prints them
    pub port: String,
    /// The original's entry point, of a text with several
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// The port's entry point, of a text with several
    #[arg(long, value_name = "NAME")]
    pub port_entry: Option<String>,
    #[command(flatten)]
    pub given: Given,
    /// Lanes in all
    #[arg(long, default_value_t = 65536, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_LANES))]
    pub lanes: u64,
    /// Cases
    #[arg(long, default_value_t = 14, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub cases: u32,
    /// Leave out cases with infinities, NaNs and subnormals
    #[arg(long)]
    pub finite: bool,
    /// Take the original for one that may be refactored (its operations fused, regrouped, put in another form), though it has no flag that says so, as no program of
    /// shader model 4 has
    #[arg(long)]
    pub refactor: bool,
    /// Run the port with a real machine's results of approximate operations, as far as its model knows them
    #[arg(long, value_name = "NAME", default_value_t = Machine::Exact, value_parser = machine())]
    pub machine: Machine,
    /// Run the original so: to hold an exact port against the original as it ran there, or with --machine both on one machine
    #[arg(long, value_name = "NAME", default_value_t = Machine::Exact, value_parser = machine())]
    pub original_machine: Machine,
    /// Steps of one run (one operation on one lane each) before it is given up
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Take the binding map from a file that --write-map made
    #[arg(long, value_name = "FILE")]
    pub map: Option<String>,
    /// Write the binding map to a file, to be edited
    #[arg(long, value_name = "FILE")]
    pub write_map: Option<String>,
    /// Save a case of the original (its number, from 0), to be replayed by run
    #[arg(long, value_name = "N=FILE", value_parser = numbered_file)]
    pub save_case: Option<(usize, String)>,
    /// Compare one of the cases alone, by its number from 0
    #[arg(long, value_name = "N", conflicts_with = "case")]
    pub only_case: Option<usize>,
    /// Compare on a saved case of the original alone
    #[arg(long, value_name = "FILE", conflicts_with_all = ["bind", "input", "sampler", "grid", "lanes", "cases", "save_case"])]
    pub case: Option<String>,
    /// Run the original with results of operations, or what registers held (r3.x@17), that were measured on some machine, from a .toml of tables; do they alone account
    /// for what differs?
    #[arg(long, value_name = "FILE")]
    pub captured: Option<String>,
    /// Write what was found as a page: listings side by side, pictures of the lanes, histograms, commands that replay each case
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<String>,
    /// How much is done to tell what the comparison is worth: whether its cases reach all of both programs, and would show mistakes
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Adequacy::Quick)]
    pub adequacy: Adequacy,
    /// Print the binding map even where the programs are the same
    #[arg(long)]
    pub show_map: bool,
    /// Print the Evidence as JSON
    #[arg(long)]
    pub json: bool,
}

/// The names of machines, which the help lists.
fn machine() -> impl TypedValueParser<Value = Machine> {
    let parse = |name: String| name.parse::<Machine>();
    clap::builder::PossibleValuesParser::new(Machine::ALL.map(Machine::name)).try_map(parse)
}

/// How much is done to tell what a comparison is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Adequacy {
    /// Nothing
    Off,
    /// A sample of mutants and a short search: about a second
    Quick,
    /// Every mutant and a long search
    Full,
}

fn pair(text: &str, expected: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => Ok((name.into(), value.into())),
        _ => Err(format!("expected {expected}")),
    }
}

fn file(text: &str) -> Result<(String, String), String> {
    pair(text, "NAME=FILE")
}

fn state(text: &str) -> Result<(String, String), String> {
    pair(text, "NAME=STATE")
}

fn numbered_file(text: &str) -> Result<(usize, String), String> {
    const EXPECTED: &str = "N=FILE, a case's number and a file";
    let (number, file) = pair(text, EXPECTED)?;
    let number = number.parse().map_err(|_| format!("expected {EXPECTED}, found '{number}' for the number"))?;
    Ok((number, file))
}

fn set(text: &str) -> Result<(String, f64), String> {
    let (name, value) = pair(text, "NAME=VALUE")?;
    let number = match value.as_str() {
        "true" => 1.0,
        "false" => 0.0,
        value => value.parse().map_err(|_| format!("expected a number after '{name}=', found '{value}'"))?,
    };
    Ok((name, number))
}

/// The number behind a word and a colon.
fn numbered(text: &str, word: &str) -> Option<u64> {
    text.strip_prefix(word)?.strip_prefix(':')?.parse().ok()
}

fn undefined(text: &str) -> Result<UndefinedChoice, String> {
    match (text, numbered(text, "seed")) {
        ("zero", _) => Ok(UndefinedChoice::Zero),
        (_, Some(seed)) => Ok(UndefinedChoice::Seeded(seed)),
        _ => Err("expected zero, or seed:N with a number".into()),
    }
}

fn schedule(text: &str) -> Result<Schedule, String> {
    match (text, numbered(text, "permuted")) {
        ("canonical", _) => Ok(Schedule::Canonical),
        ("reversed", _) => Ok(Schedule::Reversed),
        (_, Some(seed)) => Ok(Schedule::Permuted(seed)),
        _ => Err("expected canonical, reversed, or permuted:N with a number".into()),
    }
}

fn rule(text: &str) -> Result<&'static gpuproof_prove::lint::Rule, String> {
    use gpuproof_prove::lint::{RULES, Rule};
    Rule::named(text).ok_or_else(|| {
        let names: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
        format!("expected one of {}", names.join(", "))
    })
}

fn grid(text: &str) -> Result<[u32; 3], String> {
    let mut sizes = [1; 3];
    let parts: Vec<&str> = text.split('x').collect();
    if parts.len() > 3 {
        return Err("expected up to three sizes, as in 8x8x1".into());
    }
    for (size, part) in sizes.iter_mut().zip(parts) {
        *size = part.parse().ok().filter(|size| *size > 0).ok_or_else(|| format!("expected a number above 0, found '{part}'"))?;
    }
    Ok(sizes)
}
