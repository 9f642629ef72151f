//! A resource through the derive.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Item/* number */", url = "/items/* number */", version = "1.0")]
pub struct Item {
    pub id: i64,
    #[resource(max_length = /* limit */, unique)]
    pub name: String,
    #[resource(max_length = 200)]
    pub description: Option<String>,
    pub amount: i32,
    pub weight: f64,
    pub active: bool,
    pub position: Option<i64>,
    pub note: Option<String>,
}
