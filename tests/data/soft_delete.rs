//! Soft deletes: a deletion that keeps the row, seen over HTTP and from Rust, and its way back.

use std::sync::{Arc, Mutex};
use std::thread;

use chrono::{DateTime, Utc};
use resource_runtime::{
    Api, ApiResource, Change, Database, ErrorKind, HookResult, Validator, WriteContext,
};
use resource_tests::{
    Service, TestDatabase, apply, assert_error, assert_no_content, block_on, every_database,
    problems,
};
use serde_json::{Value, json};

use super::shop::await_waiter;

#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(name = "Album", url = "/albums", version = "1.0")]
#[resource(unique(artist, year))]
struct Album {
    id: i64,
    #[resource(unique)]
    title: String,
    artist: Option<String>,
    year: Option<i16>,
    #[resource(soft_delete)]
    deleted_at: Option<DateTime<Utc>>,
}

#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(name = "Track", url = "/tracks", version = "1.0")]
#[resource(subresource(album = "album_id"), subresource(cover = "cover_of"))]
struct Track {
    id: i64,
    name: String,
    #[resource(references = Album)]
    album_id: Option<i64>,
    #[resource(references = Track)]
    cover_of: Option<i64>,
    #[resource(soft_delete, column = "gone")]
    removed: Option<DateTime<Utc>>,
}

/// A resource that nothing refers to.
#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
struct Note {
    id: i64,
    #[resource(soft_delete)]
    deleted_at: Option<DateTime<Utc>>,
}

/// Hooks of albums that leave a trace of their calls.
#[derive(Debug, Clone, Default)]
struct Spy(Arc<Mutex<Vec<String>>>);

impl Spy {
    fn note(&self, call: &str, album: &Album) {
        let deleted = album.deleted_at.is_some();
        let call = format!("{call} {} {deleted}", album.title);
        self.0.lock().unwrap().push(call);
    }

    fn calls(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

impl Validator<Album> for Spy {
    async fn before_delete(
        &self,
        album: &Album,
        context: &mut WriteContext<'_, Album>,
    ) -> HookResult {
        // A hook that reads has its write belong to one transaction.
        assert!(context.items::<Album>().get(album.id).await?.is_some());
        self.note("before", album);
        Ok(())
    }

    async fn row_deleted(
        &self,
        album: &Album,
        context: &mut WriteContext<'_, Album>,
    ) -> HookResult {
        assert_eq!(context.items::<Album>().get(album.id).await?, None);
        self.note("row", album);
        Ok(())
    }

    async fn after_delete(&self, album: &Album, _: &Change<Album>) -> HookResult {
        self.note("after", album);
        Ok(())
    }
}

/// An API that is used from Rust and over HTTP.
struct Shop {
    api: Api,
    service: Service,
    spy: Option<Spy>,
}

impl Shop {
    fn open(spy: Option<Spy>) -> Self {
        let build = |database: Database| {
            let builder = Api::builder().resource::<Track>();
            match &spy {
                Some(spy) => builder.resource_with::<Album>(spy.clone()),
                None => builder.resource::<Album>(),
            }
            .build(database)
        };
        let database = TestDatabase::default();
        let service = Service::start_on(&database, build);
        let own = block_on(Database::connect(&database.url())).expect("the database opens");
        let api = build(own).expect("the API is built");
        let report = block_on(api.check_schema()).expect("the tables are what is needed");
        assert!(report.is_empty(), "{report}");
        Self { api, service, spy }
    }

    /// A shop with the albums 1 and 2, and the tracks 1 and 2 of album 1.
    fn with_tracks() -> Self {
        let shop = Self::open(None);
        for title in ["Aja", "Meddle"] {
            let path = shop
                .service
                .create("/api/1.0/albums", &json!({ "title": title }));
            assert!(path.ends_with('1') || path.ends_with('2'), "{path}");
        }
        for name in ["Peg", "Deacon Blues"] {
            let body = json!({ "name": name, "album_id": 1 });
            shop.service.create("/api/1.0/tracks", &body);
        }
        shop
    }

    fn delete(&self, path: &str) {
        assert_no_content(&self.service.delete(path));
    }

    fn read(&self, path: &str) -> Value {
        self.service.read(path)
    }

    /// The names of the items of a list, and its total.
    fn list(&self, path: &str) -> (Vec<String>, u64) {
        let page = self.read(path);
        let items = page["items"].as_array().unwrap().iter();
        let name = |item: &Value| item["name"].as_str().unwrap().to_owned();
        (
            items.map(name).collect(),
            page["totalItems"].as_u64().unwrap(),
        )
    }
}

fn error_of<T: std::fmt::Debug>(result: Result<T, resource_runtime::Error>) -> ErrorKind {
    result.unwrap_err().kind()
}

#[apply(every_database)]
fn deleted_item_is_gone_over_http() {
    let shop = Shop::with_tracks();
    shop.delete("/api/1.0/tracks/1");
    for answer in [
        shop.service.get("/api/1.0/tracks/1"),
        shop.service
            .put("/api/1.0/tracks/1", &json!({ "name": "Josie" })),
        shop.service.put("/api/1.0/tracks/1", &json!({})),
        shop.service.delete("/api/1.0/tracks/1"),
    ] {
        assert_error(&answer, 404, 10001);
    }
    let left = (vec!["Deacon Blues".to_owned()], 1);
    for query in [
        "",
        "?limit=1",
        "?order=desc(name)",
        "?filter=eq(album.title,\"Aja\")",
        "?filter=not(eq(name,\"x\"))",
        "?filter=or(eq(name,\"Peg\"),eq(id,2))",
        "?order=asc(album.title)&fields=name,album(title)",
    ] {
        assert_eq!(
            shop.list(&format!("/api/1.0/tracks{query}")),
            left,
            "{query}"
        );
    }
    assert_eq!(shop.read("/api/1.0/tracks?limit=0")["totalItems"], 1);
    // The row is still there.
    let mut program = shop.service.database().other_program();
    let gone = "SELECT CAST(COUNT(gone) AS VARCHAR(9)) FROM tracks WHERE name = 'Peg'";
    assert_eq!(program.text(gone), "1");
}

#[apply(every_database)]
fn moment_of_the_deletion_is_unknown_to_clients() {
    let shop = Shop::with_tracks();
    let track = shop.read("/api/1.0/tracks/1");
    assert_eq!(
        track,
        json!({ "id": 1, "name": "Peg", "album_id": 1, "cover_of": null })
    );
    let set = json!({ "name": "Josie", "removed": "2020-01-01T00:00:00Z" });
    for answer in [
        shop.service.post("/api/1.0/tracks", &set),
        shop.service.put("/api/1.0/tracks/1", &set),
    ] {
        let unknown = json!({ "name": "Josie", "absent": "2020-01-01T00:00:00Z" });
        let other = shop.service.post("/api/1.0/tracks", &unknown);
        let (answer, other) = (answer.json(), other.json());
        assert_eq!(answer["error_code"], other["error_code"]);
        let words = answer["error_description"].as_str().unwrap();
        let expected = other["error_description"].as_str().unwrap();
        assert_eq!(words.replace("removed", "absent"), expected);
    }
    for query in [
        "?filter=eq(removed,null)",
        "?order=asc(removed)",
        "?fields=removed",
        "?filter=eq(album.deleted_at,null)",
    ] {
        assert_eq!(
            shop.service.get(&format!("/api/1.0/tracks{query}")).status,
            400
        );
    }
    let document = shop.service.get("/api/1.0/openapi.json");
    assert!(
        !document.text().contains("deleted_at"),
        "{}",
        document.text()
    );
}

#[apply(every_database)]
fn deleted_subresource_is_null_and_no_target_of_a_reference() {
    let shop = Shop::with_tracks();
    let body = json!({ "name": "Kid", "cover_of": 1 });
    shop.service.create("/api/1.0/tracks", &body);
    block_on(
        shop.api
            .items::<Track>()
            .with_deleted()
            .update(3)
            .set(Track::ALBUM_ID, 2)
            .into_future(),
    )
    .unwrap();
    // Only the deleted cover refers to the track, after this.
    let refused = shop.service.delete("/api/1.0/tracks/1");
    assert_error(&refused, 400, 10020).naming(&["still in use by Track"]);
    let tracks = shop.api.items::<Track>().with_deleted();
    let now = Utc::now();
    block_on(
        tracks
            .update(1)
            .set(Track::REMOVED, Some(now))
            .into_future(),
    )
    .unwrap();
    let track = shop.read("/api/1.0/tracks/3?fields=name,cover_of,cover,album(title)");
    assert_eq!(
        track,
        json!({ "name": "Kid", "cover_of": 1, "cover": null, "album": { "title": "Meddle" } })
    );
    assert_eq!(
        shop.list("/api/1.0/tracks?filter=eq(cover.name,\"Peg\")").1,
        0
    );
    assert_eq!(shop.list("/api/1.0/tracks?filter=eq(cover.name,null)").1, 2);
    // References to a deleted item are refused, whether the item is new or changed.
    for answer in [
        shop.service
            .post("/api/1.0/tracks", &json!({ "name": "x", "cover_of": 1 })),
        shop.service
            .put("/api/1.0/tracks/2", &json!({ "cover_of": 1 })),
        // A reference that is written again is checked again.
        shop.service
            .put("/api/1.0/tracks/3", &json!({ "cover_of": 1 })),
    ] {
        assert_error(&answer, 400, 10031).naming(&["`cover_of` refers to no existing Track"]);
    }
    let tracks = shop.api.items::<Track>();
    let update = tracks.update(2).set(Track::COVER_OF, 1);
    assert_eq!(
        error_of(block_on(update.into_future())),
        ErrorKind::MissingReference
    );
    // Another change of an item that refers to it is none of the reference's.
    assert_no_content(
        &shop
            .service
            .put("/api/1.0/tracks/3", &json!({ "name": "Kid Charlemagne" })),
    );
}

#[apply(every_database)]
fn item_is_restored_after_the_items_that_it_refers_to() {
    let shop = Shop::with_tracks();
    shop.delete("/api/1.0/tracks/1");
    shop.delete("/api/1.0/tracks/2");
    shop.delete("/api/1.0/albums/1");
    let tracks = shop.api.items::<Track>().with_deleted();
    let restored = || tracks.update(1).set(Track::REMOVED, None);
    block_on(async {
        let refused = restored().await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::MissingReference, "{refused}");
        assert_eq!(refused.attributes(), ["album_id"]);
        let albums = shop.api.items::<Album>().with_deleted();
        albums.update(1).set(Album::DELETED_AT, None).await?;
        restored().await?;
        // A way back that leaves the deleted item out, and one that names it.
        shop.api.items::<Track>().delete(1).await?;
        shop.api.items::<Album>().delete(1).await?;
        let named = restored().set(Track::ALBUM_ID, 1).await.unwrap_err();
        assert_eq!(named.kind(), ErrorKind::MissingReference, "{named}");
        restored().set(Track::ALBUM_ID, None).await?;
        Ok::<_, resource_runtime::Error>(())
    })
    .unwrap();
    assert_eq!(shop.read("/api/1.0/tracks/1")["album_id"], Value::Null);
}

#[apply(every_database)]
fn only_living_items_keep_an_item_in_use() {
    let shop = Shop::with_tracks();
    let used = shop.service.delete("/api/1.0/albums/1");
    assert_error(&used, 400, 10020).naming(&["the Album is still in use by Track"]);
    assert_eq!(
        error_of(block_on(shop.api.items::<Album>().delete(1))),
        ErrorKind::StillInUse
    );
    shop.delete("/api/1.0/tracks/1");
    assert_error(&shop.service.delete("/api/1.0/albums/1"), 400, 10020);
    shop.delete("/api/1.0/tracks/2");
    shop.delete("/api/1.0/albums/1");
    // To remove the row, the rows that refer to it have to go first.
    let albums = shop.api.items::<Album>().with_deleted();
    let used = block_on(albums.delete(1)).unwrap_err();
    assert_eq!(used.kind(), ErrorKind::StillInUse);
    assert!(used.to_string().contains("by Track"), "{used}");
    // An item that refers to itself is used by no other.
    let track = shop
        .service
        .create("/api/1.0/tracks", &json!({ "name": "x" }));
    assert_no_content(&shop.service.put(&track, &json!({ "cover_of": 3 })));
    shop.delete(&track);
}

#[apply(every_database)]
fn unique_values_of_a_deleted_item_are_given_again() {
    let shop = Shop::open(None);
    let body = json!({ "title": "Aja", "artist": "Steely Dan", "year": 1977 });
    let path = shop.service.create("/api/1.0/albums", &body);
    shop.delete(&path);
    let path = shop.service.create("/api/1.0/albums", &body);
    shop.delete(&path);
    let third = shop.service.create("/api/1.0/albums", &body);
    let other = json!({ "title": "Gaucho", "artist": "Steely Dan", "year": 1980 });
    let other = shop.service.create("/api/1.0/albums", &other);
    let taken = shop.service.put(&other, &json!({ "title": "Aja" }));
    assert_error(&taken, 400, 10030).naming(&["`title` is already taken by another Album"]);
    let taken = shop.service.post("/api/1.0/albums", &body);
    assert_error(&taken, 400, 10030).naming(&["`title` is already taken", "`artist`, `year`"]);
    let albums = shop.api.items::<Album>().with_deleted();
    assert_eq!(block_on(albums.count()).unwrap(), 4);
    // The way back is barred by the item that has the values now.
    let restored = albums.update(1).set(Album::DELETED_AT, None);
    let refused = block_on(restored.into_future()).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::NotUnique, "{refused}");
    assert!(!refused.attributes().is_empty(), "{refused}");
    shop.delete(&third);
    let restored = albums.update(1).set(Album::DELETED_AT, None);
    block_on(restored.into_future()).unwrap();
    assert_eq!(shop.read("/api/1.0/albums/1")["title"], "Aja");
}

#[apply(every_database)]
fn rust_sees_deleted_items_only_where_it_asks_for_them() {
    let shop = Shop::with_tracks();
    let before = Utc::now();
    block_on(shop.api.items::<Track>().delete(1)).unwrap();
    let (living, all) = (
        shop.api.items::<Track>(),
        shop.api.items::<Track>().with_deleted(),
    );
    block_on(async {
        assert_eq!(living.get(1).await?, None);
        assert_eq!(living.count().await?, 1);
        assert_eq!(living.limit(9).all().await?.len(), 1);
        assert_eq!(living.limit(9).page().await?.total, 1);
        let peg = || Track::NAME.eq("Peg");
        assert!(!living.filter(peg()).exists().await?);
        assert!(
            living
                .filter(!Track::REMOVED.is_null())
                .first()
                .await?
                .is_none()
        );
        let twice = [
            living.delete(1).await,
            living.update(1).set(Track::NAME, "x").await,
        ];
        assert!(twice.iter().all(|it| {
            it.as_ref()
                .is_err_and(|it| it.kind() == ErrorKind::NotFound)
        }));

        let deleted = all.get(1).await?.unwrap();
        let moment = deleted.removed.unwrap();
        assert!(
            before.timestamp_micros() <= moment.timestamp_micros(),
            "{moment}"
        );
        assert!(moment <= Utc::now(), "{moment}");
        assert_eq!(all.count().await?, 2);
        assert_eq!(
            all.filter(!Track::REMOVED.is_null())
                .limit(9)
                .page()
                .await?
                .total,
            1
        );
        assert!(all.filter(peg()).exists().await?);
        let removed: Vec<_> = all
            .limit(9)
            .select((Track::ID, Track::REMOVED))
            .all()
            .await?;
        assert_eq!(removed, [(1, Some(moment)), (2, None)]);
        all.update(1).set(Track::NAME, "Josie").await?;
        assert_eq!(living.get(1).await?, None);
        all.update(1).set(Track::REMOVED, None).await?;
        assert_eq!(living.get(1).await?.unwrap().name, "Josie");
        // This deletion removes the row.
        all.without_hooks().delete(1).await?;
        assert_eq!(all.get(1).await?, None);
        assert_eq!(all.delete(1).await.unwrap_err().kind(), ErrorKind::NotFound);
        Ok::<_, resource_runtime::Error>(())
    })
    .unwrap();
}

#[apply(every_database)]
fn transactions_see_deleted_items_only_where_they_ask_for_them() {
    let shop = Shop::with_tracks();
    block_on(async {
        let mut transaction = shop.api.begin().await?;
        transaction.items::<Track>().delete(1).await?;
        assert_eq!(transaction.items::<Track>().get_for_update(1).await?, None);
        assert_eq!(transaction.items::<Track>().count().await?, 1);
        let deleted = transaction.items::<Track>().with_deleted().get(1).await?;
        assert!(deleted.unwrap().removed.is_some());
        let all = transaction.items::<Track>().with_deleted();
        let locked = all.get_for_update(1).await?;
        assert!(locked.unwrap().removed.is_some());
        transaction.items::<Track>().delete(2).await?;
        // Both tracks are deleted in this very transaction.
        transaction.items::<Album>().delete(1).await?;
        let restored = transaction.items::<Album>().with_deleted().update(1);
        restored.set(Album::DELETED_AT, None).await?;
        transaction.commit(()).await?;
        let mut snapshot = shop.api.read().await?;
        assert_eq!(snapshot.items::<Track>().count().await?, 0);
        assert_eq!(snapshot.items::<Track>().with_deleted().count().await?, 2);
        Ok::<_, resource_runtime::Error>(())
    })
    .unwrap();
    assert_eq!(shop.read("/api/1.0/albums")["totalItems"], 2);
}

#[apply(every_database)]
fn hooks_of_a_deletion_run() {
    let shop = Shop::open(Some(Spy::default()));
    let path = shop
        .service
        .create("/api/1.0/albums", &json!({ "title": "Aja" }));
    shop.delete(&path);
    let calls = || shop.spy.as_ref().map(Spy::calls).unwrap();
    assert_eq!(
        calls(),
        ["before Aja false", "row Aja false", "after Aja false"]
    );
    assert_error(&shop.service.delete(&path), 404, 10001);
    assert!(calls().is_empty());
    shop.service
        .create("/api/1.0/albums", &json!({ "title": "Aja" }));
    block_on(shop.api.items::<Album>().delete(2)).unwrap();
    assert_eq!(calls().len(), 3);
    // An album of a living track is kept, and nothing of its hooks.
    shop.service
        .create("/api/1.0/albums", &json!({ "title": "Gaucho" }));
    shop.service.create(
        "/api/1.0/tracks",
        &json!({ "name": "Babylon Sisters", "album_id": 3 }),
    );
    assert_error(&shop.service.delete("/api/1.0/albums/3"), 400, 10020);
    assert_eq!(calls(), ["before Gaucho false"]);
    let missing = json!({ "name": "Peg", "album_id": 1 });
    assert_error(&shop.service.post("/api/1.0/tracks", &missing), 400, 10031);
}

#[apply(every_database)]
fn writes_of_many_items_keep_rows_and_leave_deleted_items_alone() {
    let shop = Shop::open(None);
    let track = |name: &str| Track {
        id: 0,
        name: name.to_owned(),
        album_id: None,
        cover_of: None,
        removed: None,
    };
    let album = |title: &str, year| Album {
        id: 0,
        title: title.to_owned(),
        artist: None,
        year,
        deleted_at: None,
    };
    block_on(async {
        let albums = shop.api.items::<Album>().without_hooks();
        albums
            .insert_all([album("Aja", None), album("Gaucho", None)])
            .await?;
        let refused = albums.query().delete_all().await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Configuration, "{refused}");
        albums.delete(1).await?;
        // The deleted album is no conflict, and stays as it is; the living one is changed.
        for (title, id) in [("Aja", 3), ("Gaucho", 2)] {
            let stored = albums
                .upsert(Album::TITLE, album(title, Some(1980)))
                .await?;
            assert_eq!(stored.title, title);
            let found = albums
                .filter(Album::TITLE.eq(title))
                .first()
                .await?
                .unwrap();
            assert_eq!(
                (found.id >= id, found.year),
                (true, Some(1980)),
                "{found:?}"
            );
        }
        let all = shop.api.items::<Album>().with_deleted().without_hooks();
        assert_eq!(all.get(1).await?.unwrap().year, None);
        assert_eq!(albums.query().update_all().set(Album::YEAR, 1).await?, 2);
        assert_eq!(all.query().update_all().set(Album::YEAR, 2).await?, 3);
        let deleted = all.filter(!Album::DELETED_AT.is_null());
        assert_eq!(deleted.delete_all().await?, 1);
        assert_eq!(all.count().await?, 2);
        // The order of the two calls does not matter.
        albums.delete(2).await?;
        let all = albums.with_deleted();
        let deleted = all.filter(!Album::DELETED_AT.is_null());
        assert_eq!(deleted.delete_all().await?, 1);
        assert_eq!(all.count().await?, 1);
        let tracks = shop.api.items::<Track>().without_hooks();
        tracks.insert_all(["Peg", "Josie"].map(track)).await?;
        Ok::<_, resource_runtime::Error>(())
    })
    .unwrap();
}

#[apply(every_database)]
fn items_that_nothing_refers_to_are_deleted_together() {
    let database = TestDatabase::default();
    block_on(async {
        let opened = Database::connect(&database.url()).await?;
        let api = Api::builder().resource::<Note>().build(opened)?;
        api.create_missing_tables().await?;
        let notes = api.items::<Note>().without_hooks();
        let note = |_| Note {
            id: 0,
            deleted_at: None,
        };
        notes.insert_all((0..1001).map(note)).await?;
        assert_eq!(notes.filter(Note::ID.gt(0)).delete_all().await?, 1001);
        assert_eq!(notes.count().await?, 0);
        assert_eq!(notes.with_deleted().count().await?, 1001);
        Ok::<_, resource_runtime::Error>(())
    })
    .unwrap();
}

#[apply(every_database)]
fn reference_that_is_made_meanwhile_keeps_the_item() {
    // Deleted by a request, and by a transaction of the developer's own.
    for by_request in [true, false] {
        let shop = Shop::open(None);
        shop.service
            .create("/api/1.0/albums", &json!({ "title": "Aja" }));
        let mut transaction = block_on(shop.api.begin()).unwrap();
        let track = Track {
            id: 0,
            name: "Peg".to_owned(),
            album_id: Some(1),
            cover_of: None,
            removed: None,
        };
        block_on(transaction.items().insert(track)).unwrap();
        let (client, api) = ((*shop.service).clone(), shop.api.clone());
        let deleted = thread::spawn(move || {
            if by_request {
                let answer = client.delete("/api/1.0/albums/1");
                assert_error(&answer, 400, 10020);
                return;
            }
            let deleted = block_on(api.transaction(|mut transaction| async move {
                transaction.items::<Album>().delete(1).await?;
                transaction.commit(()).await
            }));
            assert_eq!(error_of(deleted), ErrorKind::StillInUse);
        });
        await_waiter(shop.service.database(), &mut transaction);
        block_on(transaction.commit(())).unwrap();
        deleted.join().unwrap();
        assert_eq!(shop.read("/api/1.0/albums/1")["title"], "Aja");
    }
}

#[apply(every_database)]
fn reference_to_an_item_that_is_deleted_meanwhile_is_refused() {
    // The lock of the table is taken only before the first statement, that of the row always.
    for reads_first in [true, false] {
        let shop = Shop::open(None);
        shop.service
            .create("/api/1.0/albums", &json!({ "title": "Aja" }));
        let mut transaction = block_on(shop.api.begin()).unwrap();
        if reads_first {
            block_on(transaction.items::<Album>().get(1)).unwrap();
        }
        block_on(transaction.items::<Album>().delete(1)).unwrap();
        let client = (*shop.service).clone();
        let stored = thread::spawn(move || {
            let answer = client.post("/api/1.0/tracks", &json!({ "name": "Peg", "album_id": 1 }));
            assert_error(&answer, 400, 10031);
        });
        await_waiter(shop.service.database(), &mut transaction);
        block_on(transaction.commit(())).unwrap();
        stored.join().unwrap();
        assert_eq!(shop.read("/api/1.0/tracks")["totalItems"], 0);
    }
}

#[apply(every_database)]
fn existing_table_needs_unique_indexes_of_its_living_rows() {
    let shop = Shop::open(None);
    let mut program = shop.service.database().other_program();
    program.execute("DROP INDEX \"albums.title\"");
    let report = block_on(shop.api.check_schema()).unwrap_err().to_string();
    let remedy = "CREATE UNIQUE INDEX \"albums.title\" ON \"albums\" (\"title\"";
    assert!(report.contains(remedy), "{report}");
    assert!(report.contains("WHERE \"deleted_at\" IS NULL`"), "{report}");
    // A stricter index is no substitute: it would refuse the values of deleted items.
    program.execute("CREATE UNIQUE INDEX strict ON albums (title)");
    assert!(block_on(shop.api.check_schema()).is_err());
    program.execute("CREATE UNIQUE INDEX own ON albums (title) WHERE ((deleted_at) IS NULL)");
    let report = block_on(shop.api.check_schema()).unwrap().to_string();
    assert!(report.contains("deleted ones included"), "{report}");
    program.execute("DROP INDEX strict");
    let report = block_on(shop.api.check_schema()).unwrap();
    assert!(report.is_empty(), "{report}");
}

mod later {
    use super::{ApiResource, DateTime, Utc};

    /// A version that knows no soft delete.
    #[derive(ApiResource)]
    #[resource(name = "Album", url = "/albums", version = "2.0")]
    pub(super) struct Album {
        id: i64,
        #[resource(unique)]
        title: String,
    }

    /// Refers to a title, which a deleted album and another may share.
    #[derive(ApiResource)]
    #[resource(name = "Review", url = "/reviews", version = "1.0")]
    pub(super) struct Review {
        id: i64,
        #[resource(references(super::Album, title))]
        album: String,
        #[resource(soft_delete)]
        deleted_at: Option<DateTime<Utc>>,
    }
}

#[apply(every_database)]
fn resources_that_contradict_a_soft_delete_are_refused() {
    let database = TestDatabase::default();
    let open = || block_on(Database::connect(&database.url())).unwrap();
    let builder = Api::builder()
        .resource::<Album>()
        .resource::<later::Album>();
    let refused = problems(&builder.build(open()).unwrap_err());
    assert!(
        refused
            .iter()
            .any(|it| it.contains("but not the field of `soft_delete`")),
        "{refused:?}"
    );
    let builder = Api::builder()
        .resource::<Album>()
        .resource::<later::Review>();
    let refused = problems(&builder.build(open()).unwrap_err());
    assert!(
        refused[0].contains("reference the primary key of `Album`"),
        "{refused:?}"
    );
}
