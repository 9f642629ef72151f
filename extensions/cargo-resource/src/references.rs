//! The references between models, each with its subresource.

use resource_runtime::schema::{ReferentialAction, StoredForeignKey, StoredTable};

use crate::model::{Field, Model, Models};
use crate::names::{identifier, words};

/// A foreign key as references of fields.
struct Reference {
    target: String,
    /// The positions of the fields, each with its key.
    fields: Vec<(usize, String)>,
}

/// The table that a key points at, with its schema where the name alone would be another table.
fn shown(key: &StoredForeignKey) -> String {
    match &key.target_schema {
        Some(schema) if !key.is_target_visible => format!("{schema}.{}", key.target),
        _ => key.target.clone(),
    }
}

/// Tests whether a key points at the table of a model: all are of one schema, in which another table may have the name.
fn is_target(model: &Model, key: &StoredForeignKey) -> bool {
    // SQLite, which has no schemas, cares for no case.
    let is_sqlite = key.target_schema.is_none();
    let is_like = is_sqlite && model.stored.name.eq_ignore_ascii_case(&key.target);
    is_like || (key.is_target_visible && model.stored.name == key.target)
}

/// The reason for which a model cannot declare a reference that the database has.
fn unfit(
    key: &StoredForeignKey,
    from: &StoredTable,
    own: &Field,
    to: &StoredTable,
    far: &Field,
) -> Option<String> {
    if let Some(action) = key.on_update.filter(|_| !key.is_to_primary_key) {
        return Some(format!(
            "which an update may change, and this row with it (`ON UPDATE {}`)",
            action.sql()
        ));
    }
    let of = |table: &StoredTable, field: &Field| {
        let mut columns = table.columns.iter();
        // SQLite joins texts of different collations.
        let column = columns.find(|column| column.name == field.column && column.base.is_some());
        column.map(|column| column.collation.clone())
    };
    let (own, far) = (of(from, own)?, of(to, far)?);
    (own != far)
        .then(|| format!("whose collation is `{far}`, not `{own}`; a view can give both the same"))
}

/// Tests whether no two rows share the values of the columns, without which SQLite refuses what writes a reference.
fn is_unique(table: &StoredTable, columns: &[String]) -> bool {
    let is_same = |set: &[String]| {
        let mut names = columns.iter();
        set.len() == columns.len()
            && names.all(|name| set.iter().any(|it| it.eq_ignore_ascii_case(name)))
    };
    let mut plain = table.unique.iter().filter(|it| it.is_plain());
    is_same(&table.primary_key) || plain.any(|it| is_same(&it.columns))
}

impl Models {
    /// Adds the references of all models.
    pub(crate) fn refer(&mut self) {
        for index in 0..self.models.len() {
            let references = self.models.get(index).map(|model| self.references(model));
            if let Some((model, references)) = self.models.get_mut(index).zip(references) {
                let table = model.stored.name.clone();
                let silent = references
                    .into_iter()
                    .filter_map(|(key, reference)| (!model.refer(&key, reference)).then_some(key));
                let silent: Vec<StoredForeignKey> = silent.collect();
                for key in &silent {
                    self.keep_target(&table, key);
                }
            }
        }
    }

    /// Offers no `delete` of items whose deletion would change others by a foreign key that is no reference.
    fn keep_target(&mut self, table: &str, key: &StoredForeignKey) {
        let target = self.models.iter_mut().find(|it| is_target(it, key));
        let (Some(target), Some(action)) = (target, key.on_delete) else {
            return;
        };
        if target.stored.is_table && target.operations.contains(&"delete") {
            target.leave_out(&["delete"]);
            target.comments.push(format!(
                "Items are not deleted, because rows of `{table}` would change with them (`ON DELETE {}` of `{}`), of which no \
                 reference tells.",
                action.sql(),
                key.columns.join("`, `")
            ));
        }
    }

    /// The foreign keys in the order of their columns, each with its fields, or the reason for which it has none.
    fn references(&self, model: &Model) -> Vec<(StoredForeignKey, Result<Reference, String>)> {
        let mut keys = model.stored.foreign_keys.clone();
        let position = |name: &String| {
            let mut columns = model.stored.columns.iter();
            columns.position(|column| column.name == *name)
        };
        keys.sort_by_key(|key| key.columns.iter().map(position).collect::<Vec<_>>());
        keys.dedup_by(|one, other| one.columns == other.columns && one.target == other.target);
        let references = keys.into_iter().map(|key| {
            let reference = self.reference(model, &key);
            (key, reference)
        });
        references.collect()
    }

    fn reference(&self, model: &Model, key: &StoredForeignKey) -> Result<Reference, String> {
        let target = self.models.iter().find(|it| is_target(it, key));
        let target =
            target.ok_or_else(|| format!("References `{}`, which is not served.", shown(key)))?;
        if !is_unique(&target.stored, &key.target_columns) {
            return Err(format!(
                "References `{}` of `{}`, which no unique index covers; add one.",
                key.target_columns.join("`, `"),
                shown(key)
            ));
        }
        // One part tells the action of the key, but for one that sets some of them alone.
        let own = own_columns(key, &model.stored.foreign_keys);
        let one = own.last().copied().or(key.columns.last());
        let telling = |column: &String| match key.set_on_delete.as_slice() {
            [] => one == Some(column),
            set => set.contains(column),
        };
        let pairs = key.columns.iter().zip(&key.target_columns);
        let fields = pairs.map(|(own, far)| {
            let position = model.fields.iter().position(|field| field.column == *own);
            let own = position.and_then(|position| Some((position, model.fields.get(position)?)));
            let far = target
                .fields
                .iter()
                .find(|field| field.column.eq_ignore_ascii_case(far));
            let Some(((position, own), far)) = own.zip(far) else {
                return Err(format!(
                    "References a column of `{}` that is left out.",
                    key.target
                ));
            };
            if !own.rust.points_at(&far.rust) {
                return Err(format!(
                    "References `{}.{}`, whose type is `{}`.",
                    key.target, far.column, far.rust.name
                ));
            }
            if let Some(reason) = unfit(key, &model.stored, own, &target.stored, far) {
                return Err(format!(
                    "References `{}.{}`, {reason}.",
                    key.target, far.column
                ));
            }
            let name = &target.name;
            let is_key = key.columns.len() == 1 && target.key == [far.column.as_str()];
            let attribute = (!is_key).then(|| identifier(&far.name));
            let action = key.on_delete.filter(|_| telling(&own.column));
            let action = action.map(ReferentialAction::word);
            let action = action.map(|word| format!("on_delete = {word:?}"));
            let further: Vec<_> = attribute.into_iter().chain(action).collect();
            let reference = if further.is_empty() {
                format!("references = {name}")
            } else {
                format!("references({name}, {})", further.join(", "))
            };
            Ok((position, reference))
        });
        Ok(Reference {
            target: target.name.clone(),
            fields: fields.collect::<Result<_, _>>()?,
        })
    }
}

impl Model {
    /// Fails if a field points at the target already, at another column of it: a field does so once.
    fn require_single(&self, reference: Reference) -> Result<Reference, String> {
        let target = &reference.target;
        let to_target = [
            format!("references({target},"),
            format!("references = {target}"),
        ];
        let points_elsewhere = |(position, own): &(usize, String)| {
            let field = self.fields.get(*position);
            let mut keys = field.into_iter().flat_map(|field| &field.keys);
            keys.any(|key| key != own && (key.starts_with(&to_target[0]) || *key == to_target[1]))
        };
        if reference.fields.iter().any(points_elsewhere) {
            return Err(format!(
                "A further key to `{target}` is no reference: a field points at one column of it."
            ));
        }
        Ok(reference)
    }

    /// Adds a reference to its fields, or says why there is none; returns whether there is one.
    fn refer(&mut self, key: &StoredForeignKey, reference: Result<Reference, String>) -> bool {
        let reference = match reference.and_then(|it| self.require_single(it)) {
            Ok(reference) => reference,
            Err(comment) => {
                let mut fields = self.fields.iter_mut();
                if let Some(field) = fields.find(|field| key.columns.contains(&field.column)) {
                    field.comments.push(comment);
                }
                return false;
            }
        };
        let mut names = Vec::new();
        for (position, reference) in &reference.fields {
            if let Some(field) = self.fields.get_mut(*position) {
                // A part that several keys to one table share points at it once.
                if !field.keys.contains(reference) {
                    add(field, reference);
                }
                names.push(field.name.clone());
            }
        }
        // A reference of several fields has an index of them anyway.
        let index = format!("index({})", names.join(", "));
        self.sets.retain(|set| *set != index);
        let own = own_columns(key, &self.stored.foreign_keys);
        let telling = match (&*key.columns, &*own) {
            ([only], _) => Some(only),
            (_, [only]) => Some(*only),
            _ => None,
        };
        let telling = telling.and_then(|column| self.fields.iter().find(|it| it.column == *column));
        let name = subresource_name(telling.map(|it| &*it.name), &reference.target);
        let name = self.names.free(name, "_");
        let fields = match names.as_slice() {
            [name] => format!("{name:?}"),
            names => format!("{names:?}"),
        };
        self.subresources
            .push(format!("{} = {fields}", identifier(&name)));
        self.targets.insert(reference.target);
        true
    }
}

/// The columns of a key that no other key to the same table has, as a tenant is part of many.
fn own_columns<'key>(key: &'key StoredForeignKey, all: &[StoredForeignKey]) -> Vec<&'key String> {
    let is_other = |it: &&StoredForeignKey| it.target == key.target && it.columns != key.columns;
    let others: Vec<_> = all.iter().filter(is_other).collect();
    let is_own = |column: &&String| !others.iter().any(|other| other.columns.contains(column));
    key.columns.iter().filter(is_own).collect()
}

/// Adds a reference to a field, behind its role; it has an index anyway.
fn add(field: &mut Field, reference: &str) {
    let role = field
        .keys
        .iter()
        .take_while(|it| ["primary_key", "assigned"].contains(&it.as_str()));
    let position = role.count();
    field.keys.insert(position, reference.to_owned());
    field.keys.retain(|key| key != "index");
}

/// The name of a subresource: `album_id` gives `album`, another field its name with that of the target, and several fields
/// that of the target.
fn subresource_name(field: Option<&str>, target: &str) -> String {
    let target = words(target).join("_");
    let Some(field) = field else {
        return target;
    };
    match field.strip_suffix("_id").filter(|name| !name.is_empty()) {
        Some(name) => name.to_owned(),
        None if field == "id" => target,
        // `user` that references a `User` would be `user_user`.
        None if field.ends_with(&target) => format!("{field}_item"),
        None => format!("{field}_{target}"),
    }
}
