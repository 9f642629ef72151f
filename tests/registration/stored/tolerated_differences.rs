//! Tolerated differences: reported but not refused, or ignored.

use resource_runtime::{Api, ApiResource};
use resource_tests::models::{Address, Person};

use super::{BOOKS, assert_fits, books, checked, made_by, refusals};

#[test]
fn wider_table_has_no_differences() {
    assert_fits(books(), &made_by(BOOKS));
}

#[test]
fn table_without_checks_and_types_has_no_differences() {
    let statements = "CREATE TABLE books (
        id INTEGER PRIMARY KEY AUTOINCREMENT, title NOT NULL, volume NOT NULL, code UNIQUE, price,
        lent NOT NULL, sequel_id REFERENCES books, UNIQUE (title, volume)
    ) ; CREATE INDEX sequels ON books (sequel_id)";
    assert_fits(books(), &made_by(statements));
}

#[test]
fn additional_optional_columns_are_ignored() {
    let further = "shelf TEXT, room TEXT NOT NULL DEFAULT 'hall', area REAL NOT NULL \
                   GENERATED ALWAYS AS (volume * 2.0), lent BOOLEAN";
    assert_fits(books(), &made_by(&BOOKS.replace("lent BOOLEAN", further)));
}

#[test]
fn unique_index_replaces_a_constraint() {
    let statements = BOOKS.replace("CHARACTER(9) UNIQUE", "TEXT")
        + "; CREATE UNIQUE INDEX codes ON books (CODE DESC)";
    assert_fits(books(), &made_by(&statements));
}

#[test]
fn missing_index_is_reported_with_its_statement() {
    let file = made_by(BOOKS.split(';').next().unwrap());
    let report = checked(books(), &file).expect("it fits");
    let sentence = "the table `books` has no index on `sequel_id`, so that finding rows by it \
                    reads all of them; create it with `CREATE INDEX \"books.sequel_id\" ON \
                    \"books\" (\"sequel_id\")`";
    assert_eq!(report.differences(), [sentence]);
    assert_eq!(report.to_string(), sentence);
    assert!(!report.is_empty());
    rusqlite::Connection::open(file.path())
        .and_then(|file| file.execute_batch(sentence.split('`').nth(5).unwrap()))
        .expect("the statement that was told");
    assert_fits(books(), &file);
}

#[test]
fn nullable_column_of_a_required_attribute_is_reported() {
    let statements = BOOKS.replace("volume SMALLINT NOT NULL", "volume SMALLINT");
    let report = checked(books(), &made_by(&statements)).expect("it fits");
    let sentence = "`books.volume` may be null in the table, but every version requires a value; \
                    rebuild the table by the statements that the command `check --rebuild books` prints";
    assert_eq!(report.differences(), [sentence]);
}

#[derive(Debug, ApiResource)]
#[resource(name = "Country", url = "/countries", version = "1.0")]
struct Country {
    #[resource(primary_key, assigned)]
    code: String,
}

#[test]
fn nullable_primary_key_is_reported() {
    let sentence = "`countries.code` may be null in the table, in several rows although it is the \
                    primary key, but every version requires a value; rebuild the table by the statements that the command `check --rebuild countries` prints";
    let countries = || Api::builder().resource::<Country>();
    for (statements, expected) in [
        ("code TEXT PRIMARY KEY)", &[sentence][..]),
        ("code TEXT, PRIMARY KEY (code))", &[sentence]),
        ("code TEXT NOT NULL PRIMARY KEY)", &[]),
        ("code TEXT PRIMARY KEY) STRICT", &[]),
        ("code TEXT PRIMARY KEY) WITHOUT ROWID", &[]),
    ] {
        let file = made_by(&format!("CREATE TABLE countries ({statements}"));
        let null_twice = "INSERT INTO countries VALUES (NULL), (NULL)";
        let stored = file.other_program().try_execute(null_twice);
        assert_eq!(stored.is_ok(), !expected.is_empty(), "{statements}");
        if stored.is_ok() {
            let error = checked(countries(), &file).unwrap_err().to_string();
            assert!(
                error.starts_with("rows of the table `countries` have null"),
                "{error}"
            );
            file.other_program().execute("DELETE FROM countries");
        }
        let report = checked(countries(), &file).expect("it fits");
        assert_eq!(report.differences(), expected, "{statements}");
    }
}

#[test]
fn reusable_primary_key_is_reported() {
    let sentence = "the database may assign a value of `books.id` again once the newest row is \
                    deleted; rebuild the table by the statements that the command `check --rebuild books` prints";
    let report = checked(books(), &made_by(&BOOKS.replace(" AUTOINCREMENT", "")));
    assert_eq!(report.expect("it fits").differences(), [sentence]);
    let behind = BOOKS.replace(" PRIMARY KEY AUTOINCREMENT", "").replace(
        "UNIQUE (volume",
        "PRIMARY KEY (id AUTOINCREMENT), UNIQUE (volume",
    );
    assert_fits(books(), &made_by(&behind));
}

#[test]
fn additional_unique_constraint_is_reported() {
    let sentence = |what: &str, remedy: &str| {
        format!(
            "the table `books` lets no rows share {what}, which no registered version calls \
             unique, so that writes may be refused that all of them allow; {remedy}"
        )
    };
    let plain = "declare it with `unique`, or drop the constraint";
    let told = |statements: &str| {
        let report = checked(books(), &made_by(statements)).expect("it fits");
        report.differences().to_vec()
    };
    let constraint = BOOKS.replace("price DOUBLE PRECISION", "price REAL UNIQUE");
    assert_eq!(told(&constraint), [sentence("`price`", plain)]);
    let constraint = BOOKS.replace("UNIQUE (volume", "UNIQUE (price, lent), UNIQUE (volume");
    assert_eq!(told(&constraint), [sentence("`price`, `lent`", plain)]);
    for (index, what) in [
        ("lower(title)", "the value of an expression"),
        (
            "volume, lower(title)",
            "`volume`, the value of an expression",
        ),
        ("code COLLATE NOCASE", "`code` in a collation of its own"),
    ] {
        let statements = format!("{BOOKS}; CREATE UNIQUE INDEX own ON books ({index})");
        assert_eq!(
            told(&statements),
            [sentence(what, "drop the unique index")],
            "{index}"
        );
    }
    let partial = format!("{BOOKS}; CREATE UNIQUE INDEX own ON books (price) WHERE lent");
    let what = "`price` where a condition is true";
    assert_eq!(told(&partial), [sentence(what, "drop the unique index")]);
}

#[test]
fn implied_unique_constraint_is_ignored() {
    for index in ["id, price", "code", "code, price", "price, volume, title"] {
        let statements = format!("{BOOKS}; CREATE UNIQUE INDEX own ON books ({index})");
        assert_fits(books(), &made_by(&statements));
    }
    let further = BOOKS.replace("lent BOOLEAN", "shelf TEXT UNIQUE, lent BOOLEAN");
    assert_fits(books(), &made_by(&further));
}

#[test]
fn constraint_with_on_conflict_rollback_is_reported() {
    let unique = "CHARACTER(9) UNIQUE";
    let with = |clause: &str| made_by(&BOOKS.replace(unique, &format!("{unique} {clause}")));
    let report = checked(books(), &with("ON CONFLICT ROLLBACK")).expect("it fits");
    let sentence = "the constraint of `code` in the table `books` is `ON CONFLICT ROLLBACK`, \
                    which ends the whole transaction, so that a hook that goes on behind it \
                    writes outside of it; rebuild the table by the statements that the command `check --rebuild books` prints";
    assert_eq!(report.differences(), [sentence]);
    for clause in ["ON CONFLICT ABORT", "ON CONFLICT FAIL"] {
        assert_fits(books(), &with(clause));
    }
}

#[test]
fn tolerated_differences_are_not_among_the_refused_ones() {
    let builder = Api::builder().resource::<Person>().resource::<Address>();
    let found = refusals(
        builder,
        "CREATE TABLE addresses (id INTEGER PRIMARY KEY, line1, line2, line3, line4, line5, line6,
             city, country);
         CREATE TABLE persons (id INTEGER PRIMARY KEY, first_name, last_name,
             bill_address_id REFERENCES addresses, ship_address_id REFERENCES addresses,
             mail_address_id REFERENCES addresses)",
    );
    let sentence = "the table `addresses` lacks the column `zip_code`; add it with `ALTER TABLE \
                    \"addresses\" ADD COLUMN \"zip_code\" TEXT CHECK (length(\"zip_code\") <= 10)`";
    assert_eq!(found, [sentence]);
}
