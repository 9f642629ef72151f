//! The view `states`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "State", url = "/states", version = "1.0", view)]
pub struct State {
    #[resource(primary_key)]
    pub state: String,
    #[resource(primary_key)]
    pub age: i16,
}
