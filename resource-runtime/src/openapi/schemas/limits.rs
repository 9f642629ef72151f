use std::fmt::Display;

use resource_model::schema::{Column, Kind};

/// The limits of what stands in strings, whose schemas know lengths of text alone.
pub(super) fn in_words(column: &Column) -> Option<String> {
    match column.kind {
        Kind::Bytes => range(column.min_length, column.max_length, " bytes"),
        Kind::Decimal => range(column.min, column.max, ""),
        _ => None,
    }
}

/// How long the string is in which so many bytes stand: base64 with padding (RFC 4648, section 4).
pub(super) fn in_base64(bytes: u32) -> i64 {
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
