use resource_runtime::{Api, ApiResource};

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
struct Setting {
    id: i64,
    #[resource(max = 50)]
    name: String,
}

fn main() {
    let _ = Api::builder().resource::<Setting>();
}
