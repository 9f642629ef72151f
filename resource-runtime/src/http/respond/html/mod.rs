//! HTML pages: one template with its style sheet, which loads nothing. Only the API reference (`docs/`) adds
//! scripts, by `Page::head`.

mod error_page;
mod template;

pub(crate) use error_page::{error_list, error_page};
pub(super) use error_page::{refusal, server_error};
pub(crate) use template::Page;
pub use template::STYLE;
#[cfg(feature = "docs")]
pub(crate) use template::{LINKS_UP, Link, STYLE_POLICY, escape, inline, paragraphs, summary};
