//! Typed access to the items in a transaction.

use resource_model::error::{DatabaseFailure, DatabaseResult, Violation};
use resource_model::query::{RowChange, RowQuery};
use resource_model::value::{Key, Record, Value};

use super::{HookError, Transaction};
use crate::authorization::View;
use crate::{ApiResource, Column, Error, FieldValue, Operand};

/// Typed access for validators and hooks within the transaction of a write, and for other code within one
/// that it [began](crate::Database::begin).
///
/// No access rule applies here: every item is found and stored, whomever it belongs to, and no check,
/// validator or hook sees what is stored.
impl Transaction {
    /// The item of `R` whose primary key is `id`.
    ///
    /// # Errors
    ///
    /// Converted to an [`Error`]: [`Unavailable`](crate::ErrorKind::Unavailable),
    /// [`Conflict`](crate::ErrorKind::Conflict), or [`Internal`](crate::ErrorKind::Internal), also where
    /// the stored item is no `R`.
    pub async fn get<R: ApiResource>(
        &mut self,
        id: &impl FieldValue,
    ) -> Result<Option<R>, HookError> {
        // Locked, because a hook usually decides by the row what it writes next.
        let row = self.locked_row::<R>(&Key::from(id.to_value())).await;
        let row = row.map_err(HookError::of_database)?;
        // A row that is no `R` is an error rather than none: another program wrote it,
        // or the struct has changed.
        Ok(row.map(R::from_record).transpose()?)
    }

    /// The items of `R` whose attribute `column` is `value`, in the order of their primary keys.
    ///
    /// # Errors
    ///
    /// The same as of [`get`](Self::get).
    pub async fn find_by<R: ApiResource, T>(
        &mut self,
        column: Column<R, T>,
        value: impl Operand<T>,
    ) -> Result<Vec<R>, HookError> {
        let rows = self.rows_with(column, value.into_value()).await;
        let rows = rows.map_err(HookError::of_database)?.into_iter();
        Ok(rows.map(R::from_record).collect::<Result<_, _>>()?)
    }

    /// Stores a new item as it is, and returns its primary key. Where the database assigns keys, the item's
    /// own does not matter.
    ///
    /// No validator, hook, check of the model or owner rule applies; a write that the table itself forbids
    /// is an error, which rolls the transaction back as any does. Columns of the table that only other
    /// versions of the resource have are null.
    ///
    /// # Errors
    ///
    /// Converted to an [`Error`]: those of [`get`](Self::get), and by the table's constraints
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
    pub async fn insert<R: ApiResource>(&mut self, item: &R) -> Result<Value, HookError> {
        // The key is one of the parts that the database may assign, so it is returned and not read from the
        // item.
        let key = self.store(item).await.map_err(HookError::of_database)?;
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

    /// The row whose primary key is `key`, locked until the transaction ends.
    pub(crate) async fn locked_row<R: ApiResource>(
        &mut self,
        key: &Key,
    ) -> DatabaseResult<Option<Record>> {
        // The whole item, without access rules: a hook acts for the developer, not for the caller.
        let query = RowQuery::WholeItem {
            view: View::unrestricted(R::DEFINITION),
            key,
            for_update: true,
        };
        self.row(query, R::ATTRIBUTES).await
    }

    /// The rows whose `column` is `value`, in the order of their primary keys.
    pub(crate) async fn rows_with<R: ApiResource, T>(
        &mut self,
        column: Column<R, T>,
        value: Value,
    ) -> DatabaseResult<Vec<Record>> {
        // Cannot happen: the column and the attributes come from the same derive.
        let Some(attribute) = column.attribute() else {
            return Ok(Vec::new());
        };
        // These rows are not locked; the isolation of the transaction guards what a hook concludes from them.
        let query = RowQuery::ItemsWith {
            definition: R::DEFINITION,
            attribute,
            value,
        };
        self.rows(query, R::ATTRIBUTES).await
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
