//! The tables of the database in version 1.0 of the API.
#![allow(
    missing_docs,
    clippy::enum_variant_names,
    reason = "names and comments are those of the database"
)]

pub mod accounts;
pub mod active_users;
pub mod ages;
pub mod amounts;
pub mod r#box;
pub mod choices;
pub mod chrono;
pub mod coded;
pub mod codes;
pub mod errors;
pub mod r#gen;
pub mod loosened;
pub mod matches;
pub mod options;
pub mod repeated;
pub mod replaced;
pub mod resource_runtime_2;
pub mod std;
pub mod string;
pub mod sums;
pub mod teams;
pub mod transfers;
pub mod r#type;
pub mod user_page;
pub mod user_type;
pub mod users;
pub mod v1_0_2;
pub mod vec;
pub mod x_b;

use resource_runtime::ApiBuilder;

pub use accounts::Account;
pub use active_users::ActiveUser;
pub use ages::Age;
pub use amounts::Amount;
pub use r#box::Box;
pub use choices::Choice;
pub use chrono::Chrono;
pub use coded::Coded;
pub use codes::Code;
pub use errors::Error2;
pub use r#gen::Gen;
pub use loosened::Loosened;
pub use matches::Match;
pub use options::Option2;
pub use repeated::Repeated;
pub use replaced::Replaced;
pub use resource_runtime_2::ResourceRuntime2;
pub use std::Std;
pub use string::String2;
pub use sums::Sum;
pub use teams::Team;
pub use transfers::Transfer;
pub use r#type::Type;
pub use user_page::UserPage2;
pub use user_type::UserType2;
pub use users::User;
pub use v1_0_2::V102;
pub use vec::Vec2;
pub use x_b::XB;

/// Registers all resources of version 1.0.
pub fn register(api: ApiBuilder) -> ApiBuilder {
    api.resource::<Account>()
        .resource::<ActiveUser>()
        .resource::<Age>()
        .resource::<Amount>()
        .resource::<Box>()
        .resource::<Choice>()
        .resource::<Chrono>()
        .resource::<Code>()
        .resource::<Coded>()
        .resource::<Error2>()
        .resource::<Gen>()
        .resource::<Loosened>()
        .resource::<Match>()
        .resource::<Option2>()
        .resource::<Repeated>()
        .resource::<Replaced>()
        .resource::<ResourceRuntime2>()
        .resource::<Std>()
        .resource::<String2>()
        .resource::<Sum>()
        .resource::<Team>()
        .resource::<Transfer>()
        .resource::<Type>()
        .resource::<User>()
        .resource::<UserPage2>()
        .resource::<UserType2>()
        .resource::<V102>()
        .resource::<Vec2>()
        .resource::<XB>()
}
