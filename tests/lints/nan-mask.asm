// finds: 1 nan-mask #0
// `lt` gives all ones where it holds (D3D11 functional specification 22.6.7): a NaN as a factor.
lt r0.x, v0.x, v0.y
mul o0.xyzw, r0.xxxx, v1.xyzw
