#version 450
// Functions with pointers for parameters, early returns, a discard in a function, local arrays at computed places, matrices by rows.
layout(location = 0) in vec4 tint;
layout(location = 1) flat in ivec2 picks;
layout(location = 0) out vec4 colour;
struct Item { mat3x2 turn; float weights[3]; };
layout(set = 0, binding = 1, std140, row_major) uniform Data { layout(column_major) mat4 view; Item items[2]; layout(column_major) mat2x3 skew; } data;

float total;

void grow(inout vec4 value, out float first, in int index) {
    value[index & 3] += 1.5;
    first = value.x;
    total += value.y;
}

float search(float[4] values, float limit) {
    for (int i = 0; i < 4; i++) {
        if (values[i] > limit) return values[i] - limit;
        if (i == 2) continue;
        total += 0.25;
    }
    return -1.0;
}

void drop(float value) {
    if (value > 60.0) discard;
}

float ladder(int n) {
    float result = 0.0;
    switch (n) {
    case 0: result += 1.0;
    case 1: result += 2.0; break;
    case 2: { int k = 0; do { result += float(k); k++; } while (k < 3); }
    default: result -= 0.5;
    }
    return result;
}

void main() {
    total = 0.0;
    vec4 value = tint;
    float first;
    grow(value, first, picks.x);
    float values[4];
    for (int i = 0; i < 4; i++) values[(i + picks.y) & 3] = value[i];
    vec4 moved = data.view * value;
    vec2 turned = data.items[picks.x & 1].turn * moved.xyz;
    vec3 skewed = data.skew * turned;
    drop(moved.w);
    colour = vec4(search(values, first), skewed.x + data.items[picks.y & 1].weights[(picks.x & 3) % 3], turned.y + skewed.z, total + ladder(picks.x & 3));
}
