#![warn(unreachable_pub)]
#![allow(
    clippy::format_collect,
    clippy::format_push_string,
    reason = "the texts are short, and written once"
)]
#![doc = include_str!("../README.md")]

mod code;
mod enums;
mod field;
mod given;
mod key;
mod limits;
mod model;
mod names;
mod references;
mod rows;
mod scaffold;
mod secrets;
mod struct_keys;
mod text;
mod types;

pub use scaffold::{Scaffold, scaffold};
