override bias: f32;
@compute @workgroup_size(1)
fn main() { var x = bias; }
