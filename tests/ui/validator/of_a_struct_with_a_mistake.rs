use resource_runtime::{ApiResource, Validator};

#[derive(Default)]
struct Check;
impl Validator<Setting> for Check {}

#[derive(ApiResource)]
#[resource(name = "Setting", url = "settings", version = "1.0", validator = Check)]
struct Setting {
    id: i64,
}

fn main() {}
