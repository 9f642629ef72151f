#![doc = include_str!("../README.md")]
#![warn(unreachable_pub)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![allow(
    clippy::format_push_string,
    reason = "the texts are short, and written once"
)]
#![allow(
    clippy::needless_pass_by_value,
    reason = "callers write `api()`, which makes a builder for this call alone"
)]
#![allow(
    clippy::test_attr_in_doctest,
    reason = "the README shows the test of a service"
)]

#[cfg(any(feature = "cli", feature = "docs"))]
mod changelog;
#[cfg(feature = "cli")]
mod cli;
mod compare;
mod file;
mod lock;
mod promise;
#[cfg(feature = "cli")]
mod publish;
mod read;
mod registered;
mod write;

#[cfg(test)]
mod tests;

use std::env;
use std::path::Path;

use resource_runtime::{ApiBuilder, Error};

#[cfg(feature = "cli")]
#[doc(hidden)]
pub use cli::outcome;
#[cfg(feature = "cli")]
pub use cli::{ChangelogCommand, Command, LockCommand, run};
use file::{File, PUBLISH, Standing};
#[cfg(any(feature = "cli", feature = "docs"))]
use lock::Lock;

/// Compares the published versions in the file at `path` with those that are registered, as a test of a service does,
/// in its own folder. It needs no database.
///
/// With the environment variable `UPDATE_LOCK=1`, compatible changes are written into the file, as the command `lock` does.
///
/// # Errors
///
/// The promises that the code breaks; or, where it breaks none, the lines in which the file is behind the code; or that
/// there is no file.
///
/// ```
/// use resource_runtime::{Api, ApiBuilder, ApiResource};
///
/// #[derive(ApiResource)]
/// #[resource(name = "Setting", url = "/settings", version = "1.0")]
/// struct Setting {
///     id: i64,
///     #[resource(max_length = 50)]
///     name: String,
/// }
///
/// fn api() -> ApiBuilder {
///     Api::builder().resource::<Setting>()
/// }
///
/// # let folder = std::env::temp_dir().join(format!("check-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// # let path = folder.join("api.lock");
/// # let text = r#"# What published versions promise. Written by the command `lock`: review it, do not edit it.
/// # lock = 1
/// # semantics = 1
/// # Setting."1.0".attribute.id = { kind = "i64", key = "database" }
/// # Setting."1.0".attribute.name = { kind = "text", max_length = 80, required = true }
/// # Setting."1.0".path = "/api/1.0/settings"
/// # Setting."1.0".published = "2026-11-22"
/// # "#;
/// # std::fs::write(&path, text).unwrap();
/// // In the file: Setting."1.0".attribute.name = { kind = "text", max_length = 80, required = true }
/// let broken = resource_lock::check(api(), &path).unwrap_err();
/// assert!(broken.to_string().starts_with("`Setting` 1.0: `name` takes "));
/// # std::fs::remove_dir_all(&folder).unwrap();
/// ```
pub fn check(builder: ApiBuilder, path: impl AsRef<Path>) -> Result<(), Error> {
    let file = File::open(path.as_ref(), PUBLISH)?;
    match file.standing(file.compare(&builder, None)?) {
        Standing::Kept => Ok(()),
        Standing::Broken(problems) => Err(Error::of_problems(problems)),
        Standing::Stale(lock, _) if env::var("UPDATE_LOCK").is_ok_and(|it| it == "1") => {
            file.write(&lock)
        }
        Standing::Stale(_, lines) => {
            let ways = "the command `lock`, or by this test with `UPDATE_LOCK=1`";
            Err(Error::configuration(file.stale(&lines, ways)))
        }
    }
}

/// Shows the changelog at `/docs/changes`, beside the other pages of the API: of the versions in `lock`, the text of the
/// file, and of those that `builder` has so far. A mistake in the file is one of
/// [`build`](ApiBuilder::build).
///
/// ```
/// use resource_runtime::Api;
///
/// # const LOCK: &str = "lock = 1\nsemantics = 1\n";
/// // const LOCK: &str = include_str!("../api.lock");
/// let builder = resource_lock::show_changes(Api::builder(), LOCK);
/// # drop(builder);
/// ```
#[cfg(feature = "docs")]
pub fn show_changes(builder: ApiBuilder, lock: &str) -> ApiBuilder {
    let lock = Lock::read(lock.trim_start_matches(file::MARK)).map_err(|mistake| {
        Error::configuration(format!("the file of published versions, {mistake}"))
    });
    let text = lock.and_then(|lock| changes(&builder, &lock, |_| true));
    builder.changes(text)
}

/// The changelog of the versions of which `is_wanted` holds.
#[cfg(any(feature = "cli", feature = "docs"))]
fn changes(
    builder: &ApiBuilder,
    lock: &Lock,
    is_wanted: impl Fn(resource_runtime::schema::Version) -> bool,
) -> Result<String, Error> {
    let registered = registered::registered(&builder.promises()?);
    Ok(changelog::changelog(lock, &registered, is_wanted))
}
