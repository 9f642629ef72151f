use super::FieldValue;

/// Types that `max_length` and `min_length` can limit: those stored as text.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no length to limit",
    label = "`max_length` and `min_length` need text",
    note = "for numbers write `min = …` and `max = …`"
)]
pub trait Text: FieldValue {}

impl Text for String {}
impl<T: Text> Text for Option<T> {}

/// Types that `min` and `max` can limit: integers and doubles.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no range to limit",
    label = "`min` and `max` need a number",
    note = "for text write `min_length = …` and `max_length = …`"
)]
pub trait Number: FieldValue {}

impl Number for i16 {}
impl Number for i32 {}
impl Number for i64 {}
impl Number for f64 {}
impl<T: Number> Number for Option<T> {}

/// Types that can identify an item: integers, which the database assigns.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a primary key",
    label = "not a key that the database can assign",
    note = "the primary key is an `i64` or an `i32`"
)]
pub trait PrimaryKey: FieldValue {}

impl PrimaryKey for i32 {}
impl PrimaryKey for i64 {}
