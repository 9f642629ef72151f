//! Writing items from Rust: the checks and hooks of clients' requests, and the errors by kind.

use std::error::Error as _;
use std::sync::{Arc, Mutex};

use chrono::NaiveDate;
use resource_runtime::schema::Kind;
use resource_runtime::{
    Api, ApiResource, ErrorKind, FieldValue, HookError, HookResult, Messages, RecordError,
    Transaction, Validator, Value, WriteContext,
};
use resource_tests::{InProcessApi, apply, block_on, every_database};
use serde_json::json;

use super::shop::{self, Album, Track};

#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(name = "Member", url = "/members", version = "1.0")]
struct Member {
    id: i64,
    #[resource(unique, max_length = 10)]
    name: String,
    #[resource(read_only)]
    rank: Option<String>,
    #[resource(default = 1, default_on_update = 7)]
    revision: i32,
}

#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Stranger", url = "/strangers", version = "1.0")]
struct Stranger {
    id: i64,
}

/// Hooks that leave a trace of their calls.
#[derive(Debug, Clone, Default)]
struct Spy(Arc<Mutex<Vec<String>>>);

impl Spy {
    fn calls(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

impl Validator<Member> for Spy {
    async fn validate(
        &self,
        member: &Member,
        context: &mut WriteContext<'_, Member>,
        messages: &mut Messages<Member>,
    ) -> HookResult {
        let call = format!("{} {}", context.method(), context.headers().len());
        self.0.lock().unwrap().push(call);
        if member.name == "nobody" {
            messages.about(Member::NAME, "must be somebody");
        }
        Ok(())
    }

    async fn before_create(
        &self,
        member: &mut Member,
        _: &mut WriteContext<'_, Member>,
    ) -> HookResult {
        member.rank.get_or_insert_with(|| "guest".to_owned());
        Ok(())
    }

    async fn before_delete(&self, member: &Member, _: &mut WriteContext<'_, Member>) -> HookResult {
        if member.name == "root" {
            return Err(HookError::refused("root stays"));
        }
        Ok(())
    }
}

/// An API with its hooks.
struct Club {
    api: InProcessApi,
    spy: Spy,
}

fn club() -> Club {
    let spy = Spy::default();
    let api = InProcessApi::new(Api::builder().resource_with::<Member>(spy.clone()));
    Club { api, spy }
}

fn member(name: &str) -> Member {
    Member {
        id: 99,
        name: name.to_owned(),
        rank: None,
        revision: 3,
    }
}

#[apply(every_database)]
fn insert_runs_the_hooks_and_returns_the_item_as_it_is_stored() {
    let club = club();
    let members = club.api.items::<Member>();
    let stored = block_on(members.insert(member("ann"))).unwrap();
    assert_eq!((stored.id, stored.revision), (1, 3));
    assert_eq!(stored.rank.as_deref(), Some("guest"));
    assert_eq!(club.spy.calls(), ["POST 0"]);
    assert_eq!(block_on(members.get(1)).unwrap(), Some(stored));
}

#[apply(every_database)]
fn write_without_hooks_is_checked_by_the_model_alone() {
    let club = club();
    let members = club.api.items::<Member>().without_hooks();
    let stored = block_on(members.insert(member("nobody"))).unwrap();
    assert_eq!((stored.id, stored.rank), (1, None));
    let update = members.update(1).set(Member::NAME, "root");
    block_on(async { update.await }).unwrap();
    let long = block_on(members.insert(member("longer than ten"))).unwrap_err();
    assert_eq!(
        (long.kind(), long.attributes()),
        (ErrorKind::Refused, &["name".to_owned()][..])
    );
    block_on(members.delete(1)).unwrap();
    assert!(club.spy.calls().is_empty());
}

#[apply(every_database)]
fn update_sets_what_it_names_and_applies_defaults_on_update() {
    let club = club();
    let members = club.api.items::<Member>();
    block_on(members.insert(member("ann"))).unwrap();
    let update = members
        .update(1)
        .set(Member::NAME, "ben")
        .set(Member::RANK, "first");
    block_on(async { update.await }).unwrap();
    let stored = block_on(members.get(1)).unwrap().unwrap();
    assert_eq!(
        (&*stored.name, stored.rank.as_deref()),
        ("ben", Some("first"))
    );
    assert_eq!(stored.revision, 7);
    let to_null = members
        .update(1)
        .set(Member::RANK, None)
        .set(Member::REVISION, 8);
    block_on(async { to_null.await }).unwrap();
    let stored = block_on(members.get(1)).unwrap().unwrap();
    assert_eq!((stored.rank, stored.revision), (None, 8));
    assert_eq!(club.spy.calls(), ["POST 0", "PUT 0", "PUT 0"]);
}

#[apply(every_database)]
fn refusals_have_kinds_and_attributes() {
    let club = club();
    let members = club.api.items::<Member>();
    block_on(members.insert(member("root"))).unwrap();
    let taken = block_on(members.insert(member("root"))).unwrap_err();
    assert_eq!(taken.kind(), ErrorKind::NotUnique, "{taken}");
    assert_eq!(taken.attributes(), ["name"]);
    let invalid = block_on(members.insert(member("nobody"))).unwrap_err();
    assert_eq!(invalid.kind(), ErrorKind::Refused);
    assert_eq!(invalid.problems()[0], "`name` must be somebody");
    let refused = block_on(members.delete(1)).unwrap_err();
    assert_eq!(refused.to_string(), "root stays");
    for missing in [
        block_on(members.delete(7)),
        block_on(async { members.update(7).set(Member::NAME, "x").await }),
        block_on(async { members.update(7).await }),
    ] {
        assert_eq!(missing.unwrap_err().kind(), ErrorKind::NotFound);
    }
    let foreign = club.api.items::<Stranger>().insert(Stranger { id: 0 });
    let foreign = block_on(foreign).unwrap_err();
    assert_eq!(foreign.kind(), ErrorKind::Configuration);
    assert!(
        foreign.to_string().contains("Stranger` is not a resource"),
        "{foreign}"
    );
    assert_eq!(block_on(members.count()).unwrap(), 1);
}

#[apply(every_database)]
fn error_of_the_driver_is_the_source_of_a_refusal() {
    let club = club();
    let members = club.api.items::<Member>();
    block_on(members.insert(member("ann"))).unwrap();
    let twice = || member("ann");
    let unhooked = members.without_hooks();
    let mut refused = vec![
        block_on(members.insert(twice())).unwrap_err(),
        block_on(unhooked.insert(twice())).unwrap_err(),
        block_on(unhooked.insert_all([twice()])).unwrap_err(),
    ];
    let mut transaction = block_on(club.api.begin()).unwrap();
    refused.push(block_on(transaction.items().insert(twice())).unwrap_err());
    for error in refused {
        assert_eq!(error.kind(), ErrorKind::NotUnique);
        let source = error.source().expect("a source").to_string();
        assert!(source.to_lowercase().contains("unique"), "{source}");
    }
    let error = block_on(members.insert(member("nobody"))).unwrap_err();
    assert!(error.source().is_none(), "the model's checks ask no driver");
}

#[apply(every_database)]
fn references_hold_for_writes_from_rust() {
    let shop = shop::with_tracks();
    let albums = shop.items::<Album>();
    let used = block_on(albums.delete(1)).unwrap_err();
    assert_eq!(used.kind(), ErrorKind::StillInUse);
    assert!(used.to_string().contains("still in use by Track"), "{used}");
    let orphan = shop.items::<Track>().update(1).set(Track::ALBUM_ID, 9);
    let orphan = block_on(async { orphan.await }).unwrap_err();
    assert_eq!(orphan.kind(), ErrorKind::MissingReference);
    assert_eq!(orphan.attributes(), ["album_id"]);
}

#[apply(every_database)]
fn items_written_from_rust_and_over_http_are_equal() {
    let shop = shop::open();
    let body = json!({"title": "Aja", "year": 1977});
    shop.anonymous().create("/api/1.0/albums", &body);
    let album = Album {
        id: 0,
        title: "Aja".to_owned(),
        year: Some(1977),
    };
    let stored = block_on(shop.items::<Album>().insert(album)).unwrap();
    let mut first = shop.anonymous().read("/api/1.0/albums/1");
    assert_eq!(stored.id, 2);
    first["id"] = json!(2);
    assert_eq!(shop.anonymous().read("/api/1.0/albums/2"), first);
}

#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(name = "Reading", url = "/readings", version = "1.0")]
struct Reading {
    #[resource(primary_key, assigned)]
    name: String,
    degrees: Celsius,
    at: NaiveDate,
    #[resource(max_length = 3)]
    remark: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Celsius(f64);

impl FieldValue for Celsius {
    const KIND: Kind = f64::KIND;

    fn from_value(value: Value) -> Result<Self, RecordError> {
        let degrees = f64::from_value(value)?;
        if degrees < -273.15 {
            return Err(RecordError::new("is below absolute zero"));
        }
        Ok(Self(degrees))
    }

    fn to_value(&self) -> Value {
        self.0.to_value()
    }
}

#[apply(every_database)]
fn value_that_a_client_could_not_send_is_refused_from_rust() {
    let api = InProcessApi::new(Api::builder().resource::<Reading>());
    let readings = api.items::<Reading>().without_hooks();
    let sound = Reading {
        name: "a".to_owned(),
        degrees: Celsius(1.5),
        at: NaiveDate::from_ymd_opt(2020, 2, 29).unwrap(),
        remark: None,
    };
    let text = |text: &str| text.to_owned();
    let changed = |change: fn(&mut Reading)| {
        let mut reading = sound.clone();
        change(&mut reading);
        reading
    };
    for (attribute, unsound) in [
        ("degrees", changed(|it| it.degrees = Celsius(f64::NAN))),
        ("degrees", changed(|it| it.degrees = Celsius(f64::INFINITY))),
        ("degrees", changed(|it| it.degrees = Celsius(-300.0))),
        (
            "at",
            changed(|it| it.at = NaiveDate::from_ymd_opt(10_000, 1, 1).unwrap()),
        ),
        ("name", changed(|it| it.name = String::from("a\0"))),
        ("name", changed(|it| it.name = String::new())),
        ("name", changed(|it| it.name = String::from(".."))),
        ("remark", changed(|it| it.remark = Some("long".to_owned()))),
        ("remark", changed(|it| it.remark = Some("\0".to_owned()))),
    ] {
        let refused = block_on(readings.insert(unsound)).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Refused, "{refused}");
        assert_eq!(refused.attributes(), [text(attribute)], "{refused}");
    }
    assert_eq!(block_on(readings.insert(sound.clone())).unwrap(), sound);
    let update = readings
        .update("a")
        .set(Reading::DEGREES, Celsius(f64::NAN));
    let refused = block_on(async { update.await }).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Refused);
    assert_eq!(block_on(readings.count()).unwrap(), 1);
    // No item can have such a key, so none is found, and no database is asked.
    assert_eq!(block_on(readings.get("a\0")).unwrap(), None);
    let missing = block_on(async { readings.delete("a\0").await });
    assert_eq!(missing.unwrap_err().kind(), ErrorKind::NotFound);
}

/// Handlers of axum and spawned tasks need futures that are `Send`.
#[allow(dead_code, reason = "compiled, not called")]
fn futures_are_send(api: &Api, transaction: &mut Transaction) {
    const fn assert_send<T: Send>(_: &T) {}
    let members = api.items::<Member>();
    let all = members.filter(Member::ID.gt(1)).limit(1);
    assert_send(&members.get(1));
    assert_send(&all.clone().all());
    assert_send(&all.clone().page());
    assert_send(&all.select((Member::ID, Member::NAME)).all());
    assert_send(&members.query().stream());
    assert_send(&members.insert(member("x")));
    assert_send(&members.update(1).set(Member::NAME, "x").into_future());
    assert_send(&members.delete(1));
    assert_send(&transaction.items::<Member>().get_for_update(1));
    assert_send(&transaction.items::<Member>().query().stream());
}
