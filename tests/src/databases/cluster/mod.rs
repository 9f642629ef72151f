//! A PostgreSQL server of the tests' own, which ends with the process that started it.

mod keeper;
mod user;

use std::fs::Permissions;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use resource_runtime::sqlx::{self, Connection as _, PgConnection};
use tempfile::TempDir;

use self::keeper::{Afterwards, Keeper};
use super::binaries::Binaries;
use super::{OtherProgram, server};
use crate::block_on;
use crate::polling::wait_for;

/// A server on a free port, its files in a temporary folder.
#[derive(Debug)]
pub struct Cluster {
    binaries: Binaries,
    folder: TempDir,
    port: u16,
    keeper: Option<Keeper>,
}

impl Cluster {
    /// Starts a server for a single test, which may stop or break it; `None` where PostgreSQL's programs
    /// are not installed.
    #[must_use]
    pub fn start() -> Option<Self> {
        let Some(binaries) = Binaries::find() else {
            server::missing();
            return None;
        };
        let mut cluster = Self::create(binaries);
        cluster.run(Afterwards::Folder);
        Some(cluster)
    }

    /// Starts a server for all tests of this process, with which it ends; returns its URL.
    pub(super) fn start_for_the_process(binaries: Binaries) -> String {
        let mut cluster = Self::create(binaries);
        cluster.run(Afterwards::Nothing);
        let url = cluster.url();
        // Dropping it here would end the server; the pipe to its shell closes with this process.
        std::mem::forget(cluster);
        url
    }

    /// Starts a standby of this server.
    #[must_use]
    pub fn standby(&self) -> Self {
        let mut standby = Self::without_data(self.binaries.clone());
        standby.start_as_standby_of(self);
        standby
    }

    /// Starts the server, which does not run, again: as a standby that begins with a copy of the `primary`.
    pub fn start_as_standby_of(&mut self, primary: &Self) {
        let _ = std::fs::remove_dir_all(self.data());
        let mut copy = self.command(&self.binaries.basebackup);
        copy.arg("-D")
            .arg(self.data())
            .args(["-d", &primary.url(), "--write-recovery-conf"])
            .args(["--checkpoint=fast", "--no-sync"]);
        let output = copy.output().expect("pg_basebackup runs");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "pg_basebackup failed: {complaint}");
        self.run(Afterwards::Folder);
    }

    /// Makes this standby follow another primary.
    pub fn follow(&self, primary: &Self) {
        let (mut own, port) = (OtherProgram::on_postgres(&self.url()), primary.port);
        own.execute(&format!(
            "ALTER SYSTEM SET primary_conninfo = 'host=127.0.0.1 port={port} user=tester'"
        ));
        own.execute("SELECT pg_reload_conf()");
    }

    /// Makes this standby a primary.
    pub fn promote(&self) {
        OtherProgram::on_postgres(&self.url()).execute("SELECT pg_promote()");
    }

    fn create(binaries: Binaries) -> Self {
        let cluster = Self::without_data(binaries);
        cluster.initialise();
        cluster
    }

    fn without_data(binaries: Binaries) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        user::give_away(folder.path());
        Self {
            binaries,
            folder,
            port: free_port(),
            keeper: None,
        }
    }

    /// The URL of the server's first database.
    #[must_use]
    pub fn url(&self) -> String {
        url(self.port)
    }

    /// The port of the server.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The log of the server.
    #[must_use]
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.log_file()).expect("a log")
    }

    /// Writes a file into the server's data folder, readable by the server alone.
    pub fn give(&self, name: &str, content: &str) {
        let file = self.data().join(name);
        std::fs::write(&file, content).expect("a file of the server");
        std::fs::set_permissions(&file, Permissions::from_mode(0o600)).expect("its own file");
        user::give_away(&file);
    }

    /// Starts the server again after it was killed.
    pub fn start_again(&mut self) {
        self.run(Afterwards::Folder);
    }

    /// Kills every process of the server at once, as a crash of its machine would.
    pub fn kill(&mut self) {
        let server = std::fs::read_to_string(self.data().join("postmaster.pid"));
        let server = server.expect("the server runs");
        let server: u32 = server
            .lines()
            .next()
            .and_then(|line| line.parse().ok())
            .expect("a number");
        // Asked before the kill, since the server itself lists its processes.
        let children = self.processes();
        kill(server, children);
        let keeper = self.keeper.take().expect("the server runs");
        keeper.end();
        let _ = std::fs::remove_file(self.data().join("postmaster.pid"));
    }

    /// Process ids of the server's children.
    fn processes(&self) -> Vec<u32> {
        block_on(async {
            let mut connection = PgConnection::connect(&self.url())
                .await
                .expect("the server answers");
            let processes = sqlx::query_scalar("SELECT pid FROM pg_stat_activity");
            let processes: Vec<i32> = processes
                .fetch_all(&mut connection)
                .await
                .expect("its processes");
            processes.into_iter().map(i32::cast_unsigned).collect()
        })
    }

    fn log_file(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn initialise(&self) {
        // A collation that does not sort by code point, to prove that the tables bring their own.
        let by_language = ["--locale-provider=icu", "--icu-locale=en"];
        if !self.try_initialise(&by_language).status.success() {
            // PostgreSQL before version 15, or built without ICU, has no such collation.
            let output = self.try_initialise(&[]);
            let complaint = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "initdb failed: {complaint}");
        }
    }

    fn try_initialise(&self, locale: &[&str]) -> Output {
        let mut initdb = self.command(&self.binaries.initdb);
        initdb
            .arg("-D")
            .arg(self.data())
            .args(["-U", "tester", "-A", "trust", "-E", "UTF8", "--locale=C"])
            .args(["--no-sync", "--no-instructions"])
            .args(locale);
        initdb.output().expect("initdb runs")
    }

    fn run(&mut self, afterwards: Afterwards) {
        let mut server = Command::new(&self.binaries.postgres);
        server
            .arg("-D")
            .arg(self.data())
            .arg("-k")
            .arg(self.folder.path())
            .args(["-p", &self.port.to_string(), "-h", "127.0.0.1"])
            // Faster: data that was written may be lost with the machine, but not with the server.
            .args(["-c", "fsync=off", "-c", "max_connections=1000"]);
        let log = std::fs::File::create(self.log_file()).expect("a log");
        let mut shell = self.command(Path::new("sh"));
        shell.env("FOLDER", self.folder.path()).stderr(log);
        self.keeper = Some(Keeper::start(shell, &server, afterwards));
        wait_until_it_answers(self.port);
    }

    /// A command that may run the server, in its folder.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = user::command(program);
        command.current_dir(self.folder.path());
        command
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if let Some(keeper) = self.keeper.take() {
            keeper.end();
        }
    }
}

pub(super) fn url(port: u16) -> String {
    format!("postgres://tester@127.0.0.1:{port}/postgres")
}

pub(super) fn wait_until_it_answers(port: u16) {
    let url = url(port);
    wait_for("an answer of the server", || {
        block_on(async { PgConnection::connect(&url).await.ok().map(drop) })
    });
}

/// A port on which nothing listens.
#[must_use]
pub fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("its number").port()
}

/// Kills the server and its children, which may have ended since they were listed, as the connection that
/// listed them.
fn kill(server: u32, children: Vec<u32>) {
    let children = children.into_iter().map(|child| child.to_string());
    let status = Command::new("sh")
        .args(["-c", "kill -KILL \"$0\" && { kill -KILL \"$@\" || true; }"])
        .arg(server.to_string())
        .args(children)
        .status();
    assert!(status.expect("a shell").success());
}
