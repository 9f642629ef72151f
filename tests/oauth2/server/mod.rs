//! The embedded authorization server over HTTP, on every database.

mod authenticating;
mod authorizing;
mod codes;
mod consenting;
mod crowding;
mod described;
mod discreet;
mod generations;
mod host;
mod instances;
mod interoperating;
mod introspected;
mod keys;
mod limited;
mod machines;
mod planting;
mod reaching;
mod refreshing;
mod registering;
mod revoking;
mod starting;
mod staying;
mod sweeping;
mod world;
