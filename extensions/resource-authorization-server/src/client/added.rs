//! Clients as the host sees them: just registered, or in a list.

use std::fmt;

use resource_runtime::authorization::Scopes;

use crate::store::{ClientKind, ClientRow};

/// A client that was just registered, with its secret, which can be read only now.
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

    /// The secret of a confidential client. The database holds its digest alone: if it is lost, replace the client
    /// with `put_client`.
    #[must_use]
    pub fn secret(&self) -> Option<&str> {
        self.secret.as_deref()
    }
}

/// Leaves out the secret.
impl fmt::Debug for AddedClient {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("AddedClient")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// A registered client in a list.
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

    /// The name that users know it by.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Tells that the client has a secret.
    #[must_use]
    pub const fn is_confidential(&self) -> bool {
        self.is_confidential
    }

    /// Tells that the client was disabled.
    #[must_use]
    pub const fn is_disabled(&self) -> bool {
        self.is_disabled
    }

    /// The redirect URIs: addresses that users may be sent back to.
    #[must_use]
    pub fn redirect_uris(&self) -> &[String] {
        &self.redirect_uris
    }

    /// The scopes that it may request.
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
