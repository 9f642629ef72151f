//! Warnings of `build` in the log: settings that are unusual, but may be intended.

use resource_runtime::{Api, ApiBuilder, ApiResource, Dialect};
use resource_tests::{problems, watch};
use uuid::Uuid;

use super::guarded_service::{assert_mistakes, built, guarded};

/// Logged warnings of `build` that contain one of these names.
fn warnings(names: &[&str], build: impl FnOnce() -> bool) -> Vec<String> {
    let log = watch::keep();
    assert!(build(), "it is built");
    let names = |line: &&str| names.iter().any(|name| line.contains(name));
    let text = log.text();
    let lines = text.lines().filter(|line| line.starts_with("WARN"));
    lines.filter(names).map(str::to_owned).collect()
}

#[track_caller]
fn assert_lines(lines: &[String], expected: &[&[&str]]) {
    assert_eq!(lines.len(), expected.len(), "{lines:#?}");
    for (line, words) in lines.iter().zip(expected) {
        for word in *words {
            assert!(line.contains(word), "«{line}» does not name «{word}»");
        }
    }
}

#[derive(ApiResource)]
#[resource(name = "Key", url = "/keys", version = "1.0", scopes)]
#[resource(owner(field = "owner"), unique(shelf, place), unique(owner, label))]
struct Key {
    #[resource(primary_key, assigned)]
    name: String,
    owner: String,
    #[resource(unique)]
    code: Option<i64>,
    shelf: i64,
    place: i64,
    label: String,
}

#[test]
fn uniqueness_across_owners_is_warned_of() {
    let lines = warnings(&["warnings::Key`"], || {
        guarded(ApiBuilder::resource::<Key>).is_ok()
    });
    let expected: [&[&str]; 3] = [
        &[
            "WARN",
            "`name` of `",
            "::Key`",
            "`default = Uuid::now_v7()`",
        ],
        &["`code` of `", "`unique(owner, code)`"],
        &[
            "WARN",
            "`shelf, place` of `",
            "`unique(owner, shelf, place)`",
        ],
    ];
    assert_lines(&lines, &expected);
}

#[test]
fn uniqueness_within_an_owner_is_not_warned_of() {
    #[derive(ApiResource)]
    #[resource(name = "Token", url = "/tokens", version = "1.0", scopes)]
    #[resource(owner(field = "owner"), unique(owner, label))]
    struct Token {
        #[resource(primary_key, default = Uuid::now_v7())]
        id: Uuid,
        owner: String,
        label: String,
    }

    #[derive(ApiResource)]
    #[resource(name = "Stamp", url = "/stamps", version = "1.0", scopes)]
    struct Stamp {
        #[resource(primary_key, assigned)]
        name: String,
        #[resource(unique)]
        code: i64,
    }

    let lines = warnings(&["::Token`", "::Stamp`"], || {
        guarded(|builder| builder.resource::<Token>().resource::<Stamp>()).is_ok()
    });
    assert_lines(&lines, &[]);
}

#[test]
fn versions_of_a_table_with_different_readers_are_warned_of() {
    #[derive(ApiResource)]
    #[resource(name = "Memo", url = "/memos", version = "1.0", scopes)]
    struct Guarded {
        id: i64,
    }

    #[derive(ApiResource)]
    #[resource(name = "Memo", url = "/memos", version = "2.0", public)]
    struct Public {
        id: i64,
    }

    #[derive(ApiResource)]
    #[resource(name = "Memo", url = "/memos", version = "3.0", operations(list))]
    #[resource(scopes(list = "memo.read"))]
    struct Listed {
        id: i64,
    }

    let names = ["::Guarded`", "::Public`", "::Listed`"];
    let both = warnings(&names, || {
        guarded(|builder| builder.resource::<Guarded>().resource::<Public>()).is_ok()
    });
    let expected: &[&str] = &["::Guarded`", "::Public`", "`memos`", "who reads it"];
    let uncompared: &[&str] = &["nothing compares", "::Guarded`"];
    assert_lines(&both, &[expected, uncompared]);
    let alike = warnings(&names, || {
        guarded(|builder| builder.resource::<Guarded>().resource::<Listed>()).is_ok()
    });
    assert_lines(&alike, &[uncompared]);
}

#[test]
fn access_rules_without_authorization_are_refused() {
    #[derive(ApiResource)]
    #[resource(name = "UnkeptScoped", url = "/scoped", version = "1.0", scopes)]
    struct Scoped {
        id: i64,
    }

    #[derive(ApiResource)]
    #[resource(name = "UnkeptRead", url = "/read", version = "1.0")]
    struct Read {
        id: i64,
        #[resource(read_scope = "audit")]
        secret: Option<String>,
    }

    #[derive(ApiResource)]
    #[resource(name = "UnkeptWritten", url = "/written", version = "1.0")]
    struct Written {
        id: i64,
        #[resource(write_scope = "audit")]
        secret: Option<String>,
    }

    #[derive(ApiResource)]
    #[resource(name = "UnkeptOwned", url = "/owned", version = "1.0", scopes)]
    #[resource(owner(field = "owner"))]
    struct Owned {
        id: i64,
        owner: String,
    }

    #[derive(ApiResource)]
    #[resource(name = "UnkeptOpen", url = "/open", version = "1.0")]
    struct Open {
        id: i64,
    }

    #[derive(ApiResource)]
    #[resource(name = "UnkeptPublic", url = "/public", version = "1.0", public)]
    struct Public {
        id: i64,
    }

    let protected = |builder: ApiBuilder| {
        let builder = builder.resource::<Scoped>().resource::<Read>();
        builder.resource::<Written>().resource::<Owned>()
    };
    let found = built(|builder| {
        let builder = protected(builder);
        builder.resource::<Open>().resource::<Public>()
    });
    let remedies = ["`.authorization(…)`", "`.unprotected()`"];
    let [scoped, read, written, owned] = ["::Scoped`", "::Read`", "::Written`", "::Owned`"]
        .map(|name| [&[name][..], &remedies].concat());
    assert_mistakes(
        &problems(&found.unwrap_err()),
        &[&scoped, &read, &written, &owned],
    );
    assert!(built(|builder| builder.resource::<Open>().resource::<Public>()).is_ok());
    assert!(built(|builder| protected(builder).unprotected()).is_ok());
}

#[test]
fn unprotected_together_with_authorization_is_refused() {
    #[derive(ApiResource)]
    #[resource(name = "Unkept", url = "/unkept", version = "1.0", scopes)]
    struct Scoped {
        id: i64,
    }

    let both = guarded(|builder| builder.resource::<Scoped>().unprotected());
    assert_mistakes(
        &problems(&both.unwrap_err()),
        &[&["`.authorization(…)`", "`.unprotected()`", "remove"]],
    );
}

/// Resources that only a service with authorization can serve still have tables.
#[test]
fn schema_sql_needs_no_verifier() {
    #[derive(ApiResource)]
    #[resource(name = "Signed", url = "/signed", version = "1.0", scopes)]
    #[resource(owner(field = "author_id"))]
    struct Signed {
        id: i64,
        #[resource(read_only)]
        author_id: i64,
    }

    let sql = Api::builder()
        .resource::<Signed>()
        .schema_sql(Dialect::Sqlite);
    assert!(sql.unwrap().contains("\"author_id\" INTEGER NOT NULL"));
    let found = built(ApiBuilder::resource::<Signed>).unwrap_err();
    assert!(found.to_string().contains("`.authorization(…)`"), "{found}");
}
