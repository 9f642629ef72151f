//! `ON CONFLICT` clauses, by which a constraint may replace or drop rows instead of refusing a write.

use resource_model::schema::StoredConflict;

use super::declaration::{column, token_name};
use crate::store::check_constraint::{Token, group, parts};

/// The conflict clauses in one member of a table's list, except those that refuse the row as usual.
pub(super) fn conflicts(member: &[Token<'_>]) -> Vec<StoredConflict> {
    let of_column = column(member);
    let pieces: Vec<_> = parts(member, |token| token.is_word("ON")).collect();
    // The constraint is in the piece before an `ON`, the clause in the piece after it. The actions of a
    // foreign key, like `ON DELETE`, are split alike, and skipped.
    let pairs = pieces.windows(2).filter_map(|pair| match pair {
        [constraint, [conflict, resolution, ..]] if conflict.is_word("CONFLICT") => {
            Some((constraint, resolution))
        }
        _ => None,
    });
    let conflicts = pairs.filter_map(|(constraint, resolution)| {
        let (clause, is_refused) = clause(resolution)?;
        // In a column, the clause belongs to it; a constraint of the table lists its columns.
        let columns = match &of_column {
            Some(column) => vec![column.clone()],
            None => constrained_columns(constraint)?,
        };
        Some(StoredConflict {
            columns,
            clause,
            is_refused,
        })
    });
    conflicts.collect()
}

/// The clause, and true if it refuses the row. `FAIL` counts as the usual `ABORT`, since our statements write one row
/// each.
fn clause(resolution: &Token<'_>) -> Option<(String, bool)> {
    let mut words = ["REPLACE", "IGNORE", "ROLLBACK"].into_iter();
    let word = words.find(|word| resolution.is_word(word))?;
    Some((format!("ON CONFLICT {word}"), word == "ROLLBACK"))
}

/// The columns of a table's constraint; none for a check, where SQLite accepts the clause and ignores it.
fn constrained_columns(constraint: &[Token<'_>]) -> Option<Vec<String>> {
    let mut starts = 0..constraint.len();
    // The columns are the group at the end, after the kind of the constraint: `UNIQUE (a, b)`.
    let (kind, columns) = starts.find_map(|start| {
        let (before, last) = constraint.split_at_checked(start)?;
        match group(last) {
            Some((columns, [])) => Some((before.last()?, columns)),
            _ => None,
        }
    })?;
    let columns = parts(columns, |token| token.is_symbol(","));
    // A collation or a direction may follow the name of a column.
    let columns = columns.filter_map(|column| token_name(column.first()?));
    (!kind.is_word("CHECK")).then(|| columns.collect())
}

#[cfg(test)]
mod tests {
    use crate::store::sqlite::introspection::declaration::Declaration;

    #[track_caller]
    fn assert_conflicts(list: &str, expected: &[(&[&str], &str, bool)]) {
        let statement = format!("CREATE TABLE t ({list})");
        let connection = rusqlite::Connection::open_in_memory().unwrap();
        connection.execute_batch(&statement).expect(&statement);
        let found = Declaration::read(&statement).conflicts;
        let found: Vec<(Vec<&str>, &str, bool)> = found
            .iter()
            .map(|it| {
                let columns = it.columns.iter().map(String::as_str).collect();
                (columns, it.clause.as_str(), it.is_refused)
            })
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|(columns, clause, is_refused)| (columns.to_vec(), *clause, *is_refused))
            .collect();
        assert_eq!(found, expected, "{list}");
    }

    #[test]
    fn a_clause_belongs_to_its_column() {
        assert_conflicts(
            "a VARCHAR(9) UNIQUE ON CONFLICT REPLACE, [b c] NOT NULL on conflict ignore UNIQUE,
             c INTEGER PRIMARY KEY DESC ON /* key */ CONFLICT ROLLBACK",
            &[
                (&["a"], "ON CONFLICT REPLACE", false),
                (&["b c"], "ON CONFLICT IGNORE", false),
                (&["c"], "ON CONFLICT ROLLBACK", true),
            ],
        );
        assert_conflicts(
            "a NOT NULL ON CONFLICT IGNORE CHECK (a > 1) UNIQUE ON CONFLICT REPLACE",
            &[
                (&["a"], "ON CONFLICT IGNORE", false),
                (&["a"], "ON CONFLICT REPLACE", false),
            ],
        );
    }

    #[test]
    fn a_clause_belongs_to_the_columns_of_its_constraint() {
        assert_conflicts(
            "a, \"b\", c, CONSTRAINT two UNIQUE (a COLLATE NOCASE DESC, \"b\") ON CONFLICT REPLACE
             PRIMARY KEY (c) ON CONFLICT IGNORE",
            &[
                (&["a", "b"], "ON CONFLICT REPLACE", false),
                (&["c"], "ON CONFLICT IGNORE", false),
            ],
        );
    }

    #[test]
    fn clauses_that_refuse_a_row_as_usual_are_left_out() {
        assert_conflicts(
            "a UNIQUE ON CONFLICT ABORT, b NOT NULL ON CONFLICT FAIL",
            &[],
        );
        assert_conflicts("a, CHECK (a > 1) ON CONFLICT IGNORE", &[]);
        assert_conflicts("a REFERENCES t ON DELETE CASCADE ON UPDATE SET NULL", &[]);
        assert_conflicts("a DEFAULT 'ON CONFLICT REPLACE', conflict, ignore", &[]);
    }
}
