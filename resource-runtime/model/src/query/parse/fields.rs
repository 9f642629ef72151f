use super::super::QueryLimits;
use super::super::cursor::Cursor;
use super::super::mistake::Mistake;
use super::super::token::Token;
use super::super::tree::{FieldItem, Name};

/// `fields = item *( "," item )`, `item = name [ "(" name *( "," name ) ")" ]`
pub(in crate::query) fn fields(text: &str, limits: QueryLimits) -> Result<Vec<FieldItem>, Mistake> {
    let mut cursor = Cursor::new(text, limits)?;
    let mut items = vec![item(&mut cursor)?];
    while cursor.take(Token::Comma) {
        items.push(item(&mut cursor)?);
    }
    cursor.expect_end("`,` or ")?;
    Ok(items)
}

fn item(cursor: &mut Cursor<'_>) -> Result<FieldItem, Mistake> {
    cursor.count_term()?;
    let name = cursor.name("an attribute or a subresource")?;
    if !cursor.take(Token::Open) {
        return Ok(FieldItem {
            name,
            attributes: None,
        });
    }
    let mut attributes = vec![attribute(cursor)?];
    while cursor.take(Token::Comma) {
        attributes.push(attribute(cursor)?);
    }
    if cursor.token() == Token::Open {
        return Err(Mistake::new(
            cursor.position(),
            "only the first level expands; name attributes of the subresource here",
        ));
    }
    cursor.expect(Token::Close)?;
    Ok(FieldItem {
        name,
        attributes: Some(attributes),
    })
}

fn attribute(cursor: &mut Cursor<'_>) -> Result<Name, Mistake> {
    cursor.count_term()?;
    cursor.name("an attribute of the subresource")
}
