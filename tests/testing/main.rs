//! The harness for tests of one's own API: requests, callers, the clock and databases.

mod callers;
mod databases;
mod requests;
