//! Hidden attributes: errors are word for word those of an undeclared name.

use resource_runtime::{Api, ApiResource};
use resource_tests::{Service, apply, every_database};
use serde_json::{Value, json};

use crate::requests::{description, refused, text, url};

#[derive(Debug, ApiResource)]
#[resource(name = "Account", url = "/accounts", version = "1.0")]
struct Account {
    id: i64,
    name: String,
    /// A name similar to both the hidden and the undeclared one.
    passport: Option<String>,
    #[resource(write_only)]
    password: String,
    #[resource(write_only)]
    pin: Option<i32>,
}

#[derive(Debug, ApiResource)]
#[resource(
    name = "Letter",
    url = "/letters",
    version = "1.0",
    subresource(sender = "sender_id")
)]
struct Letter {
    id: i64,
    #[resource(references = Account)]
    sender_id: Option<i64>,
    #[resource(write_only, references = Account)]
    reader_id: Option<i64>,
}

const ACCOUNTS: &str = "/api/1.0/accounts";
const LETTERS: &str = "/api/1.0/letters";

/// Hidden attributes, each with an undeclared name of its length.
const NAMES: [(&str, &str); 2] = [("password", "passwurd"), ("pin", "pxn")];

fn letters() -> Service {
    let service = Service::start(|database| {
        Api::builder()
            .resource::<Account>()
            .resource::<Letter>()
            .build(database)
    });
    let account = json!({"name": "Ann", "password": "secret", "pin": 7});
    service.create(ACCOUNTS, &account);
    service.create(LETTERS, &json!({"sender_id": 1, "reader_id": 1}));
    service
}

/// Asserts the same response for the hidden and the undeclared name, which replace `_` in the
/// expression.
#[track_caller]
fn assert_unknown(service: &Service, path: &str, asked: (&str, &str), names: (&str, &str)) {
    let (parameter, expression) = asked;
    let (hidden, never) = names;
    let answer = |name: &str| {
        let text = expression.replace('_', name);
        refused(service, path, parameter, &text).naming(&[&format!("`{name}` is not a")]);
        let answer = service.get(&url(path, &[(parameter, &text)]));
        answer.text().replace(hidden, never)
    };
    assert_eq!(answer(hidden), answer(never), "{expression}");
}

#[apply(every_database)]
fn hidden_attribute_is_unknown_to_every_function() {
    let service = letters();
    for call in [
        "eq(_,\"secret\")",
        "eq(_,7)",
        "eq(_,null)",
        "ne(_,null)",
        "gt(_,\"a\")",
        "gt(_,null)",
        "lt(_,true)",
        "le(_,1.5)",
        "ge(_,99999999999)",
        "like(_,\"s%\")",
        "ilike(_,\"S%\")",
        "startswith(_,\"s\")",
        "icontains(_,\"S\")",
        "in(_,[])",
        "in(_,[null,7])",
        "in(_,[\"secret\"])",
        "not(eq(_,7))",
        "and(eq(id,1),eq(_,7))",
        "or(eq(id,1),not(like(_,\"%\")))",
        "eq(_.id,1)",
    ] {
        for names in NAMES {
            assert_unknown(&service, ACCOUNTS, ("filter", call), names);
        }
    }
}

#[apply(every_database)]
fn hidden_attribute_is_unknown_to_order_and_fields() {
    let service = letters();
    for names in NAMES {
        for order in ["asc(_)", "desc(_)", "asc(id),desc(_)", "asc(_.id)"] {
            assert_unknown(&service, ACCOUNTS, ("order", order), names);
        }
        for fields in ["_", "id,_", "_,id", "_(id)"] {
            assert_unknown(&service, ACCOUNTS, ("fields", fields), names);
            assert_unknown(&service, "/api/1.0/accounts/1", ("fields", fields), names);
        }
    }
}

#[apply(every_database)]
fn hidden_attribute_is_unknown_as_a_parameter() {
    let service = letters();
    for (hidden, never) in NAMES {
        let said = |name| description(&service, ACCOUNTS, &[(name, "7")]);
        assert_eq!(said(hidden).replace(hidden, never), said(never));
    }
}

#[apply(every_database)]
fn hidden_attribute_of_a_subresource_is_unknown() {
    let service = letters();
    for names in NAMES {
        for call in [
            "eq(sender._,\"secret\")",
            "in(sender._,[7])",
            "like(sender._,\"s%\")",
            "ne(sender._,null)",
        ] {
            assert_unknown(&service, LETTERS, ("filter", call), names);
        }
        assert_unknown(&service, LETTERS, ("order", "desc(sender._)"), names);
        for fields in ["sender(_)", "id,sender(id,_)"] {
            assert_unknown(&service, LETTERS, ("fields", fields), names);
            assert_unknown(&service, "/api/1.0/letters/1", ("fields", fields), names);
        }
    }
}

#[apply(every_database)]
fn hidden_key_is_unknown() {
    let service = letters();
    let names = ("reader_id", "reeder_id");
    assert_unknown(&service, LETTERS, ("filter", "eq(_,1)"), names);
    assert_unknown(&service, LETTERS, ("order", "asc(_)"), names);
    assert_unknown(&service, LETTERS, ("fields", "id,_"), names);
}

#[apply(every_database)]
fn errors_never_suggest_a_hidden_name() {
    let service = letters();
    for near in ["passwor", "passwords", "Password", "pasword", "pinn", "pi"] {
        let hints = ["`password`", "`pin`"];
        for (parameter, ask) in [
            ("filter", format!("eq({near},1)")),
            ("order", format!("asc({near})")),
            ("fields", near.to_owned()),
        ] {
            let said = description(&service, ACCOUNTS, &[(parameter, &ask)]);
            assert!(hints.iter().all(|hint| !said.contains(hint)), "{said}");
        }
        let said = description(
            &service,
            LETTERS,
            &[("filter", &format!("eq(sender.{near},1)"))],
        );
        assert!(hints.iter().all(|hint| !said.contains(hint)), "{said}");
    }
}

#[apply(every_database)]
fn responses_never_contain_a_hidden_attribute() {
    let service = letters();
    let account = r#"{"id":1,"name":"Ann","passport":null}"#;
    assert_eq!(text(&service, &format!("{ACCOUNTS}/1"), &[]), account);
    assert_eq!(
        text(&service, ACCOUNTS, &[]),
        format!(r#"{{"items":[{account}],"totalItems":1}}"#)
    );
    let letter = format!(r#"{{"id":1,"sender":{account}}}"#);
    assert_eq!(
        text(
            &service,
            &format!("{LETTERS}/1"),
            &[("fields", "id,sender")]
        ),
        letter
    );
    let query = [
        ("fields", "sender,id"),
        ("order", "asc(sender.name)"),
        ("filter", "eq(sender.id,1)"),
    ];
    assert_eq!(
        text(&service, LETTERS, &query),
        format!(r#"{{"items":[{letter}],"totalItems":1}}"#)
    );
    let plain: Value = service.read(&format!("{LETTERS}/1"));
    assert_eq!(plain, json!({"id": 1, "sender_id": 1}));
}
