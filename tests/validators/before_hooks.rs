//! The hooks before a write: they change the item, or refuse the write.

use resource_runtime::{Api, ApiResource, HookError, HookResult, Validator, WriteContext};
use resource_tests::{Service, apply, assert_error, assert_no_content, every_database};
use serde_json::json;

#[derive(Debug, ApiResource)]
#[resource(name = "Page", url = "/pages", version = "1.0")]
#[resource(validator = Editor)]
struct Page {
    id: i64,
    title: String,
    #[resource(read_only, max_length = 12)]
    slug: Option<String>,
    #[resource(read_only, default = 0)]
    edits: i32,
    #[resource(default = false)]
    is_locked: bool,
}

#[derive(Debug, Default)]
struct Editor;

impl Validator<Page> for Editor {
    async fn before_create(&self, page: &mut Page, _: &mut WriteContext<'_, Page>) -> HookResult {
        if page.title.is_empty() {
            return Err(HookError::refused_for(Page::TITLE, "must not be empty"));
        }
        page.slug = Some(page.title.to_lowercase());
        match page.title.as_str() {
            "Moved" => page.id = 7,
            "Nul" => page.slug = Some(String::from("a\0b")),
            _ => {}
        }
        Ok(())
    }

    async fn before_update(
        &self,
        page: &mut Page,
        context: &mut WriteContext<'_, Page>,
    ) -> HookResult {
        if page.is_locked && !context.changes(Page::IS_LOCKED) {
            return Err(HookError::refused("the page is locked"));
        }
        if context.changes(Page::TITLE) {
            page.slug = Some(page.title.to_lowercase());
        }
        page.edits += 1;
        if page.title == "Moved" {
            page.id = 7;
        }
        Ok(())
    }

    async fn before_delete(&self, page: &Page, _: &mut WriteContext<'_, Page>) -> HookResult {
        if page.is_locked {
            return Err(HookError::refused("the page is locked"));
        }
        Ok(())
    }
}

const PAGES: &str = "/api/1.0/pages";

fn pages() -> Service {
    Service::start(|database| Api::builder().resource::<Page>().build(database))
}

#[apply(every_database)]
fn before_hook_may_change_read_only_attributes() {
    let service = pages();
    let path = service.create(PAGES, &json!({"title": "Hello"}));
    assert_eq!(
        service.read(&path),
        json!({"id": 1, "title": "Hello", "slug": "hello", "edits": 0, "is_locked": false})
    );
    assert_no_content(&service.put(&path, &json!({"title": "World"})));
    assert_eq!(
        service.read(&path),
        json!({"id": 1, "title": "World", "slug": "world", "edits": 1, "is_locked": false})
    );
}

#[apply(every_database)]
fn refusal_of_a_hook_is_400_10010_and_writes_nothing() {
    let service = pages();
    assert_error(&service.post(PAGES, &json!({"title": ""})), 400, 10010)
        .naming(&["`title` must not be empty"]);
    assert_eq!(service.read(PAGES)["totalItems"], 0);
    let path = service.create(PAGES, &json!({"title": "Hello", "is_locked": true}));
    assert_error(&service.put(&path, &json!({"title": "World"})), 400, 10010)
        .naming(&["the page is locked"]);
    assert_error(&service.delete(&path), 400, 10010).naming(&["the page is locked"]);
    assert_eq!(service.read(&path)["title"], "Hello");
    assert_no_content(&service.put(&path, &json!({"is_locked": false})));
    assert_no_content(&service.delete(&path));
    assert_eq!(service.get(&path).status, 404);
}

#[apply(every_database)]
fn unknown_item_is_404_before_any_hook() {
    let service = pages();
    let path = format!("{PAGES}/1");
    assert_error(&service.put(&path, &json!({"title": "World"})), 404, 10001);
    assert_error(&service.delete(&path), 404, 10001);
}

#[apply(every_database)]
fn hook_that_violates_the_model_is_500() {
    let service = pages();
    let body = json!({"title": "A title of more than twelve characters"});
    assert_eq!(service.post(PAGES, &body).status, 500);
    assert_eq!(service.post(PAGES, &json!({"title": "Nul"})).status, 500);
    let path = service.create(PAGES, &json!({"title": "Short"}));
    assert_eq!(service.put(&path, &body).status, 500);
    assert_eq!(service.read(&path)["title"], "Short");
}

#[apply(every_database)]
fn hook_that_changes_the_primary_key_is_500() {
    let service = pages();
    assert_eq!(service.post(PAGES, &json!({"title": "Moved"})).status, 500);
    let path = service.create(PAGES, &json!({"title": "Stays"}));
    assert_eq!(service.put(&path, &json!({"title": "Moved"})).status, 500);
    assert_eq!(service.read(&path)["title"], "Stays");
}
