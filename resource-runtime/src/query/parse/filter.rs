use super::super::QueryLimits;
use super::super::cursor::Cursor;
use super::super::mistake::Mistake;
use super::super::token::Token;
use super::super::tree::{
    Comparison, Filter, Likeness, Literal, LiteralValue, Name, Path, Position,
};
use crate::error::{did_you_mean, excerpt};

/// The functions of the language, for those who misspell one.
const FUNCTIONS: [&str; 12] = [
    "eq", "ne", "gt", "ge", "lt", "le", "like", "ilike", "in", "and", "or", "not",
];

/// `filter = call`
pub(in crate::query) fn filter(text: &str, limits: QueryLimits) -> Result<Filter, Mistake> {
    let mut cursor = Cursor::new(text, limits)?;
    let filter = call(&mut cursor)?;
    cursor.expect_end("")?;
    Ok(filter)
}

/// `call = name "(" argument *( "," argument ) ")"`
fn call(cursor: &mut Cursor<'_>) -> Result<Filter, Mistake> {
    cursor.enter()?;
    cursor.count_term()?;
    let function = cursor.name("a function")?;
    let arguments = arguments_of(&function)?;
    cursor.expect(Token::Open)?;
    let filter = arguments(cursor)?;
    cursor.expect(Token::Close)?;
    cursor.leave();
    Ok(filter)
}

type Arguments = fn(&mut Cursor<'_>) -> Result<Filter, Mistake>;

fn arguments_of(function: &Name) -> Result<Arguments, Mistake> {
    Ok(match &*function.text {
        "eq" => |cursor| compare(cursor, Comparison::Eq),
        "ne" => |cursor| compare(cursor, Comparison::Ne),
        "gt" => |cursor| compare(cursor, Comparison::Gt),
        "ge" => |cursor| compare(cursor, Comparison::Ge),
        "lt" => |cursor| compare(cursor, Comparison::Lt),
        "le" => |cursor| compare(cursor, Comparison::Le),
        "like" => |cursor| like(cursor, Likeness::Like),
        "ilike" => |cursor| like(cursor, Likeness::Ilike),
        "in" => within,
        "and" => |cursor| several(cursor, "and").map(Filter::And),
        "or" => |cursor| several(cursor, "or").map(Filter::Or),
        "not" => |cursor| call(cursor).map(Box::new).map(Filter::Not),
        name => return Err(unknown_function(name, function.position)),
    })
}

fn unknown_function(name: &str, position: Position) -> Mistake {
    let suggestion = did_you_mean(name, FUNCTIONS);
    let found = excerpt(name);
    Mistake::new(
        position.0,
        format!("there is no function `{found}`{suggestion}"),
    )
}

fn compare(cursor: &mut Cursor<'_>, function: Comparison) -> Result<Filter, Mistake> {
    let path = path_argument(cursor)?;
    let value = literal(cursor, "a value")?;
    Ok(Filter::Compare(function, path, value))
}

fn like(cursor: &mut Cursor<'_>, function: Likeness) -> Result<Filter, Mistake> {
    let path = path_argument(cursor)?;
    if cursor.token() != Token::String {
        return Err(cursor.unexpected("a pattern in double quotes"));
    }
    let pattern = literal(cursor, "a pattern")?;
    Ok(Filter::Like(function, path, pattern))
}

fn within(cursor: &mut Cursor<'_>) -> Result<Filter, Mistake> {
    let path = path_argument(cursor)?;
    if !cursor.take(Token::OpenList) {
        return Err(cursor.unexpected("a list in square brackets"));
    }
    let mut values = Vec::new();
    if cursor.take(Token::CloseList) {
        return Ok(Filter::In(path, values));
    }
    loop {
        cursor.count_term()?;
        values.push(literal(cursor, "a value")?);
        if cursor.take(Token::CloseList) {
            return Ok(Filter::In(path, values));
        }
        if !cursor.take(Token::Comma) {
            return Err(cursor.unexpected("`,` or `]`"));
        }
    }
}

fn several(cursor: &mut Cursor<'_>, function: &str) -> Result<Vec<Filter>, Mistake> {
    let mut filters = vec![call(cursor)?];
    while cursor.take(Token::Comma) {
        filters.push(call(cursor)?);
    }
    if filters.len() < 2 {
        return Err(cursor.unexpected(&format!("`,`, as `{function}` takes two filters or more")));
    }
    Ok(filters)
}

fn path_argument(cursor: &mut Cursor<'_>) -> Result<Path, Mistake> {
    let path = cursor.path()?;
    cursor.expect(Token::Comma)?;
    Ok(path)
}

/// `value = string | number | true | false | null`
fn literal(cursor: &mut Cursor<'_>, what: &str) -> Result<Literal, Mistake> {
    let value = match cursor.token() {
        Token::String => LiteralValue::String(string(cursor)?),
        Token::Number => LiteralValue::Number(cursor.slice().to_owned()),
        Token::True => LiteralValue::Boolean(true),
        Token::False => LiteralValue::Boolean(false),
        Token::Null => LiteralValue::Null,
        Token::Name => {
            return Err(cursor.unexpected(&format!("{what}; text stands in double quotes")));
        }
        _ => return Err(cursor.unexpected(what)),
    };
    let position = Position(cursor.position());
    cursor.advance();
    Ok(Literal { value, position })
}

fn string(cursor: &Cursor<'_>) -> Result<String, Mistake> {
    serde_json::from_str(cursor.slice()).map_err(|error| {
        let inside = error.column().saturating_sub(1);
        let reason = error.to_string();
        let reason = reason.split(" at line ").next().unwrap_or_default();
        let hint = match reason {
            "invalid escape" => "; write a backslash as two",
            _ => "",
        };
        Mistake::new(
            cursor.position() + inside,
            format!("the string is not one of JSON: {reason}{hint}"),
        )
    })
}
