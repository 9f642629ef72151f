//! The table `us_states`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "UsState", url = "/us-states", version = "1.0", existing)]
pub struct UsState {
    #[resource(primary_key, default = database)]
    pub state_id: i16,
    #[resource(max_length = 100)]
    pub state_name: Option<String>,
}
