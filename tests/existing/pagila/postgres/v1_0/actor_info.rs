//! The view `actor_info`.

use resource_runtime::ApiResource;

// The key is `actor_id`, as no two rows share it at present; nothing in the database promises
// that.
#[derive(ApiResource)]
#[resource(
    name = "ActorInfo",
    url = "/actor-infos",
    version = "1.0",
    table = "actor_info",
    view
)]
pub struct ActorInfo {
    #[resource(primary_key)]
    pub actor_id: i32,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub film_info: Option<String>,
}
