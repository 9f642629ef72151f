use super::super::form::Form;
use super::super::json::{Json, Object};
use crate::schema::{Attribute, Bound, Kind};

/// Which values are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::openapi) enum Values {
    /// Those that may be sent.
    Taken,
    /// Those that may be stored: where versions share a table, another one may take longer texts
    /// and greater numbers.
    Stored,
}

/// What values of an attribute look like in JSON.
pub(in crate::openapi) fn schema(form: Form, attribute: &Attribute, values: Values) -> Object {
    let nullable = attribute.is_nullable();
    match attribute.kind() {
        Kind::Boolean => form.typed("boolean", nullable),
        Kind::SmallInteger | Kind::Integer => integer(form, attribute, values, "int32"),
        Kind::BigInteger => integer(form, attribute, values, "int64"),
        Kind::Real => number(form, attribute, values, "float"),
        Kind::Double => number(form, attribute, values, "double"),
        Kind::Decimal => string(form, nullable).with("format", "decimal"),
        Kind::Text => text(form, attribute, values),
        Kind::Bytes => bytes(form, nullable),
        Kind::Uuid => string(form, nullable).with("format", "uuid"),
        Kind::Date => string(form, nullable).with("format", "date"),
        Kind::Time => shaped(form, nullable, TIME),
        Kind::LocalDateTime => shaped(form, nullable, LOCAL_DATE_TIME),
        Kind::Timestamp => string(form, nullable).with("format", "date-time"),
        Kind::Json => Object::new(),
    }
}

impl Values {
    const fn kept_to<T: Copy>(self, limits: (Option<T>, Option<T>)) -> (Option<T>, Option<T>) {
        match self {
            Self::Taken => limits,
            Self::Stored => (None, None),
        }
    }
}

const TIME: &str = r"^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?$";
const LOCAL_DATE_TIME: &str = r"^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?$";

/// PostgreSQL cannot store U+0000, so no text holds it.
const WITHOUT_NUL: &str = r"^[^\u0000]*$";

fn string(form: Form, nullable: bool) -> Object {
    form.typed("string", nullable)
}

/// The formats of JSON Schema have offsets, which these values have not.
fn shaped(form: Form, nullable: bool, pattern: &'static str) -> Object {
    let pattern = form.in_json_schema(Object::new().with("pattern", pattern));
    string(form, nullable).and(pattern)
}

fn bytes(form: Form, nullable: bool) -> Object {
    let string = string(form, nullable);
    match form {
        Form::V31 => string.with("contentEncoding", "base64"),
        Form::V30 => string.with("format", "byte"),
    }
}

fn text(form: Form, attribute: &Attribute, values: Values) -> Object {
    let (min, max) = values.kept_to(attribute.length_limits());
    string(form, attribute.is_nullable())
        .with_some("minLength", min)
        .with_some("maxLength", max)
        .and(form.in_json_schema(Object::new().with("pattern", WITHOUT_NUL)))
}

fn integer(form: Form, attribute: &Attribute, values: Values, format: &'static str) -> Object {
    let range = attribute.kind().integer_range();
    // Tools for 3.0 read the range of 64 bits as doubles, in which it has no end.
    let range = range.filter(|_| form == Form::V31 || attribute.kind() != Kind::BigInteger);
    let (least, greatest) = range.unzip();
    let (min, max) = values.kept_to(attribute.value_limits());
    form.typed("integer", attribute.is_nullable())
        .with("format", format)
        .with_some("minimum", min.map(bound).or(least.map(Json::from)))
        .with_some("maximum", max.map(bound).or(greatest.map(Json::from)))
}

fn number(form: Form, attribute: &Attribute, values: Values, format: &'static str) -> Object {
    let (min, max) = values.kept_to(attribute.value_limits());
    form.typed("number", attribute.is_nullable())
        .with("format", format)
        .with_some("minimum", min.map(bound))
        .with_some("maximum", max.map(bound))
}

const fn bound(bound: Bound) -> Json {
    match bound {
        Bound::Integer(integer) => Json::Integer(integer),
        Bound::Real(real) => Json::Real(real),
    }
}
