//! A snapshot has no methods that write.

use resource_runtime::{Api, ApiResource, Error};

#[derive(ApiResource)]
#[resource(name = "Track", url = "/tracks", version = "1.0")]
struct Track {
    id: i64,
    name: String,
}

async fn rename(api: &Api) -> Result<(), Error> {
    let mut snapshot = api.read().await?;
    snapshot.items::<Track>().update(1).set(Track::NAME, "Aja").await
}

fn main() {}
