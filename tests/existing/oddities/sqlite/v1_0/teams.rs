//! The table `teams`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Team", url = "/teams", version = "1.0", existing)]
pub struct Team {
    #[resource(primary_key)]
    pub tenant: i64,
    #[resource(primary_key)]
    pub number: i64,
    pub name: Option<String>,
}
