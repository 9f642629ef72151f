//! Typed access to items from Rust.

mod access;
mod as_http;
mod bulk;
mod new_items;
mod one_planner;
mod outbox;
mod reading;
mod shop;
mod soft_delete;
mod totals;
mod transactions;
mod within_transactions;
mod writing;
