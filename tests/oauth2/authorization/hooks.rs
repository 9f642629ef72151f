//! Hooks: never called with references that the caller may not use.

use std::sync::{Arc, Mutex};

use resource_runtime::{ApiResource, HookResult, Messages, Validator, WriteContext};
use resource_tests::{apply, assert_error, assert_no_content, every_database};
use serde_json::{Value, json};

use super::guarded_service::{Guarded, id};

const SCOPES: &str = "box.read box.write memo.read memo.write";
const MEMOS: &str = "/api/1.0/memos";

#[derive(ApiResource)]
#[resource(name = "Box", url = "/boxes", version = "1.0", scopes)]
#[resource(owner(field = "owner"))]
struct Crate {
    id: i64,
    owner: String,
}

#[derive(ApiResource)]
#[resource(name = "Memo", url = "/memos", version = "1.0", scopes)]
#[resource(owner(field = "owner"))]
struct Memo {
    id: i64,
    owner: String,
    #[resource(unique)]
    slug: Option<String>,
    text: String,
    #[resource(references = Crate)]
    box_id: Option<i64>,
    #[resource(references = Crate)]
    other_id: Option<i64>,
}

/// Records the boxes of the memos that it validates, and refuses the text `bad`.
struct Reader(Arc<Mutex<Vec<Option<i64>>>>);

impl Validator<Memo> for Reader {
    async fn validate(
        &self,
        memo: &Memo,
        _: &mut WriteContext<'_, Memo>,
        messages: &mut Messages<Memo>,
    ) -> HookResult {
        self.0.lock().unwrap().push(memo.box_id);
        if memo.text == "bad" {
            messages.about(Memo::TEXT, "is bad");
        }
        Ok(())
    }
}

#[apply(every_database)]
fn references_are_checked_before_hooks_are_called() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let reader = Reader(seen.clone());
    let guarded = Guarded::serve(|it| it.resource::<Crate>().resource_with::<Memo>(reader));
    let (ann, bob) = (guarded.user("ann", SCOPES), guarded.user("bob", SCOPES));
    let theirs = id(&ann.create("/api/1.0/boxes", &json!({})));
    let ours = id(&bob.create("/api/1.0/boxes", &json!({})));
    ann.create(MEMOS, &json!({"text": "a", "slug": "taken"}));
    let path = bob.create(MEMOS, &json!({"text": "b", "box_id": ours}));
    seen.lock().unwrap().clear();
    let with = |base: &Value, folder: i64| {
        let mut body = base.clone();
        body["box_id"] = json!(folder);
        body
    };
    for base in [
        json!({"text": "fine"}),
        json!({"text": "bad"}),
        json!({"text": "fine", "slug": "taken"}),
    ] {
        let created = |folder: i64| bob.post(MEMOS, &with(&base, folder));
        let changed = |folder: i64| bob.put(&path, &with(&base, folder));
        for ask in [&created as &dyn Fn(i64) -> _, &changed] {
            let (foreign, absent) = (ask(theirs), ask(777));
            assert_error(&foreign, 400, 10031).naming(&["`box_id` refers to no existing Box"]);
            assert_eq!(foreign.text(), absent.text());
        }
    }
    let both = json!({"text": "bad", "box_id": theirs, "other_id": 777});
    let told = bob.post(MEMOS, &both);
    assert_error(&told, 400, 10031)
        .naming(&["`box_id`", "`other_id`"])
        .in_lines(2);
    assert!(seen.lock().unwrap().is_empty(), "{seen:?}");
    assert_error(
        &bob.post(MEMOS, &with(&json!({"text": "bad"}), ours)),
        400,
        10010,
    );
    assert_no_content(&bob.put(&path, &with(&json!({"text": "c"}), ours)));
    assert_no_content(&bob.put(&path, &json!({"box_id": null})));
    let seen = seen.lock().unwrap().clone();
    assert_eq!(seen, [Some(ours), Some(ours), None]);
}

/// A caller who may not read the target of a reference can change the rest of the item.
#[apply(every_database)]
fn unchanged_reference_is_not_checked() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let reader = Reader(seen.clone());
    let guarded = Guarded::serve(|it| it.resource::<Crate>().resource_with::<Memo>(reader));
    let bob = guarded.user("bob", SCOPES);
    let ours = id(&bob.create("/api/1.0/boxes", &json!({})));
    let path = bob.create(MEMOS, &json!({"text": "b", "box_id": ours}));
    let blind = guarded.user("bob", "memo.read memo.write");
    assert_no_content(&blind.put(&path, &json!({"text": "c"})));
    assert_error(&blind.put(&path, &json!({"box_id": ours})), 400, 10031);
    assert_no_content(&blind.delete(&path));
}
