//! The order of tables in which they can be created: referenced tables first.

use crate::schema::{Identifier, Table};

/// The tables in an order in which references point to earlier tables. Only where tables reference each
/// other in a cycle, one reference of the cycle points to a later table.
pub(super) fn referenced_first(tables: &[Table]) -> Vec<Table> {
    let mut visit = Visit {
        tables,
        entered: Vec::new(),
        ordered: Vec::new(),
    };
    // The visit starts at each table in turn, so that tables without references keep their order.
    for table in tables {
        visit.place(table);
    }
    visit.ordered
}

struct Visit<'tables> {
    tables: &'tables [Table],
    entered: Vec<Identifier>,
    ordered: Vec<Table>,
}

impl Visit<'_> {
    /// Places a table behind its targets. It is marked before the targets are visited, so that a cycle ends.
    fn place(&mut self, table: &Table) {
        if self.entered.contains(&table.name) {
            return;
        }
        self.entered.push(table.name);
        // A table may refer to itself; it is marked already, so that this visit returns at once.
        for key in &table.foreign_keys {
            let mut tables = self.tables.iter();
            // Every target is among the tables here: a reference to any other was refused before.
            if let Some(target) = tables.find(|it| it.name == key.target) {
                self.place(target);
            }
        }
        // By now every target is in the list, but for one of a cycle whose visit has not ended.
        self.ordered.push(table.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::{Identifier, Table, referenced_first};
    use crate::schema::ForeignKey;

    /// The order of tables, each given with the tables that it references.
    fn order(tables: &[(&'static str, &[&'static str])]) -> Vec<&'static str> {
        let tables: Vec<Table> = tables
            .iter()
            .map(|(name, targets)| Table {
                name: Identifier::new(name),
                columns: Vec::new(),
                unique: Vec::new(),
                foreign_keys: targets.iter().map(|target| key_to(target)).collect(),
                indexes: Vec::new(),
                ..Table::new(Identifier::new(""), Vec::new())
            })
            .collect();
        let ordered = referenced_first(&tables);
        ordered.iter().map(|table| table.name.as_str()).collect()
    }

    fn key_to(target: &'static str) -> ForeignKey {
        ForeignKey {
            columns: Vec::new(),
            target: Identifier::new(target),
            target_columns: Vec::new(),
            on_delete: None,
        }
    }

    #[test]
    fn tables_without_references_keep_their_order() {
        assert_eq!(order(&[("b", &[]), ("a", &[])]), ["b", "a"]);
    }

    #[test]
    fn table_comes_after_those_that_it_references() {
        assert_eq!(
            order(&[("c", &["b", "a"]), ("b", &["a"]), ("a", &["a"])]),
            ["a", "b", "c"]
        );
    }

    #[test]
    fn cycle_is_cut_once_and_tables_that_reference_it_come_later() {
        assert_eq!(
            order(&[("c", &["a"]), ("a", &["b"]), ("b", &["a"])]),
            ["b", "a", "c"]
        );
    }
}
