//! Each difference alone, beside a table that has none.

use resource_model::registry::{self, Callers, Registration};
use resource_model::schema::{
    Column, ForeignKey, Identifier, ResourceDefinition, StoredColumn, StoredForeignKey,
    StoredTable, StoredUnique, Table,
};
use resource_sql::Dialect;

use super::Difference::{self, Fatal, Lacking, Tolerable, Unfilled};
use super::differences;
use crate::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Car", url = "/cars", version = "1.0")]
#[resource(subresource(twin = ["name", "seats"]), unique(name, seats))]
#[allow(dead_code, reason = "only its definition is read")]
struct CarOne {
    id: i64,
    #[resource(min_length = 2, max_length = 50, references(CarOne, name))]
    name: String,
    #[resource(min = 1, max = 9, references(CarOne, seats))]
    seats: i32,
    #[resource(unique)]
    plate: Option<String>,
    #[resource(min = 0.5)]
    weight: f64,
    sold: bool,
    #[resource(references = CarTwo)]
    next_id: Option<i64>,
}

#[derive(ApiResource)]
#[resource(name = "Car", url = "/cars", version = "2.0")]
#[allow(dead_code, reason = "only its definition is read")]
struct CarTwo {
    id: i64,
    #[resource(min_length = 1, max_length = 80)]
    name: String,
    #[resource(min = 0)]
    seats: i32,
    plate: String,
    weight: f64,
    sold: bool,
}

fn definitions() -> [&'static ResourceDefinition; 2] {
    [CarOne::DEFINITION, CarTwo::DEFINITION]
}

fn needed() -> Table {
    let registrations = [Registration::of::<CarOne>(), Registration::of::<CarTwo>()];
    registry::checked(&registrations, 1000, Callers::Unknown)
        .unwrap()
        .tables
        .remove(0)
}

/// The table as it is needed.
fn stored() -> StoredTable {
    let needed = needed();
    let columns = |columns: &Vec<Identifier>| -> Vec<String> {
        columns.iter().map(|it| it.as_str().to_owned()).collect()
    };
    StoredTable {
        is_table: true,
        primary_key: vec![String::from("id")],
        assigns_key: true,
        assigns_key_again: false,
        behind: None,
        unique: needed.unique.iter().map(columns).map(unique).collect(),
        indexes: needed.indexes.iter().map(columns).collect(),
        ordered: Vec::new(),
        foreign_keys: needed
            .foreign_keys
            .iter()
            .map(|key: &ForeignKey| StoredForeignKey {
                columns: columns(&key.columns),
                target: key.target.as_str().to_owned(),
                target_schema: None,
                is_target_visible: true,
                target_columns: columns(&key.target_columns),
                on_delete: None,
                set_on_delete: Vec::new(),
                on_update: None,
                is_to_primary_key: false,
                is_deferred: false,
            })
            .collect(),
        columns: needed.columns.iter().map(stored_column).collect(),
        conflicts: Vec::new(),
        ..StoredTable::default()
    }
}

/// A unique set of all rows, compared as its columns are.
fn unique(columns: Vec<String>) -> StoredUnique {
    StoredUnique {
        columns,
        ..StoredUnique::default()
    }
}

fn stored_column(column: &Column) -> StoredColumn {
    let column_type = Dialect::Sqlite.column_type(column.kind);
    StoredColumn {
        name: column.name.as_str().to_owned(),
        declared_type: column_type.to_owned(),
        stored_as: Some(column_type),
        collation: String::from("BINARY"),
        has_exact_collation: true,
        nullable: column.nullable || column.primary_key,
        has_default: false,
        is_generated: false,
        min_length: column.min_length,
        max_length: column.max_length,
        min: column.min,
        max: column.max,
        names: None,
        ..StoredColumn::default()
    }
}

fn compared(needed: &Table, stored: Option<&StoredTable>) -> Vec<Difference> {
    let found = differences(Dialect::Sqlite, &definitions(), [(needed, stored)]);
    found.into_iter().map(|(_, it)| it).collect()
}

/// The differences of a table after this change.
fn after(change: impl FnOnce(&mut StoredTable)) -> Vec<Difference> {
    let mut stored = stored();
    change(&mut stored);
    compared(&needed(), Some(&stored))
}

/// The differences of a table after this change of a column.
fn with(column: &str, change: impl FnOnce(&mut StoredColumn)) -> Vec<Difference> {
    after(|stored| {
        let mut columns = stored.columns.iter_mut();
        change(columns.find(|it| it.name == column).unwrap());
    })
}

fn fatal(sentence: &str) -> Vec<Difference> {
    vec![Fatal(sentence.to_owned())]
}

fn lacking(sentence: &str) -> Vec<Difference> {
    vec![Lacking(sentence.to_owned())]
}

fn tolerable(sentence: &str) -> Vec<Difference> {
    vec![Tolerable(sentence.to_owned())]
}

#[test]
fn a_table_as_it_is_needed_has_no_difference() {
    assert_eq!(after(|_| ()), []);
}

#[test]
fn wider_limits_and_nullable_columns_are_no_difference() {
    for column in ["name", "seats", "plate", "weight", "sold"] {
        let found = with(column, |it| {
            (it.stored_as, it.declared_type) = (None, String::new());
            (it.min_length, it.max_length) = (None, it.max_length.map(|most| most + 1));
            (it.min, it.max) = (None, None);
        });
        assert_eq!(found, [], "{column}");
    }
    let undeclared = |nullable, has_default| {
        after(|it| {
            let mut column = stored_column(&needed().columns[1]);
            column.name = String::from("undeclared");
            (column.nullable, column.has_default) = (nullable, has_default);
            it.columns.push(column);
        })
    };
    assert_eq!(undeclared(true, false), []);
    assert_eq!(undeclared(false, true), []);
    assert_eq!(
        undeclared(false, false),
        fatal(
            "`cars.undeclared` is `NOT NULL` without a default, but no registered version has it, \
             so that nothing could be inserted; give it a default, let it be null, or declare it in a version"
        )
    );
}

#[test]
fn a_table_that_is_missing_is_one_difference() {
    assert_eq!(
        compared(&needed(), None),
        lacking(
            "the table `cars` is missing; create it with the statements that the command `check --sql` prints, or with \
             `create_missing_tables`"
        )
    );
}

#[test]
fn a_column_that_is_missing_is_added_by_a_statement() {
    let without = |column: &str| after(|it| it.columns.retain(|it| it.name != column));
    assert_eq!(
        without("plate"),
        lacking(
            "the table `cars` lacks the column `plate`; add it with \
             `ALTER TABLE \"cars\" ADD COLUMN \"plate\" TEXT`"
        )
    );
    assert_eq!(
        without("sold"),
        [Unfilled {
            sentence: "the table `cars` lacks the column `sold`; add it with `ALTER TABLE \"cars\" ADD COLUMN \"sold\" \
                       INTEGER CHECK (\"sold\" IN (0, 1))` and fill it in, since no version allows null; as `NOT NULL` it \
                       needs a default"
                .to_owned(),
            remaining: "`cars.sold` is null in the rows that are there: fill it in, since no version allows null"
                .to_owned(),
        }]
    );
    let next = after(|it| {
        it.columns.retain(|it| it.name != "next_id");
        it.foreign_keys.retain(|it| it.columns != ["next_id"]);
    });
    assert_eq!(
        next,
        lacking(
            "the table `cars` lacks the column `next_id`; add it with `ALTER TABLE \"cars\" ADD \
             COLUMN \"next_id\" INTEGER REFERENCES \"cars\" (\"id\") ON DELETE RESTRICT ON \
             UPDATE RESTRICT`"
        )
    );
}

#[test]
fn other_type_is_named_as_it_was_declared() {
    let found = with("plate", |it| {
        (it.stored_as, it.declared_type) = (Some("INTEGER"), String::from("DATETIME"));
    });
    let sentence = "`cars.plate` is of the type `DATETIME`, but `Car` 1.0 needs `TEXT`; rebuild the table by the statements that the command `check --rebuild cars` prints";
    assert_eq!(found, fatal(sentence));
}

#[test]
fn a_column_that_the_database_computes_cannot_be_written() {
    let sentence = "`cars.weight` is generated by the database, but `Car` 1.0 writes it; rebuild the table by the statements that the command `check --rebuild cars` prints";
    assert_eq!(with("weight", |it| it.is_generated = true), fatal(sentence));
}

#[test]
fn null_is_needed_by_the_version_that_allows_it() {
    assert_eq!(
        with("plate", |it| it.nullable = false),
        fatal(
            "`cars.plate` is `NOT NULL`, but `Car` 1.0 allows null; rebuild the table by the statements that the command `check --rebuild cars` prints"
        )
    );
    assert_eq!(
        with("name", |it| it.nullable = true),
        tolerable(
            "`cars.name` may be null in the table, but every version requires a value; rebuild the table by the statements that the command `check --rebuild cars` prints"
        )
    );
}

#[test]
fn a_collation_matters_to_texts_alone() {
    let nocase = |column| with(column, |it| it.collation = String::from("NOCASE"));
    assert_eq!(nocase("sold"), []);
    assert_eq!(
        nocase("name"),
        fatal(
            "`cars.name` has the collation `NOCASE`, but `Car` 1.0 needs `BINARY`; rebuild the table by the statements that the command `check --rebuild cars` prints"
        )
    );
    assert_eq!(with("name", |it| it.collation = String::from("binary")), []);
}

#[test]
fn view_is_one_difference() {
    let sentence = "`cars` is no table in the database, but a view or the like, which `Car` 1.0 \
                    cannot be stored in; choose another `table`, or give it another name";
    let view = |it: &mut StoredTable| {
        it.is_table = false;
        it.primary_key.clear();
    };
    assert_eq!(after(view), fatal(sentence));
}

mod keys;
mod limits;
mod postgres;
