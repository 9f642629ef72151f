use super::Difference::{self, Fatal, Tolerable};
use super::sides::{Sides, columns, listed};
use crate::plan;
use crate::schema::{Attribute, Identifier, ResourceDefinition};

pub(super) fn primary_key(sides: Sides<'_>) -> Option<Difference> {
    let key = sides.needed.columns.iter().find(|it| it.primary_key)?;
    let needed = key.name;
    let stored: Vec<&str> = sides
        .stored
        .primary_key
        .iter()
        .map(String::as_str)
        .collect();
    let is_same = stored == [needed.as_str()];
    let table = sides.table();
    let found = if stored.is_empty() {
        format!("the table `{table}` has no primary key")
    } else if !is_same {
        format!(
            "the primary key of the table `{table}` is {}",
            listed(stored)
        )
    } else if key.assigned_by_database && !sides.stored.assigns_key {
        format!(
            "the database does not assign the primary key {}",
            sides.place(needed)
        )
    } else {
        return None;
    };
    let version = sides.version_whose(needed, Attribute::is_primary_key);
    let needed = if is_same {
        String::from("that it does")
    } else {
        format!("`{}`", needed.as_str())
    };
    Some(Fatal(format!(
        "{found}, but {version} needs {needed}; rebuild the table with the primary key of \
         `schema_sql`"
    )))
}

/// A unique set of fewer columns would do for uniqueness, but refuses what is allowed.
pub(super) fn not_unique(sides: Sides<'_>) -> impl Iterator<Item = Difference> {
    let key = std::slice::from_ref(&sides.stored.primary_key);
    let is_there = move |set: &Vec<Identifier>| {
        let mut stored = sides.stored.unique.iter().chain(key);
        stored.any(|stored| {
            let has = |column: &Identifier| stored.iter().any(|it| it == column.as_str());
            stored.len() == set.len() && set.iter().all(has)
        })
    };
    let sets = sides.needed.unique.iter();
    let missing = sets.filter(move |set| !is_there(set));
    missing.map(move |set| {
        let what = if set.len() == 1 {
            "it unique"
        } else {
            "them unique together"
        };
        let statement = plan::create_unique_index(sides.dialect, sides.needed, set);
        Fatal(format!(
            "the table `{}` lets rows share {}, but {} calls {what}; forbid it with `{}`",
            sides.table(),
            columns(set),
            sides.version_that(|definition| is_unique_in(definition, set)),
            statement.text()
        ))
    })
}

fn is_unique_in(definition: &ResourceDefinition, set: &[Identifier]) -> bool {
    let identifier = |name: &&str| definition.find(name).map(|(_, it)| it.identifier());
    let mut sets = definition.unique_sets().iter();
    let mut attributes = definition.all_attributes().iter();
    attributes.any(|it| it.is_unique() && set == [it.identifier()])
        || sets.any(|names| names.iter().filter_map(identifier).eq(set.iter().copied()))
}

pub(super) fn missing_indexes(sides: Sides<'_>) -> impl Iterator<Item = Difference> {
    let is_there = move |needed: &Vec<Identifier>| {
        let mut indexes = sides.stored.indexes.iter();
        indexes.any(|stored| {
            let stored = stored.iter().take(needed.len());
            stored.eq(needed.iter().map(|column| column.as_str()))
        })
    };
    let indexes = sides.needed.indexes.iter();
    let missing = indexes.filter(move |needed| !is_there(needed));
    missing.map(move |needed| {
        let statement = plan::create_index(sides.dialect, sides.needed, needed);
        Tolerable(format!(
            "the table `{}` has no index on {}, so that finding rows by it reads all of them; \
             create it with `{}`",
            sides.table(),
            columns(needed),
            statement.text()
        ))
    })
}
