//! Random rows and queries.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::print::Style;
use super::rows::{Datum, HUB, ITEM, Kind, Path, ROOT};
use super::tree::{Fields, Filter, Place, Query, Relation};
use super::values::{datum, or_null, pattern, text};
use super::world::World;

const HUBS: usize = 8;
const ITEMS: usize = 60;

/// A row without its id, whose keys refer to hubs.
fn row(attributes: &'static [(&str, Kind, bool)]) -> impl Strategy<Value = Vec<Datum>> {
    let values = attributes[1..].iter().map(|(_, kind, nullable)| {
        let values = match kind {
            Kind::Key => (1..=8_i64).prop_map(Datum::Integer).boxed(),
            kind => datum(*kind),
        };
        if *nullable { or_null(values) } else { values }
    });
    values.collect::<Vec<BoxedStrategy<Datum>>>()
}

/// Items whose roots are earlier ones, as they are created in their order.
fn rooted(mut items: Vec<Vec<Datum>>) -> Vec<Vec<Datum>> {
    for (index, item) in (0..).zip(&mut items) {
        if matches!(item[ROOT], Datum::Integer(root) if root > index) {
            item[ROOT] = Datum::Null;
        }
    }
    items
}

fn numbered(rows: Vec<Vec<Datum>>) -> Vec<Vec<Datum>> {
    let rows = (1..).map(Datum::Integer).zip(rows);
    rows.map(|(number, row)| [vec![number], row].concat())
        .collect()
}

/// All rows of a run.
pub(super) fn world() -> impl Strategy<Value = World> {
    (vec(row(&HUB), HUBS), vec(row(&ITEM), ITEMS)).prop_map(|(hubs, items)| World {
        hubs: numbered(hubs),
        items: rooted(numbered(items)),
    })
}

fn path() -> impl Strategy<Value = Path> {
    prop_oneof![
        3 => (0..ITEM.len()).prop_map(Path::Own),
        1 => (0..HUB.len()).prop_map(Path::Hub),
        1 => (0..HUB.len()).prop_map(Path::Spare),
    ]
}

fn leaf() -> impl Strategy<Value = Filter> {
    path().prop_flat_map(|path| {
        let values = datum(path.kind());
        let all = [
            Relation::Eq,
            Relation::Ne,
            Relation::Gt,
            Relation::Ge,
            Relation::Lt,
            Relation::Le,
        ];
        let compare = (select(all.to_vec()), values.clone())
            .prop_map(move |(relation, value)| Filter::Compare(relation, path, value));
        let null = any::<bool>().prop_map(move |equal| {
            let relation = if equal { Relation::Eq } else { Relation::Ne };
            Filter::Compare(relation, path, Datum::Null)
        });
        let within = vec(or_null(values), 0..6).prop_map(move |values| Filter::In(path, values));
        let like =
            (pattern(), any::<bool>()).prop_map(move |(pattern, ignores_case)| Filter::Like {
                path,
                pattern,
                ignores_case,
            });
        let places = select(vec![Place::Start, Place::End, Place::Anywhere]);
        let affix = (text(), places, any::<bool>()).prop_map(move |(text, place, ignores_case)| {
            Filter::Affix {
                path,
                text,
                place,
                ignores_case,
            }
        });
        if path.kind() == Kind::Text {
            prop_oneof![3 => compare, 1 => null, 2 => within, 4 => like, 4 => affix].boxed()
        } else {
            prop_oneof![4 => compare, 1 => null, 2 => within].boxed()
        }
    })
}

fn combined(
    leaf: impl Strategy<Value = Filter> + 'static,
    depth: u32,
) -> impl Strategy<Value = Filter> {
    leaf.prop_recursive(depth, 16, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 2..4).prop_map(Filter::And),
            vec(inner.clone(), 2..4).prop_map(Filter::Or),
            inner.prop_map(|filter| Filter::Not(Box::new(filter))),
        ]
    })
}

fn filter() -> impl Strategy<Value = Filter> {
    let of_leaves = option::weighted(0.9, combined(leaf(), 2));
    let has = of_leaves.prop_map(|filter| Filter::Has(filter.map(Box::new)));
    combined(prop_oneof![5 => leaf(), 1 => has], 4)
}

/// A random request.
pub(super) fn query() -> impl Strategy<Value = Query> {
    let order = vec((path(), any::<bool>()), 0..4);
    let page = option::of((0..70_usize, 0..70_usize));
    let fields = select(
        &[
            Fields::Everything,
            Fields::Id,
            Fields::Hub,
            Fields::HubAndSpare,
        ][..],
    );
    let style = any::<(bool, bool, bool)>().prop_map(|(spaced, escaped, whole)| Style {
        spaced,
        escaped,
        whole,
    });
    (filter(), order, page, fields, style).prop_map(|(filter, order, page, fields, style)| Query {
        filter,
        order,
        page,
        fields,
        style,
    })
}
