use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Invoice", url = "/invoices", version = "1.0", existing)]
struct Invoice {
    id: i64,
    #[resource(stored(mysql = utc))]
    at: chrono::DateTime<chrono::Utc>,
}

fn main() {}
