use std::collections::HashSet;

use super::{Store, typed};
use crate::authorization::View;
use crate::error::DatabaseFailure;
use crate::query::{AttributePath, Criterion, ListQuery, RowQuery};
use crate::schema::Kind;
use crate::store::{RecordCollector, RowVisitor};
use crate::value::{Key, Record, Row, Value};
use crate::{ApiResource, Field};

/// What is read outside of transactions.
impl Store {
    /// The row whose primary key is `key`.
    pub(in crate::oauth2::server) async fn read<R: ApiResource>(
        &self,
        key: &str,
    ) -> Result<Option<R>, DatabaseFailure> {
        let query = RowQuery::Item {
            view: View::whole(R::DEFINITION),
            key: &Key::from(Value::Text(key.to_owned())),
            selection: None,
        };
        let collector = || RecordCollector::new(R::ATTRIBUTES);
        let item = self.database.read_item(query, collector).await?;
        item.and_then(RecordCollector::into_record)
            .map(typed)
            .transpose()
    }

    /// Every row, in the order of the keys.
    pub(in crate::oauth2::server) async fn list<R: ApiResource>(
        &self,
    ) -> Result<Vec<R>, DatabaseFailure> {
        let order = R::DEFINITION.primary_key().map(|attribute| Criterion {
            path: AttributePath {
                subresource: None,
                attribute,
            },
            descending: false,
        });
        let query = ListQuery {
            offset: 0,
            limit: u64::MAX,
            filter: None,
            order: order.into_iter().collect(),
            selection: None,
        };
        let rows = || Collected::<R>(Vec::new());
        let page = self.database.page(View::whole(R::DEFINITION), &query, rows);
        let (Collected(rows), _) = page.await?;
        Ok(rows)
    }

    /// The keys of the rows whose `field` is at least so much.
    pub(in crate::oauth2::server) async fn keys_from<R: ApiResource>(
        &self,
        field: R::Field,
        bound: i64,
    ) -> Result<HashSet<String>, DatabaseFailure> {
        let Some(attribute) = R::ATTRIBUTES.get(field.index()) else {
            return Ok(HashSet::new());
        };
        let query = RowQuery::KeysFrom {
            definition: R::DEFINITION,
            attribute,
            bound: Value::Integer(bound),
        };
        let names = || Names(HashSet::new());
        let (Names(names), _) = self.database.read(query, names).await?;
        Ok(names)
    }
}

/// The typed rows of a page.
struct Collected<R>(Vec<R>);

impl<R: ApiResource> RowVisitor for Collected<R> {
    fn visit(&mut self, row: &dyn Row) -> Result<(), DatabaseFailure> {
        let record = Record::from_row(row, 0, R::ATTRIBUTES)?;
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
