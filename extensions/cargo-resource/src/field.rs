//! The fields of a model, one for each column that can be served.

use resource_runtime::schema::StoredColumn;

use crate::given::Given;
use crate::limits::limits;
use crate::model::{Enumeration, Field, Model};
use crate::names::{pascal, snake, words};
use crate::secrets::is_secret;
use crate::text::{code, is_visible};
use crate::types::{Found, Mapped, Role};

impl Model {
    /// Adds the field of a column, or leaves it out with the reason.
    pub(crate) fn add(&mut self, column: &StoredColumn, found: Found, given: &mut Given) {
        let mapped = found.and_then(|mapped| self.require_fit(column, mapped));
        let mut mapped = match mapped {
            Ok(mapped) => mapped,
            Err(remedy) => return self.ignore(column, &remedy),
        };
        let is_key = self.key.contains(&column.name);
        let name = self.name_of(column);
        if let Some(question) = &mapped.question {
            let place = format!("{}.{name}", self.name);
            self.questions.push(format!(
                "`{place}`: {question}; decide, and delete this line"
            ));
        }
        if mapped.is_rounded && self.stored.is_table {
            let comment = "Clients only read it, because the database rounds what is written.";
            mapped.comment = Some(comment.to_owned());
            self.require_value(column);
        }
        let mut field = Field {
            rust: mapped.rust.clone(),
            is_optional: column.nullable && !is_key,
            is_secret: is_secret(&self.stored, column, &mapped),
            keys: Vec::new(),
            description: column.comment.clone(),
            comments: mapped.comment.iter().cloned().collect(),
            column: column.name.clone(),
            name,
        };
        if is_key {
            let role = self.role_of_key(column, &field).into_iter();
            field.keys.extend(role.map(String::from));
            self.require_writable(column, &field);
        }
        if field.name != field.column {
            field.keys.push(format!("column = {:?}", field.column));
        }
        field.keys.extend(mapped.keys.iter().cloned());
        field.keys.extend(limits(column, &mapped));
        field.keys.extend(
            self.writing(column, &field, mapped.is_rounded)
                .map(String::from),
        );
        if !mapped.choices.is_empty() {
            field.rust.name = self.enumeration(column, mapped.choices, &field.name, given);
        }
        self.fields.push(field);
    }

    /// The name of the field for a column.
    fn name_of(&mut self, column: &StoredColumn) -> String {
        let mut columns = self.stored.columns.iter();
        let position = columns.position(|it| it.name == column.name);
        let otherwise = format!("column_{}", position.map_or(0, |position| position + 1));
        self.names.free(snake(&column.name, &otherwise), "_")
    }

    /// Offers no `create` where nobody but the database writes a part of the key.
    fn require_writable(&mut self, column: &StoredColumn, field: &Field) {
        // A key of one column is left to it.
        let is_part = column.is_generated && self.key.len() > 1;
        if is_part && self.stored.is_table && !self.is_given(column, field) {
            self.leave_out(&["create"]);
            self.comments.push(format!(
                "Items are not created, because nobody but the database writes `{}`, a part of the key.",
                column.name
            ));
        }
    }

    /// Fails if the column cannot be a field of this model.
    fn require_fit(&self, column: &StoredColumn, mapped: Mapped) -> Found {
        if column.name.is_empty() || !is_visible(&column.name) {
            let remedy =
                "its name is empty or has characters that nobody sees; a view can give it another";
            return Err(remedy.to_owned());
        }
        let is_same = |field: &Field| field.column.eq_ignore_ascii_case(&column.name);
        if self.fields.iter().any(is_same) {
            let remedy = "another column differs in case alone; a view can give it another name";
            return Err(remedy.to_owned());
        }
        if !self.stored.is_table && is_secret(&self.stored, column, &mapped) {
            return Err(String::from(
                "its name is that of a secret, and a view takes no writes",
            ));
        }
        Ok(mapped)
    }

    /// Leaves a column out.
    fn ignore(&mut self, column: &StoredColumn, remedy: &str) {
        self.ignored.push(column.name.clone());
        self.comments
            .push(format!("`{}` is left out: {remedy}.", column.name));
        self.require_value(column);
    }

    /// Offers no `create` where nothing gives a column that no client writes its value.
    fn require_value(&mut self, column: &StoredColumn) {
        if !column.nullable && !column.has_default && self.stored.is_table {
            self.leave_out(&["create"]);
            self.comments.push(format!(
                "Items are not created, because `{}` needs a value; if something else gives it one, allow `create`.",
                column.name
            ));
        }
    }

    /// The keys that make a field the primary key, or a part of it.
    fn role_of_key(&self, column: &StoredColumn, field: &Field) -> Vec<&'static str> {
        let is_single = self.key.len() == 1;
        // A field `id` is the primary key by itself.
        let named = (field.name != "id" || !is_single).then_some("primary_key");
        let is_assigned = is_single && !self.is_given(column, field) && !column.has_default;
        named
            .into_iter()
            .chain(is_assigned.then_some("assigned"))
            .collect()
    }

    /// Tests whether nobody but the database gives this key: an integer, or any of a view.
    fn is_given(&self, column: &StoredColumn, field: &Field) -> bool {
        let is_key = self.key == [column.name.as_str()];
        // Narrower ones are given by their default alone, or by the client.
        let is_integer = matches!(field.rust.role, Role::Integer(4..));
        // A key that is a reference as well is that of another row, which the client names.
        let mut references = self.stored.foreign_keys.iter();
        let is_reference = references.any(|key| key.columns.contains(&column.name));
        is_key && is_integer && !is_reference && (self.stored.assigns_key || !self.stored.is_table)
    }

    /// The key about how a field is written.
    fn writing(
        &self,
        column: &StoredColumn,
        field: &Field,
        is_rounded: bool,
    ) -> Option<&'static str> {
        if !self.stored.is_table || self.is_given(column, field) {
            None
        } else if is_rounded || (column.is_generated && !self.key.contains(&column.name)) {
            Some("computed")
        } else if field.is_secret {
            Some(if column.has_default {
                "write_only, default = database"
            } else {
                "write_only"
            })
        } else {
            column.has_default.then_some("default = database")
        }
    }

    /// The enum for the values of a column: that of a type of PostgreSQL is shared.
    fn enumeration(
        &mut self,
        column: &StoredColumn,
        choices: Vec<String>,
        field: &str,
        given: &mut Given,
    ) -> String {
        let shared = column.base.as_ref().filter(|base| !base.labels.is_empty());
        let shared = shared.map(|base| (base.schema.clone(), base.name.clone()));
        if let Some(known) = shared.as_ref().and_then(|shared| given.enums.get(shared)) {
            return known.clone();
        }
        let (origin, source) = if let Some((_, name)) = &shared {
            (format!("the type {}", code(name)), name.clone())
        } else {
            let place = format!("{}.{}", self.stored.name, column.name);
            (code(&place), format!("{}_{field}", self.name))
        };
        let name = given.types.free(pascal(&words(&source)), "");
        given
            .enums
            .extend(shared.map(|shared| (shared, name.clone())));
        self.enums.push(Enumeration {
            name: name.clone(),
            origin,
            choices,
        });
        name
    }
}
