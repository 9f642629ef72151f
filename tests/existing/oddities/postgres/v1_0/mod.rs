//! The tables of the database in version 1.0 of the API.
#![allow(
    missing_docs,
    reason = "fields say what the comments of their columns say"
)]

pub mod ages;
pub mod choices;
pub mod open_accounts;
pub mod options;
pub mod weird_accounts;

use resource_runtime::ApiBuilder;

pub use ages::Age;
pub use choices::Choice;
pub use open_accounts::OpenAccount;
pub use options::Option2;
pub use weird_accounts::WeirdAccount;

/// Registers all resources of version 1.0.
pub fn register(api: ApiBuilder) -> ApiBuilder {
    api.resource::<WeirdAccount>()
        .resource::<Age>()
        .resource::<Choice>()
        .resource::<OpenAccount>()
        .resource::<Option2>()
}
