//! The rotation of refresh tokens, and what it means that one comes again.

use resource_runtime::Error;
use resource_runtime::seam::{RowTransaction, TransactionScript};

use super::grant::{NewRefreshToken, revoke_grant};
use crate::builder::Lifetimes;
use crate::client::narrowed;
use crate::encoding::whole_seconds;
use crate::error_response::OauthError;
use crate::store::{ClientRow, GrantRow, RefreshRow, RefreshRowField, SpaceSeparated};

/// What it means that a refresh token comes at this time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Replay {
    /// Nothing: it was not used before, nor another in its place.
    None,
    /// Its answer was lost, or two windows of one user asked at once: it gets another successor.
    Benign,
    /// The same, too often.
    TooMany,
    /// Two have it, or tokens that were given for one, and one of them stole it.
    Reuse,
}

/// A token and its generation: those that were given for the same one as it. Whichever of them is
/// used first is the parent of the whole next generation, whoever uses another of them, so that the
/// parent tells the generation, and a second chain is met wherever the first goes on.
pub(super) struct Generation<'token> {
    token: &'token RefreshRow,
    siblings: Vec<RefreshRow>,
    /// What was given for any of them.
    next: Vec<RefreshRow>,
}

impl<'token> Generation<'token> {
    pub(super) async fn of(
        transaction: &mut RowTransaction,
        token: &'token RefreshRow,
    ) -> Result<Self, Error> {
        let parent = RefreshRowField::ParentHash;
        let mut siblings: Vec<RefreshRow> = match &token.parent_hash {
            Some(hash) => transaction.find_by(parent, hash).await?,
            None => Vec::new(),
        };
        siblings.retain(|it| it.token_hash != token.token_hash);
        let mut next = Vec::new();
        for used in siblings.iter().chain([token]).filter(|it| is_used(it)) {
            next.extend(transaction.find_by(parent, &used.token_hash).await?);
        }
        Ok(Self {
            token,
            siblings,
            next,
        })
    }

    /// The parent of one that is given now.
    pub(super) fn parent_of_next(&self) -> &str {
        let first = self.next.first();
        let known = first.and_then(|first| first.parent_hash.as_deref());
        known.unwrap_or(&self.token.token_hash)
    }

    pub(super) fn judge(&self, now: i64, lifetimes: &Lifetimes) -> Replay {
        let window = whole_seconds(lifetimes.retry_window);
        // Who got one of the next generation and used it has no reason to come back with this one.
        if self.next.iter().any(is_used) {
            return Replay::Reuse;
        }
        let Some(used_at) = self.token.used_at else {
            // Nor has who uses one of them a reason to use another much later.
            let late = now.saturating_sub(self.token.issued_at) > window;
            let theft = late && self.siblings.iter().any(is_used);
            return if theft { Replay::Reuse } else { Replay::None };
        };
        if window == 0 || now.saturating_sub(used_at) > window {
            Replay::Reuse
        } else if self.next.len() > lifetimes.most_siblings {
            Replay::TooMany
        } else {
            Replay::Benign
        }
    }
}

const fn is_used(token: &RefreshRow) -> bool {
    token.used_at.is_some()
}

/// Puts a new refresh token in the place of one that is used.
pub(super) struct Rotation<'request> {
    pub(super) token_hash: &'request str,
    pub(super) client: &'request ClientRow,
    pub(super) resource: &'request str,
    pub(super) scope: Option<&'request str>,
    pub(super) successor: &'request NewRefreshToken,
    pub(super) lifetimes: Lifetimes,
    pub(super) now: i64,
}

pub(super) enum Outcome {
    Rotated(GrantRow, SpaceSeparated),
    Refused(OauthError),
    /// Two have it: all that stems from this grant is revoked.
    Reused(String),
}

impl TransactionScript for Rotation<'_> {
    type Outcome = Outcome;

    async fn run(&self, transaction: &mut RowTransaction) -> Result<Outcome, Error> {
        let refused = Ok(Outcome::Refused(OauthError::INVALID_GRANT));
        let token: Option<RefreshRow> = transaction.get_for_update(self.token_hash).await?;
        let Some(token) = token.filter(|token| token.client_id == self.client.id) else {
            return refused;
        };
        // Whoever has another token of the grant waits here.
        let grant: Option<GrantRow> = transaction.get_for_update(&token.grant_id).await?;
        let Some(grant) = grant.filter(|grant| self.is_good(grant)) else {
            return refused;
        };
        // Before its own end: who has an old token has stolen it all the same.
        let generation = Generation::of(transaction, &token).await?;
        match generation.judge(self.now, &self.lifetimes) {
            Replay::None | Replay::Benign => {}
            Replay::TooMany => return refused,
            Replay::Reuse => {
                let id = grant.id.clone();
                let reason = "a refresh token was used twice";
                revoke_grant(transaction, grant, self.now, reason).await?;
                return Ok(Outcome::Reused(id));
            }
        }
        if self.now >= token.expires_at {
            return refused;
        }
        let parent = generation.parent_of_next().to_owned();
        match self.scope_of(&grant) {
            Ok(scope) => {
                self.rotate(transaction, token, &parent, &grant).await?;
                Ok(Outcome::Rotated(grant, scope))
            }
            Err(error) => Ok(Outcome::Refused(error)),
        }
    }
}

impl Rotation<'_> {
    fn is_good(&self, grant: &GrantRow) -> bool {
        let ours = grant.resource == self.resource;
        ours && grant.revoked_at.is_none() && self.now < grant.expires_at
    }

    /// Of what was granted as much as the client may still have, or less where it asks for less.
    fn scope_of(&self, grant: &GrantRow) -> Result<SpaceSeparated, OauthError> {
        let left = self.client.scopes_left(&grant.scope);
        narrowed(&left, self.scope.unwrap_or(left.as_str()))
    }

    async fn rotate(
        &self,
        transaction: &mut RowTransaction,
        mut token: RefreshRow,
        parent: &str,
        grant: &GrantRow,
    ) -> Result<(), Error> {
        if token.used_at.is_none() {
            token.used_at = Some(self.now);
            transaction.update(&token).await?;
        }
        let idle = whole_seconds(self.lifetimes.refresh_idle);
        let row = self.successor.row(grant, Some(parent), self.now, idle);
        transaction.insert(&row).await
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Generation;
    use super::Lifetimes;
    use super::RefreshRow;
    use super::Replay;

    /// So many tokens that were given at 0, of which the first was used at this moment.
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

    /// What it means that the first of `siblings` comes at `now`.
    fn judged(
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
        generation.judge(now, lifetimes)
    }

    #[test]
    fn a_retry_is_honest_for_a_while_and_a_few_times() {
        for (number, now, expected) in [
            (1, 0, Replay::Benign),
            (3, 10, Replay::Benign),
            (4, 10, Replay::TooMany),
            (1, 11, Replay::Reuse),
            (4, 11, Replay::Reuse),
        ] {
            let next = tokens(number, None);
            let found = judged(tokens(1, Some(0)), next, now, &Lifetimes::DEFAULT);
            assert_eq!(found, expected, "{number} {now}");
        }
    }

    #[test]
    fn two_generations_back_it_is_theft_at_once() {
        for used_at in [None, Some(0)] {
            let next = tokens(2, Some(1));
            let found = judged(tokens(1, used_at), next, 1, &Lifetimes::DEFAULT);
            assert_eq!(found, Replay::Reuse);
        }
    }

    #[test]
    fn without_a_window_every_second_use_is_theft() {
        let strict = Lifetimes {
            retry_window: Duration::ZERO,
            ..Lifetimes::DEFAULT
        };
        let found = judged(tokens(1, Some(0)), tokens(1, None), 0, &strict);
        assert_eq!(found, Replay::Reuse);
    }

    #[test]
    fn of_several_the_one_that_is_used_goes_on() {
        let other = || tokens(2, Some(1)).into_iter().rev().collect::<Vec<_>>();
        for (siblings, next, now, expected) in [
            (other(), 1, 10, Replay::None),
            // It was not used itself, so it is no retry, however many there are.
            (other(), 4, 10, Replay::None),
            (other(), 1, 11, Replay::Reuse),
            (tokens(2, None), 0, 100, Replay::None),
        ] {
            let found = judged(siblings, tokens(next, None), now, &Lifetimes::DEFAULT);
            assert_eq!(found, expected, "{next} {now}");
        }
    }

    #[test]
    fn a_generation_has_one_parent() {
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
