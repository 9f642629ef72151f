//! The address book as a process: started, killed, asked to stop, and started twice.
#![cfg(unix)]

mod address_book;
mod crashed;
mod crowded;
mod instances;
mod killed;
mod logged;
mod older_file;
mod started;
mod stopped;
mod together;
mod users;
