fn helper(x: f32) -> f32 { return x; }
