//! Writes `docs/undefined.md` again.

fn main() -> std::io::Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/undefined.md");
    std::fs::write(path, gpuproof_run::promise::page())
}
