//! The embedded authorization server over HTTP, on every database.

mod authorization_codes;
mod authorization_requests;
mod client_authentication;
mod client_credentials;
mod client_registration;
mod consent;
mod expired_rows;
mod host;
mod instances;
mod interoperability;
mod introspection;
mod metadata;
mod open_redirects;
mod pending_requests;
mod planted_rows;
mod rate_limits;
mod refresh_token_chains;
mod refresh_tokens;
mod revocation;
mod server_settings;
mod signing_keys;
mod stored_secrets;
mod user_scopes;
mod world;
