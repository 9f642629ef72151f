//! The view `sums`.

use resource_runtime::ApiResource;
use rust_decimal::Decimal;

// The key is `kind`, as no two rows share it at present; nothing in the database promises that.
#[derive(ApiResource)]
#[resource(name = "Sum", url = "/sums", version = "1.0", view)]
pub struct Sum {
    #[resource(primary_key, assigned)]
    pub kind: String,
    // Present values decided how many digits the numbers have.
    #[resource(digits(15, 2), stored(sqlite = number))]
    pub total: Option<Decimal>,
    // No type is declared: rows decided.
    pub mean: Option<f64>,
    // No type is declared: rows decided.
    pub amounts: Option<i64>,
}
