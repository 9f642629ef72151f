//! The table `matches`.

use resource_runtime::ApiResource;

use super::Team;

#[derive(ApiResource)]
#[resource(name = "Match", url = "/matches", version = "1.0", existing)]
#[resource(subresource(home_team = ["tenant", "home"], away_team = ["tenant", "away"]))]
pub struct Match {
    #[resource(assigned)]
    pub id: i32,
    #[resource(references(Team, tenant))]
    pub tenant: i32,
    #[resource(references(Team, number, on_delete = "set_null"))]
    pub home: Option<i32>,
    #[resource(references(Team, number))]
    pub away: Option<i32>,
}
