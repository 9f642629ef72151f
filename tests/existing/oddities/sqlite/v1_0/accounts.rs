//! The table `accounts`.

use resource_runtime::ApiResource;
use rust_decimal::Decimal;

// `state` is left out: its check allows an empty text, or one with control characters, and no
// variant of an enum is named so; allow NULL in its place, or let a view show it.
#[derive(ApiResource)]
#[resource(name = "Account", url = "/accounts", version = "1.0", existing)]
#[resource(ignore("state"))]
pub struct Account {
    #[resource(primary_key)]
    pub tenant: i64,
    #[resource(primary_key)]
    pub number: i64,
    #[resource(write_only)]
    pub pin: Option<i64>,
    pub shipping: Option<String>,
    #[resource(min = 0.0)]
    pub weight: Option<f64>,
    #[resource(digits(4, 2), stored(sqlite = number), min = 0.07)]
    pub rate: Option<Decimal>,
}
