//! The page of opcodes.
#![cfg(feature = "dxbc")]

#[path = "../examples/direct3d_11.rs"]
#[allow(dead_code, reason = "its main function prints the page")]
mod page;

#[test]
fn the_page_of_opcodes_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/direct3d-11.md");
    let found = std::fs::read_to_string(path).expect("the page").replace("\r\n", "\n");
    assert!(found == page::page(), "run `cargo run -p gpuproof-read --example direct3d_11 > docs/direct3d-11.md`");
}
