//! Execution of the steps of a program, and the outcome of each.

use resource_runtime::sqlx::{self, AssertSqlSafe, Connection as _};
use resource_runtime::{HookError, Transaction};
use std::future::Future;

use super::world::Event;
use super::{Door, End, Program, Step};

/// The outcome of one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Done {
    Carried,
    Failed,
    /// The step was dropped while it waited.
    Abandoned,
    /// The transaction had no connection.
    Unlent,
}

/// Executes the steps until one fails whose error ends the program.
pub(super) async fn execute_steps(
    transaction: &mut Transaction,
    program: &Program,
    mut note: impl FnMut(Done),
) -> Result<(), HookError> {
    for (number, (step, hands_on)) in program.steps.iter().enumerate() {
        let done = match step {
            Step::Insert(Door::Typed, fate) => typed(transaction, program.row(number, *fate)).await,
            Step::Insert(Door::Raw, fate) => {
                raw(transaction, &insert(&program.row(number, *fate))).await
            }
            Step::Read(Door::Typed) => read(transaction).await,
            Step::Read(Door::Raw) => raw(transaction, "SELECT * FROM events WHERE id = 1").await,
            Step::Broken => raw(transaction, "SELEKT").await,
            Step::Savepoint(fate, keeps) => {
                savepoint(transaction, &program.row(number, *fate), *keeps).await
            }
            Step::Nested(fate, end) => nested(transaction, &program.row(number, *fate), *end).await,
            Step::Abandon(door) => {
                abandon(transaction, *door, program.row(number, super::Fate::Stored)).await
            }
            Step::Commit => raw(transaction, "COMMIT").await,
            Step::Rollback => raw(transaction, "ROLLBACK").await,
            Step::Disconnect => disconnect(transaction).await,
        };
        note(match &done {
            Ok(done) => *done,
            Err(_) => Done::Failed,
        });
        if *hands_on {
            done?;
        }
    }
    Ok(())
}

async fn typed(transaction: &mut Transaction, name: String) -> Result<Done, HookError> {
    let parent_id = name.starts_with("dangling").then_some(-1);
    let event = Event {
        id: 0,
        name,
        parent_id,
    };
    let events = transaction.items::<Event>().without_hooks();
    events.insert(event).await?;
    Ok(Done::Carried)
}

async fn read(transaction: &mut Transaction) -> Result<Done, HookError> {
    let name = "taken".to_owned();
    let found: Vec<Event> = transaction
        .items()
        .filter(Event::NAME.eq(&name))
        .limit(1000)
        .all()
        .await?;
    assert_eq!(found.len(), 1);
    Ok(Done::Carried)
}

fn insert(name: &str) -> String {
    let parent = if name.starts_with("dangling") {
        "-1"
    } else {
        "NULL"
    };
    format!("INSERT INTO events (name, parent_id) VALUES ('{name}', {parent})")
}

/// Runs code with the connection of either database as `$connection`.
macro_rules! lent {
    ($transaction:ident, $connection:ident => $work:expr) => {
        if let Some($connection) = $transaction.sqlite() {
            $work
        } else if let Some($connection) = $transaction.postgres() {
            $work
        } else {
            Ok(Done::Unlent)
        }
    };
}

macro_rules! execute {
    ($connection:expr, $sql:expr) => {
        sqlx::raw_sql(AssertSqlSafe($sql.to_owned()))
            .execute($connection)
            .await
    };
}

async fn raw(transaction: &mut Transaction, sql: &str) -> Result<Done, HookError> {
    lent!(transaction, connection => {
        execute!(connection, sql)?;
        Ok(Done::Carried)
    })
}

async fn savepoint(
    transaction: &mut Transaction,
    name: &str,
    keeps: bool,
) -> Result<Done, HookError> {
    lent!(transaction, connection => {
        execute!(&mut *connection, "SAVEPOINT inner_one")?;
        let inserted = execute!(&mut *connection, insert(name)).is_ok();
        if !(inserted && keeps) {
            execute!(&mut *connection, "ROLLBACK TO SAVEPOINT inner_one")?;
        }
        execute!(connection, "RELEASE SAVEPOINT inner_one")?;
        Ok(if inserted { Done::Carried } else { Done::Failed })
    })
}

async fn nested(transaction: &mut Transaction, name: &str, end: End) -> Result<Done, HookError> {
    lent!(transaction, connection => {
        let mut inner = connection.begin().await?;
        let inserted = execute!(&mut *inner, insert(name));
        match end {
            End::Commit if inserted.is_ok() => inner.commit().await?,
            End::Commit | End::Rollback => inner.rollback().await?,
            End::Drop => drop(inner),
            End::Leak => std::mem::forget(inner),
        }
        Ok(if inserted.is_ok() { Done::Carried } else { Done::Failed })
    })
}

/// Polls an insertion, yields, and drops it unless it has ended.
async fn abandon(
    transaction: &mut Transaction,
    door: Door,
    name: String,
) -> Result<Done, HookError> {
    async fn a_moment<T>(
        work: impl Future<Output = Result<T, HookError>>,
    ) -> Result<Option<T>, HookError> {
        tokio::select! {
            biased;
            done = work => done.map(Some),
            () = tokio::task::yield_now() => Ok(None),
        }
    }
    let done = match door {
        Door::Typed => a_moment(typed(transaction, name)).await?,
        Door::Raw => {
            let sql = insert(&name);
            a_moment(raw(transaction, &sql)).await?
        }
    };
    Ok(done.unwrap_or(Done::Abandoned))
}

async fn disconnect(transaction: &mut Transaction) -> Result<Done, HookError> {
    let Some(connection) = transaction.postgres() else {
        return Ok(Done::Unlent);
    };
    execute!(connection, "SELECT pg_terminate_backend(pg_backend_pid())")?;
    Ok(Done::Carried)
}
