//! A transaction in a handler of axum, which borrows what the handler has.

use axum::Router;
use axum::extract::State;
use axum::routing::post;
use resource_runtime::{Api, ApiResource, Error};

#[derive(ApiResource)]
#[resource(name = "Track", url = "/tracks", version = "1.0")]
struct Track {
    id: i64,
    name: String,
}

async fn rename(State(api): State<Api>, name: String) -> Result<String, String> {
    let borrowed = &name;
    let renamed: Result<i64, Error> = api
        .transaction(|mut transaction| async move {
            let found = transaction.items::<Track>().get_for_update(1).await?;
            let id = found.map_or(0, |track| track.id);
            let local = borrowed.to_uppercase();
            transaction
                .items::<Track>()
                .update(id)
                .set(Track::NAME, &local)
                .await?;
            transaction.commit(id).await
        })
        .await;
    renamed
        .map(|id| format!("{id} is {name}"))
        .map_err(|error| error.to_string())
}

#[test]
fn it_compiles() {
    let _: Router<Api> = Router::new().route("/rename", post(rename));
}
