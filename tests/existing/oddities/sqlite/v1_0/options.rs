//! The table `options`.

use resource_runtime::ApiResource;

use super::User;

#[derive(ApiResource)]
#[resource(name = "Option2", url = "/options", version = "1.0", existing)]
#[resource(subresource(user_item = "user"))]
pub struct Option2 {
    #[resource(primary_key, max_length = 2)]
    pub region: String,
    #[resource(primary_key)]
    pub number: i64,
    #[resource(references(User, on_delete = "set_null"))]
    pub user: Option<i64>,
}
