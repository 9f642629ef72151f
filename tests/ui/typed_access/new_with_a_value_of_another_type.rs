//! A value of a new item has the type of its field.

use resource_runtime::{ApiResource, new};

#[derive(ApiResource)]
#[resource(name = "Track", url = "/tracks", version = "1.0")]
struct Track {
    id: i64,
    name: String,
    album_id: Option<i64>,
    seconds: i64,
}

fn main() {
    drop(new!(Track { name: 5, seconds: 240 }));
}
