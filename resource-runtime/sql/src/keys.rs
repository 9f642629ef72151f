//! Reads that are certainly quick, as they name the keys of their items.

use resource_model::authorization::View;
use resource_model::query::{Condition, ListQuery, Predicate, Relation, RowQuery, Selection, Test};
use resource_model::schema::{Attribute, ResourceDefinition};
use resource_model::value::Value;

use crate::collection::tested;
use crate::join::Joins;

/// The most keys of a list that is certainly quick.
const MAX_KEYS: usize = 100;

/// Tests whether an item is certainly quick to read.
pub fn has_few_keys(query: &RowQuery<'_>) -> bool {
    match query {
        RowQuery::Item {
            view, selection, ..
        } => has_quick_items(*view, *selection),
        RowQuery::WholeItem { view, .. } => has_quick_items(*view, None),
    }
}

/// Tests whether a list is certainly quick to read and to count: its filter names few keys, and nothing whose cost they do not
/// limit.
pub(super) fn is_list_of_few_keys(view: View<'_>, query: &ListQuery) -> bool {
    let definition = view.definition();
    let Some((filter, key)) = query.filter.as_ref().zip(definition.only_key()) else {
        return false;
    };
    let of_filter = Joins::of_filter(Some(filter));
    let of_order = Joins::of_order_alone(&query.order, &of_filter);
    let mut joined = of_filter
        .targets(definition)
        .chain(of_order.targets(definition));
    most_items(filter, key).is_some_and(|most| most <= MAX_KEYS)
        && has_quick_items(view, query.selection.as_ref())
        && !joined.any(ResourceDefinition::is_view)
        && tested(definition, Some(filter)).is_empty()
}

/// Tests whether no part of the items is that of a view, which may compute it, or a collection.
fn has_quick_items(view: View<'_>, selection: Option<&Selection>) -> bool {
    let definition = view.definition();
    let expanded = selection.into_iter().flat_map(|it| &it.expansions);
    let expanded = Joins::of_subresources(expanded.map(|it| it.subresource));
    let mut targets = expanded.targets(definition);
    !definition.is_view()
        && !targets.any(ResourceDefinition::is_view)
        && !selection.is_some_and(Selection::repeats_items)
}

/// The most items that a filter without tests of collections can match; none where its conditions on the key do not tell.
fn most_items(filter: &Predicate, key: &Attribute) -> Option<usize> {
    match filter {
        Predicate::Test(test) => match &of_key(test, key)?.condition {
            Condition::Compare(Relation::Equal, _) => Some(1),
            Condition::OneOf { values, .. } => Some(values.len()),
            _ => None,
        },
        Predicate::Any(members) => {
            let each = members.iter().map(|member| most_items(member, key));
            each.reduce(|sum, next| sum?.checked_add(next?))?
        }
        Predicate::All(members) => {
            let each = members.iter().filter_map(|member| most_items(member, key));
            each.min().or_else(|| width(members, key))
        }
        Predicate::Has(_) => None,
    }
}

/// The number of keys between the bounds that some of these conditions set.
fn width(members: &[Predicate], key: &Attribute) -> Option<usize> {
    let lesser = |known: Option<i64>, bound| Some(known.map_or(bound, |it| it.min(bound)));
    let (mut least, mut greatest) = (None, None);
    for member in members {
        let Predicate::Test(test) = member else {
            continue;
        };
        if let Some(Condition::Compare(relation, Value::Integer(bound))) =
            of_key(test, key).map(|test| &test.condition)
        {
            match relation {
                Relation::Greater => least = least.max(bound.checked_add(1)),
                Relation::GreaterOrEqual => least = least.max(Some(*bound)),
                Relation::Less => greatest = lesser(greatest, bound.checked_sub(1)?),
                Relation::LessOrEqual => greatest = lesser(greatest, *bound),
                Relation::Equal => {}
            }
        }
    }
    let width = greatest?.checked_sub(least?)?.checked_add(1)?;
    usize::try_from(width.max(0)).ok()
}

/// The test, if the key has to meet it.
fn of_key<'test>(test: &'test Test, key: &Attribute) -> Option<&'test Test> {
    let is_of_key =
        test.path.subresource.is_none() && test.path.attribute.identifier() == key.identifier();
    (is_of_key && !test.negated).then_some(test)
}

#[cfg(test)]
mod tests {
    use resource_model::ApiResource as _;
    use resource_model::authorization::View;
    use resource_model::query::ListParameters;
    use resource_model::samples::{Person, asked};

    use super::most_items;

    #[test]
    fn conditions_on_the_key_tell_the_most_items() {
        let view = View::unrestricted(Person::DEFINITION);
        let key = Person::DEFINITION.only_key().expect("a key of one part");
        for (filter, most) in [
            ("eq(id,7)", Some(1)),
            ("in(id,[7,8,9])", Some(3)),
            ("or(eq(id,7),in(id,[8,9]))", Some(3)),
            ("or(eq(id,7),eq(age,8))", None),
            ("and(in(id,[7,8,9]),eq(age,8))", Some(3)),
            ("and(gt(id,7),le(id,17))", Some(10)),
            ("and(ge(id,7),lt(id,17),lt(id,9))", Some(2)),
            ("and(gt(id,17),le(id,7))", Some(0)),
            (
                "and(ge(id,-9223372036854775808),le(id,9223372036854775807))",
                None,
            ),
            ("and(ge(id,7),lt(id,-9223372036854775808))", None),
            ("and(gt(id,7),le(age,17))", None),
            ("or(gt(id,7),le(id,17))", None),
            ("ne(id,7)", None),
            ("not(in(id,[7,8]))", None),
            ("eq(bill_address.id,7)", None),
        ] {
            let parameters = ListParameters {
                filter: Some(filter.to_owned()),
                ..ListParameters::default()
            };
            let query = asked(view, &parameters);
            let predicate = query.filter.expect("a filter");
            assert_eq!(most_items(&predicate, key), most, "{filter}");
        }
    }
}
