//! Who may do what: the guard before the routes, and what of the items there is for whom.

mod admitting;
mod fields;
mod guest;
mod kinds;
mod matrix;
mod models;
mod owners;
mod references;
mod registering;
mod telling;
