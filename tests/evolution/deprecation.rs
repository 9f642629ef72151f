//! Deprecated versions and attributes: headers of all answers, documents, pages, metrics and the command line.

use std::env;
use std::future::pending;
use std::pin::Pin;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::http::HeaderMap;
use chrono::NaiveDateTime;
use clap::Parser;
use resource_runtime::authorization::{Authenticator, Claims, Refusal};
use resource_runtime::cli::{self, Options};
use resource_runtime::{
    Api, ApiBuilder, ApiResource, Clock, Database, HookResult, Validator, WriteContext,
};
use resource_tests::polling::wait_for;
use resource_tests::watch;
use resource_tests::{
    Answer, Service, TestDatabase, apply, assert_error, block_on, every_database, raw,
    responses_differ,
};
use serde_json::{Value, json};

mod v1 {
    use super::ApiResource;

    #[derive(Debug, ApiResource)]
    #[resource(name = "Setting", url = "/settings", version = "1.0")]
    #[resource(deprecated(
        since = "2027-01-01",
        sunset = "2027-07-01",
        reason = "`label` says nothing."
    ))]
    pub(super) struct Setting {
        id: i64,
        #[resource(max_length = 50)]
        pub(super) name: String,
        #[resource(deprecated(since = "2026-11-01", instead = "name"))]
        label: Option<String>,
    }
}

mod v2 {
    use super::{ApiResource, v1};

    #[derive(Debug, ApiResource)]
    #[resource(name = "Setting", url = "/settings", version = "2.0", follows = v1::Setting)]
    pub(super) struct Setting {
        id: i64,
        #[resource(max_length = 50)]
        name: String,
    }
}

/// It follows 1.0 by 2.0.
#[derive(Debug, ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "3.0", follows = v2::Setting)]
struct SettingThree {
    id: i64,
    #[resource(max_length = 50)]
    name: String,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Mail", url = "/mails", version = "2.0", table = "letters")]
struct Mail {
    id: i64,
    text: String,
}

/// Its items are those of `Mail`, under another path.
#[derive(Debug, ApiResource)]
#[resource(name = "Letter", url = "/letters", version = "1.0")]
#[resource(deprecated(since = "1969-12-31", successor = Mail))]
struct Letter {
    id: i64,
    text: String,
}

/// Its items are not those of `Mail`.
#[derive(Debug, ApiResource)]
#[resource(name = "Telegram", url = "/telegrams", version = "1.0")]
#[resource(deprecated(since = "2028-02-29", sunset = "2400-03-01", successor = Mail))]
struct Telegram {
    id: i64,
    text: String,
}

/// Nothing follows it.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Fax",
    url = "/faxes",
    version = "1.0",
    deprecated(since = "2024-01-01")
)]
struct Fax {
    #[resource(primary_key, assigned)]
    number: String,
    pages: i32,
}

mod labels {
    use super::ApiResource;

    /// Its key has two parts.
    #[derive(Debug, ApiResource)]
    #[resource(
        name = "Label",
        url = "/labels",
        version = "1.0",
        deprecated(since = "2024-01-01")
    )]
    pub(super) struct Label {
        #[resource(primary_key)]
        owner: i64,
        #[resource(primary_key, max_length = 9)]
        name: String,
    }
}

#[derive(Debug, ApiResource)]
#[resource(name = "Label", url = "/labels", version = "1.1", follows = labels::Label)]
struct Label {
    #[resource(primary_key)]
    owner: i64,
    #[resource(primary_key, max_length = 9)]
    name: String,
}

/// A validator that panics, or never answers.
struct Moody;

impl Validator<v1::Setting> for Moody {
    async fn before_create(
        &self,
        setting: &mut v1::Setting,
        _: &mut WriteContext<'_, v1::Setting>,
    ) -> HookResult {
        assert_ne!(setting.name, "panic");
        if setting.name == "endless" {
            pending::<()>().await;
        }
        Ok(())
    }
}

impl Validator<v2::Setting> for Moody {}

const ONE: &str = "/api/1.0/settings";
const TWO: &str = "/api/2.0/settings";

fn settings() -> ApiBuilder {
    let builder = Api::builder().resource::<v1::Setting>();
    builder.resource::<v2::Setting>()
}

fn letters() -> ApiBuilder {
    let builder = Api::builder().resource::<Letter>().resource::<Mail>();
    let builder = builder.resource::<Telegram>().resource::<Fax>();
    builder.resource::<labels::Label>().resource::<Label>()
}

fn served(builder: ApiBuilder) -> Service {
    Service::start(|database| builder.build(database))
}

/// What an answer tells of the deprecation of its version.
#[derive(Debug, PartialEq)]
struct Told {
    since: i64,
    sunset: Option<String>,
    /// Relations with their targets.
    links: Vec<(String, String)>,
}

fn told(answer: &Answer) -> Option<Told> {
    let one = |name: &str| {
        assert!(
            answer.headers.get_all(name).iter().count() <= 1,
            "{answer:?}"
        );
        answer.header(name)
    };
    let links = one("link").map(links).unwrap_or_default();
    let Some(since) = one("deprecation") else {
        assert_eq!(one("sunset"), None, "{answer:?}");
        let relations = ["successor-version", "deprecation"];
        assert!(
            links.iter().all(|(it, _)| !relations.contains(&&**it)),
            "{answer:?}"
        );
        return None;
    };
    Some(Told {
        since: sf_date(since),
        sunset: one("sunset").map(|it| imf_fixdate(it).to_string()),
        links,
    })
}

/// The seconds of a date in structured fields, without parameters (RFC 9651, section 4.2.10).
fn sf_date(text: &str) -> i64 {
    let integer = text.strip_prefix('@').expect("a date begins so");
    let digits = integer.strip_prefix('-').unwrap_or(integer);
    let is_decimal = digits.bytes().all(|it| it.is_ascii_digit());
    assert!(is_decimal && (1..=15).contains(&digits.len()), "{text}");
    integer.parse().unwrap()
}

/// The moment of a date in its preferred form (RFC 9110, section 5.6.7), which has one spelling.
fn imf_fixdate(text: &str) -> NaiveDateTime {
    const FORM: &str = "%a, %d %b %Y %H:%M:%S GMT";
    let parsed = NaiveDateTime::parse_from_str(text, FORM).unwrap();
    assert_eq!(parsed.format(FORM).to_string(), text);
    parsed
}

/// The relations and targets of links (RFC 8288, section 3).
fn links(mut text: &str) -> Vec<(String, String)> {
    let mut links = Vec::new();
    loop {
        let (target, rest) = text.strip_prefix('<').unwrap().split_once('>').unwrap();
        let (relation, rest) = rest
            .strip_prefix("; rel=\"")
            .unwrap()
            .split_once('"')
            .unwrap();
        links.push((relation.to_owned(), target.to_owned()));
        if rest.is_empty() {
            return links;
        }
        text = rest.strip_prefix(", ").unwrap();
    }
}

fn linked(links: &[(&str, &str)]) -> Vec<(String, String)> {
    let links = links.iter();
    links
        .map(|(relation, target)| ((*relation).to_owned(), (*target).to_owned()))
        .collect()
}

/// What every answer of settings 1.0 tells.
#[track_caller]
fn assert_told(answer: &Answer, successor: &str) {
    let told = told(answer).unwrap_or_else(|| panic!("{answer:?}"));
    assert_eq!(told.since, 1_798_761_600);
    assert_eq!(told.sunset.as_deref(), Some("2027-07-01 00:00:00"));
    let links = linked(&[
        ("successor-version", successor),
        ("deprecation", "/docs/1.0"),
    ]);
    let others = ["first", "prev", "next"];
    let own: Vec<_> = told
        .links
        .into_iter()
        .filter(|(it, _)| !others.contains(&&**it))
        .collect();
    assert_eq!(own, links, "{answer:?}");
}

#[apply(every_database)]
fn every_answer_of_a_deprecated_version_tells_so() {
    responses_differ("the time limit may pass before or after the statement");
    let service = Service::start(|database| {
        let builder = Api::builder().resource_with::<v1::Setting>(Moody);
        let builder = builder.timeout(Duration::from_secs(2)).body_limit(1000);
        let builder = builder.resource_with::<v2::Setting>(Moody);
        builder.build(database)
    });
    let item = format!("{ONE}/1");
    let next = format!("{TWO}/1");
    let setting = json!({"name": "a", "label": "b"});
    let ask = |method: &str, path: &str| service.request(method, path).send();
    // Past the documents, which know each path in one spelling.
    let encoded = |line: &str, body: &str| {
        let (line, length) = (
            format!("{line} HTTP/1.1"),
            format!("Content-Length: {}", body.len()),
        );
        let head = [
            &*line,
            "Host: localhost",
            "Content-Type: application/json",
            &length,
        ];
        raw::send(service.address(), &head, body.as_bytes())
    };
    let create = "POST /api/1.0/%73ettings";
    let created = service.post(ONE, &setting);
    let tag = service.get(&item).header("etag").unwrap().to_owned();
    let not_modified = service
        .request("GET", &item)
        .header("if-none-match", &tag)
        .send();
    let lines = service
        .request("GET", ONE)
        .header("accept", "application/x-ndjson")
        .send();
    let html = service
        .request("GET", ONE)
        .header("accept", "text/html")
        .send();
    let problem = service.request("GET", &format!("{ONE}?x=1"));
    let of_collection = [
        (201, created),
        (200, service.get(ONE)),
        (200, lines),
        (200, ask("HEAD", ONE)),
        (204, ask("OPTIONS", ONE)),
        (405, service.delete(ONE)),
        (400, service.post(ONE, &json!({}))),
        (415, service.request("POST", ONE).body("x").send()),
        (406, html),
        (
            400,
            problem.header("accept", "application/problem+json").send(),
        ),
        (500, service.post(ONE, &json!({"name": "panic"}))),
        (503, service.post(ONE, &json!({"name": "endless"}))),
        (413, service.post(ONE, &json!({"name": "x".repeat(1000)}))),
        (200, encoded("GET /api/1.0/%73ettings", "")),
        (201, encoded(create, r#"{"name": "a"}"#)),
        (400, encoded(create, "{")),
        (405, encoded("DELETE /api/1.0/%73ettings", "")),
        (500, encoded(create, r#"{"name": "panic"}"#)),
        (503, encoded(create, r#"{"name": "endless"}"#)),
    ];
    for (status, answer) in of_collection {
        assert_eq!(answer.status, status, "{answer:?}");
        assert_told(&answer, TWO);
    }
    let of_item = [
        (200, service.get(&item)),
        (200, ask("HEAD", &item)),
        (304, not_modified),
        (204, ask("OPTIONS", &item)),
        (405, service.post(&item, &setting)),
        (204, service.put(&item, &json!({"name": "c"}))),
        (204, service.patch(&item, &json!({"name": "d"}))),
        (
            412,
            service
                .request("DELETE", &item)
                .header("if-match", "\"x\"")
                .send(),
        ),
        (200, encoded("GET /api/1%2e0/settings/1", "")),
    ];
    for (status, answer) in of_item {
        assert_eq!(answer.status, status, "{answer:?}");
        assert_told(&answer, &next);
    }
    for key in ["7%20x", "%FF", "%zz", "99999999999999999999"] {
        let answer = encoded(&format!("GET {ONE}/{key}"), "");
        assert_eq!(answer.status, 404, "{answer:?}");
        assert_told(&answer, &format!("{TWO}/{key}"));
    }
    assert_eq!(service.read(&next)["name"], "d");
    assert_told(&service.delete(&item), &next);
    // All others are as they were.
    let new = json!({"name": "e"});
    for answer in [
        service.post(TWO, &new),
        service.get(TWO),
        service.get("/api/latest/settings"),
        service.delete(TWO),
        service.get(&next),
        service.get("/api/1.0"),
        service.get("/api/1.0/nothing"),
        service.get("/api/1.0/settings/1/name"),
        service.get("/docs/1.0"),
    ] {
        assert_eq!(told(&answer), None, "{answer:?}");
    }
}

/// Admits nobody.
#[derive(Debug)]
struct Closed;

impl Authenticator for Closed {
    fn authenticate<'a>(
        &'a self,
        _: &'a HeaderMap,
    ) -> Pin<Box<dyn Future<Output = Result<Arc<Claims>, Refusal>> + Send + 'a>> {
        Box::pin(async { Err(Refusal::MissingToken) })
    }
}

#[derive(Debug, ApiResource)]
#[resource(name = "Secret", url = "/secrets", version = "1.0")]
#[resource(scopes, deprecated(since = "2024-01-01"))]
struct Secret {
    id: i64,
}

#[test]
fn callers_whom_nobody_knows_are_told_it() {
    let api = Api::builder().resource::<Secret>();
    let service = served(api.authorization(Closed));
    let answer = service.get("/api/1.0/secrets");
    assert_eq!(answer.status, 401);
    assert_eq!(told(&answer).unwrap().since, 1_704_067_200);
}

#[apply(every_database)]
fn long_lists_tell_it_before_they_are_streamed_and_links_are_joined() {
    let service = served(letters());
    let text = "x".repeat(50_000);
    for _ in 0..20 {
        service.create("/api/1.0/letters", &json!({"text": text}));
    }
    let page = service.get("/api/1.0/letters?cursor=start&limit=19");
    let told = told(&page).unwrap();
    let relations: Vec<&str> = told.links.iter().map(|(relation, _)| &**relation).collect();
    let (own, beside) = (
        ["successor-version", "deprecation"],
        relations[..].split_last_chunk(),
    );
    assert_eq!(beside.map(|(_, last)| *last), Some(own));
    assert!(relations.contains(&"first"), "{relations:?}");
    for (_, target) in &told.links {
        assert_eq!(service.get(target).status, 200, "{target}");
    }
    let lines = service.get("/api/1.0/letters?format=ndjson&limit=20");
    assert!(lines.body.len() > 1_000_000 && self::told(&lines).is_some());
}

#[apply(every_database)]
fn successors_are_linked_by_item_where_table_and_key_are_the_same() {
    let service = served(letters());
    for collection in ["letters", "telegrams"] {
        service.create(&format!("/api/1.0/{collection}"), &json!({"text": "a"}));
    }
    let page = ("deprecation", "/docs/1.0");
    let successor = |path| ("successor-version", path);
    for (path, since, sunset, links) in [
        (
            "letters/1",
            -86_400,
            None,
            &[successor("/api/2.0/mails/1"), page][..],
        ),
        (
            "letters",
            -86_400,
            None,
            &[successor("/api/2.0/mails"), page],
        ),
        (
            "telegrams/1",
            1_835_395_200,
            Some("2400-03-01 00:00:00"),
            &[successor("/api/2.0/mails"), page],
        ),
        ("faxes", 1_704_067_200, None, &[page]),
        ("faxes/7", 1_704_067_200, None, &[page]),
    ] {
        for version in ["1.0", "latest"] {
            let told = told(&service.get(&format!("/api/{version}/{path}"))).unwrap();
            assert_eq!(
                (told.since, told.sunset.as_deref()),
                (since, sunset),
                "{path}"
            );
            assert_eq!(told.links, linked(links), "{path}");
        }
        for (_, target) in links {
            assert_eq!(service.get(target).status, 200, "{target}");
        }
    }
    assert_eq!(told(&service.get("/api/latest/mails")), None);
    // The parts of a key stay as they were written.
    let label = service.create("/api/1.0/labels", &json!({"owner": 1, "name": "a,b"}));
    let next = label.replace("1.0", "1.1");
    let told = told(&service.get(&label)).unwrap();
    assert_eq!(told.links, linked(&[successor(&next), page]));
    assert_eq!(service.get(&next).status, 200);
}

#[apply(every_database)]
fn successors_are_the_newest_registered_versions_that_follow() {
    // Neither 2.0 nor pages are there, and the API has a root and a place of its own.
    let service = Service::start_wrapped(
        |database| {
            let builder = Api::builder().root("/a/b").hide_documentation();
            let builder = builder.resource::<v1::Setting>().resource::<SettingThree>();
            builder.build(database)
        },
        |app| Router::new().nest("/t/{tenant}", app),
    );
    let prefix = "/t/x%20y/a/b";
    let item = service.create(&format!("{prefix}/1.0/settings"), &json!({"name": "a"}));
    let next = format!("{prefix}/3.0/settings/1");
    let told = told(&service.get(&item)).unwrap();
    assert_eq!(told.links, linked(&[("successor-version", &next)]));
    assert_eq!(service.read(&next)["name"], "a");
    // Without any link there is no header.
    let alone = served(
        Api::builder()
            .hide_documentation()
            .resource::<v1::Setting>(),
    );
    let answer = alone.get(ONE);
    assert_eq!(self::told(&answer).unwrap().links, []);
    assert!(!answer.headers.contains_key("link"), "{answer:?}");
}

#[test]
fn a_successor_that_is_not_registered_is_a_warning() {
    let log = watch::keep();
    let service = served(Api::builder().resource::<Telegram>());
    let hint = "is `Mail` 2.0, which is not registered, so that no response links to it";
    assert!(log.text().contains(hint), "{}", log.text());
    let told = told(&service.get("/api/1.0/telegrams")).unwrap();
    assert_eq!(told.links, linked(&[("deprecation", "/docs/1.0")]));
}

mod circle {
    use super::ApiResource;

    #[derive(Debug, ApiResource)]
    #[resource(name = "Post", url = "/posts", version = "1.0")]
    #[resource(deprecated(since = "2027-01-01", successor = Parcel))]
    pub(super) struct Post {
        id: i64,
    }

    #[derive(Debug, ApiResource)]
    #[resource(name = "Parcel", url = "/parcels", version = "1.0")]
    #[resource(deprecated(since = "2027-01-01", successor = Post))]
    pub(super) struct Parcel {
        id: i64,
    }
}

#[test]
fn successors_that_lead_back_are_a_warning() {
    let log = watch::keep();
    let service = served(
        Api::builder()
            .resource::<circle::Post>()
            .resource::<circle::Parcel>(),
    );
    for name in ["Post", "Parcel"] {
        let hint = format!("::circle::{name}` lead back to it; name a version to stay with");
        assert!(log.text().contains(&hint), "{}", log.text());
    }
    drop(service);
}

#[apply(every_database)]
fn pages_of_other_sites_may_read_the_headers() {
    let service = served(settings().cors(["https://app.example.org"]));
    let request = service.request("GET", ONE);
    let answer = request.header("origin", "https://app.example.org").send();
    let exposed = answer.header("access-control-expose-headers").unwrap();
    for name in ["deprecation", "sunset", "link"] {
        assert!(exposed.split(',').any(|it| it.trim() == name), "{exposed}");
    }
    assert_told(&answer, TWO);
}

#[apply(every_database)]
fn documents_and_pages_tell_of_deprecations() {
    let service = served(settings());
    for file in ["openapi.json", "openapi-3.0.json"] {
        let document = service.read(&format!("/api/1.0/{file}"));
        let operations = |document: &Value| -> Vec<Value> {
            let paths = document["paths"].as_object().unwrap().clone().into_iter();
            let paths = paths.filter(|(path, _)| path.contains("/settings"));
            let operations = paths.flat_map(|(_, item)| item.as_object().unwrap().clone());
            let operations = operations.map(|(_, operation)| operation);
            operations.filter(Value::is_object).collect()
        };
        let deprecated = operations(&document);
        assert!(deprecated.len() >= 5, "{deprecated:?}");
        let words = "Deprecated since 2027-01-01: `label` says nothing; may be gone from 2027-07-01 on. Use `Setting` 2.0 at \
                     `/api/2.0/settings` instead.";
        for operation in &deprecated {
            assert_eq!(operation["deprecated"], true);
            assert!(
                operation["description"].as_str().unwrap().ends_with(words),
                "{operation}"
            );
            for response in operation["responses"].as_object().unwrap().values() {
                let headers = &response["headers"];
                let is_told = ["Deprecation", "Sunset", "Link"].map(|it| headers.get(it).is_some());
                assert!(
                    response["$ref"].is_string() || is_told == [true; 3],
                    "{response}"
                );
            }
        }
        for schema in ["Setting", "SettingCreate", "SettingUpdate"] {
            let properties = &document["components"]["schemas"][schema]["properties"];
            assert_eq!(properties["label"]["deprecated"], true, "{schema}");
            let told = properties["label"]["description"].as_str().unwrap();
            assert!(
                told.ends_with("Deprecated since 2026-11-01. Use `name` instead."),
                "{told}"
            );
            assert_eq!(properties["name"].get("deprecated"), None);
        }
        let newer = service.read(&format!("/api/2.0/{file}")).to_string();
        assert!(!newer.to_lowercase().contains("deprecat"), "{newer}");
    }
    let index = service.get("/docs");
    let pages = index.text();
    let badge = "<span class=\"tag\">deprecated</span>";
    assert_eq!(pages.matches(badge).count(), 1, "{pages}");
    let of_version =
        "Version 1.0 <span class=\"tag\">deprecated, may be gone from 2027-07-01 on</span></h2>";
    assert!(pages.contains(of_version), "{pages}");
    assert!(
        pages.contains("Deprecated since 2027-01-01: <code>label</code> says nothing"),
        "{pages}"
    );
}

#[apply(every_database)]
fn requests_of_deprecated_versions_are_counted_by_operation() {
    responses_differ("durations are measured");
    let service = served(settings().metrics());
    service.create(ONE, &json!({"name": "a"}));
    for _ in 0..3 {
        service.read(&format!("{ONE}/1"));
    }
    assert_error(&service.get(&format!("{ONE}/7")), 404, 10001);
    service.read(TWO);
    let metrics = service.get("/metrics");
    let lines = metrics.text().lines();
    let counted = lines.filter(|it| it.starts_with("deprecated_requests_total{"));
    let mut counted: Vec<String> = counted
        .map(|line| {
            assert!(
                line.contains("resource=\"Setting\"") && line.contains("version=\"1.0\""),
                "{line}"
            );
            let (_, rest) = line.split_once("operation=\"").unwrap();
            let (operation, _) = rest.split_once('"').unwrap();
            format!("{operation} {}", line.rsplit(' ').next().unwrap())
        })
        .collect();
    counted.sort_unstable();
    // An update has two methods.
    let expected = [
        "create 1",
        "delete 0",
        "list 0",
        "retrieve 4",
        "update 0",
        "update 0",
    ];
    assert_eq!(counted, expected);
    let others = served(Api::builder().resource::<Mail>().metrics());
    others.read("/api/2.0/mails");
    assert!(!others.get("/metrics").text().contains("deprecated"));
}

#[derive(Debug, Parser)]
#[command(name = "settings")]
struct Arguments {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    command: cli::Command,
}

/// The moment of the clock of the program below.
#[derive(Debug)]
struct Stopped(u64);

impl Clock for Stopped {
    fn now(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(self.0)
    }
}

/// The variable with the arguments of the command, one a line; only then the test below is one.
const ARGUMENTS: &str = "DEPRECATION_ARGUMENTS";

/// The variable with the time in seconds.
const TIME: &str = "DEPRECATION_TIME";

/// Not a test, but the program of the next: this executable again, as commands print to the standard output.
#[test]
fn program() {
    let Ok(arguments) = env::var(ARGUMENTS) else {
        return;
    };
    tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::WARN)
        .with_writer(std::io::stderr)
        .init();
    let Arguments { options, command } = Arguments::parse_from(arguments.lines());
    let clock = Stopped(env::var(TIME).unwrap().parse().unwrap());
    println!("<<<");
    // That of the tests has another log.
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let outcome = runtime.block_on(cli::run(
        "settings",
        command,
        &options,
        settings().clock(clock),
    ));
    let code = cli::exit("settings", outcome);
    println!(">>>{}", u8::from(code != ExitCode::SUCCESS));
}

fn run(command: &[&str], database: &TestDatabase, time: u64) -> Command {
    let url = database.url();
    let arguments = [&["settings"], command, &["--database-url", &url]].concat();
    let mut program = Command::new(env::current_exe().expect("this test"));
    program.args(["--exact", "deprecation::program", "--nocapture"]);
    program
        .env(ARGUMENTS, arguments.join("\n"))
        .env(TIME, time.to_string());
    program
}

const SUNSET: u64 = 1_814_400_000;
const PAST: &str = "the sunset of `Setting` 1.0 was on 2027-07-01; it still answers";

#[apply(every_database)]
fn commands_tell_once_of_sunsets_that_are_past() {
    let database = TestDatabase::default();
    block_on(async {
        let database = Database::connect(&database.url()).await.unwrap();
        let api = settings().build(database).unwrap();
        api.create_missing_tables().await.unwrap();
    });
    let whole = "the database has everything that the API needs\n";
    for (time, expected) in [
        (SUNSET - 1, whole.to_owned()),
        (SUNSET, format!("{whole}{PAST}\n")),
    ] {
        let output = watch::output(&mut run(&["check"], &database, time));
        let text = String::from_utf8(output.stdout).unwrap();
        let (_, printed) = text.split_once("<<<\n").unwrap();
        assert_eq!(printed.split_once(">>>").unwrap().0, expected);
        assert!(printed.contains(">>>0"), "{text}");
    }
    for (time, count) in [(SUNSET - 1, 0), (SUNSET, 1)] {
        let mut command = run(&["serve", "--listen", "127.0.0.1:0"], &database, time);
        command.stdout(Stdio::piped());
        let (mut child, logged) = watch::spawn_with_default_log(&mut command);
        let mut printed = child.stdout.take().unwrap();
        wait_for("the address", || {
            let mut byte = [0; 4096];
            let length = std::io::Read::read(&mut printed, &mut byte).unwrap();
            String::from_utf8_lossy(&byte[..length])
                .contains("listens on")
                .then_some(())
        });
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(logged.whole().matches(PAST).count(), count, "{time}");
    }
}
