//! Access tokens: accepted and refused ones, issuers that are slow, broken or hostile, and the
//! embedded server that issues tokens.
//!
//! Every test has an issuer of its own on this machine, and a clock that it sets.

mod authorization;
mod clock;
mod concurrency;
mod discovery;
mod forged_tokens;
mod introspection;
mod issuer;
mod jwks_fetch;
mod jwks_refresh;
mod log_watch;
mod logged_secrets;
mod refused_tokens;
mod reply;
mod server;
mod signer;
mod time_claims;
mod token_cache;
mod verifier_settings;
mod verifier_startup;
