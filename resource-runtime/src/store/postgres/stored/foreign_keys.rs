use resource_model::schema::StoredForeignKey;
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row as _};

const FOREIGN_KEYS: &str = r"
    SELECT target.relname::text,
           array_agg(own.attname::text ORDER BY place),
           array_agg(far.attname::text ORDER BY place),
           confdeltype::text, confupdtype::text, condeferred
    FROM pg_constraint
    JOIN pg_class AS target ON target.oid = confrelid,
         unnest(conkey, confkey) WITH ORDINALITY AS pair (own_number, far_number, place)
    JOIN pg_attribute AS own ON own.attnum = own_number
        AND own.attrelid = to_regclass(quote_ident($1))
    JOIN pg_attribute AS far ON far.attnum = far_number
    WHERE contype = 'f' AND conrelid = to_regclass(quote_ident($1)) AND far.attrelid = confrelid
    GROUP BY pg_constraint.oid, target.relname, confdeltype, confupdtype, condeferred
    ORDER BY pg_constraint.oid";

pub(super) async fn read(
    connection: &mut PgConnection,
    table: &'static str,
) -> sqlx::Result<Vec<StoredForeignKey>> {
    let rows = sqlx::query(FOREIGN_KEYS).bind(table);
    let rows = rows.fetch_all(&mut *connection).await?;
    rows.iter().map(foreign_key).collect()
}

fn foreign_key(row: &PgRow) -> sqlx::Result<StoredForeignKey> {
    Ok(StoredForeignKey {
        target: row.try_get(0)?,
        columns: row.try_get(1)?,
        target_columns: row.try_get(2)?,
        on_delete: action(row.try_get(3)?).map(String::from),
        on_update: action(row.try_get(4)?).map(String::from),
        is_deferred: row.try_get(5)?,
    })
}

/// What a reference does, by the letter of the catalogue; none where it refuses.
fn action(letter: &str) -> Option<&'static str> {
    match letter {
        "c" => Some("CASCADE"),
        "n" => Some("SET NULL"),
        "d" => Some("SET DEFAULT"),
        _ => None,
    }
}
