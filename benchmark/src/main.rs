//! Measures what requests cost, side by side in one run: figures of different runs, or of different
//! machines, say little; the ratios of one run say how subjects compare.

mod arguments;
mod authorization;
mod host;
mod load;
mod measure;
mod models;
mod service;
mod subject;

use std::error::Error;
use std::process::ExitCode;

use clap::Parser as _;

use arguments::{Arguments, Command};

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Authorization(settings) => authorization::compare(&settings),
        Command::Serve { subject, folder } => subject::serve(subject, &folder),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("benchmark: {error}");
            ExitCode::FAILURE
        }
    }
}
