//! The tables of all resources; versions that share a table are merged into one.

use super::Registration;
use super::keys::references;
use crate::schema::{Attribute, Bound, Column, Identifier, Peculiarity, ResourceDefinition, Table};

/// The tables that all registrations together need: the columns of versions that share a table
/// are merged, and each limit is the widest of them.
pub(super) fn merge(registrations: &[Registration], problems: &mut Vec<String>) -> Vec<Table> {
    // A list rather than a set keeps the order of registration, so that each start makes the same schema.
    let mut names: Vec<Identifier> = Vec::new();
    for registration in registrations {
        let name = registration.definition.table_identifier();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
        .into_iter()
        .map(|name| {
            let sharing = |it: &&Registration| it.definition.table_identifier() == name;
            // The versions keep the order of registration, which is that of the columns as well.
            let versions: Vec<&Registration> = registrations.iter().filter(sharing).collect();
            table(name, &versions, registrations, problems)
        })
        .collect()
}

fn table(
    name: Identifier,
    versions: &[&Registration],
    all: &[Registration],
    problems: &mut Vec<String>,
) -> Table {
    // Columns are merged one by one, so that each contradiction is told with its attribute.
    let mut table = Table::new(name, Vec::new());
    for (index, version) in versions.iter().enumerate() {
        let earlier = versions.get(..index).unwrap_or_default();
        for attribute in version.definition.all_attributes() {
            let merged = merge_column(&mut table.columns, attribute);
            // A contradiction does not end the merge, so that all of them are told at once.
            let contradiction = merged.err();
            problems.extend(
                contradiction.map(|what| conflicting_column(version, attribute, earlier, what)),
            );
            problems.extend(required_missing_in_sibling(version, attribute, versions));
            problems.extend(unreadable(version, attribute, versions));
        }
        problems.extend(undeleted_in_sibling(version, earlier));
        problems.extend(other_key_in_sibling(version, earlier));
        problems.extend(otherwise_made_in_sibling(version, earlier));
        problems.extend(otherwise_written_in_sibling(version, earlier));
        add_terms(&mut table, version.definition);
        // Keys follow the columns, since they name columns of this version alone.
        add_keys(&mut table, version.definition);
    }
    // Nothing points from a view, and it has no indexes.
    if table.view {
        table.foreign_keys.clear();
        table.indexes.clear();
        return table;
    }
    table.indexes.extend(collected(name, all));
    // The needed indexes are known only once the unique sets and keys of all versions are there.
    index(&mut table);
    table
}

/// Adds the terms on which a version uses the table.
fn add_terms(table: &mut Table, version: &ResourceDefinition) {
    table.existing |= version.is_existing() || version.is_view();
    table.view |= version.is_view();
    table.accepted = version.accepted();
    table.ignored.extend(version.ignored_columns());
    for operation in version.offered_operations() {
        add(&mut table.operations, *operation);
    }
}

fn merge_column(columns: &mut Vec<Column>, attribute: &Attribute) -> Result<(), &'static str> {
    let new = Column::of(attribute);
    // SQLite treats columns that differ only in case as one.
    let same = |name: Identifier| name.as_str().eq_ignore_ascii_case(new.name.as_str());
    let Some(known) = columns.iter_mut().find(|it| same(it.name)) else {
        // The first version with this column defines it; later ones are compared with it.
        columns.push(new);
        return Ok(());
    };
    // Where versions disagree on any of these, no column serves both of them.
    if known.name != new.name {
        return Err("the columns differ in case alone");
    }
    if known.kind != new.kind {
        return Err("the column is of another type there");
    }
    if known.storage != new.storage {
        return Err("the column holds its values in another form there");
    }
    if known.primary_key != new.primary_key {
        return Err("only one of them calls it the primary key");
    }
    if known.assigned_by_database != new.assigned_by_database {
        return Err("only one of them has its keys assigned by the database");
    }
    if known.default != new.default {
        return Err("only one of them calls it the revision");
    }
    // The column is as wide as the widest version; each version still checks its own limits before a write.
    widen(known, &new);
    Ok(())
}

/// Takes the values of another version, too.
fn widen(known: &mut Column, new: &Column) {
    known.nullable |= new.nullable;
    if known.constant_default.is_none() {
        known.constant_default.clone_from(&new.constant_default);
    }
    known.min_length = wider(known.min_length, new.min_length, u32::min);
    known.max_length = wider(known.max_length, new.max_length, u32::max);
    known.min = wider(known.min, new.min, |one, other| pick(one, other, false));
    known.max = wider(known.max, new.max, |one, other| pick(one, other, true));
    known.names = union(&known.names, &new.names);
}

/// The values that answers of a version may hold: those that it declares, and those that others take in its column.
pub fn answered(
    definition: &ResourceDefinition,
    attribute: &Attribute,
    all: &[&ResourceDefinition],
) -> Column {
    let mut column = Column::of(attribute.declared());
    for other in all {
        if other.table_identifier() == definition.table_identifier()
            && let Some(other) = other.stored_in(attribute.identifier())
        {
            widen(&mut column, &Column::of(other));
        }
    }
    column.max_length = attribute.truncation().or(column.max_length);
    column
}

/// The wider of two limits; none where one version has no limit.
fn wider<T>(one: Option<T>, other: Option<T>, pick: impl Fn(T, T) -> T) -> Option<T> {
    Some(pick(one?, other?))
}

/// The names of both versions; none where one version takes any text.
fn union(one: &[&'static str], other: &[&'static str]) -> Vec<&'static str> {
    if one.is_empty() || other.is_empty() {
        return Vec::new();
    }
    // The order is that of the first version with new names behind it, so that each start makes the same
    // check.
    let further = other.iter().filter(|name| !one.contains(name));
    one.iter().chain(further).copied().collect()
}

fn pick(one: Bound, other: Bound, greater: bool) -> Bound {
    // Of two equal bounds either will do.
    if one.exceeds(other) == greater {
        one
    } else {
        other
    }
}

fn add_keys(table: &mut Table, definition: &ResourceDefinition) {
    table.deleted = deleted_column(definition).or(table.deleted);
    // Versions that share a table mostly declare the same keys, each of which is added once.
    column_sets(definition, Attribute::is_unique, definition.unique_sets())
        .for_each(|columns| add(&mut table.unique, columns));
    // References are foreign keys of the table, whichever version declares them.
    for reference in references(definition) {
        // Versions that do not agree on what a key does are told of.
        if !table
            .foreign_keys
            .iter()
            .any(|it| it.is_same(&reference.key) && it.on_delete != reference.key.on_delete)
        {
            add(&mut table.foreign_keys, reference.key);
        }
    }
    column_sets(definition, Attribute::is_indexed, definition.index_sets())
        .chain(owned(definition))
        .for_each(|columns| add(&mut table.indexes, columns));
}

/// The columns of the attributes that are a set alone, and of the sets of several.
fn column_sets(
    definition: &ResourceDefinition,
    is_alone: fn(&Attribute) -> bool,
    several: &[&[&str]],
) -> impl Iterator<Item = Vec<Identifier>> {
    // Both forms become lists of columns, as the table makes no difference between them.
    let attributes = definition.all_attributes().iter();
    let alone = attributes.filter(move |attribute| is_alone(attribute));
    let alone = alone.map(|attribute| vec![attribute.identifier()]);
    let several = several.iter().map(|names| {
        let attributes = names.iter().filter_map(|name| definition.find(name));
        attributes
            .map(|(_, attribute)| attribute.identifier())
            .collect()
    });
    alone.chain(several)
}

/// The columns of an index that finds the items of an owner in the default order of a list.
fn owned(definition: &ResourceDefinition) -> Option<Vec<Identifier>> {
    // Every list of a bound caller is restricted to their rows and ordered by the key, unless they say
    // otherwise.
    let (_, owner) = definition.owner_attribute()?;
    // The key behind the owner spares a sort of the rows that are found.
    Some(before_key([owner], definition))
}

/// The columns of an index that finds the items with values of these attributes in the order of their key.
fn before_key(
    attributes: impl IntoIterator<Item = &'static Attribute>,
    definition: &ResourceDefinition,
) -> Vec<Identifier> {
    let mut columns = Vec::new();
    for attribute in attributes.into_iter().chain(definition.key_attributes()) {
        // One of them may be a part of the key itself.
        add(&mut columns, attribute.identifier());
    }
    columns
}

/// The columns of indexes that find the items of a collection in their default order.
fn collected(name: Identifier, all: &[Registration]) -> impl Iterator<Item = Vec<Identifier>> {
    let collections = all.iter().flat_map(|it| it.definition.all_collections());
    let collections = collections.filter(move |it| it.target().table_identifier() == name);
    collections.map(|it| before_key(it.attributes(), it.target()))
}

/// Adds indexes where no other serves: those that are declared, and one for each foreign key, since
/// without it every delete of a referenced row would read the whole referring table.
fn index(table: &mut Table) {
    let keys = table.foreign_keys.iter().map(|key| key.columns.clone());
    // The declared indexes are taken out, so that those come back which nothing else serves.
    let wanted: Vec<Vec<Identifier>> = table.indexes.drain(..).chain(keys).collect();
    for columns in &wanted {
        // A longer index that begins with the same columns finds the rows as well.
        let served = table.finds_by(columns)
            || wanted
                .iter()
                .any(|other| other.len() > columns.len() && other.starts_with(columns));
        if !served {
            add(&mut table.indexes, columns.clone());
        }
    }
}

fn add<T: PartialEq>(members: &mut Vec<T>, member: T) {
    if !members.contains(&member) {
        members.push(member);
    }
}

/// The attributes in the same table that only other versions have and that are `wanted`: a write through
/// this version sets them, too.
pub fn attributes_of_other_versions(
    definition: &ResourceDefinition,
    registrations: &[Registration],
    wanted: fn(&Attribute) -> bool,
) -> Vec<&'static Attribute> {
    // The rows are shared, so that what another version would set by default is set by every write.
    let mut of_other_versions: Vec<&'static Attribute> = Vec::new();
    // Only registered versions count: without routes, no other version writes to the table.
    let sharing = registrations
        .iter()
        .map(|registration| registration.definition)
        .filter(|other| other.table_identifier() == definition.table_identifier());
    for attribute in sharing.flat_map(ResourceDefinition::all_attributes) {
        // A column that this version has is set through its own attribute. Where several other versions
        // have it, the one registered first decides.
        let column = attribute.identifier();
        let known = of_other_versions.iter().any(|it| it.identifier() == column);
        if wanted(attribute) && !known && definition.stored_in(column).is_none() {
            of_other_versions.push(attribute);
        }
    }
    of_other_versions
}

fn conflicting_column(
    version: &Registration,
    attribute: &Attribute,
    earlier: &[&Registration],
    what: &str,
) -> String {
    let column = attribute.identifier();
    let mut earlier = earlier.iter();
    // Where the names differ in case alone, no earlier version has this very column.
    let other = earlier.find(|other| other.definition.stored_in(column).is_some());
    let other = other.map_or("another version", |other| other.type_name);
    format!(
        "`{}.{}` contradicts `{other}` in the table `{}`, which they share: {what}; \
         give one of them another `column` or `table`",
        version.type_name,
        attribute.name(),
        version.definition.table_identifier().as_str(),
    )
}

fn deleted_column(definition: &ResourceDefinition) -> Option<Identifier> {
    let (_, attribute) = definition.deletion_attribute()?;
    Some(attribute.identifier())
}

/// Refuses a version that would show, or remove, the items that another version deletes softly.
fn undeleted_in_sibling(version: &Registration, earlier: &[&Registration]) -> Option<String> {
    let column = deleted_column(version.definition);
    let mut earlier = earlier.iter();
    let other = earlier.find(|other| deleted_column(other.definition) != column)?;
    Some(format!(
        "`{}` and `{}` share the table `{}`, but not the field of `soft_delete`; give both the same, or one of \
         them another `table`",
        other.type_name,
        version.type_name,
        version.definition.table_identifier().as_str(),
    ))
}

/// Refuses a version whose key lacks a part that another version's has: its keys would find several items.
fn other_key_in_sibling(version: &Registration, earlier: &[&Registration]) -> Option<String> {
    let lacks_part = |of: &Registration, other: &Registration| {
        let mut parts = of.definition.key_attributes();
        // A column that only one of them calls a key has a problem of its own.
        parts.any(|it| other.definition.stored_in(it.identifier()).is_none())
    };
    let mut earlier = earlier.iter();
    let other = earlier.find(|it| lacks_part(it, version) || lacks_part(version, it))?;
    Some(format!(
        "`{}` and `{}` share the table `{}`, but not the columns of its primary key; give both the same, or one of \
         them another `table`",
        other.type_name,
        version.type_name,
        version.definition.table_identifier().as_str(),
    ))
}

/// Refuses versions that do not agree on who made the table, or on what they accept of it.
fn otherwise_made_in_sibling(version: &Registration, earlier: &[&Registration]) -> Option<String> {
    let accepts = |it: &ResourceDefinition, peculiarity| it.accepts(peculiarity);
    let terms = |it: &ResourceDefinition| {
        [
            (it.is_existing(), "`existing`"),
            (it.is_view(), "`view`"),
            (
                accepts(it, Peculiarity::DeferredKeys),
                "`accept(\"deferred_keys\")`",
            ),
            (
                accepts(it, Peculiarity::UnenforcedReferences),
                "`accept(\"unenforced_references\")`",
            ),
            (
                accepts(it, Peculiarity::RowSecurity),
                "`accept(\"row_security\")`",
            ),
        ]
    };
    let mut pairs = earlier.iter().flat_map(|other| {
        let both = terms(other.definition)
            .into_iter()
            .zip(terms(version.definition));
        both.map(move |terms| (other, terms))
    });
    let (other, ((_, key), _)) = pairs.find(|(_, (one, other))| one.0 != other.0)?;
    Some(format!(
        "`{}` and `{}` share the table `{}`, but only one of them has {key}; give it to both, or one of them another \
         `table`",
        other.type_name,
        version.type_name,
        version.definition.table_identifier().as_str(),
    ))
}

/// Refuses columns that two versions let the database write in different ways.
fn otherwise_written_in_sibling(
    version: &Registration,
    earlier: &[&Registration],
) -> Option<String> {
    let mut attributes = version.definition.all_attributes().iter();
    let (attribute, other, key) = attributes.find_map(|attribute| {
        earlier.iter().find_map(|other| {
            let known = other.definition.stored_in(attribute.identifier())?;
            let key = differing_key(known, attribute);
            let acts_otherwise =
                || acts_otherwise(attribute, version, other).then_some("on_delete");
            Some((attribute, other, key.or_else(acts_otherwise)?))
        })
    })?;
    Some(format!(
        "`{}` and `{}` share a column of the table `{}`, but not its `{key}`; give both fields the same",
        other.type_name,
        place(version, attribute),
        version.definition.table_identifier().as_str(),
    ))
}

/// The key about writes of the database that only one of the attributes has, or has otherwise.
fn differing_key(one: &Attribute, other: &Attribute) -> Option<&'static str> {
    let is_defaulted = Attribute::has_default_of_database;
    let keys = [
        ("computed", one.is_computed() != other.is_computed()),
        (
            "default = database",
            is_defaulted(one) != is_defaulted(other),
        ),
    ];
    let differing = keys.into_iter().find(|(_, differs)| *differs);
    differing.map(|(key, _)| key)
}

/// Tests whether two versions have a foreign key, of which the attribute is the first part, with other actions.
fn acts_otherwise(attribute: &Attribute, one: &Registration, other: &Registration) -> bool {
    // A version need not declare the reference.
    let theirs = references(other.definition);
    let mine = references(one.definition).into_iter().map(|it| it.key);
    let mut mine = mine.filter(|it| it.columns.first() == Some(&attribute.identifier()));
    mine.any(|mine| {
        let mut same = theirs.iter().filter(|it| it.key.is_same(&mine));
        same.any(|it| it.key.on_delete != mine.on_delete)
    })
}

/// Refuses a required attribute that another version lacks, because that version could create no item.
fn required_missing_in_sibling(
    version: &Registration,
    attribute: &Attribute,
    versions: &[&Registration],
) -> Option<String> {
    let column = attribute.identifier();
    let mut versions = versions.iter();
    // The version itself has the column, so that only other versions can lack it.
    let lacking = versions.find(|other| other.definition.stored_in(column).is_none());
    let lacking = lacking.filter(|_| attribute.is_required())?;
    Some(format!(
        "`{}.{}` is required, but `{}` shares its table and has no such attribute; \
         make it an `Option`, add `default = …`, or give one of them another `table`",
        version.type_name,
        attribute.name(),
        lacking.type_name,
    ))
}

/// Refuses a validator whose struct cannot hold the items that other versions store.
fn unreadable(
    version: &Registration,
    attribute: &Attribute,
    versions: &[&Registration],
) -> Option<String> {
    // Without a validator, no request builds a struct from a row.
    version.validator.as_ref()?;
    let mut others = versions.iter().filter_map(|other| {
        // A version without the column leaves a default or null in it, which `required_missing_in_sibling`
        // has judged.
        let known = other.definition.stored_in(attribute.identifier())?;
        Some((other, known, stores_beyond(known, attribute)?))
    });
    let (other, known, what) = others.next()?;
    Some(format!(
        "`{}` has a validator, but cannot hold the items in which `{}` is {what}; let both have \
         the same type, or give one of them another `table`",
        version.type_name,
        place(other, known),
    ))
}

/// A value that `other` stores in the shared column and `attribute` cannot hold, in words.
fn stores_beyond(other: &Attribute, attribute: &Attribute) -> Option<String> {
    if other.is_nullable() && !attribute.is_nullable() {
        return Some(String::from("null"));
    }
    // An enum that knows fewer names than the other version cannot be built from a row with one of the rest.
    let names = attribute.names();
    let mut beyond = other.names().iter().filter(|name| !names.contains(name));
    match beyond.next() {
        // A version that takes any text holds every name of the other.
        _ if names.is_empty() => None,
        Some(name) => Some(format!("`{name}`")),
        // The other version takes any text, this one only its names.
        None if other.names().is_empty() => Some(String::from("any text")),
        None => None,
    }
}

/// The name of an attribute for people: `my_crate::User.password`.
fn place(version: &Registration, attribute: &Attribute) -> String {
    format!("{}.{}", version.type_name, attribute.name())
}

#[cfg(test)]
mod tests {
    use super::union;

    #[test]
    fn names_are_those_of_all_versions_unless_one_takes_any_text() {
        assert_eq!(
            union(&["red", "green"], &["green", "blue"]),
            ["red", "green", "blue"]
        );
        assert_eq!(union(&["red"], &[]), [""; 0]);
        assert_eq!(union(&[], &["red"]), [""; 0]);
    }
}
