//! Rows: their attributes, the kinds of these, and their values.

use serde_json::{Value, json};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The number of an item or of a hub.
    Key,
    Small,
    Medium,
    Large,
    Real,
    Boolean,
    Text,
}

/// The attributes of a hub, and whether they may be null.
pub(super) const HUB: [(&str, Kind, bool); 6] = [
    ("id", Kind::Key, false),
    ("label", Kind::Text, false),
    ("note", Kind::Text, true),
    ("size", Kind::Large, true),
    ("weight", Kind::Real, false),
    ("open", Kind::Boolean, true),
];

/// The attributes of an item, and whether they may be null.
pub(super) const ITEM: [(&str, Kind, bool); 13] = [
    ("id", Kind::Key, false),
    ("small", Kind::Small, true),
    ("count", Kind::Medium, false),
    ("large", Kind::Large, true),
    ("real", Kind::Real, true),
    ("ratio", Kind::Real, false),
    ("flag", Kind::Boolean, true),
    ("sure", Kind::Boolean, false),
    ("name", Kind::Text, false),
    ("note", Kind::Text, true),
    ("hub_id", Kind::Key, true),
    ("spare_id", Kind::Key, true),
    ("root_id", Kind::Key, true),
];

/// The place of the attribute of an item that refers to another item.
pub(super) const ROOT: usize = 12;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Datum {
    Null,
    Integer(i64),
    Real(f64),
    Boolean(bool),
    Text(String),
}

impl Datum {
    pub(super) fn json(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Integer(integer) => json!(integer),
            Self::Real(real) => json!(real),
            Self::Boolean(boolean) => json!(boolean),
            Self::Text(text) => json!(text),
        }
    }
}

/// An attribute by its place in [`ITEM`], or by its place in [`HUB`] through a subresource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Path {
    Own(usize),
    Hub(usize),
    Spare(usize),
}

impl Path {
    pub(super) fn text(self) -> String {
        match self {
            Self::Own(index) => ITEM[index].0.to_owned(),
            Self::Hub(index) => format!("hub.{}", HUB[index].0),
            Self::Spare(index) => format!("spare.{}", HUB[index].0),
        }
    }

    pub(super) fn kind(self) -> Kind {
        match self {
            Self::Own(index) => ITEM[index].1,
            Self::Hub(index) | Self::Spare(index) => HUB[index].1,
        }
    }
}
