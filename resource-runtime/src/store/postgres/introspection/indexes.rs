//! The indexes of a table.

use resource_sql::Dialect;
use sqlx::Row as _;
use sqlx::postgres::PgRow;

use crate::store::check_constraint::{null_tested, tokens};
use crate::store::index::{Index, Part};

/// Reads the columns of each index, an expression as an empty name, and whether each has the order of its
/// column. An invalid index is left out: it serves no query and enforces nothing yet. A `DEFERRABLE` one does
/// not count as unique, since it may refuse a row only at the commit.
pub(super) const INDEXES: &str = r"
    SELECT indisprimary, indisunique AND indimmediate, indpred IS NOT NULL,
           array_agg(coalesce(attname::text, '') ORDER BY ordinal),
           array_agg(attname IS NULL OR (attcollation = collated AND opcdefault AND
               amname = 'btree') ORDER BY ordinal),
           pg_get_expr(indpred, indrelid),
           array_agg(coalesce(amname = 'btree' AND collname IN ('C', 'POSIX'), FALSE) ORDER BY ordinal)
    FROM pg_index
    JOIN pg_class AS index ON index.oid = indexrelid
    JOIN pg_am ON pg_am.oid = relam,
         unnest(indkey::int2[], indcollation::oid[], indclass::oid[])
             WITH ORDINALITY AS key (number, collated, class, ordinal)
    LEFT JOIN pg_opclass ON pg_opclass.oid = class
    LEFT JOIN pg_collation ON pg_collation.oid = collated
    LEFT JOIN pg_attribute ON attnum = number AND number > 0
        AND attrelid = to_regclass($1)
    WHERE indrelid = to_regclass($1) AND ordinal <= indnkeyatts AND indisvalid
    GROUP BY indexrelid, indrelid, indisprimary, indisunique AND indimmediate, indpred
    ORDER BY indexrelid";

pub(super) fn index(row: &PgRow) -> sqlx::Result<Index> {
    let columns: Vec<String> = row.try_get(3)?;
    let orders: Vec<bool> = row.try_get(4)?;
    let by_code_point: Vec<bool> = row.try_get(6)?;
    let condition: Option<String> = row.try_get(5)?;
    let condition = tokens(Dialect::Postgres, condition.as_deref().unwrap_or_default());
    // The arrays come from one group of the query, so that they have the same length and order.
    let orders = orders.into_iter().zip(by_code_point);
    let parts = columns.into_iter().zip(orders);
    Ok(Index {
        is_primary_key: row.try_get(0)?,
        is_unique: row.try_get(1)?,
        is_partial: row.try_get(2)?,
        where_null: null_tested(&condition).map(str::to_owned),
        parts: parts
            .map(|(column, (has_default_order, is_by_code_point))| Part {
                column: Some(column).filter(|column| !column.is_empty()),
                has_default_order,
                is_by_code_point,
            })
            .collect(),
    })
}
