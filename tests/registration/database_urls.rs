//! URLs of databases: accepted ones, and the errors of others.

use resource_runtime::{Api, ApiResource, Database};
use resource_tests::{TestDatabase, block_on};

#[derive(Debug, ApiResource)]
#[resource(name = "Thing", url = "/things", version = "1.0")]
struct Thing {
    id: i64,
    size: i64,
}

/// The text of the error of opening this URL.
#[track_caller]
fn refusal(url: &str) -> String {
    match block_on(Database::connect(url)) {
        Ok(_) => panic!("{url} was opened"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn in_memory_database_is_refused() {
    for url in [
        "sqlite::memory:",
        "sqlite://:memory:",
        "sqlite://items.db?mode=memory",
        "sqlite://file::memory:",
    ] {
        let text = refusal(url);
        assert!(
            text.contains("memory") && text.contains("Database::temporary()"),
            "{url}: {text}"
        );
    }
}

/// SQLite would open a temporary file, and remove it with the connection.
#[test]
fn url_without_a_file_is_refused() {
    for url in ["sqlite://", "sqlite:", "sqlite://?mode=rwc"] {
        let text = refusal(url);
        assert!(text.contains("names no file"), "{url}: {text}");
    }
}

#[test]
fn unknown_scheme_is_refused_with_the_known_ones() {
    for url in [
        "mysql://localhost/items",
        "items.db",
        "",
        "http://localhost",
    ] {
        let text = refusal(url);
        assert!(text.contains("sqlite://"), "{url}: {text}");
    }
}

#[test]
fn error_names_a_file_that_cannot_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing/items.db");
    let text = refusal(&format!("sqlite://{}", missing.display()));
    assert!(text.contains("missing"), "{text}");
    assert!(!folder.path().join("missing").exists());
}

#[test]
fn file_that_is_no_database_is_refused_and_unchanged() {
    let file = TestDatabase::default();
    let text = "not a database, but long enough to be looked at ".repeat(50);
    std::fs::write(file.path(), &text).unwrap();
    block_on(async {
        if let Ok(database) = Database::connect(&file.url()).await {
            let api = Api::builder()
                .resource::<Thing>()
                .build(database)
                .expect("nothing is wrong");
            api.create_missing_tables()
                .await
                .expect_err("there can be no tables");
        }
    });
    assert_eq!(std::fs::read_to_string(file.path()).unwrap(), text);
}

#[test]
fn creating_tables_twice_preserves_their_rows() {
    let file = TestDatabase::default();
    block_on(async {
        let api = Api::builder()
            .resource::<Thing>()
            .build(Database::connect(&file.url()).await.unwrap())
            .unwrap();
        api.create_missing_tables().await.unwrap();
        let connection = rusqlite::Connection::open(file.path()).unwrap();
        connection
            .execute("INSERT INTO things (size) VALUES (7)", [])
            .unwrap();
        api.create_missing_tables().await.unwrap();
        let size: i64 = connection
            .query_row("SELECT size FROM things", [], |row| row.get(0))
            .unwrap();
        assert_eq!(size, 7);
    });
}
