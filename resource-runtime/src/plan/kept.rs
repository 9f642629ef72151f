use std::sync::OnceLock;

use super::statement::Text;
use super::{Dialect, Statement, Writer};

/// The text of statements of one shape, once it was written.
pub(super) type Kept = OnceLock<Text>;

/// What `write` writes; its text is kept, or taken from what was kept, where it is always the same.
pub(super) fn written(
    dialect: Dialect,
    kept: Option<&Kept>,
    write: impl FnOnce(&mut Writer),
) -> Statement {
    let mut writer = match kept.and_then(OnceLock::get) {
        Some(text) => Writer::repeating(dialect, text.clone()),
        None => Writer::new(dialect),
    };
    write(&mut writer);
    let statement = writer.finish();
    if let Some(kept) = kept {
        kept.get_or_init(|| statement.text.clone());
    }
    statement
}
