//! The table `Weird Accounts`.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use resource_runtime::{ApiResource, FieldValue};
use rust_decimal::Decimal;
use serde_json::Value;
use uuid::Uuid;

use super::options::Size;

/// Who may log in.
/// Imported in 2009.
// `huge` is left out: its 38 digits are more than the 28 of a decimal; a view can show it as
// text.
// `legacy` is left out: `json` is not compared; a view can `CAST` it to `jsonb`.
// `tags` is left out: arrays are not served; a view can show it by `to_jsonb`.
// `fulltext` is left out: the type `tsvector` is not served; a view can show it by `CAST`.
// Items are not created, because `fulltext` needs a value; if something else gives it one, allow
// `create`.
// `years` is left out: the type `int4range` is not served; a view can show it by `CAST`.
// Triggers run: `weird_touched`; a column that one of them sets is `computed`.
#[derive(ApiResource)]
#[resource(
    name = "WeirdAccount",
    url = "/weird-accounts",
    version = "1.0",
    table = "Weird Accounts",
    existing
)]
#[resource(ignore("huge", "legacy", "tags", "fulltext", "years"))]
#[resource(operations(list, retrieve, update, delete))]
#[resource(accept("row_security"))]
#[resource(index(age, price))]
pub struct WeirdAccount {
    #[resource(primary_key, column = "Account.Id", default = database)]
    pub account_id: Uuid,
    /// Where invoices go.
    #[resource(column = "E-Mail", max_length = 254, unique)]
    pub e_mail: String,
    #[resource(write_only)]
    pub password_hash: String,
    #[resource(write_only)]
    pub api_token: Option<String>,
    pub token_id: Option<i32>,
    #[resource(stored(postgres = type("size")), default = database)]
    pub r#type: Size,
    #[resource(stored(postgres = type("mood")))]
    pub mood: Option<String>,
    #[resource(max_length = 20)]
    pub nick: Option<String>,
    #[resource(max_length = 20)]
    pub initials: String,
    #[resource(max_length = 2, stored(postgres = type("bpchar")))]
    pub country: Option<String>,
    pub state: WeirdAccountState,
    #[resource(min = 0, max = 150)]
    pub age: Option<i16>,
    #[resource(digits(10, 2))]
    pub price: Option<Decimal>,
    #[resource(stored(sqlite = t_text(3)))]
    pub seen: Option<DateTime<Utc>>,
    pub free: Option<Decimal>,
    #[resource(stored(postgres = type("inet")))]
    pub address: Option<String>,
    #[resource(stored(postgres = type("interval")))]
    pub lasts: Option<String>,
    #[resource(default = database)]
    pub settings: Value,
    pub photo: Option<Vec<u8>>,
    pub born: Option<NaiveDate>,
    pub wakes: Option<NaiveTime>,
    pub local_time: Option<NaiveDateTime>,
    #[resource(default = database)]
    pub created_at: DateTime<Utc>,
    #[resource(digits(12, 2), computed)]
    pub total: Option<Decimal>,
    #[resource(default = database)]
    pub serial_number: i64,
    #[resource(column = "Größe (m²)")]
    pub grosse_m2: Option<f64>,
    #[resource(column = "…")]
    pub column_32: Option<String>,
    #[resource(column = "Self")]
    pub self_2: Option<String>,
}

/// A value of `Weird Accounts.state`.
#[derive(FieldValue)]
#[resource(rename_all = "snake_case")]
pub enum WeirdAccountState {
    Open,
    Closed,
}
