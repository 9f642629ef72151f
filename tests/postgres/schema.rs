//! `check_schema` on PostgreSQL: created tables have no differences, and those of other tables are
//! reported in the words of PostgreSQL.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use resource_runtime::{Api, ApiBuilder, ApiResource, Database, Dialect, FieldValue};
use resource_tests::{TestDatabase, block_on, problems};
use rust_decimal::Decimal;
use serde_json::Value;
use uuid::Uuid;

#[derive(Debug, Clone, Copy, FieldValue)]
enum Colour {
    Red,
    Green,
}

#[derive(Debug, Clone, Copy, FieldValue)]
enum Sole {
    Only,
}

/// A column of every kind, with every limit that it may have.
#[derive(Debug, ApiResource)]
#[resource(name = "Egg", url = "/eggs", version = "1.0")]
#[resource(unique(small, text), index(medium, large))]
#[resource(subresource(hen = ["hen_code", "hen_number"]))]
struct Egg {
    id: i64,
    #[resource(min = -5, max = 32000)]
    small: Option<i16>,
    #[resource(min = -2147483648, max = 2147483647)]
    medium: i32,
    #[resource(min = -9223372036854775808, max = 9223372036854775807)]
    large: Option<i64>,
    #[resource(min = 0.8, max = 1e30)]
    single: f32,
    #[resource(min = -0.1, max = 1e300)]
    double: Option<f64>,
    flag: bool,
    #[resource(min_length = 1, max_length = 50, unique)]
    text: String,
    #[resource(index)]
    plain: Option<String>,
    #[resource(min_length = 3, max_length = 20000000)]
    long: Option<String>,
    date: NaiveDate,
    time: Option<NaiveTime>,
    local: NaiveDateTime,
    #[resource(index)]
    at: DateTime<Utc>,
    #[resource(unique)]
    uuid: Option<Uuid>,
    #[resource(min = -0.5, max = 1000, unique)]
    decimal: Decimal,
    json: Value,
    #[resource(min_length = 2, max_length = 9)]
    bytes: Vec<u8>,
    colour: Colour,
    sole: Option<Sole>,
    #[resource(references(Hen, code))]
    hen_code: Option<String>,
    #[resource(references(Hen, number))]
    hen_number: Option<i32>,
    #[resource(references(Egg, text))]
    twin: Option<String>,
    #[resource(column = "Order")]
    order: Option<i64>,
}

/// A hen, in a circle of references with the eggs.
#[derive(Debug, ApiResource)]
#[resource(name = "Hen", url = "/hens", version = "1.0", unique(code, number))]
struct Hen {
    #[resource(primary_key, assigned)]
    key: Uuid,
    code: String,
    #[resource(column = "No")]
    number: i32,
    #[resource(references = Egg)]
    egg_id: Option<i64>,
}

fn hens_and_eggs() -> ApiBuilder {
    Api::builder().resource::<Egg>().resource::<Hen>()
}

/// The API on a database that is limited to one connection.
async fn api(database: &TestDatabase) -> Api {
    let options = Database::options().connections(1);
    let database = options.connect(&database.url()).await;
    let api = hens_and_eggs().build(database.expect("the server answers"));
    api.expect("nothing is wrong")
}

/// The reported differences of the tables.
fn differences(database: &TestDatabase) -> Vec<String> {
    block_on(async {
        match api(database).await.check_schema().await {
            Ok(report) => report.differences().to_vec(),
            Err(error) => problems(&error),
        }
    })
}

#[test]
fn tables_created_concurrently_have_no_differences() {
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    block_on(async {
        let mut makers = Vec::new();
        for _ in 0..8 {
            let api = api(&database).await;
            makers.push(tokio::spawn(
                async move { api.create_missing_tables().await },
            ));
        }
        for maker in makers {
            let made = maker.await.expect("it ends");
            made.expect("they are made once");
        }
    });
    assert_eq!(differences(&database), [""; 0]);
}

#[test]
fn tables_of_a_migration_have_no_differences() {
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    let migration = hens_and_eggs().schema_sql(Dialect::Postgres);
    let migration = migration.expect("nothing is wrong");
    database.other_program().execute(&migration);
    assert_eq!(differences(&database), [""; 0]);
}

/// Alterations of a matching table, each with the difference that is then reported.
const DIFFERENT: [(&str, &str); 22] = [
    (
        "ALTER TABLE eggs ALTER large TYPE integer",
        r#"`eggs.large` is of the type `integer`, but `Egg` 1.0 needs `bigint`; change it with `ALTER TABLE "eggs" ALTER COLUMN "large" TYPE bigint USING "large"::bigint`, and make a backup before: it rounds what the type cannot hold"#,
    ),
    (
        "ALTER TABLE eggs ALTER large SET NOT NULL",
        r#"`eggs.large` is `NOT NULL`, but `Egg` 1.0 allows null; change it with `ALTER TABLE "eggs" ALTER COLUMN "large" DROP NOT NULL`"#,
    ),
    (
        "ALTER TABLE eggs ALTER medium DROP NOT NULL",
        r#"`eggs.medium` may be null in the table, but every version requires a value; change it with `ALTER TABLE "eggs" ALTER COLUMN "medium" SET NOT NULL`"#,
    ),
    (
        r#"ALTER TABLE eggs ALTER text TYPE varchar(20) COLLATE "C""#,
        r#"`eggs.text` holds at most 20 characters, but `Egg` 1.0 allows 50; change it with `ALTER TABLE "eggs" ALTER COLUMN "text" TYPE varchar(50) COLLATE "C"`"#,
    ),
    (
        "ALTER TABLE eggs ALTER plain TYPE char(5)",
        r#"`eggs.plain` is of the type `character(5)`, but `Egg` 1.0 needs `text`; change it with `ALTER TABLE "eggs" ALTER COLUMN "plain" TYPE text COLLATE "C" USING "plain"::text`, and make a backup before: it rounds what the type cannot hold"#,
    ),
    (
        r#"CREATE DOMAIN word AS text COLLATE "C"; ALTER TABLE eggs ALTER plain TYPE word"#,
        r#"`eggs.plain` is of the type `word`, but `Egg` 1.0 needs `text`; change it with `ALTER TABLE "eggs" ALTER COLUMN "plain" TYPE text COLLATE "C" USING "plain"::text`, and make a backup before: it rounds what the type cannot hold"#,
    ),
    (
        r#"ALTER TABLE eggs ALTER plain TYPE text COLLATE "default""#,
        r#"`eggs.plain` has the collation `default`, but `Egg` 1.0 needs `C`; change it with `ALTER TABLE "eggs" ALTER COLUMN "plain" TYPE text COLLATE "C"`"#,
    ),
    (
        "ALTER TABLE eggs ALTER at TYPE timestamptz(3)",
        r#"`eggs.at` is of the type `timestamp(3) with time zone`, but `Egg` 1.0 needs `timestamptz`; change it with `ALTER TABLE "eggs" ALTER COLUMN "at" TYPE timestamptz USING "at"::timestamptz`, and make a backup before: it rounds what the type cannot hold"#,
    ),
    (
        "ALTER TABLE eggs ALTER json TYPE json",
        r#"`eggs.json` is of the type `json`, but `Egg` 1.0 needs `jsonb`; change it with `ALTER TABLE "eggs" ALTER COLUMN "json" TYPE jsonb USING "json"::jsonb`, and make a backup before: it rounds what the type cannot hold"#,
    ),
    (
        "ALTER TABLE eggs ALTER decimal TYPE numeric(10, 2)",
        r#"`eggs.decimal` is of the type `numeric(10,2)`, but `Egg` 1.0 needs `numeric`; change it with `ALTER TABLE "eggs" ALTER COLUMN "decimal" TYPE numeric USING "decimal"::numeric`, and make a backup before: it rounds what the type cannot hold"#,
    ),
    (
        "ALTER TABLE eggs DROP COLUMN double, ADD double double precision GENERATED ALWAYS AS (1.0) STORED",
        "`eggs.double` is generated by the database, but `Egg` 1.0 writes it; alter the table to the column of `schema_sql`",
    ),
    (
        "ALTER TABLE eggs ADD CHECK (small BETWEEN 0 AND 32000)",
        "`eggs.small` holds only values from 0 on, but `Egg` 1.0 allows -5; alter the table to the range of `schema_sql`",
    ),
    (
        "ALTER TABLE eggs ADD CHECK (bytes IS NULL OR length(bytes) < 5) NOT VALID",
        "`eggs.bytes` holds at most 4 bytes, but `Egg` 1.0 allows 9; alter the table to the length of `schema_sql`",
    ),
    (
        "ALTER TABLE eggs ADD CHECK (colour IN ('Red', 'blue'))",
        "`eggs.colour` holds only `Red`, but `Egg` 1.0 allows `Green`; alter the table to the names of `schema_sql`",
    ),
    (
        "ALTER TABLE eggs ADD CHECK (decimal > -0.25)",
        "`eggs.decimal` holds only values from -0.24999999999999997 on, but `Egg` 1.0 allows -0.5; alter the table to the range of `schema_sql`",
    ),
    (
        r#"DROP INDEX "eggs.uuid""#,
        r#"the table `eggs` lets rows share `uuid`, but `Egg` 1.0 calls it unique; forbid it with `CREATE UNIQUE INDEX "eggs.uuid" ON "eggs" ("uuid" NULLS FIRST)`"#,
    ),
    (
        r#"DROP INDEX "eggs.at"; CREATE INDEX ON eggs USING hash (at)"#,
        r#"the table `eggs` has no index on `at`, so that finding rows by it reads all of them; create it with `CREATE INDEX "eggs.at" ON "eggs" ("at" NULLS FIRST)`"#,
    ),
    (
        r#"CREATE UNIQUE INDEX ON eggs ("Order") WHERE flag"#,
        "the table `eggs` lets no rows share `Order` where a condition is true, which no registered version calls unique, so that writes may be refused that all of them allow; drop the unique index",
    ),
    (
        "ALTER TABLE hens DROP CONSTRAINT hens_egg_id_fkey",
        r#"the table `hens` has no foreign key from `egg_id` to `id` of `eggs`, but `Hen` 1.0 needs it; add it with `ALTER TABLE "hens" ADD FOREIGN KEY ("egg_id") REFERENCES "eggs" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT`"#,
    ),
    (
        "ALTER TABLE hens ADD FOREIGN KEY (egg_id) REFERENCES eggs (id) ON DELETE CASCADE",
        r#"the foreign key from `egg_id` to `id` of `eggs` in the table `hens` is `ON DELETE CASCADE`, but `Hen` 1.0 needs the delete to be refused; in one transaction, drop this constraint, and add another with `ALTER TABLE "hens" ADD FOREIGN KEY ("egg_id") REFERENCES "eggs" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT`"#,
    ),
    (
        "ALTER TABLE hens DROP CONSTRAINT hens_egg_id_fkey, \
         ADD FOREIGN KEY (egg_id) REFERENCES eggs (id) INITIALLY DEFERRED",
        r#"the foreign key from `egg_id` to `id` of `eggs` in the table `hens` is `INITIALLY DEFERRED`, but `Hen` 1.0 needs a write to be refused at once; in one transaction, drop this constraint, and add another with `ALTER TABLE "hens" ADD FOREIGN KEY ("egg_id") REFERENCES "eggs" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT`"#,
    ),
    (
        "ALTER TABLE hens RENAME TO poultry; CREATE VIEW hens AS SELECT * FROM poultry",
        "`hens` is no table in the database, but a view or the like, which `Hen` 1.0 cannot be stored in; choose another `table`, or give it another name",
    ),
];

#[test]
fn differences_are_reported_with_a_statement_that_helps() {
    for (alteration, told) in DIFFERENT {
        let Some(database) = TestDatabase::postgres() else {
            return;
        };
        block_on(async {
            let made = api(&database).await.create_missing_tables().await;
            made.expect("they are made");
        });
        database.other_program().execute(alteration);
        let told_of_hens = differences(&database);
        assert!(
            told_of_hens.iter().any(|sentence| sentence == told),
            "{alteration}: {told_of_hens:#?}"
        );
        assert!(told_of_hens.len() <= 2, "{alteration}: {told_of_hens:#?}");
    }
}

#[derive(Debug, ApiResource)]
#[resource(name = "Nest", url = "/nests", version = "1.0")]
struct Nest {
    id: i64,
    #[resource(index)]
    tree: String,
}

/// Otherwise a long write would block the start of an instance, and a start would block writes.
#[test]
fn startup_locks_no_table_unless_one_is_missing() {
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    let start = || {
        let opened = block_on(Database::connect(&database.url())).expect("the server answers");
        let api = Api::builder().resource::<Nest>().build(opened);
        block_on(api.expect("a sound API").create_missing_tables())
    };
    start().expect("the tables are made");
    let mut other = database.other_program();
    other.execute("BEGIN; INSERT INTO nests (tree) VALUES ('oak')");
    start().expect("the tables are there");
    other.execute("COMMIT; DROP INDEX \"nests.tree\"; CREATE INDEX mine ON nests (tree, id)");
    start().expect("an index of another name does");
    let indexes = "SELECT CAST(COUNT(*) AS text) FROM pg_indexes WHERE tablename = 'nests'
                   AND schemaname = current_schema";
    assert_eq!(other.text(indexes), "2");
}
