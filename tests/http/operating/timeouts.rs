//! The time limit of requests.

use std::future::pending;
use std::time::Duration;

use resource_runtime::{Api, ApiResource, HookResult, Validator, WriteContext};
use resource_tests::{Service, apply, assert_error, every_database};
use serde_json::json;

#[derive(Debug, ApiResource)]
#[resource(name = "Letter", url = "/letters", version = "1.0")]
pub(super) struct Letter {
    id: i64,
    text: String,
}

/// A validator whose hook never returns for the text `endless`.
pub(super) struct Reader;

impl Validator<Letter> for Reader {
    async fn before_create(
        &self,
        letter: &mut Letter,
        _: &mut WriteContext<'_, Letter>,
    ) -> HookResult {
        if letter.text == "endless" {
            pending::<()>().await;
        }
        Ok(())
    }
}

#[apply(every_database)]
fn a_write_over_the_time_limit_is_503_and_blocks_no_other_write() {
    let service = Service::start(|database| {
        let builder = Api::builder().timeout(Duration::from_secs(2));
        builder.resource_with::<Letter>(Reader).build(database)
    });
    let late = service.post("/api/1.0/letters", &json!({"text": "endless"}));
    assert_error(&late, 503, 10090).naming(&["too long", "may have changed something or not"]);
    assert_eq!(late.header("retry-after"), Some("1"));
    service.create("/api/1.0/letters", &json!({"text": "short"}));
    assert_eq!(service.read("/api/1.0/letters")["totalItems"], 1);
}

#[apply(every_database)]
fn a_write_within_the_time_limit_succeeds() {
    let service = Service::start(|database| {
        let builder = Api::builder().timeout(Duration::from_mins(1));
        builder.resource_with::<Letter>(Reader).build(database)
    });
    service.create("/api/1.0/letters", &json!({"text": "short"}));
    assert_eq!(service.read("/api/1.0/letters/1")["text"], "short");
}
