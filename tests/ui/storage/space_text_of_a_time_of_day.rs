use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Invoice", url = "/invoices", version = "1.0", existing)]
struct Invoice {
    id: i64,
    #[resource(stored(sqlite = space_text(0)))]
    hour: chrono::NaiveTime,
}

fn main() {}
