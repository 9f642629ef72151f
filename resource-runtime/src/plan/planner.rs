use std::ptr;

use super::item::write_item;
use super::kept::{Kept, written};
use super::page::{KeptPage, page};
use super::write::{write_delete, write_insert};
use super::{Dialect, PageRead, Statement, Target};
use crate::guard::View;
use crate::query::{ListQuery, Selection};
use crate::schema::{Attribute, ResourceDefinition};
use crate::value::{Record, Value};

/// Plans how one resource is read, and how its items come and go. The texts of plain requests, which
/// most are, are written once; each request adds its values to them.
#[derive(Debug)]
pub(crate) struct Planner {
    dialect: Dialect,
    definition: &'static ResourceDefinition,
    /// What versions in the same table have beside this one's attributes, with a default.
    elsewhere: Vec<&'static Attribute>,
    item: Kept,
    page: KeptPage,
    insert: Kept,
    delete: Kept,
}

impl Planner {
    pub(crate) fn new(dialect: Dialect, definition: &'static ResourceDefinition) -> Self {
        Self {
            dialect,
            definition,
            elsewhere: Vec::new(),
            item: Kept::default(),
            page: KeptPage::default(),
            insert: Kept::default(),
            delete: Kept::default(),
        }
    }

    /// Beside versions that have these attributes in the same table, with a default.
    pub(crate) fn beside(self, elsewhere: Vec<&'static Attribute>) -> Self {
        Self { elsewhere, ..self }
    }

    /// Reads the selected columns of the item `id`; without a selection, all that clients may read.
    pub(crate) fn item(
        &self,
        view: View<'_>,
        id: &Value,
        selection: Option<&Selection>,
    ) -> Statement {
        let is_plain = selection.is_none() && self.has_all_rows(view);
        written(self.dialect, is_plain.then_some(&self.item), |writer| {
            write_item(writer, view, id, selection);
        })
    }

    /// Reads one page of the collection.
    pub(crate) fn page(&self, view: View<'_>, query: &ListQuery) -> PageRead {
        let is_plain = query.is_plain() && self.has_all_rows(view);
        page(self.dialect, is_plain.then_some(&self.page), view, query)
    }

    /// Stores a new item, where all targets are there; answers its key.
    pub(crate) fn insert(&self, record: &mut Record, targets: &[Target<'_>]) -> Statement {
        let is_plain = targets.is_empty();
        written(self.dialect, is_plain.then_some(&self.insert), |writer| {
            write_insert(writer, self.definition, record, &self.elsewhere, targets);
        })
    }

    /// Removes the item `id`.
    pub(crate) fn delete(&self, view: View<'_>, id: &Value) -> Statement {
        let is_plain = self.has_all_rows(view);
        written(self.dialect, is_plain.then_some(&self.delete), |writer| {
            write_delete(writer, view, id);
        })
    }

    /// Another definition has other columns, and an owner's rows are found by a condition. Who must not
    /// know of every attribute comes with a selection, and is not plain for that.
    fn has_all_rows(&self, view: View<'_>) -> bool {
        ptr::eq(view.definition(), self.definition) && view.rows().are_all()
    }
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use super::Planner;
    use crate::ApiResource as _;
    use crate::guard::View;
    use crate::plan::{Dialect, PageRead};
    use crate::query::ListParameters;
    use crate::query::ListQuery;
    use crate::samples::{Address, Person, asked};
    use crate::value::{Record, Value};

    fn view() -> View<'static> {
        View::whole(Person::DEFINITION)
    }

    fn planner(dialect: Dialect) -> Planner {
        Planner::new(dialect, Person::DEFINITION)
    }

    fn list(offset: &str, filter: &str, order: &str, fields: &str) -> ListQuery {
        let parameters = ListParameters {
            offset: Some(offset.to_owned()),
            filter: Some(filter.to_owned()),
            order: Some(order.to_owned()),
            fields: Some(fields.to_owned()),
            ..ListParameters::default()
        };
        asked(view(), &parameters)
    }

    /// What is planned by texts that are kept, and by none.
    fn planned(dialect: Dialect, query: &ListQuery) -> [PageRead; 2] {
        let kept = planner(dialect);
        let _ = kept.page(view(), &list("7", "", "", ""));
        [
            kept.page(view(), query),
            planner(dialect).page(view(), query),
        ]
    }

    #[test]
    fn what_is_kept_is_what_would_be_written() {
        for dialect in [Dialect::Sqlite, Dialect::Postgres] {
            for offset in ["0", "20"] {
                let [kept, written] = planned(dialect, &list(offset, "", "asc(id)", ""));
                assert_eq!(kept, written);
            }
            let planner = planner(dialect);
            let [first, second] = [7, 8].map(|id| planner.item(view(), &Value::Integer(id), None));
            assert!(ptr::eq(first.text(), second.text()));
            assert_eq!(second.binds()[0].value, Value::Integer(8));
        }
    }

    #[test]
    fn an_item_comes_and_goes_by_texts_that_are_kept() {
        for dialect in [Dialect::Sqlite, Dialect::Postgres] {
            let planner = planner(dialect);
            let insert = |name: &str| {
                let mut record = Record::absent(Person::DEFINITION.all_attributes().len());
                record.set(1, Value::Text(name.into()));
                let written = self::planner(dialect).insert(&mut record.clone(), &[]);
                let kept = planner.insert(&mut record, &[]);
                assert_eq!(kept, written);
                kept
            };
            assert!(ptr::eq(insert("Ada").text(), insert("Grace").text()));
            let delete = |id| {
                let kept = planner.delete(view(), &Value::Integer(id));
                let written = self::planner(dialect).delete(view(), &Value::Integer(id));
                assert_eq!(kept, written);
                kept
            };
            assert!(ptr::eq(delete(7).text(), delete(8).text()));
        }
    }

    #[test]
    fn a_page_is_repeated_with_its_text() {
        let planner = planner(Dialect::Postgres);
        let [first, second] =
            ["0", "20"].map(|offset| planner.page(view(), &list(offset, "", "", "")));
        let (first, second) = (first.rows.unwrap(), second.rows.unwrap());
        assert!(ptr::eq(first.text(), second.text()));
        assert_ne!(first.binds(), second.binds());
    }

    #[test]
    fn what_counts_alone_keeps_no_text_of_rows() {
        let alone = ListQuery {
            limit: 0,
            ..list("0", "", "", "")
        };
        for dialect in [Dialect::Sqlite, Dialect::Postgres] {
            let kept = planner(dialect);
            for query in [&alone, &list("0", "", "", ""), &alone] {
                assert_eq!(
                    kept.page(view(), query),
                    planner(dialect).page(view(), query)
                );
            }
        }
    }

    #[test]
    fn what_is_asked_for_otherwise_has_a_text_of_its_own() {
        let others = [
            list("0", "eq(name,\"Ada\")", "", ""),
            list("0", "", "desc(id)", ""),
            list("0", "", "asc(name)", ""),
            list("0", "", "", "name"),
            list("0", "", "", "name,bill_address(city)"),
        ];
        for dialect in [Dialect::Sqlite, Dialect::Postgres] {
            let plain = planner(dialect).page(view(), &list("0", "", "", ""));
            for other in &others {
                let [kept, written] = planned(dialect, other);
                assert_eq!(kept, written);
                assert_ne!(kept.rows, plain.rows);
            }
        }
    }

    #[test]
    fn another_resource_is_planned_as_itself() {
        let planner = planner(Dialect::Sqlite);
        let id = Value::Integer(7);
        let person = planner.item(view(), &id, None);
        let address = planner.item(View::whole(Address::DEFINITION), &id, None);
        assert!(person.text().contains("\"persons\""), "{person:?}");
        assert!(address.text().contains("\"addresses\""), "{address:?}");
    }
}
