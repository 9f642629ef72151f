//! Access tokens: which are taken and which refused, and what becomes of an issuer that is slow,
//! broken or hostile; and the embedded server that issues them.
//!
//! Every test has an issuer of its own on this machine, and a clock that it sets.

mod building;
mod clock;
mod discovering;
mod fetching;
mod forging;
mod guard;
mod introspecting;
mod issuer;
mod logging;
mod refusing;
mod remembering;
mod renewing;
mod reply;
mod server;
mod signer;
mod starting;
mod timing;
mod together;
mod watched;
