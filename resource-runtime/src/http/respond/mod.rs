//! Responses: rows and errors become bytes with a status.

mod batch;
mod body_channel;
mod csv;
mod error;
mod health;
mod html;
mod item;
mod item_writer;
mod links;
mod page;
mod response;
mod row_encoder;
mod spill;
mod streaming_body;
mod unsent;

pub(crate) use batch::Batch;
pub(crate) use body_channel::{BodyChannel, ChunkSender, begin_chunks};
pub(crate) use error::{ErrorContext, error, failure, log_failure};
pub(crate) use health::{Check, alive, readiness};
#[cfg(feature = "docs")]
pub(crate) use html::{LINKS_UP, Link, STYLE_POLICY, escape, inline, paragraphs, summary};
pub(crate) use html::{Page, error_list, error_page};
pub(crate) use item::{ItemEncoder, Tagging, applied, represented};
pub(crate) use links::{links, url};
pub(crate) use page::{PageEncoder, streaming_response};
pub(crate) use response::{
    IndexEntry, accepts_patch, index, item_path, json, list, no_content, with_header, written,
};
pub(crate) use row_encoder::{Formatters, RowEncoder};
pub(crate) use unsent::Unsent;

pub use html::STYLE;
