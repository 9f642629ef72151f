//! A SQLite file that is deleted, moved or replaced while the service runs: no write is acknowledged that would be lost.

use std::fs;
use std::path::Path;

use resource_runtime::{Api, Database};
use resource_tests::models::SettingOne;
use resource_tests::polling::wait_for;
use resource_tests::{
    Service, TestDatabase, assert_created, assert_error, assert_no_content, block_on, watch,
};
use serde_json::json;

const SETTINGS: &str = "/api/1.0/settings";

fn settings(database: &TestDatabase) -> Service {
    let service = Service::start_on(database, |database| {
        Api::builder().resource::<SettingOne>().build(database)
    });
    service.create(SETTINGS, &json!({"name": "kept", "value": "v"}));
    service
}

/// The path of the file with a suffix, like `-wal`.
fn with_suffix(file: &Path, end: &str) -> std::path::PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(end);
    path.into()
}

/// Asserts that reads and writes are 503, that readiness fails, and that the log names the file once.
#[track_caller]
fn assert_refused(service: &Service, file: &Path) {
    let log = watch::keep();
    for number in 0..3 {
        let body = json!({"name": format!("refused {number}"), "value": "v"});
        assert_error(&service.post(SETTINGS, &body), 503, 10090);
    }
    let first = format!("{SETTINGS}/1");
    assert_error(
        &service.put(&first, &json!({"value": "refused"})),
        503,
        10090,
    );
    assert_error(&service.delete(&first), 503, 10090);
    assert_error(&service.get(SETTINGS), 503, 10090);
    assert_error(&service.get(&first), 503, 10090);
    let unready = wait_for("the service to be unready", || {
        let answer = service.get("/readyz");
        (answer.status == 503).then_some(answer)
    });
    assert_eq!(unready.json()["checks"]["database"], "failing");
    let log = log.text();
    let lines = log.lines().filter(|line| line.contains("ERROR"));
    let about = lines.filter(|line| line.contains(&*file.to_string_lossy()));
    assert_eq!(about.count(), 1, "{log}");
    assert!(log.contains("restart"), "{log}");
}

#[test]
fn writes_to_a_deleted_file_are_refused() {
    let service = settings(&TestDatabase::sqlite());
    let file = service.database().path();
    fs::remove_file(&file).unwrap();
    assert_refused(&service, &file);
    assert!(!file.exists());
}

#[test]
fn writes_to_a_replaced_file_are_refused() {
    let (service, other) = (settings(&TestDatabase::sqlite()), TestDatabase::sqlite());
    drop(settings(&other));
    let file = service.database().path();
    fs::rename(other.path(), &file).unwrap();
    assert_refused(&service, &file);
}

#[test]
fn writes_to_a_database_without_its_wal_file_are_refused() {
    let service = settings(&TestDatabase::sqlite());
    let log = with_suffix(&service.database().path(), "-wal");
    fs::remove_file(&log).unwrap();
    assert_refused(&service, &log);
}

#[test]
fn readiness_fails_after_the_file_is_deleted_without_any_write() {
    let service = settings(&TestDatabase::sqlite());
    fs::remove_file(service.database().path()).unwrap();
    wait_for("the service to be unready", || {
        (service.get("/readyz").status == 503).then_some(())
    });
    assert_error(&service.get(SETTINGS), 503, 10090);
}

#[test]
fn a_restored_file_is_served_without_the_refused_writes() {
    let service = settings(&TestDatabase::sqlite());
    let file = service.database().path();
    let aside = with_suffix(&file, ".aside");
    fs::rename(&file, &aside).unwrap();
    assert_refused(&service, &file);
    fs::rename(&aside, &file).unwrap();
    let kept = json!({"id": 1, "name": "kept", "value": "v"});
    assert_eq!(
        service.read(SETTINGS),
        json!({"items": [kept], "totalItems": 1})
    );
    assert_created(&service.post(SETTINGS, &json!({"name": "new", "value": "v"})));
    assert_no_content(&service.delete(&format!("{SETTINGS}/1")));
    wait_for("the service to be ready", || {
        (service.get("/readyz").status == 200).then_some(())
    });
}

#[test]
fn a_retargeted_symlink_counts_as_a_replaced_file() {
    let folder = tempfile::tempdir().unwrap();
    let [link, first, second] =
        ["link.db", "first.db", "second.db"].map(|it| folder.path().join(it));
    std::os::unix::fs::symlink(&first, &link).unwrap();
    let database = block_on(Database::connect(&format!("sqlite://{}", link.display()))).unwrap();
    let api = Api::builder()
        .resource::<SettingOne>()
        .build(database.clone());
    block_on(api.unwrap().create_missing_tables()).unwrap();
    assert!(first.is_file());
    fs::copy(&first, &second).unwrap();
    fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink(&second, &link).unwrap();
    assert!(commit_a_setting(&database).is_err());
    fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink(&first, &link).unwrap();
    commit_a_setting(&database).unwrap();
}

/// Stores a setting in a transaction of the host.
fn commit_a_setting(database: &Database) -> Result<(), resource_runtime::Error> {
    let api = Api::builder().resource::<SettingOne>();
    let api = api.build(database.clone())?;
    block_on(async {
        let mut transaction = api.begin().await?;
        let setting = SettingOne {
            id: 0,
            name: "own".into(),
            value: "v".into(),
        };
        transaction.items().insert(setting).await?;
        transaction.commit(()).await.map(drop)
    })
}
