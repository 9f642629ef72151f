use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource]
struct Setting {
    id: i64,
}

fn main() {}
