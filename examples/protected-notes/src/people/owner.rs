//! The users of the service, as the resource owners of the authorization server.

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

/// The resource owners: login, consent and permitted scopes.
pub struct Owner {
    people: Arc<People>,
}

impl Owner {
    pub const fn new(people: Arc<People>) -> Self {
        Self { people }
    }
}

impl ResourceOwner for Owner {
    async fn current_user(&self, request: &Parts) -> Result<Option<User>, OwnerError> {
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

    /// False once the user is deleted, or is no longer an administrator and the client has a scope that only
    /// administrators can grant. The client must then request authorization again, with fewer scopes.
    async fn still_permits(&self, subject: &str, scopes: &Scopes) -> Result<bool, OwnerError> {
        let person = self.people.find(subject).await?;
        let mut scopes = scopes.iter();
        Ok(person.is_some_and(|person| {
            person.is_administrator || scopes.all(|scope| OWN.contains(&scope))
        }))
    }
}

/// The user, limited to the scopes that the person can grant to clients.
fn reach(person: &Person, user: User) -> User {
    if person.is_administrator {
        user
    } else {
        user.scopes(OWN)
    }
}
