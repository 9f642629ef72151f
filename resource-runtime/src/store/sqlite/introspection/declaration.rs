//! A parser for `CREATE TABLE` statements, for the properties that no pragma reports.

use resource_model::schema::StoredConflict;
use resource_sql::Dialect;

use super::conflict::conflicts;
use crate::store::check_constraint::{Limit, Token, group, limits, parts, tokens};

/// Keywords that start a constraint of a table; every other member of its list is a column.
const TABLE_CONSTRAINTS: [&str; 5] = ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"];

/// The properties of a table that are only in its `CREATE TABLE` statement.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Declaration {
    /// Columns with their declared collations.
    pub(super) collations: Vec<(String, String)>,
    pub(super) limits: Vec<Limit>,
    pub(super) conflicts: Vec<StoredConflict>,
    pub(super) is_strict: bool,
    pub(super) is_autoincrement: bool,
}

impl Declaration {
    pub(super) fn read(statement: &str) -> Self {
        let tokens = tokens(Dialect::Sqlite, statement);
        // A parenthesis within a name is in quotes, and so no token: the first one opens the list of columns.
        let from_list = tokens.iter().position(|token| token.is_symbol("("));
        let from_list = from_list.and_then(|start| tokens.get(start..));
        // The text of a view may have no such list.
        let Some((list, options)) = from_list.and_then(group) else {
            return Self::default();
        };
        let mut declaration = Self {
            is_strict: options.iter().any(|option| option.is_word("STRICT")),
            // The keyword may be in the column or in the parentheses of the key; a name would need quotes.
            is_autoincrement: list.iter().any(|token| token.is_word("AUTOINCREMENT")),
            ..Self::default()
        };
        // A member is a column with its constraints, or a constraint of the table.
        for member in parts(list, |token| token.is_symbol(",")) {
            declaration.collations.extend(collation(member));
            declaration.limits.extend(checks(member).flat_map(limits));
            declaration.conflicts.extend(conflicts(member));
        }
        declaration
    }
}

/// A column with its declared collation, of which SQLite uses the last.
fn collation(member: &[Token<'_>]) -> Option<(String, String)> {
    let column = column(member)?;
    // The parts are split outside of parentheses only, so expressions in defaults and checks do not count.
    // The first part precedes all collations.
    let collations = parts(member, |token| token.is_word("COLLATE"));
    let collation = collations.skip(1).last()?.first()?;
    Some((column, token_name(collation)?))
}

/// The column that a member of the list declares, unless it is a constraint of the table.
pub(super) fn column(member: &[Token<'_>]) -> Option<String> {
    let first = member.first()?;
    let is_constraint = TABLE_CONSTRAINTS.iter().any(|it| first.is_word(it));
    token_name(first).filter(|_| !is_constraint)
}

/// The name that a token stands for: SQLite also accepts a string literal as a name.
pub(super) fn token_name(token: &Token<'_>) -> Option<String> {
    match token {
        Token::Text(text) => Some(text.clone()),
        token => token.name().map(str::to_owned),
    }
}

/// The expressions of the checks in a column or a constraint.
fn checks<'tokens, 'sql>(
    member: &'tokens [Token<'sql>],
) -> impl Iterator<Item = &'tokens [Token<'sql>]> {
    parts(member, |token| token.is_word("CHECK"))
        .skip(1)
        .filter_map(|after| group(after).map(|(expression, _)| expression))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, proptest};

    use super::Declaration;

    fn collations(statement: &str) -> Vec<(String, String)> {
        Declaration::read(statement).collations
    }

    #[test]
    fn a_collation_belongs_to_its_column() {
        let found = collations(
            r#"CREATE TABLE "t (" (a TEXT, [b ,] VARCHAR(5, 6) DEFAULT (x COLLATE RTRIM) COLLATE nocase
               NOT NULL, 'c' COLLATE BINARY COLLATE "own", UNIQUE (a COLLATE NOCASE), d COLLATE 'RTRIM')"#,
        );
        let found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (&**a, &**b)).collect();
        assert_eq!(found, [("b ,", "nocase"), ("c", "own"), ("d", "RTRIM")]);
    }

    #[test]
    fn checks_are_found_in_columns_and_in_constraints() {
        let found = Declaration::read(
            "CREATE TABLE t (a CHECK (a > 1) CONSTRAINT named CHECK (a < 9), \"check\" INT, \
             CONSTRAINT c CHECK (b IN ('x')) CHECK (length(b) < 3), FOREIGN KEY (a) REFERENCES t)",
        );
        assert_eq!(found.limits.len(), 4, "{found:?}");
    }

    #[test]
    fn strict_is_an_option_after_the_list() {
        assert!(Declaration::read("CREATE TABLE t (a ANY) WITHOUT ROWID, strict").is_strict);
        assert!(!Declaration::read("CREATE TABLE t (strict ANY)").is_strict);
    }

    #[test]
    fn other_statements_declare_nothing() {
        for statement in ["", "CREATE TABLE t (", ")(", "CREATE VIEW v AS SELECT (1)"] {
            assert_eq!(Declaration::read(statement), Declaration::default());
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(
            text in any::<String>(),
            sql in "(CREATE TABLE t )?([(),'\"`\\[\\]<=>. a1é-]|--|/\\*|\\*/|CHECK|COLLATE| OR | AND | IN | BETWEEN |length){0,60}",
        ) {
            Declaration::read(&text);
            Declaration::read(&sql);
        }
    }
}
