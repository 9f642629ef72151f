//! The table `std`.

use chrono::NaiveDate;
use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Std", url = "/stds", version = "1.0", table = "std", existing)]
pub struct Std {
    pub id: i64,
    // No row tells the form of dates and times.
    pub day: Option<NaiveDate>,
}
