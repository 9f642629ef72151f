//! Deprecations that lead nowhere.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "1.0")]
#[resource(deprecated(since = "2027-01-01", successor = Itself))]
struct Itself {
    id: i64,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "1.0")]
#[resource(deprecated(since = "2027-01-01", sunset = "2026-07-01"))]
struct Hasty {
    id: i64,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "1.0")]
struct Misspelled {
    id: i64,
    #[resource(deprecated(since = "2027-01-01", instead = "titel"))]
    label: Option<String>,
    title: Option<String>,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "1.0")]
#[resource(deprecated(since = "2027-01-01", sunet = "2027-07-01", reason = " "))]
struct Mistyped {
    id: i64,
    #[resource(deprecated(since = 5))]
    label: Option<String>,
    #[resource(deprecated(since = "2027-01-01", since = "2027-02-01", sunset = 5))]
    title: Option<String>,
}

fn main() {}
