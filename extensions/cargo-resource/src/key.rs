//! The key of a table or a view, by which its rows are addressed.

use resource_runtime::Error;
use resource_runtime::schema::StoredTable;

use crate::rows::Rows;
use crate::secrets::is_secret;
use crate::types::Found;

/// The columns of the key and what has to be decided about it, or the remedy where there is none.
pub(crate) type KeyFound = Result<(Vec<String>, Option<String>), String>;

/// The key of a table: its primary key, or the smallest unique set that is never null.
pub(crate) fn key(stored: &StoredTable, found: &[Found], rows: &Rows) -> Result<KeyFound, Error> {
    let columns = stored.columns.iter().zip(found);
    let mapped = |name: &String| {
        let (column, found) = columns.clone().find(|(column, _)| column.name == *name)?;
        Some((column, found.as_ref().ok()?))
    };
    let is_secret =
        |name: &String| mapped(name).is_some_and(|(column, it)| is_secret(stored, column, it));
    let is_key = |name: &String| mapped(name).is_some_and(|(_, it)| it.rust.is_key());
    if !stored.is_table {
        return view_key(stored, |name| is_key(name) && !is_secret(name), rows);
    }
    let is_set = |name: &String| mapped(name).is_some_and(|(column, _)| !column.nullable);
    let unique = stored
        .unique
        .iter()
        .filter(|set| set.is_plain() && set.columns.iter().all(is_set));
    let least = unique
        .map(|set| &set.columns)
        .min_by_key(|columns| columns.len());
    let key = Some(&stored.primary_key)
        .filter(|key| !key.is_empty())
        .or(least);
    Ok(match key {
        Some(key) if key.iter().any(is_secret) => Err(format!(
            "its key `{}` has the name of a secret, and would stand in addresses; a view can show the rest",
            key.join("`, `")
        )),
        Some(key) if key.iter().all(is_key) => Ok((key.clone(), None)),
        Some(key) => Err(format!(
            "its key `{}` is no integer, text or UUID; a view can `CAST` it",
            key.join("`, `")
        )),
        None => Err(String::from(
            "it has no primary key and no unique columns that are `NOT NULL`, so that its rows have no address; \
             add a column that is one, or a unique index",
        )),
    })
}

/// The key of a view, which no catalogue tells: `id`, or the first column that identifies each row.
fn view_key(
    stored: &StoredTable,
    is_key: impl Fn(&String) -> bool,
    rows: &Rows,
) -> Result<KeyFound, Error> {
    let names = stored.columns.iter().map(|column| &column.name);
    let mut names: Vec<&String> = names.filter(|name| is_key(name)).collect();
    names.sort_by_key(|name| !name.eq_ignore_ascii_case("id"));
    for name in &names {
        if rows.identifies(&stored.name, name)? == Some(true) {
            return Ok(Ok((vec![(*name).clone()], None)));
        }
    }
    let Some(first) = names.first() else {
        return Ok(Err(String::from(
            "no column of the view can be the address of a row; add one that is an integer, a text or a UUID",
        )));
    };
    let question = format!(
        "say which column of `{}` identifies a row: write `primary_key` there, and delete this line",
        stored.name
    );
    let is_id = first.eq_ignore_ascii_case("id");
    Ok(Ok((
        vec![(*first).clone()],
        Some(question).filter(|_| !is_id),
    )))
}
