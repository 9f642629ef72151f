//! The hosts of a URL, read as libpq reads them, and connections to the one that serves.

use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{env, io, mem};

use percent_encoding::percent_decode_str;
use resource_model::error::{Error, did_you_mean};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions as _, Connection as _, Row as _};
use sqlx_core::Url;
use tokio::time::{Instant, sleep, timeout};

use super::failure::{cause, is_transient};
use super::last_fault::LastFault;
use super::session;
use super::statement_timeout::timeout_error;
use crate::locked::locked;
use crate::store::misconfigured;

/// Pause between attempts to connect while no host accepts connections.
const CONNECT_RETRY_AFTER: Duration = Duration::from_millis(100);

/// Parameters of a URL: those that decide about the host, and those that are handed on to sqlx.
const KNOWN: &str = "connect_timeout host hostaddr load_balance_hosts port target_session_attrs \
    application_name dbname options password ssl-ca ssl-cert ssl-key ssl-mode ssl-root-cert \
    sslcert sslkey sslmode sslrootcert statement-cache-capacity user";

/// Parameters of libpq that have no effect here: without an error, the safety that some ask for would be missing unseen.
const OF_LIBPQ_ALONE: &str = "channel_binding client_encoding fallback_application_name gssdelegation gssencmode \
    gsslib keepalives keepalives_count keepalives_idle keepalives_interval krbsrvname max_protocol_version \
    min_protocol_version passfile replication require_auth requirepeer scram_client_key scram_server_key service \
    servicefile ssl_max_protocol_version ssl_min_protocol_version sslcertmode sslcompression sslcrl sslcrldir \
    sslkeylogfile sslnegotiation sslpassword sslsni tcp_user_timeout";

/// Variables of libpq beside those of hosts, ports and what sqlx reads itself.
const VARIABLES: [(&str, &str); 3] = [
    ("PGCONNECT_TIMEOUT", "connect_timeout"),
    ("PGLOADBALANCEHOSTS", "load_balance_hosts"),
    ("PGTARGETSESSIONATTRS", "target_session_attrs"),
];

/// A value of a parameter, and of `target_session_attrs` the states of a server that suit; none where all do, which are not
/// asked.
type Entry = (&'static str, &'static [&'static str]);

const TARGETS: [Entry; 6] = [
    ("any", &[]),
    ("primary", &["primary", "read-only primary"]),
    ("prefer-standby", &["standby"]),
    ("read-only", &["read-only primary", "standby"]),
    ("read-write", &["primary"]),
    ("standby", &["standby"]),
];

const BALANCES: [Entry; 2] = [("disable", &[]), ("random", &[])];

pub(super) const STATE: &str = "SELECT CASE WHEN pg_is_in_recovery() THEN 'standby' \
    WHEN current_setting('default_transaction_read_only') = 'on' THEN 'read-only primary' ELSE 'primary' END";

type Server = Arc<PgConnectOptions>;

/// The servers of a URL, of which one serves, or with `load_balance_hosts=random` each.
pub(super) struct Hosts {
    all: Vec<Server>,
    choice: Choice,
    /// The host that answered last, which the next connection tries first.
    last: Mutex<Server>,
    last_fault: Arc<LastFault>,
}

/// The choice among the hosts; by default that of `any`.
#[derive(Debug, Clone, Copy, Default)]
struct Choice {
    target: Entry,
    is_balanced: bool,
    /// Longest time to connect to one host, where the URL has a limit.
    limit: Option<Duration>,
}

impl Hosts {
    /// Reads the hosts of `url`, each of which gets the options that `complete` makes of those in the URL.
    pub(super) fn of(
        url: &str,
        last_fault: &Arc<LastFault>,
        mut complete: impl FnMut(PgConnectOptions) -> PgConnectOptions,
    ) -> Result<Self, Error> {
        // Where the URL says nothing, the variables of libpq do; else sqlx looks for a socket.
        let defaults = PgConnectOptions::new_without_pgpass();
        let ports = env::var("PGPORT").unwrap_or_default();
        let given = GivenUrl::of(url, defaults.get_host(), &ports).map_err(invalid)?;
        let all = given.hosts.iter().zip(given.ports.iter().cycle());
        let all = all.map(|(host, port)| {
            let mut url = given.url.clone();
            // A parameter takes sockets and addresses of IPv6 as they are.
            let mut parameters = url.query_pairs_mut();
            parameters
                .append_pair("host", host)
                .append_pair("port", port);
            drop(parameters);
            Ok(Arc::new(complete(PgConnectOptions::from_url(&url)?)))
        });
        let all: sqlx::Result<Vec<_>> = all.collect();
        let all = all.map_err(|error| misconfigured(INVALID, error))?;
        let first = all.first().ok_or_else(|| invalid("it has no host"))?;
        Ok(Self {
            last: Mutex::new(Arc::clone(first)),
            all,
            choice: given.choice,
            last_fault: Arc::clone(last_fault),
        })
    }

    /// The servers on which connections may be open: the one that serves, or all.
    pub(super) fn in_use(&self) -> Vec<Server> {
        if self.choice.is_balanced {
            return self.all.clone();
        }
        vec![self.current()]
    }

    /// The host that answered last, before the first answer the first.
    pub(super) fn current(&self) -> Server {
        Arc::clone(&locked(&self.last))
    }

    /// Tests whether a server in this state may serve; one that is only preferred is no condition.
    pub(super) fn admits(&self, state: &str) -> bool {
        let (name, suits) = self.choice.target;
        suits.is_empty() || suits.contains(&state) || name == "prefer-standby"
    }

    /// The addresses of all hosts.
    pub(super) fn addresses(&self) -> String {
        let addresses: Vec<String> = self.all.iter().map(|it| address(it)).collect();
        addresses.join("`, `")
    }

    /// Connects to the first host that suits, with retries until `deadline` while the failure may pass by itself.
    pub(super) async fn connect(&self, deadline: Instant) -> sqlx::Result<PgConnection> {
        let mut last = None;
        loop {
            let error = match self.attempt(deadline).await {
                Err(error) if is_worth_retrying(&error) => error,
                result => return result,
            };
            // An attempt that the deadline cuts off says less than the one before it.
            let is_cut_off = Instant::now() >= deadline;
            let error = last.filter(|_| is_cut_off).unwrap_or(error);
            if Instant::now() + CONNECT_RETRY_AFTER >= deadline {
                return Err(error);
            }
            last = Some(error);
            sleep(CONNECT_RETRY_AFTER).await;
        }
    }

    /// Tries each host once, or twice where those that suit are only preferred.
    async fn attempt(&self, deadline: Instant) -> sqlx::Result<PgConnection> {
        let (order, (name, suits)) = (self.order(), self.choice.target);
        let rounds = match name {
            "prefer-standby" => vec![suits, &[]],
            _ => vec![suits],
        };
        let mut attempts = rounds.len() * order.len();
        let mut failures = Vec::new();
        for suits in rounds {
            // Those of the last round name every host.
            failures.clear();
            for host in &order {
                // A share of the time: a host that drops packets leaves some to the others.
                let shares = u32::try_from(attempts).unwrap_or(u32::MAX);
                let share = deadline.saturating_duration_since(Instant::now()) / shares;
                let limit = self.choice.limit.unwrap_or(share).min(share);
                let connected = timeout(limit, self.connect_to(host, suits)).await;
                match connected.unwrap_or_else(|_| Err(timeout_error(limit))) {
                    Err(error) => failures.push((host, error)),
                    connected => return connected,
                }
                attempts -= 1;
            }
        }
        Err(joined(failures))
    }

    /// The hosts in the order of the next attempt.
    fn order(&self) -> Vec<Server> {
        let (mut order, last) = (self.all.clone(), self.current());
        // Each state has keys of its own, which the system gave it.
        let random = RandomState::new();
        order.sort_by_cached_key(|host| match Arc::ptr_eq(host, &last) {
            _ if self.choice.is_balanced => random.hash_one(address(host)),
            is_last => (!is_last).into(),
        });
        order
    }

    async fn connect_to(&self, host: &Server, suits: &[&str]) -> sqlx::Result<PgConnection> {
        let mut connection = PgConnection::connect_with(host).await?;
        if suits.is_empty() {
            // A pooler accepts us before it has a server connection for us. Waiting for that in a ping,
            // rather than in the first statement, leaves no outcome unknown when it times out.
            connection.ping().await?;
        } else {
            let state = sqlx::raw_sql(STATE).fetch_one(&mut connection).await?;
            let (state, target): (String, _) = (state.try_get(0)?, self.choice.target.0);
            if !suits.contains(&&*state) {
                let excluded = format!("a {state}, which `target_session_attrs={target}` excludes");
                return Err(io::Error::other(excluded).into());
            }
        }
        let before = mem::replace(&mut *locked(&self.last), Arc::clone(host));
        // Where one host is to serve, connections to the one before are of no use.
        if !self.choice.is_balanced && !Arc::ptr_eq(&before, host) {
            self.last_fault.record_fault();
        }
        Ok(connection)
    }
}

impl fmt::Debug for Hosts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The options hold the password.
        formatter.write_str(&self.addresses())
    }
}

/// The address of a server for messages: host and port alone, since the rest of the URL may be secret.
pub(super) fn address(server: &PgConnectOptions) -> String {
    let (host, port) = (server.get_host(), server.get_port());
    match server.get_socket() {
        // For a server on the same machine, the folder of its socket stands for the host.
        Some(socket) => format!("{}:{port}", socket.display()),
        None => format!("{host}:{port}"),
    }
}

/// One error of the failures of several attempts, which names each host; that of a single one is its own.
fn joined(mut failures: Vec<(&Server, sqlx::Error)>) -> sqlx::Error {
    let causes = failures.iter();
    let causes = causes.map(|(host, error)| format!("`{}`: {}", address(host), cause(error)));
    let causes = causes.collect::<Vec<_>>().join("; ");
    let may_pass = failures.iter().any(|(_, error)| is_worth_retrying(error));
    match failures.pop() {
        Some((_, error)) if failures.is_empty() => error,
        _ if may_pass => io::Error::other(causes).into(),
        _ => sqlx::Error::Configuration(causes.into()),
    }
}

/// Tests whether a later attempt may succeed: the server starts or is full, or a proxy has no server yet.
fn is_worth_retrying(error: &sqlx::Error) -> bool {
    match error {
        // A certificate that TLS refuses is refused the next time, too.
        sqlx::Error::Io(error) => error.kind() != io::ErrorKind::InvalidData,
        // A proxy without a server closes the connection in the middle of the handshake.
        sqlx::Error::Protocol(_) => true,
        // A server that starts or is full. A wrong password is final, and so is the refusal of `options`,
        // though it has the class of a lost connection.
        sqlx::Error::Database(_) => is_transient(error) && !session::refuses_options(error),
        // For instance a server without the TLS that the URL demands, which no retry mends.
        _ => false,
    }
}

/// The contents of a URL.
struct GivenUrl {
    /// The URL with the parameters for sqlx, and with one host in place of all.
    url: Url,
    hosts: Vec<String>,
    /// One for all hosts, or one for each.
    ports: Vec<String>,
    choice: Choice,
}

impl GivenUrl {
    /// Reads a URL, and takes from these lists what it lacks.
    fn of(text: &str, hosts: &str, ports: &str) -> Result<Self, String> {
        let is_text = percent_decode_str(text).decode_utf8();
        is_text.map_err(|_| "it is not encoded in UTF-8")?;
        let start = text.find("://");
        let start = start.ok_or("it does not begin with `postgres://`")? + 3;
        let end = text.get(start..).and_then(|it| it.find(['/', '?']));
        let (authority, rest) = text.split_at(end.map_or(text.len(), |end| start + end));
        let (before, list) = authority.split_at(authority.rfind('@').map_or(start, |at| at + 1));
        // Where libpq reads `#` as it is, the rest would be left out.
        let url: Result<Url, _> = format!("{before}localhost{rest}")
            .replace('#', "%23")
            .parse();
        let mut given = Self {
            url: url.map_err(|error| error.to_string())?,
            hosts: Vec::new(),
            ports: Vec::new(),
            choice: Choice::default(),
        };
        for host in list.split(',') {
            // The colons of an address of IPv6 stand in brackets.
            let port = host.rsplit_once(':').filter(|_| !host.ends_with(']'));
            let (host, port) = port.unwrap_or((host, ""));
            let host = percent_decode_str(host.trim_matches(['[', ']']));
            given.hosts.push(host.decode_utf8_lossy().into());
            given.ports.push(port.to_owned());
        }
        let parameters: Vec<_> = given.url.query_pairs().into_owned().collect();
        given.url.set_query(None);
        if ["host", "hostaddr"].map(|it| parameters.iter().any(|(name, _)| name == it)) == [true; 2]
        {
            return Err("it has both `host` and `hostaddr`; name one of them".to_owned());
        }
        // Where the URL says nothing, these variables of libpq do.
        for (variable, name) in VARIABLES {
            if let Ok(value) = env::var(variable) {
                let read = given.read(name, &value, 0);
                read.map_err(|problem| format!("by `{variable}`, {problem}"))?;
            }
        }
        for (index, (name, value)) in parameters.iter().enumerate() {
            given.read(name, value, index + 1)?;
        }
        complete(&mut given.hosts, hosts, "localhost");
        complete(&mut given.ports, ports, "5432");
        match (given.hosts.len(), given.ports.len()) {
            _ if given.ports.iter().any(|it| it.parse::<u16>().is_err()) => Err(NO_PORT.to_owned()),
            (hosts, ports) if ports != 1 && ports != hosts => Err(format!(
                "it has {ports} ports for {hosts} hosts; name one port for all, or one for each"
            )),
            _ => Ok(given),
        }
    }

    /// Reads a parameter. A name that is like none is not repeated, as it may be part of a password.
    fn read(&mut self, name: &str, value: &str, number: usize) -> Result<(), String> {
        let is_in = |names: &str| names.split(' ').any(|it| it == name);
        match name {
            "host" | "hostaddr" => self.hosts = listed(value),
            "port" => self.ports = listed(value),
            "target_session_attrs" => self.choice.target = one_of(&TARGETS, name, value)?,
            "load_balance_hosts" => {
                self.choice.is_balanced = one_of(&BALANCES, name, value)?.0 == "random";
            }
            "connect_timeout" => {
                let seconds = value.parse();
                let seconds = seconds.map_err(|_| "`connect_timeout` is no number")?;
                self.choice.limit = (seconds > 0).then(|| Duration::from_secs(seconds));
            }
            // The latter is one setting of the session: `options[search_path]=shop`.
            _ if is_in(KNOWN) || name.starts_with("options[") => {
                self.url.query_pairs_mut().append_pair(name, value);
            }
            _ if is_in(OF_LIBPQ_ALONE) => {
                return Err(format!("`{name}` has no effect here; leave it out"));
            }
            _ => {
                let meant = did_you_mean(name, KNOWN.split(' '));
                return Err(format!("parameter {number} is unknown{meant}"));
            }
        }
        Ok(())
    }
}

fn listed(list: &str) -> Vec<String> {
    list.split(',').map(str::to_owned).collect()
}

/// Gives a list that says nothing the entries of `all`, and then its empty entries the value of `each`.
fn complete(list: &mut Vec<String>, all: &str, each: &str) {
    if list.iter().all(String::is_empty) {
        *list = listed(all);
    }
    let empty = list.iter_mut().filter(|it| it.is_empty());
    empty.for_each(|it| it.push_str(each));
}

const INVALID: &str = "the URL of the PostgreSQL server is invalid";

const NO_PORT: &str = "a port is no number; in a password, write special characters as `%` and two digits, like \
    `%2F` for `/`";

/// The entry of a table for this value.
fn one_of(table: &[Entry], name: &str, value: &str) -> Result<Entry, String> {
    let found = table.iter().find(|(it, _)| *it == value);
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = table.iter().map(|(it, _)| *it).collect();
        let (all, meant) = (names.join("`, `"), did_you_mean(value, names));
        format!("`{name}` is none of `{all}`{meant}")
    })
}

/// The error of a URL. The problem repeats no part of it that may be secret.
fn invalid(problem: impl fmt::Display) -> Error {
    Error::configuration(format!("{INVALID}: {problem}"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{GivenUrl, Hosts};

    fn hosts(url: &str) -> Result<Hosts, String> {
        let hosts = Hosts::of(url, &Arc::default(), |options| options);
        hosts.map_err(|error| error.to_string())
    }

    #[test]
    fn hosts_are_read_as_libpq_reads_them() {
        for (url, addresses) in [
            ("postgres://h", "h:5432"),
            ("postgresql://ann:se%40cret@h:5433/shop", "h:5433"),
            ("postgres://a,b/shop", "a:5432 b:5432"),
            (
                "postgres://ann:p@a:1,b:2,[::1]:3/shop?user=bob",
                "a:1 b:2 ::1:3",
            ),
            ("postgres://a:1,b/shop", "a:1 b:5432"),
            ("postgres://a,b/shop?port=7", "a:7 b:7"),
            ("postgres:///shop?host=a,b&port=1,2", "a:1 b:2"),
            (
                "postgres:///shop?host=a,/run/p g&port=1,2",
                "a:1 /run/p g:2",
            ),
            ("postgres://%2Frun%2Fpg,b", "/run/pg:5432 b:5432"),
            ("postgres://ann:a#b@a,,b:3", "a:5432 localhost:5432 b:3"),
            (
                "postgres:///shop?hostaddr=127.0.0.1,::1",
                "127.0.0.1:5432 ::1:5432",
            ),
            (
                "postgres://ann@a/shop?connect_timeout=2&options[work_mem]=1MB",
                "a:5432",
            ),
        ] {
            // Without the variables of the developer who runs this.
            let given = GivenUrl::of(url, "localhost", "").unwrap();
            let pairs = given.hosts.iter().zip(given.ports.iter().cycle());
            let pairs: Vec<String> = pairs.map(|(host, port)| format!("{host}:{port}")).collect();
            assert_eq!(pairs.join(" "), addresses, "{url}");
        }
    }

    #[test]
    fn variables_name_the_hosts_and_ports_that_a_url_lacks() {
        for (url, hosts, ports) in [
            ("postgres:///shop", ["c", "/run/pg"], ["8", "9"]),
            (
                "postgres://ann@/shop?port=7,6",
                ["c", "/run/pg"],
                ["7", "6"],
            ),
            ("postgres://a,b", ["a", "b"], ["8", "9"]),
            ("postgres://a,b:1", ["a", "b"], ["5432", "1"]),
        ] {
            let given = GivenUrl::of(url, "c,/run/pg", "8,9").unwrap();
            assert_eq!(given.hosts, hosts, "{url}");
            assert_eq!(given.ports, ports, "{url}");
        }
    }

    #[test]
    fn each_host_gets_what_the_url_says_of_all() {
        let url = "postgresql://ann%40x@a:1,b:2/my%20shop?sslmode=require&application_name=x+y";
        for options in hosts(url).unwrap().all {
            assert_eq!(options.get_username(), "ann@x");
            assert_eq!(options.get_database(), Some("my shop"));
            assert_eq!(options.get_application_name(), Some("x y"));
        }
    }

    #[test]
    fn an_invalid_url_is_an_error_that_tells_no_secret() {
        for (url, problem) in [
            ("postgres:h/shop", "it does not begin with `postgres://`"),
            (
                "postgres://ann:sec/ret@h",
                "a port is no number; in a password,",
            ),
            ("postgres://ann:1?secret@h/shop", "parameter 1 is unknown"),
            ("postgres://h?password=sec&ret=1", "parameter 2 is unknown"),
            ("postgres://h:70000", "a port is no number"),
            (
                "postgres://a,b,c?port=1,2",
                "it has 2 ports for 3 hosts; name one port for all, or one for each",
            ),
            ("postgres://h?port=secret", "a port is no number"),
            (
                "postgres://h?sslmod=require",
                "parameter 1 is unknown; did you mean `sslmode`?",
            ),
            (
                "postgres://h?target_session_attr=any",
                "did you mean `target_session_attrs`?",
            ),
            (
                "postgres://h?target_session_attrs=readwrite",
                "; did you mean `read-write`?",
            ),
            (
                "postgres://h?target_session_attrs=secret",
                "is none of `any`, `primary`,",
            ),
            (
                "postgres://h?load_balance_hosts=rnd",
                "`load_balance_hosts` is none of `disable`, `random`",
            ),
            (
                "postgres://h?connect_timeout=secret",
                "`connect_timeout` is no number",
            ),
            (
                "postgres://h?channel_binding=require",
                "`channel_binding` has no effect here; leave it out",
            ),
            (
                "postgres://h?host=a&hostaddr=::1",
                "it has both `host` and `hostaddr`",
            ),
            ("postgres://h?user=%FF", "it is not encoded in UTF-8"),
        ] {
            let error = hosts(url).unwrap_err();
            assert!(error.contains(problem), "{url}: {error}");
            assert!(
                !error.contains("secret") && !error.contains("ret="),
                "{url}: {error}"
            );
        }
    }

    #[test]
    fn debug_output_has_no_password() {
        let text = format!("{:?}", hosts("postgres://ann:secret@h:1").unwrap());
        assert!(text.contains("h:1") && !text.contains("secret"), "{text}");
    }
}
