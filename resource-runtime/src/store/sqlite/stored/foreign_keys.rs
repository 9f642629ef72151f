use resource_model::schema::{StoredForeignKey, Table};
use rusqlite::Connection;

use super::{names, spelled};

/// A key that names no columns of its target points at the primary key.
const FOREIGN_KEYS: &str = r#"
    SELECT "key"."id", "key"."table", "key"."from", coalesce("key"."to", (
        SELECT "name" FROM pragma_table_xinfo("key"."table") WHERE "pk" = "key"."seq" + 1
    ), ''), "key"."on_delete", "key"."on_update"
    FROM pragma_foreign_key_list(?1) AS "key" ORDER BY "key"."id", "key"."seq""#;

pub(super) fn read(
    connection: &Connection,
    needed: &Table,
    all: &[Table],
) -> rusqlite::Result<Vec<StoredForeignKey>> {
    let mut prepared = connection.prepare(FOREIGN_KEYS)?;
    let mut rows = prepared.query([needed.name.as_str()])?;
    let mut keys: Vec<(i64, StoredForeignKey)> = Vec::new();
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        let target = spelled(row.get(1)?, all.iter().map(|table| table.name));
        let target_table = all.iter().find(|table| table.name.as_str() == target);
        if keys.last().is_none_or(|(last, _)| *last != id) {
            let key = StoredForeignKey {
                columns: Vec::new(),
                target,
                target_columns: Vec::new(),
                on_delete: unless_refused(row.get(4)?),
                on_update: unless_refused(row.get(5)?),
                is_deferred: false,
            };
            keys.push((id, key));
        }
        if let Some((_, key)) = keys.last_mut() {
            let known = target_table.into_iter().flat_map(names);
            key.columns.push(spelled(row.get(2)?, names(needed)));
            key.target_columns.push(spelled(row.get(3)?, known));
        }
    }
    Ok(keys.into_iter().map(|(_, key)| key).collect())
}

/// The action of a foreign key, if it is one: those that are none refuse the write.
fn unless_refused(action: String) -> Option<String> {
    let is_refusal = matches!(action.as_str(), "NO ACTION" | "RESTRICT");
    (!is_refusal).then_some(action)
}
