//! Processes that tests start, whose logs are searched for secrets.

use std::io::{BufRead as _, BufReader};
use std::ops::{Deref, DerefMut};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use super::state::search;

/// The standard error of a process, read and searched until it ends.
#[derive(Debug)]
pub struct Logged {
    text: Arc<Mutex<String>>,
    reader: Option<JoinHandle<()>>,
}

/// The exit status and the output of a process.
#[derive(Debug)]
pub struct Output {
    /// The exit status.
    pub status: ExitStatus,
    /// The standard output.
    pub stdout: Vec<u8>,
    /// The standard error: the log, and the reason for which it did not start.
    pub stderr: String,
}

/// A process that ends with its owner: declared before what reads its output, as a reader ends with the process.
#[derive(Debug)]
pub struct Process(Child);

impl From<Child> for Process {
    fn from(child: Child) -> Self {
        Self(child)
    }
}

impl Deref for Process {
    type Target = Child;

    fn deref(&self) -> &Child {
        &self.0
    }
}

impl DerefMut for Process {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.0
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already; it must be gone either way.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a process whose log is searched, at the most verbose level.
pub fn spawn(command: &mut Command) -> (Child, Logged) {
    started(command.env("RUST_LOG", "trace"))
}

/// Starts a process whose log is searched, at its default log level.
pub fn spawn_with_default_log(command: &mut Command) -> (Child, Logged) {
    started(command.env_remove("RUST_LOG"))
}

fn started(command: &mut Command) -> (Child, Logged) {
    // Without a terminal the log has no colours; `told` relies on that.
    let mut child = command
        .env_remove("NO_COLOR")
        .stderr(Stdio::piped())
        .spawn()
        .expect("the process starts");
    let errors = child.stderr.take().expect("its standard error");
    (child, Logged::reading(errors))
}

/// Runs a process to its end.
pub fn output(command: &mut Command) -> Output {
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    let (child, logged) = spawn(command);
    let output = child.wait_with_output().expect("it ends");
    Output {
        status: output.status,
        stdout: output.stdout,
        stderr: logged.whole(),
    }
}

impl Output {
    /// The lines of the standard error that are not the log.
    #[must_use]
    pub fn told(&self) -> String {
        told(&self.stderr)
    }
}

/// The lines of a standard error that are not the log, whose lines begin with the time.
#[must_use]
pub fn told(stderr: &str) -> String {
    let lines = stderr.split_inclusive('\n');
    lines.filter(|line| !begins_with_time(line)).collect()
}

fn begins_with_time(line: &str) -> bool {
    let time = line.split_once('Z').map_or("", |(time, _)| time);
    let is_of_time = |character: char| character.is_ascii_digit() || "-T:.".contains(character);
    time.len() > "2026-11-21T19:25:45".len() && time.chars().all(is_of_time)
}

impl Logged {
    fn reading(errors: ChildStderr) -> Self {
        let text = Arc::<Mutex<String>>::default();
        let written = Arc::clone(&text);
        let reader = thread::spawn(move || {
            let mut errors = BufReader::new(errors);
            let mut line = Vec::new();
            // Read as bytes, since a process may write what is not UTF-8.
            while matches!(errors.read_until(b'\n', &mut line), Ok(1..)) {
                let read = String::from_utf8_lossy(&line);
                written.lock().expect("a lock").push_str(&read);
                search(read.trim_end().to_owned());
                line.clear();
            }
        });
        Self {
            text,
            reader: Some(reader),
        }
    }

    /// The text that was written so far.
    #[must_use]
    pub fn text(&self) -> String {
        self.text.lock().expect("a lock").clone()
    }

    /// The whole text of a process that has ended.
    pub fn whole(mut self) -> String {
        self.wait();
        self.text()
    }

    fn wait(&mut self) {
        let ended = self.reader.take().map(JoinHandle::join);
        // A second panic would abort all tests: while the test fails anyway, a failed reader is ignored.
        assert!(!matches!(ended, Some(Err(_))) || thread::panicking());
    }
}

/// Reads to the end, so that no line goes unsearched: its process must have ended.
impl Drop for Logged {
    fn drop(&mut self) {
        self.wait();
    }
}
