//! Answers of the service by hand, and the rows that they are made of.

use serde::Serialize;
use sqlx::FromRow;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Page<T> {
    pub(super) items: Vec<T>,
    pub(super) total_items: i64,
}

#[derive(Serialize, FromRow)]
pub(super) struct Setting {
    id: i64,
    name: String,
    value: String,
}

#[derive(Serialize, FromRow)]
pub(super) struct Person {
    id: i64,
    first_name: Option<String>,
    last_name: Option<String>,
    bill_address_id: Option<i64>,
    ship_address_id: Option<i64>,
}

#[derive(Serialize)]
pub(super) struct ExpandedPerson {
    id: i64,
    first_name: Option<String>,
    last_name: Option<String>,
    bill_address: Option<Address>,
    ship_address: Option<Address>,
}

#[derive(Serialize)]
struct Address {
    line1: String,
    city: Option<String>,
    zip_code: Option<String>,
}

#[derive(FromRow)]
pub(super) struct JoinedPerson {
    id: i64,
    first_name: Option<String>,
    last_name: Option<String>,
    bill_line1: Option<String>,
    bill_city: Option<String>,
    bill_zip_code: Option<String>,
    ship_line1: Option<String>,
    ship_city: Option<String>,
    ship_zip_code: Option<String>,
}

impl From<JoinedPerson> for ExpandedPerson {
    fn from(row: JoinedPerson) -> Self {
        Self {
            id: row.id,
            first_name: row.first_name,
            last_name: row.last_name,
            bill_address: Address::joined(row.bill_line1, row.bill_city, row.bill_zip_code),
            ship_address: Address::joined(row.ship_line1, row.ship_city, row.ship_zip_code),
        }
    }
}

impl Address {
    /// The address of a join, which lacks its first line only where none was found.
    fn joined(
        line1: Option<String>,
        city: Option<String>,
        zip_code: Option<String>,
    ) -> Option<Self> {
        line1.map(|line1| Self {
            line1,
            city,
            zip_code,
        })
    }
}
