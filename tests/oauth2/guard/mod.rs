//! Who may do what: the guard before the routes, and what of the items there is for whom.

mod admitting;
mod fields;
mod guest;
mod guide;
mod kinds;
mod matrix;
mod models;
mod owners;
mod references;
mod registering;
mod telling;
