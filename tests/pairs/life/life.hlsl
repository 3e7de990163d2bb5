// One generation of a cellular automaton on a texture.
Texture2D<uint> before : register(t0);
RWStructuredBuffer<uint> after : register(u0);

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    int2 at = (int2)id.xy;
    uint width, height, length, stride;
    before.GetDimensions(width, height);
    after.GetDimensions(length, stride);
    if (id.x >= width || id.y >= height || id.y * width + id.x >= length)
        return;
    uint alive = 0;
    [LOOP]
    for (int y = -1; y <= 1; y++)
        [LOOP]
        for (int x = -1; x <= 1; x++)
            if (x != 0 || y != 0)
                alive += before.Load(int3(clamp(at + int2(x, y), 0, int2(width, height) - 1), 0)) & 1;
    uint me = before.Load(int3(at, 0)) & 1;
    uint next = 0;
    [BRANCH]
    if (me != 0)
        next = alive == 2 || alive == 3 ? 1 : 0;
    else
        next = alive == 3 ? 1 : 0;
    after[id.y * width + id.x] = next;
}
