#version 450
// Specialization constants: the size of the workgroup, of an array, and an operation on them.
layout(local_size_x_id = 3) in;
layout(constant_id = 0) const int COUNT = 4;
layout(constant_id = 1) const float SCALE = 0.5;
layout(constant_id = 2) const bool FLIP = false;
const int TWICE = COUNT * 2 - 1;
layout(set = 0, binding = 0, std430) buffer Data { float words[]; } data;
shared float kept[TWICE];

void main() {
    uint at = gl_LocalInvocationIndex;
    if (at < uint(TWICE)) kept[at] = data.words[at] * SCALE;
    barrier();
    float sum = 0.0;
    for (int i = 0; i < TWICE; i++) sum += kept[i];
    data.words[gl_GlobalInvocationID.x] = FLIP ? -sum : sum;
}
