//! A PostgreSQL server of the benchmark's own, which ends with the process that started it.

use std::fs::{self, File};
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

use tempfile::TempDir;

use super::binaries::Binaries;
use crate::Outcome;

/// Script that runs a server until the standard input ends, which it does with the process that holds the
/// other end, however that process ends; it ignores an interrupt from the terminal.
const RUN_AND_REMOVE: &str = r#"
    trap '' INT
    "$@" & server=$!
    cat > /dev/null
    kill -QUIT $server; wait $server
    rm -rf "$FOLDER"
"#;

/// The user and the group id of `nobody`: PostgreSQL refuses to run as root.
const NOBODY: u32 = 65_534;

/// A server on a free port, its files in a temporary folder.
pub(super) struct Cluster {
    folder: PathBuf,
    port: u16,
    shell: Child,
    /// The pipe that stays open for as long as the server is to run.
    input: Option<ChildStdin>,
}

impl Cluster {
    pub(super) fn start(binaries: &Binaries) -> Outcome<Self> {
        let folder = TempDir::new()?;
        if is_root() {
            chown(&folder, Some(NOBODY), Some(NOBODY))?;
        }
        initialise(binaries, folder.path())?;
        let port = free_port()?;
        let mut shell = shell(binaries, folder.path(), port)?.spawn()?;
        let input = shell.stdin.take();
        Ok(Self {
            folder: folder.keep(),
            port,
            shell,
            input,
        })
    }

    pub(super) fn url(&self) -> String {
        format!("postgres://benchmark@127.0.0.1:{}/postgres", self.port)
    }

    /// Process id of the server's first process.
    pub(super) fn process(&self) -> Outcome<i32> {
        let told = fs::read_to_string(self.folder.join("data/postmaster.pid"))?;
        let process = told.lines().next().unwrap_or_default();
        Ok(process.parse()?)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.shell.wait();
    }
}

fn initialise(binaries: &Binaries, folder: &Path) -> Outcome {
    let mut initdb = command(&binaries.initdb, folder);
    let output = initdb
        .args([
            "-D",
            "data",
            "-U",
            "benchmark",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C",
        ])
        .args(["--no-sync", "--no-instructions"])
        .output()?;
    if output.status.success() {
        return Ok(());
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    Err(format!("cannot make a PostgreSQL cluster: {complaint}").into())
}

fn shell(binaries: &Binaries, folder: &Path, port: u16) -> Outcome<Command> {
    let mut shell = command(Path::new("sh"), folder);
    shell
        .args(["-c", RUN_AND_REMOVE, "keeper"])
        .arg(&binaries.postgres)
        .args(["-D", "data", "-k"])
        .arg(folder)
        .args(["-p", &port.to_string(), "-h", "127.0.0.1"])
        // A vacuum would count as the cost of the subject in whose turn it begins.
        .args(["-c", "autovacuum=off"])
        .env("FOLDER", folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(File::create(folder.join("log"))?);
    Ok(shell)
}

/// A command that runs as the account of the server.
fn command(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder);
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

fn is_root() -> bool {
    let own = fs::metadata("/proc/self");
    own.is_ok_and(|own| own.uid() == 0)
}

fn free_port() -> Outcome<u16> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    Ok(listener.local_addr()?.port())
}
