//! Prints the facts about allowed results as Markdown: `cargo run -p gpuproof-number --example allowed > docs/allowed.md`.

use gpuproof_number::allowed::{Bound, Domain, Format, Row, Specification};

fn main() {
    print!("{}", page());
}

const HEAD: &str = "# Allowed results

Made from the tables in `crates/number/src/allowed/` by `cargo run -p gpuproof-number --example allowed > docs/allowed.md`; a test holds them equal.

A specification fixes a set of results for an operation. Canonical is what a run computes: the correctly rounded result of each step, to nearest even
(`crates/program/OPERATIONS.md`). The set says what else an implementation may give.

* **ulp** is the least distance between two values of the format that the exact result lies between.
* **unbounded** means that the specification promises nothing: such a set never excuses a difference.
* Tests in `crates/number/tests/allowed.rs` hold a value just inside and one just outside of each.
";

/// The whole page.
pub(crate) fn page() -> String {
    let mut page = String::from(HEAD);
    page.push_str(
        "\n## Direct3D 11\n\nSections are those of the Direct3D 11.3 functional specification 1.16. f32 denormals become zeros of their sign, in and out \
         (3.1.3); f16 and f64 keep theirs (3.1.4, 3.1.5). Infinities, NaN and poles give what the section's table says, canonical, unless the operation may be \
         refactored (22.3.2 without 22.19.2 precise): then such operands and results are unbounded, and operations may be fused and reassociated. Without the \
         global flag refactoringAllowed all is precise. Programs of shader model 4 have no such flag, though their compilers refactored: what would be allowed of \
         them if they could be refactored `verify` tells as a hint, and `verify --refactor` takes for allowed.\n\n",
    );
    table(Specification::D3D11, &mut page);
    page.push_str(
        "\nSampling (`allowed::sampling`): coordinates and levels of detail in fixed point with at least 8 fraction bits, within 0.6 of the last (7.18.16.1, 3.2.4.1); the \
         fraction is the weight of a linear filter (7.18.8); a NaN of weight 0 counts or does not (7.18.16.2); results lie between the texels (7.18.16.3), to the rounding of the \
         floats' operations (7.18.16.2); beside an edge a point filter takes either texel, and a gather either footprint. The face of a cube goes to z, then y, then x in a tie (7.18.7). \
         Not asked: cubes, and levels of detail from derivatives unless there is but one level; no bound is known of those.\n",
    );
    page.push_str(
        "\n## WGSL\n\nSections are those of the WGSL specification. Infinities, NaN and overflow, of operands or results, are unbounded (15.7.2, finite math \
         assumption), and so are operands outside a function's domain (15.7.7). Zeros have no sign that counts (15.7.2). Denormal operands and results of everything \
         here may become zeros (15.7.2). Operations may be reassociated, and fused where that is at least as accurate (15.7.5). What the specification gives \
         as an expression (pow, mix, length, tan, ...) has the composed sets of its parts. Nothing is said of the precision of sampling: it is unbounded.\n\n",
    );
    table(Specification::Wgsl, &mut page);
    page.push_str(
        "\n## Vulkan\n\nSections are those of the Vulkan specification's chapter Precision and Operation of SPIR-V Instructions, and instructions of SPIR-V. Infinities, NaN and \
         overflow, of operands or results, are unbounded, and so are operands outside a function's domain; zeros have no sign that counts. Denormal operands and results may become zeros, \
         unless the entry point declares DenormPreserve or DenormFlushToZero. Operations without NoContraction may be fused and reassociated. What the specification gives \
         as an expression (pow, mix, length, tan, ...) has the composed sets of its parts. The weights of filtering have as many bits as a device likes: sampling is unbounded.\n\n",
    );
    table(Specification::Vulkan, &mut page);
    page
}

fn table(specification: Specification, page: &mut String) {
    page.push_str("| function | format | where | allowed | section | note |\n|---|---|---|---|---|---|\n");
    for row in specification.rows() {
        page.push_str(&line(row));
    }
}

fn line(row: &Row) -> String {
    let formats: Vec<&str> = row
        .formats
        .iter()
        .map(|format| match format {
            Format::F16 => "f16",
            Format::F32 => "f32",
            Format::F64 => "f64",
        })
        .collect();
    let cells = [
        format!("{:?}", row.function),
        formats.join(" "),
        place(row.domain),
        bound(row.bound),
        row.section.into(),
        row.note.into(),
    ];
    format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|").replace('*', "\\*")).join(" | "))
}

const OPERANDS: [&str; 3] = ["a", "b", "c"];

fn place(domain: Domain) -> String {
    match domain {
        Domain::All => String::new(),
        Domain::Range(at, low, high) if low == high => format!("{} = {}", OPERANDS[at], number(low)),
        Domain::Range(at, low, high) => between(OPERANDS[at], low, high),
        Domain::Magnitude(ranges) => {
            let each = ranges.iter().map(|(at, low, high)| between(&format!("|{}|", OPERANDS[*at]), *low, *high));
            each.collect::<Vec<_>>().join(", ")
        }
    }
}

fn between(name: &str, low: f64, high: f64) -> String {
    match (low == -f64::MAX, high == f64::MAX) {
        (true, _) => format!("{name} ≤ {}", number(high)),
        (_, true) => format!("{name} ≥ {}", number(low)),
        _ => format!("{} ≤ {name} ≤ {}", number(low), number(high)),
    }
}

fn bound(bound: Bound) -> String {
    match bound {
        Bound::Exact => "exact".into(),
        Bound::Nearest => "nearest, ties to even".into(),
        Bound::Faithful => "either neighbour".into(),
        Bound::Directed => "rounded as the instruction says".into(),
        Bound::Ulp { base, slope: 0.0 } => format!("{base} ulp"),
        Bound::Ulp { base, slope } => format!("{base} + {slope} |a| ulp"),
        Bound::Relative(error) => format!("relative {}", number(error)),
        Bound::Absolute(error) => format!("absolute {}", number(error)),
        Bound::AbsoluteInUnit(error) => format!("absolute {}, in [-1, 1]", number(error)),
        Bound::Serial => "no worse than the worst serial order".into(),
        Bound::Parts => "its parts in any order, fused or not".into(),
        Bound::TwoStep(ulps) => format!("a / b, or a * r with r within {ulps} ulp of 1 / b"),
        Bound::Inherited(expression) => format!("as {expression}"),
        Bound::AbsoluteOrInherited(error, expression) => format!("the worse of absolute {} and as {expression}", number(error)),
        Bound::Integer(step) => format!("any integer within {step}"),
        Bound::Unbounded(reason) => format!("unbounded: {reason}"),
        Bound::UnboundedInUnit(reason) => format!("unbounded, in [-1, 1]: {reason}"),
    }
}

/// Powers of two and multiples of pi as such.
fn number(x: f64) -> String {
    let turns = x / core::f64::consts::PI;
    let power = x.abs().log2();
    if x != 0.0 && power == power.trunc() && power.abs() > 4.0 {
        return format!("{}2^{power}", if x < 0.0 { "-" } else { "" });
    }
    if turns != 0.0 && turns == turns.trunc() {
        return match turns {
            1.0 => "pi".into(),
            -1.0 => "-pi".into(),
            _ => format!("{turns} pi"),
        };
    }
    format!("{x}")
}
