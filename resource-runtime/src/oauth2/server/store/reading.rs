use std::collections::HashSet;

use super::{Store, typed};
use crate::error::DatabaseFailure;
use crate::execute::{Kept, RowVisitor};
use crate::guard::View;
use crate::query::{
    AttributePath, Condition, Criterion, ListQuery, Predicate, Relation, Selection, Test,
};
use crate::schema::{Attribute, Kind};
use crate::value::{Record, Row, Value, keep};
use crate::{ApiResource, Field, plan};

/// What is read outside of transactions.
impl Store {
    /// The row whose primary key is `key`.
    pub(in crate::oauth2::server) async fn read<R: ApiResource>(
        &self,
        key: &str,
    ) -> Result<Option<R>, DatabaseFailure> {
        let key = Value::Text(key.to_owned());
        let statement = plan::item(self.dialect(), View::whole(R::DEFINITION), &key, None);
        let kept = || Kept::of(R::ATTRIBUTES);
        let kept = self.database.read_item(statement, kept).await?;
        kept.and_then(Kept::into_record).map(typed).transpose()
    }

    /// Every row, in the order of the keys.
    pub(in crate::oauth2::server) async fn list<R: ApiResource>(
        &self,
    ) -> Result<Vec<R>, DatabaseFailure> {
        let rows = || Collected::<R>(Vec::new());
        Ok(self.visit::<R, _>(None, None, rows).await?.0)
    }

    /// The keys of the rows whose `field` is at least so much.
    pub(in crate::oauth2::server) async fn keys_from<R: ApiResource>(
        &self,
        field: R::Field,
        bound: i64,
    ) -> Result<HashSet<String>, DatabaseFailure> {
        let filter = at_least::<R>(field, bound);
        let key: Vec<_> = R::DEFINITION.primary_key().into_iter().collect();
        let selection = Selection {
            attributes: key.clone(),
            columns: key,
            expansions: Vec::new(),
        };
        let names = || Names(HashSet::new());
        Ok(self.visit::<R, _>(filter, Some(selection), names).await?.0)
    }

    async fn visit<R: ApiResource, V: RowVisitor + Send + 'static>(
        &self,
        filter: Option<Predicate>,
        selection: Option<Selection>,
        visitor: impl Fn() -> V + Send + 'static,
    ) -> Result<V, DatabaseFailure> {
        let key = R::DEFINITION.primary_key().map(path);
        let order = key.map(|path| Criterion {
            path,
            descending: false,
        });
        let query = ListQuery {
            offset: 0,
            limit: u64::MAX,
            filter,
            order: order.into_iter().collect(),
            selection,
        };
        let page = plan::page(self.dialect(), View::whole(R::DEFINITION), &query);
        let (visitor, _) = self.database.read_page(page, visitor).await?;
        Ok(visitor)
    }
}

/// The typed rows of a page.
struct Collected<R>(Vec<R>);

impl<R: ApiResource> RowVisitor for Collected<R> {
    fn visit(&mut self, row: &dyn Row) -> Result<(), DatabaseFailure> {
        let record: Record = keep(row, 0, R::ATTRIBUTES)?;
        self.0.push(typed(record)?);
        Ok(())
    }
}

/// The first column of each row, which is a text.
struct Names(HashSet<String>);

impl RowVisitor for Names {
    fn visit(&mut self, row: &dyn Row) -> Result<(), DatabaseFailure> {
        if let Value::Text(name) = row.value(0)?.keep(Kind::Text) {
            self.0.insert(name);
        }
        Ok(())
    }
}

fn at_least<R: ApiResource>(field: R::Field, bound: i64) -> Option<Predicate> {
    Some(Predicate::Test(Test {
        path: path(R::ATTRIBUTES.get(field.index())?),
        condition: Condition::Compare(Relation::GreaterOrEqual, Value::Integer(bound)),
        negated: false,
    }))
}

const fn path(attribute: &'static Attribute) -> AttributePath {
    AttributePath {
        subresource: None,
        attribute,
    }
}
