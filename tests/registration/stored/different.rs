//! Columns and keys that keep the service from serving.

use resource_runtime::{Api, ApiResource};
use resource_tests::DatabaseFile;
use resource_tests::models::{Address, Person, SettingOne, SettingTwo};

use super::{BOOKS, books, checked, refusals, refusals_with};

const COLUMN: &str = "rebuild the table with the column of `schema_sql`";

#[derive(Debug, ApiResource)]
#[resource(name = "Part", url = "/parts", version = "1.0")]
struct Part {
    id: i64,
    name: String,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Part", url = "/parts", version = "1.1")]
struct NewerPart {
    id: i64,
    name: Option<String>,
    weight: Option<f64>,
}

#[test]
fn every_table_that_is_missing_is_named() {
    let builder = Api::builder()
        .resource::<Person>()
        .resource::<SettingOne>()
        .resource::<Address>();
    let error = checked(builder, &DatabaseFile::default()).unwrap_err();
    for (sentence, table) in error
        .mistakes()
        .iter()
        .zip(["addresses", "persons", "settings"])
    {
        assert_eq!(
            *sentence,
            format!(
                "the table `{table}` is missing; create it with `create_missing_tables`, or with \
                 the statements of `schema_sql`"
            )
        );
    }
    assert_eq!(error.mistakes().len(), 3, "{error}");
}

#[test]
fn a_column_that_is_missing_is_named_with_the_statement_that_adds_it() {
    let found = refusals(
        Api::builder().resource::<SettingOne>(),
        "CREATE TABLE settings (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    );
    let sentence = "the table `settings` lacks the column `value`; add it with `ALTER TABLE \
                    \"settings\" ADD COLUMN \"value\" TEXT` and fill it in, since no version \
                    allows null; as `NOT NULL` it needs a default";
    assert_eq!(found, [sentence]);
}

#[test]
fn a_column_of_another_type_is_named_with_both() {
    let found = refusals_with("code CHARACTER(9)", "code NUMERIC(9)");
    let both = "is of the type `NUMERIC(9)`, but `Book` 1.0 needs `TEXT`";
    assert_eq!(found, [format!("`books.code` {both}; {COLUMN}")]);
    for (replaced, replacement, needed) in [
        (
            "price DOUBLE PRECISION",
            "price DECIMAL(9, 2)",
            "`DECIMAL(9, 2)`, but `Book` 1.0 needs `REAL`",
        ),
        (
            "sequel_id INT",
            "sequel_id TEXT",
            "`TEXT`, but `Book` 1.0 needs `INTEGER`",
        ),
        (
            "lent BOOLEAN",
            "lent REAL",
            "`REAL`, but `Book` 1.0 needs `INTEGER`",
        ),
        (
            "code CHARACTER(9)",
            "code BLOB",
            "`BLOB`, but `Book` 1.0 needs `TEXT`",
        ),
    ] {
        let found = refusals_with(replaced, replacement);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains(needed), "{found:?}");
    }
}

#[test]
fn a_primary_key_is_missing_elsewhere_or_not_assigned() {
    let remedy = "rebuild the table with the primary key of `schema_sql`";
    for (replacement, expected) in [
        (
            "id INTEGER,",
            "the table `books` has no primary key, but `Book` 1.0 needs `id`",
        ),
        (
            "key INTEGER PRIMARY KEY, id INT,",
            "the primary key of the table `books` is `key`, but `Book` 1.0 needs `id`",
        ),
        (
            "key INTEGER PRIMARY KEY,",
            "the primary key of the table `books` is `key`, but `Book` 1.0 needs `id`",
        ),
        (
            "id INT PRIMARY KEY,",
            "the database does not assign the primary key `books.id`, but `Book` 1.0 needs that \
             it does",
        ),
    ] {
        let statements = BOOKS
            .replace("id INTEGER PRIMARY KEY,", replacement)
            .replace("REFERENCES books", "REFERENCES books (id)");
        assert_eq!(
            refusals(books(), &statements),
            [format!("{expected}; {remedy}")]
        );
    }
}

#[test]
fn not_null_is_told_of_the_version_that_allows_null() {
    let statements = "CREATE TABLE parts (id INTEGER PRIMARY KEY, name TEXT NOT NULL, weight REAL)";
    let builder = || Api::builder().resource::<Part>().resource::<NewerPart>();
    assert_eq!(
        refusals(builder(), statements),
        [format!(
            "`parts.name` is `NOT NULL`, but `Part` 1.1 allows null; {COLUMN}"
        )]
    );
    super::assert_fits(
        Api::builder().resource::<Part>(),
        &super::made_by(statements),
    );
}

#[test]
fn a_further_column_that_wants_a_value_is_named() {
    let found = refusals_with("lent", "shelf TEXT NOT NULL, lent");
    let sentence = "`books.shelf` is `NOT NULL` without a default, but no registered version has \
                    it, so that nothing could be inserted; give it a default, let it be null, or \
                    drop it";
    assert_eq!(found, [sentence]);
}

#[test]
fn a_unique_set_that_is_missing_is_named_with_the_statement_that_makes_it() {
    let one = "the table `books` lets rows share `code`, but `Book` 1.0 calls it unique; forbid \
               it with `CREATE UNIQUE INDEX \"books.code\" ON \"books\" (\"code\")`";
    assert_eq!(
        refusals_with("code CHARACTER(9) UNIQUE", "code TEXT"),
        [one]
    );
    let two = "the table `books` lets rows share `title`, `volume`, but `Book` 1.0 calls them \
               unique together; forbid it with `CREATE UNIQUE INDEX \"books.title.volume\" ON \
               \"books\" (\"title\", \"volume\")`";
    assert_eq!(
        refusals_with("UNIQUE (volume, title)", "UNIQUE (title)"),
        [two]
    );
    let partial = BOOKS.replace("CHARACTER(9) UNIQUE", "TEXT")
        + "; CREATE UNIQUE INDEX some ON books (code) WHERE lent";
    assert_eq!(refusals(books(), &partial), [one]);
    let loose = BOOKS.replace("CHARACTER(9) UNIQUE", "TEXT")
        + "; CREATE UNIQUE INDEX loose ON books (code COLLATE NOCASE)";
    assert_eq!(refusals(books(), &loose), [one]);
}

#[test]
fn a_foreign_key_that_is_missing_is_named() {
    let expected = "the table `books` has no foreign key from `sequel_id` to `id` of `books`, but \
                    `Book` 1.0 needs it; rebuild the table with the foreign key of `schema_sql`";
    for replacement in ["", " REFERENCES others", " REFERENCES books (volume)"] {
        assert_eq!(refusals_with(" REFERENCES books", replacement), [expected]);
    }
}

#[test]
fn a_foreign_key_that_follows_its_row_is_named() {
    let key = "the foreign key from `sequel_id` to `id` of `books` in the table `books` is";
    let remedy = "rebuild the table with the foreign key of `schema_sql`";
    for action in ["CASCADE", "SET NULL", "SET DEFAULT"] {
        let on_delete = format!(
            "{key} `ON DELETE {action}`, but `Book` 1.0 needs the delete to be refused; \
             {remedy}"
        );
        let on_update = format!(
            "{key} `ON UPDATE {action}`, but `Book` 1.0 needs the update to be refused; \
             {remedy}"
        );
        let with = |clauses: &str| {
            let clauses = clauses.replace("ACTION", action);
            refusals_with("REFERENCES books", &format!("REFERENCES books {clauses}"))
        };
        assert_eq!(with("ON DELETE ACTION"), [&*on_delete]);
        assert_eq!(with("ON UPDATE ACTION ON DELETE RESTRICT"), [&*on_update]);
        assert_eq!(
            with("ON UPDATE ACTION ON DELETE ACTION"),
            [on_delete, on_update]
        );
    }
    for clauses in [
        "ON DELETE RESTRICT",
        "ON DELETE NO ACTION ON UPDATE RESTRICT",
    ] {
        let statements = BOOKS.replace("REFERENCES books", &format!("REFERENCES books {clauses}"));
        super::assert_fits(books(), &super::made_by(&statements));
    }
}

#[test]
fn a_constraint_that_does_not_refuse_is_named() {
    let sentence = |columns: &str, resolution: &str| {
        format!(
            "the constraint of {columns} in the table `books` is `ON CONFLICT {resolution}`, \
             which has other effects than to refuse a write that breaks it; rebuild the table \
             with the constraints of `schema_sql`"
        )
    };
    for resolution in ["REPLACE", "IGNORE"] {
        let clause = format!("ON CONFLICT {resolution}");
        for (replaced, columns) in [
            ("code CHARACTER(9) UNIQUE", "`code`"),
            ("volume SMALLINT NOT NULL", "`volume`"),
            ("UNIQUE (volume, title)", "`volume`, `title`"),
            ("id INTEGER PRIMARY KEY", "`id`"),
        ] {
            let found = refusals_with(replaced, &format!("{replaced} {clause}"));
            assert_eq!(found, [sentence(columns, resolution)]);
        }
    }
}

#[test]
fn a_collation_is_named_with_the_usual_one() {
    let found = refusals_with("VARCHAR(20)", "VARCHAR(20) COLLATE NOCASE");
    let both = "has the collation `NOCASE`, but `Book` 1.0 needs `BINARY`";
    assert_eq!(found, [format!("`books.title` {both}; {COLUMN}")]);
}

#[test]
fn every_difference_of_every_table_is_named_at_once() {
    let builder = Api::builder()
        .resource::<SettingOne>()
        .resource::<SettingTwo>()
        .resource::<Part>()
        .resource::<NewerPart>();
    let found = refusals(
        builder,
        "CREATE TABLE settings (id TEXT PRIMARY KEY, name TEXT CHECK (length(name) < 51));
         CREATE TABLE parts (id INTEGER PRIMARY KEY, name INT NOT NULL)",
    );
    for (sentence, expected) in found.iter().zip([
        "`settings.id`, but `Setting` 1.0 needs that it does",
        "`settings.id` is of the type `TEXT`",
        "`settings.name` holds at most 50 characters, but `Setting` 2.0 allows 80",
        "the table `settings` lacks the column `value`",
        "the table `settings` lets rows share `name`",
        "`parts.name` is of the type `INT`, but `Part` 1.0 needs `TEXT`",
        "`parts.name` is `NOT NULL`, but `Part` 1.1 allows null",
        "the table `parts` lacks the column `weight`",
    ]) {
        assert!(
            sentence.contains(expected),
            "«{sentence}» is not about {expected}"
        );
    }
    assert_eq!(found.len(), 8, "{found:#?}");
}
