//! The executable of the address book, run as in a deployment.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::OnceLock;

use resource_tests::polling::wait_for;
use resource_tests::watch::{self, Logged, Process};
use resource_tests::{Client, TestDatabase};

use crate::executables::built;

/// A running address book; dropping it kills it.
#[derive(Debug)]
pub(crate) struct AddressBook {
    child: Process,
    log: Option<Logged>,
    output: BufReader<ChildStdout>,
    pub(crate) client: Client,
    /// The URL of its documentation.
    pub(crate) pages: String,
    /// Keeps the folder of the database until the process has ended.
    _file: TestDatabase,
}

impl AddressBook {
    /// Starts the address book on this database and waits until it listens.
    pub(crate) fn start(file: &TestDatabase) -> Self {
        Self::spawn(command(file), file).listening()
    }

    /// Starts a command that runs the address book on this database.
    pub(crate) fn spawn(mut command: Command, file: &TestDatabase) -> Starting {
        Starting::of(watch::spawn(command.stdout(Stdio::piped())), file)
    }

    /// Starts the address book on this database with the default log level.
    pub(crate) fn start_with_default_log(file: &TestDatabase) -> Self {
        Self::spawn_with_default_log(command(file), file).listening()
    }

    /// Starts a command that runs the address book on this database with the default log level.
    pub(crate) fn spawn_with_default_log(mut command: Command, file: &TestDatabase) -> Starting {
        let spawned = watch::spawn_with_default_log(command.stdout(Stdio::piped()));
        Starting::of(spawned, file)
    }

    /// The next line of standard output.
    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a line");
        line
    }

    /// `kill -9`.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("a running process");
        self.child.wait().expect("an exit status");
    }

    /// Sends a signal by its name.
    pub(crate) fn signal(&self, name: &str) {
        let status = Command::new("kill")
            .args(["-s", name, &self.child.id().to_string()])
            .status();
        assert!(status.expect("an executable `kill`").success());
    }

    /// The id of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The exit status of the process, once it has ended.
    pub(crate) fn ended(&mut self) -> ExitStatus {
        wait_for("the end of the address book", || {
            self.child.try_wait().expect("a status of the process")
        })
    }

    /// The log of the process so far, at every level.
    pub(crate) fn log(&self) -> String {
        self.log.as_ref().map(Logged::text).unwrap_or_default()
    }

    /// Stops the process with SIGTERM and returns its whole log.
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

/// An address book that has been started and may not listen yet.
#[derive(Debug)]
pub(crate) struct Starting {
    child: Process,
    log: Logged,
    output: BufReader<ChildStdout>,
    file: TestDatabase,
}

impl Starting {
    fn of((mut child, log): (Child, Logged), file: &TestDatabase) -> Self {
        let output = BufReader::new(child.stdout.take().expect("its standard output"));
        Self {
            child: child.into(),
            log,
            output,
            file: file.clone(),
        }
    }

    /// The log of the process so far.
    pub(crate) fn log(&self) -> String {
        self.log.text()
    }

    /// Waits for the lines with the addresses of the service and of its pages.
    pub(crate) fn listening(mut self) -> AddressBook {
        let [mut line, mut pages] = [String::new(), String::new()];
        self.output.read_line(&mut line).expect("a line");
        self.output.read_line(&mut pages).expect("a line");
        let address: SocketAddr = line
            .strip_prefix("address-book listens on http://")
            .and_then(|address| address.trim_end().parse().ok())
            .unwrap_or_else(|| panic!("«{line}» does not name the address of the service"));
        let told = pages.strip_prefix("address-book is documented at ");
        let pages = told.unwrap_or_else(|| panic!("«{pages}» does not name the pages"));
        AddressBook {
            child: self.child,
            log: Some(self.log),
            output: self.output,
            client: Client::of_process(address),
            pages: pages.trim_end().to_owned(),
            _file: self.file,
        }
    }
}

/// The command that runs the address book on this database and a free port.
pub(crate) fn command(file: &TestDatabase) -> Command {
    let mut command = cleared();
    command.args(["--listen", "127.0.0.1:0", "--database-url", &file.url()]);
    command
}

/// The executable, without any of its settings in the environment.
pub(crate) fn cleared() -> Command {
    let mut command = Command::new(executable());
    for name in [
        "LISTEN_ADDR",
        "DATABASE_URL",
        "METRICS_LISTEN",
        "DRAIN_SECONDS",
        "PORT",
        "BASE_URL",
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
