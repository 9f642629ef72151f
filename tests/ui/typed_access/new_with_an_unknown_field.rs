//! A new item has the fields of its struct.

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
    drop(new!(Track { nmae: "Peg", seconds: 240 }));
}
