//! The caller, as validators and hooks see it.

use std::sync::{Arc, Mutex};

use resource_oauth2::Claims;
use resource_runtime::{
    ApiResource, HookResult, Item, Messages, RequestContext, Validator, WriteContext,
};
use resource_tests::{apply, assert_error, assert_no_content, every_database};
use serde_json::json;

use super::guarded_service::Guarded;

#[derive(ApiResource)]
#[resource(name = "Letter", url = "/letters", version = "1.0")]
#[resource(public(read), scopes(write = "write"))]
struct Letter {
    id: i64,
    #[resource(references = Box)]
    box_id: Option<i64>,
    text: String,
}

/// A box for letters.
#[derive(ApiResource)]
#[resource(name = "Box", url = "/boxes", version = "1.0")]
#[resource(scopes(read = "read", write = "write"), owner(field = "owner"))]
struct Box {
    id: i64,
    owner: String,
}

/// Records the caller, and puts letters without a box into the first box, whoever owns it.
struct Secretary(Arc<Mutex<Vec<String>>>);

impl Secretary {
    fn note(&self, request: &RequestContext) {
        let user = request.principal().map_or("nobody", |it| it.subject());
        let client = request.extension::<Arc<Claims>>();
        let client = client
            .and_then(|claims| claims.client_id())
            .unwrap_or("none");
        let method = request.method();
        self.0
            .lock()
            .unwrap()
            .push(format!("{method} {user} {client}"));
    }
}

impl Validator<Letter> for Secretary {
    async fn validate(
        &self,
        letter: &Letter,
        context: &mut WriteContext<'_, Letter>,
        messages: &mut Messages<Letter>,
    ) -> HookResult {
        self.note(context);
        if letter.text.is_empty() {
            messages.about(Letter::TEXT, "must not be empty");
        }
        Ok(())
    }

    async fn before_create(
        &self,
        letter: &mut Letter,
        context: &mut WriteContext<'_, Letter>,
    ) -> HookResult {
        // Reads of the developer's own code are not restricted to the caller.
        let found: Option<Box> = context.database().await?.items().get(1).await?;
        letter.box_id = letter.box_id.or(found.map(|it| it.id));
        Ok(())
    }

    fn format(&self, _: &mut Item<Letter>, context: &RequestContext) {
        self.note(context);
    }
}

fn serve() -> (Guarded, Arc<Mutex<Vec<String>>>) {
    let notes = Arc::new(Mutex::new(Vec::new()));
    let secretary = Secretary(notes.clone());
    let guarded = Guarded::serve(|builder| {
        let builder = builder.resource::<Box>();
        builder.resource_with::<Letter>(secretary)
    });
    (guarded, notes)
}

#[apply(every_database)]
fn hooks_see_user_and_client_of_the_token() {
    let (guarded, notes) = serve();
    let ann = guarded.user("ann", "read write");
    let path = ann.create("/api/1.0/letters", &json!({"text": "x"}));
    assert_no_content(&ann.put(&path, &json!({"text": "y"})));
    ann.read(&path);
    guarded.stranger().read(&path);
    guarded.client("").read(&path);
    let noted = notes.lock().unwrap().clone();
    assert_eq!(
        noted,
        [
            "POST ann app",
            "PUT ann app",
            "GET ann app",
            "GET nobody none",
            "GET nobody app"
        ]
    );
}

#[apply(every_database)]
fn references_set_by_a_hook_are_not_restricted() {
    let (guarded, _) = serve();
    let (ann, bob) = (
        guarded.user("ann", "read write"),
        guarded.user("bob", "read write"),
    );
    ann.create("/api/1.0/boxes", &json!({}));
    let named = bob.post("/api/1.0/letters", &json!({"text": "x", "box_id": 1}));
    assert_error(&named, 400, 10031).naming(&["`box_id`"]);
    let path = bob.create("/api/1.0/letters", &json!({"text": "x"}));
    assert_eq!(bob.read(&path)["box_id"], 1);
    let named = bob.put(&path, &json!({"text": "x", "box_id": 1}));
    assert_error(&named, 400, 10031).naming(&["`box_id`"]);
    assert_no_content(&bob.put(&path, &json!({"text": "z"})));
}

/// A hook never sees an item that is absent for the caller.
#[apply(every_database)]
fn hooks_are_not_called_for_items_of_others() {
    #[derive(ApiResource)]
    #[resource(name = "Diary", url = "/diaries", version = "1.0", scopes)]
    #[resource(owner(field = "writer"))]
    struct Diary {
        id: i64,
        writer: String,
        text: String,
    }

    struct Alarm;

    impl Validator<Diary> for Alarm {
        async fn before_update(
            &self,
            _: &mut Diary,
            context: &mut WriteContext<'_, Diary>,
        ) -> HookResult {
            assert_eq!(context.principal().unwrap().subject(), "ann");
            Ok(())
        }

        async fn before_delete(
            &self,
            diary: &Diary,
            context: &mut WriteContext<'_, Diary>,
        ) -> HookResult {
            assert_eq!(context.principal().unwrap().subject(), diary.writer);
            Ok(())
        }
    }

    let guarded = Guarded::serve(|builder| builder.resource_with::<Diary>(Alarm));
    let scopes = "diary.read diary.write";
    let (ann, bob) = (guarded.user("ann", scopes), guarded.user("bob", scopes));
    let path = ann.create("/api/1.0/diaries", &json!({"text": "x"}));
    assert_error(&bob.put(&path, &json!({"text": "y"})), 404, 10001);
    assert_error(&bob.delete(&path), 404, 10001);
    assert_no_content(&ann.put(&path, &json!({"text": "z"})));
    assert_eq!(ann.read(&path)["text"], "z");
    assert_no_content(&ann.delete(&path));
}
