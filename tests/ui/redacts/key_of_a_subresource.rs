use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0", redacts(parent_id))]
#[resource(subresource(parent = "parent_id"))]
struct Setting {
    id: i64,
    #[resource(references = Setting)]
    parent_id: Option<i64>,
}

fn main() {}
