use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "User", url = "/users", version = "1.0", redacts(pin))]
struct User {
    id: i64,
    #[resource(unique)]
    pin: Option<i32>,
}

fn main() {}
