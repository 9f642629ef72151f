//! The values of a column as JSON schemas.

use std::fmt::Display;

use resource_model::schema::{Bound, Column, Kind};
use resource_model::value::JsonForm;

use crate::openapi::json::{Json, Object, object};
use crate::openapi::spec_version::OpenApiVersion;

/// The JSON schema of a column's values.
pub(in crate::openapi) fn schema(spec: OpenApiVersion, column: &Column) -> Object {
    // The table of kinds tells the form in JSON; the column adds limits and null.
    let nullable = column.nullable;
    match column.kind.entry().json {
        JsonForm::Boolean => spec.typed("boolean", nullable),
        JsonForm::Integer(format) => number(spec, column, "integer", format),
        JsonForm::Number(format) => number(spec, column, "number", format),
        JsonForm::Text => text(spec, column),
        JsonForm::Base64 => bytes(spec, column),
        JsonForm::Format(format) => {
            let pattern = object! { "pattern": column.storage.digits.map(digits) };
            let text = spec.typed("string", nullable).with("format", format);
            text.and(spec.in_json_schema(pattern))
        }
        JsonForm::Pattern(pattern) => shaped(spec, nullable, pattern),
        // The empty schema allows every value.
        JsonForm::Any => Object::new(),
    }
}

/// The pattern of decimals of these digits; responses have all of them behind the point.
fn digits((precision, scale): (u8, u8)) -> String {
    let whole = match precision - scale {
        0 => "0".to_owned(),
        digits => format!(r"\d{{1,{digits}}}"),
    };
    match scale {
        0 => format!("^-?{whole}$"),
        scale => format!(r"^-?{whole}(\.\d{{1,{scale}}})?$"),
    }
}

/// Pattern of texts without U+0000, which PostgreSQL cannot store and no text therefore holds.
const WITHOUT_NUL: &str = r"^[^\u0000]*$";

/// A string with a pattern: the formats of JSON Schema have offsets, which these values have not.
fn shaped(spec: OpenApiVersion, nullable: bool, pattern: &'static str) -> Object {
    let pattern = spec.in_json_schema(object! { "pattern": pattern });
    spec.typed("string", nullable).and(pattern)
}

fn bytes(spec: OpenApiVersion, column: &Column) -> Object {
    // JSON Schema says in a keyword of its own what 3.0 says in a format.
    let (keyword, form) = match spec {
        OpenApiVersion::V31 => ("contentEncoding", "base64"),
        OpenApiVersion::V30 => ("format", "byte"),
    };
    spec.typed("string", column.nullable).and(object! {
        "minLength": column.min_length.map(in_base64),
        "maxLength": column.max_length.map(in_base64),
        keyword: form,
    })
}

fn text(spec: OpenApiVersion, column: &Column) -> Object {
    // Lengths of texts count characters in JSON Schema, as they do in both databases.
    shaped(spec, column.nullable, WITHOUT_NUL)
        .with("minLength", column.min_length)
        .with("maxLength", column.max_length)
}

fn number(
    spec: OpenApiVersion,
    column: &Column,
    of_type: &'static str,
    format: &'static str,
) -> Object {
    // Integers alone have one.
    let range = column.kind.integer_range();
    // Tools for 3.0 read limits as doubles, which cannot hold the ends of the range of 64 bits.
    let range = range.filter(|_| spec == OpenApiVersion::V31 || column.kind != Kind::BigInteger);
    let (least, greatest) = range.unzip();
    let (min, max) = (column.min, column.max);
    spec.typed(of_type, column.nullable).and(object! {
        "format": format,
        // A limit of the attribute is narrower than the range of its type.
        "minimum": min.map(bound).or(least.map(Json::from)),
        "maximum": max.map(bound).or(greatest.map(Json::from)),
    })
}

const fn bound(bound: Bound) -> Json {
    match bound {
        Bound::Integer(integer) => Json::Integer(integer),
        Bound::Real(real) => Json::Real(real),
    }
}

/// The limits of values that are written as strings, whose schemas can limit only the length of the text.
pub(super) fn in_words(column: &Column) -> Option<String> {
    match column.kind {
        // The schema limits the text in base64, whose length tells the number of bytes only roughly.
        Kind::Bytes => range(column.min_length, column.max_length, " bytes"),
        Kind::Decimal => range(column.min, column.max, ""),
        Kind::Timestamp | Kind::LocalDateTime => match column.storage.fraction() {
            0 => Some("Without a fraction of a second.".to_owned()),
            6 => None,
            digits => Some(format!("At most {digits} digits behind the second.")),
        },
        _ => None,
    }
}

/// The length of so many bytes in base64 with padding (RFC 4648, section 4).
fn in_base64(bytes: u32) -> i64 {
    i64::from(bytes.div_ceil(3)) * 4
}

fn range(least: Option<impl Display>, most: Option<impl Display>, unit: &str) -> Option<String> {
    match (least, most) {
        (Some(least), Some(most)) => Some(format!("From {least} to {most}{unit}.")),
        (Some(least), None) => Some(format!("At least {least}{unit}.")),
        (None, Some(most)) => Some(format!("At most {most}{unit}.")),
        (None, None) => None,
    }
}
