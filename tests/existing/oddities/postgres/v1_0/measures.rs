//! The table `measures`.

use chrono::{DateTime, NaiveDateTime, NaiveTime, Utc};
use resource_runtime::ApiResource;

// `years` is left out: `interval year to month` is the type of no field; a view can `CAST` it to
// `interval`.
// `seconds` is left out: `interval second(1)` is the type of no field; a view can `CAST` it to
// `interval`.
// `tiny` is left out: `numeric(2,5)` is the type of no field; a view can `CAST` it to `numeric`.
// `hundreds` is left out: `numeric(5,-2)` is the type of no field; a view can `CAST` it to
// `numeric`.
#[derive(ApiResource)]
#[resource(name = "Measure", url = "/measures", version = "1.0", existing)]
#[resource(ignore("years", "seconds", "tiny", "hundreds"))]
pub struct Measure {
    #[resource(assigned)]
    pub id: i32,
    #[resource(stored(sqlite = t_text(3)), default = database)]
    pub made_at: NaiveDateTime,
    #[resource(stored(sqlite = t_text(3)))]
    pub seen: Option<DateTime<Utc>>,
    // Clients only read it, because the database rounds what is written.
    #[resource(computed)]
    pub wakes: Option<NaiveTime>,
    // Clients only read it, because the database rounds what is written.
    #[resource(stored(postgres = type("timetz")), computed)]
    pub opens: Option<String>,
    // Clients only read it, because the database rounds what is written.
    #[resource(stored(postgres = type("money")), computed)]
    pub price: Option<String>,
    // Clients only read it, because the database rounds what is written.
    #[resource(stored(postgres = type("interval")), computed)]
    pub lasts: Option<String>,
    pub level: i32,
}
