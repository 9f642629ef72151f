//! Tables whose database takes no statement as it stands: broken foreign keys, rules, and domains.

use resource_runtime::{Api, ApiBuilder, ApiResource};
use resource_tests::{
    Backend, Service, TestDatabase, apply, assert_created, assert_error, assert_no_content,
    every_database,
};
use serde_json::json;

use crate::{made_by, of_backend, sentences};

#[derive(Debug, ApiResource)]
#[resource(name = "Port", url = "/ports", version = "1.0", existing)]
struct Port {
    #[resource(primary_key, assigned)]
    id: i64,
    name: Option<String>,
}

/// A row with a column that points at nothing useful.
#[derive(Debug, ApiResource)]
#[resource(name = "Ship", url = "/ships", version = "1.0", existing)]
struct Ship {
    #[resource(primary_key, assigned)]
    id: i64,
    home: Option<String>,
    name: Option<String>,
}

#[derive(Debug, ApiResource)]
#[resource(
    name = "Ship",
    url = "/ships",
    version = "1.0",
    existing,
    operations(list, retrieve)
)]
struct OldShip {
    #[resource(primary_key, assigned)]
    id: i64,
    home: Option<String>,
}

#[derive(Debug, ApiResource)]
#[resource(
    name = "Port",
    url = "/ports",
    version = "1.0",
    existing,
    operations(list, retrieve, create)
)]
struct OldPort {
    #[resource(primary_key, assigned)]
    id: i64,
    name: Option<String>,
}

#[apply(every_database)]
fn a_broken_foreign_key_of_sqlite_is_fatal_for_each_write_that_fails() {
    // PostgreSQL takes no such key.
    if Backend::under_test() == Backend::Postgres {
        return;
    }
    let made = |home: &str| {
        made_by(&format!(
            "CREATE TABLE ports (id INTEGER PRIMARY KEY NOT NULL, name TEXT);
             CREATE TABLE ships (id INTEGER PRIMARY KEY NOT NULL, home TEXT REFERENCES {home}, name TEXT);"
        ))
    };
    let told = |version, name, table, reason| {
        format!(
            "`{version}` 1.0 offers to {name} items in the table `{table}`, but SQLite refuses every such \
             statement: {reason}; leave `{name}` out of the `operations`"
        )
    };
    let both = || Api::builder().resource::<Ship>().resource::<Port>();
    let reading = || Api::builder().resource::<OldShip>().resource::<OldPort>();
    let (fatal, _) = sentences(both(), &made("nowhere (id)"));
    let missing = "no such table: main.nowhere";
    let names = ["create", "delete", "update"];
    assert_eq!(
        fatal,
        names.map(|name| told("Ship", name, "ships", missing))
    );
    assert_eq!(sentences(reading(), &made("nowhere (id)")).0, [""; 0]);
    let mismatch = r#"foreign key mismatch - "ships" referencing "ports""#;
    let (fatal, _) = sentences(both(), &made("ports (name)"));
    let mut expected = names
        .map(|name| told("Ship", name, "ships", mismatch))
        .to_vec();
    expected.extend(["delete", "update"].map(|name| told("Port", name, "ports", mismatch)));
    assert_eq!(fatal, expected);
    assert_eq!(sentences(reading(), &made("ports (name)")).0, [""; 0]);
}

#[test]
fn a_rule_of_postgres_is_fatal_for_the_writes_that_it_changes() {
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    database.other_program().execute(
        "CREATE TABLE ports (id bigint PRIMARY KEY, name text);
         CREATE RULE keeps AS ON DELETE TO ports DO INSTEAD UPDATE ports SET name = 'gone' WHERE id = OLD.id;
         CREATE RULE notes AS ON UPDATE TO ports WHERE FALSE DO ALSO NOTHING;",
    );
    let (fatal, _) = sentences(Api::builder().resource::<Port>(), &database);
    assert_eq!(
        fatal,
        [("delete", "keeps"), ("update", "notes")].map(|(name, rule)| format!(
            "`Port` 1.0 offers to {name} items in the table `ports`, but its rule `{rule}` replaces the statement, or \
             adds to it; leave `{name}` out of the `operations`, or make the rule a trigger"
        ))
    );
    let builder = Api::builder().resource::<OldPort>();
    assert_eq!(sentences(builder, &database).0, [""; 0]);
}

#[derive(Debug, ApiResource)]
#[resource(name = "Lamp", url = "/lamps", version = "1.0", existing)]
struct Lamp {
    #[resource(primary_key, assigned)]
    id: i64,
    #[resource(max_length = 3, stored(postgres = type("state")))]
    state: String,
    level: i32,
}

#[derive(Debug, ApiResource)]
#[resource(
    name = "Bulb",
    url = "/lamps",
    version = "1.0",
    table = "lamps",
    existing
)]
struct Bulb {
    #[resource(primary_key, assigned)]
    id: i64,
    level: Option<i32>,
}

const LAMPS: &str = "CREATE TYPE state AS ENUM ('on', 'off'); CREATE DOMAIN own_state AS state;
    CREATE DOMAIN amount AS integer NOT NULL; CREATE DOMAIN level AS amount;
    CREATE TABLE lamps (id bigint PRIMARY KEY, state own_state NOT NULL, level level);
    CREATE INDEX by_state ON lamps (state);";

#[test]
fn a_domain_of_an_enum_is_compared_and_one_that_forbids_null_is_told() {
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    database.other_program().execute(LAMPS);
    let lamps = || Api::builder().resource::<Lamp>();
    assert_eq!(sentences(lamps(), &database), (vec![], vec![]));
    let service = Service::start_on(&database, |database| lamps().build(database));
    for (id, state) in [(1, "on"), (2, "off")] {
        let lamp = json!({"id": id, "state": state, "level": 3});
        assert_created(&service.post("/api/1.0/lamps", &lamp));
    }
    for (filter, found) in [
        ("eq(state,%22on%22)", &[1][..]),
        ("in(state,[%22on%22,%22off%22])", &[1, 2]),
        ("ne(state,%22on%22)", &[2]),
    ] {
        let list = service.read(&format!("/api/1.0/lamps?filter={filter}"));
        let items = list["items"].as_array().expect("items").iter();
        assert!(
            items
                .map(|it| it["id"].clone())
                .eq(found.iter().map(|it| json!(it))),
            "{filter}"
        );
    }
    assert_no_content(&service.put("/api/1.0/lamps/2", &json!({"state": "on"})));
    let mut program = database.other_program();
    program.execute("SET enable_seqscan = off; SET enable_bitmapscan = off");
    let plan = program
        .text("EXPLAIN SELECT id FROM lamps WHERE state::\"state\" IN ('on'::text::\"state\")");
    assert!(plan.contains("by_state"), "{plan}");
    let (fatal, _) = sentences(Api::builder().resource::<Bulb>(), &database);
    let sentence =
        "`lamps.level` is `NOT NULL`, but `Bulb` 1.0 allows null; remove the `Option` of the field";
    assert!(fatal.iter().any(|it| it == sentence), "{fatal:?}");
}

#[derive(Debug, ApiResource)]
#[resource(name = "Client", url = "/clients", version = "1.0", existing)]
struct Client {
    #[resource(primary_key, assigned)]
    tenant: i64,
    #[resource(primary_key, assigned)]
    number: i64,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Deal", url = "/deals", version = "1.0", existing, subresource(client = ["tenant", "number"]))]
struct Deal {
    #[resource(primary_key, assigned)]
    id: i64,
    #[resource(references(Client, tenant))]
    tenant: i64,
    #[resource(references(Client, number))]
    number: Option<i64>,
}

fn deals() -> ApiBuilder {
    Api::builder().resource::<Deal>().resource::<Client>()
}

#[apply(every_database)]
fn what_cannot_become_null_keeps_its_target() {
    let integer = of_backend("INTEGER", "bigint");
    let database = made_by(&format!(
        "CREATE TABLE clients (tenant {integer} NOT NULL, number {integer} NOT NULL, PRIMARY KEY (tenant, number));
         CREATE TABLE deals (id {integer} NOT NULL PRIMARY KEY, tenant {integer} NOT NULL, number {integer},
             FOREIGN KEY (tenant, number) REFERENCES clients (tenant, number) ON DELETE SET NULL);
         CREATE INDEX by_client ON deals (tenant, number);"
    ));
    assert_eq!(sentences(deals(), &database).0, [""; 0]);
    let service = Service::start_on(&database, |database| deals().build(database));
    service.create("/api/1.0/clients", &json!({"tenant": 1, "number": 2}));
    service.create(
        "/api/1.0/deals",
        &json!({"id": 1, "tenant": 1, "number": 2}),
    );
    let refused = service.delete("/api/1.0/clients/1,2");
    assert_error(&refused, 400, 10020).naming(&["Deal"]);
    assert_no_content(&service.put("/api/1.0/deals/1", &json!({"number": null})));
    assert_no_content(&service.delete("/api/1.0/clients/1,2"));
}

/// The same, of which a part is set to null.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Offer", url = "/offers", version = "1.0", table = "deals", existing,
    subresource(client = ["tenant", "number"])
)]
struct Offer {
    #[resource(primary_key, assigned)]
    id: i64,
    #[resource(references(Client, tenant))]
    tenant: i64,
    #[resource(references(Client, number, on_delete = "set_null"))]
    number: Option<i64>,
}

#[test]
fn the_part_that_tells_it_is_set_to_null() {
    let offers = || Api::builder().resource::<Offer>().resource::<Client>();
    let made = |action: &str| {
        let database = TestDatabase::postgres()?;
        database.other_program().execute(&format!(
            "CREATE TABLE clients (tenant bigint, number bigint, PRIMARY KEY (tenant, number));
             CREATE TABLE deals (id bigint PRIMARY KEY, tenant bigint NOT NULL, number bigint,
                 FOREIGN KEY (tenant, number) REFERENCES clients ON DELETE {action});
             CREATE INDEX by_client ON deals (tenant, number);"
        ));
        Some(database)
    };
    let Some(database) = made("SET NULL (number)") else {
        return;
    };
    let key = "the foreign key from `tenant`, `number` to `tenant`, `number` of `clients` in the table `deals`";
    assert_eq!(sentences(offers(), &database).0, [""; 0]);
    assert_eq!(
        sentences(deals(), &database).0,
        [format!(
            "{key} is `ON DELETE SET NULL (number)`, but `Deal` 1.0 needs the delete to be refused; declare it by \
             `references(…, on_delete = \"set_null\")` at `number` alone"
        )]
    );
    let service = Service::start_on(&database, |database| offers().build(database));
    service.create("/api/1.0/clients", &json!({"tenant": 1, "number": 2}));
    let offer = service.create(
        "/api/1.0/offers",
        &json!({"id": 1, "tenant": 1, "number": 2}),
    );
    assert_no_content(&service.delete("/api/1.0/clients/1,2"));
    assert_eq!(
        service.read(&offer),
        json!({"id": 1, "tenant": 1, "number": null})
    );
    let refusing = made("SET NULL").expect("a server");
    assert_eq!(
        sentences(offers(), &refusing).0,
        [format!(
            "{key} is `ON DELETE RESTRICT`, but `Offer` 1.0 needs `SET NULL`; remove `on_delete`"
        )]
    );
}

#[derive(Debug, ApiResource)]
#[resource(name = "Sum", url = "/sums", version = "1.0", existing)]
struct Sum {
    #[resource(primary_key, assigned)]
    id: i64,
    #[resource(stored(postgres = type("money")))]
    paid: Option<String>,
    #[resource(stored(postgres = type("interval")))]
    rest: Option<String>,
    #[resource(stored(postgres = type("timetz")))]
    at: Option<String>,
    #[resource(stored(postgres = type("tsquery")))]
    search: Option<String>,
}

#[test]
fn what_postgres_rounds_is_answered_as_it_is_read() {
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    database.other_program().execute(
        "CREATE TABLE sums (id bigint PRIMARY KEY, paid money, rest interval(0), at timetz(0), search tsquery)",
    );
    let sums = || Api::builder().resource::<Sum>();
    assert_eq!(sentences(sums(), &database).0, [""; 0]);
    let service = Service::start_on(&database, |database| sums().build(database));
    let mut sum = json!({"id": 1, "paid": "1.005", "rest": "1.6 seconds", "at": "10:00:00.7+00", "search": "a"});
    for (method, path) in [("POST", "/api/1.0/sums"), ("PUT", "/api/1.0/sums/1")] {
        let answer = service
            .request(method, path)
            .header("prefer", "return=representation");
        let answer = answer.json(sum.to_string()).send();
        let read = service.get("/api/1.0/sums/1");
        assert_eq!(answer.json(), read.json(), "{method}");
        let tag = read.header("etag").expect("a tag");
        assert!(answer.header("etag").is_none_or(|it| it == tag), "{method}");
        let plain = service
            .request("PUT", "/api/1.0/sums/1")
            .json(sum.to_string())
            .send();
        let start = plain
            .header("etag")
            .map(|it| it.trim_end_matches('"').to_owned());
        assert!(start.is_none_or(|it| tag.starts_with(&it)), "{method}");
        sum["rest"] = json!("2.7 seconds");
    }
    // The server calls this a syntax error, as it would one of a statement.
    let refused = service.put("/api/1.0/sums/1", &json!({"search": "a b"}));
    assert_error(&refused, 400, 10010);
}

#[derive(Debug, ApiResource)]
#[resource(name = "Cap", url = "/caps", version = "1.0", existing)]
struct Cap {
    #[resource(primary_key, assigned)]
    id: i64,
    #[resource(column = "Size")]
    size: Option<i64>,
    color: Option<String>,
}

#[apply(every_database)]
fn the_limit_that_refuses_a_value_is_named() {
    let database = made_by(
        "CREATE TABLE caps (id bigint NOT NULL PRIMARY KEY, \"Size\" bigint NOT NULL,
             color varchar(9) CONSTRAINT no_red CHECK (color <> 'red'))",
    );
    let service = Service::start_on(&database, |database| {
        Api::builder().resource::<Cap>().build(database)
    });
    let narrower = "a value does not fit the table, which is narrower than the resource";
    for (cap, told) in [
        (
            json!({"id": 1, "size": 1, "color": "red"}),
            "its check `no_red` refuses it",
        ),
        (
            json!({"id": 1, "color": "blue"}),
            "`size` must not be null there",
        ),
    ] {
        let refused = service.post("/api/1.0/caps", &cap);
        assert_error(&refused, 400, 10010).naming(&[&format!("{narrower}: {told}")]);
    }
}
