//! The tables of the database in version 1.0 of the API.
#![allow(
    missing_docs,
    clippy::enum_variant_names,
    reason = "names and comments are those of the database"
)]

pub mod accounts;
pub mod ages;
pub mod r#box;
pub mod choices;
pub mod r#gen;
pub mod open_accounts;
pub mod options;
pub mod repeated;
pub mod resource_runtime_2;
pub mod states;
pub mod transfers;
pub mod weird_accounts;

use resource_runtime::ApiBuilder;

pub use accounts::Account;
pub use ages::Age;
pub use r#box::Box;
pub use choices::Choice;
pub use r#gen::Gen;
pub use open_accounts::OpenAccount;
pub use options::Option2;
pub use repeated::Repeated;
pub use resource_runtime_2::ResourceRuntime2;
pub use states::State;
pub use transfers::Transfer;
pub use weird_accounts::WeirdAccount;

/// Registers all resources of version 1.0.
pub fn register(api: ApiBuilder) -> ApiBuilder {
    api.resource::<Account>()
        .resource::<Age>()
        .resource::<Box>()
        .resource::<Choice>()
        .resource::<Gen>()
        .resource::<OpenAccount>()
        .resource::<Option2>()
        .resource::<Repeated>()
        .resource::<ResourceRuntime2>()
        .resource::<State>()
        .resource::<Transfer>()
        .resource::<WeirdAccount>()
}
