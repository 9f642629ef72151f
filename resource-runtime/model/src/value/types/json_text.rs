use std::io::{self, Write};

use serde::Serialize as _;
use serde_json::Value as Json;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};

/// JSON as it is stored. PostgreSQL keeps its numbers as digits without an exponent and without a
/// minus before zero, and gives them back so: they are written in the form in which it tells one as
/// the double that it was.
pub(super) fn text(json: &Json) -> String {
    let mut bytes = Vec::new();
    let written = json.serialize(&mut Serializer::with_formatter(&mut bytes, Digits));
    let text = written.ok().and_then(|()| String::from_utf8(bytes).ok());
    text.unwrap_or_else(|| json.to_string())
}

struct Digits;

impl Formatter for Digits {
    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        // Minus zero becomes zero.
        let value = value + 0.0;
        if is_among_integers(value) {
            write!(writer, "{value:.1}")
        } else {
            CompactFormatter.write_f64(writer, value)
        }
    }
}

/// Whether its digits alone would be read as an integer of 64 bits: one that great is whole.
fn is_among_integers(value: f64) -> bool {
    const LEAST: f64 = -9_223_372_036_854_775_808.0;
    const BEYOND: f64 = 18_446_744_073_709_551_616.0;
    value.abs() >= 1e15 && (LEAST..BEYOND).contains(&value)
}
