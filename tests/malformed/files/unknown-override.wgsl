// override scale 2
override bias: f32 = 1.0;
@compute @workgroup_size(1)
fn main() { var x = bias; }
