//! Owners: for everybody else, an owned item is absent.

use resource_tests::polling::wait_for;
use resource_tests::{Answer, Backend, apply, assert_error, assert_no_content, every_database};
use serde_json::{Value, json};

use super::guarded_service::{EVERYTHING, Guarded, Guest, id, told};

const DRAFTS: &str = "/api/1.0/drafts";
const FOLDERS: &str = "/api/1.0/folders";

#[apply(every_database)]
fn new_item_belongs_to_the_caller() {
    let guarded = Guarded::start();
    let path = guarded.owner("ann").create(DRAFTS, &json!({"text": "a"}));
    let expected = json!({
        "id": 1, "author": "ann", "text": "a", "folder_id": null, "place_id": null,
        "locked": false,
    });
    assert_eq!(guarded.owner("ann").read(&path), expected);
    let later = guarded.owner("ann").read("/api/2.0/drafts/1");
    assert_eq!(later["writer"], "ann");
}

#[apply(every_database)]
fn items_of_others_are_404_like_absent_items() {
    let guarded = Guarded::start();
    let (ann, bob) = (guarded.owner("ann"), guarded.owner("bob"));
    let path = ann.create(DRAFTS, &json!({"text": "a"}));
    let theirs = "1";
    assert!(path.ends_with("/1"));
    for version in ["1.0", "2.0", "latest"] {
        let at = |id: &str| format!("/api/{version}/drafts/{id}");
        let ask: [&dyn Fn(&str) -> Answer; 7] = [
            &|id| bob.get(&at(id)),
            &|id| bob.get(&format!("{}?fields=id", at(id))),
            &|id| bob.put(&at(id), &json!({"text": "b"})),
            &|id| bob.put(&at(id), &json!({})),
            &|id| bob.put(&at(id), &json!({"nothing": 1})),
            &|id| bob.put(&at(id), &json!({"locked": true})),
            &|id| bob.delete(&at(id)),
        ];
        for ask in ask {
            let (foreign, absent) = (ask(theirs), ask("2"));
            assert_error(&foreign, 404, 10001);
            assert_eq!(told(&foreign, theirs), told(&absent, "2"));
        }
    }
    assert_eq!(ann.read(&path)["text"], "a");
}

#[apply(every_database)]
fn lists_and_totals_contain_only_items_of_the_caller() {
    let guarded = Guarded::start();
    let (ann, bob) = (guarded.owner("ann"), guarded.owner("bob"));
    for text in ["a", "b", "c"] {
        ann.create(DRAFTS, &json!({"text": text}));
    }
    bob.create(DRAFTS, &json!({"text": "d"}));
    for (guest, count) in [(&ann, 3), (&bob, 1), (&guarded.owner("cay"), 0)] {
        for query in [
            "",
            "order=desc(text)",
            "fields=text",
            "filter=or(gt(id,0),le(id,0))",
            "filter=not(eq(id,-1))",
            "filter=or(eq(author,\"ann\"),or(eq(author,\"bob\"),gt(id,0)))",
            "filter=in(author,[\"ann\",\"bob\",\"cay\"])",
        ] {
            assert_eq!(guest.finds(DRAFTS, query), count, "{query}");
        }
    }
    let cursor = |guest: &Guest, version: &str| {
        let page = guest.read(&format!("/api/{version}/drafts?limit=1&cursor=start"));
        page["next"].as_str().expect("a cursor").to_owned()
    };
    let own = cursor(&ann, "1.0");
    for (guest, version) in [(&ann, "2.0"), (&bob, "1.0"), (&guarded.admin(), "1.0")] {
        let answer = guest.get(&format!("/api/{version}/drafts?cursor={own}"));
        assert_error(&answer, 400, 10065).naming(&["caller"]);
    }
    assert_eq!(
        ann.read(&format!("{DRAFTS}?fields=id&cursor={own}"))["items"],
        json!([{"id": 2}, {"id": 3}])
    );
    assert_eq!(bob.finds(DRAFTS, "filter=eq(author,\"ann\")"), 0);
    assert_eq!(bob.finds(DRAFTS, "filter=like(text,\"a%25\")"), 0);
    assert_eq!(
        ann.read("/api/1.0/drafts?offset=2&limit=1")["totalItems"],
        3
    );
    assert_eq!(
        bob.read("/api/1.0/drafts?offset=2&limit=1")["totalItems"],
        1
    );
}

#[apply(every_database)]
fn only_bypass_scopes_may_set_the_owner() {
    let guarded = Guarded::start();
    let (ann, admin) = (guarded.owner("ann"), guarded.admin());
    for author in [json!("bob"), json!("ann"), json!(null), json!(1)] {
        let body = json!({"text": "a", "author": author});
        let answer = ann.post(DRAFTS, &body);
        assert_error(&answer, 400, 10010).naming(&["`author`"]);
    }
    let body = json!({"text": "a", "author": "ann"});
    assert_error(&ann.post(DRAFTS, &body), 400, 10010).naming(&["`author` is read-only"]);
    let path = admin.create(DRAFTS, &json!({"text": "a", "author": "bob"}));
    let own = admin.create(DRAFTS, &json!({"text": "a"}));
    assert_eq!(admin.read(&path)["author"], "bob");
    assert_eq!(admin.read(&own)["author"], "root");
    assert_eq!(admin.finds(DRAFTS, ""), 2);
    let bob = guarded.owner("bob");
    let change = bob.put(&path, &json!({"author": "ann"}));
    assert_error(&change, 400, 10010).naming(&["`author` is read-only"]);
    assert_no_content(&bob.put(&path, &json!({"text": "b"})));
    assert_no_content(&admin.put(&path, &json!({"author": "ann"})));
    assert_error(&bob.get(&path), 404, 10001);
    assert_eq!(ann.read(&path)["text"], "b");
    assert_no_content(&admin.delete(&path));
}

#[apply(every_database)]
fn client_without_a_user_owns_nothing() {
    let guarded = Guarded::start();
    let ann = guarded.owner("ann");
    let path = ann.create(DRAFTS, &json!({"text": "a"}));
    // An item of a user with the name of the client does not belong to the client.
    let body = json!({"text": "b", "author": "app"});
    guarded.admin().create(DRAFTS, &body);
    let client = guarded.client(EVERYTHING);
    assert_eq!(client.finds(DRAFTS, ""), 0);
    assert_error(&client.get(&path), 404, 10001);
    assert_error(&client.put(&path, &json!({"text": "b"})), 404, 10001);
    assert_error(&client.delete(&path), 404, 10001);
    let answer = client.post(DRAFTS, &json!({"text": "c"}));
    assert_error(&answer, 403, 12110).naming(&["no user"]);
    let free = guarded.client(&format!("{EVERYTHING} admin"));
    assert_eq!(free.finds(DRAFTS, ""), 2);
    let answer = free.post(DRAFTS, &json!({"text": "c"}));
    assert_error(&answer, 400, 10010).naming(&["`author` is required"]);
    free.create(DRAFTS, &body);
}

/// `ANN` is not `ann`, whatever the collation of the column.
#[apply(every_database)]
fn owners_are_compared_by_code_point() {
    let guarded = Guarded::start();
    let mut other = guarded.service.database().other_program();
    other.execute(match Backend::under_test() {
        Backend::Sqlite => {
            "DROP TABLE folders;
             CREATE TABLE folders (
                 id INTEGER PRIMARY KEY AUTOINCREMENT, owner_id TEXT COLLATE NOCASE NOT NULL,
                 title TEXT NOT NULL
             ) STRICT"
        }
        Backend::Postgres => {
            "CREATE COLLATION caseless (
                 provider = icu, locale = 'und-u-ks-level2', deterministic = false
             );
             ALTER TABLE folders ALTER owner_id TYPE varchar(20) COLLATE caseless"
        }
    });
    let (ann, shouting) = (guarded.owner("ann"), guarded.owner("ANN"));
    let path = ann.create(FOLDERS, &json!({"title": "a"}));
    assert_eq!(ann.finds(FOLDERS, ""), 1);
    assert_eq!(shouting.finds(FOLDERS, ""), 0);
    assert_error(&shouting.get(&path), 404, 10001);
    assert_error(&shouting.put(&path, &json!({"title": "b"})), 404, 10001);
    assert_error(&shouting.delete(&path), 404, 10001);
    let draft = json!({"text": "x", "folder_id": id(&path)});
    assert_error(&shouting.post(DRAFTS, &draft), 400, 10031);
    let ours = ann.create(DRAFTS, &draft);
    let expanded = ann.read(&format!("{ours}?fields=folder(title)"));
    assert_eq!(expanded["folder"]["title"], "a");
    let body = json!({"text": "x", "author": "ANN", "folder_id": id(&path)});
    let theirs = guarded.admin().create(DRAFTS, &body);
    let expanded = shouting.read(&format!("{theirs}?fields=folder(title)"));
    assert_eq!(expanded["folder"], Value::Null);
    assert_eq!(shouting.finds(DRAFTS, "filter=eq(folder.title,\"a\")"), 0);
}

/// The index of the created tables serves the condition on the owner.
#[test]
fn items_of_an_owner_are_found_by_an_index() {
    Backend::Postgres.run("owners_by_index", || {
        let guarded = Guarded::start();
        let mut other = guarded.service.database().other_program();
        other.execute(
            "INSERT INTO folders (owner_id, title)
                 SELECT 'user ' || number, 'x' FROM generate_series(1, 20000) AS number;
             ANALYZE folders",
        );
        let scans = "SELECT CAST(idx_scan AS text) FROM pg_stat_user_indexes
                     WHERE relname = 'folders' AND indexrelname = 'folders.owner_id.id'
                         AND schemaname = current_schema()";
        assert_eq!(other.text(scans), "0");
        assert_eq!(guarded.owner("user 7").finds(FOLDERS, ""), 1);
        wait_for("the scan of the index", || {
            (other.text(scans) != "0").then_some(())
        });
    });
}

/// The folder of another owner shows neither in an expansion nor through a filter or an order.
#[apply(every_database)]
fn items_of_others_do_not_show_through_references() {
    let guarded = Guarded::start();
    let (ann, bob, admin) = (guarded.owner("ann"), guarded.owner("bob"), guarded.admin());
    let ours = id(&bob.create(FOLDERS, &json!({"title": "b"})));
    let theirs = id(&ann.create(FOLDERS, &json!({"title": "a"})));
    let with_folder = |folder: i64| json!({"text": "x", "author": "bob", "folder_id": folder});
    let first = admin.create(DRAFTS, &with_folder(theirs));
    let second = admin.create(DRAFTS, &with_folder(ours));
    let expanded = |guest: &Guest<'_>, path: &str| {
        guest.read(&format!("{path}?fields=folder_id,folder(title)"))
    };
    let hidden = json!({"folder_id": theirs, "folder": null});
    assert_eq!(expanded(&bob, &first), hidden);
    let shown = json!({"folder_id": ours, "folder": {"title": "b"}});
    assert_eq!(expanded(&bob, &second), shown);
    let page = bob.read("/api/1.0/drafts?fields=folder_id,folder(title)");
    assert_eq!(page["items"], json!([hidden, shown]));
    assert_eq!(expanded(&admin, &first)["folder"]["title"], "a");
    for (filter, count) in [
        ("eq(folder.title,\"a\")", 0),
        ("eq(folder.title,\"b\")", 1),
        ("ne(folder.title,\"b\")", 1),
        ("eq(folder.id,null)", 1),
        ("like(folder.title,\"%25\")", 1),
        ("eq(folder.owner_id,\"ann\")", 0),
        ("not(eq(folder.owner_id,\"ann\"))", 2),
    ] {
        assert_eq!(
            bob.finds(DRAFTS, &format!("filter={filter}")),
            count,
            "{filter}"
        );
    }
    let first_of = |order: &str| {
        let page = bob.read(&format!("{DRAFTS}?fields=id&order={order}"));
        page["items"][0]["id"].as_i64().unwrap()
    };
    assert_eq!(first_of("asc(folder.title)"), id(&first));
    assert_eq!(first_of("desc(folder.title)"), id(&second));
    // Nor for callers who may read no folder at all.
    let reader = guarded.user("bob", "drafts.read");
    assert_eq!(expanded(&reader, &second)["folder"], Value::Null);
    assert_eq!(reader.finds(DRAFTS, "filter=eq(folder.title,\"b\")"), 0);
}
