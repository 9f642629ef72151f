//! Read-only databases: the responses and the readiness of a service on one.

use std::time::Duration;

use resource_runtime::{Api, Database, ErrorKind};
use resource_tests::models::{ReadSetting, SettingOne};
use resource_tests::polling::wait_for;
use resource_tests::{
    Backend, Service, TestDatabase, apply, assert_error, block_on, every_database, responses_differ,
};
use serde_json::json;

const SETTINGS: &str = "/api/1.0/settings";

/// The same database, opened read-only.
fn read_only(database: &TestDatabase) -> TestDatabase {
    let read_only = match Backend::under_test() {
        Backend::Sqlite => "?mode=ro",
        Backend::Postgres => "%20-c%20default_transaction_read_only%3Don",
    };
    database.clone().with_options(read_only)
}

fn settings(database: &TestDatabase) -> Service {
    Service::start_on(database, |database| {
        Api::builder().resource::<SettingOne>().build(database)
    })
}

#[apply(every_database)]
fn writes_to_a_read_only_database_are_503_10090() {
    let database = TestDatabase::default();
    let path = settings(&database).create(SETTINGS, &json!({"name": "a", "value": "b"}));
    // Writes wait for that long for another server that takes them.
    let options = Database::options().acquire_timeout(Duration::from_millis(500));
    let service = Service::start_with(&read_only(&database), options, |database| {
        Api::builder().resource::<SettingOne>().build(database)
    });
    let again = json!({"name": "c", "value": "d"});
    for answer in [
        service.post(SETTINGS, &again),
        service.put(&path, &again),
        service.delete(&path),
    ] {
        assert_error(&answer, 503, 10090);
        assert!(answer.header("retry-after").is_some());
    }
    assert_eq!(service.read(&path)["value"], "b");
    let opened = block_on(Database::connect(&read_only(&database).url())).unwrap();
    let error = block_on(async {
        let api = Api::builder().resource::<SettingOne>().build(opened)?;
        let mut transaction = api.begin().await?;
        let setting = SettingOne {
            id: 0,
            name: "c".to_owned(),
            value: "d".to_owned(),
        };
        transaction.items().insert(setting).await.map(drop)
    });
    assert!(error.is_err(), "the insert succeeded");
}

#[apply(every_database)]
fn a_service_with_writes_is_not_ready_on_a_read_only_database() {
    responses_differ("the number of requests depends on timing");
    let database = TestDatabase::default();
    assert_eq!(settings(&database).get("/readyz").status, 200);
    let writing = settings(&read_only(&database));
    let unready = writing.get("/readyz");
    assert_eq!(unready.status, 503);
    assert_eq!(
        unready.json(),
        json!({"status": "unavailable", "checks": {"database": "failing", "schema": "ok"}})
    );
    let telling = Service::start_on(&read_only(&database), |database| {
        Api::builder().resource::<ReadSetting>().build(database)
    });
    assert_eq!(telling.get("/readyz").status, 200);
    assert_eq!(telling.read(SETTINGS)["totalItems"], 0);
}

#[apply(every_database)]
fn a_read_only_api_offers_reads_alone() {
    responses_differ("the number of requests depends on timing");
    let database = TestDatabase::default();
    let path = settings(&database).create(SETTINGS, &json!({"name": "a", "value": "b"}));
    let build = |database| {
        let builder = Api::builder().resource::<SettingOne>().read_only();
        builder.build(database)
    };
    let service = Service::start_on(&read_only(&database), build);
    assert_eq!(service.get("/readyz").status, 200);
    assert_eq!(service.read(&path)["value"], "b");
    let again = json!({"name": "c", "value": "d"});
    for answer in [
        service.post(SETTINGS, &again),
        service.put(&path, &again),
        service.patch(&path, &again),
        service.delete(&path),
    ] {
        assert_error(&answer, 405, 10070);
        assert_eq!(answer.methods(), ["GET", "HEAD"]);
    }
    let document = service.read("/api/1.0/openapi.json");
    for path in document["paths"].as_object().unwrap().values() {
        let methods: Vec<&String> = path.as_object().unwrap().keys().collect();
        let methods = methods.into_iter().filter(|it| *it != "parameters");
        assert_eq!(methods.collect::<Vec<_>>(), ["get"]);
    }
    // The database itself takes writes, the API none.
    block_on(async {
        let api = build(Database::connect(&database.url()).await?)?;
        api.create_missing_tables().await?;
        let setting = SettingOne {
            id: 0,
            name: "c".to_owned(),
            value: "d".to_owned(),
        };
        let error = api.items().insert(setting).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}");
        assert_eq!(api.items::<SettingOne>().count().await?, 1);
        Ok::<_, resource_runtime::Error>(())
    })
    .unwrap();
}

/// Readiness follows a server that becomes read-only and writable again.
#[test]
fn a_service_becomes_ready_again_when_its_server_accepts_writes() {
    let Some(database) =
        resource_tests::Cluster::start().map(|cluster| (TestDatabase::at(&cluster.url()), cluster))
    else {
        return;
    };
    let (database, _cluster) = database;
    let service = settings(&database);
    assert_eq!(service.get("/readyz").status, 200);
    let mut other = database.other_program();
    for (value, status) in [("on", 503), ("off", 200)] {
        other.execute(&format!(
            "ALTER SYSTEM SET default_transaction_read_only = {value}"
        ));
        other.execute("SELECT pg_reload_conf()");
        wait_for("readiness to follow", || {
            (service.get("/readyz").status == status).then_some(())
        });
    }
    service.create(SETTINGS, &json!({"name": "a", "value": "b"}));
}
