//! The stored values that do not fit the definitions: each served column is read once.

use resource_model::error::DatabaseResult;
use resource_model::schema::{Attribute, ResourceDefinition};
use resource_model::value::{Value, ValueRef};
use resource_sql::{self, Dialect, Misfit};

use super::Api;
use crate::http::Mount;
use crate::json;
use crate::store::{ReadKind, Row, RowVisitor, restored};

/// Number of keys that a sentence tells.
const KEYS: usize = 10;

impl Api {
    /// A sentence for each reason for which values of an attribute do not fit, with some of their keys.
    pub(crate) async fn unfit_values(&self) -> DatabaseResult<Vec<String>> {
        let database = &self.parts.database;
        let (driver, dialect) = (database.driver()?, database.dialect());
        let mut sentences = Vec::new();
        for definition in self.parts.mounts.iter().map(Mount::definition) {
            let statement = resource_sql::select_all(dialect, definition);
            let visitors =
                Box::new(move || Box::new(Misfits::of(definition)) as Box<dyn RowVisitor>);
            let (visitor, _) = driver.read(statement, ReadKind::List, visitors).await?;
            let misfits: Misfits = restored(visitor)?;
            sentences.extend(
                misfits
                    .found
                    .iter()
                    .map(|it| it.sentence(dialect, definition)),
            );
        }
        Ok(sentences)
    }
}

/// Looks at the values of rows.
struct Misfits {
    definition: &'static ResourceDefinition,
    found: Vec<Found>,
    json: Vec<u8>,
}

/// The values of an attribute that do not fit for one reason.
struct Found {
    attribute: &'static Attribute,
    misfit: Misfit,
    /// The reason in words, of the first.
    words: String,
    count: u64,
    /// The keys of the first.
    keys: Vec<Value>,
}

impl Misfits {
    const fn of(definition: &'static ResourceDefinition) -> Self {
        Self {
            definition,
            found: Vec::new(),
            json: Vec::new(),
        }
    }

    /// The reason for which a value does not fit, with its words.
    fn misfit(
        &mut self,
        attribute: &Attribute,
        value: DatabaseResult<ValueRef<'_>>,
    ) -> Option<(Misfit, String)> {
        let value = match value {
            Ok(ValueRef::Null) if attribute.is_nullable() => return None,
            Ok(ValueRef::Null) => return Some((Misfit::Null, String::from("null"))),
            Ok(value) => value,
            Err(failure) => return Some((Misfit::Form, failure.to_string())),
        };
        self.json.clear();
        if let Err(failure) = json::write(value, attribute.kind(), &mut self.json) {
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
}

impl RowVisitor for Misfits {
    fn visit(&mut self, row: &dyn Row) -> DatabaseResult<()> {
        let attributes = self.definition.all_attributes();
        for (index, attribute) in attributes.iter().enumerate() {
            let Some((misfit, words)) = self.misfit(attribute, row.value(index)) else {
                continue;
            };
            let is_same =
                |it: &Found| it.attribute.name() == attribute.name() && it.misfit == misfit;
            let known = self.found.iter().position(is_same);
            if known.is_none() {
                self.found.push(Found {
                    attribute,
                    misfit,
                    words,
                    count: 0,
                    keys: Vec::new(),
                });
            }
            // The last one is new.
            let known = known.unwrap_or(self.found.len().saturating_sub(1));
            let Some(found) = self.found.get_mut(known) else {
                continue;
            };
            found.count += 1;
            if found.keys.len() < KEYS {
                found.keys.extend(key(attributes, row));
            }
        }
        Ok(())
    }
}

/// The first value of a row's key, where it can be read.
fn key(attributes: &[Attribute], row: &dyn Row) -> Option<Value> {
    let key = attributes.iter().position(Attribute::is_primary_key)?;
    let kind = attributes.get(key)?.kind();
    row.value(key).ok().map(|it| it.keep(kind))
}

impl Found {
    fn sentence(&self, dialect: Dialect, definition: &ResourceDefinition) -> String {
        let table = definition.table_identifier().as_str();
        let numbers = self.keys.iter().filter_map(|key| match key {
            Value::Integer(number) => Some(*number),
            _ => None,
        });
        let is_single = definition.key_attributes().count() == 1;
        let numbers: Vec<i64> = numbers.filter(|_| is_single).collect();
        let statement =
            resource_sql::find_misfits(dialect, definition, self.attribute, self.misfit, &numbers);
        let keys: Vec<String> = self.keys.iter().map(spelled).collect();
        let (values, fit) = if self.count == 1 {
            ("value", "does")
        } else {
            ("values", "do")
        };
        format!(
            "`{table}.{}` has {} {values} that {fit} not fit `{}` {}: {}; see the keys {}, and find them with `{}`",
            self.attribute.identifier().as_str(),
            self.count,
            definition.name(),
            definition.version(),
            self.words,
            keys.join(", "),
            statement.text()
        )
    }
}

fn spelled(key: &Value) -> String {
    match key {
        Value::Integer(number) => number.to_string(),
        Value::Text(text) => format!("{text:?}"),
        _ => String::from("of other types"),
    }
}
