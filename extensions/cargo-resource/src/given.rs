//! The names that models share, each of which is given once.

use std::collections::HashMap;

use crate::code::module;
use crate::model::Read;
use crate::names::{Taken, numbered, pascal, words};

/// Names that were given.
pub(crate) struct Given {
    /// Structs and enums.
    pub(crate) types: Taken,
    /// Schemas in the description of the API.
    schemas: Taken,
    pub(crate) modules: Taken,
    pub(crate) urls: Taken,
    /// Each enum of PostgreSQL, by schema and name, with the name of its enum of Rust.
    pub(crate) enums: HashMap<(Option<String>, String), String>,
}

/// Names that a struct cannot have: those that fields of others use.
const TAKEN_TYPES: &str = "ApiBuilder ApiResource DateTime Decimal FieldValue NaiveDate NaiveDateTime NaiveTime Option \
                           Self String Utc Uuid Value Vec";

/// Names of schemas that every API has.
const TAKEN_SCHEMAS: &str = "Error Index Problem";

/// The ends of the names of the schemas that a resource may have.
const SCHEMAS: [&str; 4] = ["", "Create", "Update", "Page"];

/// Names that a module cannot have: words that are no raw identifiers, its own, and the package that is used beside it.
const TAKEN_MODULES: &str = "crate mod resource_runtime self super";

impl Given {
    pub(crate) fn new(version: &str) -> Self {
        let mut given = Self {
            types: Taken::of(TAKEN_TYPES),
            schemas: Taken::of(TAKEN_SCHEMAS),
            modules: Taken::of(TAKEN_MODULES),
            urls: Taken::default(),
            enums: HashMap::new(),
        };
        // A module in one of the same name is a riddle.
        given.modules.take(module(version));
        given
    }

    /// Reserves the names of schemas of enums: with a column `state`, orders leave no `OrderState` to another table.
    pub(crate) fn reserve_choices(&mut self, name: &str, read: &Read) {
        for (column, found) in read.stored.columns.iter().zip(&read.found) {
            if found
                .as_ref()
                .is_ok_and(|mapped| !mapped.choices.is_empty())
            {
                let choice = pascal(&words(&column.name));
                self.schemas.take(format!("{name}{choice}"));
            }
        }
    }

    /// The name of a struct, of which the description of the API makes further ones.
    pub(crate) fn structure(&mut self, name: String) -> String {
        let schemas = |name: &str| SCHEMAS.map(|end| format!("{name}{end}"));
        let name = numbered(name, "", |name| {
            let is_known = schemas(name).iter().any(|it| self.schemas.has(it));
            !is_known && !self.types.has(name)
        });
        for schema in schemas(&name) {
            self.schemas.take(schema);
        }
        self.types.take(name.clone());
        name
    }
}
