//! The table `users`.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use resource_runtime::{ApiResource, FieldValue};
use rust_decimal::Decimal;

// `seen` is left out: no form serves its dates, which look like `0000-00-00`, `0000-00-00
// 00:00:00`; repair the rows, or add a column that is `GENERATED ALWAYS AS (strftime('%Y-%m-%d
// %H:%M:%S', …))`.
// `mixed` is left out: its values are of several types; a view can give them one by `CAST`.
// `tags` is left out: `JSON` is no type of SQLite, which turns texts like `1` into numbers there;
// a view can `CAST` it.
// Triggers run: `users_changed`; a column that one of them sets is `computed`.
#[derive(ApiResource)]
#[resource(name = "User", url = "/users", version = "1.0", existing)]
#[resource(ignore("seen", "mixed", "tags"))]
#[resource(index(age, type))]
pub struct User {
    pub id: i64,
    #[resource(column = "E-Mail", max_length = 254, unique)]
    pub e_mail: String,
    #[resource(write_only)]
    pub password_hash: String,
    pub token_id: Option<i64>,
    #[resource(default = database)]
    pub is_active: bool,
    // Present values decided how many digits the numbers have.
    #[resource(digits(15, 3), stored(sqlite = number), min = 0.001, max = 5.499, index)]
    pub rating: Option<Decimal>,
    pub r#type: UserType,
    #[resource(min = 0, max = 150)]
    pub age: Option<i64>,
    #[resource(column = "self")]
    pub self_2: Option<String>,
    #[resource(column = "名前")]
    pub ming_qian: Option<String>,
    #[resource(column = "…")]
    pub column_11: Option<String>,
    #[resource(stored(sqlite = space_text(0)), default = database)]
    pub created: NaiveDateTime,
    #[resource(stored(sqlite = t_text(0)))]
    pub changed: Option<DateTime<Utc>>,
    pub born: Option<NaiveDate>,
    pub wakes: Option<NaiveTime>,
    // No type is declared: rows decided.
    pub untyped: Option<i64>,
    #[resource(computed)]
    pub shout: Option<String>,
}

/// A value of `users.type`.
#[derive(FieldValue)]
#[resource(rename_all = "snake_case")]
pub enum UserType {
    Guest,
    PowerUser,
}
