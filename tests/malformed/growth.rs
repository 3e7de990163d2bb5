//! Inputs that are small for what they ask of a reader: time and memory must grow with the file all the same.

use crate::code::{COMPUTE, Code, PIXEL, op, x};
use crate::harness::Trial;
use crate::{dxbc, text, wgsl};
use std::fmt::Write;

/// Registers that a program of the format may have.
const TEMPS: u32 = 4096;

fn all_temps() -> Code {
    let mut code = Code::new(COMPUTE);
    (0..TEMPS).for_each(|temp| _ = code.set(temp, temp));
    code
}

#[test]
fn dxbc_grows_with_the_file() {
    let mut trial = Trial::new("growing DXBC", dxbc::read);
    let mut give = |what: &str, code: &Code| trial.give(&code.file(), || what.into());

    let mut code = all_temps();
    for at in 0..3000 {
        code.put(op::LOOP, &[]).put(op::BREAKC_NZ, &x(at)).mov(at, at + 1).put(op::ENDLOOP, &[]);
    }
    give("loops after all registers", &code);

    let mut code = all_temps();
    (0..200).for_each(|_| _ = code.put(op::LOOP, &[]));
    (0..TEMPS).for_each(|temp| _ = code.mov(temp, (temp + 1) % TEMPS));
    (0..200).for_each(|at| _ = code.put(op::BREAKC_NZ, &x(at)).put(op::ENDLOOP, &[]));
    give("nested loops over all registers", &code);

    let mut code = all_temps();
    code.put(op::LOOP, &[]);
    for at in 0..20_000 {
        code.put(if at % 2 == 0 { op::BREAKC_NZ } else { op::CONTINUEC_NZ }, &x(at % TEMPS));
    }
    (0..TEMPS).for_each(|temp| _ = code.mov(temp, (temp + 1) % TEMPS));
    code.put(op::ENDLOOP, &[]);
    give("many exits before all registers change", &code);

    let mut code = all_temps();
    code.put(op::LOOP, &[]);
    (0..TEMPS).for_each(|temp| _ = code.mov(temp, (temp + 1) % TEMPS));
    (0..20_000).for_each(|at| _ = code.put(op::BREAKC_NZ, &x(at % TEMPS)));
    code.put(op::ENDLOOP, &[]);
    give("many exits after all registers changed", &code);

    let mut code = all_temps();
    for at in 0..20_000 {
        code.put(op::IF_NZ, &x(at % TEMPS)).set(at % 7, at).put(op::ELSE, &[]).set(at % 5, at).put(op::ENDIF, &[]);
    }
    give("ifs after all registers", &code);

    let mut code = all_temps();
    (0..20_000).for_each(|at| _ = code.put(op::RETC_NZ, &x(at % TEMPS)));
    give("returns", &code);

    for breaks in [false, true] {
        let mut code = all_temps();
        code.put(op::SWITCH, &x(0));
        for case in 0..20_000 {
            code.put(op::CASE, &[0x0000_4001, case]).set(case % TEMPS, case);
            if breaks {
                code.put(op::BREAK, &[]);
            }
        }
        code.put(op::ENDSWITCH, &[]);
        give(if breaks { "a huge switch" } else { "a huge switch that falls through" }, &code);
    }

    for (what, opcode) in [("loops that stay open", op::LOOP), ("ifs that stay open", op::IF_NZ)] {
        let mut code = Code::new(COMPUTE);
        (0..100_000).for_each(|_| _ = code.put(opcode, if opcode == op::LOOP { &[] } else { &[0x0000_4001, 1] }));
        give(what, &code);
    }

    // Each subroutine calls the next twice: 2^30 calls.
    let label = |number: u32| [0x0010_a000, number];
    let mut code = Code::new(COMPUTE);
    code.put(op::CALL, &label(0)).put(op::RET, &[]);
    for at in 0..30 {
        code.put(op::LABEL, &label(at)).put(op::CALL, &label(at + 1)).put(op::CALL, &label(at + 1)).put(op::RET, &[]);
    }
    code.put(op::LABEL, &label(30)).set(0, 1).put(op::RET, &[]);
    give("calls that double", &code);

    let mut code = Code::new(COMPUTE);
    code.put(op::CALL, &label(0)).put(op::RET, &[]).put(op::LABEL, &label(0)).put(op::CALL, &label(0)).put(op::RET, &[]);
    give("recursion", &code);

    let mut code = Code::new(COMPUTE);
    for at in 0..3000 {
        // dcl_constantbuffer CB<at>[1], immediateIndexed
        code.put(89, &[0x0020_8e46, at, 1]);
    }
    // mov r0, cb[r0.x + 0][0]
    (0..3000).for_each(|_| _ = code.put(op::MOV, &[0x0010_00f2, 0, 0x0020_0e46 | 3 << 22, 0, 0x0010_000a, 0, 0]));
    give("choices among constant buffers", &code);

    let mut code = Code::new(PIXEL);
    for at in 0..3000 {
        // dcl_output o<at>.xyzw, dcl_indexrange o<at>.xyzw 64
        code.put(101, &[0x0010_20f2, at]).put(91, &[0x0010_20f2, at, 64]);
    }
    // mov o[r0.x + 0], r0
    (0..3000).for_each(|_| _ = code.put(op::MOV, &[0x0010_20f2 | 3 << 22, 0, 0x0010_000a, 0, 0x0010_0e46, 0]));
    give("choices among outputs", &code);

    let mut code = Code::new(COMPUTE);
    (0..100_000).for_each(|_| _ = code.put(op::ADD, &[0x0010_00f2, 0, 0x0010_0e46, 0, 0x0010_0e46, 0]));
    give("a long chain", &code);

    trial.end(4);
}

#[test]
fn wgsl_grows_with_the_file() {
    let mut trial = Trial::new("growing WGSL", wgsl::read);
    let mut give = |what: &str, text: &str| trial.give(text.as_bytes(), || what.into());
    let main = |body: &str| format!("@compute @workgroup_size(1) fn main() {{ {body} }}");

    for (open, close) in [("(", ")"), ("-", ""), ("array(", ")"), ("vec2(", ")"), ("a[", "]")] {
        for count in [200, 100_000] {
            let text = main(&format!("let x = {}1{};", open.repeat(count), close.repeat(count)));
            give(&format!("{count} times {open}"), &text);
        }
    }
    for (open, close) in
        [("{", "}"), ("if true {", "}"), ("loop {", "break;}"), ("switch 1 { default {", "}}"), ("if true {} else ", "{}")]
    {
        for count in [100, 100_000] {
            give(&format!("{count} times {open}"), &main(&format!("{}{}", open.repeat(count), close.repeat(count))));
        }
    }
    let mut types = String::from("struct S0 { a: vec4<f32> }\n");
    for at in 1..30 {
        _ = writeln!(types, "struct S{at} {{ a: S{0}, b: S{0} }}", at - 1);
    }
    give("structures that double", &format!("{types}{}", main("var s: S29;")));
    give(
        "structures that double, buffer",
        &format!("{types}@group(0) @binding(0) var<storage, read_write> b: S24;\n{}", main("b = b;")),
    );
    give("a large array", &main("var a: array<f32, 100000000>; a[0] = 1.0;"));
    give("arrays of arrays", &main("var a: array<array<array<array<f32, 1000>, 1000>, 1000>, 1000>; a[0][0][0][0] = 1.0;"));
    give("a large constant", &main("const a = array<f32, 100000000>(); var x = a[3];"));

    let mut calls = String::from("fn f0(x: f32) -> f32 { return x; }\n");
    for at in 1..300 {
        _ = writeln!(calls, "fn f{at}(x: f32) -> f32 {{ return f{0}(x) + f{0}(x); }}", at - 1);
    }
    give("calls that double", &format!("{calls}{}", main("var x = f299(1.0);")));
    let mut pointers = String::from("fn f0(p: ptr<function, f32>) { *p = 1.0; }\n");
    for at in 1..40 {
        _ = writeln!(pointers, "fn f{at}(p: ptr<function, f32>) {{ f{0}(p); f{0}(p); }}", at - 1);
    }
    give("pointers that are passed on", &format!("{pointers}{}", main("var x = 1.0; f39(&x);")));
    let mut folded = String::from("const c0 = 1.0;\n");
    for at in 1..60 {
        _ = writeln!(folded, "const c{at} = c{0} + c{0} * 0.25;", at - 1);
    }
    give("constants that double", &format!("{folded}{}", main("var x = sin(c59);")));

    let variables: String = (0..2000).map(|at| format!("var v{at} = {at}.0;\n")).collect();
    let loops: String = (0..2000).map(|at| format!("loop {{ if v{at} > 1.0 {{ break; }} v{at} += 1.0; }}\n")).collect();
    give("many variables and loops", &main(&(variables + &loops)));
    let cases: String = (0..5000).map(|at| format!("case {at}: {{ x = {at}.0; }}\n")).collect();
    give("a huge switch", &main(&format!("var x = 1.0; switch 3 {{ {cases} default {{}} }}")));
    for count in [20_000, 1_000_000] {
        let chain = "x = x;\n".repeat(count);
        give(&format!("a chain of {count}"), &main(&format!("var x = 1.5; {chain}")));
    }
    let matrices: String = (0..2000).map(|_| "m = m * m;\n").collect();
    give("products of matrices", &main(&format!("var m = mat4x4<f32>(); {matrices}")));
    trial.end(5);
}

#[test]
fn program_texts_grow_with_the_file() {
    let mut trial = Trial::new("growing program text", text::read);
    let mut give = |what: &str, text: &str| trial.give(text.as_bytes(), || what.into());
    let header = "program \"main\" d3d11 compute 1x1x1 entry fn0\n";
    let function = |body: &str| format!("{header}function fn0 \"main\" () -> () {{\n{body}\nreturn\n}}\n");

    for open in ["block @0 {\n", "loop @0 {\n", "if @0 %0 {\n", "switch @0 %0 {\ncase @1 default {\n"] {
        give(&format!("100000 times {open}"), &format!("{header}function fn0 \"main\" () -> () {{\n{}", open.repeat(100_000)));
    }
    for open in ["[", "Some(", "(a:", "Array(element:"] {
        give(&format!("100000 times {open}"), &format!("{header}array array0 {}", open.repeat(100_000)));
        give(&format!("100000 times {open} in a layout"), &format!("{header}resource res0 (layout:{}", open.repeat(100_000)));
    }
    let chain: String = (1..50_000).map(|at| format!("%{at}:32 = f32.add %{0}, %{0}\n", at - 1)).collect();
    give("a long chain", &function(&format!("%0:32 = const 0x1\n{chain}")));
    give("values far apart", &function("%4294967295:32 = const 0x1"));
    let blocks: String = (0..20_000).map(|at| format!("block @{at} {{\nbr @{at}\n}}\n")).collect();
    give("blocks", &function(&blocks));
    let values = (0..3000).map(|at| format!("%{at}")).collect::<Vec<_>>().join(", ");
    let constants: String = (0..3000).map(|at| format!("%{at}:32 = const {at:#x}\n")).collect();
    let returns = format!("return {values}\n").repeat(100);
    give("wide returns", &function(&format!("{constants}{returns}")));
    give("one long line", &function(&"%".repeat(1_000_000)));
    give("one long string", &format!("program \"{}", "\\u{41}".repeat(200_000)));
    let functions: String = (0..5000)
        .map(|at| format!("function fn{at} \"f\" () -> () {{\ncall fn{0}\ncall fn{0}\nreturn\n}}\n", (at + 1) % 5000))
        .collect();
    give("functions that call the next", &format!("{header}{functions}"));
    trial.end(2);
}
