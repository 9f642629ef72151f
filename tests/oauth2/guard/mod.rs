//! Who may do what: the guard before the routes, and what of the items there is for whom.

mod absent;
mod admitting;
mod challenging;
mod described;
mod fields;
mod guest;
mod guide;
mod hooked;
mod issuers;
mod kinds;
mod matrix;
mod models;
mod other_sites;
mod owners;
mod random;
mod references;
mod registering;
mod sharing;
mod telling;
mod warning;
