//! What the tables on a server are like, as its catalogue tells it.

use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row as _};

use super::PostgresDatabase;
use super::failure::of;
use crate::error::DatabaseFailure;
use crate::schema::{StoredColumn, StoredForeignKey, StoredTable, StoredUnique, Table};

const EXISTS: &str = "SELECT to_regclass(quote_ident($1)) IS NOT NULL";

const COLUMNS: &str = r"
    SELECT attname::text, format_type(atttypid, atttypmod), format_type(atttypid, NULL),
           coalesce(collname::text, ''), NOT attnotnull, atthasdef OR attidentity <> '',
           attgenerated <> '',
           CASE WHEN atttypid = 'varchar'::regtype AND atttypmod > 4 THEN atttypmod - 4 END
    FROM pg_attribute LEFT JOIN pg_collation ON pg_collation.oid = attcollation
    WHERE attrelid = to_regclass(quote_ident($1)) AND attnum > 0 AND NOT attisdropped
    ORDER BY attnum";

/// The columns of each index; those behind an expression find no rows by themselves.
const INDEXES: &str = r"
    SELECT indisprimary, indisunique, array_agg(coalesce(attname::text, '') ORDER BY place),
           indpred IS NOT NULL
    FROM pg_index, unnest(indkey::int2[]) WITH ORDINALITY AS key (number, place)
    LEFT JOIN pg_attribute ON attnum = number AND number > 0
        AND attrelid = to_regclass(quote_ident($1))
    WHERE indrelid = to_regclass(quote_ident($1)) AND place <= indnkeyatts
    GROUP BY indexrelid, indisprimary, indisunique, indpred IS NOT NULL ORDER BY indexrelid";

const FOREIGN_KEYS: &str = r"
    SELECT target.relname::text,
           array_agg(own.attname::text ORDER BY place),
           array_agg(far.attname::text ORDER BY place),
           confdeltype::text, confupdtype::text
    FROM pg_constraint
    JOIN pg_class AS target ON target.oid = confrelid,
         unnest(conkey, confkey) WITH ORDINALITY AS pair (own_number, far_number, place)
    JOIN pg_attribute AS own ON own.attnum = own_number
        AND own.attrelid = to_regclass(quote_ident($1))
    JOIN pg_attribute AS far ON far.attnum = far_number
    WHERE contype = 'f' AND conrelid = to_regclass(quote_ident($1)) AND far.attrelid = confrelid
    GROUP BY pg_constraint.oid, target.relname, confdeltype, confupdtype ORDER BY pg_constraint.oid";

impl PostgresDatabase {
    /// Each of these tables as the server has it.
    pub(in crate::execute) async fn stored_tables(
        &self,
        needed: &[Table],
    ) -> Result<Vec<Option<StoredTable>>, DatabaseFailure> {
        let mut connection = self.pool.acquire().await.map_err(|error| of(&error))?;
        let mut stored = Vec::with_capacity(needed.len());
        for table in needed {
            let name = table.name.as_str();
            let table = read(&mut connection, name).await;
            stored.push(table.map_err(|error| of(&error))?);
        }
        Ok(stored)
    }
}

async fn read(
    connection: &mut PgConnection,
    table: &'static str,
) -> sqlx::Result<Option<StoredTable>> {
    let exists = sqlx::query_scalar(EXISTS).bind(table);
    if !exists.fetch_one(&mut *connection).await? {
        return Ok(None);
    }
    let columns = sqlx::query(COLUMNS).bind(table);
    let columns = columns.fetch_all(&mut *connection).await?;
    let indexes = sqlx::query(INDEXES).bind(table);
    let indexes = indexes.fetch_all(&mut *connection).await?;
    let foreign_keys = sqlx::query(FOREIGN_KEYS).bind(table);
    let foreign_keys = foreign_keys.fetch_all(&mut *connection).await?;
    let columns: Vec<StoredColumn> = columns.iter().map(column).collect::<Result<_, _>>()?;
    let indexes: Vec<Index> = indexes.iter().map(index).collect::<Result<_, _>>()?;
    let key = indexes.iter().find(|index| index.is_primary_key);
    let primary_key = key.map_or_else(Vec::new, |index| index.set.columns.clone());
    let assigns = |column: &StoredColumn| primary_key == [&*column.name] && column.has_default;
    Ok(Some(StoredTable {
        assigns_key: columns.iter().any(assigns),
        primary_key,
        unique: unique(&indexes),
        indexes: indexes
            .into_iter()
            .filter(|index| !index.set.has_condition)
            .map(|index| index.set.columns)
            .collect(),
        assigns_key_again: false,
        conflicts: Vec::new(),
        foreign_keys: foreign_keys
            .iter()
            .map(foreign_key)
            .collect::<Result<_, _>>()?,
        columns,
    }))
}

fn column(row: &PgRow) -> sqlx::Result<StoredColumn> {
    let base: String = row.try_get(2)?;
    let max_length: Option<i32> = row.try_get(7)?;
    Ok(StoredColumn {
        name: row.try_get(0)?,
        declared_type: row.try_get(1)?,
        stored_as: Some(spelled(&base)),
        collation: row.try_get(3)?,
        nullable: row.try_get(4)?,
        has_default: row.try_get(5)?,
        is_generated: row.try_get(6)?,
        min_length: None,
        max_length: max_length.and_then(|length| u32::try_from(length).ok()),
        min: None,
        max: None,
        names: None,
    })
}

/// A type in the words of the definitions; one that no kind is stored as has none of them.
fn spelled(base: &str) -> &'static str {
    match base {
        "boolean" => "boolean",
        "smallint" => "smallint",
        "integer" => "integer",
        "bigint" => "bigint",
        "real" => "real",
        "double precision" => "double precision",
        "numeric" => "numeric",
        "text" | "character varying" => "text",
        "bytea" => "bytea",
        "uuid" => "uuid",
        "date" => "date",
        "time without time zone" => "time",
        "timestamp without time zone" => "timestamp",
        "timestamp with time zone" => "timestamptz",
        "jsonb" => "jsonb",
        _ => "another type",
    }
}

/// An index, with the columns that rows can be found by.
struct Index {
    is_primary_key: bool,
    is_unique: bool,
    set: StoredUnique,
}

fn index(row: &PgRow) -> sqlx::Result<Index> {
    let columns: Vec<String> = row.try_get(2)?;
    let found_by = columns.iter().take_while(|column| !column.is_empty());
    Ok(Index {
        is_primary_key: row.try_get(0)?,
        is_unique: row.try_get(1)?,
        set: StoredUnique {
            has_expression: columns.iter().any(String::is_empty),
            has_condition: row.try_get(3)?,
            has_collation: false,
            columns: found_by.cloned().collect(),
        },
    })
}

fn unique(indexes: &[Index]) -> Vec<StoredUnique> {
    let unique = indexes
        .iter()
        .filter(|index| index.is_unique && !index.is_primary_key);
    unique.map(|index| index.set.clone()).collect()
}

fn foreign_key(row: &PgRow) -> sqlx::Result<StoredForeignKey> {
    Ok(StoredForeignKey {
        target: row.try_get(0)?,
        columns: row.try_get(1)?,
        target_columns: row.try_get(2)?,
        on_delete: action(row.try_get(3)?).map(String::from),
        on_update: action(row.try_get(4)?).map(String::from),
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
