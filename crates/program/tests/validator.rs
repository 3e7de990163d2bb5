//! One program for each rule that the validator holds, which breaks just that rule.

use gpuproof_program::*;

/// Declarations that the bodies below may name.
const HEAD: &str = r#"program "main" d3d11 pixel 1x1x1 entry fn0
input in0 (name:"A",semantic_index:0,location:Some(0),blend_source:None,mask:3,kind:Float,width:W32,builtin:None,interpolation:Linear)
output out0 (name:"B",semantic_index:0,location:Some(0),blend_source:None,mask:1,kind:Float,width:W32,builtin:None,interpolation:Linear)
resource res0 (name:"bytes",slot:Register(class:U,space:0,index:0),count:Some(1),shape:Buffer(bytes:0),access:Read,layout:None,counter:false)
resource res1 (name:"texture",slot:Register(class:T,space:0,index:0),count:Some(1),shape:Texture((dimension:D2,arrayed:false,multisampled:false,kind:Float,depth:false,format:None)),access:Read,layout:None,counter:false)
sampler samp0 (name:"s",slot:Register(class:S,space:0,index:0),count:Some(1),comparison:false)
array array0 (name:"table",length:2,width:W16,initial:[1,2],constant:true)
shared shared0 (name:"g",bytes:16,stride:4,zeroed:false)
source instructions
"#;

/// The entry function with this body and perhaps others.
fn parsed(body: &str, more: &str) -> Program {
    let text = format!("{HEAD}function fn0 \"main\" () -> () {{\n{body}\n}}\n{more}");
    text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[track_caller]
fn refused(program: &Program, expected: &str) {
    let error = validate(program).expect_err("a rule is broken").to_string();
    assert!(error.contains(expected), "found `{error}`, expected `{expected}`");
}

#[track_caller]
fn body(body: &str, expected: &str) {
    refused(&parsed(body, ""), expected);
}

const VALID: &str = "%0:32 = const 0x1
%1:16 = array.load array0 %0
%2:32 = input in0.y
%3:32 = f32.add flush %2, %2
%4:32 = buffer.load res0 %0, %0
output out0.x %3
return";

#[test]
fn the_program_that_the_others_vary_is_valid() {
    validate(&parsed(VALID, "")).expect("a valid program");
}

#[test]
fn the_entry_is_a_function_without_parameters() {
    let mut program = parsed("return", "");
    program.entry = FunctionId(1);
    refused(&program, "the entry fn1 is not a function");
    let mut program = parsed("return", "function fn1 \"f\" (%0:32) -> () {\nreturn\n}");
    program.entry = FunctionId(1);
    refused(&program, "the entry function has parameters or results");
}

#[test]
fn groups_have_threads_and_only_compute_has_groups() {
    let mut program = parsed("return", "");
    program.group_size = [2, 1, 1];
    refused(&program, "has groups of [2, 1, 1]");
    program.stage = Stage::Compute;
    validate(&program).expect("a valid program");
    program.group_size = [2, 0, 1];
    refused(&program, "has groups of [2, 0, 1]");
}

#[test]
fn arrays_start_with_all_their_elements_in_their_width() {
    let mut program = parsed("return", "");
    program.arrays[0].initial.pop();
    refused(&program, "array table of 2 has 1 initial elements");
    program.arrays[0].initial.push(0x1_0000);
    refused(&program, "starts with 0x10000");
}

#[test]
fn layouts_are_not_nested_too_deep() {
    let mut program = parsed("return", "");
    let nested = |depth: usize| {
        let scalar = Type::Scalar(ScalarType { kind: Kind::Float, width: Width::W32 });
        let wrap = |ty, _| Type::Struct { members: vec![Member { name: "m".into(), offset: 0, ty }], size: 4 };
        Some((1..depth).fold(scalar, wrap))
    };
    program.interface.resources[0].layout = nested(validate::MAX_TYPE_NESTING);
    validate(&program).expect("a valid program");
    assert_eq!(text::parse(&text::print(&program)), Ok(program.clone()));
    program.interface.resources[0].layout = nested(validate::MAX_TYPE_NESTING + 1);
    refused(&program, "is nested deeper than 64");
}

#[test]
fn a_function_does_not_call_itself_nor_too_deep() {
    let call = |id: usize| format!("call fn{id}\nreturn");
    let functions = |count: usize, callee: &dyn Fn(usize) -> usize| {
        let function = |id: usize| format!("function fn{id} \"f{id}\" () -> () {{\n{}\n}}\n", call(callee(id)));
        let last = format!("function fn{count} \"last\" () -> () {{\nreturn\n}}\n");
        (1..count).map(function).collect::<String>() + &last
    };
    refused(&parsed(&call(1), &functions(3, &|id| if id == 2 { 1 } else { id + 1 })), "function f1 calls itself");
    refused(&parsed(&call(0), ""), "function main calls itself");
    validate(&parsed(&call(1), &functions(validate::MAX_CALL_DEPTH, &|id| id + 1))).expect("a valid program");
    let deep = functions(validate::MAX_CALL_DEPTH + 1, &|id| id + 1);
    refused(&parsed(&call(1), &deep), "are nested deeper than 256");
    refused(&parsed(&call(1), &functions(50_000, &|id| id + 1)), "are nested deeper than 256");
}

#[test]
fn values_are_defined_once_and_used_where_they_are_visible() {
    body("%0:32 = f32.add %1, %1\n%1:32 = const 0x1\nreturn", "%1 is used where it is not visible");
    body("block @0 {\n%0:32 = const 0x1\nbr @0\n}\noutput out0.x %0\nreturn", "%0 is used where it is not visible");
    let of_loop = "block @0 {\nloop @1(%0:32 = %2) {\nbr @0\n}\noutput out0.x %0\nbr @0\n}\nreturn";
    body(&format!("%2:32 = const 0x1\n%1:32 = const 0x2\n{of_loop}"), "%0 is used where it is not visible");
    let results = "%0:1 = const 0x1\nif @0 %0 -> (%1:1) {\nbr @0(%1)\n} else {\nbr @0(%0)\n}\nreturn";
    body(results, "%1 is used where it is not visible");
    let arms = "%0:32 = const 0x1\nswitch @0 %0 {\ncase @1 1 {\n%1:32 = const 0x2\nbr @2\n}\n\
                case @2 default {\noutput out0.x %1\nbr @0\n}\n}\nreturn";
    body(arms, "%1 is used where it is not visible");
    body("output out0.x %7\nreturn", "%7 is not a value of the function");

    let mut program = parsed("%0:32 = const 0x1\nreturn", "");
    let twice = program.functions[0].body[0].clone();
    program.functions[0].body.insert(0, twice);
    refused(&program, "%0 is defined twice");
    program.functions[0].body.drain(..2);
    refused(&program, "%0 is defined nowhere");
}

#[test]
fn regions_end_in_their_only_terminator() {
    body("", "a region is empty");
    body("%0:32 = const 0x1", "does not end in its only terminator");
    body("return\nreturn", "does not end in its only terminator");
}

#[test]
fn labels_name_one_construct() {
    body("block @0 {\nbr @0\n}\nblock @0 {\nbr @0\n}\nreturn", "@0 names two constructs");
    body("%0:32 = const 0x1\nswitch @0 %0 {\ncase @0 default {\nreturn\n}\n}\nreturn", "@0 names two constructs");
}

#[test]
fn constructs_are_not_nested_too_deep() {
    let mut program = parsed("return", "");
    for label in 0..validate::MAX_NESTING as u32 + 1 {
        let inside = std::mem::take(&mut program.functions[0].body);
        program.functions[0].body =
            vec![Node::Block { label: Label(label), results: Vec::new(), body: inside }, Node::Unreachable];
    }
    refused(&program, "constructs are nested deeper than 512");
}

#[test]
fn branches_go_to_what_encloses_them_and_carry_its_values() {
    body("block @0 {\nbr @0\n}\nbr @0", "a branch names @0, which does not enclose it");
    body("block @0 -> (%0:32) {\nbr @0\n}\nreturn", "a branch to @0 carries [], expected [W32]");
    body("%0:16 = const 0x1\nblock @0 -> (%1:32) {\nbr @0(%0)\n}\nreturn", "a branch to @0 carries [W16], expected [W32]");
    body("%0:32 = const 0x1\nreturn %0", "a return carries [W32], expected []");
    // Only from one arm to the next.
    let arms =
        "%0:32 = const 0x1\nswitch @0 %0 {\ncase @1 1 {\nbr @3\n}\ncase @2 default {\nbr @0\n}\ncase @3 3 {\nbr @0\n}\n}\nreturn";
    body(arms, "a branch names @3, which does not enclose it");
}

#[test]
fn decisions_have_their_width() {
    body("%0:32 = const 0x1\nif @0 %0 {\nbr @0\n} else {\nbr @0\n}\nreturn", "the condition of an if carries [W32]");
    body("%0:1 = const 0x1\nswitch @0 %0 {\ncase @1 default {\nbr @0\n}\n}\nreturn", "the selector of a switch carries [W1]");
    let of_loop = "%0:16 = const 0x1\nblock @0 {\nloop @1(%1:32 = %0) {\nbr @0\n}\nunreachable\n}\nreturn";
    body(of_loop, "the start of a loop carries [W16], expected [W32]");
    let arm = "%0:32 = const 0x1\nswitch @0 %0 {\ncase @1 default (%1:1 = %0) {\nbr @0\n}\n}\nreturn";
    body(arm, "the start of an arm carries [W32], expected [W1]");
}

#[test]
fn a_switch_has_one_default_and_each_selector_once() {
    body("%0:32 = const 0x1\nswitch @0 %0 {\ncase @1 1 {\nbr @0\n}\n}\nreturn", "has no default arm, or several");
    body("%0:32 = const 0x1\nswitch @0 %0 {\n}\nreturn", "has no default arm, or several");
    let twice = "%0:32 = const 0x1\nswitch @0 %0 {\ncase @1 1, default {\nbr @0\n}\ncase @2 1 {\nbr @0\n}\n}\nreturn";
    body(twice, "the selector 1 stands twice");
}

#[test]
fn operands_and_results_are_those_of_the_table() {
    body("%0:32 = const 0x1\n%1:32 = f32.add %0\nreturn", "f.add has 1 operands and 1 results, expected 2 and 1");
    body("%0:32 = const 0x1\n%1:16 = f32.add %0, %0\nreturn", "f.add has widths");
    body("%0:8 = const 0x1\n%1:8 = f8.add %0, %0\nreturn", "f.add has widths");
    body("%0:16 = const 0x1\n%1:16 = select %0, %0, %0\nreturn", "select has widths");
    body("%0:16 = const 0x1\n%1:16 = i16.shl %0, %0\nreturn", "i.shl has widths");
    body("%0:32 = const 0x1\n%1:16 = u32.extend %0\nreturn", "u.extend from");
    body("%0:16 = const 0x1\n%1:32 = i16.truncate %0\nreturn", "i.truncate from");
    body("%0:32 = const 0x1\n%1:8 = f32.convert %0\nreturn", "f.convert from");
    body("%0:32 = const 0x1\n%1:1 = f32.to_u %0\nreturn", "f.to_u from");
    let sample = "%0:32 = const 0x1\n%1:32, %2:32, %3:32, %4:32, %5:32 = texture.sample res1 samp0 %0 [zero]\nreturn";
    body(sample, "texture.sample has [W32], expected 6 words");
}

#[test]
fn calls_fit_the_function() {
    let callee = "function fn1 \"f\" (%0:32) -> (16) {\n%1:16 = const 0x1\nreturn %1\n}";
    validate(&parsed("%0:32 = const 0x1\n%1:16 = call fn1 %0\nreturn", callee)).expect("a valid program");
    refused(&parsed("%0:32 = const 0x1\n%1:32 = call fn1 %0\nreturn", callee), "a call of f has [W32] and [W32]");
    refused(&parsed("%0:16 = call fn1\nreturn", callee), "a call of f has [] and [W16]");
}

#[test]
fn choices_and_details_are_those_of_the_table() {
    body("%0:32 = const 0x1\n%1:32 = i32.add flush %0, %0\nreturn", "i.add makes choices that it does not have");
    body("%0:32 = const 0x1\n%1:32 = f32.ddx %0\nreturn", "f.ddx has None and None, expected Nothing and Derivative");
    body("%0:32 = const 0x1\n%1:32 = norm.to_f %0 [unorm17]\nreturn", "expected 1 to 16 bits");
    let operands = ["%0"; 6].join(", ");
    let gather = "%1:32, %2:32, %3:32, %4:32, %5:32 = texture.gather res1 samp0";
    body(&format!("%0:32 = const 0x1\n{gather} {operands} [zero component4]\nreturn"), "gathers component 4");
    let mut program = parsed("%0:32 = const 0x1\nreturn", "");
    if let Node::Op(op) = &mut program.functions[0].body[0] {
        op.attrs.target = Target::None;
    }
    refused(&program, "const has None and None, expected Bits and Plain");
}

#[test]
fn handles_are_in_range() {
    for line in [
        "%1:32 = input in1.x",
        "output out1.x %0",
        "%1:16 = array.load array1 %0",
        "%1:32 = shared.load shared1 %0",
        "%1:32 = buffer.load res2 %0, %0",
        "call fn1",
        "%1:32, %2:32, %3:32, %4:32, %5:32 = texture.sample res1 samp1 %0, %0, %0, %0, %0, %0 [zero]",
    ] {
        body(&format!("%0:32 = const 0x1\n{line}\nreturn"), "of the program");
    }
    body("%0:32 = input in0.4\nreturn", "of the program");
}

#[test]
fn what_an_operation_names_fits_it() {
    body("%0:16 = const 0x10000\nreturn", "the constant 0x10000 is wider than");
    body("%0:32 = input in0.z\nreturn", "names component 2 of A, which does not exist");
    body("%0:16 = input in0.x\nreturn", "names A, which has W32");
    body("%0:16 = const 0x1\noutput out0.x %0\nreturn", "names B, which has W32");
    body("%0:32 = const 0x1\n%1:32 = array.load array0 %0\nreturn", "names table, which has W16");
    body("%0:32 = const 0x1\n%1:16 = const 0x1\narray.store array0 %0, %1\nreturn", "sets table, which is constant");
    body("%0:32 = const 0x1\nbuffer.store res0 %0, %0, %0\nreturn", "buffer.store writes bytes, which is only read");
    for (line, expected) in [
        ("%1:32 = buffer.load res1 %0, %0", "expected a constant buffer or a buffer of bytes"),
        ("buffer.store res1 %0, %0, %0", "expected a buffer of bytes"),
        ("%1:32 = structured.load res0 %0, %0, %0", "expected a structured buffer"),
        ("%1:32 = buffer.size res1 %0", "expected a buffer"),
        ("%1:32 = counter.alloc res0 %0", "expected a buffer with a counter"),
        ("%1:32, %2:32, %3:32, %4:32, %5:32 = texel.load res0 %0, %0, %0, %0, %0", "expected a texture or typed buffer"),
        ("%1:32 = texture.samples res0 %0", "expected a texture"),
        (
            "%1:32, %2:32, %3:32, %4:32, %5:32 = texture.sample res0 samp0 %0, %0, %0, %0, %0, %0 [zero]",
            "expected a texture that can be sampled",
        ),
    ] {
        body(&format!("%0:32 = const 0x1\n{line}\nreturn"), expected);
    }
}

#[test]
fn many_regions_take_linear_time() {
    // Each region once copied the visibility of every value: 40,000 times 40,000.
    let mut text = String::new();
    for at in 0..40_000 {
        text += &format!("%{at}:32 = const 0x1\nblock @{at} {{\nbr @{at}\n}}\n");
    }
    let begin = std::time::Instant::now();
    validate(&parsed(&(text + "return"), "")).expect("a valid program");
    assert!(begin.elapsed().as_secs() < 5, "{:?}", begin.elapsed());
}
