//! Hull, domain and geometry programs: one that is valid of each, and one for each rule that breaks just that rule.

use gpuproof_program::*;

/// A declaration of an input or output of one float, by hand.
fn variable(handle: &str, name: &str, builtin: &str, rate: &str) -> String {
    let kind = if handle.starts_with("in") { "input" } else { "output" };
    format!(
        "{kind} {handle} (name:\"{name}\",semantic_index:0,location:Some(0),blend_source:None,mask:1,kind:Float,width:W32,\
         builtin:{builtin},interpolation:Linear{rate})\n"
    )
}

fn hull() -> String {
    let mut text = String::from("program \"main\" d3d11 hull 1x1x1 entry fn0\n");
    text += "assembly Hull((input_points:3,output_points:3,domain:Triangle,partitioning:Integer,output:TriangleClockwise,max_factor:None,\
             phases:[(kind:ControlPoint,function:(0),lanes:3),(kind:Fork,function:(1),lanes:4),(kind:Join,function:(2),lanes:1)]))\n";
    text += &variable("in0", "POINT", "None", ",rate:Vertex");
    text += &variable("in1", "point", "Some(OutputControlPointId)", "");
    text += &variable("in2", "instance", "Some(ForkInstanceId)", "");
    text += &variable("out0", "POINT", "None", ",rate:Vertex");
    text += &variable("out1", "FACTOR", "Some(EdgeTessFactor)", ",rate:Patch");
    text += &variable("out2", "INSIDE", "Some(InsideTessFactor)", ",rate:Patch");
    text += "source instructions
function fn0 \"control_point\" () -> () {
%0:32 = input in1.x
%1:32 = input.vertex in0.x %0
output out0.x %1
return
}
function fn1 \"fork0\" () -> () {
%0:32 = input in2.x
%1:32 = output.vertex out0.x %0
output out1.x %1
return
}
function fn2 \"join0\" () -> () {
%0:32 = output.patch out1.x
output out2.x %0
return
}
";
    text
}

fn domain() -> String {
    let mut text = String::from("program \"main\" d3d11 domain 1x1x1 entry fn0\n");
    text += "assembly Domain((input_points:4,domain:Quad))\n";
    text += &variable("in0", "POINT", "None", ",rate:Vertex");
    text += &variable("in1", "FACTOR", "Some(EdgeTessFactor)", ",rate:Patch");
    text += &variable("in2", "at", "Some(DomainLocation)", "");
    text += &variable("out0", "SV_Position", "Some(Position)", "");
    text += "source instructions
function fn0 \"main\" () -> () {
%0:32 = const 0x3
%1:32 = input.vertex in0.x %0
%2:32 = input in1.x
%3:32 = input in2.x
%4:32 = f32.add %1, %2
%5:32 = f32.add %3, %4
output out0.x %5
return
}
";
    text
}

fn geometry() -> String {
    let mut text = String::from("program \"main\" d3d11 geometry 1x1x1 entry fn0\n");
    text += "assembly Geometry((input:Line,max_vertices:2,instances:1,streams:[(number:0,topology:PointList),(number:3,topology:PointList)]))\n";
    text += &variable("in0", "POINT", "None", ",rate:Vertex");
    text += &variable("out0", "SV_Position", "Some(Position)", ",rate:Stream(0)");
    text += &variable("out1", "A", "None", ",rate:Stream(3)");
    text += &variable("out2", "B", "None", ",rate:Stream(3)");
    text += "source instructions
function fn0 \"main\" () -> () {
%0:32 = const 0x1
%1:32 = input.vertex in0.x %0
emit %1 [stream0]
emit %1, %0 [stream3]
cut [stream3]
return
}
";
    text
}

fn parsed(text: &str) -> Program {
    text::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// What is wrong once this stands in place of that.
#[track_caller]
fn broken(text: &str, that: &str, this: &str, expected: &str) {
    assert_eq!(text.matches(that).count(), 1, "{that}");
    let error = validate(&parsed(&text.replace(that, this))).expect_err("a rule is broken").to_string();
    assert!(error.contains(expected), "found `{error}`, expected `{expected}`");
}

#[test]
fn those_that_the_others_vary_are_valid_and_come_back() {
    for text in [hull(), domain(), geometry()] {
        let program = parsed(&text);
        validate(&program).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(text::parse(&text::print(&program)), Ok(program));
    }
}

/// A hull program without a phase of control points passes them through (D3D11 10.6).
#[test]
fn points_pass_through_all_or_none() {
    let without = hull()
        .replace("(kind:ControlPoint,function:(0),lanes:3),", "")
        .replace("entry fn0", "entry fn1")
        .replace("%1:32 = output.vertex out0.x %0\n", "%1:32 = input.vertex in0.x %0\n");
    validate(&parsed(&without)).unwrap_or_else(|error| panic!("{error}"));
    validate(&parsed(&without.replace("output_points:3", "output_points:0"))).unwrap_or_else(|error| panic!("{error}"));
    broken(&without, "output_points:3", "output_points:2", "2 of 3 control points pass through");
    let read = without.replace("%1:32 = input.vertex in0.x %0\n", "%1:32 = output.vertex out0.x %0\n");
    broken(&read, "entry fn1", "entry fn1 ", "output.vertex of POINT, which is of Vertex, in a Fork phase");
}

#[test]
fn what_is_declared_is_of_the_stage() {
    broken(&domain(), "assembly Domain((input_points:4,domain:Quad))\n", "", "a Domain program declares None");
    broken(&hull(), "d3d11 hull", "d3d11 domain", "a Domain program declares Hull");
    broken(&domain(), "input_points:4", "input_points:33", "33 control points that come in, expected 0 to 32");
    broken(&hull(), "output_points:3", "output_points:40", "40 control points that come out");
    broken(&geometry(), "input:Line", "input:Patch(0)", "0 vertices of the primitive");
    broken(&geometry(), "max_vertices:2", "max_vertices:1025", "1025 vertices at most");
    broken(&geometry(), "instances:1", "instances:33", "33 instances");
    broken(&geometry(), "(number:0,topology:PointList)", "(number:3,topology:PointList)", "streams {3}, expected one to four");
    broken(&geometry(), "(number:0,topology:PointList)", "(number:4,topology:PointList)", "streams {3, 4}, expected one to four");
}

#[test]
fn phases_are_functions_in_order() {
    broken(&hull(), "kind:Join,function:(2)", "kind:Join,function:(3)", "the phase fn3 is not a function");
    broken(&hull(), "\"join0\" () ->", "\"join0\" (%1:32) ->", "the phase join0 has parameters or results");
    broken(&hull(), "kind:Join,function:(2)", "kind:ControlPoint,function:(2)", "phases are out of order");
    let twice = hull().replace("kind:Fork,function:(1),lanes:4", "kind:ControlPoint,function:(1),lanes:3");
    broken(&twice, "lanes:1", "lanes:1 ", "there are two control point phases");
    broken(&hull(), "entry fn0", "entry fn1", "the entry is not the first phase");
}

#[test]
fn phases_have_lanes() {
    broken(
        &hull(),
        "kind:ControlPoint,function:(0),lanes:3",
        "kind:ControlPoint,function:(0),lanes:2",
        "2 lanes make control points, expected 3",
    );
    broken(&hull(), "lanes:4", "lanes:0", "0 instances of a phase");
    broken(&hull(), "lanes:4", "lanes:129", "129 instances of a phase");
}

#[test]
fn inputs_and_outputs_are_whose_the_stage_has_them() {
    broken(
        &domain(),
        "builtin:Some(Position),interpolation:Linear",
        "builtin:Some(Position),interpolation:Linear,rate:Patch",
        "the output SV_Position of a Domain program is of Patch",
    );
    broken(&geometry(), "rate:Stream(0)", "rate:Stream(1)", "the output SV_Position of a Geometry program is of Stream(1)");
    broken(&geometry(), "rate:Vertex", "rate:Patch", "the input POINT of a Geometry program is of Patch");
}

#[test]
fn operations_are_of_the_stage_and_phase() {
    broken(&domain(), "input.vertex in0.x %0", "input in0.x", "input of POINT, which is of Vertex, in a Domain program");
    broken(&domain(), "%2:32 = input in1.x", "%2:32 = input.vertex in1.x %0", "input.vertex of FACTOR, which is of Patch");
    broken(&domain(), "output out0.x %5", "emit %5 [stream0]", "expected a vertex of stream 0");
    broken(&domain(), "output out0.x %5", "cut [stream0]", "cut of a stream that is not declared, in a Domain program");
    broken(&geometry(), "cut [stream3]", "cut [stream2]", "cut of a stream that is not declared");
    broken(
        &geometry(),
        "cut [stream3]",
        "output out0.x %1",
        "output of SV_Position, which is of Stream(0), in a Geometry program",
    );
    broken(&geometry(), "emit %1, %0 [stream3]", "emit %1 [stream3]", "expected a vertex of stream 3, [W32, W32]");
    broken(&hull(), "output out0.x %1", "output out1.x %1", "output of FACTOR, which is of Patch, in a ControlPoint phase");
    broken(&hull(), "output out1.x %1", "output out0.x %1", "output of POINT, which is of Vertex, in a Fork phase");
    broken(&hull(), "%0:32 = input in2.x", "%0:32 = input in1.x", "input of point, which is of Lane, in a Fork phase");
    broken(
        &hull(),
        "%0:32 = input in2.x",
        "%0:32 = output.patch out1.x",
        "output.patch of FACTOR, which is of Patch, in a Fork phase",
    );
    broken(
        &hull(),
        "%0:32 = input in1.x",
        "%0:32 = const 0x0\n%2:32 = output.vertex out0.x %0",
        "output.vertex of POINT, which is of Vertex, in a ControlPoint phase",
    );
}
