//! What the server keeps, in the API's own database: rows of tables that are described like
//! resources and never served, so that both databases get the same tables and statements.

mod reading;
mod rows;
mod steps;
mod words;

use crate::error::{DatabaseFailure, Error};
use crate::sql::{self, Dialect};
use crate::store::{Database, Isolation, Transaction};
use crate::value::Value;
use crate::{Api, ApiBuilder, ApiResource, Field};

pub(super) use rows::{
    ClientKind, ClientRow, ClientRowField, CodeRow, CodeRowField, GrantRow, GrantRowField, KeyRow,
    KeyRowField, RefreshRow, RefreshRowField, RequestRow, RequestRowField, RevokedTokenRow,
    RevokedTokenRowField,
};
use steps::typed;
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
        let mut transaction = self.database.begin_with(Isolation::ReadCommitted).await?;
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
        let attribute = R::ATTRIBUTES.get(field.index());
        let batch = |attribute| {
            let bound = Value::Integer(bound);
            sql::delete_below(self.dialect(), R::DEFINITION, attribute, bound, BATCH)
        };
        self.remove_all(|| attribute.and_then(batch)).await
    }

    /// Removes all requests but the last `most`, before others those whose user is not logged in.
    pub(super) async fn thin_out_requests(&self, most: i64) -> Result<(), DatabaseFailure> {
        let attribute = |field: RequestRowField| RequestRow::ATTRIBUTES.get(field.index());
        self.remove_all(|| {
            sql::delete_beyond(
                self.dialect(),
                RequestRow::DEFINITION,
                (
                    attribute(RequestRowField::ConsentKey)?,
                    Value::Bytes(Vec::new()),
                ),
                attribute(RequestRowField::ExpiresAt)?,
                most,
                BATCH,
            )
        })
        .await
    }

    /// Removes what the statement finds, which is a batch each time.
    async fn remove_all(
        &self,
        batch: impl Fn() -> Option<sql::Statement>,
    ) -> Result<(), DatabaseFailure> {
        while let Some(statement) = batch() {
            let mut transaction = self.database.begin_single()?;
            let removed = transaction.execute(statement).await?;
            transaction.end().await?;
            if removed < BATCH.unsigned_abs() {
                break;
            }
        }
        Ok(())
    }

    fn dialect(&self) -> Dialect {
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
