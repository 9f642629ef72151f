//! Protected notes as a process: its output, its pages, its tokens and its commands.

mod browser;
mod commands;
mod flows;
mod login_limits;
mod login_pages;
mod openapi_coverage;
mod owners;
mod process;
mod secrets;
mod startup;

pub(crate) use process::cleared;
