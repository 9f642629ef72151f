//! Random filters and orders: responses never depend on items of others.

use std::cell::Cell;
use std::hash::{BuildHasher as _, Hasher as _};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use resource_tests::{apply, assert_no_content, every_database, responses_differ};
use serde_json::{Value, json};

use super::guarded_service::{Guarded, Guest, id};

const DRAFTS: &str = "/api/1.0/drafts";
const FOLDERS: &str = "/api/1.0/folders";
const CASES: u32 = 200;

/// The caller, and the owner of the other items.
const USERS: [&str; 2] = ["ann", "bob"];

/// A comparison of an attribute, also of a subresource, with a value that is likely stored.
fn test() -> impl Strategy<Value = String> {
    let texts = ["text", "author", "folder.title", "folder.owner_id"];
    let numbers = ["id", "folder_id", "folder.id", "place_id", "place.id"];
    let values = ["ann", "bob", "a", "b", "c", "%", "a%", "%b%"];
    let text = (
        select(texts.to_vec()),
        select(vec!["eq", "ne", "gt", "le", "like", "ilike"]),
        select(values.to_vec()),
    );
    let text = text.prop_map(|(path, function, value)| format!("{function}({path},\"{value}\")"));
    let number = (
        select(numbers.to_vec()),
        select(vec!["eq", "ne", "gt", "lt"]),
        0..12,
    );
    let number = number.prop_map(|(path, function, value)| format!("{function}({path},{value})"));
    let null = (
        select([&numbers[..], &["folder.title"]].concat()),
        select(vec!["eq", "ne"]),
    );
    let null = null.prop_map(|(path, function)| format!("{function}({path},null)"));
    let list = vec(select(USERS.to_vec()), 0..3);
    let list = list.prop_map(|users| format!("in(author,{})", json!(users)));
    prop_oneof![3 => text, 3 => number, 1 => null, 1 => list]
}

fn filter() -> impl Strategy<Value = String> {
    test().prop_recursive(3, 12, 3, |inner| {
        let several = (select(vec!["and", "or"]), vec(inner.clone(), 2..4));
        let several = several.prop_map(|(name, all)| format!("{name}({})", all.join(",")));
        prop_oneof![several, inner.prop_map(|one| format!("not({one})"))]
    })
}

fn order() -> impl Strategy<Value = &'static str> {
    select(vec![
        "",
        "desc(id)",
        "asc(folder.title)",
        "desc(folder.owner_id),asc(text)",
        "asc(author),desc(place.name)",
    ])
}

fn encoded(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}

/// The matching items, expanded; asserts their total.
fn found(guest: &Guest<'_>, filter: &str, order: &str) -> Result<Vec<Value>, TestCaseError> {
    let (filter, order) = (encoded(filter), encoded(order));
    let fields = "fields=id,author,text,folder_id,folder(id,owner_id,title)";
    let query = format!("filter={filter}&order={order}");
    let page = guest.read(&format!("{DRAFTS}?{fields}&{query}&limit=100"));
    let count = guest.read(&format!("{DRAFTS}?{query}&limit=0"));
    let items = page["items"].as_array().unwrap().clone();
    prop_assert_eq!(&page["totalItems"], &json!(items.len()));
    prop_assert_eq!(&count["totalItems"], &json!(items.len()));
    Ok(items)
}

fn runner() -> (u64, TestRunner) {
    let seed = match std::env::var("QUERY_SEED") {
        Ok(seed) => seed.parse().expect("a seed"),
        Err(_) => std::hash::RandomState::new().build_hasher().finish(),
    };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config {
        cases: CASES,
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    (seed, TestRunner::new_with_rng(config, rng))
}

/// Creates drafts of both users, some of them in folders of the other.
fn fill(guarded: &Guarded) {
    let admin = guarded.admin();
    let mut folders = vec![Value::Null];
    for owner in USERS {
        for title in ["a", "b"] {
            let body = json!({"title": title, "owner_id": owner});
            folders.push(json!(id(&admin.create(FOLDERS, &body))));
        }
    }
    let place = id(&admin.create("/api/1.0/places", &json!({"name": "here"})));
    for author in USERS {
        for (index, folder) in folders.iter().enumerate() {
            let text = ["a", "b", "c"][index % 3];
            let place = (index % 2 == 0).then_some(place);
            let body =
                json!({"author": author, "text": text, "folder_id": folder, "place_id": place});
            admin.create(DRAFTS, &body);
        }
    }
}

/// Deletes the drafts of bob, and gives his folders away.
fn change_items_of_others(guarded: &Guarded) {
    let admin = guarded.admin();
    let of_bob = |collection: &str, owner: &str| -> Vec<String> {
        let page = admin.read(&format!(
            "{collection}?filter=eq({owner},\"bob\")&limit=100"
        ));
        let items = page["items"].as_array().unwrap().iter();
        items
            .map(|item| format!("{collection}/{}", item["id"]))
            .collect()
    };
    for path in of_bob(DRAFTS, "author") {
        assert_no_content(&admin.delete(&path));
    }
    for path in of_bob(FOLDERS, "owner_id") {
        let body = json!({"title": "c", "owner_id": "cay"});
        assert_no_content(&admin.put(&path, &body));
    }
}

#[apply(every_database)]
fn responses_do_not_depend_on_items_of_others() {
    responses_differ("the queries are random");
    let (seed, mut runner) = runner();
    println!("QUERY_SEED={seed}");
    let (one, other) = (Guarded::start(), Guarded::start());
    fill(&one);
    fill(&other);
    change_items_of_others(&other);
    let (ann, same) = (one.owner("ann"), other.owner("ann"));
    let all = ann.finds(DRAFTS, "");
    // Number of filters that match some of the items: others would reveal nothing.
    let telling = Cell::new(0);
    let outcome = runner.run(&(filter(), order()), |(filter, order)| {
        let items = found(&ann, &filter, order)?;
        for item in &items {
            prop_assert_eq!(&item["author"], "ann");
            let folder = &item["folder"];
            prop_assert!(folder.is_null() || folder["owner_id"] == "ann");
        }
        if !items.is_empty() && items.len() < all {
            telling.set(telling.get() + 1);
        }
        prop_assert_eq!(items, found(&same, &filter, order)?);
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("QUERY_SEED={seed}\n{failure}");
    }
    assert!(
        telling.get() > CASES / 10,
        "only {telling:?} filters match some of the items"
    );
}
