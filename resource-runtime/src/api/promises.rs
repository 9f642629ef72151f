//! The promises of an API to its clients, as the package `resource-lock` keeps and compares them.

use resource_model::error::Error;
use resource_model::registry::{Callers, Promises};
use resource_model::schema::evolution::{Flag, Flags};

use super::ApiBuilder;

/// The promises of an API: of each version that is served, and of its settings.
#[derive(Debug)]
pub struct ApiPromises {
    /// The promises of each version.
    pub versions: Vec<Promises>,
    /// The path before the versions.
    pub root: String,
    /// True where scopes and owners are enforced.
    pub is_guarded: bool,
    /// The facts that the settings make hold for each version.
    pub flags: Flags,
    /// The greatest `offset`, where there is one.
    pub max_offset: Option<u64>,
    /// The default and the greatest number of items of a collection.
    pub collection_sizes: (u32, u32),
}

impl ApiBuilder {
    /// The promises of the API, without any database.
    ///
    /// # Errors
    ///
    /// The mistakes that [`build`](Self::build) would return, save a missing authenticator.
    #[doc(hidden)]
    pub fn promises(&self) -> Result<ApiPromises, Error> {
        let checked = self.checked(Callers::Unknown)?;
        let settings = &self.settings;
        let max_offset = settings.pages.max_offset;
        Ok(ApiPromises {
            versions: Promises::of_all(&checked.registrations, settings.max_limit),
            root: settings.root.clone(),
            is_guarded: settings.is_guarded() || self.needs_authenticator(),
            flags: Flags::default()
                .and(Flag::IfMatch, settings.requires_if_match)
                .and(Flag::CountNone, settings.pages.may_be_uncounted)
                .and(Flag::Idempotency, settings.idempotency.is_some()),
            // The greatest offset of a database is no limit of the API.
            max_offset: i64::try_from(max_offset)
                .is_ok_and(|it| it < i64::MAX)
                .then_some(max_offset),
            collection_sizes: settings.query_limits.collection_sizes(settings.max_limit),
        })
    }

    /// Shows this Markdown at `/docs/changes`, beside the other pages; an error is one of [`build`](Self::build).
    #[cfg(feature = "docs")]
    #[doc(hidden)]
    pub fn changes(mut self, markdown: Result<String, Error>) -> Self {
        self.settings.changes = Some(markdown);
        self
    }
}
