//! The table `errors`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Error2", url = "/errors", version = "1.0", existing)]
pub struct Error2 {
    pub id: i64,
}
