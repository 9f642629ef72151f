//! Databases of a PostgreSQL server: of the one that `DATABASE_URL` names, or of one of our own.

mod binaries;
mod cluster;
mod processes;

use std::env;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, PgConnection};
use tokio::runtime::Runtime;

use self::binaries::Binaries;
use self::cluster::Cluster;
use crate::Outcome;
use crate::subjects::derive;

const SEED: &str = "seed";

const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Server {
    options: PgConnectOptions,
    /// Prefix of our databases, which tells them from those of others on the same server.
    prefix: String,
    made: Vec<String>,
    /// `None` where the server is the one of `DATABASE_URL`.
    cluster: Option<Cluster>,
    runtime: Runtime,
}

pub(super) fn is_there() -> bool {
    named().is_some() || Binaries::find().is_some()
}

fn named() -> Option<String> {
    env::var("DATABASE_URL")
        .ok()
        .filter(|url| url.starts_with("postgres"))
}

impl Server {
    pub(super) fn seeded(rows: u64, statements: &[&'static str]) -> Outcome<Self> {
        let mut server = Self::find()?;
        server.wait_until_it_answers()?;
        server.execute(format!("CREATE DATABASE {}", server.name(SEED)))?;
        server.made.push(server.name(SEED));
        server.fill(i64::try_from(rows)?, statements)?;
        Ok(server)
    }

    fn find() -> Outcome<Self> {
        let (url, cluster) = if let Some(url) = named() {
            eprintln!("what the server of `DATABASE_URL` computes is not measured");
            (url, None)
        } else {
            let binaries = Binaries::find().ok_or(
                "there is no PostgreSQL; install its server, or name one in `DATABASE_URL`",
            )?;
            let cluster = Cluster::start(&binaries)?;
            (cluster.url(), Some(cluster))
        };
        Ok(Self {
            options: url.parse()?,
            prefix: format!("benchmark_{}", std::process::id()),
            made: Vec::new(),
            cluster,
            runtime: Runtime::new()?,
        })
    }

    pub(super) fn seed(&self) -> String {
        self.url(SEED)
    }

    /// Makes a copy of the first database; returns its URL.
    pub(super) fn copy(&mut self, name: &str) -> Outcome<String> {
        let copy = self.name(name);
        let seed = self.name(SEED);
        self.execute(format!("DROP DATABASE IF EXISTS {copy} WITH (FORCE)"))?;
        self.execute(format!("CREATE DATABASE {copy} TEMPLATE {seed}"))?;
        self.made.push(copy);
        Ok(self.url(name))
    }

    /// A command of pgbench, with a database of [`copy`](Self::copy); none where it is not installed.
    pub(super) fn pgbench(&self, name: &str) -> Option<Command> {
        let mut command = Command::new(binaries::pgbench()?);
        let (host, port) = (self.options.get_host(), self.options.get_port());
        command
            .args(["--host", host, "--port", &port.to_string()])
            .args(["--username", self.options.get_username(), &self.name(name)]);
        Some(command)
    }

    pub(super) const fn is_our_own(&self) -> bool {
        self.cluster.is_some()
    }

    pub(super) fn cpu(&self) -> Outcome<Option<Duration>> {
        let process = self.cluster.as_ref().map(Cluster::process);
        process.map(|it| processes::cpu(it?)).transpose()
    }

    fn fill(&self, rows: i64, statements: &[&'static str]) -> Outcome {
        self.runtime.block_on(async {
            derive::create_tables(&self.url(SEED)).await?;
            let database = self.options.clone().database(&self.name(SEED));
            let mut connection = database.connect().await?;
            for statement in statements {
                sqlx::query(*statement)
                    .bind(rows)
                    .execute(&mut connection)
                    .await?;
            }
            // The state that a server reaches by itself in time, without autovacuum in the midst of a turn.
            sqlx::query("VACUUM ANALYZE")
                .execute(&mut connection)
                .await?;
            Ok(connection.close().await?)
        })
    }

    fn wait_until_it_answers(&self) -> Outcome {
        let deadline = Instant::now() + PATIENCE;
        while let Err(error) = self.execute("SELECT 1".to_owned()) {
            if Instant::now() > deadline {
                return Err(error);
            }
            sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    fn execute(&self, statement: String) -> Outcome {
        self.runtime.block_on(async {
            let mut connection = PgConnection::connect_with(&self.options).await?;
            let statement = sqlx::raw_sql(AssertSqlSafe(statement));
            statement.execute(&mut connection).await?;
            Ok(connection.close().await?)
        })
    }

    fn name(&self, name: &str) -> String {
        format!("{}_{name}", self.prefix)
    }

    fn url(&self, name: &str) -> String {
        let options = self.options.clone().database(&self.name(name));
        options.to_url_lossy().to_string()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if self.cluster.is_some() {
            return;
        }
        for name in &self.made {
            let statement = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
            if let Err(error) = self.execute(statement) {
                eprintln!("the database `{name}` is left behind: {error}");
            }
        }
    }
}
