//! The rules as `api.lock` tells them: each edit of a published version by one sentence.

use std::time::Duration;

use resource_runtime::{
    Api, ApiBuilder, ApiResource, FieldValue, HookResult, Messages, QueryLimits, Validator,
    WriteContext,
};

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
                let api = super::with_targets().resource::<now::Parcel>();
                super::assert_problems(&file, api, &$problems);
            }

            use crate::published::LockFile;
        }
    )*};
}

/// An API of the resources that parcels refer to.
fn with_targets() -> ApiBuilder {
    Api::builder().resource::<Person>().resource::<Company>()
}

/// Asserts the problems, but for what is the same of all: the version before, and the ways out behind.
#[track_caller]
fn assert_problems(file: &LockFile, api: ApiBuilder, expected: &[&str]) {
    let problems = file.problems(api);
    let problems = problems.iter().map(|problem| {
        let problem = problem.strip_prefix("`Parcel` 1.0: ").unwrap_or(problem);
        let end =
            problem.find(", put it into a new version, or take it by `lock --amend 1.0 \"<why>\"`");
        problem.get(..end.unwrap_or(problem.len())).unwrap()
    });
    assert_eq!(problems.collect::<Vec<_>>(), expected);
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

#[derive(Debug, Default)]
struct Redacting;

impl<R: ApiResource> Validator<R> for Redacting {
    async fn validate(
        &self,
        _: &R,
        _: &mut WriteContext<'_, R>,
        _: &mut Messages<R>,
    ) -> HookResult {
        Ok(())
    }
}

edits! {
    withdrawn: { id: i64 } => #[resource(operations(list, retrieve, create, update))] { id: i64 } => [
        "`delete` is offered in 1.0, not here [withdrawn]; offer it",
    ];
    key: { id: i64 } => { #[resource(primary_key, assigned)] id: i64 } => [
        "`id` is a key that clients assign, in 1.0 a key that the database assigns [key]; keep it",
    ];
    removed: { id: i64, size: Option<i32> } => { id: i64 } => [
        "`size` is in 1.0, not here [removed]; keep it, `deprecated`",
    ];
    removed_deprecated: { id: i64, #[resource(deprecated(since = "2026-01-01"))] size: Option<i32> } => { id: i64 } => [
        "`size` is in 1.0, not here [removed]; keep it, `deprecated`",
    ];
    removed_subresource:
        #[resource(subresource(sender = "sender_id"))]
        { id: i64, #[resource(references = Person)] sender_id: Option<i64> } =>
        { id: i64, #[resource(references = Person)] sender_id: Option<i64> } => [
        "`sender` is in 1.0, not here [removed]; keep it, `deprecated`",
    ];
    required_new: { id: i64 } => { id: i64, size: i32 } => [
        "`size` is required and new [required_new]; give it a `default`, or make it an `Option`",
    ];
    required: { id: i64, #[resource(default = 1)] size: i32 } => { id: i64, size: i32 } => [
        "`size` may be left out in 1.0 [required]; give it a `default`",
    ];
    kind: { id: i64, size: i32 } => { id: i64, size: String } => [
        "`size` is `text`, in 1.0 `i32` [kind]; add an attribute of another name",
    ];
    kind_of_reference:
        { id: i64, #[resource(references = Person)] owner: Option<i64> } =>
        { id: i64, #[resource(references = Company)] owner: Option<i64> } => [
        "`owner` is `Company`, in 1.0 `Person` [kind]; add an attribute of another name",
    ];
    tighter: { id: i64, #[resource(max = 80)] size: i32 } => { id: i64, #[resource(max = 50)] size: i32 } => [
        "`size` takes at most 50, in 1.0 80 [tighter]; keep the old limit",
    ];
    not_null: { id: i64, size: Option<i32> } => { id: i64, #[resource(default = 1)] size: i32 } => [
        "`size` takes null in 1.0 [not_null]; make it an `Option`",
        "a new item's `size` is `1`, in 1.0 absent [default]; keep the default",
    ];
    name_removed: { id: i64, state: Three } => { id: i64, state: Two } => [
        "`state` takes `lost` in 1.0 [name_removed]; keep the variant",
    ];
    read_only: { id: i64, size: Option<i32> } => { id: i64, #[resource(read_only)] size: Option<i32> } => [
        "`size` is taken from clients in 1.0, not here [read_only]; keep taking it",
    ];
    default: { id: i64, #[resource(default = 1)] size: i32 } => { id: i64, #[resource(default = 2)] size: i32 } => [
        "a new item's `size` is `2`, in 1.0 `1` [default]; keep the default",
    ];
    constraint: { id: i64, size: i32 } => { id: i64, #[resource(unique)] size: i32 } => [
        "`size` is unique, not so in 1.0 [constraint]; drop that",
    ];
    constraint_of_several:
        { id: i64, size: i32, width: i32 } =>
        #[resource(unique(size, width))] { id: i64, size: i32, width: i32 } => [
        "`size` is unique together with others, not so in 1.0 [constraint]; drop that",
    ];
    hidden: { id: i64, size: Option<i32> } => { id: i64, #[resource(write_only)] size: Option<i32> } => [
        "`size` is told in 1.0, not here [hidden]; keep telling it",
    ];
    wider_kind: { id: i64, size: i32 } => { id: i64, size: i64 } => [
        "`size` is `i64`, in 1.0 `i32` [wider_kind]; keep the type",
    ];
    null: { id: i64, size: i32 } => { id: i64, size: Option<i32> } => [
        "`size` may be null, not so in 1.0 [null]; give it a `default` instead",
    ];
    wider: { id: i64, #[resource(max = 50)] size: i32 } => { id: i64, #[resource(max = 80)] size: i32 } => [
        "`size` holds at most 80, in 1.0 50 [wider]; keep the old limit",
    ];
    name_added: { id: i64, state: Two } => { id: i64, state: Three } => [
        "`state` may be `lost`, not so in 1.0 [name_added]; declare the enum `open` from its first version",
    ];
    unqueryable:
        #[resource(validator = Redacting)] { id: i64, size: Option<i32> } =>
        #[resource(validator = Redacting, redacts(size))] { id: i64, size: Option<i32> } => [
        "`size` is known to filters in 1.0, not here [unqueryable]; keep that",
    ];
    page: { id: i64 } => #[resource(limit(default = 5, max = 200))] { id: i64 } => [
        "without a `limit`, a page holds 5, in 1.0 10 [page]; keep the old limits",
        "a page holds at most 200, in 1.0 1000 [page]; keep the old limits",
    ];
    all_at_once: #[resource(limit(max = 200, all))] { id: i64 } => #[resource(limit(max = 200))] { id: i64 } => [
        "`limit=all` is refused, in 1.0 taken [page]; keep the old limits",
    ];
    uncounted: #[resource(count(none))] { id: i64 } => { id: i64 } => [
        "`count=none` is refused, in 1.0 taken [page]; keep the old limits",
    ];
    revision: { id: i64, #[resource(revision)] state: i64 } => { id: i64, #[resource(read_only, default = 1)] state: i64 } => [
        "`revision` is offered in 1.0, not here [withdrawn]; offer it",
    ];
    if_match: { id: i64 } => #[resource(require_if_match)] { id: i64 } => [
        "`if_match` may be left out in 1.0 [required]; give it a `default`",
    ];
    upsert:
        { #[resource(primary_key, assigned)] id: i64 } =>
        #[resource(operations(list, retrieve, create, update, delete, upsert))] { #[resource(primary_key, assigned)] id: i64 } => [
        "`PUT` creates an item that is missing, in 1.0 an error [error]; keep that",
    ];
    no_upsert:
        #[resource(operations(list, retrieve, create, update, delete, upsert))] { #[resource(primary_key, assigned)] id: i64 } =>
        { #[resource(primary_key, assigned)] id: i64 } => [
        "`upsert` is offered in 1.0, not here [withdrawn]; offer it",
    ];
    sunset:
        #[resource(deprecated(since = "2026-01-01", sunset = "2027-07-01"))] { id: i64 } =>
        #[resource(deprecated(since = "2026-01-01", sunset = "2027-01-01"))] { id: i64 } => [
        "the sunset is 2027-01-01, announced was 2027-07-01 [withdrawn]; keep the day",
    ];
    two_edits: { id: i64, size: i32, #[resource(max = 5)] width: i32 } => { id: i64, size: String, #[resource(max = 4)] width: i32 } => [
        "`size` is `text`, in 1.0 `i32` [kind]; add an attribute of another name",
        "`width` takes at most 4, in 1.0 5 [tighter]; keep the old limit",
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
    let expected =
        "the url is `/api/1.0/boxes`, in 1.0 `/api/1.0/parcels` [moved]; keep the old one";
    assert_problems(&file, moved, &[expected]);
    let expected = "the url is `/1.0/parcels`, in 1.0 `/api/1.0/parcels` [moved]; keep the old one";
    assert_problems(&file, plain().root(""), &[expected]);
    let expected = "the name is `Box`, in 1.0 `Parcel` [moved]; keep the old one";
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
        ("a page holds at most 500, in 1.0 1000 [page]", 2),
        ("`count=none` is refused, in 1.0 taken [page]", 2),
        ("`if_match` may be left out in 1.0 [required]", 2),
        ("`idempotency` is offered in 1.0, not here [withdrawn]", 2),
        ("`offset` is at most 100, in 1.0 5000 [page]", 2),
        (
            "`Parcel` 1.0: without a `limit`, a collection holds 5, in 1.0 10 [page]",
            1,
        ),
        (
            "`Parcel` 1.0: a collection holds at most 50, in 1.0 100 [page]",
            1,
        ),
    ] {
        assert_eq!(told.matches(expected).count(), count, "{expected}\n{told}");
    }
    assert_eq!(told.lines().count(), 12, "{told}");
    let keyed = || {
        Api::builder()
            .resource::<parcel::Keyed>()
            .idempotency_keys(hours)
    };
    let file = LockFile::of(plain().idempotency_keys(hours));
    let expected = "`idempotency_key` may be left out in 1.0 [required]; give it a `default`";
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
    let expected = [
        "`list` takes `a`, in 1.0 `a` or `b` [access]; let `any(…)` name the old scopes, too",
        "`retrieve` takes `a`, in 1.0 `a` or `b` [access]; let `any(…)` name the old scopes, too",
    ];
    assert_problems(&file, Api::builder().resource::<guarded::One>(), &expected);
    let expected = ["`size` takes `b`, in 1.0 `a` [access]; let `any(…)` name the old scopes, too"];
    assert_problems(
        &file,
        Api::builder().resource::<guarded::Field>(),
        &expected,
    );
    let expected =
        ["`owner` takes `sub`, in 1.0 anybody [access]; let `any(…)` name the old scopes, too"];
    assert_problems(
        &file,
        Api::builder().resource::<guarded::Owned>(),
        &expected,
    );
    // Who was let in without a token needs none later.
    let open = LockFile::of(Api::builder().resource::<guarded::Any>().unprotected());
    assert!(!open.text().contains("access"), "{}", open.text());
    assert_eq!(
        open.problems(Api::builder().resource::<guarded::Any>())
            .len(),
        6
    );
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
    let remedy =
        "[read_widening]; write `truncate` in 1.0, `readable_by` here, or another `column`";
    let expected = [
        format!(
            "`label` holds a length of at most 30, and clients of 1.0, who expect 20, read it {remedy}"
        ),
        format!("`size` holds null, and clients of 1.0, who expect no null, read it {remedy}"),
    ];
    assert_problems(&file, two, &expected.each_ref().map(String::as_str));
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
    let expected = [
        "`sender.name` holds a length of at most 40, in 1.0 20 [wider]; keep the old limit",
        "`sender.city` is in 1.0, not here [removed]; keep it, `deprecated`",
    ];
    assert_problems(&file, api().resource::<shown::Now>(), &expected);
}
