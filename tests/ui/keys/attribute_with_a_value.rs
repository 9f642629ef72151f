use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource = "Setting"]
struct Setting {
    id: i64,
}

fn main() {}
