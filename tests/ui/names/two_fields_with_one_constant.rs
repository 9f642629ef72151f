use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
struct Setting {
    id: i64,
    first_name: String,
    #[resource(column = "other")]
    #[allow(non_snake_case)]
    First_Name: String,
}

fn main() {}
