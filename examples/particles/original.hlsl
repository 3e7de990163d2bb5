// Particles in a buffer: forces, a floor, rebirth from an integer random sequence.
struct Particle
{
    float3 position;
    float age;
    float3 velocity;
    uint seed;
};

cbuffer Simulation : register(b0)
{
    float3 gravity;
    float dt;
    float4 attractor;
    float drag;
    float lifetime;
    uint count;
    float floor_height;
};

RWStructuredBuffer<Particle> particles : register(u0);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    if (id.x >= count)
        return;
    Particle p = particles[id.x];
    float3 to = attractor.xyz - p.position;
    float3 force = gravity + to * (attractor.w / (dot(to, to) + 0.25));
    p.velocity = p.velocity * drag + force * dt;
    p.position = p.position + p.velocity * dt;
    p.age = p.age + dt;
    if (p.position.y < floor_height)
    {
        p.position.y = floor_height * 2 - p.position.y;
        p.velocity.y = p.velocity.y * -0.5;
    }
    if (p.age >= lifetime)
    {
        p.seed = p.seed * 747796405u + 2891336453u;
        uint word = ((p.seed >> ((p.seed >> 28) + 4)) ^ p.seed) * 277803737u;
        word = (word >> 22) ^ word;
        p.position = float3(word & 1023, word >> 10 & 1023, word >> 20 & 1023) * (1.0 / 64);
        p.velocity = 0;
        p.age = 0;
    }
    particles[id.x] = p;
}
