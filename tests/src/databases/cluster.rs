//! A PostgreSQL server of the tests' own, which ends with the process that started it.

use std::net::TcpListener;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};

use resource_runtime::sqlx::{Connection as _, PgConnection};
use tempfile::TempDir;

use super::binaries::Binaries;
use super::server;
use crate::block_on;
use crate::patience::wait_for;

/// Runs the server until its own standard input ends, which it does with the process that holds
/// the other end, however that process ends. Then the server goes, and its folder.
const KEEPER: &str = r#"
    "$@" & server=$!
    cat > /dev/null
    kill -QUIT $server; wait $server
    rm -rf "$FOLDER"
"#;

/// The same for a server that is to be started again: its folder stays.
const KEEPER_OF_A_FOLDER: &str = r#"
    "$@" & server=$!
    cat > /dev/null
    kill -QUIT $server; wait $server
"#;

/// PostgreSQL refuses to run as root; this is `nobody`.
const NOBODY: u32 = 65_534;

/// A server on a free port, its files in a temporary folder.
#[derive(Debug)]
pub struct Cluster {
    binaries: Binaries,
    folder: TempDir,
    port: u16,
    keeper: Option<Keeper>,
}

#[derive(Debug)]
struct Keeper {
    process: Child,
    /// Open for as long as the server is to run.
    input: ChildStdin,
}

impl Cluster {
    /// Starts a server of a test's own, to do to it what no other test could bear; `None` where
    /// PostgreSQL's programs are not installed.
    #[must_use]
    pub fn start() -> Option<Self> {
        let Some(binaries) = Binaries::find() else {
            server::missing();
            return None;
        };
        let mut cluster = Self::create(binaries);
        cluster.run(KEEPER_OF_A_FOLDER);
        Some(cluster)
    }

    /// Starts a server that nobody stops: it ends with this process.
    pub(super) fn start_for_the_process(binaries: Binaries) -> String {
        let mut cluster = Self::create(binaries);
        cluster.run(KEEPER);
        let url = cluster.url();
        std::mem::forget(cluster);
        url
    }

    fn create(binaries: Binaries) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut cluster = Self {
            binaries,
            folder,
            port: free_port(),
            keeper: None,
        };
        cluster.initialise();
        cluster
    }

    /// The URL of the server's first database.
    #[must_use]
    pub fn url(&self) -> String {
        url(self.port)
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// What the server has logged.
    #[must_use]
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.log_file()).expect("a log")
    }

    /// Starts the server again after it was killed.
    pub fn start_again(&mut self) {
        self.run(KEEPER_OF_A_FOLDER);
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
        let children = self.processes();
        signal("KILL", std::iter::once(server).chain(children));
        let keeper = self.keeper.take().expect("the server runs");
        keeper.ended();
        let _ = std::fs::remove_file(self.data().join("postmaster.pid"));
    }

    /// The numbers of the server's processes, but for the first.
    fn processes(&self) -> Vec<u32> {
        block_on(async {
            let mut connection = PgConnection::connect(&self.url())
                .await
                .expect("the server answers");
            let processes =
                resource_runtime::sqlx::query_scalar("SELECT pid FROM pg_stat_activity");
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

    fn initialise(&mut self) {
        if is_root() {
            chown(self.folder.path(), Some(NOBODY), Some(NOBODY)).expect("a folder to give away");
        }
        // An order of texts that is not the one of code points, to prove that the tables have theirs.
        let by_language = ["--locale-provider=icu", "--icu-locale=en"];
        if !self.try_initialise(&by_language).status.success() {
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

    fn run(&mut self, keeper: &str) {
        let log = std::fs::File::create(self.log_file()).expect("a log");
        let mut command = self.command(Path::new("sh"));
        command
            .args(["-c", keeper, "keeper"])
            .arg(&self.binaries.postgres)
            .arg("-D")
            .arg(self.data())
            .arg("-k")
            .arg(self.folder.path())
            .args(["-p", &self.port.to_string(), "-h", "127.0.0.1"])
            // What is written may be lost with the machine, but not with the server.
            .args(["-c", "fsync=off", "-c", "max_connections=1000"])
            .env("FOLDER", self.folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(log);
        let mut process = command.spawn().expect("a shell");
        let input = process.stdin.take().expect("a pipe");
        self.keeper = Some(Keeper { process, input });
        wait_until_it_answers(self.port);
    }

    /// A command that may run the server: as somebody else where we are root.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder.path());
        if is_root() {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
    }
}

impl Keeper {
    fn ended(self) {
        let Self { mut process, input } = self;
        drop(input);
        process.wait().expect("the keeper ends");
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if let Some(keeper) = self.keeper.take() {
            keeper.ended();
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

pub(super) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("its number").port()
}

fn is_root() -> bool {
    let own = std::fs::metadata("/proc/self").map(|own| std::os::unix::fs::MetadataExt::uid(&own));
    own.is_ok_and(|user| user == 0)
}

fn signal(name: &str, processes: impl IntoIterator<Item = u32>) {
    let processes = processes.into_iter().map(|process| process.to_string());
    let kill = format!("kill -{name} \"$@\"");
    let status = Command::new("sh")
        .args(["-c", &kill, "kill"])
        .args(processes)
        .status();
    assert!(status.expect("a shell").success());
}
