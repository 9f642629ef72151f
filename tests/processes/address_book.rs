//! The built example, as whoever deploys it runs it.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::OnceLock;

use resource_tests::patience::wait_for;
use resource_tests::watch::{self, Logged};
use resource_tests::{Client, TestDatabase};

use crate::executables::built;

/// A running address book; dropping it kills it.
#[derive(Debug)]
pub(crate) struct AddressBook {
    child: Child,
    log: Option<Logged>,
    output: BufReader<ChildStdout>,
    pub(crate) client: Client,
    /// Its folder must not go before it.
    _file: TestDatabase,
}

impl AddressBook {
    /// Starts it on this file and waits until it listens.
    pub(crate) fn start(file: &TestDatabase) -> Self {
        Self::spawn(command(file), file).listening()
    }

    /// Starts a command that runs it on this file.
    pub(crate) fn spawn(mut command: Command, file: &TestDatabase) -> Starting {
        Starting::of(watch::spawn(command.stdout(Stdio::piped())), file)
    }

    /// Starts it on this file where nobody tells it what to log.
    pub(crate) fn start_untold(file: &TestDatabase) -> Self {
        let mut command = command(file);
        let spawned = watch::spawn_untold(command.stdout(Stdio::piped()));
        Starting::of(spawned, file).listening()
    }

    /// The next line that it prints.
    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a line");
        line
    }

    /// `kill -9`.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it ends");
    }

    /// A signal by its name.
    pub(crate) fn signal(&self, name: &str) {
        let status = Command::new("kill")
            .args(["-s", name, &self.child.id().to_string()])
            .status();
        assert!(status.expect("there is a `kill`").success());
    }

    /// The number of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The exit status of the process, once it has ended.
    pub(crate) fn ended(&mut self) -> ExitStatus {
        wait_for("the end of the address book", || {
            self.child.try_wait().expect("it can be asked")
        })
    }

    /// The log of the process so far, at every level.
    pub(crate) fn log(&self) -> String {
        self.log.as_ref().map(Logged::text).unwrap_or_default()
    }

    /// All that it logged until it was asked to stop, and did.
    pub(crate) fn stopped(mut self) -> String {
        self.signal("TERM");
        assert!(self.ended().success());
        self.log.take().map(Logged::whole).unwrap_or_default()
    }

    /// The output of the process after its address; it must have ended.
    pub(crate) fn rest_of_output(&mut self) -> String {
        let mut rest = String::new();
        self.output
            .read_to_string(&mut rest)
            .expect("readable output");
        rest
    }
}

impl Drop for AddressBook {
    fn drop(&mut self) {
        // It may have ended already; nothing may be left behind either way.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An address book that may not listen yet.
#[derive(Debug)]
pub(crate) struct Starting {
    child: Child,
    log: Logged,
    output: BufReader<ChildStdout>,
    file: TestDatabase,
}

impl Starting {
    fn of((mut child, log): (Child, Logged), file: &TestDatabase) -> Self {
        let output = BufReader::new(child.stdout.take().expect("its standard output"));
        Self {
            child,
            log,
            output,
            file: file.clone(),
        }
    }

    /// Waits for the line that tells where it listens.
    pub(crate) fn listening(mut self) -> AddressBook {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a line");
        let address: SocketAddr = line
            .strip_prefix("address-book listens on http://")
            .and_then(|address| address.trim_end().parse().ok())
            .unwrap_or_else(|| panic!("«{line}» does not tell where it listens"));
        AddressBook {
            child: self.child,
            log: Some(self.log),
            output: self.output,
            client: Client::of_process(address),
            _file: self.file,
        }
    }
}

/// The command that runs it on this file and a free port.
pub(crate) fn command(file: &TestDatabase) -> Command {
    let mut command = cleared();
    command.args(["--listen", "127.0.0.1:0", "--database-url", &file.url()]);
    command
}

/// The executable with nothing of its settings in its environment.
pub(crate) fn cleared() -> Command {
    let mut command = Command::new(executable());
    for name in [
        "LISTEN_ADDR",
        "DATABASE_URL",
        "METRICS_LISTEN",
        "DRAIN_SECONDS",
    ] {
        command.env_remove(name);
    }
    command
}

/// The executable, built once.
pub(crate) fn executable() -> &'static PathBuf {
    static EXECUTABLE: OnceLock<PathBuf> = OnceLock::new();
    EXECUTABLE.get_or_init(|| built("address-book"))
}
