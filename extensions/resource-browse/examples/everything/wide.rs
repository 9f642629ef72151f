//! A resource with sixty attributes.

use chrono::{DateTime, Utc};
use resource_runtime::ApiResource;
use rust_decimal::Decimal;

/// A form of many questions.
#[derive(ApiResource)]
#[resource(name = "Wide", url = "/wide", version = "1.0")]
pub struct Wide {
    /// Assigned by the database.
    pub id: i64,
    /// The subject of the form.
    #[resource(max_length = 60)]
    pub subject: String,
    #[resource(max_length = 200)]
    pub answer_03: Option<String>,
    pub answer_04: Option<DateTime<Utc>>,
    pub answer_05: Option<f64>,
    pub answer_06: Option<i64>,
    pub answer_07: Option<bool>,
    pub answer_08: Option<Decimal>,
    #[resource(max_length = 200)]
    pub answer_09: Option<String>,
    pub answer_10: Option<DateTime<Utc>>,
    pub answer_11: Option<f64>,
    pub answer_12: Option<i64>,
    pub answer_13: Option<bool>,
    pub answer_14: Option<Decimal>,
    #[resource(max_length = 200)]
    pub answer_15: Option<String>,
    pub answer_16: Option<DateTime<Utc>>,
    pub answer_17: Option<f64>,
    pub answer_18: Option<i64>,
    pub answer_19: Option<bool>,
    pub answer_20: Option<Decimal>,
    #[resource(max_length = 200)]
    pub answer_21: Option<String>,
    pub answer_22: Option<DateTime<Utc>>,
    pub answer_23: Option<f64>,
    pub answer_24: Option<i64>,
    pub answer_25: Option<bool>,
    pub answer_26: Option<Decimal>,
    #[resource(max_length = 200)]
    pub answer_27: Option<String>,
    pub answer_28: Option<DateTime<Utc>>,
    pub answer_29: Option<f64>,
    pub answer_30: Option<i64>,
    pub answer_31: Option<bool>,
    pub answer_32: Option<Decimal>,
    #[resource(max_length = 200)]
    pub answer_33: Option<String>,
    pub answer_34: Option<DateTime<Utc>>,
    pub answer_35: Option<f64>,
    pub answer_36: Option<i64>,
    pub answer_37: Option<bool>,
    pub answer_38: Option<Decimal>,
    #[resource(max_length = 200)]
    pub answer_39: Option<String>,
    pub answer_40: Option<DateTime<Utc>>,
    pub answer_41: Option<f64>,
    pub answer_42: Option<i64>,
    pub answer_43: Option<bool>,
    pub answer_44: Option<Decimal>,
    #[resource(max_length = 200)]
    pub answer_45: Option<String>,
    pub answer_46: Option<DateTime<Utc>>,
    pub answer_47: Option<f64>,
    pub answer_48: Option<i64>,
    pub answer_49: Option<bool>,
    pub answer_50: Option<Decimal>,
    #[resource(max_length = 200)]
    pub answer_51: Option<String>,
    pub answer_52: Option<DateTime<Utc>>,
    pub answer_53: Option<f64>,
    pub answer_54: Option<i64>,
    pub answer_55: Option<bool>,
    pub answer_56: Option<Decimal>,
    #[resource(max_length = 200)]
    pub answer_57: Option<String>,
    pub answer_58: Option<DateTime<Utc>>,
    pub answer_59: Option<f64>,
    pub answer_60: Option<i64>,
}
