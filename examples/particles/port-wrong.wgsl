// Particles in a buffer: a port of original.dxbc, operation by operation.

struct Particle {
    position: vec3<f32>,
    age: f32,
    velocity: vec3<f32>,
    seed: u32,
}

// The constants as rows of four: gravity and dt; the attractor; drag, lifetime, count and floor height.
struct SimulationRows {
    rows: array<vec4<f32>, 3>,
}

@group(0) @binding(0) var<uniform> Simulation: SimulationRows;
@group(0) @binding(300) var<storage, read_write> particles: array<Particle>;

// Direct3D 11 flushes denormal operands and results of arithmetic to a zero of their sign; WGSL keeps them.
fn flush(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    return select(x, bitcast<f32>(bits & 0x80000000u), (bits & 0x7f800000u) == 0u);
}

fn flush3(v: vec3<f32>) -> vec3<f32> {
    let bits = bitcast<vec3<u32>>(v);
    return select(v, bitcast<vec3<f32>>(bits & vec3(0x80000000u)), (bits & vec3(0x7f800000u)) == vec3(0u));
}

fn mad3(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>) -> vec3<f32> {
    return flush3(flush3(a * b) + c);
}

fn dot3(a: vec3<f32>, b: vec3<f32>) -> f32 {
    let p = flush3(a * b);
    return flush(flush(p.x + p.y) + p.z);
}

@compute @workgroup_size(64, 1, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let count = bitcast<u32>(Simulation.rows[2].z);
    // A store past the end is dropped in Direct3D, so that such a lane does nothing.
    if (id.x >= count || id.x >= arrayLength(&particles)) {
        return;
    }
    let gravity = flush3(Simulation.rows[0].xyz);
    let dt = flush(Simulation.rows[0].w);
    let attractor = flush3(Simulation.rows[1].xyz);
    let strength = flush(Simulation.rows[1].w);
    let drag = flush(Simulation.rows[2].x);
    let lifetime = flush(Simulation.rows[2].x);
    let floor_height = flush(Simulation.rows[2].w);

    let p = particles[id.x];
    let to = flush3(attractor - flush3(p.position));
    let pull = flush(strength / flush(dot3(to, to) + 0.25));
    let force = mad3(to, vec3(pull), gravity);
    var velocity = mad3(flush3(p.velocity), vec3(drag), flush3(force * dt));
    var position = mad3(velocity, vec3(dt), flush3(p.position));
    var age = flush(flush(p.age) + dt);
    var seed = p.seed;
    if (position.y < floor_height) {
        position.y = flush(flush(floor_height * 2.0) - position.y);
        velocity.y = flush(velocity.y * -0.5);
    }
    if (age >= lifetime) {
        seed = seed * 747796405u + 2891336453u;
        var word = ((seed >> (((seed >> 28u) + 4u) & 31u)) ^ seed) * 277803737u;
        word = (word >> 22u) ^ word;
        position = vec3<f32>(vec3(word, word >> 10u, word >> 20u) & vec3(1023u)) * 0.015625;
        velocity = vec3(0.0);
        age = 0.0;
    }
    particles[id.x] = Particle(position, age, velocity, seed);
}
