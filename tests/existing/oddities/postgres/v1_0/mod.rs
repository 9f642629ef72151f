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
pub mod coded;
pub mod codes;
pub mod r#gen;
pub mod matches;
pub mod measures;
pub mod open_accounts;
pub mod options;
pub mod part_notes;
pub mod parts;
pub mod repeated;
pub mod resource_runtime_2;
pub mod states;
pub mod teams;
pub mod tolls;
pub mod transfers;
pub mod weird_accounts;

use resource_runtime::ApiBuilder;

pub use accounts::Account;
pub use ages::Age;
pub use r#box::Box;
pub use choices::Choice;
pub use coded::Coded;
pub use codes::Code;
pub use r#gen::Gen;
pub use matches::Match;
pub use measures::Measure;
pub use open_accounts::OpenAccount;
pub use options::Option2;
pub use part_notes::PartNote;
pub use parts::Part;
pub use repeated::Repeated;
pub use resource_runtime_2::ResourceRuntime2;
pub use states::State;
pub use teams::Team;
pub use tolls::Toll;
pub use transfers::Transfer;
pub use weird_accounts::WeirdAccount;

/// Registers all resources of version 1.0.
pub fn register(api: ApiBuilder) -> ApiBuilder {
    api.resource::<Account>()
        .resource::<Age>()
        .resource::<Box>()
        .resource::<Choice>()
        .resource::<Code>()
        .resource::<Coded>()
        .resource::<Gen>()
        .resource::<Match>()
        .resource::<Measure>()
        .resource::<OpenAccount>()
        .resource::<Option2>()
        .resource::<Part>()
        .resource::<PartNote>()
        .resource::<Repeated>()
        .resource::<ResourceRuntime2>()
        .resource::<State>()
        .resource::<Team>()
        .resource::<Toll>()
        .resource::<Transfer>()
        .resource::<WeirdAccount>()
}
