//! Output of the figures: a table for people, and JSON.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::Outcome;

/// The standard output, as commands name it.
const STANDARD: &str = "-";

/// Prints a table, and writes the same figures as JSON to a file where one is named. With JSON on the
/// standard output, the table goes to the standard error.
pub(crate) fn tell(table: &str, rows: &impl Serialize, json: Option<&PathBuf>) -> Outcome {
    let Some(file) = json else {
        print!("{table}");
        return Ok(());
    };
    let text = serde_json::to_string_pretty(rows)? + "\n";
    if file == Path::new(STANDARD) {
        eprint!("{table}");
        print!("{text}");
    } else {
        print!("{table}");
        fs::write(file, text)?;
    }
    Ok(())
}

/// Rounds to a tenth: the rest is noise.
pub(crate) fn rounded(figure: f64) -> f64 {
    (figure * 10.0).round() / 10.0
}
