//! The examples as processes: started, stopped, killed, and several on one database.

#![cfg(unix)]

mod address_book;
mod backups;
mod commands;
mod draining;
mod executables;
mod exercise;
mod existing_tables;
mod four_processes;
#[cfg(target_os = "linux")]
mod full_disk;
mod golden_output;
mod killed_process;
mod logging;
mod moved_to_postgres;
mod open_file_limit;
mod openapi_coverage;
mod protected_notes;
mod published_versions;
mod server_crash;
mod shutdown;
mod startup;
mod totals;
mod two_processes;
mod users;
