//! A subject in a process of its own, as the benchmark starts and measures it.

use std::collections::BTreeMap;
use std::env;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use nix::time::{ClockId, clock_getcpuclockid};
use nix::unistd::Pid;
use serde_json::Value;

use crate::Outcome;
use crate::memory::Memory;
use crate::subjects::Subject;

/// A subject in a process of its own, so that what it costs is told from what the load costs.
pub(crate) struct Service {
    process: Child,
    clock: ClockId,
    /// The line of JSON that the service printed when it was ready.
    pub(crate) introduction: Value,
}

impl Service {
    pub(crate) fn start(subject: Subject, source: &str) -> Outcome<Self> {
        Self::run(Command::new(env::current_exe()?), subject, source)
    }

    /// Starts a subject by a command that is a benchmark, or runs one.
    pub(crate) fn run(mut command: Command, subject: Subject, source: &str) -> Outcome<Self> {
        let mut process = command
            .arg("serve")
            .arg(subject.name())
            .arg(source)
            .stdin(Stdio::piped())
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

    /// Tells the parent process that this one is ready: its address, and whatever else is to be known of
    /// it.
    pub(crate) fn introduce(address: &str, rest: Vec<(&'static str, String)>) -> Outcome {
        let address = [("address", address.to_owned())];
        let introduction: BTreeMap<_, _> = address.into_iter().chain(rest).collect();
        let mut output = std::io::stdout().lock();
        writeln!(output, "{}", serde_json::to_string(&introduction)?)?;
        Ok(output.flush()?)
    }

    pub(crate) fn told(&self, name: &str) -> Outcome<&str> {
        let told = self.introduction.get(name).and_then(Value::as_str);
        Ok(told.ok_or_else(|| format!("the service did not tell its {name}"))?)
    }

    /// CPU time of all threads of the service, in user mode and within the kernel.
    pub(crate) fn cpu(&self) -> Outcome<Duration> {
        Ok(Duration::from(self.clock.now()?))
    }

    /// Has the service end by itself, instead of killing it.
    pub(crate) fn end(mut self) -> Outcome {
        // A service ends with its standard input.
        drop(self.process.stdin.take());
        let status = self.process.wait()?;
        if status.success() {
            return Ok(());
        }
        Err(format!("a service ended with {status}").into())
    }

    pub(crate) fn memory(&self) -> Memory {
        Memory::of(self.process.id())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
