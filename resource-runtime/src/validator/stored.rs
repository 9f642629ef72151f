//! What validators and hooks ask the database, by the types of their resources.

use super::{HookError, Transaction};
use crate::guard::View;
use crate::plan;
use crate::value::Record;
use crate::{ApiResource, Field, FieldValue};

/// What validators and hooks do within the transaction of a write.
impl Transaction {
    /// The item of `R` whose primary key is `id`.
    ///
    /// # Errors
    ///
    /// The database's own, and that the stored item is no `R`.
    pub async fn get<R: ApiResource>(
        &mut self,
        id: &impl FieldValue,
    ) -> Result<Option<R>, HookError> {
        let statement =
            plan::whole_item(self.dialect(), View::whole(R::DEFINITION), &id.to_value());
        let row = self.row(statement, R::ATTRIBUTES).await;
        let row = row.map_err(HookError::of_database)?;
        row.map(typed).transpose()
    }

    /// The items of `R` whose attribute `field` is `value`, in the order of their primary keys.
    ///
    /// # Errors
    ///
    /// As of [`get`](Self::get).
    pub async fn find_by<R: ApiResource>(
        &mut self,
        field: R::Field,
        value: &impl FieldValue,
    ) -> Result<Vec<R>, HookError> {
        let Some(attribute) = R::ATTRIBUTES.get(field.index()) else {
            return Ok(Vec::new());
        };
        let value = value.to_value();
        let statement = plan::items_where(self.dialect(), R::DEFINITION, attribute, value);
        let rows = self.rows(statement, R::ATTRIBUTES).await;
        let rows = rows.map_err(HookError::of_database)?;
        rows.into_iter().map(typed).collect()
    }
}

fn typed<R: ApiResource>(record: Record) -> Result<R, HookError> {
    R::from_record(record).map_err(HookError::from)
}
