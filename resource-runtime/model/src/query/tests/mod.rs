//! Tests of the query language: every error word by word, and the round trip from a tree to its text.

mod caps;
mod filters;
mod orders_and_fields;
mod round_trip;

use super::{QueryLimits, filter};
use crate::ApiResource as _;
use crate::authorization::View;
use crate::error::ApiError;
use crate::samples::Person;

const LIMITS: QueryLimits = QueryLimits::new();

fn message<T>(result: Result<T, ApiError>) -> String {
    match result {
        Ok(_) => String::from("no error"),
        Err(error) => error.description().to_owned(),
    }
}

fn filter_message(text: &str) -> String {
    message(filter(
        View::unrestricted(Person::DEFINITION),
        Some(text),
        LIMITS,
    ))
}
