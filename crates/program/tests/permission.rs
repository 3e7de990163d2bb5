//! Every operation on floats has its facts, under each dialect's rules.

use gpuproof_number::Rounding as Direction;
use gpuproof_number::allowed::{Flushing, Format, Function, Specification, Type};
use gpuproof_program::op::TABLE;
use gpuproof_program::permission::operations;
use gpuproof_program::{Attrs, Denormals, Detail, Dialect, Norm, Op, Refactor, Rounding, Rules, Width};

#[test]
fn every_operation_that_reads_or_makes_floats_has_facts() {
    let norm = Attrs::default().with_detail(Detail::Norm(Norm { signed: true, bits: 8 }));
    for row in TABLE {
        let floats = row.name.starts_with("f.") || row.name.ends_with(".to_f");
        for dialect in [Dialect::D3D11, Dialect::Wgsl, Dialect::Vulkan] {
            let found = operations(row.op, &norm, Width::W32, Width::W32, dialect);
            assert_eq!(found.is_some(), floats, "{}", row.name);
            for operation in found.into_iter().flatten() {
                assert!(operation.rows().next().is_some(), "{} has no row for {dialect:?}", row.name);
            }
        }
    }
}

#[test]
fn rules_of_the_instruction_decide() {
    let rules = Rules { denormals: Denormals::Flush, refactor: Refactor::Precise, ..Rules::default() };
    let one = |op, rules, t, u, dialect| operations(op, &Attrs::rules(rules), t, u, dialect).expect("facts")[0];
    let mad = one(Op::FMad, rules, Width::W32, Width::W32, Dialect::D3D11);
    assert_eq!((mad.function, mad.operand, mad.result), (Function::Mad, Type::Float(Format::F32), Type::Float(Format::F32)));
    assert_eq!((mad.permission.specification, mad.permission.flushing), (Specification::D3D11, Flushing::Always));
    assert!(!mad.permission.refactor);
    let free = one(Op::FMad, Rules { refactor: Refactor::Allowed, ..rules }, Width::W32, Width::W32, Dialect::D3D11);
    assert!(free.permission.refactor);
    let sum = one(Op::FAdd, Rules::default(), Width::W64, Width::W64, Dialect::D3D11);
    assert_eq!((sum.permission.flushing, sum.result), (Flushing::Never, Type::Float(Format::F64)));
    let sum = one(Op::FAdd, Rules::default(), Width::W32, Width::W32, Dialect::Wgsl);
    assert_eq!((sum.permission.specification, sum.permission.flushing), (Specification::Wgsl, Flushing::Optional));
    let half = one(Op::FConvert, Rules { rounding: Rounding::TowardZero, ..rules }, Width::W32, Width::W16, Dialect::D3D11);
    assert_eq!((half.result, half.permission.rounding), (Type::Float(Format::F16), Direction::TowardZero));
    let integer = one(Op::UToF, Rules::default(), Width::W32, Width::W32, Dialect::D3D11);
    assert_eq!((integer.operand, integer.result), (Type::Unsigned(32), Type::Float(Format::F32)));
}

#[test]
fn a_fraction_and_its_exponent_are_two_functions() {
    let both = operations(Op::FFrexp, &Attrs::default(), Width::W32, Width::W32, Dialect::Wgsl).expect("facts");
    assert_eq!(both.iter().map(|part| part.function).collect::<Vec<_>>(), [Function::FrexpFraction, Function::FrexpExponent]);
}

/// SPIR-V's execution modes DenormPreserve, DenormFlushToZero and RoundingModeRTE stand on each operation.
#[test]
fn float_controls_decide_what_vulkan_allows() {
    let sum =
        |rules| operations(Op::FAdd, &Attrs::rules(rules), Width::W32, Width::W32, Dialect::Vulkan).expect("facts")[0].permission;
    let plain = sum(Rules::default());
    assert_eq!((plain.specification, plain.flushing, plain.directed), (Specification::Vulkan, Flushing::Optional, false));
    assert_eq!(sum(Rules { denormals: Denormals::Preserve, ..Rules::default() }).flushing, Flushing::Never);
    assert_eq!(sum(Rules { denormals: Denormals::Flush, ..Rules::default() }).flushing, Flushing::Always);
    let nearest = sum(Rules { rounding: Rounding::OnlyNearest, ..Rules::default() });
    assert_eq!((nearest.directed, nearest.rounding), (true, Direction::NearestEven));
}
