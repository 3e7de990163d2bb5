// Compiled with what debuggers need.

float4 half_of(float4 v) { return v * 0.5; }

float4 main(float4 v : COLOR) : SV_Target { return half_of(v); }
