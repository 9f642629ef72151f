//! Versions that share a table: texts that answers of the older one cut, limits that are held back for it, and clients who
//! send back what they have read.

use std::env;

use proptest::prelude::RngExt as _;
use proptest::test_runner::{RngAlgorithm, TestRng};
use resource_runtime::{
    Api, ApiResource, Database, Error, HookResult, Item, Messages, RequestContext, Validator,
    WriteContext,
};
use resource_testing::TestApi;
use resource_tests::{
    Service, TestDatabase, apply, assert_error, assert_no_content, block_on, every_database,
    problems,
};
use serde_json::{Value, json};

#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(name = "Letter", url = "/letters", version = "1.0")]
#[resource(collection(copies = Copy::LETTER_ID))]
struct LetterOne {
    id: i64,
    #[resource(min_length = 3, max_length = 10, truncate)]
    subject: String,
    #[resource(max_length = 5)]
    place: Option<String>,
}

#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(name = "Letter", url = "/letters", version = "2.0", follows = LetterOne)]
#[resource(breaks(removed(copies) = "copies have a list of their own"))]
struct LetterTwo {
    id: i64,
    #[resource(max_length = 30, breaks(read_widening = "shorter ones, too"))]
    subject: Option<String>,
    #[resource(max_length = 5)]
    place: Option<String>,
    #[resource(read_only, default = 0, default_on_update = 1)]
    changes: i64,
}

/// An item that shows a letter of 1.0.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Copy",
    url = "/copies",
    version = "1.0",
    subresource(letter = "letter_id")
)]
struct Copy {
    id: i64,
    #[resource(references = LetterOne)]
    letter_id: i64,
}

/// The same table with a format hook, which tells how long the texts are that it sees.
#[derive(Debug, ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0", table = "letters", validator = Measured, redacts(length))]
struct Note {
    id: i64,
    #[resource(max_length = 10, truncate)]
    subject: Option<String>,
    length: Option<String>,
}

#[derive(Debug, Default)]
struct Measured;

impl Validator<Note> for Measured {
    async fn validate(
        &self,
        _: &Note,
        context: &mut WriteContext<'_, Note>,
        messages: &mut Messages<Note>,
    ) -> HookResult {
        // What is sent back as it was read counts as not named.
        if context.changes(Note::SUBJECT) {
            messages.about(Note::SUBJECT, "is refused");
        }
        Ok(())
    }

    fn format(&self, note: &mut Item<Note>, _: &RequestContext) {
        let length = note
            .subject
            .as_ref()
            .map(|it| it.chars().count().to_string());
        note.set(Note::LENGTH, &length);
    }
}

#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(name = "Parcel", url = "/parcels", version = "1.0")]
struct ParcelOne {
    id: i64,
    #[resource(max_length = 10)]
    label: String,
    #[resource(min = 1, max = 100)]
    weight: i64,
}

#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(name = "Parcel", url = "/parcels", version = "2.0", follows = ParcelOne)]
struct ParcelTwo {
    id: i64,
    #[resource(max_length = 30, readable_by = ParcelOne)]
    label: String,
    #[resource(max = 1000, readable_by = ParcelOne)]
    weight: i64,
    #[resource(read_only, default = 0, default_on_update = 1)]
    changes: i64,
}

/// A version that is held back for one that is held back itself.
#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(name = "Parcel", url = "/parcels", version = "3.0")]
struct ParcelThree {
    id: i64,
    #[resource(max_length = 90, readable_by = ParcelTwo)]
    label: String,
    #[resource(max = 1000)]
    weight: i64,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Card", url = "/cards", version = "1.0")]
struct CardOne {
    id: i64,
    #[resource(max_length = 10)]
    title: Option<String>,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Card", url = "/cards", version = "2.0", follows = CardOne)]
struct CardTwo {
    id: i64,
    #[resource(
        max_length = 30,
        column = "long_title",
        breaks(wider = "its clients have room")
    )]
    title: Option<String>,
    #[resource(read_only, default = 0, default_on_update = 1)]
    changes: i64,
}

fn all(database: Database) -> Result<Api, Error> {
    Api::builder()
        .resource::<LetterOne>()
        .resource::<LetterTwo>()
        .resource::<Copy>()
        .resource::<Note>()
        .resource::<ParcelOne>()
        .resource::<ParcelTwo>()
        .resource::<CardOne>()
        .resource::<CardTwo>()
        .build(database)
}

const LONG: &str = "ünïcödé 🦀🦀🦀 and more";
const CUT: &str = "ünïcödé 🦀🦀";

/// A service with the long text in letter 1.
fn with_letter() -> Service {
    let service = Service::start(all);
    service.create(
        "/api/2.0/letters",
        &json!({"subject": LONG, "place": "here"}),
    );
    service
}

#[apply(every_database)]
fn answers_of_the_older_version_hold_the_first_characters() {
    let service = with_letter();
    let cut = json!({"id": 1, "subject": CUT, "place": "here"});
    service.create("/api/1.0/copies", &json!({"letter_id": 1}));
    assert_eq!(service.read("/api/1.0/letters/1"), cut);
    assert_eq!(service.read("/api/1.0/letters")["items"], json!([cut]));
    assert_eq!(
        service.read("/api/1.0/letters/1?fields=subject"),
        json!({"subject": CUT})
    );
    let csv = service.get("/api/1.0/letters?format=csv");
    assert_eq!(
        csv.text(),
        format!("id,subject,place\r\n1,\"{CUT}\",\"here\"\r\n")
    );
    let lines = service.get("/api/1.0/letters?format=ndjson&fields=subject");
    assert_eq!(lines.text(), format!("{}\n", json!({"subject": CUT})));
    let exported = service.get("/api/1.0/letters?format=ndjson&fields=subject&limit=1");
    assert_eq!(exported.text(), lines.text());
    let copy = service.read("/api/1.0/copies/1?fields=letter(subject)");
    assert_eq!(copy["letter"]["subject"], CUT);
    let with_copies = service.read("/api/1.0/letters/1?fields=subject,copies(id)");
    assert_eq!(
        (&with_copies["subject"], &with_copies["copies"]["items"]),
        (&json!(CUT), &json!([{"id": 1}]))
    );
    // The format hook sees as much as clients do.
    assert_eq!(
        service.read("/api/1.0/notes/1"),
        json!({"id": 1, "subject": CUT, "length": "10"})
    );
    let request = service.request("PUT", "/api/1.0/letters/1");
    let request = request.header("Prefer", "return=representation");
    let answer = request.json(json!({"place": "there"}).to_string()).send();
    assert_eq!(answer.ok()["subject"], CUT);
    assert_eq!(service.read("/api/2.0/letters/1")["subject"], LONG);
}

#[apply(every_database)]
fn filters_orders_tags_and_code_see_what_is_stored() {
    let service = with_letter();
    service.create(
        "/api/2.0/letters",
        &json!({"subject": format!("{CUT}\u{1}")}),
    );
    let found = |filter: &str| {
        let page = service.read(&format!("/api/1.0/letters?filter={filter}"));
        page["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["id"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(found("ilike(subject,\"%25and more\")"), [1]);
    assert!(found(&format!("eq(subject,\"{CUT}\")")).is_empty());
    let ordered = service.read("/api/1.0/letters?order=asc(subject)&fields=id");
    assert_eq!(ordered["items"], json!([{"id": 2}, {"id": 1}]));
    let api = |path| service.get(path).header("etag").map(str::to_owned);
    let tag = api("/api/1.0/letters/1").unwrap();
    let request = service
        .request("PUT", "/api/1.0/letters/1")
        .header("If-Match", &tag);
    assert_no_content(&request.json(r#"{"place":"x"}"#).send());
    // The part that clients of 1.0 do not see is a part of the state, too.
    let tag = api("/api/1.0/letters/1").unwrap();
    assert_no_content(&service.put(
        "/api/2.0/letters/1",
        &json!({"subject": format!("{LONG}!")}),
    ));
    let request = service
        .request("PUT", "/api/1.0/letters/1")
        .header("If-Match", &tag);
    assert_error(&request.json(r#"{"place":"y"}"#).send(), 412, 10040);
    let api = block_on(async {
        all(Database::connect(&service.database().url()).await.unwrap()).unwrap()
    });
    let letters = api.items::<LetterOne>();
    let read = block_on(letters.get(1)).unwrap().unwrap().subject;
    assert_eq!(read, format!("{LONG}!"));
    // Code, too, may write what it has read.
    let update = letters.update(1).set(LetterOne::SUBJECT, &read);
    block_on(update.set(LetterOne::PLACE, None)).unwrap();
    let stored = service.read("/api/2.0/letters/1");
    assert_eq!(
        (&stored["subject"], &stored["place"]),
        (&json!(read), &Value::Null)
    );
}

#[apply(every_database)]
fn what_a_client_sends_back_counts_as_not_named() {
    let service = with_letter();
    let stored = || service.read("/api/2.0/letters/1")["subject"].clone();
    let sent = json!({"subject": CUT, "place": "there"});
    assert_no_content(&service.put("/api/1.0/letters/1", &sent));
    assert_no_content(&service.patch("/api/1.0/letters/1", &sent));
    assert_eq!(stored(), LONG);
    assert_eq!(service.read("/api/2.0/letters/1")["place"], "there");
    // Nothing is left to write.
    let before = service.read("/api/2.0/letters/1");
    assert_no_content(&service.put("/api/1.0/letters/1", &json!({"id": 1, "subject": CUT})));
    assert_eq!(service.read("/api/2.0/letters/1"), before);
    // Neither does a hook see a change.
    assert_no_content(&service.put("/api/1.0/notes/1", &json!({"subject": CUT})));
    assert_eq!(stored(), LONG);
    // What does not fit is no problem where it was read, and null neither.
    for short in [json!("ab"), json!(null)] {
        let change = json!({"subject": short});
        assert_no_content(&service.put("/api/2.0/letters/1", &change));
        assert_no_content(&service.put("/api/1.0/letters/1", &service.read("/api/1.0/letters/1")));
        assert_eq!(stored(), short);
    }
    // All else is as ever.
    assert_no_content(&service.put("/api/2.0/letters/1", &json!({"subject": LONG})));
    for (subject, words) in [
        (json!(LONG), "at most 10"),
        (json!("ab"), "at least 3"),
        (json!(null), "required"),
    ] {
        let answer = service.put(
            "/api/1.0/letters/1",
            &json!({"subject": subject, "place": "x"}),
        );
        assert_error(&answer, 400, 10010).naming(&[words]);
    }
    let answer = service.put(
        "/api/1.0/letters/1",
        &json!({"subject": LONG, "place": "too long"}),
    );
    assert_error(&answer, 400, 10010).naming(&["place"]);
    assert_error(
        &service.put("/api/1.0/letters/9", &json!({"subject": CUT})),
        404,
        10001,
    );
    assert_eq!(stored(), LONG);
    let other = "0123456789";
    assert_no_content(&service.put("/api/1.0/letters/1", &json!({"subject": other})));
    assert_eq!(stored(), other);
    let answer = service.post("/api/1.0/letters", &json!({"subject": LONG}));
    assert_error(&answer, 400, 10010);
}

fn new_parcels(database: Database) -> Result<Api, Error> {
    Api::builder().resource::<ParcelTwo>().build(database)
}

#[apply(every_database)]
fn limits_are_held_back_while_the_older_version_is_registered() {
    let database = TestDatabase::default();
    let wide = json!({"label": LONG, "weight": 1000});
    {
        let service = Service::start_on(&database, new_parcels);
        service.create("/api/2.0/parcels", &wide);
        let limit = || limits(&service, "2.0", "Parcel");
        assert_eq!(limit(), [json!(30), json!(30)]);
    }
    let service = Service::start_on(&database, all);
    let answer = service.post("/api/2.0/parcels", &wide);
    assert_error(&answer, 400, 10010)
        .naming(&["`label` must be at most 10", "`weight` must be at most 100"]);
    let answer = service.post("/api/2.0/parcels", &json!({"label": "x", "weight": 0}));
    assert_error(&answer, 400, 10010).naming(&["`weight` must be at least 1"]);
    // Items of before are told as they are, and can be sent back.
    let read = service.read("/api/2.0/parcels/1");
    assert_eq!(
        (&read["label"], &read["weight"]),
        (&json!(LONG), &json!(1000))
    );
    let sent = json!({"label": LONG, "weight": 1000});
    assert_no_content(&service.put("/api/2.0/parcels/1", &sent));
    assert_no_content(&service.put("/api/2.0/parcels/1", &json!({"label": LONG, "weight": 7})));
    let answer = service.put(
        "/api/2.0/parcels/1",
        &json!({"label": format!("{LONG}."), "weight": 8}),
    );
    assert_error(&answer, 400, 10010).naming(&["`label` must be at most 10"]);
    assert_eq!(service.read("/api/2.0/parcels/1")["weight"], 7);
    assert_eq!(limits(&service, "2.0", "Parcel"), [json!(10), json!(30)]);
    assert_eq!(limits(&service, "1.0", "Parcel"), [json!(10), json!(10)]);
    let api = block_on(async {
        all(Database::connect(&service.database().url()).await.unwrap()).unwrap()
    });
    let parcels = api.items::<ParcelTwo>();
    for (label, is_taken) in [(LONG.to_owned(), true), (format!("{LONG}!"), false)] {
        let update = block_on(parcels.update(1).set(ParcelTwo::LABEL, &label));
        assert_eq!(update.is_ok(), is_taken, "{update:?}");
    }
}

/// The greatest lengths of the first text in bodies of a version, and in its answers.
fn limits(service: &Service, version: &str, name: &str) -> [Value; 2] {
    let document = service.read(&format!("/api/{version}/openapi.json"));
    let schemas = &document["components"]["schemas"];
    let text = if name == "Parcel" { "label" } else { "subject" };
    [format!("{name}Update"), name.to_owned()].map(|schema| {
        let schema = &schemas[schema]["properties"][text];
        schema["maxLength"].clone()
    })
}

#[apply(every_database)]
fn documents_tell_the_limits_of_bodies_and_of_answers() {
    let service = Service::start(all);
    assert_eq!(limits(&service, "1.0", "Letter"), [json!(10), json!(10)]);
    assert_eq!(limits(&service, "2.0", "Letter"), [json!(30), json!(30)]);
}

#[apply(every_database)]
fn limits_are_held_back_by_those_that_are_held_back_themselves() {
    let service = Service::start(|database| {
        Api::builder()
            .resource::<ParcelThree>()
            .resource::<ParcelOne>()
            .resource::<ParcelTwo>()
            .build(database)
    });
    let body = json!({"label": "0123456789a", "weight": 1});
    let answer = service.post("/api/3.0/parcels", &body);
    assert_error(&answer, 400, 10010).naming(&["at most 10"]);
    assert_eq!(limits(&service, "3.0", "Parcel"), [json!(10), json!(90)]);
    assert_eq!(limits(&service, "2.0", "Parcel"), [json!(10), json!(30)]);
}

/// Each version reads items of all others and sends them back.
#[apply(every_database)]
fn items_that_are_sent_back_do_not_change() {
    let loops = env::var("WRITE_BACKS").map_or(200, |it| it.parse().expect("a number"));
    let mut random = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let service = Service::start(all);
    let resources = [
        ("letters", "subject", 3..=30),
        ("parcels", "label", 0..=10),
        ("cards", "title", 0..=30),
    ];
    for _ in 0..loops {
        let (name, text, lengths) = resources[random.random_range(0..3)].clone();
        let writer = random.random_range(1..=2);
        let longest = if writer == 1 { 10 } else { *lengths.end() };
        let length = [*lengths.start(), 9, 10, 11, longest][random.random_range(0..5)].min(longest);
        let value: String = (0..length)
            .map(|_| ['a', 'ß', '→', '🦀', ' ', '\u{301}'][random.random_range(0..6)])
            .collect();
        let body = match name {
            "parcels" => json!({text: value, "weight": random.random_range(1..=100)}),
            _ => json!({text: value}),
        };
        let created = service.create(&format!("/api/{writer}.0/{name}"), &body);
        let (_, path) = created.split_once(".0/").unwrap();
        let newest = format!("/api/2.0/{path}");
        let state = || {
            let mut item = service.read(&newest);
            item.as_object_mut().unwrap().remove("changes");
            item
        };
        let before = state();
        for version in [1, 2] {
            let path = format!("/api/{version}.0/{path}");
            let mut read = service.read(&path);
            read.as_object_mut().unwrap().remove("changes");
            if random.random_bool(0.5) {
                assert_no_content(&service.put(&path, &read));
            } else {
                assert_no_content(&service.patch(&path, &read));
            }
            assert_eq!(state(), before, "{path}");
        }
    }
}

/// A resource whose text some may write who cannot read it.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Memo",
    url = "/memos",
    version = "1.0",
    scopes(read = "read", write = "write")
)]
struct Memo {
    id: i64,
    #[resource(max_length = 5, truncate, read_scope = "see", write_scope = "write")]
    text: Option<String>,
}

#[derive(Debug, ApiResource)]
#[resource(
    name = "Memo",
    url = "/memos",
    version = "2.0",
    scopes(read = "read", write = "write")
)]
struct LongMemo {
    id: i64,
    #[resource(read_scope = "see", write_scope = "write")]
    text: Option<String>,
}

/// Tests that callers who may not read a text learn nothing of it by what its comparison does.
#[tokio::test]
async fn texts_are_compared_for_those_alone_who_can_read_them() {
    let api = Api::builder().resource::<Memo>().resource::<LongMemo>();
    let api = TestApi::new(api).await;
    let scopes = ["read", "write", "see"];
    let reader = api.as_user("ann", scopes);
    reader
        .version("2.0")
        .post("/memos", json!({"text": "12345 and more"}))
        .await
        .assert_status(201);
    let sent = || json!({"text": "12345"});
    reader
        .version("1.0")
        .put("/memos/1", sent())
        .await
        .assert_status(204);
    let stored = api.items::<LongMemo>().get(1).await.unwrap().unwrap();
    assert_eq!(stored.text.as_deref(), Some("12345 and more"));
    for hidden in ["read", "see"] {
        let others = scopes.into_iter().filter(|it| *it != hidden);
        let writer = api.as_user("bob", others);
        let again = json!({"text": "12345 and more"});
        reader
            .version("2.0")
            .put("/memos/1", again)
            .await
            .assert_status(204);
        writer
            .version("1.0")
            .put("/memos/1", sent())
            .await
            .assert_status(204);
        let stored = api.items::<LongMemo>().get(1).await.unwrap().unwrap();
        assert_eq!(stored.text.as_deref(), Some("12345"), "{hidden}");
    }
}

#[derive(Debug, ApiResource)]
#[resource(name = "Ticket", url = "/tickets", version = "1.0")]
struct TicketOne {
    id: i64,
    note: Option<String>,
}

/// The version that requires what items of the older one lack.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Ticket",
    url = "/tickets",
    version = "2.0",
    follows = TicketOne
)]
struct TicketTwo {
    id: i64,
    #[resource(breaks(required = "all have notes", old_items = "a night job adds them"))]
    note: String,
}

/// What `old_items` approves: without that the version does not compile, and code cannot read such an item.
#[apply(every_database)]
fn items_that_do_not_fit_are_told_as_they_are() {
    let tickets = |database| {
        let builder = Api::builder().resource::<TicketOne>();
        builder.resource::<TicketTwo>().build(database)
    };
    let service = Service::start(tickets);
    service.create("/api/1.0/tickets", &json!({}));
    let told = service.read("/api/2.0/tickets/1");
    assert_eq!(told, json!({"id": 1, "note": null}));
    let read = block_on(async {
        let database = Database::connect(&service.database().url()).await.unwrap();
        let api = tickets(database).unwrap();
        api.items::<TicketTwo>().get(1).await
    });
    assert!(read.is_err(), "{read:?}");
}

mod unrelated {
    use resource_runtime::ApiResource;

    #[derive(Debug, ApiResource)]
    #[resource(name = "Stamp", url = "/stamps", version = "2.0")]
    pub(super) struct Stamp {
        pub(super) id: i64,
        #[resource(max_length = 30, readable_by = super::ParcelOne)]
        pub(super) label: String,
    }

    #[derive(Debug, ApiResource)]
    #[resource(name = "Parcel", url = "/parcels", version = "0.9")]
    pub(super) struct Newer {
        pub(super) id: i64,
        #[resource(max_length = 30, readable_by = super::ParcelOne)]
        pub(super) label: String,
        pub(super) weight: i64,
    }

    /// A version whose default does not fit the limits of the older one.
    #[derive(Debug, ApiResource)]
    #[resource(name = "Parcel", url = "/parcels", version = "4.0")]
    pub(super) struct Defaulted {
        pub(super) id: i64,
        #[resource(max_length = 30, readable_by = super::ParcelOne, default = "more than ten")]
        pub(super) label: String,
        #[resource(default = 1)]
        pub(super) weight: i64,
    }

    /// A version that is held back for one whose own limits are wider than those of the first.
    #[derive(Debug, ApiResource)]
    #[resource(name = "Parcel", url = "/parcels", version = "1.5", follows = super::ParcelOne)]
    pub(super) struct Between {
        pub(super) id: i64,
        #[resource(max_length = 20, breaks(read_widening = "they may"))]
        pub(super) label: String,
        #[resource(min = 1, max = 100)]
        pub(super) weight: i64,
    }

    #[derive(Debug, ApiResource)]
    #[resource(name = "Parcel", url = "/parcels", version = "1.6", follows = Between)]
    pub(super) struct After {
        pub(super) id: i64,
        #[resource(max_length = 30, readable_by = Between)]
        pub(super) label: String,
        #[resource(min = 1, max = 100)]
        pub(super) weight: i64,
    }
}

#[test]
fn versions_are_held_back_for_older_ones_with_their_column() {
    let told = |builder: resource_runtime::ApiBuilder| {
        let refused = builder.schema_sql(resource_runtime::Dialect::Sqlite);
        refused.map_or_else(|error| problems(&error), |_| Vec::new())
    };
    let with = || Api::builder().resource::<ParcelOne>();
    for (found, name) in [
        (told(with().resource::<unrelated::Stamp>()), "Stamp"),
        (told(with().resource::<unrelated::Newer>()), "Newer"),
        (told(Api::builder().resource::<unrelated::Stamp>()), "Stamp"),
    ] {
        let sentence = "is `readable_by` `Parcel` 1.0, which is no older version with its column; name one, or remove that";
        let sentence = format!("`evolution::shared_tables::unrelated::{name}.label` {sentence}");
        assert!(found.contains(&sentence), "{found:?}");
    }
    let found = told(with().resource::<unrelated::Defaulted>());
    assert!(
        found
            .iter()
            .any(|it| it.contains("the default of") && it.contains("at most 10")),
        "{found:?}"
    );
    let chain = || {
        Api::builder()
            .resource::<unrelated::Between>()
            .resource::<unrelated::After>()
    };
    assert_eq!(told(chain()), [""; 0]);
    // The version between has approved that clients of the first read more, and the later one stores no more.
    assert_eq!(told(chain().resource::<ParcelOne>()), [""; 0]);
}
