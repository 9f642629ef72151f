//! Typed access to items from Rust.

mod bulk;
mod one_planner;
mod reading;
mod shop;
mod transactions;
mod within_transactions;
mod writing;
