//! The stored values that do not fit the definitions: each column of a table is read once for all of its versions.

use std::{iter, ptr};

use resource_model::error::DatabaseResult;
use resource_model::schema::{Attribute, ResourceDefinition, Table};
use resource_model::value::{Value, ValueRef};
use resource_sql::{self, Dialect, Misfit, Statement};

use super::table_comparison::columns;
use crate::json;
use crate::store::{Database, ReadKind, Row, RowVisitor, restored};

/// Number of keys that a sentence tells.
const KEYS: usize = 10;

/// A sentence for each reason for which values in a table do not fit the definitions that share it, with some of the
/// keys, and for the keys that several rows of a view share.
pub(crate) async fn unfit_values(
    database: &Database,
    table: &Table,
    definitions: &[&'static ResourceDefinition],
) -> DatabaseResult<Vec<String>> {
    let dialect = database.dialect();
    let sharing = definitions.iter().copied();
    let sharing = sharing.filter(|it| it.table_identifier() == table.name);
    let sharing: Vec<&'static ResourceDefinition> = sharing.collect();
    // A table of the service itself has no definition.
    let Some(first) = sharing.first().copied() else {
        return Ok(Vec::new());
    };
    let misfits = Misfits::of(&sharing);
    let statement = resource_sql::select_values(dialect, first, &misfits.columns);
    let misfits = visited(database, statement, misfits).await?;
    let mut sentences = misfits.sentences(dialect);
    if table.view {
        let statement = resource_sql::find_shared_keys(dialect, first);
        let printed = statement.text().to_owned();
        let parts: Vec<_> = first.key_attributes().collect();
        let shared = visited(database, statement, Keys::of(first, &parts)).await?;
        sentences.extend(shared.shared(first, &printed));
    }
    Ok(sentences)
}

/// The visitor after it has seen the rows of a statement.
async fn visited<V: RowVisitor + Clone + Sync>(
    database: &Database,
    statement: Statement,
    visitor: V,
) -> DatabaseResult<V> {
    let visitors = Box::new(move || Box::new(visitor.clone()) as Box<dyn RowVisitor>);
    let driver = database.driver()?;
    let (visitor, _) = driver.read(statement, ReadKind::List, visitors).await?;
    restored(visitor)
}

/// An attribute of a version.
type Versioned = (&'static ResourceDefinition, &'static Attribute);

/// Looks at the values of rows.
#[derive(Clone)]
struct Misfits {
    /// The columns of all versions, each by the first attribute in it.
    columns: Vec<&'static Attribute>,
    /// The attributes of each version in each column.
    attributes: Vec<Vec<Versioned>>,
    found: Vec<Found>,
    json: Vec<u8>,
}

/// The values of an attribute that do not fit for one reason.
#[derive(Clone)]
struct Found {
    definition: &'static ResourceDefinition,
    /// The other versions for which they do not.
    others: Vec<&'static ResourceDefinition>,
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
    fn of(definitions: &[&'static ResourceDefinition]) -> Self {
        let mut columns: Vec<&'static Attribute> = Vec::new();
        let mut attributes: Vec<Vec<Versioned>> = Vec::new();
        for definition in definitions.iter().copied() {
            for attribute in definition.all_attributes() {
                let mut known = columns.iter();
                // Versions agree on the kind and on the form of a column.
                let known = known.position(|it| it.identifier() == attribute.identifier());
                match known.and_then(|it| attributes.get_mut(it)) {
                    Some(sharing) => sharing.push((definition, attribute)),
                    None => {
                        columns.push(attribute);
                        attributes.push(vec![(definition, attribute)]);
                    }
                }
            }
        }
        Self {
            columns,
            attributes,
            found: Vec::new(),
            json: Vec::new(),
        }
    }

    /// The sentences; one for all versions for which the same values do not fit.
    fn sentences(self, dialect: Dialect) -> Vec<String> {
        let mut merged: Vec<Found> = Vec::new();
        for found in self.found {
            let is_same = |it: &&mut Found| {
                it.attribute.identifier() == found.attribute.identifier()
                    && (it.misfit, &it.words) == (found.misfit, &found.words)
                    && it.keys.count == found.keys.count
            };
            match merged.iter_mut().find(is_same) {
                Some(same) => same.others.push(found.definition),
                None => merged.push(found),
            }
        }
        merged.iter().map(|it| it.sentence(dialect)).collect()
    }
}

impl RowVisitor for Misfits {
    fn visit(&mut self, row: &dyn Row) -> DatabaseResult<()> {
        let Self {
            columns,
            attributes,
            found,
            json,
        } = self;
        for (index, sharing) in attributes.iter().enumerate() {
            let value = row.value(index);
            for versioned in sharing {
                if let Some(reason) = misfit(versioned.1, &value, json) {
                    add(found, *versioned, reason, row, columns);
                }
            }
        }
        Ok(())
    }
}

/// Adds a value that does not fit an attribute to those of the same reason.
fn add(
    found: &mut Vec<Found>,
    (definition, attribute): Versioned,
    (misfit, words): (Misfit, String),
    row: &dyn Row,
    columns: &[&'static Attribute],
) {
    let is_same = |it: &&mut Found| {
        ptr::eq(it.definition, definition)
            && it.attribute.name() == attribute.name()
            && it.misfit == misfit
    };
    if let Some(known) = found.iter_mut().find(is_same) {
        known.varies |= known.words != words;
        known.keys.add(row);
        return;
    }
    let mut keys = Keys::of(definition, columns);
    keys.add(row);
    found.push(Found {
        definition,
        others: Vec::new(),
        attribute,
        misfit,
        words,
        varies: false,
        keys,
    });
}

/// The reason for which a value does not fit, with its words.
fn misfit(
    attribute: &Attribute,
    value: &DatabaseResult<ValueRef<'_>>,
    json: &mut Vec<u8>,
) -> Option<(Misfit, String)> {
    let value = match value {
        Ok(ValueRef::Null) if attribute.is_nullable() => return None,
        Ok(ValueRef::Null) => return Some((Misfit::Null, String::from("null"))),
        Ok(value) => *value,
        Err(failure) => return Some((Misfit::Form, failure.to_string())),
    };
    json.clear();
    if let Err(failure) = json::write(value, attribute.kind(), json) {
        return Some((Misfit::Form, failure.to_string()));
    }
    let value = value.keep(attribute.kind());
    // SQLite stores integers of any width.
    if let (Value::Integer(number), Some((least, greatest))) =
        (&value, attribute.kind().integer_range())
        && !(least..=greatest).contains(number)
    {
        let words = format!("an integer that is not from {least} to {greatest}");
        return Some((Misfit::Form, words));
    }
    let words = attribute.violation(&value)?;
    let misfit = match attribute.exceeded(&value) {
        Some(exceeded) if exceeded == words && attribute.length_limits() != (None, None) => {
            Misfit::Length
        }
        Some(exceeded) if exceeded == words => Misfit::Range,
        _ => Misfit::Form,
    };
    Some((misfit, words))
}

impl Keys {
    /// Keys in rows of these columns.
    fn of(definition: &ResourceDefinition, columns: &[&'static Attribute]) -> Self {
        let parts = definition.key_attributes().filter_map(|part| {
            let mut columns = columns.iter();
            let is_it = |it: &&Attribute| it.identifier() == part.identifier();
            Some((columns.position(is_it)?, part))
        });
        Self {
            parts: parts.collect(),
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

    /// The condition that finds the keys; none where they cannot be written.
    fn condition(&self) -> Option<String> {
        let names = self.parts.iter().map(|(_, it)| it.identifier().quoted());
        let names: Vec<_> = names.collect();
        if let ([name], false) = (names.as_slice(), self.first.is_empty()) {
            return Some(format!(" WHERE {name} IN ({})", self.listed()));
        }
        // SQLite has no list of keys of several parts.
        let keys = self.first.iter().map(|key| {
            let parts = names.iter().zip(key);
            let parts = parts.map(|(name, literal)| format!("{name} = {literal}"));
            parts.collect::<Vec<_>>().join(" AND ")
        });
        let keys: Vec<String> = keys.collect();
        (!keys.is_empty()).then(|| format!(" WHERE {}", keys.join(" OR ")))
    }

    /// The sentence about keys of a view that identify no row.
    fn shared(&self, definition: &ResourceDefinition, statement: &str) -> Option<String> {
        let names = self.parts.iter().map(|(_, it)| it.identifier());
        let names: Vec<_> = names.collect();
        (self.count > 0).then(|| {
            format!(
                "the view `{}` has {} of {} that several rows share, but `{}` {} calls {} its primary key; see {}, \
                 and find them with `{statement}`; let the fields be the key that identify a row, or the view have \
                 one row of each",
                definition.table_identifier().as_str(),
                if self.count == 1 { String::from("one value") } else { format!("{} values", self.count) },
                columns(&names),
                definition.name(),
                definition.version(),
                if names.len() == 1 { "it" } else { "them together" },
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
        let Self {
            definition,
            attribute,
            keys,
            ..
        } = self;
        let versions = iter::once(definition).chain(&self.others);
        let versions = versions.map(|it| format!("`{}` {}", it.name(), it.version()));
        let versions: Vec<String> = versions.collect();
        let (values, fit) = match keys.count {
            1 => ("value", "does"),
            _ => ("values", "do"),
        };
        let see = match keys.first.len() {
            // A key that itself cannot be read, or is null, is not told.
            0 => String::new(),
            1 => format!("see the key {}, and ", keys.listed()),
            _ => format!("see the keys {}, and ", keys.listed()),
        };
        let statement = resource_sql::find_misfits(dialect, definition, attribute, self.misfit);
        // No condition of the database finds what a type of Rust cannot hold.
        let by_key = self.misfit == Misfit::Form;
        let condition = keys.condition().filter(|_| by_key);
        format!(
            "`{}.{}` has {} {values} that {fit} not fit {}: {}{}; {see}find them with `{}{}`",
            definition.table_identifier().as_str(),
            attribute.identifier().as_str(),
            keys.count,
            versions.join(" and "),
            if self.varies { "for instance, " } else { "" },
            self.words,
            statement.text(),
            condition.unwrap_or_default()
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
