//! The differences of columns: missing, of another type or collation, generated, null, or unknown.

use std::cmp::Ordering;

use resource_model::error::did_you_mean;
use resource_model::schema::{
    Attribute, Column, Identifier, Kind, Operation, ResourceDefinition, StorageForm, StoredColumn,
};
use resource_sql::Dialect;

use super::Difference::{self, Fatal, Lacking, Tolerable, Unfilled};
use super::remedy;
use super::table_comparison::{ColumnComparison, TableComparison};

/// The difference of a missing column; that of a primary key is a difference of the key.
pub(super) fn missing(sides: TableComparison<'_>, needed: &Column) -> Option<Difference> {
    let (table, name) = (sides.table(), needed.name.as_str());
    if sides.needed.existing {
        // Mostly it has another name there.
        let names = sides.stored.columns.iter().map(|it| &*it.name);
        let suggestion = did_you_mean(name, names);
        return Some(Fatal(format!(
            "the table `{table}` has no column `{name}`{suggestion}; name the column of the field by `column = \"…\"`, \
             or remove the field"
        )));
    }
    let statement = resource_sql::add_column(sides.dialect, sides.needed, needed);
    // The sentence gives the statement in full, so that it can be copied.
    let sentence = format!(
        "the table `{table}` lacks the column `{name}`; add it with `{}`",
        statement.text()
    );
    // The statement adds the column without `NOT NULL`, unless it has a default for the existing rows.
    let default = resource_sql::default_of_rows(sides.dialect, sides.needed, needed);
    let has_values = needed.nullable || needed.default.is_some() || default.is_some();
    let difference = if has_values {
        Lacking(sentence)
    } else {
        let fill_in = "and fill it in, since no version allows null";
        Unfilled {
            sentence: format!("{sentence} {fill_in}; as `NOT NULL` it needs a default"),
            remaining: format!(
                "`{table}.{name}` is null in the rows that are there: fill it in, since no version allows null"
            ),
        }
    };
    (!needed.primary_key).then_some(difference)
}

pub(super) fn other_type(column: ColumnComparison<'_>) -> Option<Difference> {
    let needed_type = resource_sql::column_type(column.sides.dialect, column.needed);
    let (place, stored_type) = (column.place(), &column.stored.declared_type);
    let version = column.version(|_| true);
    match fit(column) {
        Fit::Exact => None,
        Fit::Wider => Some(Tolerable(format!(
            "{place} is of the type `{stored_type}`, which holds more than the `{needed_type}` of {version}; \
             give the field the wider type"
        ))),
        // Filters find values only in the form of their kind, so a column of another type misses some.
        Fit::None => Some(Fatal(format!(
            "{place} is of the type `{stored_type}`, but {version} needs `{needed_type}`; {}",
            remedy::other_type(column)
        ))),
    }
}

/// Tests whether the values of the column are in the form of another kind.
pub(super) fn is_of_other_type(column: ColumnComparison<'_>) -> bool {
    fit(column) == Fit::None
}

/// The suitability of a stored type for the values of a column.
#[derive(PartialEq, Eq)]
enum Fit {
    Exact,
    /// It holds further values.
    Wider,
    None,
}

fn fit(column: ColumnComparison<'_>) -> Fit {
    let (sides, needed, stored) = (column.sides, column.needed, column.stored);
    let needed_type = sides.dialect.column_type(needed.kind);
    // A column that keeps every value unchanged holds each kind in the form in which statements compare it.
    // The values of a domain of others are those of the type below it, of which its checks refuse some.
    let base = stored.base.as_ref().filter(|_| sides.needed.existing);
    let Some(own) = base.map(|base| base.stored_as).or(stored.stored_as) else {
        return Fit::Exact;
    };
    let declared = base.map_or(&stored.declared_type, |base| &base.declared);
    let own = kept_time(column, declared).unwrap_or(own);
    let fits = |fits: bool| if fits { Fit::Exact } else { Fit::None };
    let form = sides.dialect.stored_form(&needed.storage);
    match (form, needed.storage.digits) {
        (StorageForm::Number, _) => fits(matches!(own, "INTEGER" | "REAL")),
        (StorageForm::Time(..), _) => fits(own == "TEXT" || keeps_dates(own, declared)),
        // Without a form, too, dates and times are texts that are no numbers.
        (StorageForm::Existing, _) if matches!(needed.kind, Kind::Date | Kind::Time) => {
            fits(own == needed_type || keeps_dates(own, declared))
        }
        (StorageForm::Utc, _) => fits(own == "timestamp"),
        (StorageForm::Type(_, name), _) => {
            fits(is_type(declared, name) || is_type(&stored.declared_type, name))
        }
        (_, Some(digits)) if sides.dialect == Dialect::Postgres => of_digits(declared, digits),
        _ if own == needed_type => Fit::Exact,
        // It has no equality, which only writes need.
        _ if declared == "json" && needed.kind == Kind::Json && sides.needed.existing => {
            fits(!sides.needed.is_written())
        }
        _ if sides.needed.existing && is_wider(own, needed_type) => Fit::Wider,
        _ => Fit::None,
    }
}

/// The type of a time of PostgreSQL that rounds to its digits, where no client writes more of them.
fn kept_time(column: ColumnComparison<'_>, declared: &str) -> Option<&'static str> {
    let (own, digits) = rounded_time(declared)?;
    let needed = column.needed;
    let is_cut = needed.kind != Kind::Time && needed.storage.fraction() <= digits;
    (column.sides.needed.existing && (is_cut || !column.is_written())).then_some(own)
}

/// The type of a time, as definitions name it, and the digits behind the second to which it rounds.
pub(super) fn rounded_time(declared: &str) -> Option<(&'static str, u8)> {
    let (name, rest) = declared.split_once('(')?;
    let (digits, zone) = rest.split_once(") ")?;
    let own = match (name, zone) {
        ("timestamp", "with time zone") => "timestamptz",
        ("timestamp", "without time zone") => "timestamp",
        ("time", "without time zone") => "time",
        _ => return None,
    };
    Some((own, digits.parse().ok()?))
}

/// Tests whether a column of SQLite, like a `DATETIME`, keeps texts that are no numbers, unless its table is strict.
fn keeps_dates(stored_as: &str, declared_type: &str) -> bool {
    stored_as == "INTEGER" && !declared_type.to_ascii_uppercase().contains("INT")
}

/// The integers of PostgreSQL, from the narrowest.
const INTEGERS: [&str; 3] = ["smallint", "integer", "bigint"];

fn is_wider(stored: &str, needed: &str) -> bool {
    let place = |name| INTEGERS.iter().position(|it| *it == name);
    let places = place(stored).zip(place(needed));
    places.is_some_and(|(stored, needed)| stored > needed)
}

/// The suitability of `numeric(10,2)`, as PostgreSQL prints it, for decimals of these digits. Another scale would round
/// them, or answer with other digits.
fn of_digits(declared: &str, (precision, scale): (u8, u8)) -> Fit {
    let own = declared.strip_prefix("numeric(");
    let own = own.and_then(|it| it.strip_suffix(&format!(",{scale})")));
    let own = own.and_then(|own| own.parse::<u16>().ok());
    match own.map(|own| own.cmp(&u16::from(precision))) {
        Some(Ordering::Equal) => Fit::Exact,
        Some(Ordering::Greater) => Fit::Wider,
        Some(Ordering::Less) | None => Fit::None,
    }
}

/// Other names of types, which PostgreSQL prints by those of the standard.
const TYPE_NAMES: [(&str, &str); 4] = [
    ("varchar", "character varying"),
    ("bpchar", "character"),
    ("timetz", "time with time zone"),
    ("varbit", "bit varying"),
];

/// Tests whether a type as PostgreSQL prints it has this name, in whatever schema and of whatever length.
fn is_type(declared: &str, name: &str) -> bool {
    let own = type_name(declared);
    own == name || own.ends_with(&format!(".{name}"))
}

/// The name of a type as PostgreSQL prints it, as casts have it in quotes.
pub(super) fn type_name(declared: &str) -> String {
    // The modifier may stand within: `time(0) with time zone`, `interval second(1)`.
    let (base, rest) = declared.split_once('(').unwrap_or((declared, ""));
    let (_, behind) = rest.split_once(')').unwrap_or_default();
    let base = [base, behind].concat();
    let base = if base.starts_with("interval ") {
        "interval".to_owned()
    } else {
        base.replace('"', "")
    };
    let short = TYPE_NAMES.iter().find(|(_, long)| *long == base);
    short.map_or(base, |(short, _)| (*short).to_owned())
}

pub(super) fn generated(column: ColumnComparison<'_>) -> Option<Difference> {
    let (sides, needed) = (column.sides, column.needed);
    // A key that the database assigns is never written, nor anything where clients only read. No update changes a key.
    let is_created = || !needed.primary_key || sides.needed.offers(&[Operation::Create]);
    let is_written = !needed.assigned_by_database && column.is_written() && is_created();
    (column.stored.is_generated && is_written).then(|| {
        Fatal(format!(
            "{} is generated by the database, but {} writes it; {}",
            column.place(),
            column.version(|_| true),
            if sides.needed.existing && needed.primary_key {
                String::from("leave `create` out of the `operations`")
            } else if sides.needed.existing {
                String::from("declare the field `computed`")
            } else {
                remedy::as_in_schema_sql(sides, "column")
            }
        ))
    })
}

/// The difference of a column without the default that a version leaves a value to.
pub(super) fn no_default(column: ColumnComparison<'_>) -> Option<Difference> {
    let (sides, needed, stored) = (column.sides, column.needed, column.stored);
    let relies = |definition: &ResourceDefinition, it: &Attribute| {
        it.has_default_of_database() && definition.offered_operations().contains(&Operation::Create)
    };
    let is_whole_key = sides.needed.key() == [needed.name];
    let found = match (stored.has_default, stored.has_constant_default) {
        (false, _) => "no default",
        // The second item would be refused.
        (_, true) if is_whole_key => "the same default for each row",
        _ => return None,
    };
    sides.is_some_attribute(needed.name, relies).then(|| {
        Fatal(format!(
            "{} has {found}, but {} leaves its value to one; remove `default = database`",
            column.place(),
            column.version(Attribute::has_default_of_database)
        ))
    })
}

/// The difference in null; that of a primary key is a difference of the key.
pub(super) fn null(column: ColumnComparison<'_>) -> Option<Difference> {
    let needed = column.needed;
    let place = column.place();
    match (needed.nullable, column.stored.nullable) {
        // A null in the primary key has a rule of its own.
        _ if needed.primary_key => None,
        (true, false) if !column.is_written() => None,
        // A client may send a null, which the database would refuse.
        (true, false) => Some(Fatal(format!(
            "{place} is `NOT NULL`, but {} allows null; {}",
            column.version(Attribute::is_nullable),
            remedy::nullable(column)
        ))),
        // No version writes a null here; another program may.
        (false, true) => Some(Tolerable(format!(
            "{place} may be null in the table, but every version requires a value; {}",
            remedy::nullable(column)
        ))),
        _ => None,
    }
}

/// The difference in collation; a column of another type has the collation of that type.
pub(super) fn other_collation(column: ColumnComparison<'_>) -> Option<Difference> {
    let (sides, needed) = (column.sides, column.needed);
    // Collations are names, which SQLite compares without case.
    let expected = sides.dialect.text_collation();
    let differs = !column.stored.collation.eq_ignore_ascii_case(expected);
    // Only texts have a collation that matters, and a wrong type is reported already.
    let is_compared = needed.kind == Kind::Text && fit(column) == Fit::Exact;
    if !is_compared || !differs || sides.dialect.stored_form(&needed.storage).is_converted() {
        return None;
    }
    let (place, collation) = (column.place(), &column.stored.collation);
    if sides.dialect.stored_form(&needed.storage) == StorageForm::Existing {
        return of_existing(column);
    }
    let remedy = if sides.needed.existing {
        // Of the tables that the builder leaves to others, statements know nothing.
        String::from("add `existing` to the struct, so that statements name a collation")
    } else {
        remedy::of_column(column, resource_sql::widen_column)
    };
    Some(Fatal(format!(
        "{place} has the collation `{collation}`, but {} needs `{expected}`; {remedy}",
        column.version(|_| true),
    )))
}

/// The cost of another collation in a table that others made, where an index is wanted: statements compare by code
/// point.
fn of_existing(column: ColumnComparison<'_>) -> Option<Difference> {
    let (sides, needed) = (column.sides, column.needed);
    let (place, collation) = (column.place(), &column.stored.collation);
    // PostgreSQL serves `=` by the column's own index, which is right where no two texts are equal in it.
    if sides.dialect == Dialect::Postgres && !column.stored.has_exact_collation {
        let name = type_name(&column.stored.declared_type);
        return Some(Fatal(format!(
            "{place} has the collation `{collation}`, in which different texts may be equal; declare \
             `stored(postgres = type(\"{name}\"))`, by which they are compared exactly"
        )));
    }
    let is_first = |set: &Vec<Identifier>| set.first() == Some(&needed.name);
    let mut sets = sides.needed.indexes.iter().chain(&sides.needed.unique);
    let is_wanted = needed.primary_key || sets.any(is_first);
    let mut ordered = sides.stored.ordered.iter();
    let is_served = ordered.any(|it| it == needed.name.as_str());
    (is_wanted && !is_served).then(|| {
        let statement = resource_sql::create_ordered_index(sides.dialect, sides.needed, needed);
        Tolerable(format!(
            "{place} has the collation `{collation}`, so that its index serves no order by code point, \
             which sorts; for large tables, `{}` serves it",
            statement.text()
        ))
    })
}

/// The differences of columns that no version knows, which matter only if they want a value of each new
/// row.
pub(super) fn unknown(sides: TableComparison<'_>) -> impl Iterator<Item = Difference> {
    // Columns are compared by name: neither database cares for their order.
    let known = |stored: &StoredColumn| {
        let mut columns = sides.needed.columns.iter();
        columns.any(|column| column.name.as_str() == stored.name)
    };
    let is_ignored = |stored: &StoredColumn| sides.needed.ignored.contains(&&*stored.name);
    let columns = sides.stored.columns.iter();
    // No item is created where clients only read and change.
    let columns = columns.filter(move |_| sides.needed.offers(&[Operation::Create]));
    let unknown = columns.filter(move |stored| !known(stored) && !is_ignored(stored));
    // Other unknown columns are null or have their default in new rows.
    let wanting = unknown.filter(|stored| !stored.nullable && !stored.has_default);
    wanting.map(move |stored| {
        let remedy = if sides.needed.existing {
            format!(
                "declare a field of it, or `ignore(\"{}\")` where a trigger fills it in",
                stored.name
            )
        } else {
            String::from("give it a default, let it be null, or declare it in a version")
        };
        Fatal(format!(
            "`{}.{}` is `NOT NULL` without a default, but no registered version has it, so that \
             nothing could be inserted; {remedy}",
            sides.table(),
            stored.name
        ))
    })
}

/// The columns that are ignored and not there, which mostly are misspelt.
pub(super) fn missing_ignored(sides: TableComparison<'_>) -> impl Iterator<Item = Difference> {
    let stored = || sides.stored.columns.iter().map(|it| &*it.name);
    let ignored = sides.needed.ignored.iter();
    let missing = ignored.filter(move |name| stored().all(|it| it != **name));
    missing.map(move |name| {
        Tolerable(format!(
            "the table `{}` has no column `{name}`, which `ignore` names{}; remove it there",
            sides.table(),
            did_you_mean(name, stored())
        ))
    })
}
