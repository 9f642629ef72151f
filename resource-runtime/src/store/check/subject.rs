use resource_model::schema::Bound;

use super::group::{bare, group, two_parts};
use super::{Limit, Relation, Token};

/// What the databases call the number of characters.
const LENGTHS: [&str; 3] = ["length", "char_length", "character_length"];

/// What of a column a check compares.
pub(super) enum Subject {
    Value(String),
    Number(String),
    Length(String),
}

impl Subject {
    /// The limit that a bound is to it.
    pub(super) fn limit(&self, relation: Relation, bound: Bound) -> Option<Limit> {
        match (self, bound) {
            (Self::Value(column), bound) => Some(Limit::Value(column.clone(), relation, bound)),
            (Self::Number(column), bound) => Some(Limit::Number(column.clone(), relation, bound)),
            (Self::Length(column), Bound::Integer(characters)) => {
                Some(Limit::Length(column.clone(), relation, characters))
            }
            (Self::Length(_), Bound::Real(_)) => None,
        }
    }
}

pub(super) fn subject(tokens: &[Token<'_>]) -> Option<Subject> {
    let tokens = bare(tokens);
    if let Some(column) = column(tokens) {
        return Some(Subject::Value(column.to_owned()));
    }
    let (function, arguments) = tokens.split_first()?;
    let (argument, []) = group(arguments)? else {
        return None;
    };
    if LENGTHS.iter().any(|length| function.is_word(length)) {
        return Some(Subject::Length(column(bare(argument))?.to_owned()));
    }
    let (cast, declared_type) = two_parts(argument, |token| token.is_word("AS"))?;
    let is_number = function.is_word("CAST")
        && matches!(declared_type, [declared_type] if declared_type.is_word("REAL"));
    let column = column(bare(cast)).filter(|_| is_number)?;
    Some(Subject::Number(column.to_owned()))
}

/// A column, with or without its table.
pub(super) fn column<'tokens>(tokens: &'tokens [Token<'_>]) -> Option<&'tokens str> {
    match tokens {
        [column] | [_, Token::Symbol("."), column] => column.name(),
        _ => None,
    }
}
