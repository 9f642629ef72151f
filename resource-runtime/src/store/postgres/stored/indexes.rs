use resource_model::schema::StoredUnique;
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row as _};

/// The columns of each index, an expression as an empty name; whether each is ordered as its column
/// is. One that is being made, or failed to be, finds nothing and forbids nothing yet; one that is
/// `DEFERRABLE` may forbid too late.
const INDEXES: &str = r"
    SELECT indisprimary, indisunique AND indimmediate, indpred IS NOT NULL,
           array_agg(coalesce(attname::text, '') ORDER BY place),
           array_agg(attname IS NULL OR (attcollation = collated AND opcdefault AND
               amname = 'btree') ORDER BY place)
    FROM pg_index
    JOIN pg_class AS index ON index.oid = indexrelid
    JOIN pg_am ON pg_am.oid = relam,
         unnest(indkey::int2[], indcollation::oid[], indclass::oid[])
             WITH ORDINALITY AS key (number, collated, class, place)
    LEFT JOIN pg_opclass ON pg_opclass.oid = class
    LEFT JOIN pg_attribute ON attnum = number AND number > 0
        AND attrelid = to_regclass(quote_ident($1))
    WHERE indrelid = to_regclass(quote_ident($1)) AND place <= indnkeyatts AND indisvalid
    GROUP BY indexrelid, indisprimary, indisunique AND indimmediate, indpred IS NOT NULL
    ORDER BY indexrelid";

/// An index with what it holds of each row.
pub(super) struct Index {
    is_primary_key: bool,
    is_unique: bool,
    is_partial: bool,
    parts: Vec<Part>,
}

struct Part {
    /// Empty for an expression.
    column: String,
    /// Whether values are ordered as statements order them.
    is_usual: bool,
}

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
            .map(|(column, is_usual)| Part { column, is_usual })
            .collect(),
    })
}

pub(super) fn primary_key(indexes: &[Index]) -> Vec<String> {
    let key = indexes.iter().find(|index| index.is_primary_key);
    key.map_or_else(Vec::new, |index| index.unique().columns)
}

/// What no two rows share, by these indexes, beside the primary key.
pub(super) fn unique(indexes: &[Index]) -> Vec<StoredUnique> {
    let unique = indexes.iter();
    let unique = unique.filter(|index| index.is_unique && !index.is_primary_key);
    unique.map(Index::unique).collect()
}

/// The columns that rows are found by in each index: those before an expression or another order.
/// An index on some rows alone finds only those.
pub(super) fn finding(indexes: &[Index]) -> Vec<Vec<String>> {
    let whole = indexes.iter();
    let whole = whole.filter(|index| !index.is_partial);
    whole.map(Index::first_columns).collect()
}

impl Index {
    fn first_columns(&self) -> Vec<String> {
        let parts = self.parts.iter();
        let usual = parts.take_while(|part| part.is_usual && !part.column.is_empty());
        usual.map(|part| part.column.clone()).collect()
    }

    fn unique(&self) -> StoredUnique {
        let columns = self.parts.iter().filter(|part| !part.column.is_empty());
        StoredUnique {
            columns: columns.map(|part| part.column.clone()).collect(),
            has_expression: self.parts.iter().any(|part| part.column.is_empty()),
            has_collation: self.parts.iter().any(|part| !part.is_usual),
            has_condition: self.is_partial,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Index, Part, StoredUnique, finding, unique};

    /// An index on these columns: `""` is an expression, and `!` marks another order.
    fn index(columns: &[&str]) -> Index {
        let part = |column: &&str| Part {
            column: column.trim_end_matches('!').to_owned(),
            is_usual: !column.ends_with('!'),
        };
        Index {
            is_primary_key: false,
            is_unique: true,
            is_partial: false,
            parts: columns.iter().map(part).collect(),
        }
    }

    #[test]
    fn rows_are_found_by_the_columns_before_what_no_statement_compares() {
        let partial = Index {
            is_partial: true,
            ..index(&["a"])
        };
        let indexes = [
            index(&["a", "b"]),
            index(&["a", "", "b"]),
            index(&["a", "b!"]),
            partial,
        ];
        assert_eq!(finding(&indexes), [vec!["a", "b"], vec!["a"], vec!["a"]]);
    }

    #[test]
    fn what_is_unique_is_told_with_what_is_odd_about_it() {
        let plain = StoredUnique {
            columns: vec![String::from("a"), String::from("b")],
            ..StoredUnique::default()
        };
        let indexes = [
            index(&["a", "b"]),
            index(&["a", "", "b"]),
            index(&["a", "b!"]),
        ];
        assert_eq!(
            unique(&indexes),
            [
                plain.clone(),
                StoredUnique {
                    has_expression: true,
                    ..plain.clone()
                },
                StoredUnique {
                    has_collation: true,
                    ..plain
                },
            ]
        );
    }
}
