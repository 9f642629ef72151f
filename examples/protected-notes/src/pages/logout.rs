//! The handler of the logout form.

use axum::Form;
use axum::response::Redirect;
use serde::Deserialize;

use super::Visit;
use super::page::Failed;

#[derive(Deserialize)]
pub(super) struct Sent {
    #[serde(default)]
    form_token: String,
}

/// `POST /logout`. A form of another site, or an expired one, only redirects home, where there is a valid
/// form.
pub(super) async fn log_out(visit: Visit, Form(sent): Form<Sent>) -> Result<Redirect, Failed> {
    if visit.has_sent(&sent.form_token).await? {
        visit.end().await?;
    }
    Ok(Redirect::to("/"))
}
