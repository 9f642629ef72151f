//! A resource with an attribute of every type, and one that has it as a subresource.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use resource_runtime::{Api, ApiBuilder, ApiResource};
use resource_tests::Service;
use rust_decimal::Decimal;
use serde_json::Value;
use uuid::Uuid;

pub(crate) const RECORDS: &str = "/api/1.0/records";
pub(crate) const NOTES: &str = "/api/1.0/notes";

#[derive(Debug, ApiResource)]
#[resource(name = "Record", url = "/records", version = "1.0")]
pub(crate) struct Record {
    id: i64,
    small: Option<i16>,
    medium: Option<i32>,
    large: Option<i64>,
    single: Option<f32>,
    double: Option<f64>,
    flag: Option<bool>,
    text: Option<String>,
    date: Option<NaiveDate>,
    time: Option<NaiveTime>,
    local: Option<NaiveDateTime>,
    at: Option<DateTime<Utc>>,
    uuid: Option<Uuid>,
    decimal: Option<Decimal>,
    json: Option<Value>,
    bytes: Option<Vec<u8>>,
}

#[derive(Debug, ApiResource)]
#[resource(
    name = "Note",
    url = "/notes",
    version = "1.0",
    subresource(record = "record_id")
)]
struct Note {
    id: i64,
    #[resource(references = Record)]
    record_id: Option<i64>,
}

/// Every attribute, as a client sends it and as it is returned.
pub(crate) const ATTRIBUTES: [(&str, &str, &str); 15] = [
    ("small", "-32768", "-32768"),
    ("medium", "2147483647", "2147483647"),
    ("large", "-9223372036854775808", "-9223372036854775808"),
    ("single", "0.1", "0.1"),
    (
        "double",
        "1.7976931348623157e308",
        "1.7976931348623157e+308",
    ),
    ("flag", "true", "true"),
    ("text", r#""\u00e9'\"""#, r#""é'\"""#),
    ("date", "\"0001-01-01\"", "\"0001-01-01\""),
    ("time", "\"07:08:09.500\"", "\"07:08:09.5\""),
    (
        "local",
        "\"9999-12-31T23:59:59\"",
        "\"9999-12-31T23:59:59\"",
    ),
    (
        "at",
        "\"2024-02-29T07:08:09+02:00\"",
        "\"2024-02-29T05:08:09Z\"",
    ),
    (
        "uuid",
        "\"01890A5D-AC96-774B-BCCE-B302099A8057\"",
        "\"01890a5d-ac96-774b-bcce-b302099a8057\"",
    ),
    ("decimal", "1.50", "\"1.50\""),
    (
        "json",
        r#"{ "b": [ 0.1, null ], "a": "\/" }"#,
        r#"{"a":"/","b":[0.1,null]}"#,
    ),
    ("bytes", "\"AP8=\"", "\"AP8=\""),
];

/// Serves records as `register` adds them to the builder.
pub(crate) fn records(register: impl FnOnce(ApiBuilder) -> ApiBuilder) -> Service {
    Service::start(|database| register(Api::builder()).resource::<Note>().build(database))
}

pub(crate) fn sent() -> String {
    let members = ATTRIBUTES.map(|(name, sent, _)| format!("\"{name}\":{sent}"));
    format!("{{{}}}", members.join(","))
}
