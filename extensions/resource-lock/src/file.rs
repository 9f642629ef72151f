//! The file on disk, beside the registered versions.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use chrono::Utc;
use resource_runtime::{ApiBuilder, Error};

use crate::lock::{Amendment, Comparison, Lock};
use crate::promise::Promise;
use crate::registered::registered;

/// The file of published versions; without text where there is none yet.
#[derive(Debug)]
pub(crate) struct File {
    path: PathBuf,
    text: String,
}

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
    /// Reads the file, where there is one.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            read => read.map_err(|error| failed(path, "be read", error))?,
        };
        Ok(Self {
            path: path.to_owned(),
            text,
        })
    }

    /// The published versions.
    pub(crate) fn lock(&self) -> Result<Lock, Error> {
        let path = self.path.display();
        Lock::read(&self.text)
            .map_err(|mistake| Error::configuration(format!("`{path}`, {mistake}")))
    }

    /// Compares the file with the registered versions.
    pub(crate) fn standing(&self, builder: &ApiBuilder) -> Result<Standing, Error> {
        let (_, comparison) = self.compare(builder, None)?;
        if !comparison.broken.is_empty() {
            return Ok(Standing::Broken(comparison.broken));
        }
        let lines = self.changes(&comparison.lock);
        // Lines in another order are the same ones, and a file to be written all the same.
        Ok(if comparison.lock.text() == self.text {
            Standing::Kept
        } else {
            Standing::Stale(comparison.lock, lines)
        })
    }

    /// The registered versions, and their comparison with the file.
    pub(crate) fn compare(
        &self,
        builder: &ApiBuilder,
        amendment: Option<Amendment<'_>>,
    ) -> Result<(Vec<Promise>, Comparison), Error> {
        let lock = self.lock()?;
        let registered = registered(&builder.promises()?);
        let comparison = lock.compare(&registered, amendment, &today());
        Ok((registered, comparison))
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

    pub(crate) fn write(&self, lock: &Lock) -> Result<(), Error> {
        let written = fs::write(&self.path, lock.text());
        written.map_err(|error| failed(&self.path, "be written", error))
    }

    /// The error of a file that is behind the code.
    pub(crate) fn stale(&self, lines: &[String]) -> Error {
        let path = self.path.display();
        let lines = match lines {
            [] => String::from("lines are not in their places"),
            lines => format!("these lines change:\n{}\n", lines.join("\n")),
        };
        Error::configuration(format!(
            "`{path}` is behind the code; no promise is broken, so write it by the command `lock`, or by this test with \
             `UPDATE_LOCK=1`: {lines}"
        ))
    }
}

/// The day, by UTC.
pub(crate) fn today() -> String {
    Utc::now().date_naive().to_string()
}

fn failed(path: &Path, action: &str, error: std::io::Error) -> Error {
    let path = path.display();
    Error::configuration(format!("`{path}` cannot {action}: {error}")).with_source(error)
}
