// Ports of memory.hlsl. A line that is wrong on purpose ends in `// wrong`.

@group(0) @binding(0) var<storage> source: array<u32>;
@group(0) @binding(1) var<storage> values: array<f32>;
@group(0) @binding(2) var<storage, read_write> target_: array<u32>;
@group(0) @binding(3) var<storage, read_write> sums: array<f32>;
@group(0) @binding(4) var<storage, read_write> counts: array<atomic<u32>>;

var<workgroup> words: array<u32, 64>;
var<workgroup> floats: array<f32, 64>;
var<workgroup> next: atomic<u32>;

@compute @workgroup_size(64)
fn colliding_as_written(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&source) && id.x / 2u < arrayLength(&target_) {
        target_[id.x / 2u] = source[id.x] * 3u + 1u;
    }
}

@compute @workgroup_size(64)
fn colliding_first_lane(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x % 2u == 0u && id.x < arrayLength(&source) && id.x / 2u < arrayLength(&target_) {
        target_[id.x / 2u] = source[id.x] * 3u + 1u;
    }
}

@compute @workgroup_size(64)
fn colliding_wrong_value(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&source) && id.x / 2u < arrayLength(&target_) {
        target_[id.x / 2u] = source[id.x] * 3u + 2u; // wrong
    }
}

@compute @workgroup_size(64)
fn reversed_as_written(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) at: u32) {
    words[at] = select(0u, source[id.x], id.x < arrayLength(&source)) ^ 0x55555555u;
    workgroupBarrier();
    if id.x < arrayLength(&target_) {
        target_[id.x] = words[63u - at];
    }
}

@compute @workgroup_size(64)
fn reversed_unsynchronised(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) at: u32) {
    words[at] = select(0u, source[id.x], id.x < arrayLength(&source)) ^ 0x55555555u;
    if id.x < arrayLength(&target_) {
        target_[id.x] = words[63u - at]; // wrong
    }
}

@compute @workgroup_size(64)
fn reversed_by_storage_barrier(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) at: u32) {
    words[at] = select(0u, source[id.x], id.x < arrayLength(&source)) ^ 0x55555555u;
    storageBarrier(); // wrong
    if id.x < arrayLength(&target_) {
        target_[id.x] = words[63u - at];
    }
}

@compute @workgroup_size(64)
fn tree_sum_in_order(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) at: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let value = select(0.0, values[id.x], id.x < arrayLength(&values));
    floats[at] = value * value;
    workgroupBarrier();
    if at == 0u && group.x < arrayLength(&sums) {
        var sum = 0.0;
        for (var k = 0u; k < 64u; k++) {
            sum += floats[k]; // wrong
        }
        sums[group.x] = sum;
    }
}

@compute @workgroup_size(64)
fn tree_sum_one_short(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) at: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let value = select(0.0, values[id.x], id.x < arrayLength(&values));
    floats[at] = value * value;
    workgroupBarrier();
    if at == 0u && group.x < arrayLength(&sums) {
        var sum = 0.0;
        for (var k = 0u; k < 63u; k++) { // wrong
            sum += floats[k];
        }
        sums[group.x] = sum;
    }
}

@compute @workgroup_size(64)
fn exchanged_with_barriers(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) at: u32) {
    words[at] = select(0u, source[id.x], id.x < arrayLength(&source)) + 1u;
    workgroupBarrier();
    let other = words[at ^ 1u];
    workgroupBarrier();
    words[at] = other * 2u;
    workgroupBarrier();
    if id.x < arrayLength(&target_) {
        target_[id.x] = words[at ^ 2u];
    }
}

@compute @workgroup_size(64)
fn exchanged_racing(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) at: u32) {
    words[at] = select(0u, source[id.x], id.x < arrayLength(&source)) + 1u;
    workgroupBarrier();
    words[at] = words[at ^ 1u] * 2u; // wrong
    workgroupBarrier();
    if id.x < arrayLength(&target_) {
        target_[id.x] = words[at ^ 2u];
    }
}

@compute @workgroup_size(64)
fn outside_guarded(@builtin(global_invocation_id) id: vec3<u32>) {
    let place = id.x * 2u + 1u;
    let value = select(0u, source[place], place < arrayLength(&source));
    if id.x < arrayLength(&target_) {
        target_[id.x] = value + 5u;
    }
}

@compute @workgroup_size(64)
fn outside_clamped(@builtin(global_invocation_id) id: vec3<u32>) {
    let place = min(id.x * 2u + 1u, arrayLength(&source) - 1u); // wrong
    if id.x < arrayLength(&target_) {
        target_[id.x] = source[place] + 5u;
    }
}

@compute @workgroup_size(64)
fn outside_unguarded(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&target_) {
        target_[id.x] = source[id.x * 2u + 1u] + 5u; // wrong
    }
}

@compute @workgroup_size(64)
fn atomic_outside_other(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&target_) {
        target_[id.x] = id.x + 7u + (atomicAdd(&counts[0], 0u) & 0u);
    }
}

@compute @workgroup_size(64)
fn scaled_total_of_quotients(@builtin(global_invocation_id) id: vec3<u32>) {
    var total = 0.0;
    for (var k = 8u; k > 0u; k--) {
        let place = id.x + k - 1u;
        total += select(0.0, values[place], place < arrayLength(&values)) / 3.0;
    }
    if id.x < arrayLength(&sums) {
        sums[id.x] = total;
    }
}

@compute @workgroup_size(64)
fn scaled_total_one_further(@builtin(global_invocation_id) id: vec3<u32>) {
    var total = 0.0;
    for (var k = 8u; k > 0u; k--) {
        let place = id.x + k; // wrong
        total += select(0.0, values[place], place < arrayLength(&values)) / 3.0;
    }
    if id.x < arrayLength(&sums) {
        sums[id.x] = total;
    }
}

@compute @workgroup_size(64)
fn drawn_as_written(@builtin(global_invocation_id) id: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>) {
    let ticket = atomicAdd(&next, 1u);
    if group.x * 64u + 64u <= arrayLength(&target_) {
        target_[group.x * 64u + ticket] = id.x * 2u + 1u;
    }
}

@compute @workgroup_size(64)
fn drawn_by_others(@builtin(global_invocation_id) id: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>) {
    let ticket = atomicAdd(&next, 1u);
    if group.x * 64u + 64u <= arrayLength(&target_) {
        target_[group.x * 64u + ticket] = (id.x ^ 1u) * 2u + 1u;
    }
}

@compute @workgroup_size(64)
fn drawn_wrong_rows(@builtin(global_invocation_id) id: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>) {
    let ticket = atomicAdd(&next, 1u);
    if group.x * 64u + 64u <= arrayLength(&target_) {
        target_[group.x * 64u + ticket] = (id.x ^ 1u) * 2u; // wrong
    }
}

@compute @workgroup_size(64)
fn tree_sum_as_written(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) at: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let value = select(0.0, values[id.x], id.x < arrayLength(&values));
    floats[at] = value * value;
    workgroupBarrier();
    for (var step = 32u; step > 0u; step >>= 1u) {
        if at < step {
            floats[at] += floats[at + step];
        }
        workgroupBarrier();
    }
    if at == 0u && group.x < arrayLength(&sums) {
        sums[group.x] = floats[0];
    }
}

// What each lane sees that runs to its end before the next one begins.
@compute @workgroup_size(64)
fn reversed_one_after_another(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) at: u32) {
    words[at] = select(0u, source[id.x], id.x < arrayLength(&source)) ^ 0x55555555u;
    workgroupBarrier();
    if id.x < arrayLength(&target_) {
        target_[id.x] = select(0u, words[63u - at], at >= 32u);
    }
}

@compute @workgroup_size(64)
fn exchanged_one_after_another(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) at: u32) {
    words[at] = select(0u, source[id.x], id.x < arrayLength(&source)) + 1u;
    workgroupBarrier();
    let value = select(words[at ^ 3u] * 2u, words[at ^ 2u] * 4u, (at & 1u) == 1u);
    if id.x < arrayLength(&target_) {
        target_[id.x] = value;
    }
}
