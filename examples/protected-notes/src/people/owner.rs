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

/// What the authorization server asks about people.
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

    /// Not once somebody is gone, or is no administrator any more whose client has what only they
    /// can give: it asks anew then, for less.
    async fn still_permits(&self, subject: &str, scopes: &Scopes) -> Result<bool, OwnerError> {
        let person = self.people.find(subject).await?;
        let mut scopes = scopes.iter();
        Ok(person.is_some_and(|person| {
            person.is_administrator || scopes.all(|scope| OWN.contains(&scope))
        }))
    }
}

/// What the person can let clients do.
fn reach(person: &Person, user: User) -> User {
    if person.is_administrator {
        user
    } else {
        user.scopes(OWN)
    }
}
