// finds: 0 dead-code r0.x
// finds: 1 dead-code r1.z
// finds: 2 dead-code o0.x
// Nothing reads r0.x but #0's own reader, which there is none of; of r1 only x and y are read; #4 overwrites o0.x.
mul r0.x, v0.x, v0.y
mul r1.xyz, v0.xyzz, v0.yzxx
mov o0.x, l(0x3f800000)
add r1.x, r1.x, r1.y
mov o0.xyzw, r1.xxxx
