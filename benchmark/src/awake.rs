//! Processors that do not sleep while something is measured.
//!
//! Waking a processor counts as the cost of the process that does it, and is expensive in a virtual
//! machine; where a client, a service and a server wait for each other, the kernel decides which of them
//! that is. More would be measured of sleep than of services.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};

/// The file that tells Linux how long waking a processor may take at most, for as long as a program has it
/// open (`Documentation/power/pm_qos_interface.rst` of the kernel).
const BOUND: &str = "/dev/cpu_dma_latency";

const MICROSECONDS: i32 = 0;

/// A guard that keeps all processors awake for as long as it lives.
pub(crate) struct Awake {
    _bound: File,
}

impl Awake {
    /// Keeps processors awake; `None`, with a warning, where this system or its administrator does not
    /// permit it.
    pub(crate) fn keep() -> Option<Self> {
        Self::bounded()
            .inspect_err(|error| {
                eprintln!("processors sleep, and waking them is measured: {BOUND}: {error}");
            })
            .ok()
    }

    fn bounded() -> io::Result<Self> {
        let mut bound = OpenOptions::new().write(true).open(BOUND)?;
        bound.write_all(&MICROSECONDS.to_ne_bytes())?;
        Ok(Self { _bound: bound })
    }
}
