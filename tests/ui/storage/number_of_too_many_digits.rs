use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Invoice", url = "/invoices", version = "1.0", existing)]
struct Invoice {
    id: i64,
    #[resource(digits(20, 2), stored(sqlite = number))]
    total: rust_decimal::Decimal,
}

fn main() {}
