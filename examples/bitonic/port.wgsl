// Bitonic sort of 128 keys with their values: a port of original.dxbc.

struct Item {
    key: i32,
    value: u32,
}

struct SortConstants {
    count: u32,
    descending: u32,
}

@group(0) @binding(0) var<uniform> Sort: SortConstants;
@group(0) @binding(300) var<storage, read_write> items: array<Item>;

var<workgroup> keys: array<i32, 128>;
var<workgroup> values: array<u32, 128>;

// A read past the end gives zeros in Direct3D; past the count the key is the greatest.
fn load(i: u32) -> Item {
    if (i >= Sort.count) {
        return Item(0x7fffffff, 0u);
    }
    if (i >= arrayLength(&items)) {
        return Item(0, 0u);
    }
    return items[i];
}

fn store(i: u32, at: u32) {
    if (i < Sort.count && i < arrayLength(&items)) {
        items[i] = Item(keys[at], values[at]);
    }
}

fn after(a: i32, b: i32) -> bool {
    return a > b;
}

@compute @workgroup_size(64, 1, 1)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let base = group.x * 128u;
    for (var part = 0u; part < 128u; part += 64u) {
        let item = load(base + t + part);
        keys[t + part] = item.key;
        values[t + part] = item.value;
    }
    for (var size = 2u; size <= 128u; size <<= 1u) {
        for (var stride = size >> 1u; stride > 0u; stride >>= 1u) {
            workgroupBarrier();
            let low = ((t & ~(stride - 1u)) << 1u) | (t & (stride - 1u));
            let high = low + stride;
            let a = keys[low];
            let b = keys[high];
            let up = ((low & size) == 0u) == (Sort.descending == 0u);
            if (after(a, b) == up && a != b) {
                keys[low] = b;
                keys[high] = a;
                let value = values[low];
                values[low] = values[high];
                values[high] = value;
            }
        }
    }
    workgroupBarrier();
    store(base + t, t);
    store(base + t + 64u, t + 64u);
}
