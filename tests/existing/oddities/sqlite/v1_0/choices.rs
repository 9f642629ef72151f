//! The table `choices`.

use resource_runtime::ApiResource;

use super::{Option2, User};

#[derive(ApiResource)]
#[resource(name = "Choice", url = "/choices", version = "1.0", existing)]
#[resource(subresource(option2 = ["region", "number"], login_user = "login"))]
pub struct Choice {
    #[resource(primary_key, assigned)]
    pub code: String,
    #[resource(references(Option2, region), max_length = 2)]
    pub region: Option<String>,
    #[resource(references(Option2, number))]
    pub number: Option<i64>,
    #[resource(references(User, e_mail, on_delete = "cascade"))]
    pub login: Option<String>,
}
