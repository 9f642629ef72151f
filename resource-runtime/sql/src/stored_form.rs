//! Conversions of values that other programs have stored in a SQLite file to the form in which the service
//! stores and compares them; printed, never sent.

use resource_model::schema::{Column, Kind, StoredColumn};

use crate::SqlWriter;

/// The placeholder of the column in an expression.
const GAP: &str = "{}";

/// The value of `column`, which was stored as another type, in the form of its kind. A value that the expression does
/// not know is kept: a later read reports it, while a wrong conversion would go unnoticed.
pub(super) fn write_stored_form(
    writer: &mut SqlWriter,
    column: &Column,
    stored: Option<&StoredColumn>,
) {
    let was_blob = stored.is_some_and(|it| it.stored_as == Some("BLOB"));
    let expression = match column.kind {
        // Words become the numbers that a `STRICT` table holds for a boolean.
        Kind::Boolean => "CASE lower({}) WHEN 'true' THEN 1 WHEN 'false' THEN 0 ELSE {} END",
        Kind::Bytes => "CAST({} AS BLOB)",
        // Unless it was a blob, a text is copied as it is.
        Kind::Text | Kind::Json if was_blob => "CAST({} AS TEXT)",
        // Both forms, 16 bytes and hexadecimal digits with or without hyphens, become the one with hyphens.
        Kind::Uuid => {
            "coalesce((SELECT lower(substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-' || \
             substr(hex, 13, 4) || '-' || substr(hex, 17, 4) || '-' || substr(hex, 21)) FROM (SELECT \
             CASE typeof({}) WHEN 'blob' THEN hex({}) ELSE replace({}, '-', '') END AS hex) \
             WHERE length(hex) = 32 AND hex NOT GLOB '*[^0-9A-Fa-f]*'), {})"
        }
        // Unless a time of day would be lost.
        // `date` turns 30 February into a day of March, so only a date that it returns unchanged is one.
        Kind::Date => {
            "coalesce((SELECT date(substr(it, 1, 10)) FROM (SELECT {} AS it) \
             WHERE it GLOB '????-??-??*' AND trim(substr(it, 11), ' TZ0:.+') = '' \
             AND date(substr(it, 1, 10)) = substr(it, 1, 10)), {})"
        }
        // The stored form has a fraction without zeros at its end, and none for whole seconds.
        // For an impossible time `time` returns null, and `coalesce` then keeps the value.
        Kind::Time => {
            "coalesce((SELECT time(substr(it, 1, 8)) || rtrim(rtrim(substr(it, 9), '0'), '.') \
             FROM (SELECT {} AS it) \
             WHERE it GLOB '??:??*' AND trim(substr(it, 9), '.0123456789') = ''), {})"
        }
        Kind::LocalDateTime => {
            "coalesce((SELECT strftime('%Y-%m-%dT%H:%M:%S', substr(it, 1, 19)) || \
             rtrim(rtrim(substr(it, 20), '0'), '.') FROM (SELECT {} AS it) \
             WHERE it GLOB '????-??-??[ T]??:??*' AND trim(substr(it, 20), '.0123456789') = '' \
             AND date(substr(it, 1, 10)) = substr(it, 1, 10)), {})"
        }
        // SQLite's own functions know milliseconds at the most, so the fraction is kept as it is written.
        // A timestamp without an offset counts as one in UTC.
        // A fraction finer than microseconds would be cut, so such a value is kept.
        Kind::Timestamp => {
            "coalesce((SELECT strftime('%Y-%m-%dT%H:%M:%S', substr(it, 1, 19) || zone) || '.' || \
             substr(fraction || '000000', 1, 6) || 'Z' FROM (SELECT it, zone, \
             substr(it, 21, max(0, length(it) - 20 - length(zone))) AS fraction FROM (SELECT it, \
             ltrim(substr(it, 20), '.0123456789') AS zone FROM (SELECT {} AS it))) \
             WHERE it GLOB '????-??-??[ T]??:??:??*' AND length(rtrim(fraction, '0')) <= 6 \
             AND date(substr(it, 1, 10)) = substr(it, 1, 10)), {})"
        }
        // A copy has that form.
        _ => GAP,
    };
    // The name of the column is known at run time only, so each gap gets it as a quoted identifier.
    for (index, part) in expression.split(GAP).enumerate() {
        if index > 0 {
            writer.identifier(column.name);
        }
        writer.sql(part);
    }
}
