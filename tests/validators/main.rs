//! Validators, hooks and formats over HTTP: what a resource does beyond its model.

mod after;
mod altering;
mod before;
mod beside;
mod contexts;
mod ended;
mod failing;
mod formatting;
mod full;
mod importing;
mod kinds;
mod messages;
mod programs;
mod redacted;
mod registering;
mod sharing;
mod transactions;
mod updating;
mod waiting;
