use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Setting", url = "settings", version = "1")]
struct Setting {
    id: i64,
    #[resource(max_lenght = 50)]
    name: String,
    #[resource(min = 5, max = 4)]
    size: i64,
    price: Vec<String>,
}

fn main() {}
