fn down(x: u32) -> u32 { return down(x - 1u); }
@compute @workgroup_size(1)
fn main() { var x = down(3u); }
