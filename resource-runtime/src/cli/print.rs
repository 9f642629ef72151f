use std::io::{self, ErrorKind, Write as _};

use crate::Error;

/// Prints what was asked for. Whoever reads it may have seen enough before its end.
pub(super) fn print(text: &str) -> Result<(), Error> {
    let mut output = io::stdout().lock();
    let printed = output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush());
    match printed {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Error::configuration(format!(
            "cannot write to the standard output: {error}"
        ))),
        _ => Ok(()),
    }
}
