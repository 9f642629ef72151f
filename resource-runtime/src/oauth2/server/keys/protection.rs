use super::super::store::KeyRow;
use crate::oauth2::crypto::{SealingKey, SigningKey};

/// How private keys are kept in the database.
pub(in crate::oauth2::server) enum Protection {
    /// Sealed: whoever reads the database alone cannot sign.
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

    /// The private key of a row.
    pub(super) fn open(&self, row: &KeyRow) -> Result<SigningKey, String> {
        let kid = &row.kid;
        let opened = match self {
            _ if !row.is_sealed => row.private_key.clone(),
            Self::Sealed(sealing) => sealing.open(kid, &row.private_key).ok_or_else(|| {
                format!("the key `{kid}` was sealed with another sealing key; configure that one")
            })?,
            Self::None => {
                return Err(format!(
                    "the key `{kid}` is sealed; configure its sealing key with `.sealing_key(…)`"
                ));
            }
        };
        let key = SigningKey::of_stored(&opened);
        key.ok_or_else(|| format!("the key `{kid}` is no key for ES256"))
    }
}
