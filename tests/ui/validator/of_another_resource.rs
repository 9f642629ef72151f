use resource_runtime::{ApiResource, Validator};

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0", validator = Check)]
struct Setting { id: i64 }

#[derive(ApiResource)]
#[resource(name = "User", url = "/users", version = "1.0", validator = Check)]
struct User { id: i64 }

#[derive(Default)]
struct Check;
impl Validator<User> for Check {}

fn main() {}
