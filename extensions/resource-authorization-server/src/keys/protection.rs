//! Protection of private keys in the database.

use resource_oauth2::issuing::{SealingKey, SigningKey};

use crate::store::KeyRow;

/// Form of the private keys in the database.
pub(crate) enum Protection {
    /// Sealed: access to the database alone does not let anybody sign. Write access still lets them
    /// insert grants and codes, for which this server then signs tokens.
    Sealed(SealingKey),
    /// Unsealed, for development.
    None,
}

impl Protection {
    /// The stored form of a private key, and whether it is sealed.
    pub(super) fn protect(&self, kid: &str, private: Vec<u8>) -> Result<(Vec<u8>, bool), String> {
        match self {
            Self::Sealed(sealing) => Ok((sealing.seal(kid, &private)?, true)),
            Self::None => Ok((private, false)),
        }
    }

    /// The problem of a row whose form is not the configured one.
    pub(super) fn mismatch(&self, row: &KeyRow) -> Option<String> {
        let kid = &row.kid;
        match (self, row.is_sealed) {
            (Self::Sealed(_), true) | (Self::None, false) => None,
            (Self::Sealed(_), false) => Some(format!(
                "the key `{kid}` is not sealed, so whoever wrote to the database may have made \
                 it; delete its row in `oauth_key` and restart: if no other key is left, a sealed \
                 one is added. Tokens of the deleted key are refused"
            )),
            (Self::None, true) => Some(format!(
                "the key `{kid}` is sealed; configure its sealing key with `.sealing_key(…)`"
            )),
        }
    }

    /// The private key of a row.
    pub(super) fn open(&self, row: &KeyRow) -> Result<SigningKey, String> {
        // An unsealed key beside a sealing key could be anybody's, so it is not even opened.
        if let Some(problem) = self.mismatch(row) {
            return Err(problem);
        }
        let kid = &row.kid;
        let opened = match self {
            Self::None => row.private_key.clone(),
            Self::Sealed(sealing) => sealing.open(kid, &row.private_key).ok_or_else(|| {
                format!("the key `{kid}` was sealed with another sealing key; configure that one")
            })?,
        };
        // The algorithm of the row is not consulted: parsing accepts keys for ES256 alone.
        let key = SigningKey::of_stored(&opened);
        key.ok_or_else(|| format!("the key `{kid}` is no key for ES256"))
    }

    /// Tests that a row may be in the ring. With a sealing key an unsealed row may not: whoever
    /// writes to the database could have inserted it.
    pub(super) const fn admits(&self, row: &KeyRow) -> bool {
        row.is_sealed || self.trusts_rows()
    }

    /// Tests that the public key of a row is trusted when its private key cannot be opened. With a
    /// sealing key it is not: only the seal proves the origin of a row.
    pub(super) const fn trusts_rows(&self) -> bool {
        matches!(self, Self::None)
    }
}
