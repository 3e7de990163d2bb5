// finds: nothing
// Each component is written on every way before it is read: both branches, a swizzle that takes only what is written, a dot product of two
// components, and a component that only an unused read takes is the rule dead-code's.
mov r0.xy, v0.xyyy
if_z v0.z
mov r1.x, l(0x3f800000)
else
mov r1.x, v0.w
endif
dp2 r2.x, r0.xyxx, r0.xyyy
mul r2.x, r2.x, r1.x
mov o0.xyzw, r2.xxxx
