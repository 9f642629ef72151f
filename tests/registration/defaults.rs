//! Defaults that violate the rules of their own attribute.

use resource_runtime::schema::Kind;
use resource_runtime::{Api, ApiResource, FieldValue, RecordError, Value};

use crate::building::{assert_sound, mistake, with_keys};

/// A number that is even.
#[derive(Debug)]
struct Even(i64);

impl FieldValue for Even {
    const KIND: Kind = i64::KIND;

    fn from_value(value: Value) -> Result<Self, RecordError> {
        match i64::from_value(value)? {
            odd if odd % 2 != 0 => Err(RecordError::new("must be even")),
            even => Ok(Self(even)),
        }
    }

    fn to_value(&self) -> Value {
        self.0.to_value()
    }
}

with_keys!(TooLong, String, (max_length = 4, default = "green"));
with_keys!(
    TooLongOption,
    Option<String>,
    (max_length = 4, default = "green")
);
with_keys!(TooShort, String, (min_length = 6, default = "green"));
with_keys!(TooGreat, i32, (min = 1, max = 10, default = 11));
with_keys!(TooSmall, i64, (min = 1, default = 0));
with_keys!(TooGreatDouble, f64, (max = 0.5, default = 0.6));
with_keys!(NoNumber, f64, (default = f64::NAN));
with_keys!(NoNumberInRange, f64, (min = 0, max = 1, default = f64::NAN));
with_keys!(Infinite, f64, (default = f64::NEG_INFINITY));
with_keys!(Odd, Even, (default = Even(3)));

with_keys!(
    Fitting,
    String,
    (min_length = 5, max_length = 5, default = "grüün")
);
with_keys!(AtTheBound, i32, (min = 1, max = 10, default = 10));
with_keys!(FittingDouble, f64, (max = 0.5, default = 0.5));
with_keys!(FittingEven, Even, (default = Even(4)));

#[test]
fn default_of_the_wrong_length_is_refused() {
    mistake(
        Api::builder().resource::<TooLong>(),
        &["::TooLong`", "`shade`", "4", "5"],
    );
    mistake(
        Api::builder().resource::<TooLongOption>(),
        &["::TooLongOption`", "`shade`", "4"],
    );
    mistake(
        Api::builder().resource::<TooShort>(),
        &["::TooShort`", "`shade`", "6"],
    );
}

#[test]
fn default_out_of_range_is_refused() {
    mistake(
        Api::builder().resource::<TooGreat>(),
        &["::TooGreat`", "`shade`", "10"],
    );
    mistake(
        Api::builder().resource::<TooSmall>(),
        &["::TooSmall`", "`shade`", "1"],
    );
    mistake(
        Api::builder().resource::<TooGreatDouble>(),
        &["::TooGreatDouble`", "`shade`", "0.5"],
    );
}

#[test]
fn default_that_is_not_finite_is_refused() {
    mistake(
        Api::builder().resource::<NoNumber>(),
        &["::NoNumber`", "`shade`", "finite"],
    );
    mistake(
        Api::builder().resource::<NoNumberInRange>(),
        &["::NoNumberInRange`", "`shade`"],
    );
    mistake(
        Api::builder().resource::<Infinite>(),
        &["::Infinite`", "`shade`", "finite"],
    );
}

#[test]
fn default_refused_by_its_own_type_is_refused_with_that_error() {
    mistake(
        Api::builder().resource::<Odd>(),
        &["::Odd`", "`shade` must be even"],
    );
}

#[test]
fn default_within_the_rules_is_accepted() {
    assert_sound(Api::builder().resource::<Fitting>());
    assert_sound(Api::builder().resource::<AtTheBound>());
    assert_sound(Api::builder().resource::<FittingDouble>());
    assert_sound(Api::builder().resource::<FittingEven>());
}
