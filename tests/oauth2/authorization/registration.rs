//! Access rules that `build` refuses or warns of.

use resource_runtime::{ApiBuilder, ApiResource, Dialect};

use resource_tests::{problems, watch};

use super::guarded_service::{assert_mistakes, built, guarded, mistakes};

#[derive(ApiResource)]
#[resource(name = "Open", url = "/open", version = "1.0")]
struct Open {
    id: i64,
}

#[derive(ApiResource)]
#[resource(name = "Log", url = "/log", version = "2.0", operations(list, create))]
struct Log {
    id: i64,
}

#[derive(ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0", scopes)]
#[resource(owner(field = "author_id"))]
struct Note {
    id: i64,
    author_id: i64,
    #[resource(read_scope = "audit")]
    address: Option<String>,
}

#[test]
fn authorization_requires_an_access_rule_for_every_operation() {
    let found = mistakes(|builder| builder.resource::<Open>().resource::<Log>());
    assert_mistakes(
        &found,
        &[
            &[
                "::Open`",
                "list, retrieve, create, update, delete",
                "`public`",
            ],
            &["::Log`", "may list, create;", "`scopes(…)`"],
        ],
    );
    assert!(built(|builder| builder.resource::<Open>().resource::<Log>()).is_ok());
}

#[test]
fn versions_of_a_table_must_agree_on_its_owner() {
    #[derive(ApiResource)]
    #[resource(name = "Note", url = "/notes", version = "2.0", scopes)]
    struct Everybodys {
        id: i64,
        author_id: i64,
    }

    #[derive(ApiResource)]
    #[resource(name = "Note", url = "/notes", version = "3.0", scopes)]
    #[resource(owner(field = "author_id", claim = "uid"))]
    struct OfAnotherClaim {
        id: i64,
        author_id: i64,
    }

    #[derive(ApiResource)]
    #[resource(name = "Note", url = "/notes", version = "4.0", scopes)]
    #[resource(owner(field = "reader_id"))]
    struct OfAnotherColumn {
        id: i64,
        author_id: i64,
        reader_id: Option<i64>,
    }

    let register = |builder: resource_runtime::ApiBuilder| {
        let builder = builder.resource::<Note>().resource::<Everybodys>();
        let builder = builder.resource::<OfAnotherClaim>();
        builder.resource::<OfAnotherColumn>()
    };
    let expected: [&[&str]; 3] = [
        &[
            "::Everybodys` belong to nobody",
            "claim `sub` is in the column `author_id`",
            "::Note`",
        ],
        &["::OfAnotherClaim`", "claim `uid`"],
        &[
            "::OfAnotherColumn`",
            "column `reader_id`",
            "the table `notes`",
        ],
    ];
    assert_mistakes(&mistakes(register), &expected);
    let without = built(|builder| register(builder).unprotected()).unwrap_err();
    assert_mistakes(&problems(&without), &expected);
}

#[test]
fn referenced_unregistered_version_must_agree_too() {
    #[derive(ApiResource)]
    #[resource(name = "Note", url = "/notes", version = "0.9")]
    struct Former {
        id: i64,
        author_id: i64,
    }

    #[derive(ApiResource)]
    #[resource(name = "Reply", url = "/replies", version = "1.0", scopes)]
    #[resource(subresource(note = "note_id"))]
    struct Reply {
        id: i64,
        #[resource(references = Former)]
        note_id: i64,
    }

    let found = mistakes(|builder| builder.resource::<Note>().resource::<Reply>());
    assert_mistakes(
        &found,
        &[
            &["`Note 0.9` belong to nobody"],
            &["`Note 0.9` does not say who may"],
        ],
    );
}

#[test]
fn versions_of_a_table_must_agree_on_read_scopes() {
    #[derive(ApiResource)]
    #[resource(name = "Note", url = "/notes", version = "2.0", scopes)]
    #[resource(owner(field = "author_id"))]
    struct Talkative {
        id: i64,
        author_id: i64,
        address: Option<String>,
    }

    let found = mistakes(|builder| builder.resource::<Note>().resource::<Talkative>());
    assert_mistakes(
        &found,
        &[&["::Note.address`", "::Talkative.address`", "`read_scope`"]],
    );
}

#[test]
fn reference_to_a_read_scope_attribute_is_refused() {
    #[derive(ApiResource)]
    #[resource(name = "Badge", url = "/badges", version = "1.0", scopes)]
    struct Badge {
        id: i64,
        #[resource(references(Note, address))]
        note_address: Option<String>,
    }

    let found = mistakes(|builder| builder.resource::<Note>().resource::<Badge>());
    let about = found.iter().find(|mistake| mistake.contains("read_scope"));
    let about = about.expect("a mistake about the scope");
    assert!(
        about.contains("::Badge.note_address` references `Note.address`"),
        "{about}"
    );
}

/// Lists of an owner are read without the items of others.
#[test]
fn owner_attribute_has_an_index() {
    let builder = resource_runtime::Api::builder().resource::<Note>();
    let sql = builder.schema_sql(Dialect::Postgres).unwrap();
    let index =
        "CREATE INDEX \"notes.author_id.id\" ON \"notes\" (\"author_id\" NULLS FIRST, \"id\")";
    assert!(sql.contains(index), "{sql}");
}

#[test]
fn required_read_only_owner_is_refused_without_authorization() {
    #[derive(ApiResource)]
    #[resource(name = "Note", url = "/notes", version = "1.0", scopes)]
    #[resource(owner(field = "author_id"))]
    struct Signed {
        id: i64,
        #[resource(read_only)]
        author_id: i64,
    }

    let without = built(|builder| builder.resource::<Signed>().unprotected()).unwrap_err();
    assert_mistakes(
        &problems(&without),
        &[&["::Signed.author_id`", "`.authorization(…)`", "`Option`"]],
    );
}

#[test]
fn uniqueness_across_owners_is_warned_of() {
    #[derive(ApiResource)]
    #[resource(
        name = "Tag",
        url = "/tags",
        version = "1.0",
        scopes,
        unique(owner_id, name)
    )]
    #[resource(owner(field = "owner_id"))]
    struct Tag {
        id: i64,
        owner_id: i64,
        name: String,
        #[resource(unique)]
        shorthand: String,
    }

    let log = watch::keep();
    let found = guarded(ApiBuilder::resource::<Tag>);
    assert!(found.is_ok());
    let text = log.text();
    let warnings: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("::Tag` is unique among the items of all owners"))
        .collect();
    let [warning] = warnings[..] else {
        panic!("{warnings:?}");
    };
    assert!(warning.starts_with("WARN"), "{warning}");
    assert!(
        warning.contains("`unique(owner_id, shorthand)`"),
        "{warning}"
    );
}
