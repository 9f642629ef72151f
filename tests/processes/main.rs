//! The examples as processes: started, killed, asked to stop, and started twice.

#![cfg(unix)]

mod address_book;
mod backups;
mod built;
mod commands;
mod counted;
mod crashed;
mod crowded;
mod described;
mod draining;
mod exercised;
#[cfg(target_os = "linux")]
mod full;
mod helping;
mod instances;
mod killed;
mod logged;
mod older_file;
mod protected_notes;
mod started;
mod stopped;
mod together;
mod users;
