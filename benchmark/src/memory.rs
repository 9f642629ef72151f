//! The memory of a process, as Linux tells it.

use std::fs;
use std::path::PathBuf;

use crate::Outcome;

pub(crate) struct Memory(PathBuf);

impl Memory {
    pub(crate) fn of(process: u32) -> Self {
        Self(PathBuf::from("/proc").join(process.to_string()))
    }

    /// Memory of the process now, in KiB.
    pub(crate) fn now(&self) -> Outcome<u64> {
        self.figure("VmRSS:")
    }

    /// Peak memory of the process since the last one was forgotten, in KiB.
    pub(crate) fn peak(&self) -> Outcome<u64> {
        self.figure("VmHWM:")
    }

    pub(crate) fn forget_peak(&self) -> Outcome {
        // `5` resets the peak of the resident set (`man 5 proc`).
        Ok(fs::write(self.0.join("clear_refs"), "5")?)
    }

    fn figure(&self, name: &str) -> Outcome<u64> {
        let status = fs::read_to_string(self.0.join("status"))?;
        let figure = figure(&status, name);
        Ok(figure.ok_or_else(|| format!("the process does not tell its `{name}`"))?)
    }
}

fn figure(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::figure;

    #[test]
    fn a_figure_is_found_by_its_name() {
        let status = "VmPeak:\t  999 kB\nVmHWM:\t  1234 kB\nVmRSS:\t   56 kB\n";
        assert_eq!(figure(status, "VmHWM:"), Some(1234));
        assert_eq!(figure(status, "VmSwap:"), None);
    }
}
