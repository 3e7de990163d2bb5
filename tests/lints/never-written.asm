// finds: 1 never-written r0.w
// #0 writes x, y and z of r0; nothing writes its w (D3D11 functional specification 3.5: temporaries are not initialised).
mov r0.xyz, v0.xyzz
mov o0.xyzw, r0.xyzw
