//! Settings that the sessions of a server are to begin with: those of its URL, and our time limits.

use std::time::Duration;

use sqlx::postgres::PgConnectOptions;

use super::DatabaseOptions;

#[derive(Debug)]
pub(super) struct Settings {
    /// What the `options` of the URL say.
    pub(super) said: Vec<(String, String)>,
    /// Those of our limits that the URL leaves to us; zero is no limit.
    pub(super) limits: Vec<(&'static str, Duration)>,
}

impl Settings {
    pub(super) fn of(url: &PgConnectOptions, options: &DatabaseOptions) -> Self {
        let said = said(url.get_options().unwrap_or_default());
        let ours = [
            ("statement_timeout", options.statement_timeout),
            ("lock_timeout", options.acquire_timeout),
        ];
        // Of two values for one setting the server takes the last, which would be ours.
        let is_said = |name: &str| said.iter().any(|(it, _)| it == name);
        let limits = ours.into_iter().filter(|(name, _)| !is_said(name));
        Self {
            limits: limits.collect(),
            said,
        }
    }
}

/// The settings in the command line of a server: `-c name=…`, `-cname=…` or `--name=…`.
fn said(options: &str) -> Vec<(String, String)> {
    let words = words(options);
    let settings = words.iter().filter_map(|word| {
        let word = word.strip_prefix("--").unwrap_or(word);
        let (name, value) = word.strip_prefix("-c").unwrap_or(word).split_once('=')?;
        let name = name.replace('-', "_").to_ascii_lowercase();
        Some((name, value.to_owned()))
    });
    settings.collect()
}

/// What white space separates, unless it stands behind a backslash.
fn words(options: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut letters = options.chars();
    while let Some(letter) = letters.next() {
        if letter.is_whitespace() {
            words.push(String::new());
            continue;
        }
        let escaped = (letter == '\\').then(|| letters.next()).flatten();
        if let Some(word) = words.last_mut() {
            word.push(escaped.unwrap_or(letter));
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::said;

    #[test]
    fn the_settings_of_a_command_line_are_found_however_they_are_written() {
        let expected = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            said(r"-c search_path=a,b -cLock_Timeout=9  --statement-timeout=1\ min -c"),
            [
                expected("search_path", "a,b"),
                expected("lock_timeout", "9"),
                expected("statement_timeout", "1 min"),
            ]
        );
        assert_eq!(said(""), []);
    }
}
