//! The rows of the server in the API's own database.

mod rows;
mod words;

use resource_runtime::seam::Rows;
use resource_runtime::{Api, ApiBuilder, Error};

pub(super) use rows::{
    ClientKind, ClientRow, ClientRowField, CodeRow, CodeRowField, GrantRow, GrantRowField, KeyRow,
    KeyRowField, RefreshRow, RefreshRowField, RequestRow, RequestRowField, RevokedTokenRow,
    RevokedTokenRowField,
};
pub(super) use words::Words;

/// The tables as an API that is never served: it makes, tells and checks them.
pub(super) fn tables() -> ApiBuilder {
    Api::builder()
        .resource::<ClientRow>()
        .resource::<KeyRow>()
        .resource::<RequestRow>()
        .resource::<CodeRow>()
        .resource::<GrantRow>()
        .resource::<RefreshRow>()
        .resource::<RevokedTokenRow>()
}

pub(super) fn built_tables(rows: &Rows) -> Result<Api, Error> {
    tables().build(rows.database().clone())
}

/// Deletes all requests but the last `most`, before others those whose user is not logged in.
pub(super) async fn thin_out_requests(rows: &Rows, most: i64) -> Result<(), Error> {
    let (mark, newest) = (RequestRowField::ConsentKey, RequestRowField::ExpiresAt);
    rows.delete_beyond::<RequestRow>(mark, newest, most).await
}
