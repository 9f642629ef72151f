//! The users of the service, as the authorization server asks about them.

use std::sync::Arc;

use axum::http::request::Parts;
use axum::response::Response;
use resource_authorization_server::{
    Consent, ConsentPrompt, OwnerError, PendingRequest, ResourceOwner, User,
};
use resource_oauth2::Scopes;

use super::{People, Person};
use crate::notes::OWN;
use crate::pages::{self, Visit};

/// The resource owners, for the questions of the authorization server.
pub struct Owner {
    people: Arc<People>,
}

impl Owner {
    pub const fn new(people: Arc<People>) -> Self {
        Self { people }
    }
}

impl ResourceOwner for Owner {
    async fn current(&self, request: &Parts) -> Result<Option<User>, OwnerError> {
        let visit = Visit::of(request)?;
        let Some(login) = visit.login().await? else {
            return Ok(None);
        };
        let person = self.people.find(&login.name).await?;
        Ok(person.map(|person| {
            let user = User::new(&person.name, &login.number, login.moment());
            reach(&person, user)
        }))
    }

    async fn login(
        &self,
        request: &Parts,
        pending: PendingRequest,
    ) -> Result<Response, OwnerError> {
        pages::login_for(&Visit::of(request)?, &pending).await
    }

    async fn consent(&self, request: &Parts, prompt: ConsentPrompt) -> Result<Consent, OwnerError> {
        let page = pages::consent(&Visit::of(request)?, &prompt).await?;
        Ok(Consent::Ask(page))
    }

    /// False once somebody is gone, or is no administrator any more and the client has a scope that only
    /// administrators can give: the client asks anew then, for less.
    async fn still_permits(&self, subject: &str, scopes: &Scopes) -> Result<bool, OwnerError> {
        let person = self.people.find(subject).await?;
        let mut scopes = scopes.iter();
        Ok(person.is_some_and(|person| {
            person.is_administrator || scopes.all(|scope| OWN.contains(&scope))
        }))
    }
}

/// The user, limited to the scopes that the person can give to clients.
fn reach(person: &Person, user: User) -> User {
    if person.is_administrator {
        user
    } else {
        user.scopes(OWN)
    }
}
