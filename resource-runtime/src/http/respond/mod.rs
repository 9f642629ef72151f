//! Responses: rows and errors become the bytes of an answer, in the only stage that knows status codes.

mod answer;
mod error;
mod hand_over;
mod health;
mod html;
mod item;
mod json;
mod page;
mod page_body;
mod shape;
mod spill;
mod unsent;

#[cfg(feature = "openapi")]
pub(crate) use answer::json;
pub(crate) use answer::{IndexEntry, created, index, no_content};
pub(crate) use error::{AnswerContext, error, failure};
pub(crate) use hand_over::HandOver;
pub(crate) use health::{Check, alive, readiness};
#[cfg(feature = "docs")]
pub(crate) use html::{Content, Link, Page, STYLE_POLICY, escape, paragraphs, summary};
pub(crate) use html::{error_list, error_page};
pub(crate) use item::ItemEncoder;
pub(crate) use page::{PageEncoder, begun_page};
pub(crate) use shape::{Formatters, Shape};
pub(crate) use unsent::Unsent;
