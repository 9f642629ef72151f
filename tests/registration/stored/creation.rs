//! Creation of missing tables, which leaves existing ones unchanged.

use resource_runtime::{Api, ApiBuilder, Database};
use resource_tests::models::{Address, Person, SettingOne, SettingTwo};
use resource_tests::{TestDatabase, block_on, problems};
use rusqlite::Connection;

use super::{assert_fits, checked, made_by};

/// Creates the tables that the file lacks.
pub(super) fn create(builder: ApiBuilder, file: &TestDatabase) {
    block_on(async {
        let database = Database::connect(&file.url()).await.expect("it opens");
        let api = builder.build(database).expect("nothing is wrong");
        api.create_missing_tables()
            .await
            .expect("they can be created");
    });
}

fn settings() -> ApiBuilder {
    Api::builder()
        .resource::<SettingOne>()
        .resource::<SettingTwo>()
}

fn persons() -> ApiBuilder {
    Api::builder().resource::<Person>().resource::<Address>()
}

/// All declarations of the file.
fn declarations(file: &TestDatabase) -> Vec<String> {
    let connection = Connection::open(file.path()).unwrap();
    let mut prepared = connection
        .prepare("SELECT sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite%' ORDER BY rowid")
        .unwrap();
    let declarations = prepared.query_map([], |row| row.get(0)).unwrap();
    declarations.collect::<Result<_, _>>().unwrap()
}

#[test]
fn created_tables_have_no_differences() {
    for builder in [settings, persons, super::books] {
        let file = TestDatabase::default();
        create(builder(), &file);
        assert_fits(builder(), &file);
    }
}

#[test]
fn existing_tables_are_never_altered() {
    let settings_table = "CREATE TABLE settings (id INT, name TEXT CHECK (length(name) <= 5))";
    let persons_table = "CREATE TABLE persons (id INTEGER PRIMARY KEY, bill_address_id INT)";
    let index = "CREATE INDEX \"persons.bill_address_id\" ON persons (id)";
    let before = [settings_table, persons_table, index];
    let file = made_by(&before.join(";"));
    let all = || settings().resource::<Person>().resource::<Address>();
    create(all(), &file);
    let after = declarations(&file);
    assert_eq!(after[..3], before);
    assert!(
        after[3].starts_with("CREATE TABLE \"addresses\""),
        "{after:?}"
    );
    assert_eq!(after.len(), 4);
    create(all(), &file);
    assert_eq!(declarations(&file), after);
}

/// Creating the index would fail with the error of the database that there is no such column.
#[test]
fn missing_indexed_column_is_reported_by_check_schema() {
    let file = made_by(
        "CREATE TABLE persons (id INTEGER PRIMARY KEY AUTOINCREMENT, first_name TEXT, last_name TEXT,
             bill_address_id INT REFERENCES addresses, ship_address_id INT REFERENCES addresses)",
    );
    create(persons(), &file);
    assert_eq!(
        declarations(&file).len(),
        1 + 1 + 2,
        "two tables, two indexes"
    );
    let error = checked(persons(), &file).unwrap_err();
    let sentence = "the table `persons` lacks the column `mail_address_id`; add it with `ALTER \
                    TABLE \"persons\" ADD COLUMN \"mail_address_id\" INTEGER REFERENCES \
                    \"addresses\" (\"id\") ON DELETE RESTRICT ON UPDATE RESTRICT`";
    assert_eq!(problems(&error), [sentence]);
    Connection::open(file.path())
        .and_then(|file| file.execute_batch(sentence.split('`').nth(5).unwrap()))
        .expect("the statement that was told");
    create(persons(), &file);
    assert_fits(persons(), &file);
}
