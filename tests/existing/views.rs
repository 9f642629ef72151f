//! Views and the like: clients list and retrieve their rows, and totals are never remembered.

use std::collections::HashSet;

use resource_runtime::{Api, ApiResource, Database};
use resource_tests::{
    Service, TestDatabase, apply, assert_error, every_database, responses_differ,
};
use serde_json::json;

use crate::{made_by, of_backend, sentences};

#[derive(Debug, ApiResource)]
#[resource(name = "Artist", url = "/artists", version = "1.0", existing)]
struct Artist {
    #[resource(primary_key, assigned)]
    id: i64,
    name: String,
}

/// The artists with their number of albums.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Ranking",
    url = "/rankings",
    version = "1.0",
    view,
    subresource(artist = "artist_id")
)]
struct Ranking {
    id: i64,
    #[resource(references = Artist)]
    artist_id: i64,
    label: Option<String>,
    albums: i64,
}

/// Some of the artists, by chance.
#[derive(Debug, ApiResource)]
#[resource(name = "Chance", url = "/chances", version = "1.0", view)]
struct Chance {
    id: i64,
}

fn tables() -> TestDatabase {
    let (int, text) = of_backend(("INTEGER", "TEXT"), ("bigint", "text COLLATE \"C\""));
    let some = of_backend("abs(random()) % 2 = 0", "random() < 0.5");
    made_by(&format!(
        "CREATE TABLE artists (id {int} NOT NULL PRIMARY KEY, name {text} NOT NULL);
         CREATE TABLE albums (id {int} NOT NULL PRIMARY KEY, artist_id {int} NOT NULL, label {text});
         INSERT INTO artists VALUES (1, 'Ann'), (2, 'Bob'), (3, 'Cy');
         INSERT INTO albums VALUES (1, 1, 'A'), (2, 1, 'B'), (3, 2, NULL);
         CREATE VIEW rankings AS SELECT artist_id AS id, artist_id, max(label) AS label, CAST(count(*) AS {int}) AS albums
             FROM albums GROUP BY artist_id;
         CREATE VIEW chances AS SELECT id FROM artists, (SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3) AS three
             WHERE {some};"
    ))
}

fn api(database: Database) -> Result<Api, resource_runtime::Error> {
    let api = Api::builder().resource::<Artist>().resource::<Ranking>();
    api.resource::<Chance>().build(database)
}

#[apply(every_database)]
fn a_view_is_listed_and_retrieved_and_no_more() {
    let service = Service::start_on(&tables(), api);
    assert_eq!(
        service.read("/api/1.0/rankings?order=desc(albums)&fields=artist_id,albums,artist(name)"),
        json!({"items": [
            {"artist_id": 1, "albums": 2, "artist": {"name": "Ann"}},
            {"artist_id": 2, "albums": 1, "artist": {"name": "Bob"}},
        ], "totalItems": 2})
    );
    let one = "/api/1.0/rankings/1";
    assert_eq!(
        service.read(one),
        json!({"id": 1, "artist_id": 1, "label": "B", "albums": 2})
    );
    assert_eq!(
        service.read("/api/1.0/rankings?filter=gt(albums,1)")["totalItems"],
        1
    );
    assert_error(&service.get("/api/1.0/rankings/3"), 404, 10001);
    let tag = service
        .get(one)
        .header("etag")
        .map(str::to_owned)
        .expect("a tag");
    let again = || {
        service
            .request("GET", one)
            .header("if-none-match", &tag)
            .send()
            .status
    };
    assert_eq!(again(), 304);
    service
        .database()
        .other_program()
        .execute("INSERT INTO albums VALUES (4, 1, 'C')");
    assert_eq!(again(), 200);
    for method in ["PUT", "PATCH", "DELETE"] {
        assert_error(&service.request(method, one).json("{}").send(), 405, 10070);
    }
    let new = service
        .request("POST", "/api/1.0/rankings")
        .json("{}")
        .send();
    assert_error(&new, 405, 10070);
}

#[apply(every_database)]
fn a_total_over_a_view_is_counted_each_time() {
    responses_differ("the view has rows by chance");
    let service = Service::start_on(&tables(), api);
    let total = || service.read("/api/1.0/chances?limit=0")["totalItems"].to_string();
    let totals: HashSet<String> = (0..60).map(|_| total()).collect();
    assert!(totals.len() > 1, "{totals:?}");
}

#[apply(every_database)]
fn a_check_takes_a_view_where_clients_only_read() {
    /// The same view, to which clients would write.
    #[derive(Debug, ApiResource)]
    #[resource(
        name = "Written",
        url = "/written",
        version = "1.0",
        table = "rankings",
        existing
    )]
    struct Written {
        #[resource(primary_key, assigned)]
        artist_id: i64,
        albums: i64,
    }
    let database = tables();
    let read = Api::builder().resource::<Ranking>().resource::<Artist>();
    assert_eq!(
        sentences(read.resource::<Chance>(), &database),
        (vec![], vec![])
    );
    let absent = sentences(
        Api::builder().resource::<Chance>(),
        &TestDatabase::default(),
    );
    let expected = "the view `chances` is missing, or its schema closed to the service; correct `table`, or create the \
                    view by a statement of your own";
    assert_eq!(absent.0, [expected]);
    let written = Api::builder().resource::<Written>();
    assert_eq!(
        sentences(written, &database).0,
        [
            "`rankings` is no table in the database, but a view or the like, which `Written` 1.0 cannot be stored \
             in; add `view` to the struct, to which clients then only read"
        ]
    );
}

/// A materialized view, and a table on another server.
#[test]
fn other_relations_of_postgres_are_views_as_well() {
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    let mut other = database.other_program();
    let schema = other.text("SELECT current_schema()::text");
    other.execute(
        "CREATE TABLE own (id bigint PRIMARY KEY);
         INSERT INTO own SELECT generate_series(1, 3);
         CREATE MATERIALIZED VIEW chances AS SELECT * FROM own",
    );
    let api = || Api::builder().resource::<Chance>();
    assert_eq!(sentences(api(), &database), (vec![], vec![]));
    let total = |service: &Service| service.read("/api/1.0/chances?limit=0")["totalItems"].clone();
    let service = Service::start_on(&database, |database| api().build(database));
    assert_eq!(total(&service), 3);
    other.execute("INSERT INTO own VALUES (4); REFRESH MATERIALIZED VIEW chances");
    assert_eq!(total(&service), 4);
    drop(service);
    let has_other_servers =
        "SELECT count(*)::text FROM pg_available_extensions WHERE name = 'postgres_fdw'";
    if other.text(has_other_servers) == "0" {
        return;
    }
    let server = other.text(
        "SELECT format('dbname %L, port %L, host %L', current_database(), inet_server_port(), host(inet_server_addr()))",
    );
    other.execute(&format!(
        "DROP MATERIALIZED VIEW chances;
         CREATE EXTENSION IF NOT EXISTS postgres_fdw SCHEMA public;
         CREATE SERVER {schema} FOREIGN DATA WRAPPER postgres_fdw OPTIONS ({server});
         CREATE USER MAPPING FOR CURRENT_USER SERVER {schema} OPTIONS (user 'tester');
         CREATE FOREIGN TABLE chances (id bigint) SERVER {schema}
             OPTIONS (schema_name '{schema}', table_name 'own')"
    ));
    let service = Service::start_on(&database, |database| api().build(database));
    for written in 5..1005 {
        other.execute(&format!("INSERT INTO own VALUES ({written})"));
        assert_eq!(total(&service), written);
    }
}
