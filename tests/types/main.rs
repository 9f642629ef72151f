//! Every type that a field may have, over HTTP: what it keeps, how it compares and orders, and
//! what it refuses in which words.
//!
//! A file for each type. What all of them promise is proved by the functions of `keeping`,
//! `comparing` and `refusing`, which are given values of the type as JSON writes them; each file
//! adds what its type alone promises. `stored` and `plain_connections` look into the file.

#[allow(
    dead_code,
    reason = "the query language asks in more ways than its values"
)]
#[path = "../query/asking.rs"]
mod asking;
mod records;
mod samples;

mod comparing;
mod keeping;
mod refusing;

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
mod other_forms;
mod plain_connections;
mod stored;
mod stored_on_postgres;
