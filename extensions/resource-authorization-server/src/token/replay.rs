//! Refresh token rotation, and replay detection by generations of tokens (RFC 9700, section
//! 4.14.2).

use resource_runtime::{Error, Transaction};

use super::grant::{NewRefreshToken, mark_revoked};
use crate::builder::Lifetimes;
use crate::client::require_scopes;
use crate::encoding::whole_seconds;
use crate::error_response::OauthError;
use crate::store::{ClientRow, GrantRow, NO_LIMIT, RefreshRow, SpaceSeparated, TransactionScript};

/// Verdict on a refresh token that is presented.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Replay {
    /// No replay: the first use of the token.
    None,
    /// A retry: the response was lost, or two browser tabs refreshed at once. The client gets
    /// another successor.
    Benign,
    /// A retry beyond the permitted number.
    TooMany,
    /// Theft: two parties hold this token or siblings of it.
    Reuse,
}

/// A token, its siblings, and the tokens that were issued for any of them.
///
/// Siblings have the same parent: they were issued for one token, by its first use and its retries, or for a
/// sibling of that token. Whichever of them is used first becomes the parent of the whole next
/// generation, even if another one is used later. So one parent identifies
/// a generation, and a second chain of tokens is detected wherever the first one continues.
pub(super) struct Generation<'token> {
    token: &'token RefreshRow,
    siblings: Vec<RefreshRow>,
    /// The next generation: tokens that were issued for this token or its siblings.
    next: Vec<RefreshRow>,
}

impl<'token> Generation<'token> {
    pub(super) async fn of(
        transaction: &mut Transaction,
        token: &'token RefreshRow,
    ) -> Result<Self, Error> {
        // The first token of a grant has no parent, and so no siblings.
        let mut siblings = match &token.parent_hash {
            Some(hash) => children(transaction, hash).await?,
            None => Vec::new(),
        };
        siblings.retain(|it| it.token_hash != token.token_hash);
        let mut next = Vec::new();
        // An unused token has no successors, which saves its query.
        for used in siblings.iter().chain([token]).filter(|it| is_used(it)) {
            next.extend(children(transaction, &used.token_hash).await?);
        }
        Ok(Self {
            token,
            siblings,
            next,
        })
    }

    /// The parent of a successor: that of the next generation, or else this token, which begins it.
    pub(super) fn parent_of_next(&self) -> &str {
        let first = self.next.first();
        let known = first.and_then(|first| first.parent_hash.as_deref());
        known.unwrap_or(&self.token.token_hash)
    }

    /// The verdict on the token at `now`.
    pub(super) fn classify(&self, now: i64, lifetimes: &Lifetimes) -> Replay {
        let window = whole_seconds(lifetimes.retry_window);
        // A client that received a token of the next generation and used it has no reason to
        // present this one.
        if self.next.iter().any(is_used) {
            return Replay::Reuse;
        }
        let Some(used_at) = self.token.used_at else {
            // Siblings may be used side by side only within the window after the issue of this token.
            // After it, a use of this token counts as theft if a sibling was used.
            let late = now.saturating_sub(self.token.issued_at) > window;
            let is_reuse = late && self.siblings.iter().any(is_used);
            return if is_reuse {
                Replay::Reuse
            } else {
                Replay::None
            };
        };
        // Within the second of the first use no time has passed, so a window of zero needs its own
        // test.
        if window == 0 || now.saturating_sub(used_at) > window {
            Replay::Reuse
        // One successor is that of the first use. All others count as retries, also those of siblings.
        } else if self.next.len() > lifetimes.max_siblings {
            Replay::TooMany
        } else {
            Replay::Benign
        }
    }
}

/// The tokens with this parent.
async fn children(transaction: &mut Transaction, parent: &str) -> Result<Vec<RefreshRow>, Error> {
    let tokens = transaction.items::<RefreshRow>();
    let children = tokens.filter(RefreshRow::PARENT_HASH.eq(parent));
    children.limit(NO_LIMIT).all().await
}

const fn is_used(token: &RefreshRow) -> bool {
    token.used_at.is_some()
}

/// Exchanges a refresh token for its successor, in one transaction.
pub(super) struct RotateToken<'request> {
    pub(super) token_hash: &'request str,
    pub(super) client: &'request ClientRow,
    pub(super) resource: &'request str,
    pub(super) scope: Option<&'request str>,
    pub(super) successor: &'request NewRefreshToken,
    pub(super) lifetimes: Lifetimes,
    pub(super) now: i64,
}

/// Result of a rotation.
pub(super) enum RotationOutcome {
    Rotated(GrantRow, SpaceSeparated),
    Refused(OauthError),
    /// The verdict was [`Replay::Reuse`]; this grant is revoked.
    Reused(String),
}

impl TransactionScript for RotateToken<'_> {
    type Outcome = RotationOutcome;

    async fn run(&self, transaction: &mut Transaction) -> Result<RotationOutcome, Error> {
        let refused = Ok(RotationOutcome::Refused(OauthError::INVALID_GRANT));
        // Token before grant, in every transaction that locks both: another order could deadlock.
        let tokens = transaction.items::<RefreshRow>();
        let token = tokens.get_for_update(self.token_hash).await?;
        let Some(token) = token.filter(|token| token.client_id == self.client.id) else {
            return refused;
        };
        // This lock serialises all refreshes of the grant, so that siblings see each other.
        let grants = transaction.items::<GrantRow>();
        let grant = grants.get_for_update(&token.grant_id).await?;
        let Some(grant) = grant.filter(|grant| self.is_live(grant)) else {
            return refused;
        };
        // Before the check of its expiry: a replay of an expired token is theft, too.
        let generation = Generation::of(transaction, &token).await?;
        match generation.classify(self.now, &self.lifetimes) {
            Replay::None | Replay::Benign => {}
            // Too many retries may be a broken client, so the grant survives.
            Replay::TooMany => return refused,
            Replay::Reuse => {
                let reason = "two parties hold its refresh tokens";
                mark_revoked(transaction, &grant.id, self.now, reason).await?;
                return Ok(RotationOutcome::Reused(grant.id));
            }
        }
        if self.now >= token.expires_at {
            return refused;
        }
        // Taken now, because the rotation consumes the token that the generation borrows.
        let parent = generation.parent_of_next().to_owned();
        // A wrong scope is found before the rotation, and leaves the token unused.
        match self.scope_of(&grant) {
            Ok(scope) => {
                self.rotate(transaction, &token, &parent, &grant).await?;
                Ok(RotationOutcome::Rotated(grant, scope))
            }
            Err(error) => Ok(RotationOutcome::Refused(error)),
        }
    }
}

impl RotateToken<'_> {
    /// Tests that the grant is neither revoked nor expired, and is for the resource of this server.
    fn is_live(&self, grant: &GrantRow) -> bool {
        grant.resource == self.resource && grant.revoked_at.is_none() && self.now < grant.expires_at
    }

    /// The granted scopes that the client still has, or fewer if it requests fewer.
    fn scope_of(&self, grant: &GrantRow) -> Result<SpaceSeparated, OauthError> {
        let left = self.client.limit_scopes(&grant.scope);
        require_scopes(&left, self.scope.unwrap_or(left.as_str()))
    }

    async fn rotate(
        &self,
        transaction: &mut Transaction,
        token: &RefreshRow,
        parent: &str,
        grant: &GrantRow,
    ) -> Result<(), Error> {
        // A retry keeps the moment of the first use: otherwise each retry would extend the window.
        if token.used_at.is_none() {
            let used = transaction.items::<RefreshRow>().update(&token.token_hash);
            used.set(RefreshRow::USED_AT, self.now).await?;
        }
        let idle = whole_seconds(self.lifetimes.refresh_idle);
        let row = self.successor.row(grant, Some(parent), self.now, idle);
        transaction.items().insert(row).await.map(drop)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Generation, Lifetimes, RefreshRow, Replay};

    /// Tokens that were issued at 0; the first of them was used at `used_at`.
    fn tokens(number: usize, used_at: Option<i64>) -> Vec<RefreshRow> {
        let token = |index| RefreshRow {
            token_hash: format!("token {index}"),
            grant_id: "grant".to_owned(),
            client_id: "client".to_owned(),
            parent_hash: Some("parent".to_owned()),
            issued_at: 0,
            expires_at: 100,
            used_at: used_at.filter(|_| index == 0),
        };
        (0..number).map(token).collect()
    }

    /// The verdict on the first of `siblings` at `now`.
    fn classify_first(
        mut siblings: Vec<RefreshRow>,
        next: Vec<RefreshRow>,
        now: i64,
        lifetimes: &Lifetimes,
    ) -> Replay {
        let token = &siblings.remove(0);
        let generation = Generation {
            token,
            siblings,
            next,
        };
        generation.classify(now, lifetimes)
    }

    #[test]
    fn retries_are_benign_within_window_and_number() {
        for (number, now, expected) in [
            (1, 0, Replay::Benign),
            (3, 10, Replay::Benign),
            (4, 10, Replay::TooMany),
            (1, 11, Replay::Reuse),
            (4, 11, Replay::Reuse),
        ] {
            let next = tokens(number, None);
            let found = classify_first(tokens(1, Some(0)), next, now, &Lifetimes::DEFAULT);
            assert_eq!(found, expected, "{number} {now}");
        }
    }

    #[test]
    fn token_two_generations_old_is_reuse_at_once() {
        for used_at in [None, Some(0)] {
            let next = tokens(2, Some(1));
            let found = classify_first(tokens(1, used_at), next, 1, &Lifetimes::DEFAULT);
            assert_eq!(found, Replay::Reuse);
        }
    }

    #[test]
    fn without_retry_window_any_repeated_use_is_reuse() {
        let strict = Lifetimes {
            retry_window: Duration::ZERO,
            ..Lifetimes::DEFAULT
        };
        let found = classify_first(tokens(1, Some(0)), tokens(1, None), 0, &strict);
        assert_eq!(found, Replay::Reuse);
    }

    #[test]
    fn unused_sibling_is_no_replay_within_the_window() {
        let other = || tokens(2, Some(1)).into_iter().rev().collect::<Vec<_>>();
        for (siblings, next, now, expected) in [
            (other(), 1, 10, Replay::None),
            // The token itself is unused, so it is no retry, however many siblings it has.
            (other(), 4, 10, Replay::None),
            (other(), 1, 11, Replay::Reuse),
            (tokens(2, None), 0, 100, Replay::None),
        ] {
            let found = classify_first(siblings, tokens(next, None), now, &Lifetimes::DEFAULT);
            assert_eq!(found, expected, "{next} {now}");
        }
    }

    #[test]
    fn generation_has_one_parent() {
        let used = tokens(1, Some(0));
        let mut generation = Generation {
            token: &used[0],
            siblings: Vec::new(),
            next: Vec::new(),
        };
        assert_eq!(generation.parent_of_next(), "token 0");
        generation.next = tokens(2, None);
        assert_eq!(generation.parent_of_next(), "parent");
    }
}
