//! The resources of the services through the derive.

use resource_runtime::ApiResource;
use serde_json::Value;

/// An application setting.
#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0", count(none))]
#[resource(scopes(read = "settings.read", write = "settings.write"))]
pub(crate) struct Setting {
    pub(crate) id: i64,
    #[resource(max_length = 50, unique)]
    pub(crate) name: String,
    pub(crate) value: String,
}

/// A postal address.
#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Address", url = "/addresses", version = "1.0")]
pub(crate) struct Address {
    pub(crate) id: i64,
    #[resource(max_length = 200)]
    pub(crate) line1: String,
    #[resource(max_length = 200)]
    pub(crate) line2: Option<String>,
    #[resource(max_length = 80)]
    pub(crate) city: Option<String>,
    #[resource(max_length = 80)]
    pub(crate) country: Option<String>,
    #[resource(max_length = 10)]
    pub(crate) zip_code: Option<String>,
}

/// A person with two addresses.
#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Person", url = "/persons", version = "1.0")]
#[resource(subresource(bill_address = "bill_address_id", ship_address = "ship_address_id"))]
pub(crate) struct Person {
    pub(crate) id: i64,
    #[resource(max_length = 80)]
    pub(crate) first_name: Option<String>,
    #[resource(max_length = 50)]
    pub(crate) last_name: Option<String>,
    #[resource(references = Address)]
    pub(crate) bill_address_id: Option<i64>,
    #[resource(references = Address)]
    pub(crate) ship_address_id: Option<i64>,
}

/// A document with a revision, whose content is JSON.
#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Document", url = "/documents", version = "1.0")]
pub(crate) struct Document {
    pub(crate) id: i64,
    pub(crate) content: Value,
    #[resource(revision)]
    pub(crate) revision: i64,
}

/// A seat whose key has one part, which has an index of its own on SQLite, as a key of two parts has.
#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Seat", url = "/seats", version = "1.0")]
pub(crate) struct Seat {
    #[resource(primary_key, assigned)]
    pub(crate) hall: String,
    pub(crate) number: i64,
    pub(crate) guest: String,
}

/// A seat whose key has two parts.
#[derive(Debug, Clone, ApiResource)]
#[resource(name = "HallSeat", url = "/hall-seats", version = "1.0")]
pub(crate) struct HallSeat {
    #[resource(primary_key)]
    pub(crate) hall: i64,
    #[resource(primary_key)]
    pub(crate) number: i64,
    pub(crate) guest: String,
}
