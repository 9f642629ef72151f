use std::fmt;

use resource_runtime::authorization::Scopes;

use crate::store::{ClientKind, ClientRow};

/// A client that was registered, with the secret that is told only now.
#[derive(Clone)]
pub struct AddedClient {
    pub(super) id: String,
    pub(super) secret: Option<String>,
}

impl AddedClient {
    /// The id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The secret of a confidential client. It is stored nowhere: whoever loses it registers the
    /// client anew.
    #[must_use]
    pub fn secret(&self) -> Option<&str> {
        self.secret.as_deref()
    }
}

/// Without the secret.
impl fmt::Debug for AddedClient {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("AddedClient")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// A registered client, as a list of them shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientSummary {
    id: String,
    name: String,
    is_confidential: bool,
    is_disabled: bool,
    redirect_uris: Vec<String>,
    scopes: Scopes,
}

impl ClientSummary {
    /// The id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What users know it by.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it has a secret.
    #[must_use]
    pub const fn is_confidential(&self) -> bool {
        self.is_confidential
    }

    /// Whether it was disabled.
    #[must_use]
    pub const fn is_disabled(&self) -> bool {
        self.is_disabled
    }

    /// Where users may be sent back to.
    #[must_use]
    pub fn redirect_uris(&self) -> &[String] {
        &self.redirect_uris
    }

    /// What it may ask for.
    #[must_use]
    pub const fn scopes(&self) -> &Scopes {
        &self.scopes
    }
}

impl From<ClientRow> for ClientSummary {
    fn from(row: ClientRow) -> Self {
        Self {
            is_confidential: row.kind == ClientKind::Confidential,
            is_disabled: row.disabled_at.is_some(),
            redirect_uris: row.redirect_uris.iter().map(str::to_owned).collect(),
            scopes: row.scopes.scopes(),
            id: row.id,
            name: row.name,
        }
    }
}
