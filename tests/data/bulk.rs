//! Writes of many items from Rust: in chunks, by conditions, and by unique sets.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use futures_util::FutureExt as _;
use resource_runtime::{Api, ApiResource, Database, Error, ErrorKind, new};
use resource_tests::{Backend, Service, TestDatabase, apply, block_on, every_database};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use uuid::Uuid;

use super::shop::{self, Album, Track, await_waiter};

/// An item with a value of every kind.
#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(name = "Sample", url = "/samples", version = "1.0")]
struct Sample {
    id: i64,
    boolean: Option<bool>,
    small: Option<i16>,
    integer: Option<i32>,
    single: Option<f32>,
    double: Option<f64>,
    text: Option<String>,
    bytes: Option<Vec<u8>>,
    #[resource(unique)]
    decimal: Option<Decimal>,
    uuid: Option<Uuid>,
    date: Option<NaiveDate>,
    time: Option<NaiveTime>,
    local: Option<NaiveDateTime>,
    instant: Option<DateTime<Utc>>,
    json: Option<Value>,
}

/// A member as version 2.0 of the resource has it; the first version has more columns.
#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(
    name = "Member",
    url = "/members",
    version = "2.0",
    unique(country, code)
)]
struct Member {
    id: i64,
    #[resource(unique, max_length = 10, default = "nobody")]
    name: String,
    country: Option<String>,
    code: Option<String>,
    #[resource(default = 1, default_on_update = 7)]
    revision: i32,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Member", url = "/members", version = "1.0")]
struct OldMember {
    id: i64,
    #[resource(default = "guest", default_on_update = "changed")]
    rank: Option<String>,
}

/// An item of whose attributes the database assigns all.
#[derive(Debug, ApiResource)]
#[resource(name = "Ticket", url = "/tickets", version = "1.0")]
struct Ticket {
    id: i64,
}

/// A page whose key its author chooses.
#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(name = "Page", url = "/pages", version = "1.0")]
struct Page {
    #[resource(primary_key, assigned)]
    path: String,
    #[resource(unique)]
    title: String,
    text: Option<String>,
}

/// An API on a database that is dropped last.
struct Club {
    api: Api,
    database: TestDatabase,
}

impl Club {
    fn open() -> Self {
        let database = TestDatabase::default();
        let api = block_on(async {
            let builder = Api::builder().resource::<Sample>().resource::<Ticket>();
            let builder = builder
                .resource::<OldMember>()
                .resource::<Member>()
                .resource::<Page>();
            let api = builder.build(Database::connect(&database.url()).await?)?;
            api.create_missing_tables().await?;
            Ok::<_, Error>(api)
        });
        let api = api.expect("the API is built");
        Self { api, database }
    }

    fn insert(&self, members: impl IntoIterator<Item = Member>) -> Result<Vec<i64>, Error> {
        block_on(self.api.items().without_hooks().insert_all(members))
    }

    fn count(&self) -> u64 {
        block_on(self.api.items::<Member>().count()).unwrap()
    }

    fn ranks(&self) -> Vec<Option<String>> {
        let members = self.api.items::<OldMember>().limit(9);
        block_on(members.select(OldMember::RANK).all()).unwrap()
    }
}

fn member(name: impl Into<String>) -> Member {
    Member {
        id: 99,
        name: name.into(),
        country: None,
        code: None,
        revision: 3,
    }
}

fn members(numbers: std::ops::Range<usize>) -> impl Iterator<Item = Member> {
    numbers.map(|number| member(number.to_string()))
}

#[apply(every_database)]
fn keys_are_returned_in_the_order_of_the_items() {
    let club = Club::open();
    let mut names: Vec<String> = (0..2_500).map(|number| number.to_string()).collect();
    names.reverse();
    let keys = club.insert(names.iter().cloned().map(member)).unwrap();
    let stored = club.api.items::<Member>().order_by(Member::ID.asc());
    let stored = stored.limit(5_000).select((Member::ID, Member::NAME));
    let stored = block_on(stored.all()).unwrap();
    let expected: Vec<(i64, String)> = keys.into_iter().zip(names).collect();
    assert_eq!(stored, expected);
    assert!(club.insert([]).unwrap().is_empty());
}

#[apply(every_database)]
fn value_of_every_kind_and_null_survive_a_batch() {
    let club = Club::open();
    let empty = Sample {
        id: 2,
        boolean: None,
        small: None,
        integer: None,
        single: None,
        double: None,
        text: None,
        bytes: None,
        decimal: None,
        uuid: None,
        date: None,
        time: None,
        local: None,
        instant: None,
        json: None,
    };
    let date = NaiveDate::from_ymd_opt(2024, 2, 29).unwrap();
    let time = NaiveTime::from_hms_micro_opt(7, 8, 9, 500_000).unwrap();
    let full = Sample {
        id: 1,
        boolean: Some(true),
        small: Some(-7),
        integer: Some(i32::MIN),
        single: Some(0.5),
        double: Some(1e300),
        text: Some("{\"a\", NULL} \\ 'b'".to_owned()),
        bytes: Some(vec![0, 255]),
        decimal: Some("12.50".parse().unwrap()),
        uuid: Some(Uuid::from_u128(7)),
        date: Some(date),
        time: Some(time),
        local: Some(date.and_time(time)),
        instant: Some(date.and_time(time).and_utc()),
        json: Some(json!({"a": [1, null, "NULL"]})),
    };
    let samples = club.api.items::<Sample>();
    let written = [full.clone(), empty.clone()];
    block_on(samples.without_hooks().insert_all(written.clone())).unwrap();
    let stored = block_on(samples.order_by(Sample::ID.asc()).limit(9).all()).unwrap();
    assert_eq!(stored, written);
    // Equal as the unique index compares: in the collation of decimals.
    let same = Sample {
        decimal: Some("12.5".parse().unwrap()),
        ..empty
    };
    let same = block_on(samples.without_hooks().upsert(Sample::DECIMAL, same)).unwrap();
    assert_eq!((same.id, same.text), (1, None));
}

#[apply(every_database)]
fn chunks_before_a_refused_row_stay_and_the_error_tells_the_row() {
    let club = Club::open();
    let taken = (0..3_000).map(|number| member((number % 1_500).to_string()));
    let error = club.insert(taken).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotUnique);
    assert_eq!(error.attributes(), ["name"]);
    assert_eq!(
        (error.rows_stored(), error.failed_row()),
        (1_000, Some(1_500))
    );
    let told = "the row at position 1500 (from 0) failed\n1000 rows were done before";
    assert!(error.to_string().contains(told), "{error}");
    assert_eq!(club.count(), 1_000);
    // A value of an earlier write is as taken as one of the batch.
    let error = club.insert(["x", "y", "7"].map(member)).unwrap_err();
    assert_eq!((error.rows_stored(), error.failed_row()), (0, Some(2)));
    assert_eq!(error.attributes(), ["name"]);
    let error = error.after_rows(1_000);
    let told = "the row at position 1002 (from 0) failed\n1000 rows were done before";
    assert!(error.to_string().contains(told), "{error}");
    assert_eq!(club.count(), 1_000);
}

#[apply(every_database)]
fn model_is_checked_before_any_item_is_stored() {
    let club = Club::open();
    let long = members(0..1_500).chain([member("longer than ten")]);
    let error = club.insert(long).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Refused);
    assert_eq!((error.rows_stored(), error.failed_row()), (0, Some(1_500)));
    assert_eq!(club.count(), 0);
}

#[apply(every_database)]
fn check_of_many_items_lets_other_tasks_run() {
    let club = Club::open();
    let items = club.api.items().without_hooks();
    let invalid = members(0..1_500).chain([member("longer than ten")]);
    let first_poll = block_on(async { items.insert_all(invalid).now_or_never() });
    assert!(first_poll.is_none(), "all items are checked at once");
}

#[apply(every_database)]
fn missing_reference_of_a_row_is_named() {
    let shop = shop::with_tracks();
    let track = |album_id| Track {
        id: 0,
        name: "Lucky Man".to_owned(),
        album_id: Some(album_id),
        seconds: None,
        rating: 0.0,
        licence: String::new(),
    };
    let tracks = shop.items::<Track>().without_hooks();
    let error = block_on(tracks.insert_all([track(1), track(2), track(99), track(1)])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MissingReference);
    assert_eq!(error.attributes(), ["album_id"]);
    assert_eq!(error.failed_row(), Some(2));
    let albums = shop.items::<Album>().without_hooks();
    let error = block_on(albums.filter(Album::ID.gt(0)).delete_all()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::StillInUse);
}

#[apply(every_database)]
fn items_without_values_of_their_own_are_inserted() {
    let club = Club::open();
    let tickets = club.api.items::<Ticket>().without_hooks();
    let keys = block_on(tickets.insert_all([0; 3].map(|id| Ticket { id })));
    assert_eq!(keys.unwrap(), [1, 2, 3]);
}

#[apply(every_database)]
fn large_items_are_written_in_smaller_chunks() {
    let club = Club::open();
    let long = |number: usize| Page {
        path: number.to_string(),
        title: number.to_string(),
        text: Some("x".repeat(1 << 20)),
    };
    let twice = (0..9).chain([0]).map(long);
    let error = block_on(club.api.items().without_hooks().insert_all(twice)).unwrap_err();
    // Four or five of a mebibyte are a chunk.
    assert_eq!((error.rows_stored(), error.failed_row()), (8, Some(9)));
}

#[apply(every_database)]
fn columns_of_other_versions_are_set_as_by_single_writes() {
    let club = Club::open();
    club.insert(members(0..2)).unwrap();
    assert_eq!(
        club.ranks(),
        [Some("guest".to_owned()), Some("guest".to_owned())]
    );
    let update = club.api.items::<Member>().without_hooks();
    let update = update
        .filter(Member::NAME.eq("1"))
        .update_all()
        .set(Member::CODE, "x");
    assert_eq!(block_on(async { update.await }).unwrap(), 1);
    assert_eq!(
        club.ranks(),
        [Some("guest".to_owned()), Some("changed".to_owned())]
    );
    let upsert = club.api.items::<Member>().without_hooks();
    let stored = block_on(upsert.upsert(Member::NAME, member("0"))).unwrap();
    assert_eq!(stored.id, 1);
    assert_eq!(club.ranks()[0].as_deref(), Some("changed"));
}

#[apply(every_database)]
fn update_all_sets_attributes_and_defaults_of_the_items_that_the_filter_finds() {
    let shop = shop::with_tracks();
    let tracks = shop.items::<Track>();
    let of_meddle = Track::ALBUM.column(Album::TITLE).eq("Meddle");
    let update = tracks.without_hooks().filter(of_meddle).update_all();
    let update = update.set(Track::SECONDS, None).set(Track::RATING, 1.0);
    assert_eq!(block_on(async { update.await }).unwrap(), 3);
    let changed = tracks.filter(Track::SECONDS.is_null().and(Track::RATING.eq(1.0)));
    assert_eq!(block_on(changed.count()).unwrap(), 3);

    let club = Club::open();
    club.insert(members(0..3)).unwrap();
    let members = club.api.items::<Member>().without_hooks();
    let update = members
        .filter(Member::ID.le(2))
        .update_all()
        .set(Member::CODE, "x");
    assert_eq!(block_on(async { update.await }).unwrap(), 2);
    let revised = members.filter(Member::REVISION.eq(7));
    assert_eq!(block_on(revised.count()).unwrap(), 2);
    for (update, attribute) in [
        (
            members
                .query()
                .update_all()
                .set(Member::NAME, "longer than ten"),
            "name",
        ),
        (members.query().update_all().set(Member::ID, 7), "id"),
    ] {
        let error = block_on(async { update.await }).unwrap_err();
        assert_eq!(
            (error.kind(), error.attributes()),
            (ErrorKind::Refused, &[attribute.to_owned()][..])
        );
    }
    let update = members.query().update_all().set(Member::NAME, "same");
    let error = block_on(async { update.await }).unwrap_err();
    assert_eq!(
        (error.kind(), error.attributes()),
        (ErrorKind::NotUnique, &["name".to_owned()][..])
    );
    let ordered = members.order_by(Member::NAME.asc()).update_all();
    let error = block_on(async { ordered.set(Member::CODE, "y").await }).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Configuration);
}

#[apply(every_database)]
fn delete_all_deletes_what_the_filter_finds_in_batches() {
    let club = Club::open();
    club.insert(members(0..2_600)).unwrap();
    let members = club.api.items::<Member>().without_hooks();
    let deleted = block_on(members.filter(Member::ID.gt(100)).delete_all()).unwrap();
    assert_eq!((deleted, club.count()), (2_500, 100));
    assert_eq!(
        block_on(members.filter(Member::ID.gt(100)).delete_all()).unwrap(),
        0
    );
}

#[apply(every_database)]
fn bulk_writes_beside_another_deletion_reach_all_items() {
    let club = Club::open();
    for is_deletion in [true, false] {
        let keys = club.insert(members(0..2_500)).unwrap();
        let (first, api) = (keys[0], club.api.clone());
        // Deletes just the items of the first batch.
        let mut transaction = block_on(club.api.begin()).unwrap();
        let deleted = transaction.items::<Member>().without_hooks();
        let deleted = deleted.filter(Member::ID.lt(first + 1_000)).delete_all();
        assert_eq!(block_on(deleted).unwrap(), 1_000);
        let other = thread::spawn(move || {
            let members = api.items::<Member>().without_hooks();
            let members = members.filter(Member::ID.ge(first));
            if is_deletion {
                return block_on(members.delete_all()).unwrap();
            }
            block_on(members.update_all().set(Member::CODE, "x").into_future()).unwrap()
        });
        await_waiter(&club.database, &mut transaction);
        block_on(transaction.commit(())).unwrap();
        assert_eq!(other.join().unwrap(), 1_500);
        assert_eq!(club.count(), if is_deletion { 0 } else { 1_500 });
    }
}

#[apply(every_database)]
fn upsert_inserts_or_changes_the_item_of_the_same_unique_values() {
    let club = Club::open();
    let members = club.api.items::<Member>().without_hooks();
    let new = block_on(members.upsert(Member::NAME, member("ann"))).unwrap();
    assert_eq!((new.id, new.revision), (1, 3));
    let german = Member {
        revision: 4,
        country: Some("de".to_owned()),
        code: Some("x".to_owned()),
        ..member("ann")
    };
    let changed = block_on(members.upsert(Member::NAME, german.clone())).unwrap();
    assert_eq!(
        changed,
        Member {
            id: 1,
            ..german.clone()
        }
    );
    assert_eq!(block_on(members.get(1)).unwrap(), Some(changed));
    let renamed = Member {
        name: "eva".to_owned(),
        ..german.clone()
    };
    let renamed = block_on(members.upsert((Member::CODE, Member::COUNTRY), renamed)).unwrap();
    assert_eq!((renamed.id, &*renamed.name, club.count()), (1, "eva", 1));
    // Null is taken by nobody, and a conflict with another set is one.
    block_on(members.upsert((Member::COUNTRY, Member::CODE), member("ben"))).unwrap();
    assert_eq!(club.count(), 2);
    let taken = Member {
        name: "ben".to_owned(),
        ..german
    };
    let error = block_on(members.upsert((Member::COUNTRY, Member::CODE), taken)).unwrap_err();
    assert_eq!(
        (error.kind(), error.attributes()),
        (ErrorKind::NotUnique, &["name".to_owned()][..])
    );
    // An attribute that a draft leaves out is set as by a creation or an update.
    for (name, revision) in [("ben", 7), ("eve", 1)] {
        block_on(members.upsert(Member::NAME, new!(Member { name }))).unwrap();
        let stored = members.filter(Member::NAME.eq(name)).first();
        assert_eq!(
            block_on(stored).unwrap().unwrap().revision,
            revision,
            "{name}"
        );
    }
}

#[apply(every_database)]
fn upsert_keeps_a_key_that_was_chosen() {
    let club = Club::open();
    let pages = club.api.items::<Page>().without_hooks();
    let page = |path: &str, title: &str| Page {
        path: path.to_owned(),
        title: title.to_owned(),
        text: None,
    };
    block_on(pages.insert(page("a", "A"))).unwrap();
    let stored = block_on(pages.upsert(Page::TITLE, page("b", "A"))).unwrap();
    assert_eq!(stored, page("a", "A"));
    let stored = block_on(pages.upsert(Page::PATH, page("a", "B"))).unwrap();
    assert_eq!(stored, page("a", "B"));
    assert_eq!(block_on(pages.count()).unwrap(), 1);
}

#[apply(every_database)]
fn columns_that_are_not_unique_are_refused_with_the_sets_that_are() {
    let club = Club::open();
    let members = club.api.items::<Member>().without_hooks();
    let error = block_on(members.upsert((Member::NAME, Member::CODE), member("ann"))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Configuration);
    assert_eq!(
        error.to_string(),
        "`upsert` finds no Member by `name` with `code`, which is not unique; take a unique set: \
         `name`, `country` with `code`"
    );
    let shop = shop::with_tracks();
    let track = block_on(shop.items::<Track>().get(1)).unwrap().unwrap();
    let tracks = shop.items::<Track>().without_hooks();
    let error = block_on(tracks.upsert(Track::ID, track)).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("; add `unique` to an attribute"),
        "{error}"
    );
}

#[apply(every_database)]
fn transaction_holds_all_bulk_writes() {
    let club = Club::open();
    let written = block_on(club.api.transaction(|mut transaction| async move {
        let keys = transaction.items::<Member>().without_hooks();
        let keys = keys.insert_all(members(0..2_500)).await?;
        let tens = transaction.items::<Member>().without_hooks();
        let tens = tens.filter(Member::NAME.starts_with("10")).update_all();
        let tens = tens.set(Member::CODE, "ten").await?;
        let rest = transaction.items::<Member>().without_hooks();
        let rest = rest.filter(!Member::CODE.eq("ten")).delete_all().await?;
        let upsert = transaction.items::<Member>().without_hooks();
        let changed = upsert.upsert(Member::NAME, member("10")).await?;
        transaction
            .commit((keys.len(), tens, rest, changed.id))
            .await
    }));
    // 10, 100 to 109 and 1000 to 1099.
    assert_eq!(written.unwrap(), (2_500, 111, 2_389, 11));
    assert_eq!(club.count(), 111);
}

#[apply(every_database)]
fn refused_row_undoes_the_whole_transaction() {
    let club = Club::open();
    let error = block_on(club.api.transaction(|mut transaction| async move {
        transaction.items().insert(member("first")).await?;
        let items = transaction.items::<Member>().without_hooks();
        let twice = members(0..1_500).chain([member("7")]);
        let error = items.insert_all(twice).await.unwrap_err();
        assert_eq!(
            (error.kind(), error.attributes()),
            (ErrorKind::NotUnique, &["name".to_owned()][..])
        );
        assert_eq!((error.rows_stored(), error.failed_row()), (0, Some(1_500)));
        // The error was not handed on, so that it ends the transaction.
        transaction.commit(()).await
    }));
    assert_eq!(error.unwrap_err().kind(), ErrorKind::Internal);
    assert_eq!(club.count(), 0);
}

#[apply(every_database)]
fn row_that_a_trigger_drops_undoes_its_chunk() {
    let club = Club::open();
    let mut program = club.database.other_program();
    program.execute(match Backend::under_test() {
        Backend::Sqlite => {
            "CREATE TRIGGER no_seven BEFORE INSERT ON members WHEN NEW.name = '1007'
             BEGIN INSERT INTO tickets (id) VALUES (NULL); SELECT RAISE(IGNORE); END"
        }
        Backend::Postgres => {
            "CREATE FUNCTION no_seven() RETURNS trigger LANGUAGE plpgsql
                 AS $$ BEGIN INSERT INTO tickets DEFAULT VALUES; RETURN NULL; END $$;
             CREATE TRIGGER no_seven BEFORE INSERT ON members FOR EACH ROW WHEN (NEW.name = '1007')
                 EXECUTE FUNCTION no_seven()"
        }
    });
    let error = club.insert(members(0..1_500)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Refused);
    assert_eq!(
        (error.rows_stored(), error.failed_row()),
        (1_000, Some(1_007))
    );
    assert_eq!(club.count(), 1_000);
    assert_eq!(block_on(club.api.items::<Ticket>().count()).unwrap(), 0);
}

#[apply(every_database)]
fn clients_write_while_many_items_are_imported() {
    let build = |database| {
        Api::builder()
            .resource::<Album>()
            .resource::<Track>()
            .build(database)
    };
    let database = TestDatabase::default();
    let service = Service::start_on(&database, build);
    let api = build(block_on(Database::connect(&database.url())).unwrap()).unwrap();
    let is_over = &AtomicBool::new(false);
    let (imported, written) = thread::scope(|scope| {
        let writers: Vec<_> = (0..8)
            .map(|writer| {
                let service = &service;
                scope.spawn(move || {
                    let mut written = 0;
                    while !is_over.load(Ordering::Relaxed) {
                        let title = format!("{writer}");
                        let answer = service.post("/api/1.0/albums", &json!({ "title": title }));
                        assert_eq!(answer.status, 201, "{}", answer.text());
                        written += 1;
                    }
                    written
                })
            })
            .collect();
        let tracks = (0..20_000).map(|number| Track {
            id: 0,
            name: number.to_string(),
            album_id: None,
            seconds: Some(number),
            rating: 0.0,
            licence: String::new(),
        });
        let imported = block_on(api.items().without_hooks().insert_all(tracks));
        is_over.store(true, Ordering::Relaxed);
        let written: u64 = writers.into_iter().map(|it| it.join().unwrap()).sum();
        (imported, written)
    });
    assert_eq!(imported.unwrap().len(), 20_000);
    // A chunk lets at least one write of each client pass, but for those that are on their way.
    assert!(written >= 20, "{written}");
    assert_eq!(block_on(api.items::<Album>().count()).unwrap(), written);
}
