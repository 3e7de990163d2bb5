// finds: 17 never-written r1.y
// #1 to #6 are an early return without optimisation: r0.x is written by the one or the other. Of #8 to #14 the first changes what the second asks, so
// that both may be passed over: r1.y is not written where v0.y and v1.z are 0.
mov r3.x, v0.x
if_nz r3.x
mov r0.x, l(0x3f800000)
endif
if_z r3.x
mov r0.x, v1.x
endif
mov r2.x, v0.y
if_z r2.x
mov r2.x, v1.z
endif
if_nz r2.x
mov r1.y, v1.z
endif
nop
mov o0.xyzw, r0.xxxx
mov o1.x, r2.x
mov o1.yzw, r1.yyyy
