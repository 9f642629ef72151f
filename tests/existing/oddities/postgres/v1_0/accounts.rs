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
    pub tenant: i32,
    #[resource(primary_key, default = database)]
    pub number: i32,
    #[resource(write_only)]
    pub pin: Option<i32>,
    pub shipping: Option<String>,
    #[resource(min = 0.0, max = 0.29999998)]
    pub weight: Option<f32>,
    pub rate: Option<Decimal>,
}
