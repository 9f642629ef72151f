//! Tables that others made: no start of a service creates, alters or indexes anything of them.

use std::time::Duration;

use resource_runtime::{Api, ApiBuilder, ApiResource, Dialect, ErrorKind};
use resource_tests::{
    Service, TestDatabase, apply, assert_no_content, every_database, responses_differ,
};
use serde_json::json;

use crate::{assigned_key, checked, made_by, of_backend};

/// A resource whose declarations the table lacks: an index, a unique set and a length.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Customer",
    url = "/customers",
    version = "1.0",
    table = "customers",
    existing
)]
struct Customer {
    id: i64,
    #[resource(max_length = 40)]
    name: String,
    #[resource(index)]
    city: Option<String>,
    #[resource(references = Customer)]
    referred_by: Option<i64>,
}

/// A resource of the service, which refers to a table of others.
#[derive(Debug, ApiResource)]
#[resource(name = "Call", url = "/calls", version = "1.0")]
struct Call {
    id: i64,
    #[resource(references = Customer)]
    customer_id: i64,
}

fn customers() -> TestDatabase {
    let (key, text) = (assigned_key(), of_backend("TEXT", "text COLLATE \"C\""));
    made_by(&format!(
        "CREATE TABLE customers ({key}, name {text} NOT NULL, city {text}, referred_by bigint, fax {text});
         INSERT INTO customers (name, city) VALUES ('Ann', 'Bern');"
    ))
}

/// Everything that the database has of a table, in words.
fn described(database: &TestDatabase, table: &str) -> String {
    database.other_program().text(&of_backend(
        format!(
            "SELECT coalesce(group_concat(type || name || coalesce(sql, ''), ';'), '')
             FROM sqlite_schema WHERE tbl_name = '{table}'"
        ),
        format!(
            "SELECT concat(
                 (SELECT string_agg(concat(attname, format_type(atttypid, atttypmod), attnotnull, atthasdef), ';')
                  FROM pg_attribute WHERE attrelid = to_regclass('{table}') AND attnum > 0),
                 (SELECT string_agg(pg_get_indexdef(indexrelid), ';') FROM pg_index
                  WHERE indrelid = to_regclass('{table}')),
                 (SELECT string_agg(pg_get_constraintdef(oid), ';') FROM pg_constraint
                  WHERE conrelid = to_regclass('{table}')))"
        ),
    ))
}

fn builder() -> ApiBuilder {
    let lifetime = Duration::from_hours(1);
    let api = Api::builder().resource::<Customer>().resource::<Call>();
    api.idempotency_keys(lifetime)
}

#[apply(every_database)]
fn a_service_leaves_tables_of_others_as_they_are_and_makes_its_own() {
    responses_differ("SQLite assigns the id of the newest row again once that is deleted");
    let database = customers();
    let before = described(&database, "customers");
    for _ in 0..2 {
        let service = Service::start_on(&database, |database| builder().build(database));
        let path = service.create("/api/1.0/customers", &json!({"name": "Bob"}));
        assert_no_content(&service.put(&path, &json!({"city": "Chur"})));
        assert_eq!(service.read(&path)["city"], "Chur");
        let id = service.read(&path)["id"].clone();
        let call = service.create("/api/1.0/calls", &json!({"customer_id": id}));
        assert_no_content(&service.delete(&call));
        assert_no_content(&service.delete(&path));
        let answer = service
            .request("POST", "/api/1.0/customers")
            .header("idempotency-key", "\"a-key-of-a-test-01\"")
            .json(json!({"name": "Kim"}).to_string())
            .send();
        assert_eq!(answer.status, 201);
    }
    assert_eq!(described(&database, "customers"), before);
    for own in ["calls", "idempotency_keys"] {
        assert_ne!(described(&database, own), "", "{own}");
    }
    // A foreign key of another table points at one that was there.
    let dangling = "INSERT INTO calls (customer_id) VALUES (999)";
    database.other_program().assert_refused(dangling);
}

#[apply(every_database)]
fn a_builder_leaves_all_tables_to_others_but_its_own() {
    #[derive(Debug, ApiResource)]
    #[resource(name = "Setting", url = "/settings", version = "1.0")]
    struct Setting {
        id: i64,
    }
    let builder = || {
        let api = Api::builder().resource::<Setting>().existing_tables();
        api.idempotency_keys(Duration::from_hours(1))
    };
    let database = TestDatabase::default();
    let service = Service::start_on(&database, |database| builder().build(database));
    assert_eq!(service.get("/api/1.0/settings").status, 500);
    assert_eq!(described(&database, "settings"), "");
    assert_ne!(described(&database, "idempotency_keys"), "");
    let error = checked(builder(), &database).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Configuration);
    assert_eq!(
        error.problems(),
        [
            "the table `settings` is missing, or its schema closed to the service; correct `table`, or remove \
             `existing` to have it created"
        ]
    );
}

#[apply(every_database)]
fn texts_of_tables_that_a_builder_leaves_to_others_need_existing() {
    #[derive(Debug, ApiResource)]
    #[resource(name = "Word", url = "/words", version = "1.0")]
    struct Word {
        #[resource(primary_key, assigned)]
        id: i64,
        text: String,
    }
    #[derive(Debug, ApiResource)]
    #[resource(name = "Word", url = "/words", version = "1.0", existing)]
    struct Existing {
        #[resource(primary_key, assigned)]
        id: i64,
        text: String,
    }
    let (collation, needed) = of_backend(("NOCASE", "BINARY"), ("default", "C"));
    let database = made_by(&format!(
        "CREATE TABLE words (id bigint NOT NULL PRIMARY KEY, text TEXT COLLATE \"{collation}\" NOT NULL)"
    ));
    let error = checked(
        Api::builder().resource::<Word>().existing_tables(),
        &database,
    );
    assert_eq!(
        error.unwrap_err().problems(),
        [format!(
            "`words.text` has the collation `{collation}`, but `Word` 1.0 needs `{needed}`; add `existing` to the \
             struct, so that statements name a collation"
        )]
    );
    assert!(checked(Api::builder().resource::<Existing>(), &database).is_ok());
}

#[test]
fn schema_sql_tells_which_tables_it_leaves_out() {
    #[derive(Debug, ApiResource)]
    #[resource(name = "Odd", url = "/odd", version = "1.0", table = "odd", existing)]
    struct Odd {
        id: i64,
    }
    let api = Api::builder().resource::<Odd>().resource::<Customer>();
    let sql = api.resource::<Call>().schema_sql(Dialect::Sqlite).unwrap();
    let (comments, statements) = sql.split_at(sql.find("CREATE").unwrap());
    assert_eq!(
        comments,
        "-- Others make the table odd.\n-- Others make the table customers.\n"
    );
    assert!(statements.starts_with("CREATE TABLE \"calls\""), "{sql}");
    assert_eq!(statements.matches("CREATE").count(), 2, "{sql}");
}
