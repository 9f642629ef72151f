use super::super::lifetimes::Lifetimes;
use super::super::store::{RefreshRow, RefreshRowField};
use super::super::text::whole_seconds;
use crate::error::DatabaseFailure;
use crate::execute::Transaction;

/// What it means that a refresh token is used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Retry {
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
    used_at: i64,
    now: i64,
    lifetimes: &Lifetimes,
) -> Result<Retry, DatabaseFailure> {
    let parent = RefreshRowField::ParentHash;
    let successors = transaction
        .all_with::<RefreshRow>(parent, &token.token_hash)
        .await?;
    Ok(judge(&successors, now.saturating_sub(used_at), lifetimes))
}

/// Of a token that was used `ago` seconds before and has these successors.
fn judge(successors: &[RefreshRow], ago: i64, lifetimes: &Lifetimes) -> Retry {
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

    use super::{Lifetimes, RefreshRow, Retry, judge};

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
            let found = judge(&successors(number, None), ago, &lifetimes);
            assert_eq!(found, expected, "{number} {ago}");
        }
    }

    #[test]
    fn two_generations_back_it_is_theft_at_once() {
        let used = successors(2, Some(1));
        assert_eq!(judge(&used, 0, &Lifetimes::DEFAULT), Retry::Theft);
    }

    #[test]
    fn without_a_window_every_second_use_is_theft() {
        let strict = Lifetimes {
            retry_window: Duration::ZERO,
            ..Lifetimes::DEFAULT
        };
        assert_eq!(judge(&successors(1, None), 0, &strict), Retry::Theft);
    }
}
