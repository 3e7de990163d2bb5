vs_4_0
dcl_globalFlags enableDoublePrecisionFloatOps | enableRawAndStructuredBuffers | forceEarlyDepthStencil | enable11_1DoubleExtensions | enable11_1ShaderExtensions | allResourcesBound
ret 
