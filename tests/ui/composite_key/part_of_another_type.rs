use resource_runtime::{Api, ApiResource};

#[derive(ApiResource)]
#[resource(name = "Seat", url = "/seats", version = "1.0")]
struct Seat {
    #[resource(primary_key)]
    row: String,
    #[resource(primary_key)]
    number: i32,
}

async fn code(api: &Api) {
    drop(api.items::<Seat>().delete(("B", "7")));
}

fn main() {}
