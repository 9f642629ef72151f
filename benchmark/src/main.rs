//! A benchmark of requests, side by side in one run: figures of different runs, or of different machines,
//! say little; the ratios of one run say how subjects compare.

mod arguments;
mod authorization;
mod availability;
mod awake;
mod capacity;
mod chart;
mod comparison;
mod compile;
mod contest;
mod data;
mod features;
mod growth;
mod instructions;
mod load;
mod measure;
mod memory;
mod message;
mod operation;
mod output;
mod random;
mod service;
mod stores;
mod subjects;

use std::error::Error;
use std::process::ExitCode;

use clap::Parser as _;

use arguments::{Arguments, Command};

/// The allocator of every subject, as in the example `address-book`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let Arguments {
        comparison,
        command,
    } = Arguments::parse();
    let done = match command {
        None => comparison::compare(&comparison),
        Some(Command::Authorization(settings)) => authorization::compare(&settings),
        Some(Command::Availability(settings)) => availability::measure(&settings),
        Some(Command::Capacity(settings)) => capacity::tell(&settings),
        Some(Command::Compile(settings)) => compile::measure(&settings),
        Some(Command::Data(settings)) => data::measure(&settings),
        Some(Command::Growth(settings)) => growth::measure(&settings),
        Some(Command::Instructions(settings)) => instructions::measure(&settings),
        Some(Command::Serve { subject, source }) => subjects::serve(subject, &source),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("benchmark: {error}");
            ExitCode::FAILURE
        }
    }
}
