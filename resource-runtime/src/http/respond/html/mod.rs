//! HTML pages: one template with its style sheet, without scripts or anything else to be loaded.

mod error_page;
mod template;

pub(super) use error_page::server_error;
pub(crate) use error_page::{error_list, error_page};
#[cfg(feature = "docs")]
pub(crate) use template::{Content, Link, Page, STYLE_POLICY, escape, paragraphs, summary};
