use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Line", url = "/lines", version = "1.0", ignore("search"))]
struct Line {
    id: i64,
    #[resource(default = database)]
    count: i64,
    #[resource(computed)]
    total: i64,
}

fn main() {}
