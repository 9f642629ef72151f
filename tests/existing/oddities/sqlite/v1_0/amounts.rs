//! The table `amounts`.

use chrono::{DateTime, Utc};
use resource_runtime::ApiResource;
use rust_decimal::Decimal;

// `exact` is left out: its numbers have up to 8 digits before the point and 8 behind it, and
// doubles keep 15; a view can `CAST` them to `TEXT`.
// `day` is left out: no form serves its dates, which look like `0000-00-00 00:00:00 (no day)`;
// repair the rows, or add a column that is `GENERATED ALWAYS AS (strftime('%Y-%m-%d %H:%M:%S',
// …))`.
// `paid` is left out: rows or the default have other values than 0 and 1; repair them, or let a
// view give them these by `CASE`.
// `flag` is left out: rows or the default have other values than 0 and 1; repair them, or let a
// view give them these by `CASE`.
#[derive(ApiResource)]
#[resource(name = "Amount", url = "/amounts", version = "1.0", existing)]
#[resource(ignore("exact", "day", "paid", "flag"))]
pub struct Amount {
    pub id: i64,
    pub kind: String,
    #[resource(digits(10, 2), stored(sqlite = number))]
    pub amount: Option<Decimal>,
    // Present values decided how many digits the numbers have.
    #[resource(digits(15, 2), stored(sqlite = number))]
    pub cents: Option<Decimal>,
    #[resource(digits(15, 8), stored(sqlite = number))]
    pub tiny: Option<Decimal>,
    #[resource(default = database)]
    pub is_open: Option<bool>,
    #[resource(stored(sqlite = t_text(3)), default = database)]
    pub stamp: Option<DateTime<Utc>>,
    // No type is declared: rows decided.
    pub loose: Option<i64>,
}
