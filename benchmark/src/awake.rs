//! Processors that do not sleep while something is measured.
//!
//! Whoever wakes a sleeping processor pays for it, which in a virtual machine is dear, and where
//! a client, a service and a server wait for each other it is up to the kernel who that is: more
//! would be measured of sleep than of services.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};

/// Where a program tells Linux how long waking a processor may take at most. It is heeded for as
/// long as the file is open (`Documentation/power/pm_qos_interface.rst` of the kernel).
const BOUND: &str = "/dev/cpu_dma_latency";

const MICROSECONDS: i32 = 0;

/// All processors are awake for as long as this lives.
pub(crate) struct Awake {
    _bound: File,
}

impl Awake {
    /// None, and a word about it, where this system or its administrator does not let us.
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
