use crate::ApiResource;
use crate::authorization::View;
use crate::error::DatabaseFailure;
use crate::query::{LockMode, RowChange};
use crate::schema::Attribute;
use crate::store::Transaction;
use crate::value::{Key, Record, Value};

/// The steps of the server's transactions, by the types of its rows.
impl Transaction {
    /// The row whose primary key is `key`, which nobody else changes until the transaction ends.
    pub(in crate::oauth2::server) async fn lock<R: ApiResource>(
        &mut self,
        key: &str,
    ) -> Result<Option<R>, DatabaseFailure> {
        let row = self
            .locked_row::<R>(&Key::from(Value::Text(key.to_owned())))
            .await?;
        row.map(typed).transpose()
    }

    /// The rows whose `field` is `value`.
    pub(in crate::oauth2::server) async fn all_with<R: ApiResource>(
        &mut self,
        field: R::Field,
        value: &str,
    ) -> Result<Vec<R>, DatabaseFailure> {
        let value = Value::Text(value.to_owned());
        let rows = self.rows_with::<R>(field, value).await?;
        rows.into_iter().map(typed).collect()
    }

    /// Puts `row` in the place of the one with its primary key.
    pub(in crate::oauth2::server) async fn replace<R: ApiResource>(
        &mut self,
        row: &R,
    ) -> Result<(), DatabaseFailure> {
        let mut record = row.to_record();
        let Some(key) = take_key::<R>(&mut record) else {
            return Ok(());
        };
        let replacement = RowChange::Update {
            view: View::whole(R::DEFINITION),
            key: &Key::from(key),
            record,
            of_other_versions: &[],
            targets: Vec::new(),
        };
        self.change(replacement).await.map(drop)
    }

    /// Removes the row whose primary key is `key`.
    pub(in crate::oauth2::server) async fn remove<R: ApiResource>(
        &mut self,
        key: &str,
    ) -> Result<(), DatabaseFailure> {
        let removal = RowChange::Delete {
            view: View::whole(R::DEFINITION),
            key: &Key::from(Value::Text(key.to_owned())),
        };
        self.change(removal).await.map(drop)
    }

    /// Keeps others waiting that write such rows.
    pub(in crate::oauth2::server) async fn write_alone<R: ApiResource>(
        &mut self,
    ) -> Result<(), DatabaseFailure> {
        self.lock_table(R::DEFINITION, LockMode::Exclusive).await
    }
}

fn take_key<R: ApiResource>(record: &mut Record) -> Option<Value> {
    let mut attributes = R::ATTRIBUTES.iter();
    let index = attributes.position(Attribute::is_primary_key)?;
    record.take(index)
}

pub(in crate::oauth2::server) fn typed<R: ApiResource>(
    record: Record,
) -> Result<R, DatabaseFailure> {
    R::from_record(record).map_err(|error| {
        let table = R::DEFINITION.table_identifier();
        let table = table.as_str();
        DatabaseFailure::unexpected(format!(
            "a row of `{table}` cannot be read: a value {error}"
        ))
    })
}
