//! Permissions of SQLite files: they hold hashes and keys, so only their owner may read them.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use resource_runtime::{Api, Database, Error, sqlx};
use resource_tests::block_on;
use resource_tests::models::SettingOne;
use sqlx::Connection as _;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// The permissions of every file in a folder.
fn modes(folder: &Path) -> Vec<(String, u32)> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let name = |it: &fs::DirEntry| it.file_name().into_string().unwrap();
    let mut modes: Vec<_> = entries.map(|it| (name(&it), mode(&it.path()))).collect();
    modes.sort();
    modes
}

fn with_tables(path: &Path, parameters: &str) -> Result<Database, Error> {
    let url = format!("sqlite://{}{parameters}", path.display());
    let database = block_on(Database::connect(&url))?;
    let api = Api::builder()
        .resource::<SettingOne>()
        .build(database.clone())?;
    block_on(api.create_missing_tables())?;
    Ok(database)
}

#[test]
fn new_sqlite_files_have_mode_600() {
    for parameters in ["", "?mode=rwc"] {
        let folder = tempfile::tempdir().unwrap();
        let _open = with_tables(&folder.path().join("items.db"), parameters).unwrap();
        let names = ["items.db", "items.db-shm", "items.db-wal"];
        assert_eq!(
            modes(folder.path()),
            names.map(|name| (name.to_owned(), 0o600))
        );
    }
}

#[test]
fn an_existing_sqlite_file_keeps_its_mode() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("items.db");
    fs::write(&path, "").unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
    let _open = with_tables(&path, "").unwrap();
    assert!(modes(folder.path()).iter().all(|(_, mode)| *mode == 0o640));
}

#[test]
fn a_file_created_through_a_symlink_has_mode_600() {
    let folder = tempfile::tempdir().unwrap();
    let [link, other, path] = ["link.db", "other.db", "items.db"].map(|it| folder.path().join(it));
    symlink("other.db", &link).unwrap();
    symlink(&path, &other).unwrap();
    let _open = with_tables(&link, "").unwrap();
    assert_eq!(mode(&path), 0o600);
}

#[test]
fn mode_rw_and_mode_ro_create_no_file() {
    let folder = tempfile::tempdir().unwrap();
    for parameters in ["?mode=rw", "?mode=ro"] {
        let error = with_tables(&folder.path().join("items.db"), parameters).unwrap_err();
        let error = error.to_string();
        assert!(
            error.starts_with("cannot open the SQLite file `"),
            "{error}"
        );
        assert_eq!(modes(folder.path()), []);
    }
}

#[test]
fn a_file_created_by_migrations_has_mode_600() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("items.db");
    let url = format!("sqlite://{}?mode=rwc", path.display());
    block_on(async {
        let options = Database::sqlite_options(&url).unwrap();
        let mut connection = sqlx::SqliteConnection::connect_with(&options)
            .await
            .unwrap();
        let table = sqlx::raw_sql("CREATE TABLE migrated (id INTEGER)");
        table.execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    });
    assert_eq!(mode(&path), 0o600);
}
