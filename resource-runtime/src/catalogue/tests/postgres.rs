//! The same differences on PostgreSQL, whose tables are changed by a statement.

use resource_model::schema::Bound;
use resource_model::schema::ReferentialAction;
use resource_sql::Dialect;

use super::{StoredColumn, StoredTable, definitions, fatal, needed, stored, tolerable};
use crate::catalogue::{Difference, differences};

fn after(change: impl FnOnce(&mut StoredTable)) -> Vec<Difference> {
    let needed = needed();
    let mut stored = stored();
    for (column, needed) in stored.columns.iter_mut().zip(&needed.columns) {
        let column_type = Dialect::Postgres.column_type(needed.kind);
        column.stored_as = Some(column_type);
        column.declared_type = column_type.to_owned();
        column.collation = String::from("C");
    }
    change(&mut stored);
    let sides = [(&needed, Some(&stored))];
    let found = differences(Dialect::Postgres, &definitions(), sides);
    found.into_iter().map(|(_, it)| it).collect()
}

fn with(column: &str, change: impl FnOnce(&mut StoredColumn)) -> Vec<Difference> {
    after(|stored| {
        let mut columns = stored.columns.iter_mut();
        change(columns.find(|it| it.name == column).unwrap());
    })
}

#[test]
fn a_table_as_it_is_needed_has_no_difference() {
    assert_eq!(after(|_| ()), []);
}

#[test]
fn a_type_is_changed_and_its_values_converted() {
    let varchar = with("name", |it| {
        it.stored_as = Some("another type");
        it.declared_type = String::from("character(80)");
        it.collation = String::from("default");
    });
    assert_eq!(
        varchar,
        fatal(
            "`cars.name` is of the type `character(80)`, but `Car` 1.0 needs `text`; change it \
             with `ALTER TABLE \"cars\" ALTER COLUMN \"name\" TYPE varchar(80) COLLATE \"C\" USING \
             \"name\"::text`, and make a backup before: it rounds what the type cannot hold"
        )
    );
    let weight = with("weight", |it| {
        it.stored_as = Some("another type");
        it.declared_type = String::from("numeric(10,2)");
    });
    assert_eq!(
        weight,
        fatal(
            "`cars.weight` is of the type `numeric(10,2)`, but `Car` 1.0 needs `double precision`; \
             change it with `ALTER TABLE \"cars\" ALTER COLUMN \"weight\" TYPE double precision \
             USING \"weight\"::double precision`, and make a backup before: it rounds what the \
             type cannot hold"
        )
    );
}

#[test]
fn a_collation_is_changed() {
    assert_eq!(
        with("plate", |it| it.collation = String::from("default")),
        fatal(
            "`cars.plate` has the collation `default`, but `Car` 1.0 needs `C`; change it with \
             `ALTER TABLE \"cars\" ALTER COLUMN \"plate\" TYPE text COLLATE \"C\"`"
        )
    );
}

#[test]
fn a_length_is_changed_where_the_type_has_it() {
    let of_type = with("name", |it| {
        it.declared_type = String::from("character varying(50)");
        it.max_length = Some(50);
    });
    assert_eq!(
        of_type,
        fatal(
            "`cars.name` holds at most 50 characters, but `Car` 2.0 allows 80; change it with \
             `ALTER TABLE \"cars\" ALTER COLUMN \"name\" TYPE varchar(80) COLLATE \"C\"`"
        )
    );
    let of_check = with("name", |it| {
        it.declared_type = String::from("character varying(80)");
        it.max_length = Some(50);
    });
    assert_eq!(
        of_check,
        fatal(
            "`cars.name` holds at most 50 characters, but `Car` 2.0 allows 80; alter the table to \
             the length of `schema_sql`"
        )
    );
    assert_eq!(
        with("seats", |it| it.min = Some(Bound::Integer(1))),
        fatal(
            "`cars.seats` holds only values from 1 on, but `Car` 2.0 allows 0; alter the table to \
             the range of `schema_sql`"
        )
    );
}

#[test]
fn null_is_allowed_and_forbidden_by_a_statement() {
    assert_eq!(
        with("plate", |it| it.nullable = false),
        fatal(
            "`cars.plate` is `NOT NULL`, but `Car` 1.0 allows null; change it with `ALTER TABLE \
             \"cars\" ALTER COLUMN \"plate\" DROP NOT NULL`"
        )
    );
    assert_eq!(
        with("name", |it| it.nullable = true),
        tolerable(
            "`cars.name` may be null in the table, but every version requires a value; change it \
             with `ALTER TABLE \"cars\" ALTER COLUMN \"name\" SET NOT NULL`"
        )
    );
}

#[test]
fn generated_column_matters_only_where_it_is_written() {
    assert_eq!(with("id", |it| it.is_generated = true), []);
    assert_eq!(with("weight", |it| it.is_generated = true).len(), 1);
}

#[test]
fn a_unique_set_and_an_index_are_made_for_the_orders_of_lists() {
    assert_eq!(
        after(|it| it.unique.retain(|unique| unique.columns != ["plate"])),
        fatal(
            "the table `cars` lets rows share `plate`, but `Car` 1.0 calls it unique; forbid it \
             with `CREATE UNIQUE INDEX \"cars.plate\" ON \"cars\" (\"plate\" NULLS FIRST)`"
        )
    );
    let found = after(|it| it.indexes.retain(|index| index != &["next_id"]));
    let [Difference::Tolerable(sentence)] = found.as_slice() else {
        panic!("{found:?}");
    };
    let statement = r#"`CREATE INDEX "cars.next_id" ON "cars" ("next_id" NULLS FIRST)`"#;
    assert!(sentence.ends_with(statement), "{sentence}");
}

#[test]
fn a_foreign_key_is_added_by_a_statement() {
    let statement = "`ALTER TABLE \"cars\" ADD FOREIGN KEY (\"next_id\") REFERENCES \"cars\" \
                     (\"id\") ON DELETE RESTRICT ON UPDATE RESTRICT`";
    assert_eq!(
        after(|it| it.foreign_keys.retain(|key| key.columns != ["next_id"])),
        fatal(&format!(
            "the table `cars` has no foreign key from `next_id` to `id` of `cars`, but `Car` 1.0 \
             needs it; add it with {statement}"
        ))
    );
    let changed = |change: fn(&mut super::StoredForeignKey)| {
        after(|it| {
            let mut keys = it.foreign_keys.iter_mut();
            change(keys.find(|key| key.columns == ["next_id"]).unwrap());
        })
    };
    assert_eq!(
        changed(|key| key.on_delete = Some(ReferentialAction::Cascade)),
        fatal(&format!(
            "the foreign key from `next_id` to `id` of `cars` in the table `cars` is `ON DELETE \
             CASCADE`, but `Car` 1.0 needs the delete to be refused; in one transaction, drop this constraint, and add another \
             with {statement}"
        ))
    );
    assert_eq!(
        changed(|key| key.is_deferred = true),
        fatal(&format!(
            "the foreign key from `next_id` to `id` of `cars` in the table `cars` is `INITIALLY \
             DEFERRED`, but `Car` 1.0 needs a write to be refused at once; in one transaction, drop this constraint, and add \
             another with {statement}"
        ))
    );
}
