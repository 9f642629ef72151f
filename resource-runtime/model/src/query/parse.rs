//! The parser of the query language, by recursive descent: tokens become a tree of names.

use super::QueryLimits;
use super::ast::{Criterion, FieldItem, Filter, Literal, LiteralValue, Name, Position};
use super::elsewhere;
use super::functions::{Arguments, COMBINING, FUNCTIONS, Function};
use super::token::Token;
use super::token_stream::{Cursor, QueryError};
use crate::error::{did_you_mean, truncate_for_display};

/// Parses `fields = item *( "," item )`, `item = name [ "(" name *( "," name ) *( ";" option ) ")" ]`.
pub(super) fn fields(text: &str, limits: QueryLimits) -> Result<Vec<FieldItem>, QueryError> {
    let mut cursor = Cursor::new(text, limits)?;
    let items = members(&mut cursor, item)?;
    // Whatever stands behind the last member is an error, lest a part of the text be ignored.
    cursor.expect_end("`,` or ").map_err(|error| {
        let name = items.last().map_or("", |it| &it.name.text);
        let rest = cursor.rest();
        if rest.starts_with(':') {
            return error.with("; attributes have no other names in a response");
        }
        let path = rest.strip_prefix('.').unwrap_or_default();
        let attribute = path.split(|it| !elsewhere::is_of_name(it)).next();
        match attribute.filter(|it| !it.is_empty()) {
            Some(attribute) => {
                let [name, attribute] = [name, attribute].map(truncate_for_display);
                error.with_instead(format!("{name}({attribute})"))
            }
            None => error,
        }
    })?;
    Ok(items)
}

/// Members of most lists, so that they are allocated once.
const MEMBERS: usize = 8;

/// Parses `members = member *( "," member )`.
fn members<T>(
    cursor: &mut Cursor<'_>,
    member: fn(&mut Cursor<'_>) -> Result<T, QueryError>,
) -> Result<Vec<T>, QueryError> {
    // One member has to be there: a list without any, as in `and()`, says nothing.
    let mut members = Vec::with_capacity(MEMBERS);
    members.push(member(cursor)?);
    while cursor.take(Token::Comma) {
        members.push(member(cursor)?);
    }
    Ok(members)
}

fn item(cursor: &mut Cursor<'_>) -> Result<FieldItem, QueryError> {
    cursor.count_term()?;
    let mut item = FieldItem {
        name: listed(cursor, "an attribute or a subresource")?,
        attributes: None,
        order: None,
        limit: None,
    };
    // Only the resolution knows whether a name alone is an attribute or a subresource.
    if !cursor.take(Token::Open) {
        return Ok(item);
    }
    // The parentheses hold names alone, which keeps an expansion to one level.
    if cursor.token() != Token::Semicolon {
        item.attributes = Some(members(cursor, attribute)?);
    }
    // An explanation of its own, where `expect` would only name the missing parenthesis.
    if cursor.token() == Token::Open {
        let nested = item.attributes.iter().flatten().last();
        let nested = nested.map_or("", |it| &it.text);
        let [item, nested] = [&item.name.text, nested].map(truncate_for_display);
        let message = format!(
            "only the first level expands; list the resource of `{item}` by itself, with `fields={nested}(…)` and a \
             `filter`"
        );
        return Err(QueryError::new(cursor.position(), message));
    }
    while cursor.take(Token::Semicolon) {
        option(cursor, &mut item)?;
    }
    cursor.expect(Token::Close)?;
    Ok(item)
}

/// Parses `option = "order=" order | "limit=" number`, each once.
fn option(cursor: &mut Cursor<'_>, item: &mut FieldItem) -> Result<(), QueryError> {
    let name = cursor.name("`order=` or `limit=`")?;
    match &*name.text {
        "order" if item.order.is_none() => {
            cursor.expect(Token::Equals)?;
            item.order = Some(members(cursor, criterion)?);
        }
        "limit" if item.limit.is_none() => {
            cursor.expect(Token::Equals)?;
            item.limit = Some(literal(cursor, "a number")?);
        }
        // The other parameters of a list have no meaning for a part of a response.
        found => {
            let found = truncate_for_display(found);
            let message = format!("expected `order=` or `limit=`, each once, found `{found}`");
            return Err(QueryError::new(name.position.0, message));
        }
    }
    Ok(())
}

fn attribute(cursor: &mut Cursor<'_>) -> Result<Name, QueryError> {
    cursor.count_term()?;
    listed(cursor, "an attribute")
}

/// A name in a list, which other languages replace by `*`.
fn listed(cursor: &mut Cursor<'_>, what: &str) -> Result<Name, QueryError> {
    if cursor.slice() == "*" {
        return Err(cursor
            .unexpected(what)
            .with("; name each attribute, or leave the list out for all"));
    }
    cursor.name(what)
}

/// Parses `filter = call`.
pub(super) fn filter(text: &str, limits: QueryLimits) -> Result<Filter, QueryError> {
    let mut cursor = Cursor::new(text, limits)?;
    let filter = call(&mut cursor)?;
    // A filter is a single call; a second one beside it would need `and` or `or` around both.
    cursor.expect_end("").map_err(|error| {
        let is_joined = matches!(
            cursor.slice(),
            "," | "&" | "|" | "and" | "or" | "AND" | "OR"
        );
        error.with(if is_joined {
            "; several conditions stand in one call: `and(…,…)`"
        } else {
            ""
        })
    })?;
    Ok(filter)
}

/// Parses `call = name "(" argument *( "," argument ) ")"`.
fn call(cursor: &mut Cursor<'_>) -> Result<Filter, QueryError> {
    // The depth is limited before the recursion, so that a hostile text cannot exhaust the stack.
    cursor.enter()?;
    cursor.count_term()?;
    let name = cursor.name("a function")?;
    // The name is judged before the parentheses, so that a misspelled function is the error that is told.
    let function = Function::of_name(&name.text);
    if function.is_none() && !COMBINING.contains(&&*name.text) {
        return Err(unknown_function(&name, cursor.token()));
    }
    cursor.expect(Token::Open)?;
    // The name decides how the arguments are read: as a path with values, or as further calls.
    let filter = match (function, &*name.text) {
        (Some(function), _) => test(cursor, function)?,
        (None, "and") => Filter::And(several(cursor, "and")?),
        (None, "or") => Filter::Or(several(cursor, "or")?),
        (None, "has") => has(cursor, &name)?,
        // Of the functions of filters, only `not` is left.
        (None, _) => Filter::Not(Box::new(call(cursor)?)),
    };
    cursor.expect(Token::Close)?;
    // An error ends the whole parse, so that only a call that succeeds has to be left.
    cursor.leave();
    Ok(filter)
}

/// Parses `has = "has(" name [ "," call ] ")"` behind its parenthesis.
fn has(cursor: &mut Cursor<'_>, function: &Name) -> Result<Filter, QueryError> {
    cursor.tests += 1;
    let most = cursor.limits.collection_tests;
    let problem = if cursor.is_within_has {
        // One level bounds the cost: each would multiply the items that the database reads.
        Some("`has` does not stand within another `has`".to_owned())
    } else {
        (cursor.tests > most).then(|| format!("`has` stands at most {most} times in a filter"))
    };
    if let Some(problem) = problem {
        return Err(QueryError::new(function.position.0, problem));
    }
    let name = cursor.name("a collection")?;
    if !cursor.take(Token::Comma) {
        return Ok(Filter::Has(name, None));
    }
    cursor.is_within_has = true;
    let filter = call(cursor)?;
    cursor.is_within_has = false;
    Ok(Filter::Has(name, Some(Box::new(filter))))
}

fn unknown_function(name: &Name, next: Token) -> QueryError {
    // Both groups of functions are candidates, because a client does not tell them apart.
    let known = FUNCTIONS.iter().map(|function| function.name);
    let suggestion = elsewhere::instead_of_function(&name.text);
    let suggestion = suggestion.unwrap_or_else(|| did_you_mean(&name.text, known.chain(COMBINING)));
    let found = truncate_for_display(&name.text);
    // Other languages write a comparison, which has no function at all.
    let example = match next {
        Token::Open => "",
        _ => "; a filter is a call, such as `eq(title,\"Emma\")`",
    };
    QueryError::new(
        name.position.0,
        format!("there is no function `{found}`{suggestion}{example}"),
    )
}

fn test(cursor: &mut Cursor<'_>, function: &'static Function) -> Result<Filter, QueryError> {
    // Every function has the attribute as its first argument, so that the rest can be judged by its kind.
    let path = cursor.path()?;
    cursor.expect(Token::Comma)?;
    let literals = match function.arguments {
        Arguments::Values(count) => values(cursor, count)?,
        Arguments::Pattern => vec![quoted(cursor, "a pattern in double quotes")?],
        Arguments::Text => vec![quoted(cursor, "a text in double quotes")?],
        Arguments::List => list(cursor)?,
    };
    Ok(Filter::Test(function, path, literals))
}

fn quoted(cursor: &mut Cursor<'_>, what: &str) -> Result<Literal, QueryError> {
    // `literal` takes values of every kind, and its error would not ask for a text.
    if cursor.token() != Token::String {
        return Err(cursor.unexpected(what));
    }
    literal(cursor, what)
}

fn values(cursor: &mut Cursor<'_>, count: usize) -> Result<Vec<Literal>, QueryError> {
    // Every function of the table has at least one value.
    let mut values = vec![literal(cursor, "a value")?];
    while values.len() < count {
        cursor.expect(Token::Comma)?;
        values.push(literal(cursor, "a value")?);
    }
    Ok(values)
}

/// Parses `list = "[" [ value *( "," value ) ] "]"`.
fn list(cursor: &mut Cursor<'_>) -> Result<Vec<Literal>, QueryError> {
    if !cursor.take(Token::OpenList) {
        return Err(cursor.unexpected("a list in square brackets"));
    }
    // An empty list is read first, so that the loop below always expects a value.
    let mut values = Vec::new();
    if cursor.take(Token::CloseList) {
        return Ok(values);
    }
    loop {
        cursor.count_term()?;
        values.push(literal(cursor, "a value")?);
        if cursor.take(Token::CloseList) {
            return Ok(values);
        }
        if !cursor.take(Token::Comma) {
            return Err(cursor.unexpected("`,` or `]`"));
        }
    }
}

/// Parses `values = value *( "," value )`, as a cursor holds them.
pub(super) fn literals(text: &str) -> Result<Vec<Literal>, QueryError> {
    let mut cursor = Cursor::new(text, QueryLimits::new())?;
    let literals = members(&mut cursor, |cursor| literal(cursor, "a value"))?;
    cursor.expect_end("`,` or ")?;
    Ok(literals)
}

fn several(cursor: &mut Cursor<'_>, function: &str) -> Result<Vec<Filter>, QueryError> {
    // The members are calls again, and each of them counts one level of depth more.
    let filters = members(cursor, call)?;
    // The error stands where the comma before a second filter is missing.
    if filters.len() < 2 {
        return Err(cursor.unexpected(&format!("`,`, as `{function}` takes two filters or more")));
    }
    Ok(filters)
}

/// Parses `value = string | number | true | false | null`.
fn literal(cursor: &mut Cursor<'_>, what: &str) -> Result<Literal, QueryError> {
    let value = match cursor.token() {
        Token::String => LiteralValue::String(string(cursor)?),
        Token::Number => LiteralValue::Number(cursor.slice().to_owned()),
        Token::True => LiteralValue::Boolean(true),
        Token::False => LiteralValue::Boolean(false),
        Token::Null => LiteralValue::Null,
        // Text without quotes is an easy mistake, so its error names the remedy.
        Token::Name | Token::Unknown => {
            let word = elsewhere::word_of(cursor.slice());
            return Err(match word.filter(|_| what == "a value") {
                Some(word) => cursor.unexpected(what).with_instead(word.to_owned()),
                None => cursor.unexpected(&format!("{what}; text stands in double quotes")),
            });
        }
        _ => return Err(cursor.unexpected(what)),
    };
    // The position is read before the cursor moves on: errors of the resolution name the column of the value.
    let position = Position(cursor.position());
    cursor.advance();
    Ok(Literal { value, position })
}

fn string(cursor: &Cursor<'_>) -> Result<String, QueryError> {
    // The lexer takes any escape; the parser of JSON judges them.
    serde_json::from_str(cursor.slice()).map_err(|error| {
        // The error's column counts within the string; the client gets the column in the parameter.
        // Right behind a line break, which no string of JSON holds, its column is 0.
        let inside = error.column().saturating_sub(1);
        let reason = error.to_string();
        // The position at the end of its message is dropped for the same reason.
        let reason = reason.split(" at line ").next().unwrap_or_default();
        // Patterns are full of backslashes, each of which JSON has to escape.
        let hint = match reason {
            "invalid escape" => "; write a backslash as two",
            _ => "",
        };
        QueryError::new(
            cursor.position() + inside,
            format!("the string is not one of JSON: {reason}{hint}"),
        )
    })
}

/// Parses `order = criterion *( "," criterion )`, `criterion = ( "asc" / "desc" ) "(" path ")"`.
pub(super) fn order(text: &str, limits: QueryLimits) -> Result<Vec<Criterion>, QueryError> {
    let mut cursor = Cursor::new(text, limits)?;
    let criteria = members(&mut cursor, criterion)?;
    cursor.expect_end("`,` or ").map_err(|error| {
        error.with(if cursor.rest().starts_with(".nulls") {
            "; null is the smallest value of all"
        } else {
            ""
        })
    })?;
    Ok(criteria)
}

fn criterion(cursor: &mut Cursor<'_>) -> Result<Criterion, QueryError> {
    cursor.count_term()?;
    // The two directions exist in orders alone, so that they are not in the table of filter functions.
    let descending = match cursor.slice() {
        "asc" => false,
        "desc" => true,
        name => {
            let error = cursor.unexpected("`asc(` or `desc(`");
            return Err(match elsewhere::criteria(cursor.rest()) {
                Some(instead) => error.with_instead(instead),
                None => error.with(&did_you_mean(name, ["asc", "desc"])),
            });
        }
    };
    cursor.advance();
    cursor.expect(Token::Open)?;
    // An order may follow a subresource, as a filter may.
    let path = cursor.path()?;
    cursor.expect(Token::Close)?;
    Ok(Criterion { descending, path })
}
