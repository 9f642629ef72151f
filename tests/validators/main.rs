//! Validators, hooks and formats over HTTP, and transactions of the host.

mod after_hooks;
mod batch_import;
mod before_hooks;
mod ended_transactions;
mod error_kinds;
mod failing_hooks;
mod format_hooks;
mod full_database;
mod hook_transactions;
mod host_transactions;
mod messages;
mod programs;
mod redacted_attributes;
mod request_context;
mod shared_tables;
mod slow_hooks;
mod undeclared_redaction;
mod update_validation;
mod validator_selection;
