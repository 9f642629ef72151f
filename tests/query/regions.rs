//! Fixture: offices with two references to regions by composite keys.

use resource_runtime::{Api, ApiResource};
use resource_tests::Service;
use serde_json::json;

/// The collection of the offices.
pub(crate) const OFFICES: &str = "/api/1.0/offices";

/// The collection of the regions.
pub(crate) const REGIONS: &str = "/api/1.0/regions";

/// A region, unique by two attributes together, declared in another order than references name them.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Region",
    url = "/regions",
    version = "1.0",
    unique(code, country)
)]
pub(crate) struct Region {
    id: i64,
    country: String,
    #[resource(column = "region_code")]
    code: i32,
    name: Option<String>,
}

/// An office, with its region and its former one.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Office",
    url = "/offices",
    version = "1.0",
    subresource(region = ["country", "code"], former = ["former_country", "former_code"])
)]
pub(crate) struct Office {
    id: i64,
    name: String,
    #[resource(references(Region, country))]
    country: Option<String>,
    #[resource(references(Region, code), rename = "regionCode")]
    code: Option<i32>,
    #[resource(references(Region, country), rename = "formerCountry")]
    former_country: Option<String>,
    #[resource(references(Region, code), column = "left_code")]
    former_code: Option<i32>,
}

/// A resource with two composite keys that share an attribute.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Trip",
    url = "/trips",
    version = "1.0",
    subresource(origin = ["country", "from"], destination = ["country", "to"])
)]
pub(crate) struct Trip {
    id: i64,
    #[resource(references(Region, country))]
    country: String,
    #[resource(references(Region, code))]
    from: i32,
    #[resource(references(Region, code))]
    to: Option<i32>,
}

/// Four regions and six offices.
pub(crate) fn offices() -> Service {
    let service = Service::start(|database| {
        Api::builder()
            .resource::<Region>()
            .resource::<Office>()
            .resource::<Trip>()
            .build(database)
    });
    for body in [
        json!({"country": "CH", "code": 1, "name": "Bern"}),
        json!({"country": "CH", "code": 2, "name": "Uri"}),
        json!({"country": "DE", "code": 1, "name": "Bayern"}),
        json!({"country": "DE", "code": 2}),
    ] {
        service.create(REGIONS, &body);
    }
    for body in [
        json!({"name": "a", "country": "CH", "regionCode": 1}),
        json!({"name": "b", "country": "DE", "regionCode": 1, "formerCountry": "CH", "former_code": 2}),
        json!({"name": "c"}),
        json!({"name": "d", "country": "CH"}),
        json!({"name": "e", "regionCode": 2, "formerCountry": "DE", "former_code": 2}),
        json!({"name": "f", "country": "DE", "regionCode": 2, "formerCountry": "DE"}),
    ] {
        service.create(OFFICES, &body);
    }
    service
}
