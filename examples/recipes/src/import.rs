//! Imports the rows of a long file beside clients, and resumes after a failure.
//!
//! One transaction for a whole file keeps the writers of clients waiting, and many transactions leave a part of the
//! file behind when the import fails. Here each batch is a transaction that also stores how far the import came, so the
//! next call goes on there, and an error tells the row that failed.

use std::error::Error as StdError;
use std::fmt;

use resource_runtime::{Api, ApiBuilder, ApiResource, Error, new};

/// A ware of the shop, by its number in the catalogue.
#[derive(Debug, ApiResource)]
#[resource(name = "Ware", url = "/wares", version = "1.0")]
pub struct Ware {
    /// The key, which the database assigns.
    pub id: i64,
    /// The number in the catalogue.
    #[resource(max_length = 20, unique)]
    pub number: String,
    /// The price in cents.
    #[resource(min = 0)]
    pub cents: i64,
}

/// The progress of an import: a number of rows of a file. It is not served.
#[derive(Debug, ApiResource)]
#[resource(name = "Import", url = "/imports", version = "1.0")]
pub struct Import {
    /// The name of the file.
    #[resource(primary_key, assigned)]
    pub file: String,
    /// The number of rows from the first on that are stored.
    pub rows: i64,
}

/// The reason for which an import ended early: the row that failed, counted from 1, if one is to blame, and its error.
#[derive(Debug)]
pub struct ImportError(pub Option<i64>, pub Box<dyn StdError + Send + Sync>);

impl fmt::Display for ImportError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(row) => write!(formatter, "row {row}: {}", self.1),
            None => self.1.fmt(formatter),
        }
    }
}

impl StdError for ImportError {}

const BATCH: usize = 500;

/// The API of the shop.
pub fn api() -> ApiBuilder {
    Api::builder().resource::<Ware>().table::<Import>()
}

/// Stores the rows of a file that are not stored yet, each of the form `number;cents`.
pub async fn import(
    api: &Api,
    file: &str,
    lines: impl Iterator<Item = String>,
) -> Result<(), ImportError> {
    let known = api.items::<Import>().get(file).await;
    let known = known.map_err(|error| fail(None, error))?;
    let mut stored = known.map_or(0, |import| import.rows);
    let before = stored;
    let mut rows = (1_i64..).zip(lines).skip_while(|(row, _)| *row <= before);
    loop {
        let before = stored.unsigned_abs();
        let mut batch = Vec::with_capacity(BATCH);
        for (row, line) in rows.by_ref().take(BATCH) {
            let (number, cents) = parse(&line).map_err(|cause| fail(Some(row), cause))?;
            batch.push(new!(Ware { number, cents }));
            stored = row;
        }
        if batch.is_empty() {
            return Ok(());
        }
        let store = api.transaction(|mut transaction| {
            let batch = batch.clone();
            async move {
                let wares = transaction.items::<Ware>().without_hooks();
                wares.insert_all(batch).await?;
                let import = new!(Import { file, rows: stored });
                let imports = transaction.items::<Import>().without_hooks();
                imports.upsert(Import::FILE, import).await?;
                transaction.commit(()).await
            }
        });
        store.await.map_err(|error: Error| {
            let error = error.after_rows(before);
            let failed = error.failed_row().and_then(|row| i64::try_from(row).ok());
            fail(failed.map(|row| row + 1), error)
        })?;
    }
}

fn parse(line: &str) -> Result<(String, i64), Box<dyn StdError + Send + Sync>> {
    let (number, cents) = line.split_once(';').ok_or("a row is `number;cents`")?;
    Ok((number.to_owned(), cents.parse()?))
}

fn fail(row: Option<i64>, cause: impl Into<Box<dyn StdError + Send + Sync>>) -> ImportError {
    ImportError(row, cause.into())
}

#[cfg(test)]
mod tests {
    use resource_testing::TestApi;
    use serde_json::json;

    use super::*;

    fn lines(count: i64) -> impl Iterator<Item = String> {
        (1..=count).map(|row| format!("W{row};{row}"))
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_long_import_lets_clients_write() {
        let api = TestApi::new(api()).await;
        let shared = Api::clone(&api);
        let import =
            tokio::spawn(async move { import(&shared, "wares.csv", lines(100_000)).await });
        let mut written = 0;
        while !import.is_finished() {
            let ware = json!({"number": format!("C{written}"), "cents": 1});
            api.anonymous()
                .post("/wares", ware)
                .await
                .assert_status(201);
            written += 1;
        }
        import.await.unwrap().unwrap();
        assert!(written > 10, "clients wrote {written} wares meanwhile");
        assert_eq!(
            api.items::<Ware>().count().await.unwrap(),
            100_000 + written
        );
    }

    #[tokio::test]
    async fn an_import_resumes_at_the_batch_that_failed() {
        let api = TestApi::new(api()).await;
        for wrong in [
            "W1234",
            "W1234;cheap",
            "W1234;-5",
            "W7;1",
            "a number that is too long;5",
        ] {
            let broken = lines(2_000).map(|line| {
                if line == "W1234;1234" {
                    wrong.to_owned()
                } else {
                    line
                }
            });
            let error = import(&api, "wares.csv", broken).await.unwrap_err();
            assert_eq!(error.0, Some(1234), "{error}");
            assert_eq!(api.items::<Ware>().count().await.unwrap(), 1_000);
        }
        import(&api, "wares.csv", lines(2_000)).await.unwrap();
        import(&api, "wares.csv", lines(2_000)).await.unwrap();
        assert_eq!(api.items::<Ware>().count().await.unwrap(), 2_000);
    }
}
