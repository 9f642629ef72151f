//! Triggers that divert rows into a child of the table.

use resource_runtime::{Api, ApiResource, Validator};
use resource_tests::polling::wait_for;
use resource_tests::{
    Backend, Service, TestDatabase, assert_created, assert_error, assert_no_content,
};
use serde_json::json;

#[derive(Debug, ApiResource)]
#[resource(name = "Event", url = "/events", version = "1.0")]
struct Event {
    id: i64,
    label: String,
}

/// An event whose writes pass a hook.
#[derive(Debug, ApiResource)]
#[resource(name = "Call", url = "/calls", version = "1.0", validator = Anybody)]
struct Call {
    id: i64,
    label: String,
}

#[derive(Debug, Default)]
struct Anybody;

impl Validator<Call> for Anybody {}

/// An event with an assigned key.
#[derive(Debug, ApiResource)]
#[resource(name = "Feast", url = "/feasts", version = "1.0")]
struct Feast {
    #[resource(primary_key, assigned)]
    id: String,
    label: String,
}

const TABLES: [&str; 3] = ["events", "calls", "feasts"];

/// A service whose triggers store rows in a child of their table, drop those labelled `dropped` or with a
/// taken key, and move those labelled `moved` to another child.
fn diverted() -> Service {
    let database = TestDatabase::postgres().unwrap();
    let service = Service::start_on(&database, |database| {
        Api::builder()
            .resource::<Event>()
            .resource::<Call>()
            .resource::<Feast>()
            .build(database)
    });
    let mut other = database.other_program();
    for table in TABLES {
        other.execute(&format!(
            "CREATE TABLE {table}_new () INHERITS ({table});
             CREATE TABLE {table}_old () INHERITS ({table});
             CREATE TABLE {table}_log (number bigserial, label text);
             CREATE FUNCTION divert_{table}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                 INSERT INTO {table}_log (label) SELECT NEW.label FROM generate_series(1, 3);
                 IF NEW.label <> 'dropped'
                     AND NOT EXISTS (SELECT FROM {table} WHERE id = NEW.id) THEN
                     INSERT INTO {table}_new VALUES (NEW.*);
                 END IF;
                 RETURN NULL;
             END $$;
             CREATE FUNCTION move_{table}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                 DELETE FROM {table}_new WHERE id = OLD.id;
                 INSERT INTO {table}_old VALUES (NEW.*);
                 RETURN NULL;
             END $$;
             CREATE TRIGGER divert BEFORE INSERT ON {table}
                 FOR EACH ROW EXECUTE FUNCTION divert_{table}();
             CREATE TRIGGER move BEFORE UPDATE ON {table}_new
                 FOR EACH ROW WHEN (NEW.label = 'moved') EXECUTE FUNCTION move_{table}()"
        ));
    }
    service
}

#[test]
fn row_diverted_into_a_child_table_is_201() {
    if TestDatabase::postgres().is_none() {
        return;
    }
    Backend::Postgres.run("diverted", || {
        let service = diverted();
        for (table, keys) in [
            ("events", ["1", "3"]),
            ("calls", ["1", "3"]),
            ("feasts", ["de", "fr"]),
        ] {
            let collection = format!("/api/1.0/{table}");
            let body = |key: &str, label: &str| match table {
                "feasts" => json!({"id": key, "label": label}),
                _ => json!({"label": label}),
            };
            let post = |key: &str, label: &str| service.post(&collection, &body(key, label));
            let path = assert_created(&post(keys[0], "first"));
            assert_eq!(path, format!("{collection}/{}", keys[0]));
            assert_eq!(service.read(&path)["label"], "first");
            assert_error(&post("it", "dropped"), 400, 10010);
            assert_eq!(
                assert_created(&post(keys[1], "second")),
                format!("{collection}/{}", keys[1])
            );
            if table == "feasts" {
                assert_error(&post("de", "again"), 400, 10010);
            }
            // A refused write stores nothing.
            assert_error(&service.put(&path, &json!({"label": "moved"})), 400, 10010);
            assert_eq!(service.read(&path)["label"], "first");
            assert_no_content(&service.put(&path, &json!({"label": "still"})));
            assert_eq!(service.read(&collection)["totalItems"], 2);
            assert_no_content(&service.delete(&path));
            let log =
                format!("SELECT string_agg(DISTINCT label, ' ' ORDER BY label) FROM {table}_log");
            let logged = service.database().other_program().text(&log);
            assert_eq!(logged, "first second");
        }
    });
}

/// A service of feasts whose trigger stores each row in a child of the table, unless its key is taken there. It does
/// so in a block with an exception clause, which PostgreSQL runs in a subtransaction with an id of its own. A row
/// labelled `late` waits for an advisory lock before.
fn diverted_in_a_subtransaction() -> Service {
    let database = TestDatabase::postgres().unwrap();
    let service = Service::start_on(&database, |database| {
        Api::builder().resource::<Feast>().build(database)
    });
    database.other_program().execute(
        "CREATE TABLE feasts_log (label text);
         CREATE TABLE feasts_new (PRIMARY KEY (id)) INHERITS (feasts);
         CREATE FUNCTION divert_feast() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
             INSERT INTO feasts_log VALUES (NEW.label);
             IF NEW.label = 'late' THEN PERFORM pg_advisory_xact_lock(20101); END IF;
             BEGIN
                 INSERT INTO feasts_new VALUES (NEW.*);
             EXCEPTION WHEN unique_violation THEN NULL;
             END;
             RETURN NULL;
         END $$;
         CREATE TRIGGER divert BEFORE INSERT ON feasts
             FOR EACH ROW EXECUTE FUNCTION divert_feast()",
    );
    service
}

#[test]
fn row_diverted_in_a_subtransaction_is_201() {
    if TestDatabase::postgres().is_none() {
        return;
    }
    Backend::Postgres.run("diverted in a subtransaction", || {
        let service = diverted_in_a_subtransaction();
        let feasts = "/api/1.0/feasts";
        let post = |id: &str, label: &str| service.post(feasts, &json!({"id": id, "label": label}));
        let path = assert_created(&post("de", "first"));
        assert_eq!(service.read(&path)["label"], "first");
        // The row at the key is of an earlier transaction.
        assert_error(&post("de", "again"), 400, 10010);
        assert_eq!(service.read(&path)["label"], "first");

        // The row at the key is of a transaction that began later than that of the create.
        let mut other = service.database().other_program();
        other.execute("SELECT pg_advisory_lock(20101)");
        let late = std::thread::scope(|scope| {
            let answer = scope.spawn(|| post("it", "late"));
            wait_for("the trigger", || {
                let waiting =
                    "SELECT count(*)::text FROM pg_locks WHERE objid = 20101 AND NOT granted";
                (other.text(waiting) == "1").then_some(())
            });
            other.execute("INSERT INTO feasts_new VALUES ('it', 'other')");
            other.execute("SELECT pg_advisory_unlock(20101)");
            answer.join().unwrap()
        });
        assert_error(&late, 400, 10010);
        assert_eq!(service.read(&format!("{feasts}/it"))["label"], "other");
        let log = "SELECT string_agg(label, ' ') FROM feasts_log";
        assert_eq!(service.database().other_program().text(log), "first");
    });
}
