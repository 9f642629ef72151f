//! Codes below 20000 are those of the runtime.

use resource_runtime::CustomError;

pub const SOLD_OUT: CustomError = CustomError::new(10001, 409, "Sold out");

fn main() {}
