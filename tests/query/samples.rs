//! Fixture: items with an attribute of every kind, nullable and not.

use resource_runtime::{Api, ApiResource};
use resource_tests::Service;
use serde_json::json;

/// The collection of the samples.
pub(crate) const SAMPLES: &str = "/api/1.0/samples";

/// An attribute of every kind.
#[derive(Debug, ApiResource)]
#[resource(name = "Sample", url = "/samples", version = "1.0")]
pub(crate) struct Sample {
    id: i64,
    small: Option<i16>,
    medium: i32,
    large: Option<i64>,
    real: Option<f64>,
    ratio: f64,
    flag: Option<bool>,
    sure: bool,
    text: String,
    note: Option<String>,
}

/// The names of all attributes, and whether they may be null.
pub(crate) const ATTRIBUTES: [(&str, bool); 10] = [
    ("id", false),
    ("small", true),
    ("medium", false),
    ("large", true),
    ("real", true),
    ("ratio", false),
    ("flag", true),
    ("sure", false),
    ("text", false),
    ("note", true),
];

/// A service without samples.
pub(crate) fn no_samples() -> Service {
    Service::start(|database| Api::builder().resource::<Sample>().build(database))
}

/// Five samples: extremes, equal values, and one with null in every nullable attribute.
pub(crate) fn samples() -> Service {
    let service = no_samples();
    for body in [
        json!({
            "small": -32768, "medium": i32::MIN, "large": i64::MIN, "real": -1.5, "ratio": 0.1,
            "flag": false, "sure": false, "text": "", "note": "",
        }),
        json!({
            "small": 0, "medium": 0, "large": 0, "real": 0.0, "ratio": 0.5,
            "flag": true, "sure": true, "text": "Z", "note": "a",
        }),
        json!({
            "small": 32767, "medium": 7, "large": i64::MAX, "real": 1e300, "ratio": 2.0,
            "flag": null, "sure": false, "text": "a", "note": null,
        }),
        json!({"medium": 7, "ratio": 2.0, "sure": true, "text": "é"}),
        json!({
            "small": 0, "medium": i32::MAX, "large": i64::MAX - 1, "real": 5e-324,
            "ratio": 0.300_000_000_000_000_04, "flag": false, "sure": true, "text": "🦀",
            "note": "A",
        }),
    ] {
        service.create(SAMPLES, &body);
    }
    service
}

/// Samples with these texts, in their order.
pub(crate) fn with_texts(texts: &[&str]) -> Service {
    let service = no_samples();
    for text in texts {
        let body = json!({"medium": 0, "ratio": 0, "sure": true, "text": text});
        service.create(SAMPLES, &body);
    }
    service
}
