//! Limits that a check sets for the values of a column or their length.

use resource_model::schema::{Bound, StoredColumn};

use super::{Token, bare, group, two_parts};

/// A limit of a column, which each variant names first.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::store) enum Limit {
    Length(String, Relation, i64),
    Value(String, Relation, Bound),
    /// A range of the number in a text, as SQLite stores decimals.
    Number(String, Relation, Bound),
    /// The only texts that are accepted.
    Texts(String, Vec<String>),
}

/// The relation of a value to its bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) enum Relation {
    Least,
    Above,
    Greatest,
    Below,
}

impl Relation {
    /// The same relation with exchanged sides.
    pub(super) const fn reversed(self) -> Self {
        match self {
            Self::Least => Self::Greatest,
            Self::Above => Self::Below,
            Self::Greatest => Self::Least,
            Self::Below => Self::Above,
        }
    }
}

impl Limit {
    pub(in crate::store) fn column(&self) -> &str {
        match self {
            Self::Length(column, ..)
            | Self::Value(column, ..)
            | Self::Number(column, ..)
            | Self::Texts(column, _) => column,
        }
    }

    /// Adds the limit to those of its column; the narrower of two wins.
    pub(in crate::store) fn narrow(&self, column: &mut StoredColumn) {
        match self {
            Self::Length(_, relation, characters) => narrow_length(column, *relation, *characters),
            Self::Value(_, relation, bound) => narrow_value(column, *relation, *bound),
            Self::Number(_, relation, bound) => {
                narrow_range(column, *relation, real(*relation, *bound));
            }
            Self::Texts(_, texts) => {
                // A value must be in both lists.
                let known = column.names.take().unwrap_or_else(|| texts.clone());
                let both = known.into_iter().filter(|text| texts.contains(text));
                column.names = Some(both.collect());
            }
        }
    }
}

fn narrow_length(column: &mut StoredColumn, relation: Relation, characters: i64) {
    // No length is negative, so a negative bound counts as zero.
    let fitting = |characters: i64| u32::try_from(characters.max(0)).ok();
    match relation {
        Relation::Least | Relation::Above => {
            // Lengths are integers: more than three is at least four.
            let least = characters.saturating_add(i64::from(relation == Relation::Above));
            // A least length beyond all texts stays a limit that every definition falls short of.
            let least = fitting(least).unwrap_or(u32::MAX);
            column.min_length = column
                .min_length
                .max(Some(least).filter(|least| *least > 0));
        }
        Relation::Greatest | Relation::Below => {
            let greatest = characters.saturating_sub(i64::from(relation == Relation::Below));
            // A greatest length that does not fit is beyond all texts, and limits nothing.
            let known = column.max_length;
            column.max_length = known.into_iter().chain(fitting(greatest)).min();
        }
    }
}

/// Narrows the range of a numeric column. Databases compare a text with a number by rules of their own, so other
/// columns have no range.
fn narrow_value(column: &mut StoredColumn, relation: Relation, bound: Bound) {
    let has_fractions = || !column.declared_type.to_ascii_uppercase().contains("INT");
    match column.stored_as {
        // `NUMERIC(10,2)` counts as `INTEGER`, and has fractions: more than 0 is not 1.
        Some("INTEGER") if has_fractions() => narrow_range(column, relation, real(relation, bound)),
        // The types of SQLite are in capitals, those of PostgreSQL in small letters.
        Some("INTEGER" | "smallint" | "integer" | "bigint") => {
            narrow_range(column, relation, integer(relation, bound));
        }
        Some("REAL" | "real" | "double precision" | "numeric") => {
            narrow_range(column, relation, real(relation, bound));
        }
        _ => {}
    }
}

fn narrow_range(column: &mut StoredColumn, relation: Relation, bound: Bound) {
    match relation {
        // Of two bounds on one side, the narrower holds.
        Relation::Least | Relation::Above => {
            let known = column.min.filter(|known| known.exceeds(bound));
            column.min = known.or(Some(bound));
        }
        Relation::Greatest | Relation::Below => {
            let known = column.max.filter(|known| bound.exceeds(*known));
            column.max = known.or(Some(bound));
        }
    }
}

/// The integer within a bound that is closest to it, which may be a fraction or beyond all integers.
fn integer(relation: Relation, bound: Bound) -> Bound {
    // In 128 bits, the neighbour of the last integer of 64 bits does not overflow.
    let exclusive: i128 = match relation {
        Relation::Least | Relation::Greatest => 0,
        Relation::Above => 1,
        Relation::Below => -1,
    };
    let whole = match (bound, relation) {
        (Bound::Integer(integer), _) => i128::from(integer),
        // `>= 2.5` begins at 3, and `< 2.5` ends before 3.
        (Bound::Real(real), Relation::Least | Relation::Below) => truncated(real.ceil()),
        // `<= 2.5` ends at 2, and `> 2.5` begins after 2.
        (Bound::Real(real), Relation::Greatest | Relation::Above) => truncated(real.floor()),
    };
    let last = whole
        .saturating_add(exclusive)
        .clamp(i64::MIN.into(), i64::MAX.into());
    i64::try_from(last).map_or(bound, Bound::Integer)
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "a number that does not fit is beyond all integers of a column, too"
)]
const fn truncated(whole: f64) -> i128 {
    whole as i128
}

/// The real within a bound that is closest to it.
const fn real(relation: Relation, bound: Bound) -> Bound {
    match relation {
        Relation::Least | Relation::Greatest => bound,
        // A range has inclusive bounds, so an exclusive one becomes the neighbouring double.
        Relation::Above => Bound::Real(bound.as_real().next_up()),
        Relation::Below => Bound::Real(bound.as_real().next_down()),
    }
}

/// Functions that return the number of characters.
const LENGTHS: [&str; 3] = ["length", "char_length", "character_length"];

/// The operand that a check compares: a column, the number in it or its length.
pub(super) enum CheckOperand {
    Value(String),
    Number(String),
    Length(String),
}

impl CheckOperand {
    /// The limit that a bound sets for the operand; none for a length that is no integer.
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

/// Parses `x`, `length(x)` or `CAST(x AS REAL)`.
pub(super) fn operand(tokens: &[Token<'_>]) -> Option<CheckOperand> {
    let tokens = bare(tokens);
    // Columns come before functions: the name of a column may be that of a function.
    if let Some(column) = column(tokens) {
        return Some(CheckOperand::Value(column.to_owned()));
    }
    let (function, arguments) = tokens.split_first()?;
    let (argument, []) = group(arguments)? else {
        return None;
    };
    if LENGTHS.iter().any(|length| function.is_word(length)) {
        return Some(CheckOperand::Length(column(bare(argument))?.to_owned()));
    }
    // Our own tables limit a decimal in this form, as SQLite stores it as text.
    let (cast, declared_type) = two_parts(argument, |token| token.is_word("AS"))?;
    let is_number = function.is_word("CAST")
        && matches!(declared_type, [declared_type] if declared_type.is_word("REAL"));
    let column = column(bare(cast)).filter(|_| is_number)?;
    Some(CheckOperand::Number(column.to_owned()))
}

/// The name of a column, with or without its table.
pub(super) fn column<'tokens>(tokens: &'tokens [Token<'_>]) -> Option<&'tokens str> {
    match tokens {
        [column] | [_, Token::Symbol("."), column] => column.name(),
        _ => None,
    }
}
