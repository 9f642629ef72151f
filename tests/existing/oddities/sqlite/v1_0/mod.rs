//! The tables of the database in version 1.0 of the API.
#![allow(
    missing_docs,
    reason = "fields say what the comments of their columns say"
)]

pub mod active_users;
pub mod ages;
pub mod choices;
pub mod options;
pub mod replaced;
pub mod r#type;
pub mod users;

use resource_runtime::ApiBuilder;

pub use active_users::ActiveUser;
pub use ages::Age;
pub use choices::Choice;
pub use options::Option2;
pub use replaced::Replaced;
pub use r#type::Type;
pub use users::User;

/// Registers all resources of version 1.0.
pub fn register(api: ApiBuilder) -> ApiBuilder {
    api.resource::<ActiveUser>()
        .resource::<Age>()
        .resource::<Choice>()
        .resource::<Option2>()
        .resource::<Replaced>()
        .resource::<Type>()
        .resource::<User>()
}
