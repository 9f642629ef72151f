//! The table `teams`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Team", url = "/teams", version = "1.0", existing)]
pub struct Team {
    #[resource(primary_key)]
    pub tenant: i32,
    #[resource(primary_key)]
    pub number: i32,
    pub name: Option<String>,
}
