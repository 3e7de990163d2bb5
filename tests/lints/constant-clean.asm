// finds: nothing
// The last row; an index of at most 1 + 2; an index that an input gives, of which nothing is known.
dcl_constantbuffer cb0[4].xyzw
mov r0.xyzw, cb0[3].xyzw
and r1.x, v0.x, l(0x00000001)
add r0.xyzw, r0.xyzw, cb0[r1.x+2].xyzw
mov r1.y, v0.y
add o0.xyzw, r0.xyzw, cb0[r1.y].xyzw
