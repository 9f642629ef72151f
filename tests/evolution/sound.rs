//! Versions of which nothing is told, over HTTP: what the older one takes the newer one takes, and what the newer one
//! answers is what the older one promised.
//!
//! `EVOLUTION_BODIES=200 cargo test -p resource-tests --test evolution` sends more of them.

use jsonschema::Validator;
use proptest::prelude::RngExt as _;
use proptest::test_runner::TestRng;
use resource_model::schema::ResourceDefinition;
use resource_runtime::{Api, ApiBuilder, ApiResource, OpenApiVersion};
use resource_tests::{InProcessApi, block_on};
use serde_json::{Map, Value, json};

use crate::edits::numbers;
use crate::told::{First, leaked, problems};

/// A struct in a version: its definition, and its registration.
type Registered = (&'static ResourceDefinition, fn(ApiBuilder) -> ApiBuilder);

/// Makes three structs of each list of fields: of 1.0, of 2.0 in the same table, and of 2.0 in one of its own.
macro_rules! things {
    ($($name:ident { $($fields:tt)* })*) => {
        $(
            mod $name {
                use crate::edits::{OpenTwo, Three, Two};
                use resource_runtime::ApiResource;

                #[derive(ApiResource)]
                #[resource(name = "Thing", url = "/things", version = "1.0")]
                pub(super) struct Old { id: i64, $($fields)* }

                #[derive(ApiResource)]
                #[resource(name = "Thing", url = "/things", version = "2.0")]
                pub(super) struct Sharing { id: i64, $($fields)* }

                #[derive(ApiResource)]
                #[resource(name = "Thing", url = "/things", version = "2.0", table = "others")]
                pub(super) struct Apart { id: i64, $($fields)* }

                fn both() -> (Option<OpenTwo>, Option<Three>, Option<Two>) {
                    (None, None, None)
                }
                const _: fn() -> (Option<OpenTwo>, Option<Three>, Option<Two>) = both;
            }
        )*

        /// The structs by their names: the older version, and both newer ones.
        fn things() -> Vec<(&'static str, [Registered; 3])> {
            vec![$((
                stringify!($name),
                [
                    ($name::Old::DEFINITION, |it| it.resource::<$name::Old>()),
                    ($name::Sharing::DEFINITION, |it| it.resource::<$name::Sharing>()),
                    ($name::Apart::DEFINITION, |it| it.resource::<$name::Apart>()),
                ],
            ),)*]
        }
    };
}

things! {
    plain { #[resource(max_length = 5)] text: String, number: i32, state: OpenTwo, note: Option<String> }
    longer { #[resource(max_length = 9)] text: String, number: i32, state: OpenTwo, note: Option<String> }
    limited { #[resource(min_length = 1, max_length = 5)] text: String, #[resource(min = 0, max = 10)] number: i32, state: OpenTwo, note: Option<String> }
    wide { #[resource(max_length = 5)] text: String, number: i64, state: OpenTwo, note: Option<String> }
    nullable { #[resource(max_length = 5)] text: Option<String>, number: Option<i32>, state: Option<OpenTwo>, note: Option<String> }
    defaulted { #[resource(max_length = 5, default = "x")] text: String, #[resource(default = 7)] number: i32, state: OpenTwo, note: Option<String> }
    closed { #[resource(max_length = 5)] text: String, number: i32, state: Two, note: Option<String> }
    three { #[resource(max_length = 5)] text: String, number: i32, state: Three, note: Option<String> }
    any_state { #[resource(max_length = 5)] text: String, number: i32, state: String, note: Option<String> }
    fewer { #[resource(max_length = 5)] text: String, number: i32, state: OpenTwo }
    further { extra: Option<f64>, note: Option<String>, #[resource(default = "x")] more: String, state: OpenTwo, number: i32, #[resource(max_length = 5)] text: String }
    told { #[resource(max_length = 5)] text: String, number: i32, state: OpenTwo, #[resource(read_only, max_length = 5)] note: Option<String> }
    untold { #[resource(max_length = 5)] text: String, number: i32, state: OpenTwo, #[resource(write_only)] note: Option<String> }
    unlimited { text: String, number: i32, state: OpenTwo, note: Option<String> }
}

/// A body of members that most versions know, with values that most of them take.
fn body(random: &mut TestRng) -> Value {
    let texts = ["a", "abcde", "", "abcdefg", "abcdefghij"].map(Value::from);
    let numbers = [
        json!(0),
        json!(7),
        json!(11),
        json!(-1),
        json!(3_000_000_000_i64),
        json!(1.5),
    ];
    let states = ["one", "two", "three", "four"].map(Value::from);
    let mut members = Map::new();
    for (name, values, is_sent) in [
        ("text", &texts[..], 0.95),
        ("number", &numbers, 0.95),
        ("state", &states, 0.95),
        ("note", &texts, 0.5),
        ("extra", &numbers, 0.03),
    ] {
        let few = if random.random_bool(0.8) {
            2
        } else {
            values.len()
        };
        let value = if random.random_bool(0.05) {
            &Value::Null
        } else {
            &values[random.random_range(0..few)]
        };
        if random.random_bool(is_sent) {
            members.insert(name.to_owned(), value.clone());
        }
    }
    Value::Object(members)
}

/// The schema of an item in the document of a version that is served alone.
fn promise((_, register): Registered) -> Validator {
    let database = resource_tests::TestDatabase::default();
    let api = block_on(async {
        let database = resource_runtime::Database::connect(&database.url())
            .await
            .expect("it opens");
        register(Api::builder())
            .build(database)
            .expect("nothing is wrong")
    });
    let document = api.openapi("1.0", OpenApiVersion::V31).expect("a version");
    let document: Value = serde_json::from_str(&document).expect("JSON");
    let schema =
        json!({"$ref": "#/components/schemas/Thing", "components": document["components"]});
    jsonschema::validator_for(&schema).expect("a schema")
}

/// The members of an answer that clients of a version know; they ignore the others.
fn known(mut item: Value, version: &ResourceDefinition) -> Value {
    let members = item.as_object_mut().expect("an item");
    members.retain(|name, _| {
        version
            .find(name)
            .is_some_and(|(_, it)| !it.is_write_only())
    });
    item
}

#[test]
fn versions_of_which_nothing_is_told_keep_their_promise() {
    let bodies = std::env::var("EVOLUTION_BODIES").map_or(12, |it| it.parse().expect("a number"));
    let mut random = numbers(5);
    let (mut compatible, mut taken) = (0, 0);
    for (old_name, [old, ..]) in things() {
        let promise = promise(old);
        for (new_name, [_, sharing, apart]) in things() {
            for new in [sharing, apart] {
                let following = leaked(new.0.following::<First>());
                if !problems(&[old.0, following]).is_empty() {
                    continue;
                }
                compatible += 1;
                let api = InProcessApi::new(new.1(old.1(Api::builder())));
                let client = api.anonymous();
                for _ in 0..bodies {
                    let body = body(&mut random);
                    let pair = format!("{old_name} {new_name} {body}");
                    let before = client.post("/api/1.0/things", &body);
                    let now = client.post("/api/2.0/things", &body);
                    assert!(now.status == 201 || before.status != 201, "{pair} {now:?}");
                    if let Some(here) = now.header("location") {
                        let item = known(client.read(here), old.0);
                        assert!(promise.is_valid(&item), "{pair} {item}");
                    }
                    let (true, Some(location)) = (before.status == 201, before.header("location"))
                    else {
                        continue;
                    };
                    taken += 1;
                    let change = self::body(&mut random);
                    let here = now.header("location").unwrap();
                    let before = client.put(location, &change);
                    let now = client.put(here, &change);
                    assert!(
                        now.status == 204 || before.status != 204,
                        "{pair} {change} {now:?}"
                    );
                    for path in [location, here] {
                        let item = known(client.read(path), old.0);
                        assert!(promise.is_valid(&item), "{pair} {change} {item}");
                    }
                }
            }
        }
    }
    println!("{compatible} pairs, {taken} items");
    assert!(
        compatible > 30 && taken > 3 * compatible,
        "{compatible} pairs, {taken} items"
    );
}
