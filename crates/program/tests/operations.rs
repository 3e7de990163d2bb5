//! The page of operations is what the table gives.

#[allow(dead_code, reason = "its main function prints the page")]
#[path = "../examples/operations.rs"]
mod operations;

#[test]
fn the_page_of_operations_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/OPERATIONS.md");
    let found = std::fs::read_to_string(path).expect("the page").replace("\r\n", "\n");
    assert!(
        found == operations::page(),
        "run `cargo run -p gpuproof-program --example operations > crates/program/OPERATIONS.md`"
    );
}
