//! The rules as `api.lock` tells them: each edit of a published version by one sentence.

use std::time::Duration;

use resource_runtime::{Api, ApiBuilder, ApiResource, FieldValue, QueryLimits, Validator};

use crate::published::LockFile;

/// Tests of two states of one version: as it was published, and as it is.
macro_rules! edits {
    ($($name:ident: $(#[$old:meta])* { $($before:tt)* } => $(#[$new:meta])* { $($now:tt)* } => $problems:expr;)*) => {$(
        mod $name {
            mod before {
                #[allow(unused_imports, reason = "few versions need more than the derive")]
                use super::super::*;

                #[derive(ApiResource)]
                #[resource(name = "Parcel", url = "/parcels", version = "1.0")]
                $(#[$old])*
                pub(super) struct Parcel { $($before)* }
            }

            mod now {
                #[allow(unused_imports, reason = "few versions need more than the derive")]
                use super::super::*;

                #[derive(ApiResource)]
                #[resource(name = "Parcel", url = "/parcels", version = "1.0")]
                $(#[$new])*
                pub(super) struct Parcel { $($now)* }
            }

            #[test]
            fn is_told() {
                let file = LockFile::of(super::with_targets().resource::<before::Parcel>());
                let api = || super::with_targets().resource::<now::Parcel>();
                super::assert_problems(&file, api(), &$problems);
                // The way that is always open.
                file.run(api(), &["lock", "--amend", "1.0", "why"]).unwrap();
                assert_eq!(file.problems(api()), [""; 0]);
            }

            use crate::published::LockFile;
        }
    )*};
}

/// An API of the resources that parcels refer to.
fn with_targets() -> ApiBuilder {
    Api::builder().resource::<Person>().resource::<Company>()
}

/// Asserts the problems: of each the word of the rule, and the first name that the sentence has.
#[track_caller]
fn assert_problems(file: &LockFile, api: ApiBuilder, expected: &[&str]) {
    let problems = file.problems(api);
    let ways = ", or take it by `lock --amend 1.0 \"<why>\"`";
    // Breaks with the same remedies have these behind them.
    let lines = problems.iter().flat_map(|it| it.lines());
    let (remedies, told): (Vec<_>, Vec<_>) =
        lines.partition(|it| it.starts_with("for each of these "));
    assert!(
        remedies.iter().all(|it| it.ends_with(ways)),
        "{problems:#?}"
    );
    let told = told.iter().map(|problem| {
        let sentence = problem.strip_prefix("`Parcel` 1.0: ").unwrap();
        let (start, remedy) = sentence.split_once(']').unwrap();
        assert!(remedy.is_empty() || remedy.ends_with(ways), "{problem}");
        let (sentence, word) = start.rsplit_once('[').unwrap();
        let name = sentence.split('`').nth(1).unwrap_or_default();
        format!("{word} {name}")
    });
    assert_eq!(told.collect::<Vec<_>>(), expected, "{problems:#?}");
}

#[derive(ApiResource)]
#[resource(name = "Person", url = "/persons", version = "1.0")]
struct Person {
    id: i64,
    #[resource(max_length = 20)]
    name: String,
}

#[derive(ApiResource)]
#[resource(name = "Company", url = "/companies", version = "1.0")]
struct Company {
    id: i64,
}

#[derive(FieldValue)]
#[resource(rename_all = "snake_case")]
enum Two {
    Sent,
    Back,
}

#[derive(FieldValue)]
#[resource(rename_all = "snake_case")]
enum Three {
    Sent,
    Back,
    Lost,
}

#[derive(FieldValue)]
#[resource(rename_all = "snake_case", open)]
enum OpenTwo {
    Sent,
    Back,
}

#[derive(Debug, Default)]
struct Redacting;

impl<R: ApiResource> Validator<R> for Redacting {}

edits! {
    withdrawn: { id: i64 } => #[resource(operations(list, retrieve, create, update))] { id: i64 } => [
        "withdrawn delete",
    ];
    key: { id: i64 } => { #[resource(primary_key, assigned)] id: i64 } => [
        "key id",
    ];
    removed: { id: i64, size: Option<i32> } => { id: i64 } => [
        "removed size",
    ];
    removed_deprecated: { id: i64, #[resource(deprecated(since = "2026-01-01"))] size: Option<i32> } => { id: i64 } => [
        "removed size",
    ];
    removed_subresource:
        #[resource(subresource(sender = "sender_id"))]
        { id: i64, #[resource(references = Person)] sender_id: Option<i64> } =>
        { id: i64, #[resource(references = Person)] sender_id: Option<i64> } => [
        "removed sender",
    ];
    required_new: { id: i64 } => { id: i64, size: i32 } => [
        "required_new size",
    ];
    required: { id: i64, #[resource(default = 1)] size: i32 } => { id: i64, size: i32 } => [
        "required size",
    ];
    kind: { id: i64, size: i32 } => { id: i64, size: String } => [
        "kind size",
    ];
    kind_of_reference:
        { id: i64, #[resource(references = Person)] owner: Option<i64> } =>
        { id: i64, #[resource(references = Company)] owner: Option<i64> } => [
        "kind owner",
    ];
    tighter: { id: i64, #[resource(max = 80)] size: i32 } => { id: i64, #[resource(max = 50)] size: i32 } => [
        "tighter size",
    ];
    not_null: { id: i64, #[resource(default = 1)] size: Option<i32> } => { id: i64, #[resource(default = 1)] size: i32 } => [
        "not_null size",
    ];
    name_removed: { id: i64, state: Three } => { id: i64, state: Two } => [
        "name_removed state",
    ];
    read_only: { id: i64, size: Option<i32> } => { id: i64, #[resource(read_only)] size: Option<i32> } => [
        "read_only size",
    ];
    default: { id: i64, #[resource(default = 1)] size: i32 } => { id: i64, #[resource(default = 2)] size: i32 } => [
        "default size",
    ];
    constraint: { id: i64, size: i32 } => { id: i64, #[resource(unique)] size: i32 } => [
        "constraint size",
    ];
    constraint_of_several:
        { id: i64, size: i32, width: i32 } =>
        #[resource(unique(size, width))] { id: i64, size: i32, width: i32 } => [
        "constraint size",
    ];
    hidden: { id: i64, size: Option<i32> } => { id: i64, #[resource(write_only)] size: Option<i32> } => [
        "hidden size",
    ];
    wider_kind: { id: i64, size: i32 } => { id: i64, size: i64 } => [
        "wider_kind size",
    ];
    null: { id: i64, size: i32 } => { id: i64, size: Option<i32> } => [
        "null size",
    ];
    wider: { id: i64, #[resource(max = 50)] size: i32 } => { id: i64, #[resource(max = 80)] size: i32 } => [
        "wider size",
    ];
    opened: { id: i64, state: Two } => { id: i64, state: OpenTwo } => ["name_added state"];
    name_added: { id: i64, state: Two } => { id: i64, state: Three } => [
        "name_added state",
    ];
    unqueryable:
        #[resource(validator = Redacting)] { id: i64, size: Option<i32> } =>
        #[resource(validator = Redacting, redacts(size))] { id: i64, size: Option<i32> } => [
        "unqueryable size",
    ];
    page: { id: i64 } => #[resource(limit(default = 5, max = 200))] { id: i64 } => [
        "page limit",
        "page ",
    ];
    all_at_once: #[resource(limit(max = 200, all))] { id: i64 } => #[resource(limit(max = 200))] { id: i64 } => [
        "page limit=all",
    ];
    uncounted: #[resource(count(none))] { id: i64 } => { id: i64 } => [
        "page count=none",
    ];
    revision: { id: i64, #[resource(revision)] state: i64 } => { id: i64, #[resource(read_only, default = 1)] state: i64 } => [
        "withdrawn revision",
    ];
    if_match: { id: i64 } => #[resource(require_if_match)] { id: i64 } => [
        "required If-Match",
    ];
    upsert:
        { #[resource(primary_key, assigned)] id: i64 } =>
        #[resource(operations(list, retrieve, create, update, delete, upsert))] { #[resource(primary_key, assigned)] id: i64 } => [
        "error PUT",
    ];
    no_upsert:
        #[resource(operations(list, retrieve, create, update, delete, upsert))] { #[resource(primary_key, assigned)] id: i64 } =>
        { #[resource(primary_key, assigned)] id: i64 } => [
        "withdrawn upsert",
    ];
    sunset:
        #[resource(deprecated(since = "2026-01-01", sunset = "2027-07-01"))] { id: i64 } =>
        #[resource(deprecated(since = "2026-01-01", sunset = "2027-01-01"))] { id: i64 } => [
        "withdrawn ",
    ];
    two_edits: { id: i64, size: i32, #[resource(max = 5)] width: i32 } => { id: i64, size: String, #[resource(max = 4)] width: i32 } => [
        "kind size",
        "tighter width",
    ];
}

mod parcel {
    use super::{ApiResource, Redacting};

    #[derive(ApiResource)]
    #[resource(name = "Parcel", url = "/parcels", version = "1.0")]
    pub(super) struct Plain {
        pub(super) id: i64,
    }

    #[derive(ApiResource)]
    #[resource(name = "Box", url = "/parcels", version = "1.0")]
    pub(super) struct Renamed {
        id: i64,
    }

    #[derive(ApiResource)]
    #[resource(name = "Parcel", url = "/boxes", version = "1.0")]
    pub(super) struct Moved {
        id: i64,
    }

    #[derive(ApiResource)]
    #[resource(name = "Parcel", url = "/parcels", version = "1.0", validator = Redacting)]
    pub(super) struct Checked {
        id: i64,
    }

    #[derive(ApiResource)]
    #[resource(
        name = "Parcel",
        url = "/parcels",
        version = "1.0",
        idempotency(required)
    )]
    pub(super) struct Keyed {
        id: i64,
    }

    #[derive(ApiResource)]
    #[resource(name = "Parcel", url = "/parcels", version = "1.0")]
    #[resource(collection(labels = Label::PARCEL_ID))]
    pub(super) struct Labelled {
        id: i64,
    }

    #[derive(ApiResource)]
    #[resource(name = "Label", url = "/labels", version = "1.0")]
    pub(super) struct Label {
        id: i64,
        #[resource(references = Labelled)]
        parcel_id: i64,
    }
}

fn plain() -> ApiBuilder {
    Api::builder().resource::<parcel::Plain>()
}

#[test]
fn a_move_is_told() {
    let file = LockFile::of(plain());
    let moved = Api::builder().resource::<parcel::Moved>();
    let expected = "moved /api/1.0/boxes";
    assert_problems(&file, moved, &[expected]);
    let expected = "moved /1.0/parcels";
    assert_problems(&file, plain().root(""), &[expected]);
    let expected = "moved Box";
    assert_problems(
        &file,
        Api::builder().resource::<parcel::Renamed>(),
        &[expected],
    );
}

#[test]
fn a_validator_is_no_break_and_is_written() {
    let file = LockFile::of(plain());
    let checked = || Api::builder().resource::<parcel::Checked>();
    assert_eq!(file.run(checked(), &["lock", "--check"]).unwrap(), 3);
    file.run(checked(), &["lock"]).unwrap();
    assert!(file.text().contains("\nParcel.\"1.0\".validator = true\n"));
}

#[test]
fn settings_of_the_api_are_promises_as_well() {
    let hours = Duration::from_hours(24);
    let labelled = || {
        Api::builder()
            .resource::<parcel::Labelled>()
            .resource::<parcel::Label>()
    };
    let file = LockFile::of(
        labelled()
            .uncounted_lists()
            .idempotency_keys(hours)
            .max_offset(5000),
    );
    let limits = QueryLimits::new()
        .collection_limit(5)
        .max_collection_limit(50);
    let strict = labelled()
        .require_if_match()
        .max_offset(100)
        .max_limit(500)
        .query_limits(limits);
    let told = file.problems(strict).join("\n");
    for (expected, count) in [
        ("a page holds at most 500", 2),
        ("`count=none` is refused", 2),
        ("the header `If-Match` may be left out", 2),
        ("`idempotency` is offered", 2),
        ("`offset` is at most 100", 2),
        ("`Parcel` 1.0: without a `limit`, a collection holds 5", 1),
        ("`Parcel` 1.0: a collection holds at most 50", 1),
    ] {
        assert_eq!(told.matches(expected).count(), count, "{expected}\n{told}");
    }
    let remedies = told
        .lines()
        .filter(|it| it.starts_with("for each of these "));
    assert_eq!((told.lines().count(), remedies.count()), (16, 4), "{told}");
    let keyed = || {
        Api::builder()
            .resource::<parcel::Keyed>()
            .idempotency_keys(hours)
    };
    let file = LockFile::of(plain().idempotency_keys(hours));
    let expected = "required Idempotency-Key";
    assert_problems(&file, keyed(), &[expected]);
}

mod guarded {
    use super::ApiResource;

    macro_rules! guarded {
        ($($name:ident $field:literal: $(#[$about:meta])*;)*) => {$(
            #[derive(ApiResource)]
            #[resource(name = "Parcel", url = "/parcels", version = "1.0")]
            $(#[$about])*
            pub(super) struct $name {
                id: i64,
                #[resource(read_scope = $field)]
                size: Option<i32>,
                sender: Option<String>,
            }
        )*};
    }

    guarded! {
        Any "a": #[resource(scopes(read = any("a", "b"), write = "c"))];
        One "a": #[resource(scopes(read = "a", write = "c"))];
        Field "b": #[resource(scopes(read = any("a", "b"), write = "c"))];
        Owned "a": #[resource(scopes(read = any("a", "b"), write = "c"), owner(field = "sender"))];
    }
}

#[test]
fn narrower_access_is_told() {
    let file = LockFile::of(Api::builder().resource::<guarded::Any>());
    let text = file.text();
    assert!(
        text.contains("\nParcel.\"1.0\".access.list = \"any a b\"\n"),
        "{text}"
    );
    let expected = ["access list", "access retrieve"];
    assert_problems(&file, Api::builder().resource::<guarded::One>(), &expected);
    let expected = ["access size"];
    assert_problems(
        &file,
        Api::builder().resource::<guarded::Field>(),
        &expected,
    );
    let expected = ["access owner"];
    assert_problems(
        &file,
        Api::builder().resource::<guarded::Owned>(),
        &expected,
    );
    // Who was let in without a token needs none later.
    let open = LockFile::of(Api::builder().resource::<guarded::Any>().unprotected());
    assert!(!open.text().contains("access"), "{}", open.text());
    let guarded = || Api::builder().resource::<guarded::Any>();
    let told = open.problems(guarded()).join("\n");
    assert_eq!(told.matches("[access]").count(), 6, "{told}");
    let amend = ["lock", "--amend", "1.0", "accounts"];
    open.run(guarded(), &amend).unwrap();
    let (changes, _) = open.outcome(guarded(), &["changelog"]).unwrap();
    let is_told = |line: &str| {
        line.contains("`create` is not as published since ")
            && line.contains("(`access`, now `c`)")
            && line.ends_with(": accounts")
    };
    assert!(changes.lines().any(is_told), "{changes}");
}

mod shared {
    use super::ApiResource;

    #[derive(ApiResource)]
    #[resource(name = "Parcel", url = "/parcels", version = "1.0")]
    pub(super) struct Parcel {
        id: i64,
        #[resource(max_length = 20)]
        label: String,
        size: i32,
    }

    #[derive(ApiResource)]
    #[resource(name = "Parcel", url = "/parcels", version = "2.0")]
    pub(super) struct Wider {
        id: i64,
        #[resource(max_length = 30)]
        label: String,
        size: Option<i32>,
    }
}

#[test]
fn the_answers_that_another_version_widens_are_told() {
    let one = || Api::builder().resource::<shared::Parcel>();
    let file = LockFile::of(one());
    let two = one().resource::<shared::Wider>();
    assert_problems(&file, two, &["read_widening label", "read_widening size"]);
}

mod remedies {
    use super::ApiResource;

    macro_rules! parcels {
        ($($name:ident $version:literal { $($label:tt)* })*) => {$(
            #[derive(ApiResource)]
            #[resource(name = "Parcel", url = "/parcels", version = $version)]
            pub(super) struct $name {
                id: i64,
                #[resource($($label)*)]
                label: String,
            }
        )*};
    }

    parcels! {
        Plain "1.0" { max_length = 20 }
        Cut "1.0" { max_length = 20, truncate }
        Long "2.0" { max_length = 40 }
        Held "2.0" { max_length = 40, readable_by = Plain }
        HeldLonger "2.0" { max_length = 60, readable_by = Plain }
    }
}

#[test]
fn remedies_are_promises_by_what_answers_hold() {
    use remedies::{Cut, Held, HeldLonger, Long, Plain};

    let cut = || Api::builder().resource::<Cut>();
    let plain = || Api::builder().resource::<Plain>();
    // Without longer texts in the table, nothing is cut.
    let file = LockFile::of(cut());
    assert_eq!(file.run(plain(), &["lock", "--check"]).unwrap(), 0);
    let file = LockFile::of(cut().resource::<Long>());
    let expected = ["read_widening label"];
    assert_problems(&file, plain().resource::<Long>(), &expected);
    let held = || plain().resource::<Held>();
    let file = LockFile::of(held());
    file.run(held(), &["lock", "--publish", "2.0"]).unwrap();
    assert_problems(&file, plain().resource::<Long>(), &expected);
    // The answers of the version that is held back have had its own limit from the first.
    let longer = file.problems(plain().resource::<HeldLonger>());
    let expected = "`Parcel` 2.0: `label` holds at most 60 characters, ";
    assert!(
        longer.len() == 1 && longer[0].starts_with(expected),
        "{longer:?}"
    );
    // Where nobody reads the older version any more, it takes all of that.
    file.run(
        Api::builder().resource::<Held>(),
        &["lock", "--amend", "1.0", "nobody asks"],
    )
    .unwrap();
    assert!(file.text().contains(
        "\nParcel.\"2.0\".attribute.label = { kind = \"text\", max_length = 40, required = true }\n"
    ));
}

mod shown {
    use super::ApiResource;

    #[derive(ApiResource)]
    #[resource(name = "Sender", url = "/senders", version = "1.0")]
    pub(super) struct Sender {
        id: i64,
        #[resource(max_length = 20)]
        name: String,
        city: Option<String>,
    }

    #[derive(ApiResource)]
    #[resource(
        name = "Sender",
        url = "/senders",
        version = "2.0",
        table = "senders_2"
    )]
    pub(super) struct Other {
        id: i64,
        #[resource(max_length = 40)]
        name: String,
        country: String,
    }

    #[derive(ApiResource)]
    #[resource(
        name = "Parcel",
        url = "/parcels",
        version = "1.0",
        subresource(sender = "sender_id")
    )]
    pub(super) struct Before {
        id: i64,
        #[resource(references = Sender)]
        sender_id: Option<i64>,
    }

    #[derive(ApiResource)]
    #[resource(
        name = "Parcel",
        url = "/parcels",
        version = "1.0",
        subresource(sender = "sender_id")
    )]
    pub(super) struct Now {
        id: i64,
        #[resource(references = Other)]
        sender_id: Option<i64>,
    }
}

#[test]
fn another_version_of_what_a_subresource_shows_is_held_to_what_the_old_one_told() {
    let api = || {
        Api::builder()
            .resource::<shown::Sender>()
            .resource::<shown::Other>()
    };
    let file = LockFile::of(api().resource::<shown::Before>());
    let expected = ["wider sender.name", "removed sender.city"];
    assert_problems(&file, api().resource::<shown::Now>(), &expected);
}
