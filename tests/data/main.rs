//! Typed access to items from Rust.

mod one_planner;
mod reading;
mod shop;
mod within_transactions;
mod writing;
