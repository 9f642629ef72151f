//! What a client refers to, asked before its hook: a hook must not learn of, nor check, an item with
//! what is not there for the client.

use super::Service;
use super::diagnose::points_nowhere;
use super::keys::Keys;
use crate::error::{ApiError, ErrorCode, Failure};
use crate::plan::{self, Turn};
use crate::validator::Session;

/// Refuses a write with what the statement that stores it would refuse, where the rows that its
/// client may refer to are limited. Who waits for nobody is asked beside the transaction, so that a
/// slow hook keeps no other writer waiting.
pub(super) async fn require_targets(
    service: &Service,
    session: &mut Session,
    turn: Turn,
    keys: Keys,
) -> Result<(), Failure> {
    if keys.targets(service).is_empty() {
        return Ok(());
    }
    let database = &service.database;
    let item = keys.item.clone();
    let stored = item.as_ref().map(|item| (service.definition, item));
    let mut missing = Vec::new();
    for (reference, target) in keys.suspects(service) {
        let statement = plan::points_nowhere(database.dialect(), target, stored);
        let is_missing = match turn {
            Turn::Shared => database.finds(statement).await?,
            Turn::Alone => session.transaction().await?.finds(statement).await?,
        };
        if is_missing {
            missing.extend(points_nowhere(service, reference));
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    Err(ApiError::of_problems(ErrorCode::MissingReference, missing).into())
}
