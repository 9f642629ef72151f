//! The key of a table or a view, by which its rows are addressed.

use resource_runtime::Database;
use resource_runtime::schema::{StoredColumn, StoredTable};

use crate::names::words;
use crate::secrets::is_secret;
use crate::types::{Found, Mapped, Role};

/// The most columns that a key of a model has.
const MAX_COLUMNS: usize = 8;

/// The number of columns of a view that are tried in pairs.
const PAIRED: usize = 6;

/// A key.
#[derive(Debug, Default)]
pub(crate) struct Key {
    pub(crate) columns: Vec<String>,
    /// The reason for which it is the key, where no catalogue tells it.
    pub(crate) comment: Option<String>,
    /// A question to decide, where nothing tells it.
    pub(crate) question: Option<String>,
}

/// The key of a table or a view, or the remedy where there is none; `rows` are read for that of a view.
pub(crate) async fn key(
    stored: &StoredTable,
    found: &[Found],
    rows: Option<&Database>,
) -> Result<Key, String> {
    let columns = stored.columns.iter().zip(found);
    let served = columns.filter_map(|(column, found)| Some((column, found.as_ref().ok()?)));
    let served: Vec<(&StoredColumn, &Mapped)> = served.collect();
    if stored.is_table {
        of_table(stored, &served)
    } else {
        of_view(stored, &served, rows).await
    }
}

/// The key of a table: its primary key, or the smallest unique set that is never null.
fn of_table(stored: &StoredTable, served: &[(&StoredColumn, &Mapped)]) -> Result<Key, String> {
    if stored.has_heirs {
        return Err(String::from(
            "other tables inherit it, so that it shows their rows, too, of which several may have one key; a view can show \
             its own by `SELECT * FROM ONLY`",
        ));
    }
    let find = |name: &String| served.iter().find(|(column, _)| column.name == *name);
    let is_set = |name| find(name).is_some_and(|(column, _)| !column.nullable);
    let unique = stored.unique.iter();
    let unique = unique.filter(|set| set.is_plain() && set.columns.iter().all(is_set));
    let least = unique.map(|set| &set.columns).min_by_key(|it| it.len());
    let primary = Some(&stored.primary_key).filter(|key| !key.is_empty());
    let Some(columns) = primary.or(least) else {
        return Err(String::from(
            "it has no primary key and no unique columns that are `NOT NULL`, so that its rows have no address; \
             add a column that is one, or a unique index",
        ));
    };
    let mut of_key = columns.iter().filter_map(find);
    let has_secret = of_key.any(|(column, mapped)| is_secret(stored, column, mapped));
    let is_key = |name| find(name).is_some_and(|(_, mapped)| mapped.rust.is_key());
    let named = columns.join("`, `");
    if columns.len() > MAX_COLUMNS {
        Err(format!(
            "its key has {} columns, and a model's at most {MAX_COLUMNS}; a view can have fewer, joined as one text",
            columns.len()
        ))
    } else if has_secret {
        Err(format!(
            "its key `{named}` has the name of a secret, and would stand in addresses; a view can show the rest"
        ))
    } else if columns.iter().all(is_key) {
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        Ok(Key::of(&columns))
    } else {
        Err(format!(
            "its key `{named}` is no integer, text or UUID; a view can `CAST` it"
        ))
    }
}

/// The key of a view, which no catalogue tells but that of a materialized view with a unique index: the column that
/// identifies each row. Two that do so together are a guess.
async fn of_view(
    stored: &StoredTable,
    served: &[(&StoredColumn, &Mapped)],
    rows: Option<&Database>,
) -> Result<Key, String> {
    let candidates = candidates(stored, served);
    let Some(first) = candidates.first() else {
        return Err(String::from(
            "no column of the view can be the address of a row; add one that is an integer, a text or a UUID",
        ));
    };
    for columns in indexed(stored, &candidates) {
        // A unique index lets several rows be null.
        if look(rows, stored, &columns).await != Evidence::Against {
            return Ok(Key::of(&columns));
        }
    }
    let (evidence, columns) = by_rows(rows, stored, &candidates).await;
    let guess = match columns.as_slice() {
        [] => vec![*first],
        _ => columns,
    };
    let why = match (evidence, guess.len()) {
        (Evidence::For, 1) => return Ok(Key::at_present(&guess)),
        // Of a few rows, some pair is soon different in all.
        (Evidence::For, _) => "no column alone does",
        (Evidence::Against, _) => {
            return Err(String::from(
                "no column of the view identifies a row, and no two of them do; let it select the key of a table",
            ));
        }
        (Evidence::TooFew, _) => "its rows are too few to tell",
        (Evidence::Unread, _) => "its rows were not read",
        (Evidence::Unreadable, _) => "its rows cannot be read",
    };
    let question = format!(
        "which columns identify a row of `{}`? {why}, and `{}` is a guess; give `primary_key` to those that do, and \
         delete this line",
        stored.name,
        guess.join("` with `")
    );
    Ok(Key {
        question: Some(question),
        ..Key::of(&guess)
    })
}

impl Key {
    fn of(columns: &[&str]) -> Self {
        Self {
            columns: columns.iter().map(|it| (*it).to_owned()).collect(),
            ..Self::default()
        }
    }

    /// The key that the rows tell.
    fn at_present(columns: &[&str]) -> Self {
        let comment = format!(
            "The key is `{}`, as no two rows share it at present; nothing in the database promises that.",
            columns.join("`, `")
        );
        Self {
            comment: Some(comment),
            ..Self::of(columns)
        }
    }
}

/// The evidence of rows about columns that might be the key.
#[derive(PartialEq)]
enum Evidence {
    For,
    Against,
    TooFew,
    Unread,
    Unreadable,
}

async fn look(rows: Option<&Database>, stored: &StoredTable, columns: &[&str]) -> Evidence {
    let Some(rows) = rows else {
        return Evidence::Unread;
    };
    match rows.identifies(&stored.name, columns).await {
        Ok(Some(true)) => Evidence::For,
        Ok(Some(false)) => Evidence::Against,
        Ok(None) => Evidence::TooFew,
        Err(_) => Evidence::Unreadable,
    }
}

/// The first columns that the rows do not speak against.
async fn by_rows<'columns>(
    rows: Option<&Database>,
    stored: &StoredTable,
    candidates: &[&'columns str],
) -> (Evidence, Vec<&'columns str>) {
    for columns in alone_and_paired(candidates) {
        let evidence = look(rows, stored, &columns).await;
        if evidence != Evidence::Against {
            return (evidence, columns);
        }
    }
    (Evidence::Against, Vec::new())
}

/// The columns that may be a key: those that are called so first, then numbers and UUIDs, then texts.
fn candidates<'columns>(
    stored: &StoredTable,
    served: &[(&'columns StoredColumn, &Mapped)],
) -> Vec<&'columns str> {
    let is_candidate = |(column, mapped): &&(&StoredColumn, &Mapped)| {
        mapped.rust.is_key() && !is_secret(stored, column, mapped)
    };
    let mut candidates: Vec<_> = served.iter().filter(is_candidate).collect();
    candidates.sort_by_key(|(column, mapped)| {
        let words = words(&column.name);
        let is_called = words.last().is_some_and(|last| last == "id");
        let is_text = mapped.rust.role == Role::Text && mapped.rust.name != "Uuid";
        (words != ["id"], !is_called, is_text)
    });
    let names = candidates.into_iter();
    names.map(|(column, _)| column.name.as_str()).collect()
}

/// The columns of the unique indexes.
fn indexed<'columns>(
    stored: &'columns StoredTable,
    candidates: &[&'columns str],
) -> Vec<Vec<&'columns str>> {
    let unique = stored.unique.iter().filter(|set| set.is_plain());
    let unique = unique.map(|set| set.columns.iter().map(String::as_str));
    let unique = unique.map(Iterator::collect::<Vec<_>>);
    let is_key = |set: &Vec<&str>| {
        set.len() <= MAX_COLUMNS && set.iter().all(|column| candidates.contains(column))
    };
    unique.filter(is_key).collect()
}

/// Each column, then each pair of the first.
fn alone_and_paired<'columns>(candidates: &[&'columns str]) -> Vec<Vec<&'columns str>> {
    let alone = candidates.iter().map(|column| vec![*column]);
    let paired = || candidates.iter().take(PAIRED);
    let pairs = paired().enumerate().flat_map(|(index, first)| {
        let others = paired().skip(index + 1);
        others.map(|second| vec![*first, *second])
    });
    alone.chain(pairs).collect()
}
