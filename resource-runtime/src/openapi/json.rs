//! JSON values whose members keep their order.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

/// A JSON value whose members stand in the order in which they were added: people read it, and generated
/// code follows it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum Json {
    /// No value: a member without one is left out.
    Absent,
    Boolean(bool),
    Integer(i64),
    Real(f64),
    Text(Cow<'static, str>),
    Array(Vec<Json>),
    Object(Object),
    /// A value that was text.
    Parsed(serde_json::Value),
}

/// The members of an object.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Object(Vec<(Cow<'static, str>, Json)>);

/// An object with these members, in their order.
macro_rules! object {
    ($($name:tt: $value:expr),* $(,)?) => {
        $crate::openapi::json::Object::new()$(.with($name, $value))*
    };
}

pub(super) use object;

impl Object {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    /// A schema of this type.
    pub(super) fn of_type(name: &'static str) -> Self {
        object! { "type": name }
    }

    /// The same object, with one more member where there is a value.
    pub(super) fn with(
        mut self,
        name: impl Into<Cow<'static, str>>,
        value: impl Into<Json>,
    ) -> Self {
        match value.into() {
            Json::Absent => {}
            value => self.0.push((name.into(), value)),
        }
        self
    }

    /// The same object with the members of another behind its own.
    pub(super) fn and(mut self, other: Self) -> Self {
        // Names are not compared: the parts that are joined have none in common.
        self.0.extend(other.0);
        self
    }

    pub(super) fn members(&self) -> impl Iterator<Item = (&Cow<'static, str>, &Json)> {
        self.0.iter().map(|(name, value)| (name, value))
    }

    /// The values of all `$ref` members, at any depth.
    pub(super) fn references(&self) -> Vec<&str> {
        let members = self.members();
        let found = members.flat_map(|(name, value)| match value {
            // No attribute can have this name, so such a member is a reference within examples, too.
            Json::Text(text) if name == "$ref" => vec![&**text],
            value => value.references(),
        });
        found.collect()
    }
}

impl Json {
    /// The value as text.
    pub(super) fn written(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    fn references(&self) -> Vec<&str> {
        match self {
            // References are members of objects, at any depth of arrays and objects.
            Self::Object(object) => object.references(),
            Self::Array(items) => items.iter().flat_map(Self::references).collect(),
            _ => Vec::new(),
        }
    }
}

/// Conversions of types into the values that hold them.
macro_rules! from {
    ($($variant:ident($held:ty)),+) => {$(
        impl From<$held> for Json {
            fn from(held: $held) -> Self {
                Self::$variant(held.into())
            }
        }
    )+};
}

from!(Boolean(bool), Integer(i64), Integer(u32), Integer(u16));
from!(
    Text(&'static str),
    Text(String),
    Text(Cow<'static, str>),
    Object(Object)
);

impl<T: Into<Self>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Absent, Into::into)
    }
}

impl<T: Into<Self>> From<Vec<T>> for Json {
    fn from(items: Vec<T>) -> Self {
        items.into_iter().collect()
    }
}

impl<T: Into<Self>> FromIterator<T> for Json {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self::Array(items.into_iter().map(Into::into).collect())
    }
}

impl<N: Into<Cow<'static, str>>, V: Into<Json>> FromIterator<(N, V)> for Object {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(members: I) -> Self {
        let members = members.into_iter();
        members.fold(Self::new(), |all, (name, value)| all.with(name, value))
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Members are written one by one, because a map would sort them by name.
        serializer.collect_map(self.members())
    }
}

#[cfg(test)]
mod tests {
    use super::Json;

    #[test]
    fn members_stand_in_the_order_of_their_addition() {
        let items: Json = [Json::Integer(1), Json::Real(0.5), Json::from(true)]
            .into_iter()
            .collect();
        let object = object! { "type": "object", "maximum": None::<i64>, "enum": items };
        assert_eq!(
            serde_json::to_string(&object).unwrap(),
            r#"{"type":"object","enum":[1,0.5,true]}"#
        );
    }
}
