use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Ranking", url = "/rankings", version = "1.0", view, operations(list, create))]
struct Ranking {
    id: i64,
}

fn main() {}
