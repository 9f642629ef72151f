//! The table `tolls`.

use resource_runtime::ApiResource;

// Items are not created, because `price` needs a value; if something else gives it one, allow
// `create`.
#[derive(ApiResource)]
#[resource(name = "Toll", url = "/tolls", version = "1.0", existing)]
#[resource(operations(list, retrieve, update, delete))]
pub struct Toll {
    #[resource(assigned)]
    pub id: i32,
    // Clients only read it, because the database rounds what is written.
    #[resource(stored(postgres = type("money")), computed)]
    pub price: String,
}
