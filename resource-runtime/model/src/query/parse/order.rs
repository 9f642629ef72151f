use super::super::QueryLimits;
use super::super::cursor::Cursor;
use super::super::mistake::Mistake;
use super::super::token::Token;
use super::super::tree::Criterion;
use crate::error::{did_you_mean, excerpt};

/// `order = criterion *( "," criterion )`, `criterion = ( "asc" / "desc" ) "(" path ")"`
pub(in crate::query) fn order(text: &str, limits: QueryLimits) -> Result<Vec<Criterion>, Mistake> {
    let mut cursor = Cursor::new(text, limits)?;
    let mut criteria = vec![criterion(&mut cursor)?];
    while cursor.take(Token::Comma) {
        criteria.push(criterion(&mut cursor)?);
    }
    cursor.expect_end("`,` or ")?;
    Ok(criteria)
}

fn criterion(cursor: &mut Cursor<'_>) -> Result<Criterion, Mistake> {
    cursor.count_term()?;
    let function = cursor.name("`asc(` or `desc(`")?;
    let descending = match &*function.text {
        "asc" => false,
        "desc" => true,
        name => {
            let suggestion = did_you_mean(name, ["asc", "desc"]);
            let found = excerpt(name);
            return Err(Mistake::new(
                function.position.0,
                format!("expected `asc(` or `desc(`, found `{found}`{suggestion}"),
            ));
        }
    };
    cursor.expect(Token::Open)?;
    let path = cursor.path()?;
    cursor.expect(Token::Close)?;
    Ok(Criterion { descending, path })
}
