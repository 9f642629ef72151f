//! Pages beside an item.

use resource_model::ApiResource as _;
use resource_model::authorization::View;
use resource_model::query::{ListParameters, Seek};
use resource_model::samples::{Person, asked};
use resource_model::value::Value;

use crate::{Dialect, PageQuery, page};

fn read(dialect: Dialect, order: &str, seek: Seek) -> PageQuery {
    let view = View::unrestricted(Person::DEFINITION);
    let mut query = asked(
        view,
        &ListParameters {
            order: Some(order.to_owned()),
            fields: Some("id".to_owned()),
            ..ListParameters::default()
        },
    );
    query.seek = Some(seek);
    page(dialect, view, &query)
}

fn behind(values: impl Into<Vec<Value>>) -> Seek {
    Seek {
        beside: Some(values.into()),
        ..Seek::default()
    }
}

/// The text, with short names.
fn text(dialect: Dialect, order: &str, seek: Seek) -> String {
    let rows = read(dialect, order, seek).rows.unwrap();
    let text = rows.text().replace("\"the.item\".", "");
    let text = text.replace(" FROM \"persons\" AS \"the.item\"", " FROM p");
    text.replace('"', "")
}

#[test]
fn a_place_in_the_order_of_the_key_is_one_range() {
    let at_7 = behind([Value::Integer(7)]);
    assert_eq!(
        text(Dialect::Sqlite, "", at_7.clone()),
        "SELECT id, id AS order.0 FROM p WHERE id > ? ORDER BY id LIMIT ? OFFSET ?"
    );
    let before = Seek {
        is_backward: true,
        is_inclusive: true,
        ..at_7
    };
    assert_eq!(
        text(Dialect::Sqlite, "", before),
        "SELECT the.page.id, the.page.order.0, COUNT(*) OVER () FROM (\
         SELECT id, id AS order.0 FROM p WHERE id <= ? ORDER BY id DESC LIMIT ? OFFSET ?\
         ) AS the.page ORDER BY the.page.order.0"
    );
    assert_eq!(
        text(Dialect::Sqlite, "", Seek::default()),
        "SELECT id, id AS order.0 FROM p ORDER BY id LIMIT ? OFFSET ?"
    );
}

#[test]
fn ties_and_nulls_are_ranges_of_their_own() {
    let descending = "desc(age)";
    let at_30 = || behind([Value::Integer(30), Value::Integer(7)]);
    let select = "SELECT id, age AS order.0, id AS order.1 FROM p WHERE";
    assert_eq!(
        text(Dialect::Sqlite, descending, at_30()),
        format!(
            "{select} (age = ? AND id > ?) UNION ALL {select} age < ? UNION ALL {select} age IS NULL \
             ORDER BY order.0 DESC, order.1 LIMIT ? OFFSET ?"
        )
    );
    let end = "ORDER BY age DESC NULLS LAST, id LIMIT";
    assert_eq!(
        text(Dialect::Postgres, descending, at_30()),
        format!(
            "({select} (age = $1 AND id > $2) {end} 10) UNION ALL \
             ({select} age < $3 {end} 10) UNION ALL \
             ({select} age IS NULL {end} 10) \
             ORDER BY order.0 DESC NULLS LAST, order.1 LIMIT 10"
        )
    );
    let null = behind([Value::Null, Value::Integer(7)]);
    assert_eq!(
        text(Dialect::Sqlite, "asc(age)", null.clone()),
        format!(
            "{select} (age IS NULL AND id > ?) UNION ALL {select} age IS NOT NULL \
             ORDER BY order.0, order.1 LIMIT ? OFFSET ?"
        )
    );
    assert_eq!(
        text(Dialect::Sqlite, descending, null),
        format!("{select} (age IS NULL AND id > ?) ORDER BY age DESC, id LIMIT ? OFFSET ?")
    );
}

#[test]
fn the_order_of_a_joined_table_is_read_once() {
    let city = behind([Value::Text("Bonn".into()), Value::Integer(7)]);
    let text = text(Dialect::Sqlite, "asc(bill_address.city)", city);
    let condition =
        "WHERE ((subresource.0.city = ? AND id > ?) OR subresource.0.city > ?) ORDER BY";
    assert!(text.contains(condition), "{text}");
}

#[test]
fn no_page_beside_an_item_implies_the_total() {
    let page = read(Dialect::Postgres, "", behind([Value::Integer(7)]));
    assert_eq!(page.total_from_row_count(3), None);
    let first = read(Dialect::Postgres, "", Seek::default());
    assert_eq!(first.total_from_row_count(3), Some(3));
}
