//! Items and hubs: as resources of the service, and as rows of the plain evaluation.

use std::cmp::Ordering;

use resource_runtime::{Api, ApiResource};
use resource_tests::Service;
use serde_json::{Map, Value, json};

use super::evaluate::{holds, order};
use super::rows::{Datum, HUB, ITEM, Kind, Path, ROOT};
use super::tree::{Fields, Filter, Query};

/// The collection of the items.
pub(super) const ITEMS: &str = "/api/1.0/items";

#[derive(Debug, ApiResource)]
#[resource(name = "Hub", url = "/hubs", version = "1.0")]
struct Hub {
    id: i64,
    label: String,
    note: Option<String>,
    size: Option<i64>,
    weight: f64,
    open: Option<bool>,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Item", url = "/items", version = "1.0")]
#[resource(subresource(hub = "hub_id", spare = "spare_id"), collection(leaves = Item::ROOT_ID))]
struct Item {
    id: i64,
    small: Option<i16>,
    count: i32,
    large: Option<i64>,
    real: Option<f64>,
    ratio: f64,
    flag: Option<bool>,
    sure: bool,
    name: String,
    #[resource(index)]
    note: Option<String>,
    #[resource(references = Hub)]
    hub_id: Option<i64>,
    #[resource(references = Hub)]
    spare_id: Option<i64>,
    #[resource(references = Item)]
    root_id: Option<i64>,
}

/// All rows; the first value of each is its number, from 1.
#[derive(Debug, Clone)]
pub(super) struct World {
    pub(super) hubs: Vec<Vec<Datum>>,
    pub(super) items: Vec<Vec<Datum>>,
}

impl World {
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// A service that holds these rows.
    pub(super) fn serve(&self) -> Service {
        let service = Service::start(|database| {
            Api::builder()
                .resource::<Item>()
                .resource::<Hub>()
                .build(database)
        });
        for hub in &self.hubs {
            service.create("/api/1.0/hubs", &object(&HUB[1..], &hub[1..]));
        }
        for item in &self.items {
            service.create(ITEMS, &object(&ITEM[1..], &item[1..]));
        }
        service
    }

    fn hub(&self, key: &Datum) -> Option<&Vec<Datum>> {
        self.hubs.iter().find(|hub| hub[0] == *key)
    }

    fn value<'world>(&'world self, item: &'world [Datum], path: Path) -> &'world Datum {
        let of_hub =
            |key: usize, index: usize| self.hub(&item[key]).map_or(&Datum::Null, |hub| &hub[index]);
        match path {
            Path::Own(index) => &item[index],
            Path::Hub(index) => of_hub(10, index),
            Path::Spare(index) => of_hub(11, index),
        }
    }

    /// The items for which the filter holds, by their numbers.
    pub(super) fn matching(&self, query: &Query) -> Vec<&Vec<Datum>> {
        let items = self.items.iter();
        items
            .filter(|item| {
                let has = |filter: Option<&Filter>| self.has_leaf(item, filter);
                holds(&query.filter, &|path| self.value(item, path), &has)
            })
            .collect()
    }

    fn has_leaf(&self, root: &[Datum], filter: Option<&Filter>) -> bool {
        let mut leaves = self.items.iter().filter(|leaf| leaf[ROOT] == root[0]);
        leaves.any(|leaf| {
            let value = |path| self.value(leaf, path);
            filter.is_none_or(|filter| holds(filter, &value, &|_| panic!("`has` within `has`")))
        })
    }

    /// The expected response of the service; an item with all attributes is represented by its number alone.
    pub(super) fn answer(&self, query: &Query) -> Value {
        let mut items = self.matching(query);
        let total = items.len();
        items.sort_by(|one, other| self.sorts(query, one, other));
        let (offset, limit) = query.page.unwrap_or((0, usize::MAX));
        let page = items.into_iter().skip(offset).take(limit);
        let page: Vec<Value> = page.map(|item| self.shown(item, query.fields)).collect();
        json!({"items": page, "totalItems": total})
    }

    fn sorts(&self, query: &Query, one: &[Datum], other: &[Datum]) -> Ordering {
        let criteria = query.order.iter().map(|(path, descends)| {
            let ascending = order(self.value(one, *path), self.value(other, *path));
            if *descends {
                ascending.reverse()
            } else {
                ascending
            }
        });
        let key = order(&one[0], &other[0]);
        criteria.fold(Ordering::Equal, Ordering::then).then(key)
    }

    fn shown(&self, item: &[Datum], fields: Fields) -> Value {
        let hub = |key: usize, shown: &[usize]| match self.hub(&item[key]) {
            Some(hub) => shown
                .iter()
                .map(|index| (HUB[*index].0.to_owned(), hub[*index].json()))
                .collect::<Map<String, Value>>()
                .into(),
            None => Value::Null,
        };
        let id = item[0].json();
        match fields {
            Fields::Everything | Fields::Id => json!({"id": id}),
            Fields::Hub => json!({"id": id, "hub": hub(10, &[0])}),
            Fields::HubAndSpare => {
                json!({"id": id, "hub": hub(10, &[1, 2]), "spare": hub(11, &[0, 3])})
            }
        }
    }
}

fn object(attributes: &[(&str, Kind, bool)], values: &[Datum]) -> Value {
    let members = attributes.iter().zip(values);
    let members = members.map(|((name, ..), value)| ((*name).to_owned(), value.json()));
    members.collect::<Map<String, Value>>().into()
}
