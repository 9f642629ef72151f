//! Prepared statements are found by their text alone: every literal is bound as the type of its attribute.

use resource_runtime::{Api, ApiResource, Database};
use resource_tests::{Service, TestDatabase};
use serde_json::json;

#[derive(Debug, ApiResource)]
#[resource(name = "Match", url = "/matches", version = "1.0")]
struct Match {
    id: i64,
    score: Option<f64>,
    half: Option<f32>,
    goals: Option<i16>,
}

/// A service on one connection, with items of the scores -2000, 4, 5, 5.25, 6 and null.
fn matches(database: &TestDatabase) -> Service {
    let options = Database::options().connections(1);
    let service = Service::start_with(database, options, |database| {
        Api::builder().resource::<Match>().build(database)
    });
    for score in [-2000.0, 4.0, 5.0, 5.25, 6.0] {
        service.create(
            "/api/1.0/matches",
            &json!({"score": score, "half": score, "goals": 7}),
        );
    }
    service.create("/api/1.0/matches", &json!({}));
    service
}

#[track_caller]
fn assert_found(service: &Service, filter: &str, expected: &[i64]) {
    let page = service.read(&format!("/api/1.0/matches?fields=id&filter={filter}"));
    let items = page["items"].as_array().expect("items");
    let found: Vec<i64> = items
        .iter()
        .filter_map(|item| item["id"].as_i64())
        .collect();
    assert_eq!(found, expected, "{filter}");
}

#[test]
fn integer_and_fractional_literals_match_alike_in_any_order() {
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    let service = matches(&database);
    let filters: [(&str, &[i64]); 5] = [
        ("gt(_,5.5)", &[5]),
        ("gt(_,5)", &[4, 5]),
        ("gt(_,-1e3)", &[2, 3, 4, 5]),
        ("gt(_,50e-1)", &[4, 5]),
        ("gt(_,-3e3)", &[1, 2, 3, 4, 5]),
    ];
    for attribute in ["score", "half"] {
        for first in filters {
            for then in filters {
                for (filter, expected) in [first, then, first] {
                    assert_found(&service, &filter.replace('_', attribute), expected);
                }
            }
        }
    }
}

#[test]
fn null_is_bound_as_the_type_of_its_attribute() {
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    let service = matches(&database);
    for (body, filter) in [
        (json!({"goals": null}), "eq(goals,null)"),
        (json!({"goals": 3}), "eq(goals,3)"),
        (json!({"goals": null}), "in(goals,[null])"),
        (json!({"goals": -4}), "in(goals,[null,-4])"),
    ] {
        let answer = service.put("/api/1.0/matches/2", &body);
        assert_eq!(answer.status, 204, "{body}");
        let filter = format!("and(lt(id,3),{filter})");
        assert_found(&service, &filter, &[2]);
    }
}
