//! Detection of poolers that lose prepared statements, which are refused.

use resource_runtime::Api;
use resource_runtime::Database;
use resource_tests::models::SettingOne;
use resource_tests::{Cluster, Pooler, Service, TestDatabase, block_on};
use serde_json::json;

/// Parameters that the driver and the service send to a server when they connect.
const IGNORED: &str = "ignore_startup_parameters = extra_float_digits,options";

/// The error of the start behind a pooler with these settings.
#[track_caller]
fn refusal(pooler: &Pooler) -> String {
    match block_on(Database::connect(&pooler.url())) {
        Ok(_) => panic!("the pooler was not noticed"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn pooler_that_loses_prepared_statements_is_refused_with_the_remedy() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    for mode in ["transaction", "statement"] {
        let mode = format!("pool_mode = {mode}");
        let settings = [&mode, IGNORED, Pooler::forgetful()];
        for size in ["default_pool_size = 1", "default_pool_size = 20"] {
            let Some(pooler) = Pooler::start(&cluster, &[&settings[..], &[size]].concat()) else {
                return;
            };
            let text = refusal(&pooler);
            for word in [
                "pooler",
                "prepared statements",
                "max_prepared_statements",
                "session",
            ] {
                assert!(text.contains(word), "{mode}, {size}: {text}");
            }
        }
    }
}

#[test]
fn pooler_that_refuses_options_is_reported_with_the_remedy() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let Some(pooler) = Pooler::start(&cluster, &["pool_mode = session"]) else {
        return;
    };
    let text = refusal(&pooler);
    assert!(text.contains("ignore_startup_parameters"), "{text}");
}

#[track_caller]
fn assert_serves(cluster: &Cluster, mode: &[&str]) {
    let settings = [mode, &[IGNORED]].concat();
    let Some(pooler) = Pooler::start(cluster, &settings) else {
        return;
    };
    let database = TestDatabase::at(&pooler.url());
    let service = Service::start_on(&database, |database| {
        Api::builder().resource::<SettingOne>().build(database)
    });
    let path = service.create("/api/1.0/settings", &json!({"name": "a", "value": "b"}));
    for _ in 0..20 {
        assert_eq!(service.read(&path)["value"], "b");
        assert_eq!(service.read("/api/1.0/settings?limit=1")["totalItems"], 1);
    }
}

#[test]
fn pooler_in_session_mode_is_supported() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    assert_serves(&cluster, &["pool_mode = session"]);
}

#[test]
fn pooler_that_keeps_prepared_statements_is_supported() {
    if !Pooler::can_keep_statements() {
        return;
    }
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let mode = ["pool_mode = transaction", "max_prepared_statements = 100"];
    assert_serves(&cluster, &mode);
}
