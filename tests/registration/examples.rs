//! Examples that violate the rules of their own attribute.

use resource_runtime::{Api, ApiResource, FieldValue};
use serde_json::Value;

use crate::building::{assert_sound, mistake, with_keys};

#[derive(Debug, FieldValue)]
#[resource(rename_all = "snake_case")]
enum Shade {
    Light,
    VeryDark,
}

with_keys!(TooLong, String, (max_length = 4, example = "green"));
with_keys!(TooGreat, Option<i32>, (min = 1, max = 10, example = 11));
with_keys!(TooGreatDouble, f64, (max = 0.5, example = 1));
with_keys!(TooManyBytes, Vec<u8>, (max_length = 1, example = b"ab"));
with_keys!(Unnamed, Shade, (example = "VeryDark"));
with_keys!(NoJson, Value, (example = "{"));
with_keys!(NoDay, chrono::NaiveDate, (example = "2027-02-30"));

with_keys!(Fitting, String, (max_length = 5, example = "grüün"));
with_keys!(AtTheBound, i32, (min = -3, example = -3));
with_keys!(Named, Option<Shade>, (example = "very_dark"));
with_keys!(SomeJson, Value, (example = r#"{"a": [1]}"#));
with_keys!(Day, chrono::NaiveDate, (example = "2027-02-28"));

#[test]
fn example_beyond_the_limits_is_refused() {
    let api = Api::builder;
    mistake(
        api().resource::<TooLong>(),
        &["the example of", "::TooLong`", "`shade`", "4", "5"],
    );
    mistake(api().resource::<TooGreat>(), &["::TooGreat`", "10"]);
    mistake(api().resource::<TooGreatDouble>(), &["0.5"]);
    mistake(api().resource::<TooManyBytes>(), &["1 byte"]);
}

#[test]
fn example_that_is_no_value_of_the_type_is_refused() {
    let api = Api::builder;
    mistake(api().resource::<Unnamed>(), &["`shade`", "very_dark"]);
    mistake(api().resource::<NoJson>(), &["::NoJson`", "`shade`"]);
    mistake(api().resource::<NoDay>(), &["::NoDay`", "`shade`"]);
}

#[test]
fn example_within_the_rules_is_accepted() {
    let api = Api::builder;
    assert_sound(api().resource::<Fitting>());
    assert_sound(api().resource::<AtTheBound>());
    assert_sound(api().resource::<Named>());
    assert_sound(api().resource::<SomeJson>());
    assert_sound(api().resource::<Day>());
}
