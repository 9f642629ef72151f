//! The home page, which shows the login and explains how to get a token.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use super::page::{Failed, page};
use super::{Site, Visit};
use crate::notes::SCOPES;

#[derive(Template)]
#[template(path = "home.html")]
struct Home<'a> {
    login: Option<LoggedIn>,
    base_url: &'a str,
    scopes: [(&'static str, &'static str); 3],
}

struct LoggedIn {
    name: String,
    form_token: String,
}

/// `GET /`: the page with the login, if there is one, and the steps to get a token.
pub(super) async fn show(State(site): State<Arc<Site>>, visit: Visit) -> Result<Response, Failed> {
    let login = match visit.login().await? {
        Some(login) => Some(LoggedIn {
            name: login.name,
            form_token: visit.form_token().await?,
        }),
        None => None,
    };
    let home = Home {
        login,
        base_url: &site.base_url,
        scopes: SCOPES,
    };
    Ok(page(StatusCode::OK, &home)?)
}
