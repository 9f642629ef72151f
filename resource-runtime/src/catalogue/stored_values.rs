//! The stored values that do not fit the definitions: each column of a table is read once for all of its versions.

use std::mem;

use resource_model::error::DatabaseResult;
use resource_model::schema::{Attribute, ResourceDefinition, Table};
use resource_model::value::Value;
use resource_sql::{self, Dialect, Misfit};

use super::defaults::{misfit, visited};
use super::table_comparison::columns;
use crate::store::{Database, Row, RowVisitor};

/// Number of keys that a sentence tells.
const KEYS: usize = 10;

/// A sentence for each reason for which values in a table do not fit the definitions that share it, with some of the
/// keys, and one for the keys that several rows of a view share.
pub(crate) async fn unfit_values(
    database: &Database,
    table: &Table,
    definitions: &[&'static ResourceDefinition],
) -> DatabaseResult<Vec<String>> {
    let dialect = database.dialect();
    let sharing = definitions.iter().copied();
    let sharing = sharing.filter(|it| it.table_identifier() == table.name);
    let misfits = Misfits::of(sharing);
    // A table of the service itself has no definition.
    let Some((_, first, _)) = misfits.attributes.first().copied() else {
        return Ok(Vec::new());
    };
    let statement = resource_sql::select_values(dialect, first, &misfits.columns);
    let misfits = visited(database, statement, misfits).await?;
    let found = misfits.found.iter();
    let mut sentences: Vec<String> = found.map(|it| it.sentence(dialect)).collect();
    if table.view {
        let statement = resource_sql::find_shared_keys(dialect, first);
        let printed = statement.text().to_owned();
        let parts: Vec<_> = first.key_attributes().collect();
        let shared = visited(database, statement, Keys::of(&parts)).await?;
        sentences.extend(shared.sentence(first, &printed));
    }
    Ok(sentences)
}

/// Looks at the values of rows.
#[derive(Clone)]
struct Misfits {
    /// The columns of all versions, each by the first attribute in it.
    columns: Vec<&'static Attribute>,
    /// The attributes of all versions, each with its column, those of a column one after another.
    attributes: Vec<(usize, &'static ResourceDefinition, &'static Attribute)>,
    found: Vec<Found>,
    json: Vec<u8>,
}

/// The values of an attribute that do not fit for one reason.
#[derive(Clone)]
struct Found {
    /// The place of the attribute among all.
    place: usize,
    definition: &'static ResourceDefinition,
    attribute: &'static Attribute,
    misfit: Misfit,
    /// The reason in words, of the first.
    words: String,
    /// True where that of another has other words.
    varies: bool,
    keys: Keys,
}

/// Keys of rows, and how many there are.
#[derive(Clone)]
struct Keys {
    /// The attributes of the key, each with its place in a row.
    parts: Vec<(usize, &'static Attribute)>,
    count: u64,
    /// The first of them, each as it stands in a statement.
    first: Vec<Vec<String>>,
}

impl Misfits {
    fn of(definitions: impl Iterator<Item = &'static ResourceDefinition>) -> Self {
        let mut columns: Vec<&'static Attribute> = Vec::new();
        let all = definitions.flat_map(|it| it.all_attributes().iter().map(move |own| (it, own)));
        let attributes = all.map(|(definition, attribute)| {
            let mut known = columns.iter();
            // Versions agree on the kind and on the form of a column.
            let known = known.position(|it| it.identifier() == attribute.identifier());
            let column = known.unwrap_or(columns.len());
            if known.is_none() {
                columns.push(attribute);
            }
            (column, definition, attribute)
        });
        let mut attributes: Vec<_> = attributes.collect();
        attributes.sort_by_key(|(column, ..)| *column);
        Self {
            attributes,
            columns,
            found: Vec::new(),
            json: Vec::new(),
        }
    }
}

/// Tests whether the value of a column suits one of the attributes in it.
fn suits_any(
    attributes: &[(usize, &'static ResourceDefinition, &'static Attribute)],
    column: usize,
    row: &dyn Row,
) -> bool {
    let mut of_column = attributes.iter().filter(|(it, ..)| *it == column);
    of_column.any(|(_, _, it)| misfit(it, row.value(column), &mut Vec::new()).is_none())
}

impl RowVisitor for Misfits {
    fn visit(&mut self, row: &dyn Row) -> DatabaseResult<()> {
        let mut told = None;
        for (place, (column, definition, attribute)) in self.attributes.iter().enumerate() {
            let reason = misfit(attribute, row.value(*column), &mut self.json);
            // A version with narrower limits shows what another one stores, which its developer has approved.
            let reason = reason.filter(|(misfit, _)| {
                let is_limit = matches!(misfit, Misfit::Length | Misfit::Range);
                !(is_limit && suits_any(&self.attributes, *column, row))
            });
            // One version tells a developer where to look.
            let told_of = mem::replace(&mut told, reason.clone().map(|it| (column, it)));
            let Some((misfit, words)) = reason.filter(|_| told_of != told) else {
                continue;
            };
            let mut known = self.found.iter_mut();
            if let Some(known) = known.find(|it| (it.place, it.misfit) == (place, misfit)) {
                known.varies |= known.words != words;
                known.keys.add(row);
                continue;
            }
            let mut keys = Keys::of(&self.columns);
            keys.add(row);
            self.found.push(Found {
                place,
                definition,
                attribute,
                misfit,
                words,
                varies: false,
                keys,
            });
        }
        Ok(())
    }
}

impl Keys {
    /// Keys in rows of these columns.
    fn of(columns: &[&'static Attribute]) -> Self {
        let columns = columns.iter().copied().enumerate();
        Self {
            parts: columns.filter(|(_, it)| it.is_primary_key()).collect(),
            count: 0,
            first: Vec::new(),
        }
    }

    /// Counts a row, and notes its key if it is one of the first.
    fn add(&mut self, row: &dyn Row) {
        self.count += 1;
        if self.first.len() == KEYS {
            return;
        }
        let parts = self.parts.iter();
        let literals =
            parts.map(|(place, part)| literal(&row.value(*place).ok()?.keep(part.kind())));
        self.first.extend(literals.collect::<Option<_>>());
    }

    /// The keys as messages list them.
    fn listed(&self) -> String {
        let keys = self.first.iter().map(|key| match key.as_slice() {
            [only] => only.clone(),
            parts => format!("({})", parts.join(", ")),
        });
        keys.collect::<Vec<_>>().join(", ")
    }

    /// The condition that finds the keys.
    fn condition(&self) -> String {
        let keys = self.first.iter().map(|key| {
            let parts = self.parts.iter().zip(key);
            let parts =
                parts.map(|((_, it), literal)| format!("{} = {literal}", it.identifier().quoted()));
            parts.collect::<Vec<_>>().join(" AND ")
        });
        keys.collect::<Vec<_>>().join(" OR ")
    }

    /// The sentence about keys of a view that several rows share.
    fn sentence(&self, definition: &ResourceDefinition, statement: &str) -> Option<String> {
        let names: Vec<_> = self.parts.iter().map(|(_, it)| it.identifier()).collect();
        (self.count > 0).then(|| {
            format!(
                "several rows of the view `{}` share {}, which `{}` {} calls its primary key, at {} of its values; see \
                 {}, and find them with `{statement}`; call `primary_key` what identifies a row",
                definition.table_identifier().as_str(),
                columns(&names),
                definition.name(),
                definition.version(),
                self.count,
                self.listed(),
            )
        })
    }
}

/// A value as it stands in a statement for people; none of a type that keys rarely have.
fn literal(value: &Value) -> Option<String> {
    match value {
        Value::Integer(number) => Some(number.to_string()),
        Value::Text(text) => Some(format!("'{}'", text.replace('\'', "''"))),
        _ => None,
    }
}

impl Found {
    fn sentence(&self, dialect: Dialect) -> String {
        let (definition, attribute, keys) = (self.definition, self.attribute, &self.keys);
        let (values, fit) = match keys.count {
            1 => ("value", "does"),
            _ => ("values", "do"),
        };
        let statement = resource_sql::find_misfits(dialect, definition, attribute, self.misfit);
        // A key that itself cannot be read, or is null, is not told.
        let (mut see, mut condition) = (String::new(), String::new());
        if !keys.first.is_empty() {
            see = format!("see the keys {}, and ", keys.listed());
            // No other condition finds what a type of Rust cannot hold.
            if self.misfit == Misfit::Form {
                condition = format!(" WHERE {}", keys.condition());
            }
        }
        format!(
            "`{}.{}` has {} {values} that {fit} not fit `{}` {}: {}{}; {see}find them with `{}{condition}`",
            definition.table_identifier().as_str(),
            attribute.identifier().as_str(),
            keys.count,
            definition.name(),
            definition.version(),
            if self.varies { "for instance, " } else { "" },
            self.words,
            statement.text(),
        )
    }
}

/// Looks at the keys that several rows share, each a row.
impl RowVisitor for Keys {
    fn visit(&mut self, row: &dyn Row) -> DatabaseResult<()> {
        self.add(row);
        Ok(())
    }
}
