//! The keys of a struct, beyond those of its fields.

use std::collections::BTreeSet;

use crate::model::{Model, OPERATIONS};

/// The greatest length of a key of a struct on one line.
const LINE: usize = 80;

impl Model {
    /// Adds the sets of unique columns, and the indexes that filters use.
    pub(crate) fn add_sets(&mut self) {
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
        let operations = self.operations.iter().map(|it| (*it).to_owned());
        let operations: Vec<String> = operations
            .filter(|_| self.operations != OPERATIONS)
            .collect();
        [
            Some(self.head.clone()),
            list("ignore", &quoted(&self.ignored)),
        ]
        .into_iter()
        .chain([
            list("operations", &operations),
            list("accept", &quoted(&accepted)),
        ])
        .flatten()
        .chain(self.subresource_keys())
        .chain(self.sets.iter().cloned())
        .collect()
    }

    /// The subresources, in a key each where several fields of one would be torn apart by the end of a line.
    fn subresource_keys(&self) -> Vec<String> {
        let key = |subresources: &[String]| format!("subresource({})", subresources.join(", "));
        let has_several = self.subresources.iter().any(|it| it.contains('['));
        let together = key(&self.subresources);
        match self.subresources.as_slice() {
            [] => Vec::new(),
            several if has_several && together.len() > LINE => several
                .iter()
                .map(|it| key(std::slice::from_ref(it)))
                .collect(),
            _ => vec![together],
        }
    }
}
