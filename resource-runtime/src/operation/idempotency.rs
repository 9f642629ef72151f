//! Idempotency keys: a creation is stored together with the key of its request, which creates nothing when it comes
//! again.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, UNIX_EPOCH};

use resource_model::error::{DatabaseFailure, ErrorCode, Violation};
use resource_model::query::{Companion, RowChange};
use resource_model::value::Key;
use tracing::Instrument as _;

use super::{Draft as ItemDraft, Service, Services, Stored, Terms, create_new};
use crate::authorization::Caller;
use crate::failure::Failure;
use crate::hooks::RequestContext;
use crate::items::{Items, System};
use crate::store::{Database, DatabaseTransaction};
use crate::{ApiResource, Draft};

/// Seconds between two deletions of expired rows by one process.
const SWEEP_INTERVAL: i64 = 60;

/// The outcome of a request with a key, stored in the transaction of its item.
#[derive(Debug, Clone, ApiResource)]
#[resource(
    name = "IdempotencyKey",
    url = "/idempotency-keys",
    version = "1.0",
    table = "idempotency_keys"
)]
pub(crate) struct StoredAnswer {
    /// The digest of the caller and the key.
    // A name that no resource is likely to have, by which its violation is told from those of the item.
    #[resource(
        primary_key,
        assigned,
        max_length = 43,
        column = "idempotency_key_digest"
    )]
    key: String,
    /// The digest of all that makes the request.
    #[resource(max_length = 43)]
    fingerprint: String,
    /// The key of the new item, as a text that its definition reads.
    item: String,
    /// The second of the Unix epoch at which the key becomes a new one.
    #[resource(index)]
    expires_at: i64,
}

/// The settings of idempotency keys, and the time of the last deletion of expired ones.
#[derive(Debug)]
pub(crate) struct IdempotencyKeys {
    lifetime: Duration,
    swept_at: AtomicI64,
}

/// A request with a key. The table holds digests alone, so that it tells nobody what was sent.
#[derive(Debug, Clone)]
pub(crate) struct KeyedRequest {
    pub(crate) keys: Arc<IdempotencyKeys>,
    pub(crate) key: String,
    pub(crate) fingerprint: String,
}

impl IdempotencyKeys {
    pub(crate) const fn new(lifetime: Duration) -> Self {
        Self {
            lifetime,
            swept_at: AtomicI64::new(0),
        }
    }

    /// The problem of a lifetime that no client could rely on, or that would keep rows for good.
    pub(crate) fn problem(&self) -> Option<String> {
        let is_sound =
            (Duration::from_mins(1)..=Duration::from_hours(30 * 24)).contains(&self.lifetime);
        let problem = "`.idempotency_keys(…)` takes a time from a minute to 30 days, like \
                       `Duration::from_hours(24)`";
        (!is_sound).then(|| String::from(problem))
    }

    /// Deletes expired rows in a task of its own, once a minute at most.
    fn sweep(&self, now: i64, database: &Database, services: &Arc<Services>) {
        let last = self.swept_at.load(Ordering::Relaxed);
        let next = last.saturating_add(SWEEP_INTERVAL);
        let order = Ordering::Relaxed;
        // Of several requests in one moment, one sweeps.
        let claim = || self.swept_at.compare_exchange(last, now, order, order);
        if now < next || claim().is_err() {
            return;
        }
        let (database, services) = (database.clone(), Arc::clone(services));
        let sweep = async move {
            let all = Items::<StoredAnswer, _>::new(System::new(&database, &*services));
            let expired = all.without_hooks().filter(StoredAnswer::EXPIRES_AT.le(now));
            if let Err(error) = expired.delete_all().await {
                tracing::warn!(%error, "expired idempotency keys could not be deleted");
            }
        };
        tokio::spawn(sweep.in_current_span());
    }
}

impl KeyedRequest {
    /// The item that a request with the key has created; none of a new key, or of one that has expired.
    async fn item(&self, service: &Service) -> Result<Option<Key>, Failure> {
        let (now, services) = (now(service), service.services()?);
        let all = Items::<StoredAnswer, _>::new(System::new(&service.database, &*services));
        let Some(stored) = all.get(self.key.as_str()).await? else {
            return Ok(None);
        };
        if stored.expires_at <= now {
            let expired = StoredAnswer::EXPIRES_AT.le(now);
            // Another process may have stored a new row of the same key since.
            let expired = expired.and(StoredAnswer::KEY.eq(self.key.as_str()));
            all.without_hooks().filter(expired).delete_all().await?;
            return Ok(None);
        }
        if stored.fingerprint == self.fingerprint {
            return Ok(service.definition.key_of(&stored.item));
        }
        let message = "the `Idempotency-Key` was sent with another request before; \
                       send each new request with a new key";
        Err(Failure::refused(ErrorCode::IdempotencyKeyReused, message))
    }

    /// The row to store with an item of this key; with an item whose key the database assigns, before it is known.
    pub(super) fn row(&self, service: &Service, item: Option<&Key>) -> Companion {
        let lifetime = i64::try_from(self.keys.lifetime.as_secs()).unwrap_or(i64::MAX);
        let row = StoredAnswer {
            key: self.key.clone(),
            fingerprint: self.fingerprint.clone(),
            item: item.map(Key::to_text).unwrap_or_default(),
            expires_at: now(service).saturating_add(lifetime),
        };
        let definition = StoredAnswer::DEFINITION;
        let of_item = definition.find("item").map(|(_, attribute)| attribute);
        Companion {
            definition,
            record: Draft::from(row).into_record(),
            ends_with_key: of_item.filter(|_| item.is_none()),
        }
    }

    /// Stores the row in the transaction that has stored its item.
    pub(super) async fn store(
        &self,
        service: &Service,
        transaction: &mut DatabaseTransaction,
        item: &Key,
    ) -> Result<(), Failure> {
        let row = self.row(service, Some(item));
        let row = RowChange::Insert {
            definition: row.definition,
            record: row.record,
            of_other_versions: Vec::new(),
            targets: Vec::new(),
            companion: None,
        };
        transaction.change(row).await?;
        Ok(())
    }
}

/// Creates the item of a request with a key, unless an earlier request of the key has: then that item is the result,
/// whatever refuses this one.
pub(super) async fn create_once(
    service: &Arc<Service>,
    caller: Caller,
    context: Option<RequestContext>,
    draft: Result<ItemDraft, Failure>,
    terms: &Terms,
    keyed: &KeyedRequest,
) -> Result<Stored, Failure> {
    let services = service.services()?;
    keyed.keys.sweep(now(service), &service.database, &services);
    let draft = match draft {
        Ok(draft) => draft,
        Err(failure) => {
            let earlier = keyed.item(service).await?;
            return earlier.map(Stored::repeated).ok_or(failure);
        }
    };
    let mut rounds = 0..2;
    loop {
        // No hook sees a request that comes again. Without hooks its row refuses to be stored twice, which costs a first
        // request no look.
        if context.is_some()
            && let Some(key) = keyed.item(service).await?
        {
            return Ok(Stored::repeated(key));
        }
        let (caller, context, draft) = (caller.clone(), context.clone(), draft.clone());
        let failure = match create_new(service, caller, context, draft, terms).await {
            // A request that was not carried out has created nothing, and may be sent again.
            Err(Failure::Database(
                failure @ (DatabaseFailure::Retryable(_)
                | DatabaseFailure::Unavailable(_)
                | DatabaseFailure::Overloaded(_)),
            )) => return Err(failure.into()),
            Err(failure) => failure,
            created => return created,
        };
        let is_taken = matches!(&failure, Failure::Database(it) if is_taken(it));
        let is_unknown = matches!(
            &failure,
            Failure::Database(DatabaseFailure::OutcomeUnknown(_))
        );
        match keyed.item(service).await {
            Ok(Some(key)) => return Ok(Stored::repeated(key)),
            // The row that was in the way had expired, and is deleted now.
            Ok(None) if is_taken && rounds.next().is_some() => {}
            Err(other) if !is_unknown => return Err(other),
            _ => return Err(failure),
        }
    }
}

/// Tests whether a row was refused as there is one of its key.
pub(super) fn is_taken(failure: &DatabaseFailure) -> bool {
    let key = StoredAnswer::DEFINITION.key_attributes();
    matches!(failure, DatabaseFailure::ConstraintViolation(Violation::Unique(columns), _)
        if key.map(|it| it.identifier().as_str()).eq(columns))
}

/// The second of the Unix epoch.
fn now(service: &Service) -> i64 {
    let since = service.clock.now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
    })
}
