//! Collections: what they tell and show depends on no item that the caller may not list.

use resource_runtime::ApiResource;
use resource_tests::{apply, assert_error, every_database};
use serde_json::json;

use super::guarded_service::{Guarded, Guest, id};

const SHELVES: &str = "/api/1.0/shelves";
const BOOKS: &str = "/api/1.0/books";

#[derive(ApiResource)]
#[resource(
    name = "Shelf",
    url = "/shelves",
    version = "1.0",
    scopes(read = "shelves.read", write = "shelves.write")
)]
#[resource(collection(books = Book::SHELF_ID))]
struct Shelf {
    id: i64,
    name: String,
}

#[derive(ApiResource)]
#[resource(
    name = "Book",
    url = "/books",
    version = "1.0",
    subresource(shelf = "shelf_id")
)]
#[resource(scopes(list = "books.list", retrieve = "books.read", write = "books.write"))]
#[resource(owner(field = "owner_id", bypass = "admin"))]
struct Book {
    id: i64,
    #[resource(max_length = 20)]
    owner_id: String,
    #[resource(references = Shelf)]
    shelf_id: i64,
    title: String,
    #[resource(read_scope = "audit")]
    remark: Option<String>,
}

const READER: &str = "shelves.read books.list books.read";

/// Two shelves: one with a book of each of two owners, one with a book of Bob.
fn library() -> Guarded {
    let guarded = Guarded::serve(|builder| builder.resource::<Shelf>().resource::<Book>());
    let everything = format!("{READER} shelves.write books.write admin audit");
    let admin = guarded.user("root", &everything);
    for name in ["a", "b"] {
        admin.create(SHELVES, &json!({"name": name}));
    }
    for (owner, shelf, title) in [("ann", 1, "x"), ("bob", 1, "y"), ("bob", 2, "z")] {
        let book = json!({"owner_id": owner, "shelf_id": shelf, "title": title, "remark": title});
        id(&admin.create(BOOKS, &book));
    }
    guarded
}

fn shelves(guest: &Guest<'_>, filter: &str) -> Vec<i64> {
    let page = guest.read(&format!("{SHELVES}?fields=id&filter={filter}"));
    let items = page["items"].as_array().unwrap();
    assert_eq!(page["totalItems"], items.len());
    items.iter().map(|it| it["id"].as_i64().unwrap()).collect()
}

#[apply(every_database)]
fn a_test_of_a_collection_tells_nothing_of_the_items_of_others() {
    let guarded = library();
    let (ann, bob) = (guarded.user("ann", READER), guarded.user("bob", READER));
    let admin = guarded.user("root", &format!("{READER} admin"));
    // A caller who may retrieve books and not list them finds none by trying either.
    let outsider = guarded.user("bob", "shelves.read books.read");
    for (filter, of_ann, of_bob, of_admin) in [
        ("has(books)", &[1][..], &[1, 2][..], &[1, 2][..]),
        ("has(books,eq(title,%22y%22))", &[], &[1], &[1]),
        ("has(books,ne(title,%22y%22))", &[1], &[2], &[1, 2]),
        ("has(books,eq(owner_id,%22bob%22))", &[], &[1, 2], &[1, 2]),
        ("not(has(books,eq(title,%22z%22)))", &[1, 2], &[1], &[1]),
    ] {
        assert_eq!(shelves(&ann, filter), of_ann, "{filter}");
        assert_eq!(shelves(&bob, filter), of_bob, "{filter}");
        assert_eq!(shelves(&admin, filter), of_admin, "{filter}");
        let of_nobody: &[i64] = if filter.starts_with("not") {
            &[1, 2]
        } else {
            &[]
        };
        assert_eq!(shelves(&outsider, filter), of_nobody, "{filter}");
    }
    let hidden = bob.get(&format!("{SHELVES}?filter=has(books,eq(remark,%22y%22))"));
    assert_error(&hidden, 400, 10060).naming(&["`remark` is not an attribute of Book"]);
}

#[apply(every_database)]
fn a_collection_shows_nothing_that_the_list_of_its_items_hides() {
    let guarded = library();
    let (ann, bob) = (guarded.user("ann", READER), guarded.user("bob", READER));
    let admin = guarded.user("root", &format!("{READER} admin audit"));
    let outsider = guarded.user("bob", "shelves.read books.read");
    let shown = |guest: &Guest<'_>, shelf: i64| {
        let fields = "books(title;limit=1)";
        let page = guest.read(&format!("{SHELVES}?fields=id,{fields}"));
        assert_eq!(page["totalItems"], 2);
        let one = guest.read(&format!("{SHELVES}/{shelf}?fields={fields}"));
        let mut items = page["items"].as_array().unwrap().iter();
        let of_page = items.find(|it| it["id"] == shelf).unwrap();
        assert_eq!(of_page["books"], one["books"]);
        one["books"].clone()
    };
    let only = |title: &str| json!({"items": [{"title": title}], "next": null});
    let none = json!({"items": [], "next": null});
    assert_eq!(shown(&ann, 1), only("x"));
    assert_eq!(shown(&ann, 2), none);
    assert_eq!(shown(&bob, 1), only("y"));
    assert_eq!(shown(&bob, 2), only("z"));
    assert_eq!(shown(&outsider, 2), none);
    let next = shown(&admin, 1)["next"].as_str().unwrap().to_owned();
    assert_eq!(admin.read(&next)["items"], json!([{"title": "y"}]));
    // The cursor is one of Bob's own list.
    let writer = guarded.user("bob", &format!("{READER} books.write"));
    writer.create(BOOKS, &json!({"shelf_id": 2, "title": "w"}));
    let next = shown(&bob, 2)["next"].as_str().unwrap().to_owned();
    assert_eq!(bob.read(&next)["items"], json!([{"title": "w"}]));
    assert_error(&ann.get(&next), 400, 10065);
    let all = |guest: &Guest<'_>| guest.read(&format!("{SHELVES}/2?fields=books"))["books"].clone();
    assert_eq!(all(&admin)["items"][0]["remark"], "z");
    assert_eq!(all(&bob)["items"][0]["remark"], serde_json::Value::Null);
    let hidden = bob.get(&format!("{SHELVES}/2?fields=books(id;order=asc(remark))"));
    assert_error(&hidden, 400, 10062).naming(&["`remark` is not an attribute of Book"]);
    let hidden = bob.get(&format!("{SHELVES}/2?fields=books(remark)"));
    assert_error(&hidden, 400, 10062).naming(&["`remark` is not an attribute of Book"]);
}
