//! The storage forms in SQL: how each is read, compared and written. Every statement comes here for a value.

use std::iter;

use resource_model::schema::{Attribute, Column, Kind, Storage, StorageForm, TimeText};
use resource_model::value::Value;

use crate::writer::SqlWriter;
use crate::{Alias, Bind, Dialect};

/// The types of PostgreSQL without an equality of their own.
const WITHOUT_EQUALITY: [&str; 3] = ["json", "point", "xml"];

impl Dialect {
    /// The form of a column in a database of this dialect.
    #[doc(hidden)]
    pub const fn stored_form(self, storage: &Storage) -> StorageForm {
        match self {
            Self::Sqlite => storage.sqlite,
            Self::Postgres => storage.postgres,
        }
    }

    /// The collation of a column in its unique index.
    pub(super) const fn index_collation(self, column: &Column) -> &'static str {
        if self.stored_form(&column.storage).is_converted() {
            ""
        } else {
            self.collation(column.kind)
        }
    }

    pub(super) const fn form(self, attribute: &Attribute) -> StorageForm {
        self.stored_form(attribute.storage())
    }
}

/// The value of a column as it is read: the form of our own tables.
pub(super) fn write_value(writer: &mut SqlWriter, from: Option<Alias>, attribute: &Attribute) {
    let column = |writer: &mut SqlWriter| {
        writer.own_column(from, attribute.identifier());
    };
    let conversion = match writer.dialect().form(attribute) {
        StorageForm::Ours | StorageForm::Existing => "",
        StorageForm::Utc => " AT TIME ZONE 'UTC'",
        StorageForm::Type(..) => "::text",
        StorageForm::Number => {
            let (_, scale) = attribute.storage().digits.unwrap_or_default();
            return write_number(writer, scale, column);
        }
        StorageForm::Time(form, digits) => {
            return write_time(writer, attribute.kind(), form, digits, column);
        }
    };
    column(writer);
    writer.sql(conversion);
}

/// A number with the digits of its scale. What is no number, or has more digits, becomes bytes, which no decimal is, so
/// that it fails the read instead of being rounded.
fn write_number(writer: &mut SqlWriter, scale: u8, column: impl Fn(&mut SqlWriter)) {
    let text = |writer: &mut SqlWriter| {
        writer.sql("printf('%.").integer(scale.into()).sql("f', ");
        column(writer);
        writer.sql(")");
    };
    writer.sql("CASE WHEN typeof(");
    column(writer);
    writer.sql(") IN ('integer', 'real') AND CAST(");
    text(writer);
    writer.sql(" AS REAL) = ");
    column(writer);
    text(writer.sql(" THEN "));
    column(writer.sql(" ELSE CAST("));
    writer.sql(" AS BLOB) END");
}

/// A time in our own form. A text of another form becomes bytes, as above.
fn write_time(
    writer: &mut SqlWriter,
    kind: Kind,
    form: TimeText,
    digits: Option<u8>,
    column: impl Fn(&mut SqlWriter),
) {
    writer.sql("CASE");
    for digits in digits.map_or(vec![0, 6], |digits| vec![digits]) {
        column(writer.sql(" WHEN "));
        writer
            .sql(" GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]")
            .sql(form.separator())
            .sql(match (kind, digits) {
                (Kind::Date, 0) => "00:00:00",
                (Kind::Date, 3) => "00:00:00.000",
                (Kind::Date, _) => "00:00:00.000000",
                _ => "[0-9][0-9]:[0-9][0-9]:[0-9][0-9]",
            })
            .sql(match (kind, digits) {
                (Kind::Date, _) | (_, 0) => "",
                (_, 3) => ".[0-9][0-9][0-9]",
                _ => ".[0-9][0-9][0-9][0-9][0-9][0-9]",
            })
            .sql(form.end(kind))
            .sql("' THEN substr(");
        column(writer);
        writer.sql(", 1, 10)");
        if kind == Kind::Date {
            continue;
        }
        column(writer.sql(" || 'T' || substr("));
        writer.sql(match (kind, digits) {
            (Kind::Timestamp, 0) => ", 12, 8) || '.000000Z'",
            (Kind::Timestamp, 3) => ", 12, 12) || '000Z'",
            (Kind::Timestamp, _) => ", 12, 15) || 'Z'",
            _ => ", 12, 8)",
        });
        // Our own local times have no zeros at their ends.
        if kind != Kind::Timestamp && digits > 0 {
            column(writer.sql(" || rtrim(rtrim(substr("));
            writer.sql(", 20), '0'), '.')");
        }
    }
    column(writer.sql(" ELSE CAST("));
    writer.sql(" AS BLOB) END");
}

/// A column as ranges and orders compare it: times and numbers in their order, texts by code point.
pub(super) fn write_ordered(writer: &mut SqlWriter, from: Option<Alias>, attribute: &Attribute) {
    let dialect = writer.dialect();
    writer.own_column(from, attribute.identifier());
    if let StorageForm::Type(..) = dialect.form(attribute) {
        writer.sql("::text");
    }
    writer.sql(ordered_collation(dialect, attribute));
}

/// The collation of a column in ranges and orders.
const fn ordered_collation(dialect: Dialect, attribute: &Attribute) -> &'static str {
    match (dialect.form(attribute), attribute.kind()) {
        // Columns of others may have any collation, and our own have this one.
        (StorageForm::Existing, Kind::Text) | (StorageForm::Type(..), _) => {
            dialect.exact_collation(Kind::Text)
        }
        (StorageForm::Ours | StorageForm::Existing, kind) => dialect.collation(kind),
        // The texts of times are in the order of time.
        (StorageForm::Number | StorageForm::Time(..) | StorageForm::Utc, _) => "",
    }
}

/// A placeholder for a value beside such a column.
pub(super) fn bind_ordered(writer: &mut SqlWriter, attribute: &Attribute, value: Value) {
    match writer.dialect().form(attribute) {
        StorageForm::Type(..) => drop(writer.bind(Kind::Text, value)),
        _ => drop(writer.bind_value(attribute, value)),
    }
}

/// The value of a column that is read for the order of a page, under a name of its own.
pub(super) fn write_order_value(
    writer: &mut SqlWriter,
    from: Option<Alias>,
    attribute: &Attribute,
) {
    write_value(writer, from, attribute);
    // PostgreSQL takes no collation behind a name in the order of a union, so that the column itself has it.
    if writer.dialect() == Dialect::Postgres {
        writer.sql(ordered_collation(Dialect::Postgres, attribute));
    }
}

/// The collation behind the name of such a value.
pub(super) const fn order_value_collation(dialect: Dialect, attribute: &Attribute) -> &'static str {
    match (dialect, dialect.form(attribute)) {
        (Dialect::Sqlite, StorageForm::Existing) => ordered_collation(dialect, attribute),
        // Numbers, too, are read as decimals in our own form.
        _ => dialect.collation(attribute.kind()),
    }
}

/// A column as its unique index compares it.
pub(super) fn write_unique(writer: &mut SqlWriter, from: Option<Alias>, attribute: &Attribute) {
    let dialect = writer.dialect();
    writer.own_column(from, attribute.identifier());
    if !dialect.form(attribute).is_converted() {
        writer.sql(dialect.collation(attribute.kind()));
    }
}

/// The test that a column has a value, as `=` of two texts of our own.
pub(super) fn write_equal(
    writer: &mut SqlWriter,
    from: Option<Alias>,
    attribute: &Attribute,
    value: &Value,
) {
    write_test(writer, from, attribute, [" = ", ""], &iter::once(value));
}

/// The same of one of several values.
pub(super) fn write_in<'value>(
    writer: &mut SqlWriter,
    from: Option<Alias>,
    attribute: &Attribute,
    values: &(impl Iterator<Item = &'value Value> + Clone),
) {
    write_test(writer, from, attribute, [" IN (", ")"], values);
}

fn write_test<'value>(
    writer: &mut SqlWriter,
    from: Option<Alias>,
    attribute: &Attribute,
    [before, behind]: [&'static str; 2],
    values: &(impl Iterator<Item = &'value Value> + Clone),
) {
    let form = writer.dialect().form(attribute);
    let test = |writer: &mut SqlWriter, cast| {
        writer.sql(before);
        writer.list(", ", values.clone(), |writer, value| {
            writer.bind_value(attribute, value.clone()).sql(cast);
        });
        writer.sql(behind);
    };
    let native = |writer: &mut SqlWriter| {
        writer.own_column(from, attribute.identifier());
        // A domain of an enum has no equality of its own; an index serves below the cast.
        if let StorageForm::Type(schema, name) = form {
            writer.sql("::").type_name(schema, name);
        }
        test(writer, "");
    };
    match (writer.dialect(), form) {
        // The collations of PostgreSQL take no two texts as equal, except those that `check` refuses, and an index
        // serves in its own alone.
        (Dialect::Postgres, StorageForm::Existing) => native(writer),
        // The type's own equality finds by its index, and the text decides: `citext` takes more as equal.
        (_, StorageForm::Type(_, name)) if !WITHOUT_EQUALITY.contains(&name) => {
            native(writer.sql("("));
            write_ordered(writer.sql(" AND "), from, attribute);
            test(writer, "::text");
            writer.sql(")");
        }
        (_, form) => {
            write_ordered(writer, from, attribute);
            let is_type = matches!(form, StorageForm::Type(..));
            test(writer, if is_type { "::text" } else { "" });
        }
    }
}

/// The comparison of a column with exactly this value: the column's own collation may take others as equal.
pub(super) fn write_exact(
    writer: &mut SqlWriter,
    from: Option<Alias>,
    attribute: &Attribute,
    operator: &'static str,
    value: Value,
) {
    let dialect = writer.dialect();
    match (dialect, dialect.form(attribute)) {
        (_, StorageForm::Type(..)) => write_ordered(writer, from, attribute),
        (_, StorageForm::Ours) | (Dialect::Sqlite, StorageForm::Existing) => {
            let column = writer.own_column(from, attribute.identifier());
            column.sql(dialect.exact_collation(attribute.kind()));
        }
        _ => drop(writer.own_column(from, attribute.identifier())),
    }
    bind_ordered(writer.sql(operator), attribute, value);
}

/// A value that a statement writes, from an expression of our own form.
pub(super) fn write_stored(
    writer: &mut SqlWriter,
    attribute: &Attribute,
    write: impl FnOnce(&mut SqlWriter),
) {
    match writer.dialect().form(attribute) {
        StorageForm::Utc => {
            write(writer.sql("("));
            writer.sql(" AT TIME ZONE 'UTC')");
        }
        StorageForm::Type(schema, name) => {
            write(writer);
            writer.sql("::").type_name(schema, name);
        }
        _ => write(writer),
    }
}

/// The type of a column, without its length and its collation, as messages and casts have it.
pub fn column_type(dialect: Dialect, column: &Column) -> String {
    let mut writer = SqlWriter::new(dialect);
    write_column_type(&mut writer, column);
    writer.finish().text().to_owned()
}

pub(super) fn write_column_type(writer: &mut SqlWriter, column: &Column) {
    let dialect = writer.dialect();
    match (dialect.stored_form(&column.storage), column.storage.digits) {
        // A `STRICT` table has no type `NUMERIC`, and this one holds the same numbers.
        (StorageForm::Number, _) => drop(writer.sql("REAL")),
        (StorageForm::Utc, _) => drop(writer.sql("timestamp")),
        (StorageForm::Type(schema, name), _) => drop(writer.type_name(schema, name)),
        (_, Some((precision, scale))) if dialect.has_decimals() => {
            writer.sql("numeric(").integer(precision.into());
            writer.sql(",").integer(scale.into()).sql(")");
        }
        _ => drop(writer.sql(dialect.column_type(column.kind))),
    }
}

impl SqlWriter {
    /// A placeholder for a value of the attribute, in the form of its column.
    pub(super) fn bind_value(&mut self, attribute: &Attribute, value: Value) -> &mut Self {
        let (dialect, kind) = (self.dialect(), attribute.kind());
        write_stored(self, attribute, |writer| {
            writer.placeholder(bound(dialect, attribute, value));
            // A bound text is no value of another type by itself.
            writer.sql(match dialect.form(attribute) {
                StorageForm::Type(..) => "::text",
                _ => dialect.cast(kind),
            });
        });
        self
    }
}

/// A value as it is bound: the driver gives it the form of its column.
pub(super) const fn bound(dialect: Dialect, attribute: &Attribute, value: Value) -> Bind {
    Bind {
        kind: attribute.kind(),
        form: dialect.form(attribute),
        value,
    }
}
