// finds: 6 nan-mask #0
// Two masks joined are a mask; so is one that is moved, selected, or given a sign.
lt r0.x, v0.x, v0.y
ge r0.y, v0.z, v0.w
and r0.x, r0.x, r0.y
mov r0.z, r0.x
movc r0.z, v1.x, r0.z, v1.y
add r1.x, v1.z, v1.w
max r1.x, -|r0.z|, r1.x
mov o0.xyzw, r1.xxxx
