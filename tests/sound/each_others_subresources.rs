//! Two resources may point at each other, and one at itself.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "Team",
    url = "/teams",
    version = "1.0",
    subresource(captain = "captain_id", parent = "parent_id")
)]
struct Team {
    id: i64,
    #[resource(references = Player)]
    captain_id: Option<i64>,
    #[resource(references = Team)]
    parent_id: Option<i64>,
}

#[derive(ApiResource)]
#[resource(
    name = "Player",
    url = "/players",
    version = "1.0",
    subresource(team = "team_id")
)]
struct Player {
    id: i64,
    #[resource(references = Team)]
    team_id: i64,
}

#[test]
fn it_compiles() {
    assert_eq!(Team::DEFINITION.all_subresources().len(), 2);
    assert_eq!(Player::DEFINITION.all_subresources().len(), 1);
    let (team, player) = (
        Team {
            id: 1,
            captain_id: Some(2),
            parent_id: None,
        },
        Player { id: 2, team_id: 1 },
    );
    assert_eq!(
        Team::from_record(team.to_record()).unwrap().captain_id,
        Some(player.id)
    );
    assert_eq!(
        Player::from_record(player.to_record()).unwrap().team_id,
        team.id
    );
    assert_eq!(team.parent_id, None);
}
