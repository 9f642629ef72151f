use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Invoice", url = "/invoices", version = "1.0", existing)]
struct Invoice {
    id: i64,
    #[resource(digits(10, 2))]
    total: String,
}

fn main() {}
