//! The models of tables: names, fields and keys, as data.

use std::collections::{BTreeSet, HashMap};

use resource_runtime::schema::{Privilege, StoredColumn, StoredTable};
use resource_runtime::{Dialect, Error};

use crate::given::Given;
use crate::key::Key;
use crate::names::{Taken, pascal, plural, singular, snake, words};
use crate::rows::{Rows, Seen};
use crate::types::{self, Found, Rust};

/// The choices about all models.
#[derive(Debug)]
pub(crate) struct Style<'options> {
    pub(crate) version: &'options str,
    pub(crate) schema: Option<&'options str>,
    pub(crate) prefix: &'options str,
}

/// The models of all tables that can be served.
#[derive(Debug, Default)]
pub(crate) struct Models {
    pub(crate) models: Vec<Model>,
    /// The columns and tables that are left out, each with a remedy.
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
    pub(crate) operations: Vec<&'static str>,
    /// Fields that are unique together, or have an index together.
    pub(crate) sets: Vec<String>,
    pub(crate) subresources: Vec<String>,
    /// The structs that are referenced.
    pub(crate) targets: BTreeSet<String>,
    /// The decisions about the table as a whole.
    pub(crate) comments: Vec<String>,
    /// The questions to decide before it compiles.
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

/// Names that a field cannot have: words that are no raw identifiers, and values of the query language.
const TAKEN_FIELDS: &str = "crate false null self super true";

/// The operations of a table.
pub(crate) const OPERATIONS: [&str; 5] = ["list", "retrieve", "create", "update", "delete"];

/// A table or a view as it was read: the type of each column, and the key.
pub(crate) struct Read {
    pub(crate) stored: StoredTable,
    pub(crate) found: Vec<Found>,
    pub(crate) key: Result<Key, String>,
}

/// The models of the tables.
pub(crate) fn models(style: &Style<'_>, mut tables: Vec<Read>) -> Models {
    let mut given = Given::new(style.version);
    let name = |read: &Read| struct_name(&words(bare(style, &read.stored)));
    for read in &tables {
        given.reserve_choices(&name(read), read);
    }
    // `User` comes before `UserPage`, which gets a number: users have a schema of that name.
    tables.sort_by_cached_key(name);
    let mut models = Models::default();
    for Read { stored, found, key } in tables {
        match key {
            Ok(key) => {
                let mut model = Model::new(style, stored, key, &mut given);
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
    models
}

/// The type of each column; on SQLite, rows tell what declared types leave open.
pub(crate) fn found(
    dialect: Dialect,
    stored: &StoredTable,
    rows: &Rows,
) -> Result<Vec<Found>, Error> {
    if dialect == Dialect::Postgres {
        return Ok(stored.columns.iter().map(types::of_postgres).collect());
    }
    let open = stored
        .columns
        .iter()
        .filter(|it| types::is_open(it, stored.is_table));
    let open: Vec<&str> = open.map(|column| column.name.as_str()).collect();
    let seen = rows.see(&stored.name, &open)?.unwrap_or_default();
    let seen: HashMap<&str, Seen> = open.into_iter().zip(seen).collect();
    let found = |it: &StoredColumn| types::of_sqlite(it, seen.get(it.name.as_str()));
    Ok(stored.columns.iter().map(found).collect())
}

/// The name of a table without the prefix.
fn bare<'name>(style: &Style<'_>, stored: &'name StoredTable) -> &'name str {
    let name = stored.name.as_str();
    name.strip_prefix(style.prefix).unwrap_or(name)
}

/// The name of the struct for a table whose name has these words.
fn struct_name(words: &[String]) -> String {
    pascal(&with_last(words, singular))
}

/// The words with another last one.
fn with_last(words: &[String], change: impl Fn(&str) -> String) -> Vec<String> {
    let mut words = words.to_vec();
    if let Some(last) = words.last_mut() {
        *last = change(last);
    }
    words
}

impl Model {
    fn new(style: &Style<'_>, stored: StoredTable, key: Key, given: &mut Given) -> Self {
        let module = given
            .modules
            .free(snake(bare(style, &stored), "table"), "_");
        let words = words(&module);
        let name = given.structure(struct_name(&words));
        let url = with_last(&words, |last| plural(&singular(last)));
        let url = given.urls.free(url.join("-"), "-");
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
            key: key.columns,
            fields: Vec::new(),
            names: Taken::of(TAKEN_FIELDS),
            enums: Vec::new(),
            ignored: Vec::new(),
            operations: OPERATIONS.to_vec(),
            sets: Vec::new(),
            subresources: Vec::new(),
            targets: BTreeSet::new(),
            comments: key.comment.into_iter().collect(),
            questions: key.question.into_iter().collect(),
        }
    }

    /// Offers none of these operations.
    pub(crate) fn leave_out(&mut self, operations: &[&str]) {
        self.operations.retain(|it| !operations.contains(it));
    }

    /// Offers no operation whose statement the database refuses, or replaces by another one.
    fn leave_out_broken(&mut self) {
        for (write, _, reason) in self.stored.broken.clone() {
            let (operation, done) = match write {
                Privilege::Insert => ("create", "created"),
                Privilege::Update => ("update", "updated"),
                _ => ("delete", "deleted"),
            };
            if self.stored.is_table && self.operations.contains(&operation) {
                self.leave_out(&[operation]);
                self.comments
                    .push(format!("Items are not {done}: {reason}."));
            }
        }
    }

    /// Adds the fields of all columns, and what the table says beyond them.
    fn add_all(&mut self, found: Vec<Found>, given: &mut Given) {
        for (column, found) in self.stored.columns.clone().iter().zip(found) {
            self.add(column, found, given);
        }
        self.add_sets();
        let mut conflicts = self.stored.conflicts.iter();
        if let Some(conflict) = conflicts.find(|it| !it.is_refused) {
            self.comments.push(format!(
                "Items are only read, because `{}` of `{}` would change other rows than the one that is written.",
                conflict.clause,
                conflict.columns.join("`, `")
            ));
            self.leave_out(&["create", "update", "delete"]);
        }
        self.leave_out_broken();
        if !self.stored.triggers.is_empty() && self.stored.is_table {
            self.comments.push(format!(
                "Triggers run: `{}`; a column that one of them sets is `computed`.",
                self.stored.triggers.join("`, `")
            ));
        }
    }
}
