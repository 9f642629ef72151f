//! Authorization: the guard before the routes, and the items and attributes that each caller sees.

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
