//! Sequences whose next value a row has already, as a bulk load with ids of its own leaves them.

use resource_model::error::DatabaseFailure;
use resource_model::schema::{StoredSequence, StoredTable, Table};
use sqlx::{PgConnection, Row as _};

use crate::store::postgres::failure::of;
use crate::store::postgres::transaction::query;

/// Sequence of a column, by its identity or its default, and the step by which its values grow. One
/// that shrinks, or that the role may not read, is none.
const SEQUENCE: &str = r"
    SELECT nspname::text, relname::text, seqincrement
    FROM pg_attribute
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    JOIN pg_depend ON CASE WHEN attidentity = ''
        THEN classid = 'pg_attrdef'::regclass AND objid = pg_attrdef.oid
        ELSE refclassid = 'pg_class'::regclass AND refobjid = attrelid AND refobjsubid = attnum
            AND classid = 'pg_class'::regclass AND deptype = 'i' END
    JOIN pg_sequence ON seqrelid = CASE WHEN attidentity = '' THEN refobjid ELSE objid END
    JOIN pg_class ON pg_class.oid = seqrelid
    JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE attrelid = to_regclass(quote_ident($1)) AND attname = $2 AND seqincrement > 0
        AND has_sequence_privilege(seqrelid, 'SELECT')";

/// The sequence of the primary key, where it is behind.
pub(super) async fn behind(
    connection: &mut PgConnection,
    needed: &Table,
    stored: &StoredTable,
) -> Result<Option<StoredSequence>, DatabaseFailure> {
    let mut columns = needed.columns.iter();
    let key =
        columns.find(|it| it.assigned_by_database && stored.primary_key == [it.name.as_str()]);
    let Some(key) = key else {
        return Ok(None);
    };
    let found = sqlx::query(SEQUENCE)
        .bind(needed.name.as_str())
        .bind(key.name.as_str());
    let found = found.fetch_optional(&mut *connection).await;
    let Some(row) = found.map_err(|error| of(&error))? else {
        return Ok(None);
    };
    let name = |index| row.try_get(index).map_err(|error| of(&error));
    let (schema, name) = (name(0)?, name(1)?);
    let sequence = StoredSequence { schema, name };
    let step = row.try_get(2).map_err(|error| of(&error))?;
    let statement = resource_sql::is_behind(&sequence, step, needed.name, key.name);
    let is_behind = query(&statement)?.fetch_optional(connection).await;
    Ok(is_behind.map_err(|error| of(&error))?.map(|_| sequence))
}
