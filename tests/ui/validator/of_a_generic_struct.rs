use resource_runtime::{ApiResource, Validator};

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0", validator = Check)]
struct Setting<T> {
    id: i64,
    value: T,
}

#[derive(Default)]
struct Check;
impl Validator<Setting<u8>> for Check {}

fn main() {}
