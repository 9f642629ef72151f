use std::fmt;

/// The version of an API, `<major>.<minor>`, ordered by number: 1.10 is newer than 1.9.
///
/// ```
/// use resource_runtime::schema::Version;
///
/// assert!(Version::new(1, 10) > Version::new(1, 9));
/// assert_eq!(Version::new(2, 0).to_string(), "2.0");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    major: u16,
    minor: u16,
}

impl Version {
    /// The version `<major>.<minor>`.
    #[must_use]
    pub const fn new(major: u16, minor: u16) -> Self {
        Self { major, minor }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.major, self.minor)
    }
}
