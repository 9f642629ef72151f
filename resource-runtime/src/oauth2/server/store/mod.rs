//! What the server keeps, in the API's own database: rows of tables that are described like
//! resources and never served, so that both databases get the same tables and statements.

mod rows;
mod steps;
mod words;

use crate::error::{DatabaseFailure, Error};
use crate::execute::{Database, Kept, RowVisitor, Transaction};
use crate::guard::View;
use crate::plan::{self, Dialect};
use crate::query::{AttributePath, Condition, Criterion, ListQuery, Predicate, Relation, Test};
use crate::value::{Record, Row, Value, keep};
use crate::{Api, ApiBuilder, ApiResource, Field};

pub(super) use rows::{
    ClientKind, ClientRow, ClientRowField, CodeRow, CodeRowField, GrantRow, GrantRowField, KeyRow,
    KeyRowField, RefreshRow, RefreshRowField, RequestRow, RequestRowField, RevokedTokenRow,
    RevokedTokenRowField,
};
pub(super) use steps::typed;
pub(super) use words::Words;

/// What comes between is tried again so often.
const ATTEMPTS: usize = 3;

/// How many rows are removed at once.
const BATCH: i64 = 1000;

/// All or nothing: what is done within one transaction.
pub(super) trait Work: Sync {
    type Outcome: Send;

    fn run(
        &self,
        transaction: &mut Transaction,
    ) -> impl Future<Output = Result<Self::Outcome, DatabaseFailure>> + Send;
}

/// The tables of the server.
#[derive(Debug, Clone)]
pub(super) struct Store {
    database: Database,
}

impl Store {
    pub(super) const fn new(database: Database) -> Self {
        Self { database }
    }

    /// The tables as an API that is never served: it makes, tells and checks them.
    pub(super) fn tables() -> ApiBuilder {
        Api::builder()
            .resource::<ClientRow>()
            .resource::<KeyRow>()
            .resource::<RequestRow>()
            .resource::<CodeRow>()
            .resource::<GrantRow>()
            .resource::<RefreshRow>()
            .resource::<RevokedTokenRow>()
    }

    pub(super) fn built_tables(&self) -> Result<Api, Error> {
        Self::tables().build(self.database.clone())
    }

    /// The row whose primary key is `key`.
    pub(super) async fn read<R: ApiResource>(
        &self,
        key: &str,
    ) -> Result<Option<R>, DatabaseFailure> {
        let key = Value::Text(key.to_owned());
        let statement = plan::item(self.dialect(), View::whole(R::DEFINITION), &key, None);
        let kept = || Kept::of(R::ATTRIBUTES);
        let kept = self.database.read_item(statement, kept).await?;
        kept.and_then(Kept::into_record).map(typed).transpose()
    }

    /// Every row, or those whose `field` is at least so much, in the order of their keys.
    pub(super) async fn list<R: ApiResource>(
        &self,
        from: Option<(R::Field, i64)>,
    ) -> Result<Vec<R>, DatabaseFailure> {
        let key = R::DEFINITION.primary_key().map(path);
        let order = key.map(|path| Criterion {
            path,
            descending: false,
        });
        let query = ListQuery {
            offset: 0,
            limit: u64::MAX,
            filter: from.and_then(|(field, bound)| at_least::<R>(field, bound)),
            order: order.into_iter().collect(),
            selection: None,
        };
        let page = plan::page(self.dialect(), View::whole(R::DEFINITION), &query);
        let rows = || Collected::<R>(Vec::new());
        let (rows, _) = self.database.read_page(page, rows).await?;
        Ok(rows.0)
    }

    /// Does `work` in a transaction, again where another came between.
    pub(super) async fn perform<W: Work>(&self, work: &W) -> Result<W::Outcome, DatabaseFailure> {
        for _ in 1..ATTEMPTS {
            match self.perform_once(work).await {
                Err(DatabaseFailure::Again(cause)) => {
                    tracing::debug!(cause, "what the server writes is tried again");
                }
                done => return done,
            }
        }
        self.perform_once(work).await
    }

    async fn perform_once<W: Work>(&self, work: &W) -> Result<W::Outcome, DatabaseFailure> {
        let mut transaction = self.database.begin_write().await?;
        let outcome = work.run(&mut transaction).await?;
        transaction.end().await?;
        Ok(outcome)
    }

    /// Stores one new row.
    pub(super) async fn insert<R: ApiResource>(&self, row: &R) -> Result<(), DatabaseFailure> {
        self.perform(&Insertion(row)).await
    }

    /// Removes the rows whose `field` is below `bound`, batch by batch.
    pub(super) async fn sweep<R: ApiResource>(
        &self,
        field: R::Field,
        bound: i64,
    ) -> Result<(), DatabaseFailure> {
        loop {
            let Some(statement) = self.batch::<R>(field, bound) else {
                return Ok(());
            };
            let mut transaction = self.database.begin_single().await?;
            let removed = transaction.change(statement).await?;
            transaction.end().await?;
            if removed < BATCH.unsigned_abs() {
                return Ok(());
            }
        }
    }

    fn batch<R: ApiResource>(&self, field: R::Field, bound: i64) -> Option<plan::Statement> {
        let attribute = R::ATTRIBUTES.get(field.index())?;
        let bound = Value::Integer(bound);
        plan::delete_below(self.dialect(), R::DEFINITION, attribute, bound, BATCH)
    }

    const fn dialect(&self) -> Dialect {
        self.database.dialect()
    }
}

struct Insertion<'row, R>(&'row R);

impl<R: ApiResource> Work for Insertion<'_, R> {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction) -> Result<(), DatabaseFailure> {
        transaction.store(self.0).await.map(drop)
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

fn at_least<R: ApiResource>(field: R::Field, bound: i64) -> Option<Predicate> {
    Some(Predicate::Test(Test {
        path: path(R::ATTRIBUTES.get(field.index())?),
        condition: Condition::Compare(Relation::GreaterOrEqual, Value::Integer(bound)),
        negated: false,
    }))
}

const fn path(attribute: &'static crate::schema::Attribute) -> AttributePath {
    AttributePath {
        subresource: None,
        attribute,
    }
}
