//! Approvals of no rule, without a reason, at the wrong place and where no version is followed.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "1.0")]
struct Old {
    id: i64,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old)]
#[resource(breaks(remowed(code) = "nobody reads it", tighter(id) = "all are shorter", moved(url) = "why"))]
#[resource(breaks(withdrawn = " "))]
struct OnAStruct {
    id: i64,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0", follows = Old)]
struct OnAField {
    #[resource(breaks(page = "nobody pages", key(id) = "why", reusd = "why", key = "one", key = "two"))]
    id: i64,
}

#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "2.0")]
struct Alone {
    #[resource(breaks(key = "why"))]
    id: i64,
}

fn main() {}
