//! The protected notes as a process, with its commands and its tokens.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::OnceLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use resource_tests::polling::wait_for;
use resource_tests::watch::{self, Logged, Output, Process};
use resource_tests::{Answer, Client, TestDatabase, responses_differ};
use serde_json::Value;

use super::browser::encoded;
use crate::executables::built;

pub(super) const CLIENT: &str = "demo";
pub(super) const SECRET: &str = "demo-secret-4711";
pub(super) const PASSWORD: &str = "a password of ours";

/// A running service; dropping it kills it.
pub(super) struct Notes {
    child: Process,
    output: BufReader<ChildStdout>,
    log: Option<Logged>,
    pub(super) client: Client,
    /// The output before the service listened.
    pub(super) printed: String,
    pub(super) database: TestDatabase,
}

impl Notes {
    /// Starts the service on a new database, with the client and the password above.
    pub(super) fn start() -> Self {
        Self::start_on(&TestDatabase::default())
    }

    pub(super) fn start_on(database: &TestDatabase) -> Self {
        Self::spawn(demonstration(database), database)
    }

    /// Starts the service with the default log level.
    pub(super) fn start_with_default_log(database: &TestDatabase) -> Self {
        let mut command = demonstration(database);
        let spawned = watch::spawn_with_default_log(command.stdout(Stdio::piped()));
        Self::listening(spawned, database)
    }

    /// Starts this command and waits until it listens.
    pub(super) fn spawn(mut command: Command, database: &TestDatabase) -> Self {
        Self::listening(watch::spawn(command.stdout(Stdio::piped())), database)
    }

    fn listening((child, log): (Child, Logged), database: &TestDatabase) -> Self {
        let mut child = Process::from(child);
        responses_differ("tokens and keys are random");
        let mut output = BufReader::new(child.stdout.take().expect("its standard output"));
        let mut printed = String::new();
        let address = loop {
            let mut line = String::new();
            output.read_line(&mut line).expect("a line");
            assert!(!line.is_empty(), "the process ended after «{printed}»");
            if let Some(address) = line.strip_prefix("protected-notes listens on http://") {
                break address
                    .trim_end()
                    .parse::<SocketAddr>()
                    .expect("an address");
            }
            remember_shown(&line);
            printed += &line;
        };
        let mut pages = String::new();
        output.read_line(&mut pages).expect("a line");
        assert!(pages.starts_with("protected-notes is documented at http"));
        Self {
            child,
            output,
            log: Some(log),
            client: Client::of_process(address),
            printed,
            database: database.clone(),
        }
    }

    /// Stops the process with SIGTERM; returns its output after it listened, and its log.
    pub(super) fn stop(mut self) -> (String, String) {
        let id = self.child.id().to_string();
        let status = Command::new("kill").args(["-s", "TERM", &id]).status();
        assert!(status.expect("an executable `kill`").success());
        let ended = wait_for("the end of the service", || {
            self.child.try_wait().expect("a status of the process")
        });
        assert!(ended.success());
        let mut rest = String::new();
        self.output
            .read_to_string(&mut rest)
            .expect("readable output");
        let log = self.log.take().expect("the only stop");
        (rest, log.whole())
    }

    pub(super) fn base_url(&self) -> String {
        format!("http://{}", self.client.address())
    }

    /// Posts a form as the client `id`.
    pub(super) fn post_form_as(
        &self,
        (id, secret): (&str, &str),
        path: &str,
        form: &[(&str, &str)],
    ) -> Answer {
        let credentials = STANDARD.encode(format!("{id}:{secret}"));
        let request = self.client.request("POST", path);
        let request = request.header("authorization", format!("Basic {credentials}"));
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        request.body(encoded(form)).send()
    }

    /// Posts a form as the demonstration client.
    pub(super) fn post_form(&self, path: &str, form: &[(&str, &str)]) -> Answer {
        self.post_form_as((CLIENT, SECRET), path, form)
    }

    /// A token of the client itself (client credentials) with these scopes.
    pub(super) fn own_token(&self, scope: &str) -> String {
        let form = [("grant_type", "client_credentials"), ("scope", scope)];
        text(&self.post_form("/oauth/token", &form).ok(), "access_token")
    }

    /// Sends a request with a bearer token.
    pub(super) fn send_with_token(
        &self,
        token: &str,
        method: &str,
        path: &str,
        body: &str,
    ) -> Answer {
        let request = self.client.request(method, path);
        let request = request.header("authorization", format!("Bearer {token}"));
        let request = if body.is_empty() {
            request
        } else {
            request.json(body)
        };
        request.send()
    }

    /// Returns true if the API accepts a token.
    pub(super) fn accepts(&self, token: &str) -> bool {
        match self
            .send_with_token(token, "GET", "/api/1.0/notes", "")
            .status
        {
            200 => true,
            401 => false,
            status => panic!("{status}"),
        }
    }

    /// Runs a command on the database of the running service, as an administrator would.
    pub(super) fn command(&self, arguments: &[&str]) -> Output {
        let mut beside = cleared();
        beside
            .args(arguments)
            .args(["--database-url", &self.database.url()]);
        watch::output(&mut beside)
    }

    /// The output of a command that must succeed.
    pub(super) fn commanded(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments);
        assert!(output.status.success(), "{}", output.stderr);
        let printed = String::from_utf8(output.stdout).expect("readable output");
        printed.lines().for_each(remember_shown);
        printed
    }
}

/// The command that runs the service with the client and the password above.
fn demonstration(database: &TestDatabase) -> Command {
    let mut command = command(database);
    command.env("DEMO_CLIENT_ID", CLIENT);
    command.env("DEMO_CLIENT_SECRET", SECRET);
    command.env("DEMO_PASSWORD", PASSWORD);
    command
}

/// The command that runs the service on this database and a free port.
pub(super) fn command(database: &TestDatabase) -> Command {
    let mut command = cleared();
    command.args(["--listen", "127.0.0.1:0", "--database-url", &database.url()]);
    command
}

/// The executable with no setting in its environment but a sealing key.
pub(crate) fn cleared() -> Command {
    static EXECUTABLE: OnceLock<PathBuf> = OnceLock::new();
    let mut command = Command::new(EXECUTABLE.get_or_init(|| built("protected-notes")));
    for name in [
        "LISTEN_ADDR",
        "DATABASE_URL",
        "METRICS_LISTEN",
        "DRAIN_SECONDS",
        "PORT",
        "BASE_URL",
        "DEMO_CLIENT_ID",
        "DEMO_CLIENT_SECRET",
        "DEMO_PASSWORD",
        "RUST_LOG",
    ] {
        command.env_remove(name);
    }
    let sealing_key = "A".repeat(43);
    watch::remember("the key that seals keys", &sealing_key);
    command.env("SEALING_KEY", sealing_key);
    command
}

pub(super) fn text(body: &Value, member: &str) -> String {
    body[member].as_str().expect("a text").to_owned()
}

/// Registers a secret that is printed once, the last word of its line, so that the log is checked for it.
fn remember_shown(line: &str) {
    let mut words = line.split_whitespace();
    if words.any(|word| ["secret", "password"].contains(&word))
        && let Some(secret) = words.next_back()
    {
        watch::remember("a secret that is shown once", secret);
    }
}
