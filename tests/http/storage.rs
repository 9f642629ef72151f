//! Storage: items survive a restart, and two services may share a database.

use resource_runtime::{Api, Database, Error};
use resource_tests::models::{Address, Person, SettingOne, SettingTwo};
use resource_tests::{
    Service, TestDatabase, apply, assert_error, assert_no_content, block_on, every_database,
};
use serde_json::json;

fn settings(database: Database) -> Result<Api, Error> {
    Api::builder()
        .resource::<SettingOne>()
        .resource::<SettingTwo>()
        .build(database)
}

fn persons(database: Database) -> Result<Api, Error> {
    Api::builder()
        .resource::<Person>()
        .resource::<Address>()
        .build(database)
}

#[apply(every_database)]
fn items_survive_a_restart() {
    let database = TestDatabase::default();
    let first = Service::start_on(&database, settings);
    let path = first.create(
        "/api/1.0/settings",
        &json!({"name": "colour", "value": "red"}),
    );
    drop(first);
    let second = Service::start_on(&database, settings);
    assert_eq!(
        second.read(&path),
        json!({"id": 1, "name": "colour", "value": "red"})
    );
    assert_eq!(
        second.create("/api/1.0/settings", &json!({"name": "size", "value": "5"})),
        "/api/1.0/settings/2"
    );
}

#[apply(every_database)]
fn tables_are_created_in_any_order_of_registration() {
    let service = Service::start(persons);
    service.create("/api/1.0/addresses", &json!({"line1": "x"}));
    service.create("/api/1.0/persons", &json!({"bill_address_id": 1}));
}

#[apply(every_database)]
fn a_resource_can_be_added_to_a_database_that_has_others() {
    let database = TestDatabase::default();
    let first = Service::start_on(&database, settings);
    first.create(
        "/api/1.0/settings",
        &json!({"name": "colour", "value": "red"}),
    );
    drop(first);
    let second = Service::start_on(&database, persons);
    second.create("/api/1.0/addresses", &json!({"line1": "x"}));
    drop(second);
    assert_eq!(
        Service::start_on(&database, settings).read("/api/1.0/settings")["totalItems"],
        1
    );
}

#[apply(every_database)]
fn two_services_on_one_database_see_each_others_writes() {
    let database = TestDatabase::default();
    let first = Service::start_on(&database, settings);
    let second = Service::start_on(&database, settings);
    for number in 0..20 {
        let (writer, reader) = if number % 2 == 0 {
            (&first, &second)
        } else {
            (&second, &first)
        };
        let path = writer.create(
            "/api/1.0/settings",
            &json!({"name": number.to_string(), "value": "v"}),
        );
        assert_eq!(reader.read(&path)["name"], number.to_string());
        assert_eq!(reader.read("/api/1.0/settings")["totalItems"], number + 1);
        assert_eq!(
            writer.read("/api/1.0/settings?limit=1")["totalItems"],
            number + 1
        );
    }
    assert_no_content(&first.delete("/api/1.0/settings/1"));
    assert_error(&second.get("/api/1.0/settings/1"), 404, 10001);
    assert_eq!(second.read("/api/1.0/settings?limit=1")["totalItems"], 19);
}

#[test]
fn the_file_is_in_wal_mode() {
    let service = Service::start(settings);
    let mode: String = rusqlite::Connection::open(service.database().path())
        .and_then(|file| file.query_row("PRAGMA journal_mode", [], |row| row.get(0)))
        .unwrap();
    assert_eq!(mode, "wal");
}

#[test]
fn a_database_path_may_contain_spaces_and_punctuation() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my items & co.db");
    block_on(async {
        let database = Database::connect(&format!("sqlite://{}", path.display()))
            .await
            .unwrap();
        settings(database)
            .unwrap()
            .create_missing_tables()
            .await
            .unwrap();
    });
    assert!(path.is_file());
}

#[test]
fn the_main_file_alone_has_every_row_once_the_last_database_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let [path, copy] = ["items.db", "copy.db"].map(|name| folder.path().join(name));
    block_on(async {
        let url = format!("sqlite://{}", path.display());
        let database = Database::connect(&url).await.unwrap();
        let api = settings(database.clone()).unwrap();
        api.create_missing_tables().await.unwrap();
        let mut transaction = api.begin().await.unwrap();
        let setting = || SettingOne {
            id: 0,
            name: "kept".into(),
            value: "v".into(),
        };
        transaction.items().insert(setting()).await.unwrap();
        transaction.commit(()).await.unwrap();
        // A transaction that is dropped when nothing else holds the database any more.
        let mut given_up = api.begin().await.unwrap();
        given_up.items().insert(setting()).await.unwrap_err();
        drop((database, api));
        drop(given_up);
    });
    std::fs::copy(&path, &copy).unwrap();
    let names: String = rusqlite::Connection::open(copy)
        .and_then(|file| {
            file.query_row("SELECT group_concat(name) FROM settings", [], |row| {
                row.get(0)
            })
        })
        .unwrap();
    assert_eq!(names, "kept");
}
