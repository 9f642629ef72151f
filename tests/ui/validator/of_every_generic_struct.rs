use resource_runtime::{ApiResource, Validator};

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0", validator = Check)]
struct Setting<T> {
    id: i64,
    value: T,
}

#[derive(Default)]
struct Check;
impl<T: Send + Sync + 'static> Validator<Setting<T>> for Check {}

fn main() {}
