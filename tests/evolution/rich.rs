//! An API with every kind of promise, for the file of published versions and the documents that tell of it.

use std::time::Duration;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use resource_runtime::{Api, ApiBuilder, ApiResource, FieldValue, QueryLimits, Validator};
use rust_decimal::Decimal;
use uuid::Uuid;

#[derive(Debug, Default)]
struct Checking;

impl<R: ApiResource> Validator<R> for Checking {}

#[derive(FieldValue)]
#[resource(rename_all = "snake_case")]
enum State {
    Draft,
    Sent,
}

#[derive(FieldValue)]
#[resource(rename_all = "snake_case", open)]
enum Channel {
    Shop,
    Phone,
}

/// A country, whose key clients choose.
#[derive(ApiResource)]
#[resource(name = "Country", url = "/countries", version = "1.0")]
#[resource(operations(list, retrieve, create, update, upsert))]
#[resource(scopes(read = "countries.read", write = all("countries.write", "countries.admin")))]
struct Country {
    #[resource(primary_key, assigned, min_length = 2, max_length = 2)]
    code: String,
    #[resource(max_length = 80, unique)]
    name: String,
}

/// An order, with an attribute of each kind.
#[derive(ApiResource)]
#[resource(name = "Order", url = "/orders", version = "1.0")]
#[resource(scopes(read = any("orders.read", "orders.write"), write = "orders.write"))]
#[resource(owner(field = "buyer", bypass = "orders.admin"))]
#[resource(subresource(country = "country_code"), collection(lines = Line::ORDER_ID))]
#[resource(
    limit(default = 5, max = 50, all),
    count(none),
    require_if_match,
    idempotency(required)
)]
#[resource(unique(number, year), validator = Checking, redacts(secret))]
#[resource(deprecated(
    since = "2027-01-01",
    sunset = "2027-07-01",
    reason = "2.0 has longer notes"
))]
struct Order {
    #[resource(primary_key, default = Uuid::nil())]
    id: Uuid,
    #[resource(max_length = 40)]
    buyer: String,
    #[resource(references = Country)]
    country_code: Option<String>,
    #[resource(revision)]
    revision: i64,
    #[resource(min = 1, max = 9999)]
    number: i32,
    year: i16,
    #[resource(default = 1.5)]
    weight: f64,
    #[resource(min = 0.5)]
    rate: Option<f32>,
    #[resource(digits(8, 2))]
    price: Decimal,
    #[resource(default = true)]
    is_paid: bool,
    #[resource(default = State::Draft)]
    state: State,
    channel: Channel,
    #[resource(max_length = 50)]
    note: String,
    #[resource(deprecated(since = "2027-01-01", sunset = "2027-07-01", instead = "note"))]
    remark: Option<String>,
    #[resource(write_only, write_scope = "orders.admin")]
    pin: Option<String>,
    #[resource(read_scope = any("audit", "orders.admin"))]
    secret: Option<String>,
    #[resource(read_only, default_on_update = Utc::now())]
    changed_at: Option<DateTime<Utc>>,
    #[resource(default = Utc::now())]
    created_at: DateTime<Utc>,
    day: Option<NaiveDate>,
    time: Option<NaiveTime>,
    local: Option<NaiveDateTime>,
    #[resource(max_length = 30)]
    picture: Option<Vec<u8>>,
    extra: Option<serde_json::Value>,
}

/// The second version, which stores longer notes in the same table.
#[derive(ApiResource)]
#[resource(name = "Order", url = "/orders", version = "2.0", follows = Order)]
#[resource(scopes(read = any("orders.read", "orders.write"), write = "orders.write"))]
#[resource(owner(field = "buyer", bypass = "orders.admin"))]
#[resource(
    limit(default = 5, max = 50, all),
    count(none),
    require_if_match,
    idempotency(required)
)]
#[resource(unique(number, year), validator = Checking, redacts(secret))]
#[resource(breaks(removed(country, lines) = "nobody expanded them"))]
struct OrderTwo {
    #[resource(primary_key, default = Uuid::nil())]
    id: Uuid,
    #[resource(max_length = 40)]
    buyer: String,
    #[resource(references = Country)]
    country_code: Option<String>,
    #[resource(revision)]
    revision: i64,
    #[resource(min = 1, max = 9999)]
    number: i32,
    year: i16,
    #[resource(default = 1.5)]
    weight: f64,
    #[resource(min = 0.5)]
    rate: Option<f32>,
    #[resource(digits(8, 2))]
    price: Decimal,
    #[resource(default = true)]
    is_paid: bool,
    #[resource(default = State::Draft)]
    state: State,
    channel: Channel,
    #[resource(max_length = 80, breaks(read_widening = "clients wrap lines"))]
    note: String,
    #[resource(write_only, write_scope = "orders.admin")]
    pin: Option<String>,
    #[resource(read_scope = any("audit", "orders.admin"))]
    secret: Option<String>,
    #[resource(read_only, default_on_update = Utc::now())]
    changed_at: Option<DateTime<Utc>>,
    #[resource(default = Utc::now())]
    created_at: DateTime<Utc>,
    day: Option<NaiveDate>,
    time: Option<NaiveTime>,
    local: Option<NaiveDateTime>,
    #[resource(max_length = 30)]
    picture: Option<Vec<u8>>,
    extra: Option<serde_json::Value>,
}

/// A line, whose key has two parts.
#[derive(ApiResource)]
#[resource(name = "Line", url = "/lines", version = "1.0", public)]
#[resource(subresource(order = "order_id"))]
struct Line {
    #[resource(primary_key, assigned, references = Order)]
    order_id: Uuid,
    #[resource(primary_key, assigned, min = 1)]
    place: i16,
    #[resource(min = 1, max = 100)]
    count: i64,
}

pub(crate) fn api() -> ApiBuilder {
    let limits = QueryLimits::new()
        .collection_limit(3)
        .max_collection_limit(30);
    Api::builder()
        .idempotency_keys(Duration::from_hours(24))
        .max_offset(5000)
        .query_limits(limits)
        .resource::<Country>()
        .resource::<Order>()
        .resource::<OrderTwo>()
        .resource::<Line>()
}

/// The file of its published versions, as the library wrote it: no later one may change a byte of it.
pub(crate) const LOCK: &str = include_str!("rich.lock");
