use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
struct Setting {
    #[resource(primary_key)]
    number: i64,
    #[resource(primary_key)]
    part: Option<i64>,
}

fn main() {}
