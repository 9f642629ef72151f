use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// `serde_json` takes an object of this one name for JSON that is written in a string.
const RAW_VALUE: &str = "$serde_json::private::RawValue";

/// JSON that a parsed value shows as it was sent, and that every database keeps. It is read before
/// the value is, which no longer tells a member that was named twice.
pub(super) struct Storable;

impl<'de> Deserialize<'de> for Storable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for Storable {
    type Value = Self;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self, E> {
        // PostgreSQL cannot store it.
        if text.contains('\0') {
            return Err(E::custom("must not hold the character U+0000"));
        }
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut members: A) -> Result<Self, A::Error> {
        while let Some(Self) = members.next_element()? {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self, A::Error> {
        let mut names = HashSet::new();
        while let Some(name) = members.next_key::<String>()? {
            Self.visit_str(&name)?;
            if name == RAW_VALUE {
                let message = format!("must not hold the name `{RAW_VALUE}`, which is reserved");
                return Err(A::Error::custom(message));
            }
            if !names.insert(name) {
                return Err(A::Error::custom(
                    "must not name a member of an object twice",
                ));
            }
            let Self = members.next_value()?;
        }
        Ok(self)
    }
}
