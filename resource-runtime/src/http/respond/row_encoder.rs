//! The encoder of rows as JSON objects or lines of CSV, which prepares the bytes before each value once.

use resource_model::error::DatabaseResult;
use resource_model::query::{Elements, Selection};
use resource_model::schema::{Attribute, Kind, ResourceDefinition};
use resource_model::value::ValueRef;

use super::csv;
use super::item_writer::ElementEncoder;
use crate::hooks::Formatter;
use crate::json;
use crate::store::Row;

/// Encodes rows as JSON objects: it holds the bytes before each value, in the order of the statement's columns.
/// The encoder of all attributes is made once for each resource.
#[derive(Debug, Clone)]
pub(crate) struct RowEncoder {
    item: Object,
    expansions: Vec<Nested>,
    /// The first line of CSV; none where rows become JSON.
    header: Option<Box<[u8]>>,
    pub(super) elements: Option<Box<ElementEncoder>>,
}

/// The format hooks that see the items of a response, where their resources have one.
#[derive(Debug, Default)]
pub(crate) struct Formatters {
    pub(crate) item: Option<Formatter>,
    /// A formatter for each subresource of the definition, where that has a hook.
    pub(crate) subresources: Vec<Option<Formatter>>,
    /// The formatter of the items of the collection.
    pub(crate) elements: Option<Formatter>,
}

/// The members of an object, appended with a comma before each.
#[derive(Debug, Clone)]
pub(super) enum Object {
    /// Columns that follow each other.
    Plain(Vec<Member>),
    /// Columns that a format hook sees as a whole, before the members are written that the client asked for
    /// and the hook left in place.
    Formatted {
        attributes: &'static [Attribute],
        /// The members that are shown, each with its attribute's index.
        members: Vec<(usize, Member)>,
        formatter: Formatter,
    },
}

/// A column: the bytes before its value, and its kind.
#[derive(Debug, Clone)]
pub(super) struct Member {
    key: Box<[u8]>,
    kind: Kind,
}

/// An expanded subresource. Its first column is null where the item has none.
#[derive(Debug, Clone)]
struct Nested {
    key: Box<[u8]>,
    object: Object,
}

impl RowEncoder {
    /// The encoder of rows that hold the columns of `selection`, without those of its collection.
    pub(crate) fn of(
        definition: &ResourceDefinition,
        selection: &Selection,
        formatters: &Formatters,
    ) -> Self {
        // Expansions come in the order in which the statement selects their columns.
        let expansions = selection.expansions.iter().filter_map(|expansion| {
            let subresource = definition.all_subresources().get(expansion.subresource)?;
            // A subresource has the hook of its own resource, wherever it is expanded.
            let formatter = formatters.subresources.get(expansion.subresource);
            let formatter = formatter.and_then(Option::as_ref);
            Some(Nested {
                key: key(subresource.name()),
                object: Object::of(subresource.target(), &expansion.attributes, formatter),
            })
        });
        Self {
            expansions: expansions.collect(),
            item: Object::of(definition, &selection.attributes, formatters.item.as_ref()),
            header: None,
            elements: None,
        }
    }

    /// The encoder of the same rows, which show an item of a collection from `column` on; `list` is the path of their list.
    pub(crate) fn with_elements(
        mut self,
        elements: &Elements,
        formatters: &Formatters,
        list: String,
        column: usize,
    ) -> Self {
        let formatter = formatters.elements.as_ref();
        let elements = ElementEncoder::new(elements, formatter, list, column);
        self.elements = Some(Box::new(elements));
        self
    }

    /// The encoder of the same rows as lines of CSV, all of which have the columns of the header.
    pub(crate) fn into_csv(self, definition: &ResourceDefinition, selection: &Selection) -> Self {
        let own = selection.attributes.iter();
        let mut names: Vec<String> = own.map(|it| it.name().to_owned()).collect();
        for expansion in &selection.expansions {
            let subresource = definition.all_subresources().get(expansion.subresource);
            let name = subresource.map_or("", |it| it.name());
            let within = expansion.attributes.iter();
            names.extend(within.map(|it| format!("{name}.{}", it.name())));
        }
        let header = names.join(",") + "\r\n";
        Self {
            header: Some(header.into_bytes().into()),
            ..self
        }
    }

    /// Number of columns that a row is read from; the values of its place follow after them.
    pub(crate) fn width(&self) -> usize {
        let nested = self.expansions.iter().map(|it| 1 + it.object.width());
        self.item.width() + nested.sum::<usize>()
    }

    /// The line before those of the rows.
    pub(super) fn header(&self) -> &[u8] {
        self.header.as_deref().unwrap_or_default()
    }

    /// Tests whether no hook formats any part of the row.
    pub(super) fn is_plain(&self) -> bool {
        let expanded = self.expansions.iter().map(|nested| &nested.object);
        let elements = self.elements.iter().map(|elements| elements.object());
        let mut objects = expanded.chain(elements).chain([&self.item]);
        objects.all(|object| matches!(object, Object::Plain(_)))
    }

    /// Appends `row` as a JSON object without its collection, or as a line of CSV.
    pub(super) fn write(&self, row: &dyn Row, bytes: &mut Vec<u8>) -> DatabaseResult<()> {
        let start = bytes.len();
        let notation = match self.header {
            None => Notation::Json,
            Some(_) => Notation::Csv,
        };
        self.item.write(row, 0, notation, bytes)?;
        let mut column = self.item.width();
        for nested in &self.expansions {
            column = nested.write(row, column, notation, bytes)?;
        }
        // Closed last, since expansions are members of the same object.
        notation.close(bytes, start);
        Ok(())
    }
}

impl Object {
    pub(super) fn of(
        definition: &ResourceDefinition,
        attributes: &[&'static Attribute],
        formatter: Option<&Formatter>,
    ) -> Self {
        match formatter {
            // An object that shows nothing has no columns that a hook could see.
            Some(formatter) if !attributes.is_empty() => {
                let places = definition.all_attributes().iter().enumerate();
                let shown = places.filter(|(_, attribute)| {
                    attributes.iter().any(|it| it.name() == attribute.name())
                });
                let members = shown.map(|(index, attribute)| (index, Member::of(attribute)));
                Self::Formatted {
                    attributes: definition.all_attributes(),
                    members: members.collect(),
                    formatter: formatter.clone(),
                }
            }
            _ => Self::Plain(attributes.iter().map(|it| Member::of(it)).collect()),
        }
    }

    /// Appends the members from `column` on.
    pub(super) fn write(
        &self,
        row: &dyn Row,
        column: usize,
        notation: Notation,
        bytes: &mut Vec<u8>,
    ) -> DatabaseResult<()> {
        match self {
            Self::Plain(members) => {
                // Columns stand in the row in the order of the members, so no name is looked up.
                for (offset, member) in members.iter().enumerate() {
                    member.write(row.value(column + offset)?, notation, bytes)?;
                }
            }
            Self::Formatted {
                attributes,
                members,
                formatter,
            } => {
                // The hook gets a copy of the row, in which every column of the resource was read.
                let shown = formatter.format(row.record(column, attributes)?)?;
                for (index, member) in members {
                    // A member that the hook has cleared is left out; a line of CSV keeps its place.
                    match (shown.get(*index), notation) {
                        (Some(value), _) => member.write(value.lend(), notation, bytes)?,
                        (None, Notation::Csv) => bytes.push(b','),
                        (None, Notation::Json) => {}
                    }
                }
            }
        }
        Ok(())
    }

    /// Number of members that are shown.
    fn shown(&self) -> usize {
        match self {
            Self::Plain(members) => members.len(),
            Self::Formatted { members, .. } => members.len(),
        }
    }

    /// Number of columns that the object is read from.
    pub(super) fn width(&self) -> usize {
        match self {
            Self::Plain(members) => members.len(),
            Self::Formatted { attributes, .. } => attributes.len(),
        }
    }
}

impl Member {
    fn of(attribute: &Attribute) -> Self {
        Self {
            key: key(attribute.name()),
            kind: attribute.kind(),
        }
    }

    fn write(
        &self,
        value: ValueRef<'_>,
        notation: Notation,
        bytes: &mut Vec<u8>,
    ) -> DatabaseResult<()> {
        if notation == Notation::Csv {
            csv::write(value, self.kind, bytes)?;
            bytes.push(b',');
            return Ok(());
        }
        bytes.extend_from_slice(&self.key);
        json::write(value, self.kind, bytes)
    }
}

impl Nested {
    fn write(
        &self,
        row: &dyn Row,
        column: usize,
        notation: Notation,
        bytes: &mut Vec<u8>,
    ) -> DatabaseResult<usize> {
        let first = column + 1;
        // The first column is one that the `LEFT JOIN` compares, so it is null only where nothing was joined.
        let is_missing = row.value(column)? == ValueRef::Null;
        match (notation, is_missing) {
            (Notation::Json, true) => {
                bytes.extend_from_slice(&self.key);
                bytes.extend_from_slice(b"null");
            }
            (Notation::Json, false) => {
                bytes.extend_from_slice(&self.key);
                let start = bytes.len();
                self.object.write(row, first, notation, bytes)?;
                notation.close(bytes, start);
            }
            // Its fields keep their places in the line, all of them empty.
            (Notation::Csv, true) => bytes.resize(bytes.len() + self.object.shown(), b','),
            (Notation::Csv, false) => self.object.write(row, first, notation, bytes)?,
        }
        // A missing subresource has its columns in the row, too; they are skipped.
        Ok(first + self.object.width())
    }
}

/// The notation of a row: an object with a comma before each member, or a line with a comma behind each field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    Json,
    Csv,
}

impl Notation {
    /// Makes an object of the members from `start` on, where the comma before the first becomes its brace, or a line of the
    /// fields, where the comma behind the last becomes the line break.
    pub(super) fn close(self, bytes: &mut Vec<u8>, start: usize) {
        match self {
            Self::Json => {
                match bytes.get_mut(start) {
                    Some(comma) => *comma = b'{',
                    // An object without members has no comma to replace.
                    None => bytes.push(b'{'),
                }
                bytes.push(b'}');
            }
            Self::Csv => {
                // A line without fields has no comma to remove.
                bytes.truncate(bytes.len().saturating_sub(1).max(start));
                bytes.extend_from_slice(b"\r\n");
            }
        }
    }
}

/// The bytes `,"name":`. Names hold neither quotes nor backslashes: the derive refuses them.
pub(super) fn key(name: &str) -> Box<[u8]> {
    [",\"", name, "\":"].concat().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use resource_model::error::DatabaseResult;
    use resource_model::schema::{Attribute, ResourceDefinition, Version};
    use resource_model::value::ValueRef;

    use super::{Formatters, RowEncoder, Selection};
    use crate::authorization::View;
    use crate::store::Row;

    struct Fixed(Vec<ValueRef<'static>>);

    impl Row for Fixed {
        fn value(&self, index: usize) -> DatabaseResult<ValueRef<'_>> {
            Ok(self.0[index])
        }
    }

    #[test]
    fn a_row_is_written_by_kind_without_hidden_attributes() {
        const ATTRIBUTES: &[Attribute] = &[
            Attribute::of::<i64>("id").primary_key(),
            Attribute::of::<String>("password").write_only(),
            Attribute::of::<Option<String>>("name"),
            Attribute::of::<bool>("active"),
            Attribute::of::<f64>("share"),
        ];
        let definition =
            ResourceDefinition::new("User", "users", Version::new(1, 0)).attributes(ATTRIBUTES);
        let row = Fixed(vec![
            ValueRef::Integer(i64::MIN),
            ValueRef::Text("a\"\\\n\u{1}ü🦀"),
            ValueRef::Integer(1),
            ValueRef::Real(1.0),
        ]);
        let mut bytes = Vec::new();
        RowEncoder::of(
            &definition,
            &Selection::all(View::unrestricted(&definition)),
            &Formatters::default(),
        )
        .write(&row, &mut bytes)
        .unwrap();
        assert_eq!(
            String::from_utf8(bytes).unwrap(),
            "{\"id\":-9223372036854775808,\"name\":\"a\\\"\\\\\\n\\u0001ü🦀\",\
             \"active\":true,\"share\":1.0}"
        );
    }

    #[test]
    fn a_value_of_another_kind_is_a_failure_not_a_guess() {
        const ATTRIBUTES: &[Attribute] = &[Attribute::of::<bool>("active")];
        let definition =
            ResourceDefinition::new("User", "users", Version::new(1, 0)).attributes(ATTRIBUTES);
        let row = Fixed(vec![ValueRef::Text("yes")]);
        assert!(
            RowEncoder::of(
                &definition,
                &Selection::all(View::unrestricted(&definition)),
                &Formatters::default()
            )
            .write(&row, &mut Vec::new())
            .is_err()
        );
    }
}
