//! The steps of a transaction end with its commit.

use resource_runtime::{Api, ApiResource, Error};

#[derive(ApiResource)]
#[resource(name = "Track", url = "/tracks", version = "1.0")]
struct Track {
    id: i64,
    name: String,
}

async fn rename(api: &Api) -> Result<(), Error> {
    api.transaction(|mut transaction| async move {
        transaction.items::<Track>().update(1).set(Track::NAME, "Aja").await
    })
    .await
}

fn main() {}
