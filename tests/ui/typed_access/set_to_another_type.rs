//! An attribute is set to a value of its type.

use resource_runtime::{Api, ApiResource};

#[derive(ApiResource)]
#[resource(name = "Album", url = "/albums", version = "1.0")]
struct Album {
    id: i64,
    title: String,
}

#[derive(ApiResource)]
#[resource(name = "Track", url = "/tracks", version = "1.0")]
#[resource(subresource(album = "album_id"))]
struct Track {
    id: i64,
    name: String,
    #[resource(references = Album)]
    album_id: Option<i64>,
}

async fn code(api: &Api) {
    let tracks = api.items::<Track>();
    drop(tracks.update(1).set(Track::NAME, 5));
}

fn main() {}
