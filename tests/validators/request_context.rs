//! The context of a request in validators: method, headers, principal, and the values that layers attached.

use axum::Extension;
use resource_runtime::{
    Api, ApiResource, HookResult, Item, Messages, Principal, RequestContext, Validator,
    WriteContext,
};
use resource_tests::{Service, apply, assert_error, every_database};
use serde_json::json;

#[derive(Debug, ApiResource)]
#[resource(name = "Diary", url = "/diaries", version = "1.0")]
#[resource(validator = Owner, redacts(secret))]
struct Diary {
    id: i64,
    owner: String,
    secret: String,
}

/// A request extension that a layer attaches.
#[derive(Debug, Clone)]
struct Tenant(u32);

#[derive(Debug, Default)]
struct Owner;

impl Validator<Diary> for Owner {
    async fn validate(
        &self,
        diary: &Diary,
        context: &mut WriteContext<'_, Diary>,
        messages: &mut Messages<Diary>,
    ) -> HookResult {
        if diary.secret != "tell" {
            return Ok(());
        }
        let subject = context.principal().map_or("nobody", Principal::subject);
        let tenant = context.extension::<Tenant>().map_or(0, |tenant| tenant.0);
        let hint = context.headers().get("x-hint");
        let hint = hint.and_then(|hint| hint.to_str().ok()).unwrap_or("none");
        let method = context.method();
        messages.add(format!("{method} {subject} {tenant} {hint}"));
        Ok(())
    }

    fn format(&self, diary: &mut Item<Diary>, context: &RequestContext) {
        let subject = context.principal().map(Principal::subject);
        if subject != Some(diary.owner.as_str()) {
            diary.clear(Diary::SECRET);
        }
    }
}

const DIARIES: &str = "/api/1.0/diaries";

fn diaries_of(subject: &str) -> Service {
    Service::start_wrapped(
        |database| Api::builder().resource::<Diary>().build(database),
        |app| {
            app.layer(Extension(Principal::new(subject)))
                .layer(Extension(Tenant(7)))
        },
    )
}

#[apply(every_database)]
fn validator_sees_method_headers_principal_and_extensions() {
    let service = diaries_of("ann");
    let body = json!({"owner": "ann", "secret": "tell"});
    let request = service.request("POST", DIARIES).json(body.to_string());
    let answer = request.header("x-hint", "a hint").send();
    assert_error(&answer, 400, 10010).naming(&["POST ann 7 a hint"]);
    let path = service.create(DIARIES, &json!({"owner": "ann", "secret": "x"}));
    assert_error(&service.put(&path, &json!({"secret": "tell"})), 400, 10010)
        .naming(&["PUT ann 7 none"]);
}

#[apply(every_database)]
fn principal_and_extensions_are_absent_without_a_layer() {
    let service = Service::start(|database| Api::builder().resource::<Diary>().build(database));
    let answer = service.post(DIARIES, &json!({"owner": "ann", "secret": "tell"}));
    assert_error(&answer, 400, 10010).naming(&["POST nobody 0 none"]);
}

#[apply(every_database)]
fn format_hook_may_depend_on_the_principal() {
    let service = diaries_of("ann");
    let own = service.create(DIARIES, &json!({"owner": "ann", "secret": "mine"}));
    let other = service.create(DIARIES, &json!({"owner": "bob", "secret": "his"}));
    let mine = json!({"id": 1, "owner": "ann", "secret": "mine"});
    let his = json!({"id": 2, "owner": "bob"});
    assert_eq!(
        (service.read(&own), service.read(&other)),
        (mine.clone(), his.clone())
    );
    assert_eq!(service.read(DIARIES)["items"], json!([mine, his]));
}
