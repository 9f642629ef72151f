//! A resource with an attribute of each kind.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc};
use resource_runtime::checks::is_phone_number;
use resource_runtime::{ApiResource, FieldValue, HookResult, Messages, Validator, WriteContext};
use rust_decimal::Decimal;
use serde_json::Value;
use uuid::Uuid;

/// The urgency of something.
#[derive(FieldValue)]
#[resource(rename_all = "snake_case")]
pub enum Urgency {
    Low,
    VeryHigh,
    #[resource(rename = "at once, please")]
    AtOnce,
    #[resource(rename = "späť \"jetzt\"")]
    Quoted,
}

/// The state of something, of which later versions know more.
#[derive(FieldValue)]
#[resource(open)]
pub enum State {
    Draft,
    #[resource(rename = "handed over")]
    HandedOver,
}

/// A temperature.
#[derive(FieldValue)]
pub struct Celsius(f64);

/// One attribute of each kind, required and not.
///
/// The description has *Markdown*, `code`, and <b>markup</b> that stays text.
#[derive(ApiResource)]
#[resource(name = "Everything", url = "/everything", version = "1.0", validator = Phones)]
#[resource(limit(default = 10, max = 100, all))]
pub struct Everything {
    /// Assigned by the database.
    pub id: i64,
    /// A text of one line.
    #[resource(min_length = 1, max_length = 80, unique)]
    pub name: String,
    /// A text of many lines.
    pub remarks: Option<String>,
    /// A small integer.
    #[resource(min = -10, max = 10)]
    pub small: Option<i16>,
    /// A middle integer.
    #[resource(default = 7)]
    pub middle: i32,
    /// An integer that no double holds.
    pub large: Option<i64>,
    /// A single.
    pub single: Option<f32>,
    /// A double.
    #[resource(min = -273.15)]
    pub double: Option<Celsius>,
    /// A decimal of up to 28 digits.
    pub decimal: Option<Decimal>,
    /// An amount of money.
    #[resource(digits(10, 2), min = 0)]
    pub price: Decimal,
    /// Yes or no.
    #[resource(default = false)]
    pub flag: bool,
    /// Yes, no, or not known.
    pub flag_or_null: Option<bool>,
    /// One of a few names.
    #[resource(default = Urgency::Low)]
    pub urgency: Urgency,
    /// One of a few names, or none.
    pub urgency_or_null: Option<Urgency>,
    /// One of names that may become more.
    pub state: Option<State>,
    /// A day.
    pub day: Option<NaiveDate>,
    /// A time of day, to microseconds.
    pub time: Option<NaiveTime>,
    /// A day and time without a zone.
    pub local: Option<NaiveDateTime>,
    /// An instant, to microseconds.
    pub instant: Option<DateTime<Utc>>,
    /// An identifier.
    #[resource(default = Uuid::now_v7())]
    pub uuid: Uuid,
    /// An identifier, or none.
    pub uuid_or_null: Option<Uuid>,
    /// Bytes.
    #[resource(max_length = 1000)]
    pub bytes: Option<Vec<u8>>,
    /// Any JSON.
    pub json: Option<Value>,
    /// JSON that is there.
    #[resource(default = serde_json::json!({}))]
    pub json_required: Value,
    /// A phone number.
    #[resource(max_length = 16)]
    pub phone: Option<String>,
    /// Written by the service alone.
    #[resource(read_only, default = Utc::now())]
    pub created_at: DateTime<Utc>,
    /// Written by the service with each change.
    #[resource(read_only, default = Utc::now(), default_on_update = Utc::now())]
    pub updated_at: DateTime<Utc>,
    /// Written by clients, and never told.
    #[resource(write_only, max_length = 100)]
    pub secret: Option<String>,
    /// Not to be used any more.
    #[resource(deprecated(since = "2026-01-01", instead = "name"), max_length = 100)]
    pub old_name: Option<String>,
}

/// The check of phone numbers, and of what only both attributes together tell.
#[derive(Default)]
pub struct Phones;

impl Validator<Everything> for Phones {
    async fn validate(
        &self,
        it: &Everything,
        _: &mut WriteContext<'_, Everything>,
        messages: &mut Messages<Everything>,
    ) -> HookResult {
        if it
            .phone
            .as_deref()
            .is_some_and(|phone| !is_phone_number(phone))
        {
            messages.about(Everything::PHONE, "must be a phone number like +4930123456");
        }
        let is_future = |day: NaiveDate| day > (Utc::now() + TimeDelta::days(36_525)).date_naive();
        if it.day.is_some_and(is_future) {
            messages.about(Everything::DAY, "must be within the next hundred years");
        }
        Ok(())
    }
}
