//! The resource of users, whose contacts are checked and whose passwords are stored as hashes.

use argon2::Argon2;
use argon2::password_hash::PasswordHasher;
use resource_runtime::{
    ApiResource, HookResult, Item, Messages, RequestContext, Validator, WriteContext,
};
use tokio::task::spawn_blocking;

/// A user who writes notes.
#[derive(Clone, ApiResource)]
#[resource(name = "User", url = "/users", version = "1.0")]
#[resource(validator = UserValidator, redacts(password))]
pub struct User {
    /// Assigned by the database.
    pub id: i64,
    /// The name to sign in with.
    #[resource(min_length = 1, max_length = 50, unique, example = "ann")]
    pub username: String,
    /// The e-mail address.
    #[resource(example = "ann@example.org")]
    pub email: String,
    /// The phone number, with the country code.
    #[resource(example = "+4930123456")]
    pub phone: Option<String>,
    /// Sent by clients, stored as a hash, and never returned.
    #[resource(min_length = 1)]
    pub password: String,
}

/// Checks contacts, stores passwords as hashes, and hides them from every client.
#[derive(Debug, Default)]
pub struct UserValidator;

impl Validator<User> for UserValidator {
    async fn validate(
        &self,
        user: &User,
        _: &mut WriteContext<'_, User>,
        messages: &mut Messages<User>,
    ) -> HookResult {
        if !self.is_email(&user.email) {
            messages.about(
                User::EMAIL,
                "must be an e-mail address like ann@example.org",
            );
        }
        if let Some(phone) = &user.phone
            && !self.is_phone_number(phone)
        {
            messages.about(User::PHONE, "must be a phone number like +4930123456");
        }
        Ok(())
    }

    async fn before_create(&self, user: &mut User, _: &mut WriteContext<'_, User>) -> HookResult {
        hash_password(user).await
    }

    async fn before_update(
        &self,
        user: &mut User,
        context: &mut WriteContext<'_, User>,
    ) -> HookResult {
        // Without a new password, the field holds the stored hash, which must not be hashed again.
        if context.changes(User::PASSWORD) {
            hash_password(user).await?;
        }
        Ok(())
    }

    fn format(&self, user: &mut Item<User>, _: &RequestContext) {
        user.clear(User::PASSWORD);
    }
}

/// Replaces a password by its hash. Hashing is slow on purpose, so it runs on a thread for blocking work.
async fn hash_password(user: &mut User) -> HookResult {
    let password = std::mem::take(&mut user.password);
    let hash = spawn_blocking(move || Argon2::default().hash_password(password.as_bytes()));
    user.password = hash.await??.to_string();
    Ok(())
}
