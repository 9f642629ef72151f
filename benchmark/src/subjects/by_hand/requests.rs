//! Requests to the service by hand, and their checks.

use serde::Deserialize;

use super::failure::Failure;

const LONGEST_NAME: usize = 50;

const LARGEST_PAGE: u32 = 1000;

/// The part of a list that is asked for.
#[derive(Deserialize)]
pub(super) struct Paging {
    #[serde(default)]
    pub(super) offset: u32,
    #[serde(default = "ten")]
    pub(super) limit: u32,
}

/// The persons of a last name above an id, the greatest id first.
#[derive(Deserialize)]
pub(super) struct PersonFilter {
    pub(super) last_name: String,
    pub(super) above: i64,
}

/// The persons above one id, up to another.
#[derive(Deserialize)]
pub(super) struct PersonRange {
    pub(super) above: i64,
    pub(super) up_to: i64,
}

#[derive(Deserialize)]
pub(super) struct NewSetting {
    pub(super) name: String,
    pub(super) value: String,
}

#[derive(Deserialize)]
pub(super) struct SettingChange {
    pub(super) name: Option<String>,
    pub(super) value: Option<String>,
}

const fn ten() -> u32 {
    10
}

impl Paging {
    pub(super) fn check(&self) -> Result<(), Failure> {
        if self.limit <= LARGEST_PAGE {
            return Ok(());
        }
        Err(Failure::Invalid("`limit` is at most 1000"))
    }
}

impl NewSetting {
    pub(super) fn check(&self) -> Result<(), Failure> {
        check_name(&self.name)?;
        check_text(&self.value)
    }
}

impl SettingChange {
    pub(super) fn check(&self) -> Result<(), Failure> {
        self.name.as_deref().map_or(Ok(()), check_name)?;
        self.value.as_deref().map_or(Ok(()), check_text)
    }
}

fn check_name(name: &str) -> Result<(), Failure> {
    if name.chars().count() > LONGEST_NAME {
        return Err(Failure::Invalid("`name` has at most 50 characters"));
    }
    check_text(name)
}

fn check_text(text: &str) -> Result<(), Failure> {
    if text.contains('\0') {
        return Err(Failure::Invalid("texts hold no U+0000"));
    }
    Ok(())
}
