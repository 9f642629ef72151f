//! Introspection of PostgreSQL: the tables of a database as its catalogue describes them.

mod columns;
mod indexes;

use resource_model::error::DatabaseResult;
use resource_model::schema::{
    Identifier, Privilege, ReferentialAction, StoredColumn, StoredForeignKey, StoredSequence,
    StoredTable, Table,
};
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row as _};
use tokio::time::Instant;

use indexes::{INDEXES, index};

use super::PostgresDatabase;
use super::connection_pool::Purpose;
use super::failure::statement_failure;
use super::statement_timeout::StatementTimeout;
use super::transaction::query;
use crate::store::DivertedWrites;
use crate::store::index::{Index, lookup_columns, ordered_columns};

/// Reads what the relation of this name is, an ordinary or partitioned table among others, and what belongs to it: the
/// rules on writes, each behind the digit of its write.
const RELATION: &str = r"
    SELECT relkind IN ('r', 'p'), obj_description(oid, 'pg_class'), relrowsecurity,
           ARRAY(SELECT tgname::text FROM pg_trigger WHERE tgrelid = pg_class.oid AND NOT tgisinternal
               ORDER BY tgname),
           ARRAY(SELECT ev_type::text || rulename FROM pg_rewrite WHERE ev_class = pg_class.oid
               AND ev_type <> '1' AND ev_enabled IN ('O', 'A') ORDER BY rulename)
    FROM pg_class WHERE oid = to_regclass($1)";

/// Reads the terms on which the role uses a relation: whether it has heirs, whether policies hide rows, whether one of
/// them reads a setting of the session, be it in a function that is not `IMMUTABLE`, and what the role may not do with the columns and with the relation.
const TERMS: &str = r"
    SELECT relkind = 'r' AND EXISTS (SELECT FROM pg_inherits WHERE inhparent = oid),
           row_security_active(oid),
           EXISTS (SELECT FROM pg_policy WHERE polrelid = pg_class.oid AND (concat(
               pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) ~ 'current_setting'
               OR EXISTS (SELECT FROM pg_depend JOIN pg_proc ON pg_proc.oid = refobjid
                   WHERE refclassid = 'pg_proc'::regclass AND classid = 'pg_policy'::regclass
                       AND objid = pg_policy.oid AND provolatile <> 'i'))),
           of_columns.selects, of_columns.inserts, of_columns.updates, of_columns.sequences,
           NOT has_table_privilege(oid, 'DELETE')
    FROM pg_class, LATERAL (
        SELECT coalesce(array_agg(name) FILTER (WHERE NOT has_column_privilege(oid, name, 'SELECT')), '{}'),
               coalesce(array_agg(name) FILTER (WHERE NOT has_column_privilege(oid, name, 'INSERT')), '{}'),
               coalesce(array_agg(name) FILTER (WHERE NOT has_column_privilege(oid, name, 'UPDATE')), '{}'),
               coalesce(array_agg(name) FILTER (WHERE EXISTS (
                   SELECT FROM pg_attrdef JOIN pg_depend ON objid = pg_attrdef.oid AND classid = 'pg_attrdef'::regclass
                   JOIN pg_sequence ON seqrelid = refobjid
                   WHERE adrelid = attrelid AND adnum = attnum AND NOT has_sequence_privilege(seqrelid, 'USAGE')
               )), '{}')
        FROM pg_attribute, LATERAL CAST(attname AS text) AS name
        WHERE attrelid = oid AND attnum > 0 AND NOT attisdropped
    ) AS of_columns (selects, inserts, updates, sequences)
    WHERE oid = to_regclass($1)";

/// Reads the names of the tables and views of the first schema of the search path, without partitions, whose rows are
/// those of their table, and without what extensions have made.
#[cfg(feature = "catalogue")]
const TABLES: &str = r"
    SELECT ARRAY(SELECT relname::text FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = current_schema() AND relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT relispartition
        AND NOT EXISTS (SELECT FROM pg_depend
            WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
    ORDER BY relname)";

/// Reads the writes for which the table, a partition or a child has a trigger that may divert rows. The bits of
/// `tgtype` mean: for each row (1), before (2) or instead of (64) the write, and the kinds of writes.
const TRIGGERS: &str = r"
    WITH RECURSIVE family AS (
        SELECT to_regclass($1)::oid AS member
        UNION SELECT inhrelid FROM pg_inherits JOIN family ON inhparent = member
    )
    SELECT COALESCE(bit_or(CAST(tgtype AS integer)), 0)
    FROM pg_trigger JOIN family ON tgrelid = member
    WHERE NOT tgisinternal AND tgenabled <> 'D' AND tgtype & 1 <> 0 AND tgtype & 66 <> 0";

const INSERT: i32 = 4;
const DELETE: i32 = 8;

impl PostgresDatabase {
    /// The stored tables for each of the needed ones; none where a table is missing.
    pub(in crate::store::postgres) async fn read_stored_tables(
        &self,
        needed: &[Table],
    ) -> DatabaseResult<Vec<Option<StoredTable>>> {
        let mut lease = self
            .lease_for_read(Purpose::Read, Instant::now() + self.acquire_timeout)
            .await?;
        let stored = stored_tables(&self.timeout, lease.connection()?, needed).await?;
        self.finish_read(lease).await;
        Ok(stored)
    }

    /// The names of the tables and views of the first schema of the search path.
    #[cfg(feature = "catalogue")]
    pub(in crate::store::postgres) async fn read_table_names(&self) -> DatabaseResult<Vec<String>> {
        let row = self.first_row(|| Ok(sqlx::query(TABLES))).await?;
        let names = row.map_or_else(|| Ok(Vec::new()), |row| row.try_get(0));
        names.map_err(statement_failure)
    }

    /// The writes with a trigger before each row, which may drop the row or store it elsewhere.
    pub(in crate::store::postgres) async fn read_triggers(
        &self,
        table: Identifier,
    ) -> DatabaseResult<DivertedWrites> {
        let query = || Ok(sqlx::query(TRIGGERS).bind(table.quoted()));
        let row = self.first_row(query).await?;
        // An aggregate has a row even where there is no trigger, so none means nothing.
        let triggers: i32 = row
            .map_or(Ok(0), |row| row.try_get(0))
            .map_err(statement_failure)?;
        Ok(DivertedWrites {
            inserts: triggers & INSERT != 0,
            // An update that moves a row to another partition is a deletion here and an insertion there.
            updates: triggers != 0,
            deletes: triggers & DELETE != 0,
        })
    }
}

/// The stored tables as this connection sees them, its open transaction included.
pub(in crate::store::postgres) async fn stored_tables(
    limit: &StatementTimeout,
    connection: &mut PgConnection,
    needed: &[Table],
) -> DatabaseResult<Vec<Option<StoredTable>>> {
    let mut stored = Vec::with_capacity(needed.len());
    for table in needed {
        // The limit holds for each table: many tables may take longer together than one statement may.
        stored.push(limit.run(stored_table(connection, table)).await?);
    }
    Ok(stored)
}

async fn stored_table(
    connection: &mut PgConnection,
    needed: &Table,
) -> sqlx::Result<Option<StoredTable>> {
    let mut stored = read(&mut *connection, needed.name).await?;
    // A view has no sequence of its own that a fix could set.
    if let Some(stored) = stored.as_mut().filter(|stored| stored.is_table) {
        stored.behind = sequence_behind(connection, needed, stored).await?;
    }
    Ok(stored)
}

async fn read(
    connection: &mut PgConnection,
    name: Identifier,
) -> sqlx::Result<Option<StoredTable>> {
    let table = &*name.quoted();
    let relation = sqlx::query(RELATION).bind(table);
    // A missing table needs none of the queries below.
    let Some(relation) = relation.fetch_optional(&mut *connection).await? else {
        return Ok(None);
    };
    let terms = sqlx::query(TERMS).bind(table);
    let terms = terms.fetch_one(&mut *connection).await?;
    let columns = columns::read(&mut *connection, table).await?;
    let indexes = sqlx::query(INDEXES).bind(table);
    let indexes = indexes.try_map(|row| index(&row));
    let indexes = indexes.fetch_all(&mut *connection).await?;
    let foreign_keys = sqlx::query(FOREIGN_KEYS).bind(table);
    let foreign_keys = foreign_keys.try_map(|row| foreign_key(&row));
    let foreign_keys = foreign_keys.fetch_all(&mut *connection).await?;
    let primary_key = indexes.iter().find(|index| index.is_primary_key);
    // A table may lack a primary key, and a view always does.
    let primary_key = primary_key.map_or_else(Vec::new, |index| index.unique().columns);
    let unique = indexes.iter();
    let unique = unique.filter(|index| index.is_unique && !index.is_primary_key);
    let assigns = |column: &StoredColumn| {
        primary_key == [&*column.name] && column.has_default && !column.has_constant_default
    };
    Ok(Some(StoredTable {
        name: name.as_str().to_owned(),
        is_table: relation.try_get(0)?,
        comment: relation.try_get(1)?,
        has_row_security: relation.try_get(2)?,
        triggers: relation.try_get(3)?,
        has_heirs: terms.try_get(0)?,
        hides_rows: terms.try_get(1)?,
        reads_session: terms.try_get(2)?,
        refused: refused(&terms)?,
        broken: broken(&relation.try_get::<Vec<_>, _>(4)?),
        assigns_key: columns.iter().any(assigns),
        unique: unique.map(Index::unique).collect(),
        indexes: lookup_columns(&indexes),
        ordered: ordered_columns(&indexes),
        foreign_keys,
        primary_key,
        columns,
        // No row has null in a primary key, whose sequence continues, whatever is deleted.
        ..StoredTable::default()
    }))
}

/// The privileges that the role lacks.
fn refused(terms: &PgRow) -> sqlx::Result<Vec<(Privilege, Vec<String>)>> {
    let mut refused: Vec<(_, Vec<String>)> = vec![
        (Privilege::Select, terms.try_get(3)?),
        (Privilege::Insert, terms.try_get(4)?),
        (Privilege::Update, terms.try_get(5)?),
        (Privilege::Sequence, terms.try_get(6)?),
    ];
    refused.retain(|(_, columns)| !columns.is_empty());
    if terms.try_get(7)? {
        refused.push((Privilege::Delete, Vec::new()));
    }
    Ok(refused)
}

/// The writes that rules replace or add to.
fn broken(rules: &[String]) -> Vec<(Privilege, Option<String>, String)> {
    let rules = rules.iter().filter_map(|rule| {
        let (digit, name) = rule.split_at_checked(1)?;
        let privilege = match digit {
            "2" => Privilege::Update,
            "3" => Privilege::Insert,
            _ => Privilege::Delete,
        };
        let words = format!("its rule `{name}` replaces the statement, or adds to it");
        Some((privilege, None, words))
    });
    rules.collect()
}

/// Reads the foreign keys of a table, their columns in the order of the constraint. A row keeps what is `NOT NULL`, so
/// that `SET NULL` refuses the write there; only newer servers have a list of the columns that it sets.
const FOREIGN_KEYS: &str = r"
    SELECT target.relname::text,
           array_agg(own.attname::text ORDER BY ordinal),
           array_agg(far.attname::text ORDER BY ordinal),
           CASE WHEN confdeltype = 'n' AND bool_or(own.attnotnull AND is_set IS NOT FALSE)
               THEN 'a' ELSE confdeltype::text END,
           confupdtype::text, condeferred,
           EXISTS (SELECT FROM pg_index WHERE indexrelid = conindid AND indisprimary),
           (SELECT nspname::text FROM pg_namespace WHERE oid = target.relnamespace),
           pg_table_is_visible(confrelid),
           coalesce(array_agg(own.attname::text ORDER BY ordinal) FILTER (WHERE is_set), '{}')
    FROM pg_constraint
    JOIN pg_class AS target ON target.oid = confrelid,
         unnest(conkey, confkey) WITH ORDINALITY AS pair (own_number, far_number, ordinal)
    CROSS JOIN LATERAL CAST(nullif(to_jsonb(pg_constraint) -> 'confdelsetcols', 'null') @> to_jsonb(own_number) AS bool) AS is_set
    JOIN pg_attribute AS own ON own.attnum = own_number
        AND own.attrelid = to_regclass($1)
    JOIN pg_attribute AS far ON far.attnum = far_number
    WHERE contype = 'f' AND conrelid = to_regclass($1) AND far.attrelid = confrelid
        -- A key to a partitioned table has one to each partition below it.
        AND NOT EXISTS (SELECT FROM pg_constraint AS whole
            WHERE whole.oid = pg_constraint.conparentid AND whole.conrelid = pg_constraint.conrelid)
    GROUP BY pg_constraint.oid, confrelid, target.relname, target.relnamespace, confdeltype, confupdtype, condeferred
    ORDER BY pg_constraint.oid";

fn foreign_key(row: &PgRow) -> sqlx::Result<StoredForeignKey> {
    Ok(StoredForeignKey {
        target: row.try_get(0)?,
        columns: row.try_get(1)?,
        target_columns: row.try_get(2)?,
        on_delete: action(row.try_get(3)?),
        on_update: action(row.try_get(4)?),
        is_deferred: row.try_get(5)?,
        is_to_primary_key: row.try_get(6)?,
        target_schema: row.try_get(7)?,
        is_target_visible: row.try_get(8)?,
        set_on_delete: row.try_get(9)?,
    })
}

/// The action of a foreign key, by its letter in the catalogue; none where the key refuses the write.
fn action(letter: &str) -> Option<ReferentialAction> {
    match letter {
        "c" => Some(ReferentialAction::Cascade),
        "n" => Some(ReferentialAction::SetNull),
        "d" => Some(ReferentialAction::SetDefault),
        // `a` and `r`, NO ACTION and RESTRICT.
        _ => None,
    }
}

/// Reads the sequence of a column, through its identity or its default, and the increment. Descending sequences
/// and those that the role may not read are left out.
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
    WHERE attrelid = to_regclass($1) AND attname = $2 AND seqincrement > 0
        AND has_sequence_privilege(seqrelid, 'SELECT')";

/// The sequence of the primary key, if it is behind the stored keys and would assign one of them again.
async fn sequence_behind(
    connection: &mut PgConnection,
    needed: &Table,
    stored: &StoredTable,
) -> sqlx::Result<Option<StoredSequence>> {
    let mut columns = needed.columns.iter();
    let key =
        columns.find(|it| it.assigned_by_database && stored.primary_key == [it.name.as_str()]);
    // Keys of the model or of several columns come from no sequence.
    let Some(key) = key else {
        return Ok(None);
    };
    let found = sqlx::query(SEQUENCE).bind(needed.name.quoted());
    let found = found.bind(key.name.as_str());
    // A default that is no sequence, for instance a random UUID, is never behind.
    let Some(row) = found.fetch_optional(&mut *connection).await? else {
        return Ok(None);
    };
    let (schema, name) = (row.try_get(0)?, row.try_get(1)?);
    let sequence = StoredSequence { schema, name };
    let statement = resource_sql::is_behind(&sequence, row.try_get(2)?, needed.name, key.name);
    // The statement has a row only if the sequence is behind.
    let is_behind =
        query(&statement).map_err(|failure| sqlx::Error::Encode(failure.to_string().into()))?;
    let is_behind = is_behind.fetch_optional(connection).await?;
    Ok(is_behind.map(|_| sequence))
}
