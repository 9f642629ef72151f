//! `schema_sql`: the tables as SQL, for migration tools.

use resource_runtime::{Api, ApiBuilder, ApiResource, Database, Dialect};
use resource_tests::models::{Address, Person, SettingOne, SettingTwo};
use resource_tests::{TestDatabase, block_on};
use rusqlite::Connection;

use crate::building::mistake;

fn address_book() -> ApiBuilder {
    Api::builder()
        .resource::<Person>()
        .resource::<SettingOne>()
        .resource::<SettingTwo>()
        .resource::<Address>()
}

#[derive(Debug, ApiResource)]
#[resource(name = "Hen", url = "/hens", version = "1.0")]
struct Hen {
    id: i64,
    #[resource(references = Egg)]
    from: Option<i64>,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Egg", url = "/eggs", version = "1.0")]
struct Egg {
    id: i64,
    #[resource(references = Hen)]
    laid_by: Option<i64>,
}

const ADDRESS_BOOK: &str = r#"CREATE TABLE "addresses" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "line1" TEXT NOT NULL CHECK (length("line1") <= 200),
  "line2" TEXT CHECK (length("line2") <= 200),
  "line3" TEXT CHECK (length("line3") <= 200),
  "line4" TEXT CHECK (length("line4") <= 200),
  "line5" TEXT CHECK (length("line5") <= 200),
  "line6" TEXT CHECK (length("line6") <= 200),
  "city" TEXT CHECK (length("city") <= 80),
  "country" TEXT CHECK (length("country") <= 80),
  "zip_code" TEXT CHECK (length("zip_code") <= 10)
) STRICT;
CREATE TABLE "persons" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "first_name" TEXT CHECK (length("first_name") <= 80),
  "last_name" TEXT CHECK (length("last_name") <= 50),
  "bill_address_id" INTEGER,
  "ship_address_id" INTEGER,
  "mail_address_id" INTEGER,
  FOREIGN KEY ("bill_address_id") REFERENCES "addresses" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  FOREIGN KEY ("ship_address_id") REFERENCES "addresses" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  FOREIGN KEY ("mail_address_id") REFERENCES "addresses" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT
) STRICT;
CREATE INDEX "persons.bill_address_id" ON "persons" ("bill_address_id");
CREATE INDEX "persons.ship_address_id" ON "persons" ("ship_address_id");
CREATE INDEX "persons.mail_address_id" ON "persons" ("mail_address_id");
CREATE TABLE "settings" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "name" TEXT NOT NULL CHECK (length("name") <= 80),
  "value" TEXT NOT NULL,
  UNIQUE ("name")
) STRICT;
"#;

#[test]
fn statements_follow_those_that_they_depend_on() {
    let sql = address_book().schema_sql(Dialect::Sqlite);
    assert_eq!(sql.expect("nothing is wrong"), ADDRESS_BOOK);
}

#[test]
fn built_api_returns_the_same_sql_without_executing_it() {
    let file = TestDatabase::default();
    let database = block_on(Database::connect(&file.url())).unwrap();
    let api = address_book().build(database).unwrap();
    assert_eq!(api.schema_sql(Dialect::Sqlite), ADDRESS_BOOK);
    let tables: i64 = Connection::open(file.path())
        .and_then(|file| file.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)))
        .expect("a count");
    assert_eq!(tables, 0);
}

#[test]
fn tables_of_schema_sql_have_no_differences() {
    let file = TestDatabase::default();
    let connection = Connection::open(file.path()).unwrap();
    connection
        .pragma_update(None, "foreign_keys", true)
        .unwrap();
    connection.execute_batch(ADDRESS_BOOK).unwrap();
    let repeated = connection.execute_batch(ADDRESS_BOOK).unwrap_err();
    assert!(
        repeated.to_string().contains("already exists"),
        "{repeated}"
    );
    block_on(async {
        let database = Database::connect(&file.url()).await.unwrap();
        let api = address_book().build(database).unwrap();
        let report = api.check_schema().await.expect("it fits");
        assert!(report.is_empty(), "{report}");
    });
}

#[test]
fn tables_that_reference_each_other_can_be_created() {
    let builder = Api::builder().resource::<Hen>().resource::<Egg>();
    let sql = builder
        .schema_sql(Dialect::Sqlite)
        .expect("nothing is wrong");
    let connection = Connection::open_in_memory().unwrap();
    connection.execute_batch(&sql).expect("sound statements");
    connection
        .execute_batch("INSERT INTO eggs DEFAULT VALUES; INSERT INTO hens (\"from\") VALUES (1)")
        .expect("both tables");
}

#[test]
fn errors_are_those_of_build() {
    for builder in [
        Api::builder(),
        Api::builder().resource::<Person>(),
        address_book().root("api"),
        address_book().base_url("example.org"),
        address_book().resource::<SettingOne>(),
    ] {
        let told = builder.schema_sql(Dialect::Sqlite).unwrap_err();
        assert_eq!(told.to_string(), mistake(builder, &[]));
    }
}
