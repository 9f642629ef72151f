use super::super::AttributePath;
use super::super::mistake::Mistake;
use super::super::tree::{Literal, LiteralValue};
use crate::error::excerpt;
use crate::schema::Kind;
use crate::value::{Integer, Value, integer, real};

/// The value of a literal for the attribute that it is compared with. Null is no value: the
/// functions that take it look for it first.
pub(super) fn value(path: AttributePath, literal: &Literal) -> Result<Value, Mistake> {
    let kind = path.attribute.kind();
    let value = match (kind, &literal.value) {
        (Kind::Text, LiteralValue::String(text)) if !text.contains('\0') => {
            Some(Value::Text(text.clone()))
        }
        (Kind::Boolean, LiteralValue::Boolean(boolean)) => Some(Value::Boolean(*boolean)),
        (Kind::Double, LiteralValue::Number(text)) => real(text).map(Value::Real),
        (_, LiteralValue::Number(text)) => exact(kind, text),
        _ => None,
    };
    value.ok_or_else(|| unsuited(path, literal))
}

/// An integer of the kind's range; a fraction is never rounded to one.
fn exact(kind: Kind, text: &str) -> Option<Value> {
    let (least, greatest) = kind.integer_range()?;
    match integer(text) {
        Integer::Exact(integer) if (least..=greatest).contains(&integer) => {
            Some(Value::Integer(integer))
        }
        _ => None,
    }
}

fn unsuited(path: AttributePath, literal: &Literal) -> Mistake {
    let kind = path.attribute.kind();
    let expected = match (kind.integer_range(), kind, &literal.value) {
        (Some((least, greatest)), _, _) => format!("an integer from {least} to {greatest}"),
        (None, Kind::Double, LiteralValue::Number(_)) => String::from("a number within its range"),
        (None, Kind::Text, LiteralValue::String(_)) => String::from("a string without U+0000"),
        _ => kind.to_string(),
    };
    let name = path.attribute.name();
    let found = excerpt(&literal.to_string());
    Mistake::new(
        literal.position.0,
        format!("`{name}` is compared with {expected}, not {found}"),
    )
}
