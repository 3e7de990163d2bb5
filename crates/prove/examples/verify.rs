//! Holds a compiled Direct3D 11 program against its WGSL port, as a user of the libraries.
//!
//! ```text
//! cargo run --release -p gpuproof-prove --example verify -- examples/noise/original.dxbc examples/noise/port.wgsl
//! ```

use gpuproof_program::Program;
use gpuproof_prove::{Progress, Settings, Subject, verify};
use gpuproof_read::{dxbc, wgsl};
use std::error::Error;
use std::process::ExitCode;

/// Reads a program; a container of Direct3D begins with `DXBC`.
fn read(bytes: &[u8]) -> Result<Program, Box<dyn Error>> {
    if bytes.starts_with(b"DXBC") {
        return Ok(dxbc::program(&dxbc::Container::parse(bytes)?)?);
    }
    Ok(wgsl::read(std::str::from_utf8(bytes)?, &wgsl::Options::default())?)
}

fn run() -> Result<bool, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(original), Some(port)) = (arguments.next(), arguments.next()) else {
        return Err("expected two files: the original and its port".into());
    };
    let (original_bytes, port_bytes) = (std::fs::read(&original)?, std::fs::read(&port)?);
    let (first, second) = (read(&original_bytes)?, read(&port_bytes)?);
    let (first, second) = (Subject::new(&first, original, &original_bytes), Subject::new(&second, port, &port_bytes));

    let started = std::time::Instant::now();
    let mut progress = |progress: Progress| {
        if progress == Progress::Locating {
            eprintln!("looking for the place where they part");
        }
    };
    let evidence = verify(&first, &second, &Settings::default(), &mut progress)?.evidence;
    eprintln!("{:?} after {:?}", evidence.status, started.elapsed());

    println!("{}", evidence.map);
    println!("{:?}, {} lanes: {:?}", evidence.status, evidence.census.lanes, evidence.census.total());
    for limit in &evidence.limits {
        println!("limit: {limit}");
    }
    if let Some(first) = &evidence.first {
        println!("first: {first:?}");
    }
    if let Some(parting) = &evidence.parting {
        for (name, side) in [("original", &parting.original), ("port", &parting.port)] {
            if let Some(line) = &side.at {
                println!("{name} {} {} ({}), lines {:?}", line.number, line.text, side.operation, side.spans);
            }
        }
        println!("{:?}", parting.agreement);
    }
    Ok(evidence.status == gpuproof_prove::compare::Status::Holds)
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
