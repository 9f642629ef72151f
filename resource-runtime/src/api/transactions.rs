//! Transactions of the developer's own code.

use std::error::Error as StdError;
use std::future::Future;
use std::iter;
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use resource_model::error::{Error, ErrorKind};
use resource_model::query::LockMode;

use super::Api;
use crate::items::{Attempts, Committed, ReadTransaction, Transaction};
use crate::locked::locked;
use crate::operation::retry;
use crate::store::{Isolation, TransactionKind};

impl Api {
    /// Runs `steps` in a transaction, which they commit as their last step; returns the value that they commit with.
    ///
    /// The transaction runs as if it were alone. On SQLite all other writers wait until it ends, so do slow work before,
    /// and read and write by the transaction's own [`items`](Transaction::items): a write by [`Api::items`] would wait for
    /// this transaction.
    /// On PostgreSQL it is serializable: after a conflict with another, anywhere in the [`source`](StdError::source) of
    /// the error, the steps run again, three times at most, the last time with the tables of all resources locked that
    /// they have used. So the steps make or clone what they consume, such as drafts, and effects outside the database must be
    /// idempotent.
    ///
    /// The steps end with [`Transaction::commit`], or they do not compile. Any error rolls the transaction back.
    ///
    /// # Errors
    ///
    /// Those of the steps; [`Unavailable`](ErrorKind::Unavailable) where the database is not reachable or not free in
    /// time.
    ///
    /// ```
    /// use resource_runtime::{Api, ApiResource, Database, Error};
    ///
    /// #[derive(ApiResource)]
    /// #[resource(name = "Account", url = "/accounts", version = "1.0")]
    /// struct Account {
    ///     id: i64,
    ///     balance: i64,
    /// }
    ///
    /// async fn pay(api: &Api, from: i64, to: i64, amount: i64) -> Result<i64, Error> {
    ///     api.transaction(|mut transaction| async move {
    ///         let mut left = 0;
    ///         for (id, change) in [(from, -amount), (to, amount)] {
    ///             let account = transaction.items::<Account>().get_for_update(id).await?;
    ///             let balance = account.map_or(0, |it| it.balance) + change;
    ///             let accounts = transaction.items::<Account>();
    ///             accounts.update(id).set(Account::BALANCE, balance).await?;
    ///             left = if id == from { balance } else { left };
    ///         }
    ///         transaction.commit(left).await
    ///     })
    ///     .await
    /// }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Error> {
    /// # let file = std::env::temp_dir().join(format!("transaction-{}.db", std::process::id()));
    /// # let database = Database::connect(&format!("sqlite://{}", file.display())).await?;
    /// # let api = Api::builder().resource::<Account>().build(database.clone())?;
    /// # api.create_missing_tables().await?;
    /// # for balance in [100, 0] {
    /// #     api.items::<Account>().insert(Account { id: 0, balance }).await?;
    /// # }
    /// # assert_eq!(pay(&api, 1, 2, 30).await?, 70);
    /// # assert!(pay(&api, 1, 3, 30).await.is_err());
    /// # assert_eq!(api.items::<Account>().get(1).await?.map(|it| it.balance), Some(70));
    /// # drop((api, database));
    /// # for end in ["", "-wal", "-shm"] {
    /// #     let _ = std::fs::remove_file(format!("{}{end}", file.display()));
    /// # }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn transaction<T, E, F>(
        &self,
        steps: impl FnMut(Transaction) -> F + Send,
    ) -> Result<T, E>
    where
        F: Future<Output = Result<Committed<T>, E>> + Send,
        E: StdError + From<Error> + 'static,
    {
        self.transaction_at(Isolation::Serializable, steps).await
    }

    /// Runs `steps` in a transaction of this isolation, as [`transaction`](Self::transaction) does. Validators and hooks of
    /// its writes read at this isolation, too: at [`ReadCommitted`](Isolation::ReadCommitted), of two writers that break a
    /// rule about several items together, none may notice it on PostgreSQL.
    ///
    /// # Errors
    ///
    /// Those of [`transaction`](Self::transaction).
    pub async fn transaction_at<T, E, F>(
        &self,
        isolation: Isolation,
        steps: impl FnMut(Transaction) -> F + Send,
    ) -> Result<T, E>
    where
        F: Future<Output = Result<Committed<T>, E>> + Send,
        E: StdError + From<Error> + 'static,
    {
        let attempts = Arc::<Attempts>::default();
        // Where nothing has been committed, the steps can be repeated as a whole.
        let may_retry = |error: &E| is_conflict(error) && !attempts.is_committed();
        // Locked to be called: an attempt cannot keep the steps for itself.
        let steps = Mutex::new(steps);
        let attempt = async |mode| {
            let transaction = self.begin_attempt(isolation, &attempts, mode).await?;
            let running = locked(&steps)(transaction);
            running.await
        };
        retry(may_retry, attempt).await.map(Committed::into_inner)
    }

    /// Begins a transaction for code that retries it by itself, or need not.
    ///
    /// # Errors
    ///
    /// [`Unavailable`](ErrorKind::Unavailable): the database is not reachable, or not free in time.
    pub async fn begin(&self) -> Result<Transaction, Error> {
        let attempts = Arc::<Attempts>::default();
        self.begin_attempt(Isolation::Serializable, &attempts, LockMode::Shared)
            .await
    }

    async fn begin_attempt(
        &self,
        isolation: Isolation,
        attempts: &Arc<Attempts>,
        mode: LockMode,
    ) -> Result<Transaction, Error> {
        let transaction =
            Transaction::new(&self.parts.database, Arc::clone(&self.parts.services) as _);
        let mut transaction = transaction.attempt(isolation, attempts);
        match mode {
            LockMode::Shared => transaction.begin().await.map(drop)?,
            LockMode::Exclusive => transaction.begin_exclusive().await?,
        }
        Ok(transaction)
    }

    /// The present moment by the [clock](crate::ApiBuilder::clock) of the API, as jobs and handlers ask it; hooks have
    /// [`RequestContext::now`](crate::RequestContext::now).
    #[must_use]
    pub fn now(&self) -> SystemTime {
        self.clock().now()
    }

    /// Begins reads of one snapshot: a total and the items that belong to it, or a report of several resources. No
    /// writer waits for it. On SQLite, four of them at the same time; the file grows while one is open for long.
    ///
    /// # Errors
    ///
    /// [`Unavailable`](ErrorKind::Unavailable): the database is not reachable, or not free in time.
    ///
    /// ```
    /// # use resource_runtime::{Api, ApiResource, Error};
    /// # #[derive(ApiResource)]
    /// # #[resource(name = "Account", url = "/accounts", version = "1.0")]
    /// # struct Account { id: i64, balance: i64 }
    /// async fn balance_sheet(api: &Api) -> Result<(), Error> {
    ///     let mut snapshot = api.read().await?;
    ///     let debtors = snapshot.items::<Account>().filter(Account::BALANCE.lt(0)).count().await?;
    ///     let all = snapshot.items::<Account>().count().await?;
    ///     println!("{debtors} of {all} accounts are overdrawn");
    ///     Ok(())
    /// }
    /// ```
    pub async fn read(&self) -> Result<ReadTransaction, Error> {
        let snapshot = self.database().begin_with(TransactionKind::Snapshot);
        Ok(ReadTransaction(snapshot.await?))
    }
}

/// Tests whether an error, or one below it, is a conflict with another transaction, which has changed nothing.
fn is_conflict(error: &(impl StdError + 'static)) -> bool {
    let first: &(dyn StdError + 'static) = error;
    let errors = iter::successors(Some(first), |&it| it.source());
    let mut kinds = errors.filter_map(|it| it.downcast_ref().map(Error::kind));
    // The source of an unknown outcome may be a conflict, and the steps may be done already.
    let telling = kinds.find(|it| matches!(it, ErrorKind::Conflict | ErrorKind::OutcomeUnknown));
    telling == Some(ErrorKind::Conflict)
}
