//! Random versions of which nothing is told, over HTTP: what the older one takes the newer one takes, and what the newer one
//! answers is what the older one promised.
//!
//! `EVOLUTION_PAIRS=2000 cargo test -p resource-tests --test evolution` serves more of them.

use jsonschema::Validator;
use proptest::prelude::RngExt as _;
use proptest::test_runner::TestRng;
use resource_model::schema::{Operation, ResourceDefinition};
use resource_runtime::OpenApiVersion;
use resource_tests::{Backend, Client, InProcessApi, apply, every_database, responses_differ};
use serde_json::{Value, json};

use crate::edits::{
    BREAKING, BREAKING_REST, COMPATIBLE, COMPATIBLE_REST, DEFAULTS, Thing, WIDENING, edited,
    numbers,
};
use crate::told::{problems, serving};

const OLD: &str = "/api/1.0/things";
const NEW: &str = "/api/2.0/things";

/// The number of pairs in the gate, which a server makes schemas for.
fn count() -> usize {
    let usual = match Backend::under_test() {
        Backend::Sqlite => 40,
        Backend::Postgres => 10,
    };
    std::env::var("EVOLUTION_PAIRS").map_or(usual, |it| it.parse().expect("a number"))
}

/// A version and one after some edits, of one table or of two, of which nothing is told. Most edits break something, so that
/// a rule that is forgotten lets its edits through.
fn pair(random: &mut TestRng) -> (Thing, Thing) {
    let breaking = [&BREAKING[..], &WIDENING, &DEFAULTS, &BREAKING_REST].concat();
    let edits = [&breaking[..], &COMPATIBLE, &COMPATIBLE_REST].concat();
    loop {
        let old = Thing::random(random);
        let mut new = old.clone();
        if random.random_bool(0.5) {
            new.table = "others";
        }
        let tries = 0..random.random_range(1..5);
        let edited = tries.filter(|_| edited(&mut new, &edits, random).is_some());
        if edited.count() > 0 && !new.needs_code() && problems(&old.pair(&new)).is_empty() {
            return (old, new);
        }
    }
}

/// The schema of an item in the document of the older version.
fn promise(api: &InProcessApi) -> Validator {
    let document = api.openapi("1.0", OpenApiVersion::V31).expect("a version");
    let document: Value = serde_json::from_str(&document).expect("JSON");
    let schema =
        json!({"$ref": "#/components/schemas/Thing", "components": document["components"]});
    jsonschema::validator_for(&schema).expect("a schema")
}

/// Two versions that are served together, beside the older one alone.
struct Pair {
    name: String,
    old: &'static ResourceDefinition,
    alone: InProcessApi,
    both: InProcessApi,
    promise: Validator,
    gone: Vec<&'static str>,
    is_shared: bool,
}

impl Pair {
    fn of(old: &Thing, new: &Thing) -> Self {
        let definitions = old.pair(new);
        let alone = InProcessApi::new(serving(&definitions[..1]));
        let gone: Vec<_> = old.announced_and_gone(new).collect();
        Self {
            name: format!("{old:#?}\n{new:#?}"),
            old: definitions[0],
            promise: promise(&alone),
            both: InProcessApi::new(serving(&definitions)),
            alone,
            gone,
            is_shared: old.table == new.table,
        }
    }

    /// Asserts that what a client reads of an item by the newer version is what the older one promised, as is what clients
    /// of the older one read of it where both share the table.
    fn assert_promised(&self, client: &Client, location: &str) {
        let mut paths = vec![location.to_owned()];
        if self.is_shared {
            paths.push(location.replace(NEW, OLD));
        }
        for path in paths {
            let mut item = client.read(&path);
            // Clients ignore members that they do not know.
            let members = item.as_object_mut().expect("an item");
            members.retain(|name, _| self.old.find(name).is_some());
            let problem = self.promise.validate(&item).err();
            assert!(
                problem.is_none(),
                "{path} {item} {problem:?}\n{}",
                self.name
            );
        }
    }

    /// Sends a body to the older version alone, and, where that takes it, to the newer one beside it: the path of its item.
    fn create(&self, scopes: &str, body: &Value) -> Option<[String; 2]> {
        let [alone, both] = [&self.alone, &self.both].map(|it| it.as_user("user", scopes));
        let before = alone.post(OLD, body);
        let location = before.header("location")?.to_owned();
        let now = both.post(NEW, body);
        assert_eq!(now.status, 201, "{body} {now:?}\n{}", self.name);
        let here = now.header("location").expect("a path").to_owned();
        // Each member that is told to the client still is.
        let (told, tells) = (alone.read(&location), both.read(&here));
        for name in told.as_object().expect("an item").keys() {
            let is_told = tells.get(name).is_some() || self.gone.contains(&&**name);
            assert!(is_told, "{name} {tells}\n{}", self.name);
        }
        self.assert_promised(&both, &here);
        Some([location, here])
    }

    /// Sends a body for an item of both.
    fn update(&self, scopes: &str, [location, here]: &[String; 2], body: &Value) -> bool {
        let [alone, both] = [&self.alone, &self.both].map(|it| it.as_user("user", scopes));
        let is_taken = alone.put(location, body).status == 204;
        if is_taken {
            let now = both.put(here, body);
            assert_eq!(now.status, 204, "{body} {now:?}\n{}", self.name);
            self.assert_promised(&both, here);
        }
        is_taken
    }
}

#[apply(every_database)]
fn versions_of_which_nothing_is_told_keep_their_promise() {
    responses_differ("an item that is refused uses up a number on one of them");
    let mut random = numbers(5);
    let (mut taken, mut updated, mut others) = (0, 0, 0);
    for _ in 0..count() {
        let (old, new) = pair(&mut random);
        let pair = Pair::of(&old, &new);
        let scopes = |random: &mut TestRng| ["a b", "a b", "a", "b", ""][random.random_range(0..5)];
        let reads = "a b";
        for _ in 0..8 {
            let body = old.body(&pair.gone, &mut random);
            let Some(paths) = pair.create(scopes(&mut random), &body) else {
                continue;
            };
            taken += 1;
            let body = old.body(&pair.gone, &mut random);
            updated += usize::from(pair.update(scopes(&mut random), &paths, &body));
        }
        // What only the newer version takes is nothing else in its answers.
        let client = pair.both.as_user("user", reads);
        let creates = new.offered().contains(&Operation::Create.name());
        for _ in 0..if creates { 8 } else { 0 } {
            let answer = client.post(NEW, &new.body(&[], &mut random));
            if let Some(location) = answer.header("location") {
                others += 1;
                pair.assert_promised(&client, location);
            }
        }
    }
    println!("{taken} items, {updated} updates, {others} others");
    assert!(taken > count() && updated > count() / 2 && others > count());
}
