//! What evidence says of undefined results: which words depend on which event, what is undefined in the port alone, on whose order words depend. The programs
//! are small enough to say by hand which words those are.

use gpuproof_program::Program;
use gpuproof_prove::compare::Status;
use gpuproof_prove::evidence::EventRecord;
use gpuproof_prove::{Evidence, Settings, Side, Subject, verify};
use gpuproof_read::wgsl;
use gpuproof_run::EventKind;

fn program(text: &str) -> Program {
    wgsl::read(text, &wgsl::Options::default()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn held(original: &str, port: &str) -> Evidence {
    let (first, second) = (program(original), program(port));
    let subjects = (Subject::new(&first, "a", original.as_bytes()), Subject::new(&second, "b", port.as_bytes()));
    let settings = Settings { lanes: 4096, ..Settings::default() };
    verify(&subjects.0, &subjects.1, &settings, &mut |_| {}).expect("evidence").evidence
}

/// The record of a kind at a line.
fn record(evidence: &Evidence, side: Side, kind: EventKind, line: u32) -> &EventRecord {
    let found = evidence.events.iter().find(|event| (event.side, event.kind, event.line) == (side, kind, Some(line)));
    found.unwrap_or_else(|| panic!("{kind:?} at line {line} of the {side}: {:?}", evidence.events))
}

fn outputs(record: &EventRecord) -> Vec<&str> {
    record.depends.as_ref().expect("a search").outputs.iter().map(|output| output.output.as_str()).collect()
}

const TWO: &str = "@group(0) @binding(0) var<storage, read> src: array<u32>;
@group(0) @binding(1) var<storage, read_write> first: array<u32>;
@group(0) @binding(2) var<storage, read_write> second: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
    first[id.x] = src[arrayLength(&src) + id.x];
    second[id.x] = src[id.x] + FACTOR * src[arrayLength(&src) + id.x];
}";

/// A load past the end feeds one output, another the other; where it is multiplied by 0, nothing depends on it.
#[test]
fn words_are_told_by_the_event_that_they_depend_on() {
    let text = TWO.replace("FACTOR", "1u");
    let evidence = held(&text, &text);
    for side in [Side::Original, Side::Port] {
        assert_eq!(outputs(record(&evidence, side, EventKind::LoadOutOfRange, 5)), ["first"]);
        assert_eq!(outputs(record(&evidence, side, EventKind::LoadOutOfRange, 6)), ["second"]);
    }
    let found = record(&evidence, Side::Original, EventKind::LoadOutOfRange, 5);
    let example = found.depends.as_ref().and_then(|depends| depends.example.as_ref()).expect("an example");
    assert!(example.output.starts_with("first[") && example.canonical != example.other, "{example:?}");
    // Every lane of every case, each once.
    assert_eq!(found.count, evidence.census.lanes);
    let text = TWO.replace("FACTOR", "0u");
    let evidence = held(&text, &text);
    let found = record(&evidence, Side::Original, EventKind::LoadOutOfRange, 6).depends.as_ref().expect("a search");
    assert_eq!((found.words, &found.example), (0, &None));
}

/// Lanes 2n and 2n + 1 store to one word; the port is the same but for the original's barrier, or but for the collision.
const HALVES: &str = "@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
var<workgroup> s: array<u32, 64>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32, @builtin(global_invocation_id) id: vec3u) {
    s[i INDEX] = i * 3u + 1u;
    BARRIER
    dst[id.x] = s[(i INDEX) ^ 1u];
}";

fn halves(index: &str, barrier: &str) -> String {
    HALVES.replace("INDEX", index).replace("BARRIER", barrier)
}

#[test]
fn colliding_stores_of_the_port_alone_are_different() {
    let (own, half) = (halves("", "workgroupBarrier();"), halves("/ 2u", "workgroupBarrier();"));
    // What the original leaves undefined, it may: the port that stores the last lane's is no error.
    let evidence = held(&half, &half);
    let found = record(&evidence, Side::Original, EventKind::CollidingStores, 4);
    assert_eq!(outputs(found), ["dst"]);
    assert_ne!(evidence.status, Status::Differs, "{:?}", evidence.census);
    // s[n] = the last lane's 3(2n + 1) + 1, or what the port means to be the same.
    let same = "@group(0) @binding(0) var<storage, read_write> dst: array<u32>;
        var<workgroup> s: array<u32, 64>;
        @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32, @builtin(global_invocation_id) id: vec3u) {
            if (i % 2u == 1u) { s[i / 2u] = i * 3u + 1u; }
            workgroupBarrier();
            dst[id.x] = s[(i / 2u) ^ 1u];
        }";
    let evidence = held(same, &half);
    assert_eq!(evidence.status, Status::Differs);
    assert!(evidence.limits.iter().any(|limit| limit.contains("CollidingStores at line 4")), "{:?}", evidence.limits);
    assert_eq!(held(&half, same).census.total().different, 0);
    assert_eq!(held(&own, &own).events, []);
}

/// Without the barrier a lane may find its neighbour's word or what was there before. storageBarrier waits, but does not order workgroup memory.
#[test]
fn a_race_by_barrier_is_found_with_both_lanes() {
    let right = halves("", "workgroupBarrier();");
    for barrier in ["", "storageBarrier();"] {
        let evidence = held(&right, &halves("", barrier));
        assert_eq!(evidence.status, Status::Differs, "{barrier}");
        let found = record(&evidence, Side::Port, EventKind::Race, 6);
        assert_eq!(outputs(found), ["dst"]);
        assert_eq!(found.account.lanes.len(), 2);
        assert_eq!(found.account.lanes[1].place.as_ref().and_then(|place| place.line), Some(4));
    }
    assert_eq!(held(&right, &right).status, Status::Holds);
}

/// The count before each lane's own is the order of lanes; both counters are named, each with its output.
#[test]
fn words_that_depend_on_an_order_name_the_operation() {
    let count = |extra: &str| {
        format!(
            "@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
@group(0) @binding(2) var<storage, read_write> counters: array<atomic<u32>, 2>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {{
    let x = atomicAdd(&counters[0], 1u);
    let y = atomicAdd(&counters[1], 1u);
    a[id.x{extra}] = x;
    b[id.x{extra}] = y;
}}"
        )
    };
    // The port gives each lane the number of its neighbour, as another order would.
    let port = count(" ^ 1u");
    let evidence = held(&count(""), &port);
    assert_eq!(evidence.census.total().different, 0, "{:?}", evidence.census);
    assert!(evidence.census.total().schedule > 0);
    let orders: Vec<_> = evidence.orders.iter().filter(|order| order.line.is_some()).collect();
    let found: Vec<_> = orders.iter().map(|order| (order.what.as_str(), order.line, order.outputs[0].output.as_str())).collect();
    assert_eq!(found, [("atomic", Some(5), "a"), ("atomic", Some(6), "b")]);
}
