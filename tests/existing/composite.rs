//! Primary keys of several parts: paths, lists, references, writes, owners, typed access and tables.

use futures_util::TryStreamExt as _;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use resource_runtime::{
    Api, ApiResource, Change, Database, Dialect, ErrorKind, HookResult, Validator, WriteContext,
    new,
};
use resource_tests::{
    Answer, Backend, InProcessApi, Service, TestDatabase, apply, assert_created, assert_error,
    assert_no_content, block_on, every_database, problems,
};
use serde_json::{Value, json};

#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(name = "Playlist", url = "/playlists", version = "1.0")]
#[resource(collection(entries = Entry::PLAYLIST_ID))]
struct Playlist {
    id: i64,
    #[resource(max_length = 20)]
    name: String,
}

#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(name = "Track", url = "/tracks", version = "1.0")]
struct Track {
    id: i64,
    #[resource(max_length = 20)]
    name: String,
}

/// A track of a playlist.
#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(
    name = "Entry",
    url = "/entries",
    version = "1.0",
    limit(max = 1000, all)
)]
#[resource(operations(list, create, retrieve, update, delete, upsert))]
#[resource(subresource(playlist = "playlist_id", track = "track_id"))]
#[resource(collection(comments = [Comment::PLAYLIST_ID, Comment::TRACK_ID]))]
#[resource(unique(playlist_id, place))]
struct Entry {
    #[resource(primary_key, references = Playlist)]
    playlist_id: i64,
    #[resource(primary_key, references = Track)]
    track_id: i64,
    place: Option<i32>,
    #[resource(max_length = 20)]
    remark: Option<String>,
}

/// A comment on a track of a playlist.
#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(name = "Comment", url = "/comments", version = "1.0")]
#[resource(subresource(entry = ["playlist_id", "track_id"], track = "track_id"))]
struct Comment {
    id: i64,
    #[resource(references(Entry, playlist_id))]
    playlist_id: Option<i64>,
    #[resource(references(Entry, track_id), references = Track)]
    track_id: Option<i64>,
    text: String,
}

const PLAYLISTS: &str = "/api/1.0/playlists";
const TRACKS: &str = "/api/1.0/tracks";
const ENTRIES: &str = "/api/1.0/entries";
const COMMENTS: &str = "/api/1.0/comments";

/// Two playlists, three tracks, and the entries 1,1 1,2 1,3 2,1 2,2.
fn with_entries() -> Service {
    let service = Service::start(|database| {
        Api::builder()
            .resource::<Playlist>()
            .resource::<Track>()
            .resource::<Entry>()
            .resource::<Comment>()
            .build(database)
    });
    for name in ["first", "second"] {
        service.create(PLAYLISTS, &json!({"name": name}));
    }
    for name in ["Aja", "Peg", "Josie"] {
        service.create(TRACKS, &json!({"name": name}));
    }
    for (playlist, track, remark) in [
        (2, 2, "b"),
        (1, 3, "a"),
        (1, 1, "b"),
        (2, 1, "a"),
        (1, 2, "b"),
    ] {
        let path = service.create(
            ENTRIES,
            &json!({"playlist_id": playlist, "track_id": track, "remark": remark}),
        );
        assert_eq!(path, format!("{ENTRIES}/{playlist},{track}"));
    }
    service
}

/// The keys of the items of a page, as in paths.
fn keys(page: &Value) -> Vec<String> {
    let items = page["items"].as_array().expect("items").iter();
    items
        .map(|it| format!("{},{}", it["playlist_id"], it["track_id"]))
        .collect()
}

#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(name = "Cell", url = "/cells", version = "1.0", limit(max = 1000, all))]
struct Cell {
    #[resource(primary_key, max_length = 40)]
    row: String,
    text: Option<String>,
    #[resource(primary_key, assigned, max_length = 40)]
    column: String,
    #[resource(primary_key, default = 7)]
    layer: i16,
}

const CELLS: &str = "/api/1.0/cells";

fn cells() -> Service {
    Service::start(|database| Api::builder().resource::<Cell>().build(database))
}

/// Texts that are hard to write in a path.
fn part() -> impl Strategy<Value = String> {
    let hard = prop::sample::select(vec![
        ",", "%", "%2C", "%2c", "%25", "/", " ", "", ".", "..", "ä", "🦀", "a", "+", ";", "?", "#",
    ]);
    prop::collection::vec(hard, 0..5).prop_map(|pieces| pieces.concat())
}

/// Runs the property on the same cases each time.
fn with_random_keys(cases: u32, property: impl Fn(&str, &str, i16)) {
    let config = ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(config, random);
    let keys = (part(), part(), any::<i16>());
    let ran = runner.run(&keys, |(row, column, layer)| {
        property(&row, &column, layer);
        Ok(())
    });
    ran.unwrap();
}

#[apply(every_database)]
fn location_retrieves_its_item_in_both_encodings() {
    let service = cells();
    with_random_keys(120, |row, column, layer| {
        let body = json!({"row": row, "column": column, "layer": layer});
        let answer = service.post(CELLS, &body);
        if answer.status == 400 {
            // The same key has been drawn before.
            assert_error(&answer, 400, 10030);
            return;
        }
        let path = assert_created(&answer);
        let segment = path.strip_prefix(&format!("{CELLS}/")).unwrap();
        assert_eq!(segment.matches(',').count(), 2, "{path}");
        // Clients that encode a whole segment encode the commas and the percent signs of the parts.
        let whole = utf8_percent_encode(segment, NON_ALPHANUMERIC);
        for path in [path.clone(), format!("{CELLS}/{whole}")] {
            let item = service.read(&path);
            assert_eq!(item["row"], row, "{path}");
            assert_eq!(item["column"], column, "{path}");
            assert_eq!(item["layer"], layer, "{path}");
        }
        assert_no_content(&service.put(&path, &json!({"text": "x", "row": row})));
        assert_no_content(&service.patch(&format!("{CELLS}/{whole}"), &json!({"layer": layer})));
    });
}

#[apply(every_database)]
fn another_number_of_parts_or_spelling_is_no_item() {
    let service = cells();
    service.create(CELLS, &json!({"row": "a,b", "column": "c", "layer": 1}));
    service.read(&format!("{CELLS}/a~2Cb,c,1"));
    service.read(&format!("{CELLS}/a%2Cb,c,1"));
    service.read(&format!("{CELLS}/a%252Cb%2Cc%2C1"));
    for key in [
        // As behind a proxy that decodes commas.
        "a,b,c,1",
        "a%2Cb%2Cc%2C1",
        "a%2Cb,c",
        "a%2Cb",
        "a%2Cb,c,1,",
        ",a%2Cb,c,1",
        "a%2Cb,c,01",
        "a%2Cb,c,+1",
        "a%2Cb,c,",
        "a%2Cb,c,x",
        "a~2Cb,c~,1",
        "a~2Cb,c~zz,1",
        "a%2Cb,%00,1",
        "a%2Cb,%FF,1",
        ",",
        "%2C%2C",
        ",,1",
    ] {
        assert_error(&service.get(&format!("{CELLS}/{key}")), 404, 10001);
        assert_error(&service.delete(&format!("{CELLS}/{key}")), 404, 10001);
    }
    let service = with_entries();
    for key in ["1", "1,", "1,2,3", "1;2", "1,9"] {
        assert_error(&service.get(&format!("{ENTRIES}/{key}")), 404, 10001);
    }
    assert_error(&service.get(&format!("{ENTRIES}/1,9")), 404, 10001).naming(&["`1,9`"]);
}

#[derive(Debug, ApiResource)]
#[resource(name = "Word", url = "/words", version = "1.0")]
struct Word {
    #[resource(primary_key, assigned, max_length = 20)]
    text: String,
}

#[apply(every_database)]
fn a_comma_is_a_part_of_a_key_of_one_text() {
    let service = Service::start(|database| Api::builder().resource::<Word>().build(database));
    let words = "/api/1.0/words";
    let path = assert_created(&service.post(words, &json!({"text": "a,b%2C"})));
    assert_eq!(path, format!("{words}/a%2Cb%252C"));
    service.create(words, &json!({"text": "a,b,"}));
    for path in [path, format!("{words}/a,b%252C")] {
        assert_eq!(service.read(&path), json!({"text": "a,b%2C"}));
    }
}

#[apply(every_database)]
fn clients_assign_all_parts_but_those_with_a_default() {
    let service = cells();
    let path = service.create(CELLS, &json!({"row": "", "column": ""}));
    assert_eq!(path, format!("{CELLS}/,,7"));
    service.create(CELLS, &json!({"row": "", "column": "", "layer": -8}));
    for (body, names) in [
        (json!({"column": "x"}), vec!["`row` is required"]),
        (json!({}), vec!["`row` is required", "`column` is required"]),
        (
            json!({"row": "x", "column": null}),
            vec!["`column` is required"],
        ),
        (
            json!({"row": "x", "column": "x", "layer": null}),
            vec!["`layer` must not be null"],
        ),
        (
            json!({"row": "x", "column": "x", "layer": 40_000}),
            vec!["`layer`", "32767"],
        ),
    ] {
        assert_error(&service.post(CELLS, &body), 400, 10010).naming(&names);
    }
    let taken = service.post(CELLS, &json!({"row": "", "column": ""}));
    assert_error(&taken, 400, 10030)
        .naming(&["`row`, `column`, `layer` together are already taken by another Cell"]);
}

#[apply(every_database)]
fn bodies_repeat_parts_of_the_path_and_change_none() {
    let service = with_entries();
    let path = format!("{ENTRIES}/1,2");
    let item = service.read(&path);
    assert_no_content(&service.put(&path, &item));
    assert_no_content(&service.patch(&path, &json!({"track_id": 2, "remark": "c"})));
    assert_eq!(service.read(&path)["remark"], "c");
    for body in [
        json!({"track_id": 3}),
        json!({"playlist_id": 1, "track_id": null}),
    ] {
        assert_error(&service.patch(&path, &body), 400, 10010)
            .naming(&["`track_id` cannot be changed"]);
    }
}

#[apply(every_database)]
fn taken_keys_and_other_sets_name_their_attributes() {
    let service = with_entries();
    let taken = service.post(ENTRIES, &json!({"playlist_id": 1, "track_id": 2}));
    assert_error(&taken, 400, 10030)
        .naming(&["`playlist_id`, `track_id` together are already taken by another Entry"]);
    let problems = taken.json()["errors"].clone();
    assert!(
        problems.is_null() || problems.as_array().unwrap().len() == 2,
        "{problems}"
    );
    assert_no_content(&service.put(&format!("{ENTRIES}/1,2"), &json!({"place": 1})));
    let taken = service.put(&format!("{ENTRIES}/1,3"), &json!({"place": 1}));
    assert_error(&taken, 400, 10030).naming(&["`playlist_id`, `place`"]);
}

#[apply(every_database)]
fn put_creates_what_is_missing_under_the_key_of_its_path() {
    let service = with_entries();
    let path = format!("{ENTRIES}/2,3");
    assert_eq!(
        assert_created(&service.put(&path, &json!({"remark": "x"}))),
        path
    );
    assert_no_content(&service.put(&path, &json!({"remark": "y", "playlist_id": 2})));
    assert_eq!(
        service.read(&path),
        json!({"playlist_id": 2, "track_id": 3, "place": null, "remark": "y"})
    );
    let exists = service.request("PUT", &path).header("if-none-match", "*");
    assert_error(&exists.json("{}").send(), 412, 10040);
    assert_no_content(&service.delete(&path));
    let moved = service.put(&path, &json!({"track_id": 1}));
    assert_error(&moved, 400, 10010).naming(&["`track_id` is not the one of the path"]);
    // The place is taken by another item, which shares a part of the key; the key itself is free.
    assert_no_content(&service.put(&format!("{ENTRIES}/2,1"), &json!({"place": 5})));
    let taken = service.put(&path, &json!({"place": 5}));
    assert_error(&taken, 400, 10030).naming(&["`playlist_id`, `place`"]);
    let dangling = service.put(&format!("{ENTRIES}/2,99"), &json!({}));
    assert_error(&dangling, 400, 10031).naming(&["`track_id` refers to no existing Track"]);
    // Encoded as a whole, the same address.
    assert_created(&service.put(&format!("{ENTRIES}/2%2C3"), &json!({})));
    service.read(&path);
}

#[apply(every_database)]
fn lists_end_their_orders_and_cursors_with_all_parts() {
    let service = with_entries();
    let list = |query: &str| service.read(&format!("{ENTRIES}?{query}"));
    assert_eq!(keys(&list("")), ["1,1", "1,2", "1,3", "2,1", "2,2"]);
    assert_eq!(
        keys(&list("order=desc(track_id)")),
        ["1,3", "1,2", "2,2", "1,1", "2,1"]
    );
    assert_eq!(
        keys(&list("order=desc(playlist_id)")),
        ["2,1", "2,2", "1,1", "1,2", "1,3"]
    );
    assert_eq!(
        keys(&list("order=asc(remark)")),
        ["1,3", "2,1", "1,1", "1,2", "2,2"]
    );
    assert_eq!(
        keys(&list("filter=and(eq(playlist_id,1),eq(track_id,2))")),
        ["1,2"]
    );
    assert_eq!(
        keys(&list("filter=eq(track.name,%22Aja%22)")),
        ["1,1", "2,1"]
    );
    assert_eq!(
        keys(&list(
            "filter=eq(playlist.name,%22first%22)&order=desc(track.name)"
        )),
        ["1,2", "1,3", "1,1"]
    );
    for order in [
        "",
        "&order=asc(remark)",
        "&order=desc(remark)",
        "&order=desc(track_id)",
        "&order=desc(playlist_id)",
    ] {
        let all = keys(&list(&format!("limit=10{order}")));
        let (mut read, mut cursor) = (Vec::new(), json!("start"));
        let mut last = Value::Null;
        while let Some(next) = cursor.as_str() {
            let page = service.get(&format!("{ENTRIES}?limit=1{order}&cursor={next}"));
            read.extend(keys(&page.json()));
            last = json!(page.header("link"));
            cursor = page.json()["next"].clone();
        }
        assert_eq!(read, all, "{order}");
        assert!(
            last.as_str().is_some_and(|it| it.contains("prev")),
            "{last}"
        );
    }
    let all = service.request("GET", &format!("{ENTRIES}?limit=all"));
    let all = all.header("accept", "application/x-ndjson").send();
    assert_eq!(all.text().lines().count(), 5);
    assert_eq!(list("limit=2&offset=3")["totalItems"], 5);
}

#[apply(every_database)]
fn all_items_are_exported_beyond_the_first_batch() {
    let service = cells();
    let row = |number: i32| format!("{:02}", number / 10);
    for number in 0..90 {
        let body = json!({"row": row(number), "column": format!("c{}", number % 10)});
        service.create(CELLS, &body);
    }
    let page = service.read(&format!("{CELLS}?limit=100&fields=row,column"));
    assert_eq!(page["items"].as_array().unwrap().len(), 90);
    let (mut read, mut cursor) = (Vec::new(), json!("start"));
    while let Some(next) = cursor.as_str() {
        let page = service.read(&format!("{CELLS}?limit=7&cursor={next}&fields=row,column"));
        read.extend(page["items"].as_array().unwrap().clone());
        cursor = page["next"].clone();
    }
    assert_eq!(Value::from(read), page["items"]);
    let all = service.request("GET", &format!("{CELLS}?limit=all&fields=row,column"));
    let all = all.header("accept", "application/x-ndjson").send();
    let all = all
        .text()
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    assert_eq!(all.collect::<Value>(), page["items"]);
}

#[apply(every_database)]
fn items_show_their_targets_and_are_shown_by_them() {
    let service = with_entries();
    let item = service.read(&format!("{ENTRIES}/2,1?fields=track(name),playlist"));
    assert_eq!(
        item,
        json!({"playlist": {"id": 2, "name": "second"}, "track": {"name": "Aja"}})
    );
    let comments = [
        json!({"playlist_id": 2, "track_id": 2, "text": "x"}),
        json!({"track_id": 3, "text": "no entry"}),
        json!({"playlist_id": 1, "track_id": 3, "text": "z"}),
    ];
    for comment in &comments {
        service.create(COMMENTS, comment);
    }
    let page = service.read(&format!(
        "{COMMENTS}?fields=id,entry(playlist_id,track_id,remark),track(name)"
    ));
    assert_eq!(
        page["items"],
        json!([
            {"id": 1, "entry": {"playlist_id": 2, "track_id": 2, "remark": "b"}, "track": {"name": "Peg"}},
            {"id": 2, "entry": null, "track": {"name": "Josie"}},
            {"id": 3, "entry": {"playlist_id": 1, "track_id": 3, "remark": "a"}, "track": {"name": "Josie"}},
        ])
    );
    let page = service.read(&format!(
        "{COMMENTS}?filter=eq(entry.remark,%22a%22)&fields=id"
    ));
    assert_eq!(page["items"], json!([{"id": 3}]));
    let page = service.read(&format!(
        "{PLAYLISTS}?fields=id,entries(track_id;order=desc(track_id);limit=2)"
    ));
    assert_eq!(
        page["items"][0]["entries"]["items"],
        json!([{"track_id": 3}, {"track_id": 2}])
    );
    assert_eq!(
        page["items"][1]["entries"]["items"],
        json!([{"track_id": 2}, {"track_id": 1}])
    );
    assert_eq!(page["items"][1]["entries"]["next"], Value::Null);
    let next = page["items"][0]["entries"]["next"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(service.read(&next)["items"], json!([{"track_id": 1}]));
    let page = service.read(&format!(
        "{PLAYLISTS}?filter=has(entries,eq(track_id,3))&fields=id"
    ));
    assert_eq!(page["items"], json!([{"id": 1}]));
    for text in ["first", "second", "third"] {
        let body = json!({"playlist_id": 1, "track_id": 2, "text": text});
        service.create(COMMENTS, &body);
    }
    let page = service.read(&format!(
        "{ENTRIES}?fields=remark,comments(text;limit=2)&limit=3"
    ));
    let shown = page["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["comments"]["items"]);
    assert_eq!(
        shown.cloned().collect::<Value>(),
        json!([[], [{"text": "first"}, {"text": "second"}], [{"text": "z"}]])
    );
    let next = page["items"][1]["comments"]["next"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(service.read(&next)["items"], json!([{"text": "third"}]));
    let item = service.read(&format!(
        "{ENTRIES}/1,2?fields=comments(text;order=desc(id);limit=1)"
    ));
    assert_eq!(item["comments"]["items"], json!([{"text": "third"}]));
    let page = service.read(&format!("{ENTRIES}?filter=has(comments,gt(id,1))"));
    assert_eq!(keys(&page), ["1,2", "1,3"]);
    assert_eq!(
        keys(&service.read(&format!("{ENTRIES}?filter=not(has(comments))"))),
        ["1,1", "2,1"]
    );
    let single = service.read(&format!("{PLAYLISTS}/2?fields=entries(track_id)"));
    assert_eq!(
        single["entries"]["items"],
        json!([{"track_id": 1}, {"track_id": 2}])
    );
}

#[apply(every_database)]
fn references_hold_all_parts_or_point_nowhere() {
    let service = with_entries();
    let alone = service.create(COMMENTS, &json!({"playlist_id": 2, "text": "x"}));
    let dangling = service.post(
        COMMENTS,
        &json!({"playlist_id": 2, "track_id": 3, "text": "x"}),
    );
    assert_error(&dangling, 400, 10031)
        .naming(&["`playlist_id`, `track_id` refers to no existing Entry"]);
    assert_no_content(&service.put(&alone, &json!({"track_id": 1})));
    assert_error(&service.put(&alone, &json!({"track_id": 3})), 400, 10031);
    let used = service.delete(&format!("{ENTRIES}/2,1"));
    assert_error(&used, 400, 10020).naming(&["still in use by Comment"]);
    assert_error(&service.delete(&format!("{TRACKS}/1")), 400, 10020).naming(&["Entry"]);
    assert_no_content(&service.put(&alone, &json!({"track_id": null})));
    assert_no_content(&service.delete(&format!("{ENTRIES}/2,1")));
}

#[apply(every_database)]
fn tags_and_idempotency_keys_know_items_of_several_parts() {
    let service = with_entries();
    let path = format!("{ENTRIES}/1,1");
    let tag = service.get(&path).header("etag").unwrap().to_owned();
    let known = service
        .request("GET", &path)
        .header("if-none-match", &tag)
        .send();
    assert_eq!(known.status, 304);
    let change = |tag: &str| {
        let request = service.request("PUT", &path).header("if-match", tag);
        request.json(r#"{"remark":"new"}"#).send()
    };
    assert_no_content(&change(&tag));
    assert_error(&change(&tag), 412, 10040);
    let service = Service::start(|database| {
        let builder = Api::builder().idempotency_keys(std::time::Duration::from_hours(24));
        builder.resource::<Cell>().build(database)
    });
    let create = || {
        let request = service.request("POST", CELLS);
        let request = request.header("idempotency-key", "8e03978e-40d5-43dd-bc93-6894a57f9324");
        request.json(r#"{"row":"a,b","column":"%2C/"}"#).send()
    };
    let path = assert_created(&create());
    let repeated = create();
    assert_eq!(repeated.header("idempotent-replayed"), Some("true"));
    assert_eq!(assert_created(&repeated), path);
    assert_eq!(service.read(&path)["column"], "%2C/");
}

/// Writes the key of each entry into its remark.
struct Remarks;

impl Validator<Entry> for Remarks {
    async fn row_created(
        &self,
        entry: &mut Entry,
        context: &mut WriteContext<'_, Entry>,
    ) -> HookResult {
        let key: Option<(i64, i64)> = context.key()?;
        assert_eq!(context.id(), None);
        let stored = context.items::<Entry>().get(key.unwrap()).await?.unwrap();
        assert_eq!(stored.track_id, entry.track_id);
        entry.remark = key.map(|(playlist, track)| format!("{playlist}/{track}"));
        Ok(())
    }

    async fn after_update(&self, _: &Entry, change: &Change<Entry>) -> HookResult {
        assert_eq!(change.key()?, Some((1, 2)));
        Ok(())
    }
}

#[apply(every_database)]
fn typed_access_and_hooks_take_tuples() {
    let builder = Api::builder().resource::<Playlist>().resource::<Track>();
    let builder = builder.resource::<Comment>();
    let api = InProcessApi::new(builder.resource_with::<Entry>(Remarks));
    block_on(async {
        for id in 1..=2 {
            api.items()
                .insert(Playlist {
                    id,
                    name: "p".into(),
                })
                .await
                .unwrap();
            api.items()
                .insert(Track {
                    id,
                    name: "t".into(),
                })
                .await
                .unwrap();
        }
        let entry = new!(Entry {
            playlist_id: 1,
            track_id: 2
        });
        let stored = api.items::<Entry>().insert(entry).await.unwrap();
        assert_eq!(stored.remark.as_deref(), Some("1/2"));
        assert_eq!(
            api.items::<Entry>().get((1, 2)).await.unwrap(),
            Some(stored)
        );
        assert_eq!(api.items::<Entry>().get((&2, 2_i64)).await.unwrap(), None);
        let entries = api.items::<Entry>();
        entries.update((1, 2)).set(Entry::PLACE, 3).await.unwrap();
        let bulk = [(2, 1), (2, 2), (1, 1)].map(|(playlist_id, track_id)| Entry {
            playlist_id,
            track_id,
            place: None,
            remark: None,
        });
        let entries = api.items::<Entry>().without_hooks();
        let keys: Vec<(i64, i64)> = entries.insert_all(bulk.clone()).await.unwrap();
        assert_eq!(keys, [(2, 1), (2, 2), (1, 1)]);
        let last = api.items::<Entry>().get(&keys[2]).await.unwrap();
        assert_eq!(last.unwrap().playlist_id, 1);
        let again = api.items::<Entry>().without_hooks().insert_all(bulk).await;
        assert_eq!(again.unwrap_err().kind(), ErrorKind::NotUnique);
        let entry = new!(Entry {
            playlist_id: 2,
            track_id: 2,
            remark: "set"
        });
        let by = (Entry::TRACK_ID, Entry::PLAYLIST_ID);
        let stored = api.items().without_hooks().upsert(by, entry).await.unwrap();
        assert_eq!(
            (stored.track_id, stored.remark.as_deref()),
            (2, Some("set"))
        );
        let pegs = api
            .items::<Entry>()
            .filter(Entry::TRACK.column(Track::ID).eq(2));
        assert_eq!(pegs.limit(9).all().await.unwrap().len(), 2);
        api.items::<Entry>().delete((1, 2)).await.unwrap();
        let missing = api.items::<Entry>().delete((1, 2)).await.unwrap_err();
        assert_eq!(missing.kind(), ErrorKind::NotFound);
        let few = api
            .items::<Entry>()
            .without_hooks()
            .filter(Entry::PLAYLIST_ID.eq(2));
        assert_eq!(few.delete_all().await.unwrap(), 2);
    });
}

#[apply(every_database)]
fn streams_go_on_behind_the_last_key_of_a_batch() {
    let api = InProcessApi::new(Api::builder().resource::<Cell>());
    let cell = |number: usize| Cell {
        row: format!("{:02}", number / 100),
        text: None,
        column: format!("{:02}", number / 2 % 50),
        layer: i16::try_from(number % 2).unwrap(),
    };
    let cells: Vec<Cell> = (0..2_300).map(cell).collect();
    block_on(async {
        let items = api.items::<Cell>().without_hooks();
        items.insert_all(cells.clone()).await.unwrap();
        let all: Vec<Cell> = api
            .items::<Cell>()
            .query()
            .stream()
            .try_collect()
            .await
            .unwrap();
        assert!(all == cells, "{} of {}", all.len(), cells.len());
        let even = api.items::<Cell>().filter(Cell::LAYER.eq(0));
        let even: Vec<Cell> = even.stream().try_collect().await.unwrap();
        assert_eq!(even.len(), 1_150);
    });
}

/// A note under a number that its owner chooses.
#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
#[resource(operations(list, create, retrieve, update, delete, upsert))]
#[resource(
    scopes(read = "read", write = "write"),
    owner(field = "author", bypass = "admin")
)]
struct Note {
    #[resource(primary_key, max_length = 20)]
    author: String,
    #[resource(primary_key)]
    number: i32,
    #[resource(max_length = 20)]
    text: Option<String>,
}

const NOTES: &str = "/api/1.0/notes";

#[apply(every_database)]
fn an_owner_may_be_a_part_of_the_key() {
    let api = InProcessApi::new(Api::builder().resource::<Note>());
    let user = |name: &str| api.as_user(name, "read write");
    let (ann, bob) = (user("ann"), user("b,b"));
    let number = json!({"number": 1});
    assert_eq!(ann.create(NOTES, &number), format!("{NOTES}/ann,1"));
    assert_eq!(bob.create(NOTES, &number), format!("{NOTES}/b~2Cb,1"));
    assert_eq!(bob.read(&format!("{NOTES}/b%2Cb,1"))["author"], "b,b");
    assert_error(&ann.post(NOTES, &number), 400, 10030).naming(&["`author`, `number`"]);
    let named = ann.post(NOTES, &json!({"author": "ann", "number": 2}));
    assert_error(&named, 400, 10010).naming(&["`author` is read-only"]);
    let asked = |path: &str| -> [Answer; 6] {
        let conditional = ann.request("PUT", path).header("if-none-match", "*");
        [
            ann.get(path),
            ann.put(path, &json!({"text": "x"})),
            ann.put(path, &json!({"author": "b,b", "number": 1})),
            conditional.json("{}").send(),
            ann.patch(path, &json!({})),
            ann.delete(path),
        ]
    };
    for path in [format!("{NOTES}/b%2Cb,1"), format!("{NOTES}/nobody,1")] {
        for answer in asked(&path) {
            assert_error(&answer, 404, 10001);
        }
    }
    let own = format!("{NOTES}/ann,1");
    let item = ann.read(&own);
    assert_no_content(&ann.put(&own, &item));
    assert_no_content(&ann.patch(&own, &json!({"author": "ann", "text": "x"})));
    let moved = ann.patch(&own, &json!({"author": "b,b"}));
    assert_error(&moved, 400, 10010).naming(&["`author` cannot be changed"]);
    assert_created(&ann.put(&format!("{NOTES}/ann,2"), &json!({"author": "ann"})));
    assert_eq!(ann.read(NOTES)["totalItems"], 2);
    let admin = api.as_user("root", "read write admin");
    assert_created(&admin.put(&format!("{NOTES}/b%2Cb,7"), &json!({"text": "by root"})));
    assert_eq!(bob.read(&format!("{NOTES}/b%2Cb,7"))["text"], "by root");
    assert_eq!(
        admin.create(NOTES, &json!({"number": 3})),
        format!("{NOTES}/root,3")
    );
}

#[derive(Debug, ApiResource)]
#[resource(name = "Tenant", url = "/tenants", version = "1.0")]
struct Tenant {
    id: i64,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Project", url = "/projects", version = "1.0")]
struct Project {
    #[resource(primary_key, references = Tenant)]
    tenant_id: i64,
    #[resource(primary_key, max_length = 8)]
    code: String,
}

/// A task of a tenant, and perhaps of one of the tenant's projects.
#[derive(Debug, ApiResource)]
#[resource(name = "Task", url = "/tasks", version = "1.0")]
#[resource(subresource(tenant = "tenant_id", project = ["tenant_id", "project_code"]))]
struct Task {
    id: i64,
    #[resource(references = Tenant, references(Project, tenant_id))]
    tenant_id: i64,
    #[resource(references(Project, code), max_length = 8)]
    project_code: Option<String>,
}

#[apply(every_database)]
fn a_field_may_be_a_part_of_several_references() {
    let service = Service::start(|database| {
        let builder = Api::builder().resource::<Tenant>().resource::<Project>();
        builder.resource::<Task>().build(database)
    });
    let [tenants, projects, tasks] =
        ["tenants", "projects", "tasks"].map(|it| format!("/api/1.0/{it}"));
    for _ in 0..2 {
        service.create(&tenants, &json!({}));
    }
    service.create(&projects, &json!({"tenant_id": 2, "code": "x"}));
    service.create(&tasks, &json!({"tenant_id": 1}));
    service.create(&tasks, &json!({"tenant_id": 2, "project_code": "x"}));
    for (tenant, code, missing) in [
        (3, json!(null), "`tenant_id` refers to no existing Tenant"),
        (
            1,
            json!("x"),
            "`tenant_id`, `project_code` refers to no existing Project",
        ),
    ] {
        let answer = service.post(&tasks, &json!({"tenant_id": tenant, "project_code": code}));
        assert_error(&answer, 400, 10031).naming(&[missing]);
    }
    let page = service.read(&format!("{tasks}?fields=tenant,project"));
    assert_eq!(
        page["items"],
        json!([
            {"tenant": {"id": 1}, "project": null},
            {"tenant": {"id": 2}, "project": {"tenant_id": 2, "code": "x"}},
        ])
    );
    assert_error(&service.delete(&format!("{projects}/2,x")), 400, 10020).naming(&["Task"]);
}

#[apply(every_database)]
fn each_reference_of_a_field_has_its_own_action() {
    /// A step that goes with its project, while its tenant stays.
    #[derive(Debug, ApiResource)]
    #[resource(name = "Step", url = "/steps", version = "1.0")]
    #[resource(subresource(project = ["tenant_id", "project_code"]))]
    struct Step {
        id: i64,
        #[resource(references = Tenant, references(Project, tenant_id))]
        tenant_id: i64,
        #[resource(references(Project, code, on_delete = "cascade"), max_length = 8)]
        project_code: String,
    }
    let service = Service::start(|database| {
        let builder = Api::builder().resource::<Tenant>().resource::<Project>();
        builder.resource::<Step>().build(database)
    });
    service.create("/api/1.0/tenants", &json!({}));
    let project = json!({"tenant_id": 1, "code": "x"});
    service.create("/api/1.0/projects", &project);
    let step = json!({"tenant_id": 1, "project_code": "x"});
    service.create("/api/1.0/steps", &step);
    assert_error(&service.delete("/api/1.0/tenants/1"), 400, 10020).naming(&["Project"]);
    assert_eq!(service.delete("/api/1.0/projects/1,x").status, 204);
    assert_eq!(service.read("/api/1.0/steps")["items"], json!([]));
}

#[apply(every_database)]
fn the_openapi_document_has_one_parameter_with_an_example() {
    let service = with_entries();
    let document = service.read("/api/1.0/openapi.json");
    let item = &document["paths"]["/api/1.0/entries/{id}"];
    let item = if item.is_null() {
        &document["paths"]["/1.0/entries/{id}"]
    } else {
        item
    };
    let id = &item["parameters"][0];
    assert_eq!(
        (&id["name"], &id["example"]),
        (&json!("id"), &json!("1,1")),
        "{document}"
    );
    assert_eq!(id["schema"], json!({"type": "string"}));
    let description = id["description"].as_str().unwrap();
    assert!(
        description.contains("`playlist_id`, `track_id`"),
        "{description}"
    );
    let schemas = &document["components"]["schemas"];
    assert_eq!(
        schemas["EntryCreate"]["required"],
        json!(["playlist_id", "track_id"])
    );
    let update = schemas["EntryUpdate"]["properties"].as_object().unwrap();
    assert_eq!(update.keys().collect::<Vec<_>>(), ["place", "remark"]);
    // A change leaves the key as it is: it neither takes another's nor points elsewhere.
    assert_eq!(
        schemas["EntryUpdate"]["description"],
        "No two items share `playlist_id` and `place` together."
    );
    let codes = |method: &str| {
        let content = &item[method]["responses"]["400"]["content"]["application/json"];
        let codes = content["examples"].as_object().unwrap();
        ["10030", "10031"].map(|code| codes.contains_key(code))
    };
    assert_eq!(codes("patch"), [true, false]);
    assert_eq!(codes("put"), [true, true], "an item may be created");
}

#[derive(Debug, ApiResource)]
#[resource(name = "Loose", url = "/loose", version = "1.0")]
struct Loose {
    id: i64,
    #[resource(references = Project)]
    project: i64,
    #[resource(references(Project, code), max_length = 8)]
    project_code: String,
}

#[test]
fn references_to_a_part_alone_are_told_how_to_hold_all() {
    let database = TestDatabase::sqlite();
    let url = database.url();
    let builder = Api::builder().resource::<Tenant>().resource::<Project>();
    let built = block_on(async {
        let database = Database::connect(&url).await.unwrap();
        builder.resource::<Loose>().build(database).map(drop)
    });
    let found = problems(&built.unwrap_err()).join("\n");
    for words in [
        "Project`, whose key has several parts; hold each part in a field, as by `references(Project, tenant_id)`",
        "references `code` of `Project`, where several items may share the same values; hold each part of its key, \
         `tenant_id`, `code`, in a field, and name the fields together in a `subresource`",
    ] {
        assert!(found.contains(words), "{found}");
    }
}

#[derive(Debug, ApiResource)]
#[resource(name = "Project", url = "/projects", version = "2.0")]
struct LaterProject {
    #[resource(primary_key, assigned, max_length = 8)]
    code: String,
}

#[test]
fn versions_of_one_table_have_the_same_key() {
    let builder = Api::builder().resource::<Tenant>().resource::<Project>();
    let refused = builder
        .resource::<LaterProject>()
        .schema_sql(Dialect::Sqlite);
    let found = problems(&refused.unwrap_err()).join("\n");
    assert!(
        found.contains("share the table `projects`, but not the columns of its primary key"),
        "{found}"
    );
}

#[test]
fn tables_declare_keys_and_references_of_several_columns() {
    let builder = Api::builder().resource::<Tenant>().resource::<Project>();
    let builder = builder.resource::<Task>().resource::<Cell>();
    for (dialect, key) in [
        (
            Dialect::Sqlite,
            "\"tenant_id\" INTEGER NOT NULL,\n  \"code\" TEXT NOT NULL CHECK (length(\"code\") <= 8),\n  \
             PRIMARY KEY (\"tenant_id\", \"code\"),\n  FOREIGN KEY (\"tenant_id\")",
        ),
        (
            Dialect::Postgres,
            "\"tenant_id\" bigint NOT NULL,\n  \"code\" varchar(8) COLLATE \"C\" NOT NULL,\n  \
             PRIMARY KEY (\"tenant_id\", \"code\"),\n  FOREIGN KEY (\"tenant_id\")",
        ),
    ] {
        let sql = builder.clone().schema_sql(dialect).unwrap();
        for part in [
            key,
            "PRIMARY KEY (\"row\", \"column\", \"layer\")",
            "FOREIGN KEY (\"tenant_id\", \"project_code\") REFERENCES \"projects\" (\"tenant_id\", \"code\")",
            "CREATE INDEX \"tasks.tenant_id.project_code\"",
        ] {
            assert!(sql.contains(part), "{sql}");
        }
        // The key finds by its first part.
        assert!(!sql.contains("CREATE INDEX \"projects"), "{sql}");
    }
}

#[apply(every_database)]
fn check_compares_keys_and_references_of_several_columns() {
    let database = TestDatabase::default();
    let (id, text) = match Backend::under_test() {
        Backend::Sqlite => ("INTEGER PRIMARY KEY AUTOINCREMENT", "TEXT"),
        Backend::Postgres => (
            "bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
            "varchar(8) COLLATE \"C\"",
        ),
    };
    let report = |projects_key: &str, task_key: &str| {
        let tables =
            ["tasks", "projects", "tenants"].map(|it| format!("DROP TABLE IF EXISTS {it};"));
        let mut program = database.other_program();
        program.execute(&format!(
            "{} CREATE TABLE tenants (id {id});
             CREATE TABLE projects (tenant_id bigint NOT NULL REFERENCES tenants (id), code {text} NOT NULL,
                {projects_key});
             CREATE TABLE tasks (id {id}, tenant_id bigint NOT NULL REFERENCES tenants (id), project_code {text}
                {task_key});",
            tables.concat()
        ));
        let url = database.url();
        block_on(async {
            let database = Database::connect(&url).await.unwrap();
            let builder = Api::builder().resource::<Tenant>().resource::<Project>();
            let api = builder.resource::<Task>().build(database).unwrap();
            match api.check_schema().await {
                Ok(report) => report.to_string(),
                Err(error) => error.to_string(),
            }
        })
    };
    let reference = "FOREIGN KEY (project_code, tenant_id) REFERENCES projects (code, tenant_id)";
    let sound = report("PRIMARY KEY (code, tenant_id)", &format!(", {reference}"));
    for fault in ["primary key", "foreign key"] {
        assert!(!sound.contains(fault), "{sound}");
    }
    let narrow = report("PRIMARY KEY (tenant_id), UNIQUE (tenant_id, code)", "");
    for words in [
        "the primary key of the table `projects` is `tenant_id`, but `Project` 1.0 needs `tenant_id`, `code`",
        "no foreign key from `tenant_id`, `project_code` to `tenant_id`, `code` of `projects`",
    ] {
        assert!(narrow.contains(words), "{narrow}");
    }
}
