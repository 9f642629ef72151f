//! Writes of many items on items whose hooks run.

use resource_runtime::{Api, ApiResource};

#[derive(ApiResource)]
#[resource(name = "Track", url = "/tracks", version = "1.0")]
struct Track {
    id: i64,
    name: String,
}

async fn code(api: &Api, tracks: Vec<Track>) {
    drop(api.items::<Track>().insert_all(tracks).await);
}

fn main() {}
