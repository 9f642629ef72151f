//! New items stored as they are, in a transaction.

use resource_model::error::{DatabaseFailure, DatabaseResult, Violation};
use resource_model::query::RowChange;
use resource_model::value::{Key, Value};

use super::Transaction;
use crate::{ApiResource, Error};

/// Writes of validators, hooks and other code within a transaction.
///
/// No access rule applies here, and no check, validator or hook sees what is stored.
impl Transaction {
    /// Stores a new item as it is, and returns its primary key. Where the database assigns keys, the item's
    /// own does not matter.
    ///
    /// No validator, hook, check of the model or owner rule applies; a write that the table itself forbids
    /// is an error, which rolls the transaction back as any does. Columns of the table that only other
    /// versions of the resource have are null.
    ///
    /// # Errors
    ///
    /// [`Unavailable`](crate::ErrorKind::Unavailable),
    /// [`Conflict`](crate::ErrorKind::Conflict), [`Internal`](crate::ErrorKind::Internal), and by the table's constraints
    /// [`NotUnique`](crate::ErrorKind::NotUnique), [`MissingReference`](crate::ErrorKind::MissingReference)
    /// and [`Refused`](crate::ErrorKind::Refused).
    ///
    /// ```
    /// use resource_runtime::{ApiResource, HookResult, WriteContext};
    ///
    /// #[derive(ApiResource)]
    /// #[resource(name = "Event", url = "/events", version = "1.0")]
    /// struct Event {
    ///     id: i64,
    ///     text: String,
    /// }
    ///
    /// async fn note<R: ApiResource>(context: &mut WriteContext<'_, R>, text: String) -> HookResult {
    ///     context.database().await?.insert(&Event { id: 0, text }).await?;
    ///     Ok(())
    /// }
    /// ```
    pub async fn insert<R: ApiResource>(&mut self, item: &R) -> Result<Value, Error> {
        // The key is one of the parts that the database may assign, so it is returned and not read from the
        // item.
        let key = self.store(item).await?;
        Ok(key.first().clone())
    }

    /// Commits the transaction. Dropped without it, the transaction leaves nothing behind.
    ///
    /// # Errors
    ///
    /// Errors of [`insert`](Self::insert), for deferred constraints, and
    /// [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown), the only one after which changes may be
    /// durable. Where the error of an earlier statement was ignored, that error again, or
    /// [`Internal`](crate::ErrorKind::Internal).
    pub async fn commit(self) -> Result<(), Error> {
        Ok(self.commit_changes().await?)
    }

    /// Stores a new row; returns its key.
    pub(crate) async fn store<R: ApiResource>(&mut self, row: &R) -> DatabaseResult<Key> {
        let insertion = RowChange::Insert {
            definition: R::DEFINITION,
            record: row.to_record(),
            of_other_versions: Vec::new(),
            targets: Vec::new(),
        };
        let key = self.change(insertion).await.map_err(of_attributes::<R>)?;
        // The transaction is ended, too: otherwise a caller that ignores the error
        // would commit without the row.
        key.ok_or_else(|| {
            let failure = "a trigger dropped a new row, or stored it elsewhere: it has no key";
            self.rolled_back_by(DatabaseFailure::internal(failure))
        })
    }
}

/// The failure with the names of attributes in the place of those of their columns.
fn of_attributes<R: ApiResource>(failure: DatabaseFailure) -> DatabaseFailure {
    // Callers know attributes, whose columns may have other names.
    let named = |column: String| {
        let mut attributes = R::ATTRIBUTES.iter();
        let attribute = attributes.find(|it| it.identifier().as_str() == column);
        attribute.map_or(column, |it| it.name().to_owned())
    };
    // Only a violated unique set names columns; the other failures are handed on as they are.
    match failure {
        DatabaseFailure::ConstraintViolation(Violation::Unique(columns), cause) => {
            let attributes = columns.into_iter().map(named).collect();
            DatabaseFailure::ConstraintViolation(Violation::Unique(attributes), cause)
        }
        failure => failure,
    }
}
