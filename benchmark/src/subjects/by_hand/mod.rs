//! The service by hand, as one writes it with axum, sqlx and serde.

mod failure;
mod items;
mod postgres;
mod requests;
mod sqlite;

use axum::Router;

use crate::Outcome;

/// SQL for a page of persons with their addresses, on either database.
const PERSONS_WITH_ADDRESSES: &str = "\
    SELECT persons.id, persons.first_name, persons.last_name, \
    bill.line1 AS bill_line1, bill.city AS bill_city, bill.zip_code AS bill_zip_code, \
    ship.line1 AS ship_line1, ship.city AS ship_city, ship.zip_code AS ship_zip_code \
    FROM persons \
    LEFT JOIN addresses bill ON bill.id = persons.bill_address_id \
    LEFT JOIN addresses ship ON ship.id = persons.ship_address_id \
    WHERE persons.id > $1 AND persons.id <= $2 \
    ORDER BY persons.id LIMIT $3 OFFSET $4";

pub(super) async fn router(url: &str) -> Outcome<Router> {
    if url.starts_with("sqlite:") {
        return sqlite::router(url).await;
    }
    postgres::router(url).await
}
