use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Team", url = "/teams", version = "1.0", existing, accept("row_sekurity"))]
struct Team {
    id: i64,
    #[resource(references(Team, on_delete = "cascaded"))]
    parent_id: Option<i64>,
}

fn main() {}
