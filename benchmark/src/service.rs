use std::env;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use nix::time::{ClockId, clock_getcpuclockid};
use nix::unistd::Pid;
use serde_json::Value;

use crate::Outcome;
use crate::subject::Subject;

/// A subject in a process of its own, so that what it costs is told from what the load costs.
pub(crate) struct Service {
    process: Child,
    clock: ClockId,
    /// What it said of itself when it was ready.
    pub(crate) introduction: Value,
}

impl Service {
    pub(crate) fn start(subject: Subject, folder: &Path) -> Outcome<Self> {
        let mut process = Command::new(env::current_exe()?)
            .arg("serve")
            .arg(subject.name())
            .arg(folder)
            .stdout(Stdio::piped())
            .spawn()?;
        let output = process.stdout.take().ok_or("a service says nothing")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        let introduction = serde_json::from_str(&line)
            .map_err(|_| format!("the service `{}` did not start", subject.name()))?;
        let clock = clock_getcpuclockid(Pid::from_raw(process.id().cast_signed()))?;
        Ok(Self {
            process,
            clock,
            introduction,
        })
    }

    /// Tells whoever started this process that it is ready.
    pub(crate) fn introduce(introduction: &Value) -> Outcome {
        let mut output = std::io::stdout().lock();
        writeln!(output, "{introduction}")?;
        Ok(output.flush()?)
    }

    pub(crate) fn told(&self, name: &str) -> Outcome<&str> {
        let told = self.introduction.get(name).and_then(Value::as_str);
        Ok(told.ok_or_else(|| format!("the service did not tell its {name}"))?)
    }

    /// The time that all its threads have computed, for themselves and within the kernel.
    pub(crate) fn cpu(&self) -> Outcome<Duration> {
        Ok(Duration::from(self.clock.now()?))
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
