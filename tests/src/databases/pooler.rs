//! A PgBouncer between a service and a server, which ends with the test.

use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use super::{Cluster, cluster, server};
use crate::polling::wait_for;

/// Debian's folder of PgBouncer, which need not be on the `PATH`.
const DEBIAN: &str = "/usr/sbin";

/// The first version 1.x that can keep prepared statements.
const KEEPS_STATEMENTS: u32 = 21;

/// A pooler on a free port.
#[derive(Debug)]
pub struct Pooler {
    process: Child,
    port: u16,
}

impl Pooler {
    /// Starts a pooler before `server` with these lines of settings; `None` where PgBouncer is not
    /// installed.
    #[must_use]
    pub fn start(server: &Cluster, settings: &[&str]) -> Option<Self> {
        let Some(program) = program() else {
            server::missing();
            return None;
        };
        let port = cluster::free_port();
        let file = server.folder().join(format!("pooler-{port}.ini"));
        let lines = format!(
            "[databases]\n* = host=127.0.0.1 port={} user=tester\n\
             [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\n\
             auth_type = any\n{}\n",
            server.port(),
            settings.join("\n")
        );
        std::fs::write(&file, lines).expect("a file of settings");
        let mut command = server.command(&program);
        let command = command
            .arg(&file)
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        let process = command
            .stderr(Stdio::null())
            .spawn()
            .expect("pgbouncer starts");
        wait_for("the pooler to listen", || {
            TcpStream::connect(("127.0.0.1", port)).ok()
        });
        Some(Self { process, port })
    }

    /// The setting that makes PgBouncer forget prepared statements, where its version can keep them.
    #[must_use]
    pub fn forgetful() -> &'static str {
        if Self::can_keep_statements() {
            "max_prepared_statements = 0"
        } else {
            ""
        }
    }

    /// Tells that the installed version can keep prepared statements in transaction mode.
    #[must_use]
    pub fn can_keep_statements() -> bool {
        let version =
            program().and_then(|program| Command::new(program).arg("--version").output().ok());
        let told = version.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        let minor = told.and_then(|told| {
            let (_, version) = told.lines().next()?.split_once("1.")?;
            version.split('.').next()?.parse::<u32>().ok()
        });
        minor.is_some_and(|minor| minor >= KEEPS_STATEMENTS)
    }

    /// The URL of the server's first database, through the pooler.
    #[must_use]
    pub fn url(&self) -> String {
        cluster::url(self.port)
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from(DEBIAN)]);
    let mut programs = folders.map(|folder| folder.join("pgbouncer"));
    programs.find(|program| program.is_file())
}
