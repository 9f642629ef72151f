//! References: a client can refer only to items that it may read.

use resource_runtime::ApiResource;
use resource_tests::{Backend, apply, assert_error, assert_no_content, every_database};
use serde_json::{Value, json};

use super::guarded_service::{Guarded, Guest, id};

const DRAFTS: &str = "/api/1.0/drafts";
const FOLDERS: &str = "/api/1.0/folders";
const PLACES: &str = "/api/1.0/places";

#[apply(every_database)]
fn reference_to_an_item_of_another_owner_is_400_10031() {
    let guarded = Guarded::start();
    let (ann, bob) = (guarded.owner("ann"), guarded.owner("bob"));
    let theirs = id(&ann.create(FOLDERS, &json!({"title": "a"})));
    let ours = id(&bob.create(FOLDERS, &json!({"title": "b"})));
    let with_folder = |folder: i64| json!({"text": "x", "folder_id": folder});
    let foreign = bob.post(DRAFTS, &with_folder(theirs));
    let absent = bob.post(DRAFTS, &with_folder(777));
    assert_error(&foreign, 400, 10031).naming(&["`folder_id` refers to no existing Folder"]);
    assert_eq!(foreign.text(), absent.text());
    assert_eq!(bob.finds(DRAFTS, ""), 0);
    let path = bob.create(DRAFTS, &with_folder(ours));
    let foreign = bob.put(&path, &with_folder(theirs));
    let absent = bob.put(&path, &with_folder(777));
    assert_error(&foreign, 400, 10031).naming(&["`folder_id` refers to no existing Folder"]);
    assert_eq!(foreign.text(), absent.text());
    assert_eq!(bob.read(&path)["folder_id"], ours);
    assert_no_content(&bob.put(&path, &with_folder(ours)));
    assert_no_content(&bob.put(&path, &json!({"folder_id": null})));
    guarded
        .admin()
        .create(DRAFTS, &json!({"text": "x", "folder_id": theirs}));
}

#[apply(every_database)]
fn foreign_reference_is_refused_where_triggers_may_divert_rows() {
    let guarded = Guarded::start();
    let mut other = guarded.service.database().other_program();
    other.execute(match Backend::under_test() {
        Backend::Sqlite => "CREATE TRIGGER looks BEFORE INSERT ON drafts BEGIN SELECT 1; END",
        Backend::Postgres => {
            "CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
             CREATE TRIGGER looks BEFORE INSERT ON drafts FOR EACH ROW EXECUTE FUNCTION look()"
        }
    });
    let (ann, bob) = (guarded.owner("ann"), guarded.owner("bob"));
    let theirs = id(&ann.create(FOLDERS, &json!({"title": "a"})));
    let draft = json!({"text": "x", "folder_id": theirs});
    assert_error(&bob.post(DRAFTS, &draft), 400, 10031);
    ann.create(DRAFTS, &draft);
    assert_error(&bob.post(DRAFTS, &draft), 400, 10031);
    assert_eq!(bob.finds(DRAFTS, ""), 0);
}

#[derive(ApiResource)]
#[resource(
    name = "Slot",
    url = "/slots",
    version = "1.0",
    scopes,
    unique(shelf, place)
)]
#[resource(owner(field = "owner"))]
struct Slot {
    id: i64,
    owner: String,
    shelf: i16,
    place: String,
}

#[derive(ApiResource)]
#[resource(name = "Parcel", url = "/parcels", version = "1.0", scopes)]
#[resource(subresource(slot = ["shelf", "place"]))]
struct Parcel {
    id: i64,
    #[resource(references(Slot, shelf))]
    shelf: Option<i16>,
    #[resource(references(Slot, place))]
    place: Option<String>,
}

/// Changes of one attribute of a composite key are checked together with the stored other one.
#[apply(every_database)]
fn composite_reference_must_match_an_item_of_the_caller() {
    let guarded = Guarded::serve(|it| it.resource::<Slot>().resource::<Parcel>());
    let scopes = "slot.read slot.write parcel.read parcel.write";
    let (ann, bob) = (guarded.user("ann", scopes), guarded.user("bob", scopes));
    let slots = "/api/1.0/slots";
    ann.create(slots, &json!({"shelf": 1, "place": "a"}));
    bob.create(slots, &json!({"shelf": 1, "place": "b"}));
    bob.create(slots, &json!({"shelf": 2, "place": "b"}));
    let parcels = "/api/1.0/parcels";
    let foreign = bob.post(parcels, &json!({"shelf": 1, "place": "a"}));
    assert_error(&foreign, 400, 10031).naming(&["`shelf`, `place`"]);
    let path = bob.create(parcels, &json!({"shelf": 1, "place": "b"}));
    assert_error(&bob.put(&path, &json!({"place": "a"})), 400, 10031);
    assert_no_content(&bob.put(&path, &json!({"shelf": 2})));
    assert_error(&ann.put(&path, &json!({"shelf": 1})), 400, 10031);
    assert_no_content(&bob.put(&path, &json!({"place": null})));
    assert_no_content(&ann.put(&path, &json!({"shelf": 1})));
    let half = bob.create(parcels, &json!({"shelf": 1}));
    assert_error(&bob.put(&half, &json!({"place": "a"})), 400, 10031);
    assert_no_content(&ann.put(&half, &json!({"place": "a"})));
    let seen = |guest: &Guest<'_>| guest.read(&format!("{half}?fields=slot(owner)"));
    assert_eq!(seen(&ann), json!({"slot": {"owner": "ann"}}));
    assert_eq!(seen(&bob), json!({"slot": null}));
}

#[apply(every_database)]
fn missing_item_is_reported_before_its_references() {
    let guarded = Guarded::start();
    let (ann, bob) = (guarded.owner("ann"), guarded.owner("bob"));
    let folder = id(&ann.create(FOLDERS, &json!({"title": "a"})));
    let draft = ann.create(DRAFTS, &json!({"text": "a"}));
    let change = json!({"folder_id": folder});
    assert_error(&bob.put(&draft, &change), 404, 10001);
    assert_error(&bob.put("/api/1.0/drafts/777", &change), 404, 10001);
}

#[apply(every_database)]
fn reference_requires_permission_to_read_its_target() {
    let guarded = Guarded::start();
    let place = id(&guarded.admin().create(PLACES, &json!({"name": "here"})));
    let body = json!({"text": "x", "place_id": place});
    let blind = guarded.user("ann", "drafts.read drafts.write");
    let answer = blind.post(DRAFTS, &body);
    assert_error(&answer, 400, 10031).naming(&["`place_id` refers to no existing Place"]);
    let seeing = guarded.user("ann", "drafts.read drafts.write places.read");
    let path = seeing.create(DRAFTS, &body);
    // An unchanged reference is not checked.
    assert_no_content(&blind.put(&path, &json!({"text": "y"})));
    let shown = blind.read(&format!("{path}?fields=place_id,place"));
    assert_eq!(shown, json!({"place_id": place, "place": null}));
}

#[apply(every_database)]
fn error_10020_names_only_resources_with_items_that_the_caller_may_read() {
    let guarded = Guarded::start();
    let (ann, bob, admin) = (guarded.owner("ann"), guarded.owner("bob"), guarded.admin());
    let folder = ann.create(FOLDERS, &json!({"title": "a"}));
    let use_it = |author: &str| json!({"text": "x", "author": author, "folder_id": id(&folder)});
    let foreign = admin.create(DRAFTS, &use_it("bob"));
    assert_error(&ann.delete(&folder), 400, 10020).without("Draft");
    assert_error(&admin.delete(&folder), 400, 10020).naming(&["in use by Draft"]);
    admin.create(DRAFTS, &use_it("ann"));
    assert_error(&ann.delete(&folder), 400, 10020).naming(&["in use by Draft"]);
    let blind = guarded.user("ann", "folders.read folders.write");
    assert_error(&blind.delete(&folder), 400, 10020).without("Draft");
    assert_error(&bob.delete(&folder), 404, 10001);
    assert_eq!(bob.read(&foreign)["folder_id"], Value::from(id(&folder)));
}

#[derive(ApiResource)]
#[resource(name = "Target", url = "/target", version = "1.0", scopes)]
#[resource(subresource(slot = ["shelf", "place"]))]
struct Target {
    id: i64,
    #[resource(references(Slot, shelf))]
    shelf: Option<i16>,
    #[resource(references(Slot, place))]
    place: Option<String>,
}

/// Aliases in statements never equal the name of a table.
#[apply(every_database)]
fn table_named_like_an_alias_does_not_weaken_the_check() {
    let guarded = Guarded::serve(|it| it.resource::<Slot>().resource::<Target>());
    let scopes = "slot.read slot.write target.read target.write";
    let (ann, bob) = (guarded.user("ann", scopes), guarded.user("bob", scopes));
    ann.create("/api/1.0/slots", &json!({"shelf": 1, "place": "a"}));
    bob.create("/api/1.0/slots", &json!({"shelf": 1, "place": "b"}));
    let theirs = bob.create("/api/1.0/target", &json!({"place": "a"}));
    let nothing = bob.create("/api/1.0/target", &json!({"place": "zz"}));
    let foreign = bob.put(&theirs, &json!({"shelf": 1}));
    let absent = bob.put(&nothing, &json!({"shelf": 1}));
    assert_error(&foreign, 400, 10031).naming(&["`shelf`, `place`"]);
    assert_eq!(foreign.text(), absent.text());
    let ours = bob.create("/api/1.0/target", &json!({"place": "b"}));
    assert_no_content(&bob.put(&ours, &json!({"shelf": 1})));
}

#[derive(ApiResource)]
#[resource(name = "Person", url = "/people", version = "1.0", scopes)]
struct Person {
    #[resource(primary_key, assigned)]
    id: String,
}

#[derive(ApiResource)]
#[resource(name = "Pet", url = "/pets", version = "1.0", scopes)]
#[resource(
    owner(field = "owner_id", bypass = "admin"),
    subresource(owner = "owner_id")
)]
struct Pet {
    id: i64,
    #[resource(references = Person)]
    owner_id: String,
}

#[apply(every_database)]
fn owner_attribute_may_be_a_reference() {
    let guarded = Guarded::serve(|it| it.resource::<Person>().resource::<Pet>());
    let scopes = "person.read person.write pet.read pet.write";
    let ann = guarded.user("ann", scopes);
    ann.create("/api/1.0/people", &json!({"id": "ann"}));
    let pet = ann.create("/api/1.0/pets", &json!({}));
    let shown = ann.read(&format!("{pet}?fields=owner"));
    assert_eq!(shown, json!({"owner": {"id": "ann"}}));
    // The caller need not be able to read the owner that the service sets.
    let blind = guarded.user("ann", "pet.read pet.write");
    let other = blind.create("/api/1.0/pets", &json!({}));
    assert_eq!(
        blind.read(&format!("{other}?fields=owner")),
        json!({"owner": null})
    );
    let admin = guarded.user("root", &format!("{scopes} admin"));
    let to_nobody = admin.put(&pet, &json!({"owner_id": "nobody"}));
    assert_error(&to_nobody, 400, 10031).naming(&["`owner_id`"]);
    assert_error(&ann.delete("/api/1.0/people/ann"), 400, 10020).naming(&["by Pet"]);
    let bob = guarded.user("bob", scopes);
    let used = bob.delete("/api/1.0/people/ann");
    assert_error(&used, 400, 10020).without("Pet");
    let unknown = bob.post("/api/1.0/pets", &json!({}));
    assert_error(&unknown, 400, 10031).naming(&["`owner_id` refers to no existing Person"]);
}

#[derive(ApiResource)]
#[resource(name = "Shelf", url = "/shelves", version = "1.0", scopes)]
#[resource(owner(field = "owner", bypass = "admin"))]
struct Shelf {
    id: i64,
    owner: String,
    #[resource(unique)]
    code: i32,
}

#[derive(ApiResource)]
#[resource(name = "Jar", url = "/jars", version = "1.0", scopes)]
#[resource(owner(field = "owner", bypass = "admin"))]
struct Jar {
    id: i64,
    owner: String,
    #[resource(references(Shelf, code))]
    shelf_code: Option<i32>,
}

/// A change of a referenced key could leave dangling references, like a removal.
#[apply(every_database)]
fn referenced_key_cannot_change_and_foreign_references_are_not_named() {
    let guarded = Guarded::serve(|it| it.resource::<Shelf>().resource::<Jar>());
    let scopes = "shelf.read shelf.write jar.read jar.write";
    let ann = guarded.user("ann", scopes);
    let admin = guarded.user("root", &format!("{scopes} admin"));
    let shelf = ann.create("/api/1.0/shelves", &json!({"code": 7}));
    let jar = json!({"shelf_code": 7, "owner": "bob"});
    admin.create("/api/1.0/jars", &jar);
    let change = json!({"code": 8});
    assert_error(&ann.put(&shelf, &change), 400, 10020).without("Jar");
    assert_error(&admin.put(&shelf, &change), 400, 10020).naming(&["in use by Jar"]);
    ann.create("/api/1.0/jars", &json!({"shelf_code": 7}));
    assert_error(&ann.put(&shelf, &change), 400, 10020).naming(&["in use by Jar"]);
    let bob = guarded.user("bob", scopes);
    assert_error(&bob.put(&shelf, &change), 404, 10001);
    assert_eq!(ann.read(&shelf)["code"], 7);
}
