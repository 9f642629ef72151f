use super::super::lifetimes::Lifetimes;
use super::super::store::{RefreshRow, RefreshRowField};
use super::super::text::whole_seconds;
use crate::error::DatabaseFailure;
use crate::execute::Transaction;

/// What it means that a refresh token comes at this time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Retry {
    /// Nothing: it was not used before, nor another in its place.
    None,
    /// Its answer was lost, or two windows of one user asked at once: it gets another successor.
    Honest,
    /// The same, too often.
    TooMany,
    /// Two have it, and one of them stole it.
    Theft,
}

pub(super) async fn of(
    transaction: &mut Transaction,
    token: &RefreshRow,
    now: i64,
    lifetimes: &Lifetimes,
) -> Result<Retry, DatabaseFailure> {
    let parent = RefreshRowField::ParentHash;
    let Some(used_at) = token.used_at else {
        let Some(parent_hash) = &token.parent_hash else {
            return Ok(Retry::None);
        };
        let siblings = transaction
            .all_with::<RefreshRow>(parent, parent_hash)
            .await?;
        let age = now.saturating_sub(token.issued_at);
        return Ok(judge_unused(token, &siblings, age, lifetimes));
    };
    let successors = transaction
        .all_with::<RefreshRow>(parent, &token.token_hash)
        .await?;
    let ago = now.saturating_sub(used_at);
    Ok(judge_used(&successors, ago, lifetimes))
}

/// Of a token that was issued `age` seconds before, in exchange for the same as these.
fn judge_unused(
    token: &RefreshRow,
    siblings: &[RefreshRow],
    age: i64,
    lifetimes: &Lifetimes,
) -> Retry {
    // Who uses one of them has no reason to come back with another much later.
    let another_is_used = siblings
        .iter()
        .any(|it| it.token_hash != token.token_hash && it.used_at.is_some());
    if another_is_used && age > whole_seconds(lifetimes.retry_window) {
        Retry::Theft
    } else {
        Retry::None
    }
}

/// Of a token that was used `ago` seconds before and has these successors.
fn judge_used(successors: &[RefreshRow], ago: i64, lifetimes: &Lifetimes) -> Retry {
    let window = whole_seconds(lifetimes.retry_window);
    // Who got a successor and used it has no reason to come back with its predecessor.
    let is_previous = successors.iter().all(|it| it.used_at.is_none());
    if window == 0 || ago > window || !is_previous {
        Retry::Theft
    } else if successors.len() > lifetimes.most_siblings {
        Retry::TooMany
    } else {
        Retry::Honest
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Lifetimes, RefreshRow, Retry, judge_unused, judge_used};

    fn successors(number: usize, used_at: Option<i64>) -> Vec<RefreshRow> {
        let successor = |index| RefreshRow {
            token_hash: format!("successor {index}"),
            grant_id: "grant".to_owned(),
            client_id: "client".to_owned(),
            parent_hash: Some("token".to_owned()),
            issued_at: 0,
            expires_at: 100,
            used_at: used_at.filter(|_| index == 0),
        };
        (0..number).map(successor).collect()
    }

    #[test]
    fn a_retry_is_honest_for_a_while_and_a_few_times() {
        let lifetimes = Lifetimes::DEFAULT;
        for (number, ago, expected) in [
            (1, 0, Retry::Honest),
            (3, 10, Retry::Honest),
            (4, 10, Retry::TooMany),
            (1, 11, Retry::Theft),
            (4, 11, Retry::Theft),
        ] {
            let found = judge_used(&successors(number, None), ago, &lifetimes);
            assert_eq!(found, expected, "{number} {ago}");
        }
    }

    #[test]
    fn two_generations_back_it_is_theft_at_once() {
        let used = successors(2, Some(1));
        assert_eq!(judge_used(&used, 0, &Lifetimes::DEFAULT), Retry::Theft);
    }

    #[test]
    fn without_a_window_every_second_use_is_theft() {
        let strict = Lifetimes {
            retry_window: Duration::ZERO,
            ..Lifetimes::DEFAULT
        };
        assert_eq!(judge_used(&successors(1, None), 0, &strict), Retry::Theft);
    }

    #[test]
    fn of_several_successors_the_one_that_is_used_goes_on() {
        let lifetimes = Lifetimes::DEFAULT;
        let both = successors(2, Some(1));
        for (token, age, expected) in [
            (&both[0], 100, Retry::None),
            (&both[1], 10, Retry::None),
            (&both[1], 11, Retry::Theft),
        ] {
            let found = judge_unused(token, &both, age, &lifetimes);
            assert_eq!(found, expected, "{} {age}", token.token_hash);
        }
        let unused = successors(2, None);
        let found = judge_unused(&unused[1], &unused, 100, &lifetimes);
        assert_eq!(found, Retry::None);
    }
}
