//! Hooks that fail, panic or hang: 500 without the cause, and nothing is written.

use std::time::Duration;

use resource_runtime::{
    Api, ApiResource, Change, HookResult, Item, Messages, RequestContext, Validator, WriteContext,
};
use resource_tests::{Service, apply, assert_no_content, every_database};
use serde_json::json;

#[derive(Debug, ApiResource)]
#[resource(name = "Thing", url = "/things", version = "1.0")]
#[resource(validator = Clumsy)]
struct Thing {
    id: i64,
    word: String,
}

#[derive(Debug, Default)]
struct Clumsy;

impl Clumsy {
    fn fail_or_panic(thing: &Thing, at: &str) -> HookResult {
        match thing.word.strip_prefix(at) {
            Some(" fails") => Err(std::io::Error::other("top-secret-4711").into()),
            Some(" panics") => panic!("top-secret-4711"),
            _ => Ok(()),
        }
    }

    async fn hang(thing: &Thing, at: &str) {
        if thing.word.strip_prefix(at) == Some(" hangs") {
            std::future::pending::<()>().await;
        }
    }
}

impl Validator<Thing> for Clumsy {
    async fn validate(
        &self,
        thing: &Thing,
        context: &mut WriteContext<'_, Thing>,
        _: &mut Messages<Thing>,
    ) -> HookResult {
        context.database().await?;
        Self::hang(thing, "validate").await;
        Self::fail_or_panic(thing, "validate")
    }

    async fn before_create(
        &self,
        thing: &mut Thing,
        _: &mut WriteContext<'_, Thing>,
    ) -> HookResult {
        Self::fail_or_panic(thing, "create")
    }

    async fn after_create(&self, thing: &Thing, _: &Change<Thing>) -> HookResult {
        Self::hang(thing, "after").await;
        Ok(())
    }

    async fn before_update(
        &self,
        thing: &mut Thing,
        _: &mut WriteContext<'_, Thing>,
    ) -> HookResult {
        Self::fail_or_panic(thing, "update")
    }

    async fn before_delete(&self, thing: &Thing, _: &mut WriteContext<'_, Thing>) -> HookResult {
        Self::fail_or_panic(thing, "delete")
    }

    fn format(&self, thing: &mut Item<Thing>, _: &RequestContext) {
        assert_ne!(thing.word, "format panics", "top-secret-4711");
    }
}

const THINGS: &str = "/api/1.0/things";

fn things() -> Service {
    Service::start(|database| {
        Api::builder()
            .resource::<Thing>()
            .hook_timeout(Duration::from_millis(300))
            .build(database)
    })
}

#[track_caller]
fn assert_failed(answer: &resource_tests::Answer) {
    assert_eq!(answer.status, 500, "{}", answer.text());
    assert!(answer.text().starts_with("<!DOCTYPE html>"));
    assert!(!answer.text().contains("4711"));
}

#[apply(every_database)]
fn hook_that_fails_or_panics_is_500_and_writes_nothing() {
    let service = things();
    for how in ["fails", "panics"] {
        for at in ["validate", "create"] {
            assert_failed(&service.post(THINGS, &json!({"word": format!("{at} {how}")})));
        }
        assert_eq!(service.read(THINGS)["totalItems"], 0);
    }
    let path = service.create(THINGS, &json!({"word": "sound"}));
    for how in ["fails", "panics"] {
        for at in ["validate", "update"] {
            assert_failed(&service.put(&path, &json!({"word": format!("{at} {how}")})));
        }
        assert_eq!(service.read(&path)["word"], "sound");
        assert_no_content(&service.put(&path, &json!({"word": format!("delete {how}")})));
        assert_failed(&service.delete(&path));
        assert_no_content(&service.put(&path, &json!({"word": "sound"})));
    }
    assert_no_content(&service.delete(&path));
}

#[apply(every_database)]
fn hook_beyond_its_timeout_is_500_and_does_not_block_other_writes() {
    let service = things();
    assert_failed(&service.post(THINGS, &json!({"word": "validate hangs"})));
    let path = service.create(THINGS, &json!({"word": "after hangs"}));
    assert_failed(&service.put(&path, &json!({"word": "validate hangs"})));
    assert_no_content(&service.put(&path, &json!({"word": "sound"})));
    assert_eq!(service.read(THINGS)["totalItems"], 1);
}

#[apply(every_database)]
fn panicking_format_hook_fails_one_response_alone() {
    let service = things();
    let sound = service.create(THINGS, &json!({"word": "sound"}));
    let unsound = service.create(THINGS, &json!({"word": "format panics"}));
    for _ in 0..4 {
        assert_failed(&service.get(&unsound));
        assert_failed(&service.get(THINGS));
        assert_eq!(service.read(&sound)["word"], "sound");
    }
}

#[apply(every_database)]
fn format_hook_that_panics_late_in_a_long_list_is_500() {
    let service = things();
    let word = "long ".repeat(1000);
    for _ in 0..40 {
        service.create(THINGS, &json!({"word": word}));
    }
    let path = format!("{THINGS}?limit=1000");
    let sound = service.get(&path);
    let length = sound.body.len().to_string();
    assert_eq!(sound.header("content-length"), Some(length.as_str()));
    assert!(sound.body.len() > 2 * 64 * 1024);
    service.create(THINGS, &json!({"word": "format panics"}));
    assert_failed(&service.get(&path));
}
