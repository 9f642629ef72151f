use std::ptr;
use std::sync::{Arc, OnceLock};

use super::item::write_item;
use super::page::{PageTexts, page};
use super::{Dialect, PageRead, Statement, Writer};
use crate::guard::View;
use crate::query::{ListQuery, Selection};
use crate::schema::ResourceDefinition;
use crate::value::Value;

/// A text, once it was written.
pub(super) type Text = OnceLock<Arc<str>>;

/// Plans how one resource is read. The texts of plain requests, which most are, are written once;
/// each request adds its values to them.
#[derive(Debug)]
pub(crate) struct Planner {
    dialect: Dialect,
    definition: &'static ResourceDefinition,
    item: Text,
    page: PageTexts,
}

impl Planner {
    pub(crate) fn new(dialect: Dialect, definition: &'static ResourceDefinition) -> Self {
        Self {
            dialect,
            definition,
            item: Text::default(),
            page: PageTexts::default(),
        }
    }

    /// Reads the selected columns of the item `id`; without a selection, all that clients may read.
    pub(crate) fn item(
        &self,
        view: View<'_>,
        id: &Value,
        selection: Option<&Selection>,
    ) -> Statement {
        let is_plain = selection.is_none() && self.shows_all(view);
        written(self.dialect, is_plain.then_some(&self.item), |writer| {
            write_item(writer, view, id, selection);
        })
    }

    /// Reads one page of the collection.
    pub(crate) fn page(&self, view: View<'_>, query: &ListQuery) -> PageRead {
        let is_plain = query.is_plain() && self.shows_all(view);
        page(self.dialect, is_plain.then_some(&self.page), view, query)
    }

    fn shows_all(&self, view: View<'_>) -> bool {
        ptr::eq(view.definition(), self.definition) && view.rows().are_all()
    }
}

/// What `write` writes; its text is kept, or taken from what was kept, where it is always the same.
pub(super) fn written(
    dialect: Dialect,
    kept: Option<&Text>,
    write: impl FnOnce(&mut Writer),
) -> Statement {
    let mut writer = match kept.and_then(OnceLock::get) {
        Some(text) => Writer::knowing(dialect, text.clone()),
        None => Writer::new(dialect),
    };
    write(&mut writer);
    let statement = writer.finish();
    if let Some(kept) = kept {
        kept.get_or_init(|| statement.text.clone());
    }
    statement
}

#[cfg(test)]
mod tests {
    use super::Planner;
    use crate::ApiResource as _;
    use crate::extract::ListParameters;
    use crate::guard::View;
    use crate::plan::{Dialect, PageRead};
    use crate::query::{self, ListQuery, PageLimits, QueryLimits};
    use crate::samples::{Address, Person};
    use crate::value::Value;

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
        let limits = PageLimits {
            default: 10,
            max: 1000,
        };
        query::list(view(), &parameters, limits, QueryLimits::new()).unwrap()
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
            assert_eq!(first.text(), second.text());
            assert_eq!(second.binds()[0].value, Value::Integer(8));
        }
    }

    #[test]
    fn what_is_asked_for_otherwise_has_a_text_of_its_own() {
        let others = [
            list("0", "eq(name,\"Ada\")", "", ""),
            list("0", "", "desc(id)", ""),
            list("0", "", "asc(name)", ""),
            list("0", "", "", "name"),
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
