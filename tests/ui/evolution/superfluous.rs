//! Approvals of what breaks nothing, and of what stands elsewhere.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "1.0")]
struct Old {
    id: i64,
    text: String,
    code: i64,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old)]
struct OfAField {
    id: i64,
    #[resource(breaks(tighter = "nobody sends more"))]
    text: String,
    code: i64,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old)]
#[resource(breaks(removed(code, text) = "nobody reads them"))]
struct OfAStruct {
    id: i64,
    text: String,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old)]
#[resource(breaks(moved = "it has a better name"))]
struct OfOnePlace {
    id: i64,
    text: String,
    code: i64,
}

fn main() {}
