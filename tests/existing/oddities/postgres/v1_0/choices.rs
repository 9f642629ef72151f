//! The table `choices`.

use resource_runtime::ApiResource;

use super::{Option2, WeirdAccount};

#[derive(ApiResource)]
#[resource(name = "Choice", url = "/choices", version = "1.0", existing)]
#[resource(subresource(option2 = ["region", "number"], login_weird_account = "login"))]
pub struct Choice {
    #[resource(primary_key, assigned)]
    pub code: String,
    #[resource(references(Option2, region), max_length = 2)]
    pub region: Option<String>,
    #[resource(references(Option2, number))]
    pub number: Option<i32>,
    #[resource(
        references(WeirdAccount, e_mail, on_delete = "cascade"),
        max_length = 254
    )]
    pub login: Option<String>,
}
