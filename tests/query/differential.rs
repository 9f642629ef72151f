//! Random queries over random rows find what a plain evaluation of the same tree finds.
//!
//! A failure prints its seed and the smallest query that shows it; `QUERY_SEED=… cargo test`
//! repeats it.

mod evaluate;
mod generate;
mod print;
mod rows;
mod tree;
mod values;
mod world;

use std::cell::Cell;
use std::hash::{BuildHasher, Hasher};

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use resource_tests::{Client, apply, every_database, responses_differ};
use serde_json::Value;

use self::tree::Query;
use self::world::{ITEMS, World};
use crate::requests::{ids, url};

/// Number of queries, above the 2,000 that each run must try.
const QUERIES: u32 = 2_500;

fn seed() -> u64 {
    match std::env::var("QUERY_SEED") {
        Ok(seed) => seed.parse().expect("a seed"),
        Err(_) => std::hash::RandomState::new().build_hasher().finish(),
    }
}

fn runner(seed: u64) -> TestRunner {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config {
        cases: QUERIES,
        failure_persistence: None,
        max_shrink_iters: 4_000,
        ..Config::default()
    };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

/// The page of the service.
fn request(client: &Client, query: &Query) -> Result<Value, TestCaseError> {
    let parameters = query.parameters();
    let parameters: Vec<(&str, &str)> = parameters
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let answer = client.get(&url(ITEMS, &parameters));
    if answer.status == 200 {
        return Ok(answer.json());
    }
    Err(TestCaseError::fail(format!(
        "{parameters:?}: {}",
        answer.text()
    )))
}

/// Compares items, their order, their subresources, and the total.
fn compare(query: &Query, found: &Value, expected: &Value) -> Result<(), TestCaseError> {
    let same = if query.shows_everything() {
        ids(found) == ids(expected) && found["totalItems"] == expected["totalItems"]
    } else {
        found == expected
    };
    if same {
        return Ok(());
    }
    let request = query.parameters();
    Err(TestCaseError::fail(format!(
        "{request:?}\n   found {found}\nexpected {expected}"
    )))
}

#[apply(every_database)]
fn random_queries_match_a_plain_evaluation() {
    responses_differ("the queries are random");
    let seed = seed();
    println!("QUERY_SEED={seed}");
    let mut runner = runner(seed);
    let rows = generate::world().new_tree(&mut runner).expect("rows");
    let world: World = rows.current();
    let service = world.serve();
    // Number of filters that match some items and not others; a test needs enough of them.
    let telling = Cell::new(0_u32);
    let outcome = runner.run(&generate::query(), |query| {
        let matches = world.matching(&query).len();
        if matches > 0 && matches < world.len() {
            telling.set(telling.get() + 1);
        }
        compare(&query, &request(&service, &query)?, &world.answer(&query))
    });
    if let Err(failure) = outcome {
        panic!("QUERY_SEED={seed}\n{world:?}\n{failure}");
    }
    assert!(
        telling.get() > QUERIES / 3,
        "only {telling:?} filters tell something"
    );
}
