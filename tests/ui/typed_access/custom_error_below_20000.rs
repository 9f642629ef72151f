//! Codes below 20000 are those of the runtime.

use resource_runtime::CustomError;

const SOLD_OUT: CustomError = CustomError::new(10001, 409, "Sold out");

fn main() {
    let _ = SOLD_OUT;
}
