//! Places in a list, and their cursors: pages that begin beside an item, wherever it is by now, and not behind a number
//! of items.

use std::fmt::Display;
use std::io::Write as _;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;

use super::ast::{self, Literal, LiteralValue};
use super::{AttributePath, Condition, Criterion, Predicate, Relation, parse, resolve};
use crate::authorization::{Rows, View};
use crate::error::{ApiError, ErrorCode};
use crate::schema::{Attribute, Kind, ResourceDefinition};
use crate::value::{Fnv1a, Value};

/// The cursor of the first page.
pub(super) const START: &str = "start";

/// The format of tokens, which a later one can tell from its own; the two lowest bits are flags.
const FORMAT: u8 = 1 << 2;
const BACKWARD: u8 = 1;
const INCLUSIVE: u8 = 2;

/// The longest texts of an order together, in characters: a cursor holds them, and is a part of a URL.
const MAX_TEXT: u32 = 1000;

/// The most criteria of an order: each is a range or two of the statement, which repeat the values of all before.
const MAX_CRITERIA: usize = 32;

/// The place of a page: at the start of the list, or beside an item, which need not exist any more.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Seek {
    /// The values of that item, one for each criterion of the order; `None` at the start.
    pub beside: Option<Vec<Value>>,
    /// True where the page ends before the item; otherwise it begins behind.
    pub is_backward: bool,
    /// True where the item belongs to the page.
    pub is_inclusive: bool,
    /// The digest of the list, by which cursors of other lists are told apart.
    pub list: u64,
}

impl Seek {
    fn start(list: u64) -> Self {
        Self {
            list,
            ..Self::default()
        }
    }

    /// The order in which the page is read: from the item on.
    pub fn reading_order(&self, order: &[Criterion]) -> Vec<Criterion> {
        let order = order.iter().map(|criterion| Criterion {
            descending: criterion.descending != self.is_backward,
            ..*criterion
        });
        order.collect()
    }

    /// The conditions of the rows beyond the item in the `order` of reading, nearest rows first: those that agree with the
    /// item in all criteria but the last, then in ever fewer. Each is a range of an index of the criteria, and no row
    /// meets two; one condition for all rows would be tested on all that agree in the first criterion.
    pub fn ranges(&self, order: &[Criterion]) -> Vec<Predicate> {
        let values = self.beside.as_deref().unwrap_or_default();
        let known: Vec<(&Criterion, &Value)> = order.iter().zip(values).collect();
        let mut ranges = Vec::new();
        for (index, (criterion, value)) in known.iter().enumerate().rev() {
            let is_inclusive = self.is_inclusive && index + 1 == known.len();
            for beyond in beyond(**criterion, value, is_inclusive) {
                let equal = known.iter().take(index);
                let equal = equal.map(|(criterion, value)| equal_to(criterion.path, value));
                ranges.push(Predicate::All(equal.chain([beyond]).collect()));
            }
        }
        // No index serves the order of a joined table, whose rows are better read once.
        if order
            .first()
            .is_some_and(|it| it.path.subresource.is_some())
            && !ranges.is_empty()
        {
            return vec![Predicate::Any(ranges)];
        }
        ranges
    }

    /// The cursor of the place behind an item of this page, or before one that was read backward: that of the next page in
    /// this direction.
    pub fn further(&self, item: &[Value]) -> String {
        self.token(item, self.is_backward, false)
    }

    /// The cursor of all items that lie in the other direction; `None` at the start.
    pub fn opposite(&self) -> Option<String> {
        let item = self.beside.as_deref()?;
        Some(self.token(item, !self.is_backward, !self.is_inclusive))
    }

    /// The cursor of a place, for URLs. It is not authenticated: whoever forges one says no more than a filter could, and
    /// sees no other rows.
    fn token(&self, item: &[Value], is_backward: bool, is_inclusive: bool) -> String {
        let flag = |is_set, flag| if is_set { flag } else { 0 };
        let mut bytes = Vec::with_capacity(64);
        bytes.push(FORMAT | flag(is_backward, BACKWARD) | flag(is_inclusive, INCLUSIVE));
        bytes.extend(self.list.to_be_bytes());
        for (index, value) in item.iter().enumerate() {
            bytes.extend((index > 0).then_some(b','));
            // The values are those of the query language, and read as those of a filter are.
            // Writing to a vector never fails.
            let _ = write!(bytes, "{}", Literal::from(value.clone()));
        }
        BASE64.encode(bytes)
    }
}

/// The place that a client names by `cursor`.
pub(super) fn read(
    view: View<'_>,
    filter: Option<&ast::Filter>,
    order: &[Criterion],
    cursor: &str,
) -> Result<Seek, ApiError> {
    let cursors = Cursors::of(view, order)?;
    let list = filter.map_or_else(|| cursors.list(""), |filter| cursors.list(filter));
    if cursor == START {
        return Ok(Seek::start(list));
    }
    let problem = match decoded(order, cursor) {
        Some(seek) if seek.list != list => {
            "the cursor is of another list: of another filter, order, version or caller"
        }
        Some(seek) if seek.beside.is_some() => return Ok(seek),
        _ => "`cursor` is malformed",
    };
    let problem = format!("{problem}; begin with `cursor=start`");
    Err(ApiError::new(ErrorCode::MalformedCursor, problem))
}

/// The place of a cursor, of whatever list; beside nothing, where its values are not those of the order.
fn decoded(order: &[Criterion], cursor: &str) -> Option<Seek> {
    let bytes = BASE64.decode(cursor).ok()?;
    let (flags, rest) = bytes.split_first()?;
    let (list, values) = rest.split_first_chunk()?;
    (flags & !(BACKWARD | INCLUSIVE) == FORMAT).then(|| Seek {
        beside: values_of(order, values),
        is_backward: flags & BACKWARD != 0,
        is_inclusive: flags & INCLUSIVE != 0,
        list: u64::from_be_bytes(*list),
    })
}

/// The values of a cursor, one for each criterion.
fn values_of(order: &[Criterion], text: &[u8]) -> Option<Vec<Value>> {
    let literals = parse::literals(std::str::from_utf8(text).ok()?).ok()?;
    let is_whole = literals.len() == order.len();
    let values = order.iter().zip(&literals).map(|(criterion, literal)| {
        let path = criterion.path;
        match literal.value {
            LiteralValue::Null => path.is_nullable().then_some(Value::Null),
            // By the kind of the attribute, so that the database never gets a value of another kind.
            _ => resolve::value(path, literal).ok(),
        }
    });
    values.collect::<Option<_>>().filter(|_| is_whole)
}

/// Tests whether a list can be read by cursor in the order of its key.
pub fn has_cursors(definition: &ResourceDefinition) -> bool {
    let order: Vec<Criterion> = resolve::default_order(View::system(definition)).collect();
    require_short(&order).is_ok()
}

/// Refuses an order whose values a cursor cannot hold.
fn require_short(order: &[Criterion]) -> Result<(), ApiError> {
    let refused = |problem| {
        let problem = format!("{problem}, or read pages by `offset`");
        Err(ApiError::new(ErrorCode::MalformedOrder, problem))
    };
    if order.len() > MAX_CRITERIA {
        return refused(format!(
            "a cursor holds at most {MAX_CRITERIA} attributes of an order; order by fewer"
        ));
    }
    let mut length = 0_u32;
    for criterion in order {
        let attribute = criterion.path.attribute;
        length = length.saturating_add(max_length(attribute));
        if length > MAX_TEXT {
            let name = attribute.name();
            return refused(format!(
                "no cursor can hold `{name}`: the texts of an order are {MAX_TEXT} characters at most, together; give \
                 it a `max_length`, order by other attributes"
            ));
        }
    }
    Ok(())
}

/// The greatest length of a value, 0 of kinds that are short.
fn max_length(attribute: &Attribute) -> u32 {
    // The names of an enum are as short as its developer likes.
    match attribute.kind() {
        Kind::Text | Kind::Bytes if attribute.names().is_empty() => {
            attribute.length_limits().1.unwrap_or(u32::MAX)
        }
        _ => 0,
    }
}

/// The cursors of lists that differ in their filter alone: the digest of all else that makes a list another one. It is the
/// resource and version, the order, and the owner whose rows the caller sees.
#[derive(Debug, Clone, Copy)]
pub struct Cursors(Fnv1a);

impl Cursors {
    /// The cursors of an order, which is refused if they cannot hold its values.
    pub(super) fn of(view: View<'_>, order: &[Criterion]) -> Result<Self, ApiError> {
        require_short(order)?;
        let definition = view.definition();
        let mut list = Fnv1a::of(definition.name());
        list = list.and(" ").and(definition.version());
        for Criterion { path, descending } in order {
            list = list.and(if *descending { " -" } else { " +" });
            if let Some(index) = path.subresource {
                list = list.and(index).and(".");
            }
            list = list.and(path.attribute.name());
        }
        let mut rows = view.rows();
        while let Rows::Living(_, of_living) = rows {
            rows = *of_living;
        }
        if let Rows::Of(_, owner) = rows {
            list = list.and(format_args!(" {owner:?}"));
        }
        Ok(Self(list.and(" ")))
    }

    /// The cursor of the page behind an item with these values of the order.
    pub fn behind(self, filter: &str, item: &[Value]) -> String {
        Seek::start(self.list(filter)).further(item)
    }

    /// The digest of the list with a filter in normal form.
    fn list(self, filter: impl Display) -> u64 {
        self.0.and(filter).value()
    }
}

/// The values beyond `value` in the direction of a criterion, nearer ones first. Null is smaller than every value.
fn beyond(criterion: Criterion, value: &Value, is_inclusive: bool) -> Vec<Predicate> {
    let path = criterion.path;
    let relation = match (criterion.descending, is_inclusive) {
        (false, false) => Relation::Greater,
        (false, true) => Relation::GreaterOrEqual,
        (true, false) => Relation::Less,
        (true, true) => Relation::LessOrEqual,
    };
    let compared = || Predicate::test(path, Condition::Compare(relation, value.clone()));
    let null = || Predicate::test(path, Condition::IsNull);
    match (criterion.descending, value) {
        (false, Value::Null) => vec![null().negated()],
        (true, Value::Null) => Vec::new(),
        (true, _) if path.is_nullable() => vec![compared(), null()],
        _ => vec![compared()],
    }
}

fn equal_to(path: AttributePath, value: &Value) -> Predicate {
    let condition = match value {
        Value::Null => Condition::IsNull,
        value => Condition::Compare(Relation::Equal, value.clone()),
    };
    Predicate::test(path, condition)
}
