use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row as _};

use crate::store::index::{Index, Part};

/// The columns of each index, an expression as an empty name; whether each is ordered as its column
/// is. One that is being made, or failed to be, finds nothing and forbids nothing yet; one that is
/// `DEFERRABLE` may forbid too late.
const INDEXES: &str = r"
    SELECT indisprimary, indisunique AND indimmediate, indpred IS NOT NULL,
           array_agg(coalesce(attname::text, '') ORDER BY permit),
           array_agg(attname IS NULL OR (attcollation = collated AND opcdefault AND
               amname = 'btree') ORDER BY permit)
    FROM pg_index
    JOIN pg_class AS index ON index.oid = indexrelid
    JOIN pg_am ON pg_am.oid = relam,
         unnest(indkey::int2[], indcollation::oid[], indclass::oid[])
             WITH ORDINALITY AS key (number, collated, class, permit)
    LEFT JOIN pg_opclass ON pg_opclass.oid = class
    LEFT JOIN pg_attribute ON attnum = number AND number > 0
        AND attrelid = to_regclass(quote_ident($1))
    WHERE indrelid = to_regclass(quote_ident($1)) AND permit <= indnkeyatts AND indisvalid
    GROUP BY indexrelid, indisprimary, indisunique AND indimmediate, indpred IS NOT NULL
    ORDER BY indexrelid";

pub(super) async fn read(
    connection: &mut PgConnection,
    table: &'static str,
) -> sqlx::Result<Vec<Index>> {
    let rows = sqlx::query(INDEXES).bind(table);
    let rows = rows.fetch_all(&mut *connection).await?;
    rows.iter().map(index).collect()
}

fn index(row: &PgRow) -> sqlx::Result<Index> {
    let columns: Vec<String> = row.try_get(3)?;
    let usual: Vec<bool> = row.try_get(4)?;
    let parts = columns.into_iter().zip(usual);
    Ok(Index {
        is_primary_key: row.try_get(0)?,
        is_unique: row.try_get(1)?,
        is_partial: row.try_get(2)?,
        parts: parts
            .map(|(column, is_usual)| Part {
                column: Some(column).filter(|column| !column.is_empty()),
                is_usual,
            })
            .collect(),
    })
}
