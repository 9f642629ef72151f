use std::time::Duration;

/// Verifiers may let a token live so many seconds beyond its end.
pub(super) const GREATEST_LEEWAY: i64 = 2 * 60;

const LONGEST_ACCESS_TOKEN: Duration = Duration::from_hours(24);

/// Clocks of other instances, and of others who verify tokens, may be behind by so many seconds.
const SLACK: i64 = 60 * 60;

/// So many seconds after it was issued an access token is good nowhere, however long this server
/// or another before it let them live.
pub(super) const OUTLASTING: i64 =
    LONGEST_ACCESS_TOKEN.as_secs().cast_signed() + GREATEST_LEEWAY + SLACK;

/// How long what is issued is good.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lifetimes {
    pub(super) code: Duration,
    pub(super) access_token: Duration,
    pub(super) refresh_idle: Duration,
    pub(super) refresh_absolute: Duration,
    pub(super) retry_window: Duration,
    pub(super) most_siblings: usize,
}

impl Lifetimes {
    pub(super) const DEFAULT: Self = Self {
        code: Duration::from_mins(1),
        access_token: Duration::from_mins(10),
        refresh_idle: Duration::from_hours(14 * 24),
        refresh_absolute: Duration::from_hours(90 * 24),
        retry_window: Duration::from_secs(10),
        most_siblings: 3,
    };

    pub(super) fn mistakes(&self) -> Vec<String> {
        let (second, hour, day) = (
            Duration::from_secs(1),
            Duration::from_hours(1),
            Duration::from_hours(24),
        );
        let bounds = [
            ("an authorization code", self.code, 10 * 60 * second),
            ("an access token", self.access_token, LONGEST_ACCESS_TOKEN),
            ("an idle refresh token", self.refresh_idle, 366 * day),
            ("a refresh token", self.refresh_absolute, 3660 * day),
        ];
        let unfit = bounds
            .into_iter()
            .filter(|(_, lifetime, longest)| !(second..=*longest).contains(lifetime));
        let mut mistakes: Vec<String> = unfit
            .map(|(what, lifetime, longest)| {
                format!("{what} must live for 1 second to {longest:?}, not {lifetime:?}")
            })
            .collect();
        if self.retry_window > hour {
            mistakes.push("the retry window must be an hour at most".to_owned());
        }
        mistakes
    }
}
