// finds: 5 never-written r0.y
// r0.x is written in both branches, r0.y in the first alone.
if_nz v0.x
mov r0.xy, v1.xyyy
else
mov r0.x, v1.z
endif
mov o0.xyzw, r0.xyxy
