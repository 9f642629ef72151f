//! Every type that a field may have, over HTTP: round trips, comparison and order, and the errors
//! of values that it does not hold.
//!
//! A file for each type. The properties that all types share are asserted by `round_trip`,
//! `comparison` and `rejection`, which take values of the type as JSON text; each file adds what
//! is particular to its type. `stored_on_sqlite`, `stored_on_postgres` and `other_programs` look
//! into the database itself.

mod records;
#[allow(dead_code, reason = "the tests of the query language use more of it")]
#[path = "../query/requests.rs"]
mod requests;
mod samples;

mod comparison;
mod rejection;
mod round_trip;

mod booleans;
mod bytes;
mod dates;
mod decimal_limits;
mod decimal_paths;
mod decimals;
mod doubles;
mod guide;
mod integers;
mod json_names;
mod json_queries;
mod json_values;
mod local_date_times;
mod offsets;
mod singles;
mod texts;
mod times;
mod timestamps;
mod unique_decimals;
mod uuids;

mod defaults;
mod every_type;
mod formats;
mod other_programs;
mod other_storage_formats;
mod stored_on_postgres;
mod stored_on_sqlite;
