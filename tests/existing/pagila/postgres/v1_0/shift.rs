//! The table `shift`.

use chrono::NaiveTime;
use resource_runtime::ApiResource;

use super::Staff;

#[derive(ApiResource)]
#[resource(
    name = "Shift",
    url = "/shifts",
    version = "1.0",
    table = "shift",
    existing
)]
#[resource(subresource(username_staff = "username"))]
pub struct Shift {
    #[resource(primary_key)]
    pub shift_id: i32,
    #[resource(references(Staff, username, on_delete = "set_null"), max_length = 16)]
    pub username: Option<String>,
    // References `country.iso_code`, whose collation is `default`, not `C`; a view can give both the
    // same.
    #[resource(max_length = 2, stored(postgres = type("bpchar")))]
    pub country: Option<String>,
    pub begins: NaiveTime,
    #[resource(stored(postgres = type("interval")))]
    pub lasts: String,
}
