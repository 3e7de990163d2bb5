// finds: nothing
// By hand: ones and 1.0's bits give 1.0; a condition asks for bits alone; itof of all ones is -1.0; a mask and a number gives the number or
// zero; not equal to zero is true of a NaN.
lt r0.x, v0.x, v0.y
and r0.y, r0.x, l(0x3f800000)
mul r0.y, r0.y, v1.x
movc r0.z, r0.x, v1.y, v1.z
itof r0.w, r0.x
and r1.x, r0.x, v1.w
add r0.y, r0.y, r0.z
add r0.w, r0.w, r1.x
ne r1.y, r0.x, l(0x00000000)
movc r0.y, r1.y, r0.y, r0.w
mov o0.xyzw, r0.yyyy
