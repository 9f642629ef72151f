//! The table `matches`.

use resource_runtime::ApiResource;

use super::Team;

#[derive(ApiResource)]
#[resource(name = "Match", url = "/matches", version = "1.0", existing)]
#[resource(subresource(team = ["tenant", "home"]))]
pub struct Match {
    pub id: i64,
    #[resource(references(Team, tenant))]
    pub tenant: i64,
    #[resource(references(Team, number))]
    pub home: Option<i64>,
}
