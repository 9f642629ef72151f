use resource_runtime::ApiResource;

enum Colour {
    Red,
}

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
struct Setting {
    id: i64,
    colour: Colour,
}

fn main() {}
