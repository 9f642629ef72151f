//! The table `options`.

use resource_runtime::{ApiResource, FieldValue};
use uuid::Uuid;

use super::WeirdAccount;

#[derive(ApiResource)]
#[resource(name = "Option2", url = "/options", version = "1.0", existing)]
#[resource(accept("deferred_keys"))]
#[resource(subresource(account_weird_account = "account"))]
pub struct Option2 {
    #[resource(primary_key, max_length = 2)]
    pub region: String,
    #[resource(primary_key)]
    pub number: i32,
    #[resource(references(WeirdAccount, on_delete = "set_null"))]
    pub account: Option<Uuid>,
    #[resource(stored(postgres = type("size")))]
    pub current_size: Option<Size>,
}

/// A value of the type `size`.
#[derive(FieldValue)]
#[resource(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Size {
    Small,
    ExtraLarge,
}
