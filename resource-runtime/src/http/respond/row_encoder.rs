//! The encoder of rows as JSON objects or lines of CSV, which prepares the bytes before each value once.

use std::sync::Arc;

use resource_model::error::{DatabaseFailure, DatabaseResult};
use resource_model::query::{Elements, Selection};
use resource_model::schema::{Attribute, Identifier, Kind, ResourceDefinition, truncated};
use resource_model::value::{Key, ValueRef};

use super::csv;
use super::item_writer::ElementEncoder;
use crate::hooks::Formatter;
use crate::http::extract::Format;
use crate::json;
use crate::store::{Row, misfit};

/// Encodes rows as JSON objects: it holds the bytes before each value, in the order of the statement's columns.
/// The encoder of all attributes is made once for each resource.
#[derive(Debug, Clone)]
pub(crate) struct RowEncoder {
    item: Object,
    expansions: Vec<Nested>,
    pub(crate) format: Format,
    /// The text before the rows of a list.
    pub(super) header: String,
    pub(super) elements: Option<Arc<ElementEncoder>>,
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
pub(super) struct Object {
    table: Identifier,
    /// The members that are shown, each with the place of its column.
    members: Vec<(usize, Member)>,
    source: Source,
}

/// The values that the members of an object have.
#[derive(Debug, Clone)]
enum Source {
    /// Those of the row.
    Row,
    /// The same, each text with this many characters at most.
    Truncated(Vec<Option<u32>>),
    /// Those that the hook makes of these columns, which it sees as a whole and, where there are lengths, as above, before
    /// the members are written that it left in place.
    Formatter(Formatter, &'static [Attribute], Vec<Option<u32>>),
}

/// A row whose columns from this one on hold no more of texts than answers do: so many characters.
struct TruncatedRow<'row>(&'row dyn Row, usize, &'row [Option<u32>]);

impl Row for TruncatedRow<'_> {
    fn value(&self, index: usize) -> DatabaseResult<ValueRef<'_>> {
        let Self(row, first, lengths) = self;
        let length = index.checked_sub(*first).and_then(|it| lengths.get(it));
        let length = length.copied().flatten();
        Ok(match row.value(index)? {
            ValueRef::Text(text) => ValueRef::Text(truncated(text, length)),
            value => value,
        })
    }
}

/// A column: the bytes before its value, and its kind.
#[derive(Debug, Clone)]
pub(super) struct Member {
    key: Box<[u8]>,
    kind: Kind,
    attribute: &'static Attribute,
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
        format: Format,
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
            format,
            header: match format {
                Format::Csv => header(definition, selection),
                Format::Json => "{\"items\":[".to_owned(),
                Format::Ndjson => String::new(),
            },
            elements: None,
        }
    }

    /// The encoder of the same rows, which show an item of the collection of the `selection` behind their own columns;
    /// `list` is the path of all such items.
    pub(crate) fn with_elements(
        mut self,
        selection: &Selection,
        formatters: &Formatters,
        list: String,
    ) -> Self {
        let column = self.width() + selection.tagging.len();
        let formatter = formatters.elements.as_ref();
        let encoder = |it: &Elements| ElementEncoder::new(it, formatter, list, column);
        self.elements = selection.elements.as_deref().map(encoder).map(Arc::new);
        self
    }

    /// Number of columns that a row is read from; the values of its place follow after them.
    pub(crate) fn width(&self) -> usize {
        let nested = self.expansions.iter().map(|it| 1 + it.object.width());
        self.item.width() + nested.sum::<usize>()
    }

    /// Tests whether no hook formats any part of the row.
    pub(super) fn is_plain(&self) -> bool {
        let expanded = self.expansions.iter().map(|nested| &nested.object);
        let elements = self.elements.iter().map(|elements| &elements.object);
        let mut objects = expanded.chain(elements).chain([&self.item]);
        objects.all(|object| !matches!(object.source, Source::Formatter(..)))
    }

    /// Appends `row` as a JSON object without its collection, or as a line of CSV.
    pub(super) fn write(&self, row: &dyn Row, bytes: &mut Vec<u8>) -> DatabaseResult<()> {
        let (start, format) = (bytes.len(), self.format);
        self.item.write(row, 0, format, bytes)?;
        let mut column = self.item.width();
        for nested in &self.expansions {
            column = nested.write(row, column, format, bytes)?;
        }
        // Closed last, since expansions are members of the same object.
        close(format, bytes, start);
        Ok(())
    }
}

/// The first line of CSV, with the columns that all others have.
fn header(definition: &ResourceDefinition, selection: &Selection) -> String {
    let own = selection.attributes.iter();
    let mut names: Vec<String> = own.map(|it| it.name().to_owned()).collect();
    for expansion in &selection.expansions {
        let subresource = definition.all_subresources().get(expansion.subresource);
        let name = subresource.map_or("", |it| it.name());
        let within = expansion.attributes.iter();
        names.extend(within.map(|it| format!("{name}.{}", it.name())));
    }
    names.join(",") + "\r\n"
}

impl Object {
    pub(super) fn of(
        definition: &ResourceDefinition,
        attributes: &[&'static Attribute],
        formatter: Option<&Formatter>,
    ) -> Self {
        let all = definition.all_attributes();
        // An object that shows nothing has no columns that a hook could see.
        let formatter = formatter.filter(|_| !attributes.is_empty());
        let place = |(index, attribute): (usize, &&'static Attribute)| {
            // Without a hook, columns stand in the row in the order of the members.
            let found = formatter.and_then(|_| definition.find(attribute.name()));
            let index = found.map_or(index, |(index, _)| index);
            (index, Member::of(attribute))
        };
        let lengths = match formatter {
            Some(_) => lengths(all.iter()),
            None => lengths(attributes.iter().copied()),
        };
        Self {
            table: definition.table_identifier(),
            members: attributes.iter().enumerate().map(place).collect(),
            source: match formatter {
                Some(formatter) => Source::Formatter(formatter.clone(), all, lengths),
                None if lengths.is_empty() => Source::Row,
                None => Source::Truncated(lengths),
            },
        }
    }

    /// Appends an object with the members from `column` on.
    pub(super) fn write_whole(
        &self,
        row: &dyn Row,
        column: usize,
        bytes: &mut Vec<u8>,
    ) -> DatabaseResult<()> {
        let start = bytes.len();
        self.write(row, column, Format::Json, bytes)?;
        close(Format::Json, bytes, start);
        Ok(())
    }

    /// Appends the members from `column` on.
    fn write(
        &self,
        row: &dyn Row,
        column: usize,
        format: Format,
        bytes: &mut Vec<u8>,
    ) -> DatabaseResult<()> {
        let (formatter, attributes, lengths) = match &self.source {
            Source::Row => return self.write_members(row, column, format, bytes),
            Source::Truncated(lengths) => {
                let row = TruncatedRow(row, column, lengths);
                return self.write_members(&row, column, format, bytes);
            }
            Source::Formatter(formatter, attributes, lengths) => (formatter, attributes, lengths),
        };
        // The hook gets a copy of the row, in which every column of the resource was read.
        let row = TruncatedRow(row, column, lengths);
        let record = row.record(column, self.table, attributes);
        let shown = formatter.format(record?)?;
        for (place, member) in &self.members {
            // A member that the hook has cleared is left out; a line of CSV keeps its place.
            match shown.get(*place) {
                Some(value) => member.write(value.lend(), format, bytes)?,
                None if format == Format::Csv => bytes.push(b','),
                None => {}
            }
        }
        Ok(())
    }

    fn write_members(
        &self,
        row: &dyn Row,
        column: usize,
        format: Format,
        bytes: &mut Vec<u8>,
    ) -> DatabaseResult<()> {
        for (place, member) in &self.members {
            let value = row.value(column + place);
            let written = value.and_then(|value| member.write(value, format, bytes));
            written.map_err(|failure| self.misfit(row, column, member, failure))?;
        }
        Ok(())
    }

    /// The failure of a stored value that is none of its attribute, for the log.
    #[cold]
    fn misfit(
        &self,
        row: &dyn Row,
        column: usize,
        member: &Member,
        failure: DatabaseFailure,
    ) -> DatabaseFailure {
        let parts = self.members.iter();
        let parts = parts.filter(|(_, it)| it.attribute.is_primary_key());
        let key = parts.map(|(place, it)| Some(row.value(column + place).ok()?.keep(it.kind)));
        let key = key.collect::<Option<Vec<_>>>().and_then(Key::new);
        misfit(self.table, member.attribute, key, failure)
    }

    /// Number of columns that the object is read from.
    pub(super) fn width(&self) -> usize {
        match &self.source {
            Source::Formatter(_, attributes, _) => attributes.len(),
            Source::Row | Source::Truncated(_) => self.members.len(),
        }
    }
}

/// The lengths at which answers cut the texts of these attributes; none where no text is cut.
fn lengths<'all>(attributes: impl Iterator<Item = &'all Attribute> + Clone) -> Vec<Option<u32>> {
    let lengths = attributes.map(Attribute::truncation);
    if lengths.clone().all(|it| it.is_none()) {
        return Vec::new();
    }
    lengths.collect()
}

impl Member {
    fn of(attribute: &'static Attribute) -> Self {
        Self {
            key: key(attribute.name()),
            kind: attribute.kind(),
            attribute,
        }
    }

    // A call for each value would be 4 % of the instructions of a long page.
    #[inline]
    fn write(
        &self,
        value: ValueRef<'_>,
        format: Format,
        bytes: &mut Vec<u8>,
    ) -> DatabaseResult<()> {
        if format == Format::Csv {
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
        format: Format,
        bytes: &mut Vec<u8>,
    ) -> DatabaseResult<usize> {
        let first = column + 1;
        // The first column is one that the `LEFT JOIN` compares, so it is null only where nothing was joined.
        let is_missing = row.value(column)? == ValueRef::Null;
        let is_csv = format == Format::Csv;
        if !is_csv {
            bytes.extend_from_slice(&self.key);
        }
        match (is_missing, is_csv) {
            // Its fields keep their places in the line, all of them empty.
            (true, true) => bytes.resize(bytes.len() + self.object.members.len(), b','),
            (true, false) => bytes.extend_from_slice(b"null"),
            (false, true) => self.object.write(row, first, format, bytes)?,
            (false, false) => self.object.write_whole(row, first, bytes)?,
        }
        // A missing subresource has its columns in the row, too; they are skipped.
        Ok(first + self.object.width())
    }
}

/// Makes an object of the members from `start` on, where the comma before the first becomes its brace, or a line of the
/// fields, where the comma behind the last becomes the line break.
fn close(format: Format, bytes: &mut Vec<u8>, start: usize) {
    if format == Format::Csv {
        // A line without fields has no comma to remove.
        bytes.truncate(bytes.len().saturating_sub(1).max(start));
        bytes.extend_from_slice(b"\r\n");
        return;
    }
    match bytes.get_mut(start) {
        Some(comma) => *comma = b'{',
        // An object without members has no comma to replace.
        None => bytes.push(b'{'),
    }
    bytes.push(b'}');
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

    use super::{Format, Formatters, RowEncoder, Selection};
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
            Format::Json,
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
                &Formatters::default(),
                Format::Json,
            )
            .write(&row, &mut Vec::new())
            .is_err()
        );
    }
}
