// Particle update in place with attractors and a floor.
struct Particle
{
    float3 position;
    float age;
    float3 velocity;
    uint seed;
};

cbuffer Simulation : register(b0)
{
    float4 attractors[4];
    float3 gravity;
    float dt;
    float lifetime;
    uint count;
};

RWStructuredBuffer<Particle> particles : register(u0);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    uint length, stride;
    particles.GetDimensions(length, stride);
    if (id.x >= min(count, length))
        return;
    Particle p = particles[id.x];
    float3 force = gravity;
    [LOOP]
    for (int i = 0; i < 4; i++)
    {
        float3 to = attractors[i].xyz - p.position;
        force += to * (attractors[i].w / (dot(to, to) + 0.5));
    }
    p.velocity += force * dt;
    p.position += p.velocity * dt;
    p.age += dt;
    [BRANCH]
    if (p.age > lifetime)
    {
        p.seed = p.seed * 1664525u + 1013904223u;
        p.position = float3(p.seed & 255, p.seed >> 8 & 255, p.seed >> 16 & 255);
        p.age = 0;
    }
    if (p.position.y < 0)
    {
        p.position.y = -p.position.y;
        p.velocity.y *= -0.5;
    }
    particles[id.x] = p;
}
