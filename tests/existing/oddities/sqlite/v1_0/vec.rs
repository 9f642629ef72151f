//! The table `vec`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Vec2", url = "/vecs", version = "1.0", table = "vec", existing)]
pub struct Vec2 {
    pub id: i64,
    pub value: Option<Vec<u8>>,
}
