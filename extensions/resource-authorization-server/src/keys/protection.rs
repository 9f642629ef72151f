use resource_oauth2::issuing::{SealingKey, SigningKey};

use crate::store::KeyRow;

/// How private keys are kept in the database.
pub(crate) enum Protection {
    /// Sealed: whoever reads or writes the database alone cannot sign, though who writes it has us
    /// sign for the rows that they insert.
    Sealed(SealingKey),
    /// As they are, for development.
    None,
}

impl Protection {
    /// What is stored of a private key, and whether that is sealed.
    pub(super) fn protect(&self, kid: &str, private: Vec<u8>) -> Result<(Vec<u8>, bool), String> {
        match self {
            Self::Sealed(sealing) => Ok((sealing.seal(kid, &private)?, true)),
            Self::None => Ok((private, false)),
        }
    }

    /// Why keys that are kept so and the key of a row do not go together.
    pub(super) fn mistake_of(&self, row: &KeyRow) -> Option<String> {
        let kid = &row.kid;
        match (self, row.is_sealed) {
            (Self::Sealed(_), true) | (Self::None, false) => None,
            (Self::Sealed(_), false) => Some(format!(
                "the key `{kid}` is not sealed, so whoever wrote to the database may have made \
                 it; delete its row in `oauth_key`: a sealed key takes its place, and the tokens \
                 that it signed are refused"
            )),
            (Self::None, true) => Some(format!(
                "the key `{kid}` is sealed; configure its sealing key with `.sealing_key(…)`"
            )),
        }
    }

    /// The private key of a row.
    pub(super) fn open(&self, row: &KeyRow) -> Result<SigningKey, String> {
        if let Some(problem) = self.mistake_of(row) {
            return Err(problem);
        }
        let kid = &row.kid;
        let opened = match self {
            Self::None => row.private_key.clone(),
            Self::Sealed(sealing) => sealing.open(kid, &row.private_key).ok_or_else(|| {
                format!("the key `{kid}` was sealed with another sealing key; configure that one")
            })?,
        };
        let key = SigningKey::of_stored(&opened);
        key.ok_or_else(|| format!("the key `{kid}` is no key for ES256"))
    }

    /// Whether the key of a row has its turn among ours: not where anybody could have written it.
    pub(super) const fn admits(&self, row: &KeyRow) -> bool {
        row.is_sealed || self.believes_rows()
    }

    /// Whether a public key is believed that stands beside a private key which cannot be opened.
    /// Where keys are sealed only the seal tells who made them.
    pub(super) const fn believes_rows(&self) -> bool {
        matches!(self, Self::None)
    }
}
