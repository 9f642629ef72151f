//! The users of the service: their table, their passwords, and the scopes that they can grant to clients.

use argon2::Argon2;
use argon2::password_hash::{self, PasswordHasher as _, PasswordVerifier as _};
use axum::http::request::Parts;
use axum::response::Response;
use resource_authorization_server::{Consent, ConsentPrompt, PendingRequest, ResourceOwner, User};
use resource_oauth2::Scopes;
use resource_runtime::cli::Options;
use resource_runtime::{Api, ApiResource, Database, Error};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::notes::OWN;
use crate::{Outcome, pages};

/// A user who can log in.
#[derive(Clone, ApiResource)]
#[resource(name = "Person", url = "/people", version = "1.0")]
pub struct Person {
    /// The subject of the user's tokens, which never changes, and is never given to another user.
    #[resource(primary_key, assigned, max_length = 50)]
    pub name: String,
    /// An argon2 hash.
    pub password_hash: String,
    /// True if the user can let clients read and change the notes of all users.
    pub is_administrator: bool,
}

/// The table of users, which no client can access.
#[derive(Clone)]
pub struct People {
    api: Api,
    /// The hash that a password is compared with if the name is unknown.
    nobodys_hash: String,
}

impl People {
    pub async fn open(database: Database, options: &Options) -> Outcome<Self> {
        // This API creates and checks the table; it is never served.
        let api = Api::builder().table::<Person>().build(database)?;
        if !options.no_create() {
            api.create_missing_tables().await?;
        }
        api.check_schema().await?;
        Ok(Self {
            api,
            nobodys_hash: hash(String::new()).await?,
        })
    }

    pub async fn find(&self, name: &str) -> Result<Option<Person>, Error> {
        // Not every database can look up control characters.
        if name.chars().any(char::is_control) {
            return Ok(None);
        }
        self.api.items().get(name).await
    }

    /// The user with this name and this password. An unknown name takes as long as a wrong password, so that
    /// the response time does not reveal the existing names.
    pub async fn log_in(&self, name: &str, password: String) -> Outcome<Option<Person>> {
        let person = self.find(name).await?;
        let hash = person.as_ref().map(|it| it.password_hash.clone());
        let hash = hash.unwrap_or_else(|| self.nobodys_hash.clone());
        let _turn = AT_ONCE.acquire().await?;
        let verify = move || Argon2::default().verify_password(password.as_bytes(), &*hash);
        match spawn_blocking(verify).await? {
            Ok(()) => Ok(person),
            Err(password_hash::Error::PasswordInvalid) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Adds all of the users, or none.
    pub async fn add(&self, people: &[Person]) -> Outcome {
        let mut transaction = self.api.begin().await?;
        for person in people {
            transaction.items().insert(person.clone()).await?;
        }
        transaction.commit(()).await?;
        Ok(())
    }
}

/// The authorization server asks here who is logged in, and what they can grant.
impl ResourceOwner for People {
    async fn current_user(&self, request: &Parts) -> Outcome<Option<User>> {
        let Some(login) = pages::login(pages::session(request)?).await? else {
            return Ok(None);
        };
        let person = self.find(&login.name).await?;
        Ok(person.map(|person| {
            let user = User::new(person.name, login.number, login.moment);
            if person.is_administrator {
                user
            } else {
                user.scopes(OWN)
            }
        }))
    }

    async fn login(&self, request: &Parts, pending: PendingRequest) -> Outcome<Response> {
        pages::login_for(pages::session(request)?, &pending).await
    }

    async fn consent(&self, request: &Parts, prompt: ConsentPrompt) -> Outcome<Consent> {
        let page = pages::consent(pages::session(request)?, &prompt).await?;
        Ok(Consent::Ask(page))
    }

    /// False once the user is deleted, or is no longer an administrator and the client has a scope that only
    /// administrators can grant. The client must then request authorization again, with fewer scopes.
    async fn still_permits(&self, subject: &str, scopes: &Scopes) -> Outcome<bool> {
        let person = self.find(subject).await?;
        let mut scopes = scopes.iter();
        Ok(person.is_some_and(|person| {
            person.is_administrator || scopes.all(|scope| OWN.contains(&scope))
        }))
    }
}

/// Limit of concurrent hash computations: each takes 19 MiB, and too many could exhaust the memory.
static AT_ONCE: Semaphore = Semaphore::const_new(4);

/// Hashes a password. Hashing is slow on purpose, so it runs on a thread for blocking work.
pub async fn hash(password: String) -> Outcome<String> {
    let _turn = AT_ONCE.acquire().await?;
    let hash = spawn_blocking(move || Argon2::default().hash_password(password.as_bytes()));
    Ok(hash.await??.to_string())
}
