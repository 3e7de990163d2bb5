//! Small programs by hand, of which a mutant is the same and one beside it is not.

use super::super::mutate::mutants;
use super::*;

/// A pixel shader with a place, two colours and an array, which writes `out0.x`.
fn program(body: &str) -> Program {
    let input = |at: u32, name: &str, kind: &str, builtin: &str| {
        format!(
            "input in{at} (name:\"{name}\",semantic_index:0,location:Some({at}),blend_source:None,mask:15,kind:{kind},width:W32,builtin:{builtin},interpolation:Linear)\n"
        )
    };
    let mut text = String::from("program \"main\" d3d11 pixel 1x1x1 entry fn0\n");
    text += &input(0, "SV_Position", "Float", "Some(Position)");
    text += &input(1, "COLOR", "Float", "None");
    text += &input(2, "ID", "Uint", "None");
    text += "output out0 (name:\"SV_Target\",semantic_index:0,location:Some(0),blend_source:None,mask:15,kind:Float,width:W32,builtin:None,interpolation:Linear)\n";
    text += "array array0 (name:\"x0\",length:8,width:W32,initial:[],constant:false)\nsource instructions\n\n";
    text += &format!("function fn0 \"main\" () -> () {{\n{body}\n  return\n}}\n");
    gpuproof_program::text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Whether the mutants with this change are shown to be equivalent; all of them are, or none.
fn shows(body: &str, change: &str) -> bool {
    let program = program(body);
    let all = mutants(&program);
    let named: Vec<&Mutant> = all.iter().filter(|mutant| mutant.change.starts_with(change)).collect();
    let shown = equivalent(&program, &named);
    assert!(!named.is_empty() && shown.iter().all(|first| *first == shown[0]), "{change} of {all:#?}");
    shown[0]
}

#[test]
fn a_conversion_is_in_range_where_its_operand_is() {
    let converted = |x: &str| format!("  %0:32 = {x}\n  %1:32 = f32.to_u flush %0\n  output out0.x %1");
    // No viewport reaches beyond 32767 (D3D11_VIEWPORT_BOUNDS_MAX); a colour and the reciprocal of w may be any number.
    assert!(shows(&converted("input in0.x"), "another rule of range"));
    assert!(!shows(&converted("input in0.w"), "another rule of range"));
    assert!(!shows(&converted("input in1.x"), "another rule of range"));
    // The greatest integer of 32 bits is a double and no float.
    let double = "  %0:32 = input in1.x\n  %1:64 = f32.convert %0\n  %2:32 = f64.to_u %1\n  output out0.x %2";
    assert!(shows(double, "another rule of range"));
}

#[test]
fn a_nan_is_kept_unseen_where_all_is_nan() {
    let kept = "a NaN in the first place kept";
    let largest = |after: &str| {
        format!(
            "  %0:32 = const 0x3f800000\n  %1:32 = input in1.x\n  %2:32 = f32.abs %1\n  %3:32 = f32.max flush %2, %0\n{after}\n  output out0.x %5"
        )
    };
    // The sum has what was NaN as a term of its own.
    assert!(shows(&largest("  %4:32 = f32.mul flush %1, %0\n  %5:32 = f32.add flush %3, %4"), kept));
    assert!(!shows(&largest("  %4:32 = input in1.y\n  %5:32 = f32.add flush %3, %4"), kept));
    // Of a maximum that loses NaN both operands are NaN where it is, so the first is.
    let twice = |term: &str| {
        format!(
            "  %0:32 = input in1.x\n  %1:32 = input in1.y\n  %2:32 = input in1.z\n  %3:32 = f32.max flush %0, %1\n  %4:32 = f32.min flush %3, %2\n  %5:32 = f32.add flush %4, {term}\n  output out0.x %5"
        )
    };
    let of_minimum = |text: &str| {
        let program = program(text);
        let all = mutants(&program);
        let named: Vec<&Mutant> = all.iter().filter(|mutant| mutant.change.starts_with(kept)).collect();
        // The maximum's comes first, then the minimum's.
        equivalent(&program, &named)[1]
    };
    assert!(of_minimum(&twice("%1")));
    assert!(!of_minimum(&twice("%2")));
}

#[test]
fn what_only_unread_elements_keep_is_lost() {
    let stored = |at: u32| {
        format!(
            "  %0:32 = const 0x3\n  %1:32 = const 0x{at}\n  %2:32 = const 0x3f000000\n  array.store array0 %1, %2\n  %3:32 = input in2.x\n  %4:32 = i32.and %3, %0\n  %5:32 = array.load array0 %4\n  output out0.x %5"
        )
    };
    assert!(shows(&stored(5), "0.5 to"));
    assert!(!shows(&stored(2), "0.5 to"));
}

#[test]
fn bits_below_what_is_asked_for_are_cut_off() {
    let sum = |mask: &str| {
        format!(
            "  %0:32 = const {mask}\n  %1:32 = const 0xc1000000\n  %2:32 = const 0x17\n  %3:32 = input in2.x\n  %4:32 = i32.and %3, %0\n  %5:32 = i32.add %4, %1\n  %6:32 = s32.shr %5, %2\n  output out0.x %6"
        )
    };
    // Without low bits in the other term nothing is carried.
    assert!(shows(&sum("0x7f800000"), "3238002688 to"));
    assert!(!shows(&sum("0x7fffffff"), "3238002688 to"));
    let field = |offset: u32| {
        format!(
            "  %0:32 = const 0x8\n  %1:32 = const 0x{offset}\n  %2:32 = const 0x3\n  %3:32 = input in2.x\n  %4:32 = i32.insert %0, %3, %1, %2\n  output out0.x %4"
        )
    };
    assert!(shows(&field(0), "8 to"));
    assert!(!shows(&field(1), "8 to"));
}

#[test]
fn a_limit_that_is_never_reached_may_be_another() {
    let limited = |x: &str| {
        format!(
            "  %0:32 = const 0x40000000\n  %1:32 = input in1.x\n  %2:32 = {x} %1\n  %3:32 = f32.min flush %2, %0\n  output out0.x %3"
        )
    };
    assert!(shows(&limited("f32.saturate flush"), "2.0 to 4.0"));
    assert!(!shows(&limited("f32.abs"), "2.0 to 4.0"));
}

#[test]
fn nothing_is_divided_by_zero_behind_a_check() {
    let divided = |condition: &str| {
        format!(
            "  %0:32 = const 0x0\n  %1:32 = input in2.x\n  %2:32 = input in2.y\n  %3:1 = {condition}\n  if @1 %3 -> (%4:32) {{\n    %5:32 = u32.div %1, %2\n    br @1(%5)\n  }} else {{\n    br @1(%0)\n  }}\n  output out0.x %4"
        )
    };
    assert!(shows(&divided("i32.ne %2, %0"), "another rule of division"));
    assert!(!shows(&divided("i32.ne %1, %0"), "another rule of division"));
}
