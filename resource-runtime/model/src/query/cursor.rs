//! Places in a list: pages that begin beside an item, wherever it is by now, and not behind a number of items.

use super::{AttributePath, Condition, Criterion, Predicate, Relation, Test};
use crate::value::Value;

/// The place of a page: at the start of the list, or beside an item, which need not exist any more.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Seek {
    /// The values of that item, one for each criterion of the order; `None` at the start.
    pub beside: Option<Vec<Value>>,
    /// True where the page ends before the item; otherwise it begins behind.
    pub is_backward: bool,
    /// True where the item belongs to the page.
    pub is_inclusive: bool,
}

impl Seek {
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
    let compared = || test(path, Condition::Compare(relation, value.clone()));
    let null = || test(path, Condition::IsNull);
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
    test(path, condition)
}

const fn test(path: AttributePath, condition: Condition) -> Predicate {
    Predicate::Test(Test {
        path,
        condition,
        negated: false,
    })
}
