//! The models of tables: names, fields and keys, as data.

use std::collections::{BTreeSet, HashMap};

use resource_runtime::schema::{StoredColumn, StoredTable};
use resource_runtime::{Dialect, Error};

use crate::key::key;
use crate::names::{Taken, pascal, plural, singular, snake, words};
use crate::rows::{Rows, Seen};
use crate::types::{self, Found, Rust};

/// The choices about all models.
#[derive(Debug)]
pub(crate) struct Style<'options> {
    pub(crate) dialect: Dialect,
    pub(crate) version: &'options str,
    pub(crate) schema: Option<&'options str>,
    pub(crate) prefix: &'options str,
}

/// The models of all tables that can be served.
#[derive(Debug, Default)]
pub(crate) struct Models {
    pub(crate) models: Vec<Model>,
    /// What is left out, each with a remedy.
    pub(crate) notes: Vec<String>,
}

/// A struct for a table or a view.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) stored: StoredTable,
    /// The name of the struct.
    pub(crate) name: String,
    /// The name of its module.
    pub(crate) module: String,
    /// The first keys of the struct.
    pub(crate) head: String,
    /// The columns of the primary key.
    pub(crate) key: Vec<String>,
    pub(crate) fields: Vec<Field>,
    /// The names of fields and subresources.
    pub(crate) names: Taken,
    pub(crate) enums: Vec<Enumeration>,
    /// The columns that are left out.
    pub(crate) ignored: Vec<String>,
    /// The operations, unless all are offered.
    pub(crate) operations: Option<&'static str>,
    /// Fields that are unique together, or have an index together.
    pub(crate) sets: Vec<String>,
    pub(crate) subresources: Vec<String>,
    /// The structs that are referenced.
    pub(crate) targets: BTreeSet<String>,
    /// What was decided about the table as a whole.
    pub(crate) comments: Vec<String>,
    /// What has to be decided before it compiles.
    pub(crate) questions: Vec<String>,
}

/// A field for a column.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) column: String,
    pub(crate) rust: Rust,
    pub(crate) is_optional: bool,
    pub(crate) is_secret: bool,
    pub(crate) keys: Vec<String>,
    pub(crate) description: Option<String>,
    pub(crate) comments: Vec<String>,
}

/// An enum for the values of a column.
#[derive(Debug)]
pub(crate) struct Enumeration {
    pub(crate) name: String,
    /// The column or type whose values these are, for people.
    pub(crate) origin: String,
    pub(crate) choices: Vec<String>,
}

/// Names that were given.
pub(crate) struct Given {
    pub(crate) types: Taken,
    modules: Taken,
    urls: Taken,
    /// Each enum of PostgreSQL, by schema and name, with the name of its enum of Rust.
    pub(crate) enums: HashMap<(Option<String>, String), String>,
}

/// Names that a struct cannot have: those that fields of others use.
const TAKEN_TYPES: &str = "ApiBuilder ApiResource DateTime Decimal FieldValue NaiveDate NaiveDateTime NaiveTime Option \
                           Self String Utc Uuid Value Vec";

/// Names that a field cannot have: words that are no raw identifiers, and values of the query language.
const TAKEN_FIELDS: &str = "crate false null self super true";

/// Names that a module cannot have.
const TAKEN_MODULES: &str = "crate mod self super";

/// The models of the tables.
pub(crate) fn models(
    style: &Style<'_>,
    tables: Vec<StoredTable>,
    rows: &Rows,
) -> Result<Models, Error> {
    let mut given = Given {
        types: Taken::of(TAKEN_TYPES),
        modules: Taken::of(TAKEN_MODULES),
        urls: Taken::default(),
        enums: HashMap::new(),
    };
    let mut models = Models::default();
    for stored in tables {
        let found = found(style, &stored, rows)?;
        match key(&stored, &found, rows)? {
            Ok((key, question)) => {
                let mut model = Model::new(style, stored, key, &mut given);
                model.questions.extend(question);
                model.add_all(found, &mut given);
                models.models.push(model);
            }
            Err(remedy) => models
                .notes
                .push(format!("`{}` is not served: {remedy}.", stored.name)),
        }
    }
    models.refer();
    for model in &models.models {
        let comments = model.comments.iter();
        models
            .notes
            .extend(comments.map(|it| format!("`{}`: {it}", model.stored.name)));
    }
    Ok(models)
}

/// The type of each column; on SQLite, rows tell what declared types leave open.
fn found(style: &Style<'_>, stored: &StoredTable, rows: &Rows) -> Result<Vec<Found>, Error> {
    if style.dialect == Dialect::Postgres {
        return Ok(stored.columns.iter().map(types::of_postgres).collect());
    }
    let open = stored.columns.iter().filter(|it| types::is_open(it));
    let open: Vec<&str> = open.map(|column| column.name.as_str()).collect();
    let seen = rows.see(&stored.name, &open)?.unwrap_or_default();
    let seen: HashMap<&str, Seen> = open.into_iter().zip(seen).collect();
    let found = |it: &StoredColumn| types::of_sqlite(it, seen.get(it.name.as_str()));
    Ok(stored.columns.iter().map(found).collect())
}

impl Model {
    fn new(style: &Style<'_>, stored: StoredTable, key: Vec<String>, given: &mut Given) -> Self {
        let bare = stored
            .name
            .strip_prefix(style.prefix)
            .unwrap_or(&stored.name);
        let module = given.modules.free(snake(bare, "table"), "_");
        let mut words = words(&module);
        let last = words.pop().unwrap_or_default();
        let with = |last: String| [&words[..], &[last]].concat();
        let name = given.types.free(pascal(&with(singular(&last))), "");
        let url = given
            .urls
            .free(with(plural(&singular(&last))).join("-"), "-");
        let mut head = format!(
            "name = {name:?}, url = \"/{url}\", version = {:?}",
            style.version
        );
        if url.replace('-', "_") != stored.name {
            head += &format!(", table = {:?}", stored.name);
        }
        if let Some(schema) = style.schema {
            head += &format!(", schema = {schema:?}");
        }
        head += if stored.is_table {
            ", existing"
        } else {
            ", view"
        };
        Self {
            stored,
            name,
            module,
            head,
            key,
            fields: Vec::new(),
            names: Taken::of(TAKEN_FIELDS),
            enums: Vec::new(),
            ignored: Vec::new(),
            operations: None,
            sets: Vec::new(),
            subresources: Vec::new(),
            targets: BTreeSet::new(),
            comments: Vec::new(),
            questions: Vec::new(),
        }
    }

    /// Adds the fields of all columns, and what the table says beyond them.
    fn add_all(&mut self, found: Vec<Found>, given: &mut Given) {
        for (column, found) in self.stored.columns.clone().iter().zip(found) {
            self.add(column, found, given);
        }
        self.find();
        if let Some(conflict) = self.stored.conflicts.iter().find(|it| !it.is_refused) {
            self.operations = Some("list, retrieve");
            self.comments.push(format!(
                "Items are only read, because `{}` of `{}` would change other rows than the one that is written.",
                conflict.clause,
                conflict.columns.join("`, `")
            ));
        }
        if !self.stored.triggers.is_empty() && self.stored.is_table {
            self.comments.push(format!(
                "Triggers run: `{}`; a column that one of them sets is `computed`.",
                self.stored.triggers.join("`, `")
            ));
        }
    }

    /// Adds the sets of unique columns, and the indexes that filters use.
    fn find(&mut self) {
        let unique = self.stored.unique.iter().filter(|set| set.is_plain());
        let unique = unique.map(|set| ("unique", set.columns.clone()));
        let indexes = self
            .stored
            .indexes
            .iter()
            .map(|columns| ("index", columns.clone()));
        let sets: Vec<(&str, Vec<String>)> = unique.chain(indexes).collect();
        let mut known: Vec<BTreeSet<String>> = vec![self.key.iter().cloned().collect()];
        for (key, columns) in sets {
            let set = columns.iter().cloned().collect();
            // A set with a column that is left out, or with a secret, is none of the model.
            let fields = columns
                .iter()
                .map(|column| self.fields.iter().position(|it| it.column == *column));
            let fields: Option<Vec<usize>> = fields.collect();
            let Some(fields) = fields.filter(|it| !known.contains(&set) && !it.is_empty()) else {
                continue;
            };
            known.push(set);
            if fields
                .iter()
                .any(|index| self.fields.get(*index).is_none_or(|it| it.is_secret))
            {
                continue;
            }
            if let [only] = *fields {
                if let Some(field) = self.fields.get_mut(only) {
                    field.keys.push(key.to_owned());
                }
            } else {
                let names = fields
                    .iter()
                    .filter_map(|index| Some(self.fields.get(*index)?.name.as_str()));
                self.sets
                    .push(format!("{key}({})", names.collect::<Vec<_>>().join(", ")));
            }
        }
    }

    /// The keys of the struct, one `#[resource(…)]` each.
    pub(crate) fn keys(&self) -> Vec<String> {
        let list = |key: &str, members: &[String]| {
            Some(format!("{key}({})", members.join(", "))).filter(|_| !members.is_empty())
        };
        let quoted = |names: &[String]| -> Vec<String> {
            names.iter().map(|name| format!("{name:?}")).collect()
        };
        let is_deferred = self.stored.foreign_keys.iter().any(|key| key.is_deferred);
        let peculiarities = [
            ("deferred_keys", is_deferred),
            ("row_security", self.stored.has_row_security),
        ];
        let accepted = peculiarities
            .iter()
            .filter(|(_, is_there)| *is_there && self.stored.is_table);
        let accepted: Vec<String> = accepted.map(|(name, _)| (*name).to_owned()).collect();
        let operations = self.operations.map(String::from);
        [
            Some(self.head.clone()),
            list("ignore", &quoted(&self.ignored)),
        ]
        .into_iter()
        .chain([
            list("operations", operations.as_slice()),
            list("accept", &quoted(&accepted)),
        ])
        .chain([list("subresource", &self.subresources)])
        .flatten()
        .chain(self.sets.iter().cloned())
        .collect()
    }
}
