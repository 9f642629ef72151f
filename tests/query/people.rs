//! Fixture: persons with addresses, some shared, some missing, one with nulls.

use resource_runtime::Api;
use resource_tests::Service;
use resource_tests::models::{Address, Person};
use serde_json::json;

/// The collection of the persons.
pub(crate) const PERSONS: &str = "/api/1.0/persons";

/// The collection of their addresses.
pub(crate) const ADDRESSES: &str = "/api/1.0/addresses";

/// Three addresses and six persons.
pub(crate) fn people() -> Service {
    let service = Service::start(|database| {
        Api::builder()
            .resource::<Address>()
            .resource::<Person>()
            .build(database)
    });
    for body in [
        json!({"line1": "1 Main Street", "city": "Springfield", "country": "US"}),
        json!({"line1": "50% Lane", "city": "Shelbyville"}),
        json!({"line1": "Quai 3", "country": "CH"}),
    ] {
        service.create(ADDRESSES, &body);
    }
    for body in [
        json!({"first_name": "Ann", "last_name": "Lee", "bill_address_id": 1, "ship_address_id": 2}),
        json!({"first_name": "Bob", "last_name": "Ray", "bill_address_id": 2, "ship_address_id": 2}),
        json!({"first_name": "ann"}),
        json!({
            "first_name": "Cleo", "last_name": "Lee",
            "bill_address_id": 3, "ship_address_id": 1, "mail_address_id": 3,
        }),
        json!({"first_name": "Bob", "last_name": "Lee", "bill_address_id": 1}),
        json!({"last_name": "Day", "ship_address_id": 1, "mail_address_id": 1}),
    ] {
        service.create(PERSONS, &body);
    }
    service
}
