//! The table `chrono`.

use chrono::NaiveDate;
use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "Chrono",
    url = "/chronos",
    version = "1.0",
    table = "chrono",
    existing
)]
pub struct Chrono {
    pub id: i64,
    // No row tells the form of dates and times.
    pub day: Option<NaiveDate>,
}
