//! Sample resources and callers for the unit tests of this package and its dependents.
#![allow(
    dead_code,
    reason = "the tests read the definitions; no item is ever built"
)]

use std::sync::Arc;

use crate::ApiResource;
use crate::authorization::{Caller, Claims, View};
use crate::query::{self, ListParameters, ListQuery, PageLimits, QueryLimits};

pub const PAGE_LIMITS: PageLimits = PageLimits::new(10, 1000);

/// The query of a client that sends these parameters.
#[allow(clippy::unwrap_used, reason = "unit tests ask for what there is")]
pub fn asked(view: View<'_>, parameters: &ListParameters) -> ListQuery {
    query::list(view, parameters, PAGE_LIMITS, QueryLimits::new()).unwrap()
}

/// A caller of this subject, with the scopes of a list that is separated by spaces.
#[allow(
    clippy::unwrap_used,
    reason = "unit tests name scopes that can be read"
)]
pub fn caller(subject: &str, scopes: &str) -> Caller {
    let claims = Claims::new("samples").with_subject(subject);
    Caller::Bearer(Arc::new(claims.with_scopes(scopes.parse().unwrap())))
}

/// A region, found by country and code together.
#[derive(Debug, ApiResource)]
#[resource(name = "Region", url = "/regions", version = "1.0")]
#[resource(unique(country, code))]
pub struct Region {
    id: i64,
    country: String,
    code: String,
    name: Option<String>,
}

/// A cell of a sheet, found by row and column together, and the cell to the left of it.
#[derive(Debug, ApiResource)]
#[resource(name = "Cell", url = "/cells", version = "1.0")]
#[resource(subresource(left = ["row", "left_column"]), collection(next = [Cell::ROW, Cell::LEFT_COLUMN]))]
pub struct Cell {
    #[resource(primary_key, references(Cell, row))]
    row: i64,
    text: Option<String>,
    #[resource(primary_key, max_length = 9)]
    column: String,
    #[resource(references(Cell, column), max_length = 9)]
    left_column: Option<String>,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Address", url = "/addresses", version = "1.0")]
#[resource(collection(guests = Person::SHIP_ADDRESS_ID))]
pub struct Address {
    id: i64,
    #[resource(max_length = 200)]
    line1: String,
    city: Option<String>,
    #[resource(write_only)]
    gate_code: Option<String>,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Person", url = "/persons", version = "1.0")]
#[resource(subresource(
    bill_address = "bill_address_id",
    ship_address = "ship_address_id",
    region = ["country", "region_code"],
))]
pub struct Person {
    id: i64,
    #[resource(unique)]
    name: String,
    age: Option<i16>,
    score: Option<f64>,
    active: bool,
    #[resource(write_only)]
    password: Option<String>,
    #[resource(references = Address)]
    bill_address_id: Option<i64>,
    #[resource(references = Address)]
    ship_address_id: Option<i64>,
    #[resource(references(Region, country))]
    country: Option<String>,
    #[resource(references(Region, code))]
    region_code: Option<String>,
}

/// A folder of an owner, found also by its shelf and its place on it.
#[derive(Debug, ApiResource)]
#[resource(name = "Folder", url = "/folders", version = "1.0")]
#[resource(scopes, owner(field = "owner", bypass = "admin"), unique(shelf, place))]
pub struct Folder {
    id: i64,
    owner: String,
    shelf: i64,
    place: i64,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Sheet", url = "/sheets", version = "1.0")]
#[resource(scopes, owner(field = "author", bypass = "admin"))]
#[resource(subresource(folder = "folder_id", home = ["shelf", "place"]))]
pub struct Sheet {
    id: i64,
    author: i64,
    text: String,
    #[resource(read_scope = "audit")]
    remark: Option<String>,
    #[resource(references = Folder)]
    folder_id: Option<i64>,
    #[resource(references(Folder, shelf))]
    shelf: Option<i64>,
    #[resource(references(Folder, place))]
    place: Option<i64>,
}
