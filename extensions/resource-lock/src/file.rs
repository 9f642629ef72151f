//! The file on disk, beside the registered versions.

use std::io::ErrorKind;
use std::path::{self, Path, PathBuf};
use std::{fs, io};

use chrono::Utc;
use resource_runtime::{ApiBuilder, Error};

use crate::lock::{Amendment, Comparison, Lock};
use crate::registered::registered;

/// The file of published versions; without text where there is none yet.
#[derive(Debug)]
pub(crate) struct File {
    path: PathBuf,
    text: String,
    pub(crate) lock: Lock,
}

/// The remedy for a file that is missing.
pub(crate) const PUBLISH: &str =
    "`lock --publish <version>` makes it, unless it stands in another folder";

/// The file beside the code.
pub(crate) enum Standing {
    /// All is kept and written.
    Kept,
    /// Promises are broken.
    Broken(Vec<String>),
    /// The code has compatible changes; the file as it is to be, and the lines that differ.
    Stale(Lock, Vec<String>),
}

impl File {
    /// Reads the file; one that is missing or has no version is an error with this remedy, as it would keep nothing.
    pub(crate) fn open(path: &Path, remedy: &str) -> Result<Self, Error> {
        let file = Self::open_or_new(path)?;
        if file.lock.versions.is_empty() {
            let problem = if path.exists() {
                "has no version"
            } else {
                "is missing"
            };
            let path = file.path.display();
            let problem = format!("`{path}` {problem}; {remedy}");
            return Err(Error::configuration(problem));
        }
        Ok(file)
    }

    /// Reads the file, where there is one.
    pub(crate) fn open_or_new(path: &Path) -> Result<Self, Error> {
        // A message that is read elsewhere should tell the folder.
        let path = path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            read => read.map_err(|error| failed(&path, "be read", error))?,
        };
        // A checkout may have made other line ends of those that were written, an editor a mark of the encoding.
        let text = text.trim_start_matches(MARK).replace("\r\n", "\n");
        let lock = Lock::read(&text)
            .map_err(|mistake| Error::configuration(format!("`{}`, {mistake}", path.display())))?;
        Ok(Self { path, text, lock })
    }

    /// Judges a comparison with the registered versions.
    pub(crate) fn standing(&self, comparison: Comparison) -> Standing {
        if !comparison.broken.is_empty() {
            return Standing::Broken(comparison.broken);
        }
        // Lines in another order are the same ones, and a file to be written all the same.
        if comparison.lock.text() == self.text {
            Standing::Kept
        } else {
            let lines = self.changes(&comparison.lock);
            Standing::Stale(comparison.lock, lines)
        }
    }

    /// Compares the file with the registered versions.
    pub(crate) fn compare(
        &self,
        builder: &ApiBuilder,
        amendment: Option<Amendment<'_>>,
    ) -> Result<Comparison, Error> {
        let registered = registered(&builder.promises()?);
        Ok(self.lock.compare(registered, amendment, &today()))
    }

    /// The lines that the file loses and gets when `lock` is written.
    pub(crate) fn changes(&self, lock: &Lock) -> Vec<String> {
        let text = lock.text();
        let beyond = |of: &str, other: &str, mark: &str| -> Vec<String> {
            let known: Vec<&str> = other.lines().collect();
            let lines = of.lines().filter(|it| !known.contains(it));
            lines.map(|it| format!("{mark} {it}")).collect()
        };
        let mut lines = beyond(&self.text, &text, "-");
        lines.extend(beyond(&text, &self.text, "+"));
        lines
    }

    /// Writes what has changed.
    pub(crate) fn write(&self, lock: &Lock) -> Result<(), Error> {
        let text = lock.text();
        if text == self.text {
            return Ok(());
        }
        let written = fs::write(&self.path, text);
        written.map_err(|error| failed(&self.path, "be written", error))
    }

    /// The problem of a file that is behind the code, and the ways to write it.
    pub(crate) fn stale(&self, lines: &[String], ways: &str) -> String {
        let path = self.path.display();
        let lines = match lines {
            [] => String::from("lines are not in their places"),
            lines => format!("these lines change:\n{}\n", lines.join("\n")),
        };
        format!("`{path}` is behind the code; no promise is broken, so write it by {ways}: {lines}")
    }
}

/// The mark with which some editors begin a file.
pub(crate) const MARK: char = '\u{feff}';

/// The day, by UTC.
pub(crate) fn today() -> String {
    Utc::now().date_naive().to_string()
}

fn failed(path: &Path, action: &str, error: io::Error) -> Error {
    let path = path.display();
    Error::configuration(format!("`{path}` cannot {action}: {error}")).with_source(error)
}
