// fxc /T ps_5_0 /E main: messages and an abort, which stand in the tokens as blocks of data.
float4 main(float4 p : P) : SV_Target
{
    if (p.x < 0)
    {
        printf("hello %f %d", p.x, 3);
    }
    if (p.y < 0)
    {
        errorf("bad %f", p.y);
    }
    if (p.z < 0)
        abort();
    return p;
}
