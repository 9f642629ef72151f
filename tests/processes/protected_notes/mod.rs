//! Protected notes as a process: what it prints, its pages, its tokens and its commands.

mod browser;
mod commands;
mod described;
mod discreet;
mod flows;
mod limits;
mod logins;
mod owners;
mod process;
mod starting;

pub(crate) use process::cleared;
