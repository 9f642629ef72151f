use resource_runtime::ApiResource;

#[derive(Default)]
struct Check;

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0", validator = Check)]
struct Setting {
    id: i64,
}

fn main() {}
