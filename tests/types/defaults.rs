//! Defaults of every type that has no type of its own on SQLite.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use resource_runtime::{Api, ApiResource};
use resource_tests::{Service, apply, assert_no_content, every_database};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::requests::filtered;
use crate::round_trip::{create, send};
use crate::samples::SAMPLES;

/// 1,709,190,489 seconds after 1970, with a finer fraction than is stored.
fn instant() -> DateTime<Utc> {
    DateTime::from_timestamp(1_709_190_489, 123_456_789).expect("an instant")
}

#[derive(Debug, ApiResource)]
#[resource(name = "Draft", url = "/samples", version = "1.0")]
struct Draft {
    id: i64,
    #[resource(default = 0.1)]
    single: f32,
    #[resource(default = Decimal::new(-150, 2))]
    decimal: Decimal,
    #[resource(default = -Decimal::ZERO)]
    zero: Decimal,
    #[resource(default = instant())]
    at: DateTime<Utc>,
    #[resource(default = instant().naive_utc())]
    local: NaiveDateTime,
    #[resource(default = instant().date_naive())]
    date: NaiveDate,
    #[resource(default = instant().time())]
    time: Option<NaiveTime>,
    #[resource(default = Uuid::max())]
    uuid: Uuid,
    #[resource(default = json!({"b": [null], "a": 1}))]
    json: Value,
    #[resource(default = vec![0, 255])]
    bytes: Vec<u8>,
}

#[apply(every_database)]
fn default_is_stored_like_a_value_of_a_client() {
    let service = Service::start(|database| Api::builder().resource::<Draft>().build(database));
    let path = create(&service, SAMPLES, "{}");
    let shown = concat!(
        r#"{"id":1,"single":0.1,"decimal":"-1.50","zero":"0","at":"2024-02-29T07:08:09.123456Z","#,
        r#""local":"2024-02-29T07:08:09.123456","date":"2024-02-29","time":"07:08:09.123456","#,
        r#""uuid":"ffffffff-ffff-ffff-ffff-ffffffffffff","json":{"a":1,"b":[null]},"bytes":"AP8="}"#
    );
    assert_eq!(service.get(&path).text(), shown);
    for filter in [
        "eq(single,0.1)",
        "eq(decimal,-1.5)",
        "eq(zero,-0.0)",
        r#"eq(at,"2024-02-29T09:08:09.123456+02:00")"#,
        r#"eq(local,"2024-02-29T07:08:09.1234560")"#,
        r#"eq(date,"2024-02-29")"#,
        r#"eq(time,"07:08:09.123456")"#,
        r#"eq(uuid,"FFFFFFFF-ffff-ffff-ffff-ffffffffffff")"#,
        r#"eq(bytes,"AP8=")"#,
    ] {
        assert_eq!(filtered(&service, SAMPLES, filter), [1], "{filter}");
    }
    assert_no_content(&send(&service, "PUT", &path, shown));
    assert_eq!(service.get(&path).text(), shown);
}
