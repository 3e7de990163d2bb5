//! Programs of hand-made tokens against the Direct3D 11.3 functional specification, whose sections the tests cite: instructions, operand forms
//! and addresses that Microsoft's compiler never emits. Expected words are worked out by hand from the section.
#![cfg(feature = "dxbc")]

#[path = "dxbc_semantics/assembler.rs"]
mod assembler;
#[path = "dxbc_semantics/stages.rs"]
mod stages;
#[path = "dxbc_semantics/textures.rs"]
mod textures;

use assembler::*;
use gpuproof_program::{BarrierScope, Detail, Dimension, Node, Op, Program, TexelFormat, validate, walk};
use gpuproof_read::dxbc::opcode::Opcode;
use gpuproof_read::dxbc::operand::{File, Modifier, Operand};
use gpuproof_read::dxbc::{self, Instruction, Stage};
use gpuproof_run::{AddressMode, Binding, BufferBinding, Case, EventKind, Launch, Options, Outcome, Plan, SamplerState, Texture};
use std::sync::Arc;

const SATURATE: u32 = 1 << 13;
const NONZERO: u32 = 1 << 18;
const ONE: u32 = 0x3f80_0000;

fn program(stage: Stage, instructions: &[Instruction]) -> dxbc::Result<Program> {
    let program = dxbc::program(&container(stage, instructions))?;
    validate(&program).expect("a valid program");
    Ok(program)
}

fn buffer(words: &[u32]) -> Binding {
    let bytes = Arc::new(words.iter().flat_map(|word| word.to_le_bytes()).collect());
    Binding::Buffer(BufferBinding { bytes, format: None, counter: 0 })
}

fn contents(binding: &Binding) -> Vec<u32> {
    let Binding::Buffer(buffer) = binding else { panic!("a buffer, not {binding:?}") };
    buffer.bytes.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
}

/// A compute program of groups of `threads`, with a raw view u0 where each thread stores r0 at 16 times its number.
struct Compute {
    threads: u32,
    declarations: Vec<Instruction>,
    body: Vec<Instruction>,
    /// What follows the program's `ret`.
    subroutines: Vec<Instruction>,
    /// What is bound after u0, in the order of the declarations.
    bindings: Vec<Binding>,
    samplers: Vec<SamplerState>,
}

/// Instructions without declarations.
fn compute(body: &[Instruction]) -> Compute {
    let (declarations, subroutines, bindings, samplers) = Default::default();
    Compute { threads: 1, declarations, body: body.to_vec(), subroutines, bindings, samplers }
}

impl Compute {
    fn program(&self) -> dxbc::Result<Program> {
        let mut all = vec![
            declaration(Opcode::DclUavRaw, &[bare(File::Uav, &[0])], &[]),
            declaration(Opcode::DclInput, &[bare(File::InputThreadIdInGroupFlattened, &[])], &[]),
            declaration(Opcode::DclThreadGroup, &[], &[self.threads, 1, 1]),
        ];
        all.extend_from_slice(&self.declarations);
        all.extend_from_slice(&self.body);
        let thread = bare(File::InputThreadIdInGroupFlattened, &[]);
        all.push(instruction(Opcode::Ishl, &[r(9, "x"), thread, words([4])]));
        all.push(instruction(Opcode::StoreRaw, &[to(File::Uav, &[0], "xyzw"), s(9, "x"), s(0, "xyzw")]));
        all.push(instruction(Opcode::Ret, &[]));
        all.extend_from_slice(&self.subroutines);
        program(Stage::Compute, &all)
    }

    fn run(&self) -> Outcome {
        let program = self.program().expect("a program");
        let mut case = Case::empty_for(&program, Launch::Groups { count: [1, 1, 1] }).expect("a case");
        case.resources[0] = vec![buffer(&vec![0; 4 * self.threads as usize])];
        for (to, binding) in case.resources[1..].iter_mut().zip(&self.bindings) {
            *to = vec![binding.clone()];
        }
        for (to, state) in case.samplers.iter_mut().zip(&self.samplers) {
            *to = vec![*state];
        }
        Plan::compile(&program).expect("a plan").run(&case, &Options::default()).expect("a run")
    }

    /// The four words of each thread, of a run without undefined events.
    fn results(&self) -> Vec<[u32; 4]> {
        let outcome = self.run();
        assert_eq!(outcome.events, []);
        contents(&outcome.resources[0][0]).as_chunks::<4>().0.to_vec()
    }

    fn only_result(&self) -> [u32; 4] {
        self.results()[0]
    }
}

fn mov(to: Operand, from: Operand) -> Instruction {
    instruction(Opcode::Mov, &[to, from])
}

fn halves(value: f64) -> [u32; 2] {
    [value.to_bits() as u32, (value.to_bits() >> 32) as u32]
}

fn pair(first: f64, second: f64) -> [u32; 4] {
    let ([a, b], [c, d]) = (halves(first), halves(second));
    [a, b, c, d]
}

/// 22.17.2, .5, .6: xy of the destination receives the first conversion, zw the second, whichever are written.
#[test]
fn conversions_to_double_take_the_component_of_their_place() {
    let conversions = [
        (Opcode::Ftod, [2.5f32.to_bits(), 0xc040_0000], -3.0),
        (Opcode::Itod, [5, -7i32 as u32], -7.0),
        (Opcode::Utod, [5, 1 << 31], 2147483648.0),
    ];
    for (opcode, [x, y], expected) in conversions {
        let found = compute(&[
            mov(r(1, "xyzw"), words([x, y, 0, 0])),
            mov(r(0, "xyzw"), words([1, 2, 3, 4])),
            instruction(opcode, &[r(0, "zw"), s(1, "xyxx")]),
        ]);
        let [low, high] = halves(expected);
        assert_eq!(found.only_result(), [1, 2, low, high], "{opcode:?}");
    }
}

/// 22.16.2: zw is chosen by the second component of the condition after its swizzle.
#[test]
fn dmovc_chooses_the_second_double_by_the_second_component() {
    let [a, b, c, d] = pair(1.0, 2.0);
    let [e, f, g, h] = pair(3.0, 4.0);
    let select = |mask| {
        compute(&[
            mov(r(1, "xyzw"), words([0, 0, u32::MAX, 0])),
            mov(r(2, "xyzw"), words([a, b, c, d])),
            mov(r(3, "xyzw"), words([e, f, g, h])),
            mov(r(0, "xyzw"), words([0; 4])),
            // The first component is zero, the second is not.
            instruction(Opcode::Dmovc, &[r(0, mask), s(1, "xzxx"), s(2, "xyzw"), s(3, "xyzw")]),
        ])
        .only_result()
    };
    assert_eq!(select("xyzw"), pair(3.0, 2.0));
    assert_eq!(select("zw"), pair(0.0, 2.0));
    assert_eq!(select("xy"), pair(3.0, 0.0));
}

/// An immediate of one component holds one double (d3d11TokenizedProgramFormat: 64-bit immediates); _sat of doubles is 22.19.1.
#[test]
fn doubles_have_immediates_of_one_component_and_saturate() {
    let one = |body: Instruction| compute(&[mov(r(0, "xyzw"), words(pair(0.75, f64::NAN))), body]).only_result();
    let sum = one(instruction(Opcode::Dadd, &[r(0, "xy"), s(0, "xyxy"), double(0.5)]));
    assert_eq!(sum[..2], halves(1.25));
    let clamped = one(controlled(Opcode::Dadd, SATURATE, &[r(0, "xy"), s(0, "xyxy"), double(0.5)]));
    assert_eq!(clamped[..2], halves(1.0));
    // 22.19.1: min(1, max(0, NaN)) is 0.
    let nan = one(controlled(Opcode::Dmov, SATURATE, &[r(0, "xyzw"), s(0, "xyzw")]));
    assert_eq!(nan, pair(0.75, 0.0));
    // 22.18: negation and absolute value are those of a double.
    let negated = one(instruction(Opcode::Dmov, &[r(0, "xy"), modified(Modifier::AbsNeg, s(0, "xyxy"))]));
    assert_eq!(negated[..2], halves(-0.75));
}

/// 22.13.1 with 22.18.2: the number is the half in the low bits, whose sign negation flips; what stands above does not matter.
#[test]
fn negation_of_a_half_flips_its_sign() {
    let found = compute(&[
        mov(r(1, "xyzw"), words([0xffff_3c00, 0x0000_0000, 0x1234_fbff, 0x8000_7c00])),
        instruction(Opcode::F16ToF32, &[r(0, "xyzw"), modified(Modifier::Neg, s(1, "xyzw"))]),
    ]);
    // -1, -0, 65504, -infinity.
    assert_eq!(found.only_result(), [0xbf80_0000, 0x8000_0000, 0x477f_e000, 0xff80_0000]);
}

/// 22.18.1: only floating point instructions have absolute values.
#[test]
fn an_absolute_value_of_an_integer_is_bad_input() {
    for modifier in [Modifier::Abs, Modifier::AbsNeg] {
        let of_integer = compute(&[instruction(Opcode::Iadd, &[r(0, "x"), modified(modifier, s(0, "x")), words([1])])]);
        let error = of_integer.program().expect_err("no meaning").to_string();
        assert!(error.contains("absolute"), "{error}");
    }
    // 22.12.1: negation is two's complement.
    let negated = compute(&[
        mov(r(0, "xyzw"), words([5, 0, 1 << 31, 1])),
        instruction(Opcode::Iadd, &[r(0, "xyzw"), modified(Modifier::Neg, s(0, "xyzw")), words([1, 1, 1, 1])]),
    ]);
    assert_eq!(negated.only_result(), [-4i32 as u32, 1, (1 << 31) + 1, 0]);
}

/// 22.12.6, 22.12.9, 22.12.13: the first destination is the high word or the quotient; each may be null.
#[test]
fn products_and_quotients_may_lack_either_result() {
    let start = || mov(r(0, "xyzw"), words([0xffff_ffff, 7, 0, 0]));
    let run = |opcode, first: Operand, second: Operand| {
        compute(&[start(), instruction(opcode, &[first, second, s(0, "x"), s(0, "y")])]).only_result()
    };
    // 0xffffffff * 7 = 0x6_fffffff9; as signed numbers -7.
    assert_eq!(run(Opcode::Umul, r(0, "z"), null()), [u32::MAX, 7, 6, 0]);
    assert_eq!(run(Opcode::Umul, null(), r(0, "w")), [u32::MAX, 7, 0, 0xffff_fff9]);
    assert_eq!(run(Opcode::Imul, r(0, "z"), r(0, "w")), [u32::MAX, 7, u32::MAX, 0xffff_fff9]);
    // 4294967295 = 613566756 * 7 + 3.
    assert_eq!(run(Opcode::Udiv, r(0, "z"), null()), [u32::MAX, 7, 613_566_756, 0]);
    assert_eq!(run(Opcode::Udiv, null(), r(0, "w")), [u32::MAX, 7, 0, 3]);
}

fn raw(words: &[u32]) -> (Instruction, Binding) {
    (declaration(Opcode::DclResourceRaw, &[bare(File::Resource, &[0])], &[]), buffer(words))
}

/// 22.4.10, 22.4.11: each word out of bounds gives 0 or is dropped, and addresses do not wrap: the word after 0xfffffffc is not word 0.
#[test]
fn raw_addresses_do_not_wrap() {
    let (declaration, binding) = raw(&[11, 12, 13, 14]);
    let load = |address: u32| Compute {
        declarations: vec![declaration.clone()],
        bindings: vec![binding.clone()],
        ..compute(&[
            mov(r(1, "x"), words([address])),
            instruction(Opcode::LdRaw, &[r(0, "xyzw"), s(1, "x"), from(File::Resource, &[0], "xyzw")]),
        ])
    };
    assert_eq!(load(0).only_result(), [11, 12, 13, 14]);
    assert_eq!(load(8).only_result(), [13, 14, 0, 0]);
    assert_eq!(load(0xffff_fffc).only_result(), [0; 4]);
    assert_eq!(load(0xffff_fff4).only_result(), [0; 4]);
    let immediate = Compute {
        declarations: vec![declaration.clone()],
        bindings: vec![binding.clone()],
        ..compute(&[instruction(Opcode::LdRaw, &[r(0, "xyzw"), words([0xffff_fffc]), from(File::Resource, &[0], "wzyx")])])
    };
    assert_eq!(immediate.only_result(), [0; 4]);
    let store = compute(&[
        mov(r(0, "xyzw"), words([1, 2, 3, 0xffff_fff8])),
        instruction(Opcode::StoreRaw, &[to(File::Uav, &[0], "xyzw"), s(0, "w"), words([91, 92, 93, 94])]),
        mov(r(9, "y"), words([0])),
    ]);
    assert_eq!(store.only_result(), [1, 2, 3, 0xffff_fff8]);
}

/// 22.4.10: the swizzle picks among the four words at the address, the mask which components get them; 22.4.26 of the status.
#[test]
fn raw_loads_swizzle_and_report_that_all_was_mapped() {
    let (declaration, binding) = raw(&[11, 12, 13, 14, 15]);
    let load = Compute {
        declarations: vec![declaration],
        bindings: vec![binding],
        ..compute(&[
            mov(r(0, "xyzw"), words([1, 2, 3, 4])),
            instruction(Opcode::LdRawS, &[r(0, "xz"), r(1, "y"), words([4]), from(File::Resource, &[0], "wxyx")]),
            instruction(Opcode::CheckAccessFullyMapped, &[r(0, "w"), s(1, "y")]),
        ])
    };
    assert_eq!(load.only_result(), [15, 2, 13, u32::MAX]);
}

/// 22.4.12: a structure past the last gives 0; a byte offset past the structure's end is undefined, and does not wrap to its start.
#[test]
fn structures_end_at_their_stride() {
    let load = |index: u32, offset: u32, swizzle: &str| {
        Compute {
            declarations: vec![declaration(Opcode::DclResourceStructured, &[bare(File::Resource, &[0])], &[8])],
            bindings: vec![buffer(&[11, 12, 13, 14])],
            ..compute(&[
                mov(r(1, "xyzw"), words([index, offset, 0, 0])),
                mov(r(0, "xyzw"), words([0; 4])),
                instruction(Opcode::LdStructured, &[r(0, "xy"), s(1, "x"), s(1, "y"), from(File::Resource, &[0], swizzle)]),
            ])
        }
        .run()
    };
    let inside = load(1, 0, "yxxx");
    assert_eq!((inside.event_count, &contents(&inside.resources[0][0])[..2]), (0, &[14, 13][..]));
    let past = load(2, 0, "xyxx");
    assert_eq!((past.event_count, &contents(&past.resources[0][0])[..2]), (0, &[0, 0][..]));
    for offset in [4, 8, 0xffff_fffc] {
        let out = load(0, offset, "xyxx");
        assert!(out.events.iter().all(|event| event.kind == EventKind::LoadOutOfRange), "{:?}", out.events);
        let expected = if offset == 4 { 1 } else { 2 };
        assert_eq!(out.event_count, expected, "offset {offset}");
    }
}

/// 22.4.12, 22.4.13: an address outside a group-shared memory is undefined; 22.3.46 of strides.
#[test]
fn group_shared_addresses_do_not_wrap() {
    let declare = |stride, count| declaration(Opcode::DclTgsmStructured, &[bare(File::GroupShared, &[0])], &[stride, count]);
    let shared = |swizzle: &str| from(File::GroupShared, &[0], swizzle);
    let load = |index: u32, offset: u32| {
        let store = |index: u32, value| {
            let target = to(File::GroupShared, &[0], "xy");
            instruction(Opcode::StoreStructured, &[target, words([index]), words([0]), words([value, value + 1, 0, 0])])
        };
        Compute {
            declarations: vec![declare(8, 2)],
            ..compute(&[
                store(0, 21),
                store(1, 23),
                mov(r(1, "xyzw"), words([index, offset, 0, 0])),
                mov(r(0, "xyzw"), words([0; 4])),
                instruction(Opcode::LdStructured, &[r(0, "xy"), s(1, "x"), s(1, "y"), shared("yxxx")]),
            ])
        }
        .run()
    };
    let inside = load(1, 0);
    assert_eq!((inside.event_count, &contents(&inside.resources[0][0])[..2]), (0, &[24, 23][..]));
    for (index, offset) in [(2, 0), (1, 0xffff_fff8), (0, 0xffff_fffc), (u32::MAX, 8), (0x2000_0000, 0)] {
        let out = load(index, offset);
        assert!(out.event_count > 0, "index {index}, offset {offset}");
        assert!(out.events.iter().all(|event| event.kind == EventKind::LoadOutOfRange), "{:?}", out.events);
    }
    for (stride, count) in [(0, 4), (6, 2)] {
        let error = Compute { declarations: vec![declare(stride, count)], ..compute(&[]) }.program().expect_err("no stride");
        assert!(error.to_string().contains("multiple of 4"), "{error}");
    }
}

/// 22.17.11, 22.17.23: the first source is compared, the second is stored; the old value is given whether or not they were equal.
#[test]
fn atomics_compare_before_they_store() {
    let u1 = || bare(File::Uav, &[1]);
    let run = |comparand: u32| {
        let run = Compute {
            declarations: vec![declaration(Opcode::DclUavRaw, &[u1()], &[])],
            bindings: vec![buffer(&[5, 5])],
            ..compute(&[
                instruction(Opcode::AtomicCmpStore, &[u1(), words([0]), words([comparand]), words([9])]),
                mov(r(0, "xyzw"), words([0; 4])),
                instruction(Opcode::ImmAtomicCmpExch, &[r(0, "y"), u1(), words([4]), words([comparand]), words([8])]),
            ])
        };
        let outcome = run.run();
        (contents(&outcome.resources[0][0])[1], contents(&outcome.resources[1][0]))
    };
    assert_eq!(run(5), (5, vec![9, 8]));
    assert_eq!(run(9), (5, vec![5, 5]));
}

/// 22.17.17, 22.17.18: alloc gives the count before it is incremented, consume the count after it is decremented; both wrap.
#[test]
fn counters_give_the_count_of_the_place() {
    let run = |opcode, counter| {
        let Binding::Buffer(view) = buffer(&[0; 4]) else { panic!("a buffer") };
        let run = Compute {
            declarations: vec![declaration(Opcode::DclUavStructured, &[bare(File::Uav, &[1])], &[4])],
            bindings: vec![Binding::Buffer(BufferBinding { counter, ..view })],
            ..compute(&[mov(r(0, "xyzw"), words([0; 4])), instruction(opcode, &[r(0, "z"), bare(File::Uav, &[1])])])
        };
        let outcome = run.run();
        let Binding::Buffer(view) = &outcome.resources[1][0] else { panic!("a buffer") };
        (contents(&outcome.resources[0][0])[2], view.counter)
    };
    assert_eq!(run(Opcode::ImmAtomicAlloc, 3), (3, 4));
    assert_eq!(run(Opcode::ImmAtomicAlloc, u32::MAX), (u32::MAX, 0));
    assert_eq!(run(Opcode::ImmAtomicConsume, 3), (2, 2));
    assert_eq!(run(Opcode::ImmAtomicConsume, 0), (u32::MAX, u32::MAX));
}

/// DXGI_FORMAT_R32_UINT.
const R32_UINT: TexelFormat = TexelFormat(42);
/// D3D10_SB_RESOURCE_DIMENSION, in the opcode token.
const TEXTURE_1D_ARRAY: u32 = 7 << 11;
const TEXTURE_2D: u32 = 3 << 11;
const TEXTURE_2D_ARRAY: u32 = 8 << 11;
const TYPED_BUFFER: u32 = 1 << 11;
/// The return type UINT for all four components.
const UINT: u32 = 0x4444;

fn typed(dimension: u32) -> Instruction {
    Instruction { controls: dimension, ..declaration(Opcode::DclResource, &[bare(File::Resource, &[0])], &[UINT]) }
}

fn texture(dimension: Dimension, arrayed: bool, size: [u32; 3], layers: u32, levels: &[&[u32]]) -> Binding {
    let levels = levels.iter().map(|level| level.iter().flat_map(|texel| texel.to_le_bytes()).collect()).collect();
    Binding::Texture(Arc::new(Texture {
        dimension,
        arrayed,
        format: R32_UINT,
        size,
        layers,
        samples: 1,
        min_lod: 0.0,
        unmapped: false,
        levels,
    }))
}

/// 22.4.6: the mip level is always the fourth component; components between the last coordinate and it do not matter.
#[test]
fn ld_takes_the_level_from_the_fourth_component() {
    let ld = |dimension, binding: Binding, address: [u32; 4]| {
        Compute {
            declarations: vec![typed(dimension)],
            bindings: vec![binding],
            ..compute(&[
                mov(r(1, "xyzw"), words(address)),
                instruction(Opcode::Ld, &[r(0, "xyzw"), s(1, "xyzw"), from(File::Resource, &[0], "xyzw")]),
            ])
        }
        .only_result()
    };
    let lines = || texture(Dimension::D1, true, [2, 1, 1], 2, &[&[11, 12, 21, 22], &[13, 23]]);
    assert_eq!(ld(TEXTURE_1D_ARRAY, lines(), [1, 1, 99, 0]), [22, 0, 0, 1]);
    assert_eq!(ld(TEXTURE_1D_ARRAY, lines(), [0, 1, 99, 1]), [23, 0, 0, 1]);
    // Out of range: 0 for what the format has, the defaults for what it has not.
    assert_eq!(ld(TEXTURE_1D_ARRAY, lines(), [0, 2, 99, 1]), [0, 0, 0, 1]);
    assert_eq!(ld(TEXTURE_1D_ARRAY, lines(), [0, 0, 0, 2]), [0, 0, 0, 1]);
    let image = || texture(Dimension::D2, false, [2, 2, 1], 1, &[&[1, 2, 3, 4], &[5]]);
    assert_eq!(ld(TEXTURE_2D, image(), [1, 0, 99, 0]), [2, 0, 0, 1]);
    assert_eq!(ld(TEXTURE_2D, image(), [0, 0, 99, 1]), [5, 0, 0, 1]);
    let Binding::Buffer(bytes) = buffer(&[7, 8]) else { panic!("a buffer") };
    let view = Binding::Buffer(BufferBinding { format: Some(R32_UINT), ..bytes });
    // A buffer has no levels: the fourth component is ignored.
    assert_eq!(ld(TYPED_BUFFER, view, [1, 99, 99, 99]), [8, 0, 0, 1]);
}

/// 22.4.14: sizes as floats, as reciprocals (not of layers and levels), as integers; out of range sizes are 0, whose reciprocal is infinite.
#[test]
fn resinfo_gives_sizes_in_three_forms() {
    let info = |form: u32, level: u32, swizzle: &str| {
        Compute {
            declarations: vec![typed(TEXTURE_2D_ARRAY)],
            bindings: vec![texture(Dimension::D2, true, [4, 2, 1], 3, &[&[0; 24], &[0; 6]])],
            ..compute(&[controlled(
                Opcode::Resinfo,
                form << 11,
                &[r(0, "xyzw"), words([level]), from(File::Resource, &[0], swizzle)],
            )])
        }
        .only_result()
    };
    let [two, three, half] = [2.0f32, 3.0, 0.5].map(f32::to_bits);
    assert_eq!(info(2, 0, "xyzw"), [4, 2, 3, 2]);
    assert_eq!(info(2, 1, "wzyx"), [2, 3, 1, 2]);
    assert_eq!(info(0, 1, "xyzw"), [two, ONE, three, two]);
    assert_eq!(info(1, 1, "xyzw"), [half, ONE, three, two]);
    assert_eq!(info(2, 2, "xyzw"), [0, 0, 0, 2]);
    assert_eq!(info(1, 2, "xyzw"), [0x7f80_0000, 0x7f80_0000, 0, two]);
}

/// 22.4.1: bytes of a raw view, structures of a structured one, texels of a typed one, in every component.
#[test]
fn bufinfo_counts_in_the_units_of_the_view() {
    let info = |declare: Instruction, format| {
        let Binding::Buffer(bytes) = buffer(&[0; 6]) else { panic!("a buffer") };
        Compute {
            declarations: vec![declare],
            bindings: vec![Binding::Buffer(BufferBinding { format, ..bytes })],
            ..compute(&[instruction(Opcode::BufInfo, &[r(0, "xyzw"), from(File::Resource, &[0], "xyzw")])])
        }
        .only_result()
    };
    let t0 = || [bare(File::Resource, &[0])];
    assert_eq!(info(declaration(Opcode::DclResourceRaw, &t0(), &[]), None), [24; 4]);
    assert_eq!(info(declaration(Opcode::DclResourceStructured, &t0(), &[8]), None), [3; 4]);
    assert_eq!(info(typed(TYPED_BUFFER), Some(R32_UINT)), [6; 4]);
}

/// 22.4.2, 22.4.4: texels counter-clockwise from the lower left; the low six bits of an offset count, as a signed number.
#[test]
fn gather_offsets_are_six_signed_bits() {
    let clamped = SamplerState { address: [AddressMode::Clamp; 3], ..SamplerState::default() };
    let gather = |x: u32, y: u32| {
        Compute {
            declarations: vec![typed(TEXTURE_2D), declaration(Opcode::DclSampler, &[bare(File::Sampler, &[0])], &[])],
            bindings: vec![texture(Dimension::D2, false, [2, 2, 1], 1, &[&[1, 2, 3, 4]])],
            samplers: vec![clamped],
            ..compute(&[instruction(
                Opcode::Gather4Po,
                &[
                    r(0, "xyzw"),
                    words([0x3f00_0000, 0x3f00_0000, 0, 0]),
                    words([x, y, 0, 0]),
                    from(File::Resource, &[0], "xyzw"),
                    from(File::Sampler, &[0], "x"),
                ],
            )])
        }
        .only_result()
    };
    assert_eq!(gather(0, 0), [3, 4, 2, 1]);
    assert_eq!(gather(1, 0), [4, 4, 2, 2]);
    assert_eq!(gather(64, 0), [3, 4, 2, 1]);
    assert_eq!(gather(63, 0), [3, 3, 1, 1]);
    assert_eq!(gather(0, 31), [3, 4, 4, 3]);
    assert_eq!(gather(0, 32), [1, 2, 2, 1]);
}

/// 7.5, 22.3.4: a constant out of range is 0, of the program's own constants too; 22.3.36 leaves an indexable temporary out of range open.
#[test]
fn indices_out_of_range() {
    let at = |register: Operand, index: u32| {
        let mut indices = register.indices.clone();
        let last = indices.pop().expect("an index");
        indices.push(relative(last.constant() as u32, s(1, "x")));
        Compute {
            declarations: vec![
                declaration(Opcode::DclConstantBuffer, &[from(File::ConstantBuffer, &[0, 2], "xyzw")], &[]),
                Instruction { controls: 3 << 11, ..declaration(Opcode::CustomData, &[], &[31, 32, 33, 34, 35, 36, 37, 38]) },
                declaration(Opcode::DclIndexableTemp, &[], &[0, 2, 2]),
            ],
            bindings: vec![buffer(&[21, 22, 23, 24, 25, 26, 27, 28])],
            ..compute(&[
                mov(r(1, "x"), words([index])),
                mov(to(File::IndexableTemp, &[0, 0], "xy"), words([41, 42, 0, 0])),
                mov(to(File::IndexableTemp, &[0, 1], "xy"), words([43, 44, 0, 0])),
                mov(r(0, "xyzw"), words([0; 4])),
                mov(r(0, "xy"), indexed(register, indices)),
            ])
        }
    };
    let constants = || from(File::ConstantBuffer, &[0, 1], "xyzw");
    assert_eq!(at(constants(), 0).only_result(), [25, 26, 0, 0]);
    assert_eq!(at(constants(), u32::MAX).only_result(), [21, 22, 0, 0]);
    for index in [1, 0x1000_0000, 0x4000_0000, u32::MAX - 1] {
        assert_eq!(at(constants(), index).only_result(), [0; 4], "cb0[1 + {index}]");
    }
    let own = || from(File::ImmediateConstantBuffer, &[0], "yxzw");
    assert_eq!(at(own(), 1).only_result(), [36, 35, 0, 0]);
    assert_eq!(at(own(), 2).only_result(), [0; 4]);
    assert_eq!(at(own(), 0x4000_0000).only_result(), [0; 4]);
    let array = || from(File::IndexableTemp, &[0, 0], "xyxx");
    assert_eq!(at(array(), 1).only_result(), [43, 44, 0, 0]);
    for index in [2, 0x8000_0000] {
        let outcome = at(array(), index).run();
        assert_eq!(outcome.event_count, 2, "x0[{index}]");
        assert!(outcome.events.iter().all(|event| event.kind == EventKind::LoadOutOfRange));
    }
    // A register of two components has no z.
    assert!(at(from(File::IndexableTemp, &[0, 0], "zzzz"), 0).program().is_err());
}

/// 22.7.6 to 22.7.17: conditional forms of every jump, in a loop that calls a subroutine; `nop` does nothing (22.10.13).
#[test]
fn conditional_jumps() {
    let when = |opcode, nonzero: bool, operands: &[Operand]| controlled(opcode, if nonzero { NONZERO } else { 0 }, operands);
    let run = Compute {
        threads: 8,
        subroutines: vec![
            instruction(Opcode::Label, &[bare(File::Label, &[0])]),
            instruction(Opcode::Ige, &[r(1, "w"), s(0, "x"), words([3])]),
            when(Opcode::Retc, false, &[s(1, "w")]),
            instruction(Opcode::Iadd, &[r(0, "y"), s(0, "y"), s(0, "x")]),
            instruction(Opcode::Ret, &[]),
        ],
        ..compute(&[
            mov(r(0, "xyzw"), words([0; 4])),
            mov(r(2, "x"), bare(File::InputThreadIdInGroupFlattened, &[])),
            instruction(Opcode::Loop, &[]),
            instruction(Opcode::Ige, &[r(1, "x"), s(0, "x"), words([6])]),
            when(Opcode::Breakc, true, &[s(1, "x")]),
            instruction(Opcode::Iadd, &[r(0, "x"), s(0, "x"), words([1])]),
            instruction(Opcode::And, &[r(1, "y"), s(0, "x"), words([1])]),
            when(Opcode::Continuec, true, &[s(1, "y")]),
            instruction(Opcode::Nop, &[]),
            instruction(Opcode::And, &[r(1, "z"), s(0, "x"), s(2, "x")]),
            when(Opcode::Callc, true, &[s(1, "z"), bare(File::Label, &[0])]),
            when(Opcode::Callc, false, &[s(1, "z"), bare(File::Label, &[0])]),
            instruction(Opcode::Iadd, &[r(0, "z"), s(0, "z"), words([1])]),
            instruction(Opcode::Endloop, &[]),
        ])
    };
    // x counts to 6; the even 2, 4 and 6 reach the calls, of which just one is made; the subroutine adds those from 3 on.
    assert_eq!(run.results(), [[6, 10, 3, 0]; 8]);
}

/// 22.7.18 and D3D10's fall-through: selectors that share code, default among them, and a case that runs on into the next.
#[test]
fn switch_cases_share_code_and_fall_through() {
    let add = |value: u32| instruction(Opcode::Iadd, &[r(0, "x"), s(0, "x"), words([value])]);
    let case = |value: u32| instruction(Opcode::Case, &[words([value])]);
    let plain = |opcode| instruction(opcode, &[]);
    let run = Compute {
        threads: 6,
        ..compute(&[
            mov(r(0, "xyzw"), words([0; 4])),
            instruction(Opcode::Switch, &[bare(File::InputThreadIdInGroupFlattened, &[])]),
            case(0),
            case(3),
            add(1),
            plain(Opcode::Break),
            case(1),
            add(10),
            plain(Opcode::Default),
            case(4),
            add(100),
            plain(Opcode::Break),
            case(5),
            plain(Opcode::Endswitch),
        ])
    };
    let found: Vec<u32> = run.results().iter().map(|words| words[0]).collect();
    assert_eq!(found, [1, 110, 100, 1, 100, 0]);
}

/// 22.17.7: _t waits for the group, _g orders group-shared memory, _ugroup and _uglobal views.
#[test]
fn sync_flags_are_a_barriers() {
    let cases = [
        (2, (false, true, None)),
        (4, (false, false, Some(BarrierScope::Group))),
        (8, (false, false, Some(BarrierScope::Device))),
        (2 | 1, (true, true, None)),
        (4 | 1, (true, false, Some(BarrierScope::Group))),
        (8 | 1, (true, false, Some(BarrierScope::Device))),
        (4 | 2, (false, true, Some(BarrierScope::Group))),
        (8 | 2 | 1, (true, true, Some(BarrierScope::Device))),
    ];
    for (flags, expected) in cases {
        let program = compute(&[controlled(Opcode::Sync, flags << 11, &[]), mov(r(0, "xyzw"), words([0; 4]))]).program();
        let mut found = Vec::new();
        walk(&program.expect("a program").functions[0].body, &mut |node| {
            if let Node::Op(instruction) = node
                && let Detail::Barrier(barrier) = instruction.attrs.detail
            {
                found.push((barrier.group, barrier.shared, barrier.resources));
            }
        });
        assert_eq!(found, [expected], "flags {flags}");
    }
}

/// 22.17.7: without _t a sync orders memory and nobody waits, so a neighbour's store and the load after it are still a race.
#[test]
fn a_sync_that_waits_for_nobody_leaves_a_race() {
    let thread = || bare(File::InputThreadIdInGroupFlattened, &[]);
    let run = |flags: u32| {
        let shared = bare(File::GroupShared, &[0]);
        let mut program = compute(&[
            instruction(Opcode::Ishl, &[r(1, "x"), thread(), words([2])]),
            instruction(Opcode::StoreRaw, &[to(File::GroupShared, &[0], "x"), s(1, "x"), thread()]),
            controlled(Opcode::Sync, flags << 11, &[]),
            instruction(Opcode::Xor, &[r(1, "x"), s(1, "x"), words([4])]),
            mov(r(0, "xyzw"), words([0; 4])),
            instruction(Opcode::LdRaw, &[r(0, "x"), s(1, "x"), from(File::GroupShared, &[0], "xxxx")]),
        ]);
        program.threads = 2;
        program.declarations = vec![declaration(Opcode::DclTgsmRaw, &[shared], &[8])];
        program.run()
    };
    for flags in [2, 2 | 4, 2 | 8] {
        let kinds: Vec<EventKind> = run(flags).events.iter().map(|event| event.kind).collect();
        assert!(!kinds.is_empty() && kinds.iter().all(|kind| *kind == EventKind::Race), "flags {flags}: {kinds:?}");
    }
    let waited = run(2 | 1);
    assert_eq!(waited.events, []);
    let found: Vec<u32> = contents(&waited.resources[0][0]).chunks(4).map(|words| words[0]).collect();
    assert_eq!(found, [1, 0]);
    // The other way round: waiting for all without ordering group-shared memory ends no stretch of it.
    assert!(!run(1 | 4).events.is_empty());
}

fn pixel(declarations: &[Instruction], body: &[Instruction]) -> dxbc::Result<Program> {
    let mut all = declarations.to_vec();
    all.push(declaration(Opcode::DclOutput, &[to(File::Output, &[0], "xyzw")], &[]));
    all.extend_from_slice(body);
    all.push(instruction(Opcode::Ret, &[]));
    program(Stage::Pixel, &all)
}

fn operations(program: &Program, op: Op) -> Vec<Detail> {
    let mut found = Vec::new();
    walk(&program.functions[0].body, &mut |node| {
        if let Node::Op(instruction) = node
            && instruction.op == op
        {
            found.push(instruction.attrs.detail);
        }
    });
    found
}

/// 22.4.15: the clamp of a `_cl` form and its status may be null.
#[test]
fn a_clamp_that_is_null_is_none() {
    let sample = |clamp: Operand| {
        let declarations = [typed(TEXTURE_2D), declaration(Opcode::DclSampler, &[bare(File::Sampler, &[0])], &[])];
        let sources = [words([0; 4]), from(File::Resource, &[0], "xyzw"), bare(File::Sampler, &[0]), clamp];
        let operands = [&[to(File::Output, &[0], "xyzw"), null()], &sources[..]].concat();
        let program = pixel(&declarations, &[instruction(Opcode::SampleClS, &operands)]).expect("a program");
        match operations(&program, Op::Sample)[..] {
            [Detail::Sampling(sampling)] => sampling.clamp,
            ref other => panic!("one sample, not {other:?}"),
        }
    };
    assert!(sample(words([0x3f00_0000])));
    assert!(!sample(null()));
}

/// 22.4.23 to .25: inputs of an indexed range may be evaluated elsewhere too.
#[test]
fn an_indexed_input_is_evaluated() {
    let input = |number| {
        let declare = declaration(Opcode::DclInputPs, &[to(File::Input, &[number], "xyzw")], &[]);
        Instruction { controls: 2 << 11, ..declare }
    };
    let range = declaration(Opcode::DclIndexRange, &[to(File::Input, &[0], "xyzw")], &[2]);
    let chosen = indexed(from(File::Input, &[0], "yyyy"), vec![relative(0, s(0, "x"))]);
    let body = [mov(r(0, "x"), words([1])), instruction(Opcode::EvalCentroid, &[to(File::Output, &[0], "x"), chosen])];
    let program = pixel(&[input(0), input(1), range], &body).expect("a program");
    assert_eq!(operations(&program, Op::InputAt).len(), 2);
    assert_eq!(operations(&program, Op::Select).len(), 2);
}

/// 7.11: a register may choose among the resources, and the samplers, of the instruction's kind.
#[test]
fn registers_choose_resources_and_samplers() {
    let t = |number| bare(File::Resource, &[number]);
    let image = |number| Instruction { controls: TEXTURE_2D, ..declaration(Opcode::DclResource, &[t(number)], &[UINT]) };
    let texels = |texel| texture(Dimension::D2, false, [1, 1, 1], 1, &[&[texel]]);
    let point = |address| SamplerState { address: [address; 3], border: [0.0; 4], ..SamplerState::default() };
    let run = |number: u32, sampler: u32| {
        let chosen = |file, constant: u32, component: &str, swizzle: &str| {
            indexed(from(file, &[0], swizzle), vec![relative(constant, s(1, component))])
        };
        Compute {
            declarations: vec![
                declaration(Opcode::DclResourceRaw, &[t(0)], &[]),
                image(3),
                image(5),
                declaration(Opcode::DclSampler, &[bare(File::Sampler, &[0])], &[]),
                declaration(Opcode::DclSampler, &[bare(File::Sampler, &[1])], &[]),
            ],
            bindings: vec![buffer(&[9]), texels(33), texels(55)],
            samplers: vec![point(AddressMode::Clamp), point(AddressMode::Border)],
            ..compute(&[
                mov(r(1, "xyzw"), words([number, sampler, 0, 0])),
                instruction(Opcode::Ld, &[r(0, "xyzw"), words([0; 4]), chosen(File::Resource, 1, "x", "xxxw")]),
                // Outside of the texture, where the samplers differ.
                instruction(
                    Opcode::Gather4,
                    &[
                        r(0, "yz"),
                        words([0x40a0_0000; 4]),
                        chosen(File::Resource, 1, "x", "xyzw"),
                        chosen(File::Sampler, 0, "y", "x"),
                    ],
                ),
            ])
        }
        .only_result()
    };
    assert_eq!(run(2, 0), [33, 33, 33, 1]);
    assert_eq!(run(4, 0), [55, 55, 55, 1]);
    assert_eq!(run(4, 1), [55, 0, 0, 1]);
}

/// 22.7.19: the sum of the interface's number and the array index chooses the slot: of fp0[2], fp0[1] and fp1[0] are the same.
#[test]
fn interface_slots_are_named_by_their_sum() {
    let call = |first: u32, index: u32| {
        let interface = bare(File::Interface, &[first, index]);
        let body = |number: u32, value: u32| {
            [
                instruction(Opcode::Label, &[bare(File::FunctionBody, &[number])]),
                mov(r(0, "x"), words([value])),
                instruction(Opcode::Ret, &[]),
            ]
        };
        // Of each slot 32 bytes: this[slot], then the table its class has.
        let instances = buffer(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
        Compute {
            declarations: vec![
                declaration(Opcode::DclFunctionBody, &[], &[0]),
                declaration(Opcode::DclFunctionBody, &[], &[1]),
                declaration(Opcode::DclFunctionTable, &[], &[0, 1, 0]),
                declaration(Opcode::DclFunctionTable, &[], &[1, 1, 1]),
                declaration(Opcode::DclInterface, &[], &[0, 1, 2 << 16 | 2, 0, 1]),
            ],
            bindings: vec![instances],
            subroutines: [body(0, 50), body(1, 51)].concat(),
            ..compute(&[mov(r(0, "xyzw"), words([0; 4])), declaration(Opcode::InterfaceCall, &[interface], &[0])])
        }
    };
    assert_eq!(call(0, 0).only_result()[0], 50);
    assert_eq!(call(0, 1).only_result()[0], 51);
    assert_eq!(call(1, 0).only_result()[0], 51);
    assert!(call(2, 0).program().is_err());
}
