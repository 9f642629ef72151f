//! Collections: the items that refer to an item, in filters and in responses.

use resource_runtime::{Api, ApiResource, QueryLimits};
use resource_tests::lines::assert_ndjson;
use resource_tests::{Service, apply, assert_error, assert_no_content, every_database};
use serde_json::{Value, json};

use crate::requests::{encode, filtered, ids, ordered, refused};

const CUSTOMERS: &str = "/api/1.0/customers";
const ORDERS: &str = "/api/1.0/orders";
const FOLDERS: &str = "/api/1.0/folders";

#[derive(Debug, ApiResource)]
#[resource(name = "Customer", url = "/customers", version = "1.0")]
#[resource(collection(orders = Order::CUSTOMER_ID, gifts = Order::FOR_CODE))]
struct Customer {
    id: i64,
    #[resource(unique, max_length = 20)]
    code: Option<String>,
}

#[derive(Debug, ApiResource)]
#[resource(
    name = "Order",
    url = "/orders",
    version = "1.0",
    subresource(customer = "customer_id")
)]
struct Order {
    id: i64,
    #[resource(references = Customer)]
    customer_id: i64,
    #[resource(references(Customer, code), max_length = 20)]
    for_code: Option<String>,
    total: Option<i64>,
    #[resource(write_only)]
    secret: Option<String>,
    #[resource(soft_delete)]
    deleted_at: Option<chrono::DateTime<chrono::Utc>>,
}

#[derive(Debug, ApiResource)]
#[resource(
    name = "Folder",
    url = "/folders",
    version = "1.0",
    limit(max = 3_000, all)
)]
#[resource(subresource(parent = "parent_id"), collection(children = Folder::PARENT_ID))]
struct Folder {
    id: i64,
    name: String,
    #[resource(references = Folder)]
    parent_id: Option<i64>,
}

/// Three customers, of whom the second has no order and the third no code.
fn shop() -> Service {
    let service = Service::start(|database| {
        Api::builder()
            .resource::<Customer>()
            .resource::<Order>()
            .build(database)
    });
    for code in [json!("a\"%"), json!("b"), json!(null)] {
        service.create(CUSTOMERS, &json!({"code": code}));
    }
    for (customer, code, total) in [
        (1, json!("b"), json!(70)),
        (1, json!(null), json!(20)),
        (3, json!("a\"%"), json!(null)),
        (3, json!("b"), json!(55)),
        (1, json!("b"), json!(70)),
    ] {
        let order =
            json!({"customer_id": customer, "for_code": code, "total": total, "secret": "s"});
        service.create(ORDERS, &order);
    }
    service
}

#[apply(every_database)]
fn a_lookup_of_another_api_in_a_collection_is_told_as_has() {
    let service = shop();
    for (query, said) in [
        (
            "orders__total__gte=5",
            "write `filter=has(orders,ge(total,5))`",
        ),
        (
            "orders.total=lt.5",
            "write `filter=has(orders,lt(total,5))`",
        ),
        // One order has to be within both bounds.
        ("orders__total__range=3,5", "did you mean `order`?"),
        // A hidden attribute has no name in the query language.
        ("orders__secret=x", "did you mean `order`?"),
    ] {
        let answer = service.get(&format!("{CUSTOMERS}?{query}"));
        assert_error(&answer, 400, 10064).naming(&[said]);
    }
}

#[apply(every_database)]
fn has_finds_the_items_that_others_refer_to() {
    let service = shop();
    for (filter, found) in [
        ("has(orders)", &[1, 3][..]),
        ("not(has(orders))", &[2]),
        ("has(gifts)", &[1, 2]),
        // A null refers to nothing, and nothing refers to a null.
        ("not(has(gifts))", &[3]),
        ("has(orders,eq(total,55))", &[3]),
        ("has(orders,and(gt(id,1),lt(total,60)))", &[1, 3]),
        ("not(has(orders,eq(total,null)))", &[1, 2]),
        ("has(orders,not(eq(total,70)))", &[1, 3]),
        ("has(gifts,eq(customer.code,null))", &[1, 2]),
        ("and(has(orders),has(gifts),eq(id,1))", &[1]),
        ("or(has(orders,eq(id,3)),not(has(gifts,eq(id,3))))", &[2, 3]),
        ("has(orders,icontains(customer.code,\"A\"))", &[1]),
    ] {
        assert_eq!(filtered(&service, CUSTOMERS, filter), found, "{filter}");
    }
    assert_no_content(&service.delete(&format!("{ORDERS}/3")));
    assert_eq!(filtered(&service, CUSTOMERS, "has(gifts)"), [2]);
}

/// PostgreSQL keeps totals, which a change to the table of the collection outdates.
#[apply(every_database)]
fn the_total_follows_the_items_of_a_collection() {
    let service = shop();
    for total in [1, 2, 3] {
        let filter = format!("has(orders,eq(total,{total}))");
        assert_eq!(filtered(&service, CUSTOMERS, &filter), [0_i64; 0]);
        service.create(ORDERS, &json!({"customer_id": 2, "total": total}));
        assert_eq!(filtered(&service, CUSTOMERS, &filter), [2]);
    }
}

#[apply(every_database)]
fn mistakes_about_collections_are_told_at_their_columns() {
    let service = shop();
    for (parameter, text, said) in [
        (
            "filter",
            "has()",
            "column 5: expected a collection, found `)`",
        ),
        ("filter", "has(orders", "column 11: expected `)`"),
        ("filter", "has(orders,)", "column 12: expected a function"),
        (
            "filter",
            "has(order)",
            "column 5: `order` is not a collection of Customer; did you mean `orders`?",
        ),
        (
            "filter",
            "not(has(code))",
            "column 9: `code` is not a collection of Customer",
        ),
        (
            "filter",
            "has(orders,eq(totl,1))",
            "column 15: `totl` is not an attribute of Order 1.0; did you mean `total`?",
        ),
        (
            "filter",
            "has(orders,eq(secret,\"s\"))",
            "column 15: `secret` is not an attribute of Order 1.0",
        ),
        (
            "filter",
            "has(orders,eq(deleted_at,null))",
            "column 15: `deleted_at` is not an attribute of Order 1.0",
        ),
        (
            "filter",
            "has(orders,eq(total,\"1\"))",
            "column 21: `total` is compared with an integer",
        ),
        (
            "filter",
            "has(orders,or(eq(id,1),has(orders)))",
            "column 24: `has` does not stand within another `has`",
        ),
        (
            "filter",
            "eq(orders,1)",
            "column 4: `orders` is a collection; only a filter tests its items: `has(orders)`",
        ),
        (
            "filter",
            "eq(orders.total,1)",
            "column 4: `orders` is a collection",
        ),
        (
            "order",
            "asc(orders.total)",
            "column 5: `orders` is a collection",
        ),
    ] {
        refused(&service, CUSTOMERS, parameter, text).naming(&[said]);
    }
    let many = |count| format!("or({})", vec!["has(orders)"; count].join(","));
    assert_eq!(filtered(&service, CUSTOMERS, &many(8)), [1, 3]);
    refused(&service, CUSTOMERS, "filter", &many(9))
        .naming(&["column 100: `has` stands at most 8 times in a filter"]);
    let answer = service.post(CUSTOMERS, &json!({"orders": []}));
    assert_error(&answer, 400, 10010).naming(&["`orders` is a collection", "leave it out"]);
    assert_eq!(ordered(&service, CUSTOMERS, "desc(id)"), [3, 2, 1]);
}

/// The fields of an expansion, and the parameters of the list that it is a part of.
const SHOWN: [(&str, &str); 5] = [
    ("id,total", ""),
    ("total", "&order=desc(total)"),
    ("id,for_code", "&order=asc(customer.code),desc(id)"),
    ("id", "&order=asc(total),desc(for_code)"),
    ("customer_id,id,for_code,total", "&order=desc(id)"),
];

/// The expansion equals the list of the items that refer to the item, cut at its limit, and `next` leads to the rest.
fn assert_lists_what_the_list_has(
    service: &Service,
    shown: &Value,
    refers: (&str, &Value),
    fields: &str,
    order: &str,
    limit: usize,
) {
    let (attribute, value) = refers;
    let items = shown["items"].as_array().unwrap();
    let all = if value.is_null() {
        Vec::new()
    } else {
        let filter = encode(&format!("eq({attribute},{value})"));
        let list = format!("{ORDERS}?filter={filter}&fields={fields}{order}&limit=1000");
        service.read(&list)["items"].as_array().unwrap().clone()
    };
    assert_eq!(*items, all[..limit.min(all.len())], "{fields}{order}");
    match shown["next"].as_str() {
        None => assert!(all.len() <= limit, "{shown}"),
        Some(next) => {
            let mut found = items.clone();
            let rest = service.read(&next.replace(&format!("limit={limit}"), "limit=1000"));
            found.extend(rest["items"].as_array().unwrap().iter().cloned());
            assert_eq!(found, all, "{next}");
        }
    }
}

#[apply(every_database)]
fn a_collection_holds_what_its_list_holds() {
    let service = shop();
    assert_no_content(&service.delete(&format!("{ORDERS}/2")));
    for number in 0..20_i64 {
        let total = (number % 3 > 0).then_some(number % 5);
        let code = ["b", "a\"%"][usize::from(number % 4 == 0)];
        let order = json!({"customer_id": 2 + number % 2, "for_code": code, "total": total});
        service.create(ORDERS, &order);
    }
    for (fields, order) in SHOWN {
        for limit in [1, 3, 10, 100] {
            for (collection, refers, key) in [
                ("orders", "customer_id", "id"),
                ("gifts", "for_code", "code"),
            ] {
                let option = order.replace('&', ";");
                let expansion = format!("id,code,{collection}({fields}{option};limit={limit})");
                let page = format!("{CUSTOMERS}?fields={expansion}&order=desc(code)");
                let mut items = Vec::new();
                // Pages of one item and of all, whose totals are those of the items.
                for part in [
                    "&limit=3",
                    "&limit=1",
                    "&limit=1&offset=1",
                    "&offset=2&limit=7",
                ] {
                    let page = service.read(&format!("{page}{part}"));
                    assert_eq!(page["totalItems"], 3, "{part}");
                    items.extend(page["items"].as_array().unwrap().iter().cloned());
                }
                assert_eq!(items[..3], items[3..]);
                for item in &items[..3] {
                    let id = &item["id"];
                    let one = service.read(&format!("{CUSTOMERS}/{id}?fields={expansion}"));
                    assert_eq!(one, *item);
                    let refers = (refers, &item[key]);
                    let shown = &item[collection];
                    assert_lists_what_the_list_has(&service, shown, refers, fields, order, limit);
                }
            }
        }
    }
    let past = format!("{CUSTOMERS}?fields=orders(id)&offset=5");
    assert_eq!(service.read(&past), json!({"items": [], "totalItems": 3}));
    let none = format!("{CUSTOMERS}?fields=orders(id)&limit=0");
    assert_eq!(service.read(&none), json!({"items": [], "totalItems": 3}));
}

#[apply(every_database)]
fn an_item_has_another_tag_once_its_collection_changes() {
    let service = shop();
    let tag = |path: &str| service.get(path).header("etag").unwrap().to_owned();
    let item = format!("{CUSTOMERS}/1");
    let path = format!("{item}?fields=code,orders(id)");
    let known = tag(&path);
    // The part of the row, with which writes are conditional, is that of the item alone.
    assert_eq!(
        known.split_once('.').unwrap().0,
        tag(&item).split_once('.').unwrap().0
    );
    let request = || {
        service
            .request("GET", &path)
            .header("if-none-match", &known)
    };
    assert_eq!(request().send().status, 304);
    service.create(ORDERS, &json!({"customer_id": 1}));
    assert_eq!(request().send().status, 200);
}

/// A collection beside subresources, of a resource that refers to itself, and beyond the chunks of a long response.
#[apply(every_database)]
fn a_collection_stands_beside_subresources_in_a_long_page() {
    let service = Service::start(|database| Api::builder().resource::<Folder>().build(database));
    let name = "x".repeat(2_000);
    service.create(FOLDERS, &json!({"name": name}));
    for id in 2..=60 {
        service.create(FOLDERS, &json!({"name": name, "parent_id": (id + 1) / 3}));
    }
    let fields = "children(name,id;order=desc(parent.name),asc(id);limit=2),parent(id),name,id";
    let page = service.read(&format!("{FOLDERS}?fields={fields}&limit=100"));
    assert_eq!(page["totalItems"], 60);
    for (item, id) in page["items"].as_array().unwrap().iter().zip(1_i64..) {
        let children: Vec<i64> = (2..=60).filter(|child| (child + 1) / 3 == id).collect();
        let shown = children.iter().take(2);
        let shown: Vec<Value> = shown.map(|id| json!({"id": id, "name": name})).collect();
        assert_eq!(item["id"], id);
        assert_eq!(item["children"]["items"], json!(shown));
        assert_eq!(item["children"]["next"].is_null(), children.len() <= 2);
        let parent = (id > 1).then(|| json!({"id": (id + 1) / 3}));
        assert_eq!(item["parent"], json!(parent));
    }
    let list = format!("{FOLDERS}?fields={fields}&limit=100");
    let lines = service.get(&format!("{list}&format=ndjson"));
    assert_ndjson(lines.text(), service.get(&list).text());
    // Long texts have no place in a cursor.
    for (order, place) in [("", "cursor="), (";order=asc(name)", "offset=1")] {
        let fields = format!("children(id{order};limit=1)");
        let text = service.get(&format!("{FOLDERS}/1?fields={fields}"));
        let (order, list) = (order.replace(';', "&"), "/api/1.0/folders");
        let next = format!("{list}?filter=eq(parent_id%2C1)&fields=id{order}&limit=1&{place}");
        let expected = format!("{{\"children\":{{\"items\":[{{\"id\":2}}],\"next\":\"{next}");
        assert!(text.text().starts_with(&expected), "{}", text.text());
    }
    for (parameters, said) in [
        ("format=csv", "a line of CSV holds no collection"),
        ("format=ndjson&limit=all", "a list of all items holds"),
        ("cursor=start", "a page by `cursor` holds no collection"),
    ] {
        let answer = service.get(&format!("{FOLDERS}?fields=id,children(id)&{parameters}"));
        assert_error(&answer, 400, 10062).naming(&[said]);
    }
}

#[apply(every_database)]
fn the_limits_of_collections_are_settings() {
    let limits = QueryLimits::new()
        .collection_limit(2)
        .max_collection_limit(4)
        .collection_tests(1);
    let service = Service::start(|database| {
        let api = Api::builder().query_limits(limits);
        api.resource::<Folder>().build(database)
    });
    service.create(FOLDERS, &json!({"name": "a"}));
    for _ in 0..5 {
        service.create(FOLDERS, &json!({"name": "b", "parent_id": 1}));
    }
    let shown = |fields: &str| {
        let item = service.read(&format!("{FOLDERS}/1?fields={fields}"));
        item["children"]["items"].as_array().unwrap().len()
    };
    assert_eq!(shown("children"), 2);
    assert_eq!(shown("children(;limit=4)"), 4);
    for (fields, said) in [
        (
            "children(id;limit=5)",
            "column 19: `limit` is a number from 1 to 4, not 5",
        ),
        ("children(id;limit=0)", "from 1 to 4, not 0"),
        ("children(id;limit=1.5)", "from 1 to 4, not 1.5"),
        ("children(id;limit=\"1\")", "from 1 to 4, not \"1\""),
        (
            "children(id;order=name)",
            "column 19: expected `asc(` or `desc(`, found `name`",
        ),
        (
            "children(id;order=asc(children))",
            "column 23: `children` is a collection",
        ),
        (
            "children(nme)",
            "column 10: `nme` is not an attribute of Folder 1.0; did you mean `name`?",
        ),
        (
            "children(children)",
            "column 10: only the first level expands; list `folders` by itself, with `fields=children` and a `filter`",
        ),
        (
            "children(parent(id))",
            "column 16: only the first level expands; list the resource of `children` by itself, with \
             `fields=parent(…)` and a `filter`",
        ),
        (
            "childre(id)",
            "column 1: `childre` is not a subresource of Folder; did you mean `children`?",
        ),
        (
            "children,children(id)",
            "column 10: a response holds one collection",
        ),
    ] {
        refused(&service, FOLDERS, "fields", fields).naming(&[said]);
    }
    assert_eq!(filtered(&service, FOLDERS, "has(children)"), [1]);
    refused(
        &service,
        FOLDERS,
        "filter",
        "or(has(children),has(children))",
    )
    .naming(&["column 18: `has` stands at most 1 times"]);
    let many = service.get(&format!(
        "{FOLDERS}?limit=2501&fields=id,children(id;limit=4)"
    ));
    assert_error(&many, 400, 10062).naming(&[
        "`fields`: 2501 items with 4 of `children` each are more than 10000; lower one `limit`",
    ]);
    service.read(&format!(
        "{FOLDERS}?limit=2500&fields=id,children(id;limit=4)"
    ));
}

#[apply(every_database)]
fn the_service_takes_each_next_of_a_collection() {
    let limits = QueryLimits::new().terms(2).collection_limit(3);
    let service = Service::start(|database| {
        let api = Api::builder().query_limits(limits).max_offset(3);
        api.resource::<Folder>().build(database)
    });
    service.create(FOLDERS, &json!({"name": "a"}));
    for _ in 0..5 {
        service.create(FOLDERS, &json!({"name": "b", "parent_id": 1}));
    }
    // All attributes together have more terms than an expression; one order has no cursor.
    for (fields, rest) in [
        ("children", &[5, 6][..]),
        ("children(id;limit=2)", &[4, 5]),
        ("children(;order=asc(name);limit=3)", &[5, 6]),
        ("children(;order=desc(name);limit=2)", &[4, 5]),
    ] {
        let item = service.read(&format!("{FOLDERS}/1?fields={fields}"));
        let next = item["children"]["next"].as_str().unwrap();
        assert_eq!(ids(&service.read(next)), rest, "{next}");
    }
    refused(&service, FOLDERS, "fields", "children(;order=asc(name);limit=4)").naming(&[
        "column 1: `children` goes on by `offset`, at most 3, as no cursor holds its order; lower its `limit`, or take \
         another order",
    ]);
}
