//! Rows as JSON, from the memory of SQLite to the body of the answer.

use std::io::Write as _;

use rusqlite::Row;
use rusqlite::types::ValueRef;

use crate::Outcome;

pub(super) type Columns = [&'static str];

const EXPANDED: &Columns = &["id", "first_name", "last_name"];

const ADDRESS: &Columns = &["line1", "city", "zip_code"];

pub(super) fn write_row(body: &mut Vec<u8>, columns: &Columns, row: &Row<'_>) -> Outcome {
    body.push(b'{');
    write_members(body, columns, row, 0)?;
    body.push(b'}');
    Ok(())
}

/// Writes a person with its two addresses.
pub(super) fn expanded(body: &mut Vec<u8>, row: &Row<'_>) -> Outcome {
    body.push(b'{');
    write_members(body, EXPANDED, row, 0)?;
    body.extend_from_slice(br#","bill_address":"#);
    write_address(body, row, EXPANDED.len())?;
    body.extend_from_slice(br#","ship_address":"#);
    write_address(body, row, EXPANDED.len() + ADDRESS.len())?;
    body.push(b'}');
    Ok(())
}

/// Writes the address of a join, which lacks its first line only where none was found.
fn write_address(body: &mut Vec<u8>, row: &Row<'_>, first: usize) -> Outcome {
    if row.get_ref(first)? == ValueRef::Null {
        body.extend_from_slice(b"null");
        return Ok(());
    }
    body.push(b'{');
    write_members(body, ADDRESS, row, first)?;
    body.push(b'}');
    Ok(())
}

fn write_members(body: &mut Vec<u8>, columns: &Columns, row: &Row<'_>, first: usize) -> Outcome {
    for (index, name) in columns.iter().enumerate() {
        let separator = if index == 0 { "" } else { "," };
        write!(body, r#"{separator}"{name}":"#)?;
        write_value(body, row.get_ref(first + index)?)?;
    }
    Ok(())
}

fn write_value(body: &mut Vec<u8>, value: ValueRef<'_>) -> Outcome {
    match value {
        ValueRef::Integer(number) => serde_json::to_writer(body, &number)?,
        ValueRef::Text(text) => serde_json::to_writer(body, std::str::from_utf8(text)?)?,
        _ => body.extend_from_slice(b"null"),
    }
    Ok(())
}
