//! Pages for people: one template and one style sheet, nothing that is loaded, and no script.

mod error_list;
mod error_page;
mod prose;
mod server_error;
mod template;

pub(crate) use error_list::error_list;
pub(crate) use error_page::error_page;
#[cfg(feature = "docs")]
pub(crate) use prose::{escape, paragraphs, summary};
pub(super) use server_error::server_error;
#[cfg(feature = "docs")]
pub(crate) use template::{Content, Link, Page, STYLE_POLICY};
