//! Textures of several samples, cubes in an array, and resource arrays of SM 5.1 that are indexed by a register.

use super::*;

const TEXTURE_2DMS: u32 = 4 << 11;
const TEXTURE_2DMS_ARRAY: u32 = 9 << 11;
const TEXTURE_CUBE_ARRAY: u32 = 10 << 11;
const FOUR_SAMPLES: u32 = 4 << 16;

/// Samples of texels of R32_UINT: 100 times the texel's number and the sample's.
fn multisampled(arrayed: bool, size: [u32; 2], layers: u32, samples: u32) -> Binding {
    let texels = size[0] * size[1] * layers;
    let words: Vec<u32> = (0..texels).flat_map(|texel| (0..samples).map(move |sample| 100 * texel + sample)).collect();
    let Binding::Texture(one) = super::texture(Dimension::D2, arrayed, [size[0], size[1], 1], layers, &[&words]) else {
        panic!("a texture")
    };
    Binding::Texture(Arc::new(Texture { samples, ..(*one).clone() }))
}

fn load(dimension: u32, binding: Binding, address: [u32; 4], sample: u32) -> [u32; 4] {
    Compute {
        declarations: vec![typed(dimension)],
        bindings: vec![binding],
        ..compute(&[
            mov(r(1, "xyzw"), words(address)),
            instruction(Opcode::LdMs, &[r(0, "xyzw"), s(1, "xyzw"), from(File::Resource, &[0], "xyzw"), words([sample])]),
        ])
    }
    .only_result()
}

/// 22.4.7: the sample has an operand of its own; the components behind the coordinates and the layer do not matter.
#[test]
fn ld2dms_takes_one_sample() {
    let image = || multisampled(false, [2, 3], 1, 4);
    for (x, y, sample) in [(0, 0, 0), (1, 0, 3), (0, 2, 1), (1, 2, 2)] {
        let expected = 100 * (2 * y + x) + sample;
        assert_eq!(load(TEXTURE_2DMS | FOUR_SAMPLES, image(), [x, y, 99, 99], sample), [expected, 0, 0, 1]);
        assert_eq!(load(TEXTURE_2DMS, image(), [x, y, 99, 99], sample), [expected, 0, 0, 1], "no number of samples declared");
    }
    let layers = || multisampled(true, [2, 1], 3, 2);
    assert_eq!(load(TEXTURE_2DMS_ARRAY, layers(), [1, 0, 2, 99], 1), [501, 0, 0, 1]);
    // Out of range, as of any load.
    assert_eq!(load(TEXTURE_2DMS, image(), [2, 0, 0, 0], 0), [0, 0, 0, 1]);
    assert_eq!(load(TEXTURE_2DMS_ARRAY, layers(), [0, 0, 3, 0], 0), [0, 0, 0, 1]);
}

/// 22.4.21 and 22.4.22, with the standard patterns of 2, 4, 8 and 16 samples in sixteenths of a pixel.
#[test]
fn samples_of_a_texture_are_counted_and_placed() {
    let query = |samples: u32, instruction: Instruction| {
        Compute {
            declarations: vec![typed(TEXTURE_2DMS)],
            bindings: vec![multisampled(false, [1, 1], 1, samples)],
            ..compute(&[instruction])
        }
        .only_result()
    };
    let source = || from(File::Resource, &[0], "xyzw");
    let count = |samples, form: u32| query(samples, controlled(Opcode::SampleInfo, form << 11, &[r(0, "xyzw"), source()]));
    assert_eq!(count(4, 0), [4f32.to_bits(), 0, 0, 0]);
    assert_eq!(count(8, 1), [8, 0, 0, 0]);
    let place = |samples, sample| {
        let [x, y, z, w] = query(samples, instruction(Opcode::SamplePos, &[r(0, "xyzw"), source(), words([sample])]));
        assert_eq!([z, w], [0, 0]);
        [x, y].map(|word| (f32::from_bits(word) * 16.0) as i32)
    };
    assert_eq!([place(2, 0), place(2, 1)], [[4, 4], [-4, -4]]);
    assert_eq!([0, 1, 2, 3].map(|sample| place(4, sample)), [[-2, -6], [6, -2], [-6, 2], [2, 6]]);
    assert_eq!([place(8, 0), place(8, 7), place(16, 9), place(16, 15)], [[1, -3], [7, -7], [0, -7], [-7, -8]]);
    assert_eq!(place(4, 4), [0, 0], "a sample that is not there");
}

/// 22.4.18 of a cube array: the fourth component chooses the cube, to nearest even; 22.4.14 counts cubes.
#[test]
fn cubes_of_an_array() {
    let cubes = || super::texture(Dimension::Cube, true, [1, 1, 1], 12, &[&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]]);
    let sampler = declaration(Opcode::DclSampler, &[bare(File::Sampler, &[0])], &[]);
    let sample = |address: [f32; 4]| {
        Compute {
            declarations: vec![typed(TEXTURE_CUBE_ARRAY), sampler.clone()],
            bindings: vec![cubes()],
            samplers: vec![SamplerState::default()],
            ..compute(&[
                mov(r(1, "xyzw"), words(address.map(f32::to_bits))),
                instruction(
                    Opcode::SampleL,
                    &[r(0, "xyzw"), s(1, "xyzw"), from(File::Resource, &[0], "xyzw"), from(File::Sampler, &[0], "x"), words([0])],
                ),
            ])
        }
        .only_result()[0]
    };
    // Faces +x, -x, +y, -y, +z, -z (5.3.8).
    assert_eq!([sample([1.0, 0.0, 0.0, 0.0]), sample([0.1, -2.0, 0.2, 0.0]), sample([0.0, 0.0, -1.0, 0.4])], [0, 3, 5]);
    assert_eq!([sample([0.0, 0.0, 1.0, 1.0]), sample([-3.0, 0.0, 1.0, 0.6]), sample([0.0, 1.0, 0.0, 77.0])], [10, 7, 8]);
    assert_eq!([sample([1.0, 0.0, 0.0, 0.5]), sample([1.0, 0.0, 0.0, -9.0])], [0, 0]);
    let size = Compute {
        declarations: vec![typed(TEXTURE_CUBE_ARRAY)],
        bindings: vec![cubes()],
        ..compute(&[controlled(Opcode::Resinfo, 2 << 11, &[r(0, "xyzw"), words([0]), from(File::Resource, &[0], "xyzw")])])
    };
    assert_eq!(size.only_result(), [1, 1, 2, 1]);
}

/// SM 5.1: a declaration names a range of registers in a space, and an operand the range and, by a constant or a register, the register
/// counted from the start of the space.
#[test]
fn resource_arrays_are_indexed_by_a_register() {
    let range = |file, lower, upper| bare(file, &[0, lower, upper]);
    let thread = || bare(File::InputThreadIdInGroupFlattened, &[]);
    let element = |register| indexed(from(File::Resource, &[0, 0], "xyzw"), vec![constant(0), register]);
    let ld = |to, register| instruction(Opcode::Ld, &[r(to, "xyzw"), words([0, 0, 0, 0]), element(register)]);
    // t4 to t7 of space 2: thread i looks at t(7 - i) and at t5.
    let program = dxbc::program(&container_of(
        0x51,
        Stage::Compute,
        &[
            declaration(Opcode::DclUavRaw, &[range(File::Uav, 0, 0)], &[0]),
            Instruction { controls: TEXTURE_2D, ..declaration(Opcode::DclResource, &[range(File::Resource, 4, 7)], &[UINT, 2]) },
            declaration(Opcode::DclInput, &[thread()], &[]),
            declaration(Opcode::DclThreadGroup, &[], &[4, 1, 1]),
            instruction(Opcode::Iadd, &[r(1, "x"), words([3]), modified(Modifier::Neg, thread())]),
            ld(2, relative(4, s(1, "x"))),
            ld(3, constant(5)),
            mov(r(2, "y"), s(3, "x")),
            instruction(Opcode::Ishl, &[r(9, "x"), thread(), words([4])]),
            instruction(Opcode::StoreRaw, &[to(File::Uav, &[0, 0], "xyzw"), s(9, "x"), s(2, "xyzw")]),
            instruction(Opcode::Ret, &[]),
        ],
    ))
    .expect("a program");
    validate(&program).expect("a valid program");
    assert_eq!(program.interface.resources[1].count, Some(4));
    let mut case = Case::empty_for(&program, Launch::Groups { count: [1, 1, 1] }).expect("a case");
    case.resources[0] = vec![buffer(&[0; 16])];
    case.resources[1] = [40, 50, 60, 70].map(|word| super::texture(Dimension::D2, false, [1, 1, 1], 1, &[&[word]])).to_vec();
    let outcome = Plan::compile(&program).expect("a plan").run(&case, &Options::default()).expect("a run");
    assert_eq!(outcome.events, []);
    let found = contents(&outcome.resources[0][0]);
    assert_eq!(
        found.as_chunks::<4>().0.iter().map(|[x, y, ..]| [*x, *y]).collect::<Vec<_>>(),
        [[70, 50], [60, 50], [50, 50], [40, 50]]
    );
}
