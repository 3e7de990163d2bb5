// finds: 0 dead-code r0.x
// finds: 1 dead-code r0.y
// #1 is the only reader of what #0 writes, and nothing reads what #1 writes: neither has an effect.
mul r0.x, v0.x, v0.y
add r0.y, r0.x, l(0x3f800000)
mov o0.xyzw, v0.xyzw
