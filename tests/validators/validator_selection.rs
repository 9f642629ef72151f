//! Selection of a resource's validator, and the error of `build` where one is missing.

use resource_runtime::{
    Api, ApiResource, Database, HookResult, Item, Messages, RequestContext, Validator, WriteContext,
};
use resource_tests::{
    Service, TestDatabase, apply, assert_created, assert_error, block_on, every_database,
};
use serde_json::json;

#[derive(Debug, ApiResource)]
#[resource(name = "Word", url = "/words", version = "1.0")]
#[resource(validator = Banned)]
struct Word {
    id: i64,
    text: String,
}

#[derive(Debug)]
struct Banned(Vec<&'static str>);

impl Default for Banned {
    fn default() -> Self {
        Self(vec!["default"])
    }
}

impl Validator<Word> for Banned {
    async fn validate(
        &self,
        word: &Word,
        _: &mut WriteContext<'_, Word>,
        messages: &mut Messages<Word>,
    ) -> HookResult {
        if self.0.contains(&word.text.as_str()) {
            messages.about(Word::TEXT, "is banned");
        }
        Ok(())
    }
}

const WORDS: &str = "/api/1.0/words";

#[track_caller]
fn assert_banned(service: &Service, banned: &str, allowed: &str) {
    assert_error(&service.post(WORDS, &json!({"text": banned})), 400, 10010)
        .naming(&["`text` is banned"]);
    assert_created(&service.post(WORDS, &json!({"text": allowed})));
}

#[apply(every_database)]
fn validator_named_by_the_struct_is_created_by_default() {
    let service = Service::start(|database| Api::builder().resource::<Word>().build(database));
    assert_banned(&service, "default", "given");
}

#[apply(every_database)]
fn validator_of_resource_with_replaces_the_default() {
    let given = Banned(vec!["given"]);
    let service =
        Service::start(|database| Api::builder().resource_with::<Word>(given).build(database));
    assert_banned(&service, "given", "default");
}

#[derive(Debug, ApiResource)]
#[resource(name = "User", url = "/users", version = "1.0")]
#[resource(redacts(password))]
struct User {
    id: i64,
    password: String,
}

#[derive(Debug, ApiResource)]
#[resource(name = "User", url = "/users", version = "2.0")]
struct UserTwo {
    id: i64,
    #[resource(write_only)]
    password: String,
}

/// A resource that refers to an unregistered version.
#[derive(Debug, ApiResource)]
#[resource(name = "Note", url = "/notes", version = "2.0")]
#[resource(subresource(author = "author_id"))]
struct Note {
    id: i64,
    #[resource(references = User)]
    author_id: i64,
}

struct Silent;

impl Validator<User> for Silent {
    fn format(&self, user: &mut Item<User>, _: &RequestContext) {
        user.clear(User::PASSWORD);
    }
}

fn database() -> (TestDatabase, Database) {
    let file = TestDatabase::default();
    let database = block_on(Database::connect(&file.url())).unwrap();
    (file, database)
}

#[apply(every_database)]
fn redacts_without_a_validator_is_refused() {
    let (_file, database) = database();
    let mistake = Api::builder().resource::<User>().build(database.clone());
    let mistake = mistake.unwrap_err().to_string();
    assert!(
        mistake.contains("`User` 1.0 redacts `password`"),
        "{mistake}"
    );
    assert!(mistake.contains("resource_with"), "{mistake}");
    let sound = Api::builder().resource_with::<User>(Silent).build(database);
    assert!(sound.is_ok());
}

#[apply(every_database)]
fn redacts_without_a_validator_in_an_expanded_version_is_refused() {
    let (_file, database) = database();
    let builder = Api::builder().resource::<UserTwo>().resource::<Note>();
    let mistake = builder.build(database).unwrap_err().to_string();
    assert!(
        mistake.contains("`User` 1.0 redacts `password`"),
        "{mistake}"
    );
}
