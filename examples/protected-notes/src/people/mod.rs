//! The users of the service, in a separate table that no client can access.

mod owner;
mod password;

use resource_runtime::{Api, ApiResource, Database, Error};

use crate::Outcome;
pub use owner::Owner;

/// A user who can log in.
#[derive(Clone, ApiResource)]
#[resource(name = "Person", url = "/people", version = "1.0")]
pub struct Person {
    /// The subject of the user's tokens, which never changes, and is never given to another user.
    #[resource(primary_key, assigned, max_length = 50)]
    pub name: String,
    /// An argon2 hash.
    password_hash: String,
    /// True if the user can let clients read and change the notes of all users.
    pub is_administrator: bool,
}

/// A user to add.
pub struct NewPerson {
    pub name: &'static str,
    pub password: String,
    pub is_administrator: bool,
}

/// The table of users.
pub struct People {
    database: Database,
    /// The hash that a password is compared with if the name is unknown.
    nobodys_hash: String,
}

impl People {
    pub async fn open(database: Database) -> Outcome<Self> {
        // This API creates and checks the table; it is never served.
        let table = Api::builder()
            .resource::<Person>()
            .build(database.clone())?;
        table.create_missing_tables().await?;
        table.check_schema().await?;
        let nobodys_hash = password::hash(crate::random::text::<12>()?).await?;
        Ok(Self {
            database,
            nobodys_hash,
        })
    }

    pub async fn find(&self, name: &str) -> Result<Option<Person>, Error> {
        if !is_name(name) {
            return Ok(None);
        }
        let mut transaction = self.database.begin().await?;
        Ok(transaction.get(&name.to_owned()).await?)
    }

    /// The user with this name and this password. An unknown name takes as long as a wrong password, so that
    /// the response time does not reveal the existing names.
    pub async fn log_in(&self, name: &str, password: String) -> Outcome<Option<Person>> {
        let person = self.find(name).await?;
        let hash = person
            .as_ref()
            .map_or(&self.nobodys_hash, |it| &it.password_hash);
        let is_right = password::is_hashed(password, hash.clone()).await?;
        Ok(person.filter(|_| is_right))
    }

    /// Adds all of the users, or none.
    pub async fn add(&self, people: &[NewPerson]) -> Outcome {
        let mut rows = Vec::new();
        for person in people {
            rows.push(Person {
                name: person.name.to_owned(),
                password_hash: password::hash(person.password.clone()).await?,
                is_administrator: person.is_administrator,
            });
        }
        let mut transaction = self.database.begin().await?;
        for row in &rows {
            transaction.insert(row).await.map_err(Error::from)?;
        }
        Ok(transaction.commit().await?)
    }
}

/// True if a text can be a name: not every database can look up control characters.
fn is_name(text: &str) -> bool {
    !text.chars().any(char::is_control)
}
