//! Owners of notes: the notes that each user sees.

use resource_tests::{apply, assert_error, every_database};
use serde_json::{Value, json};

use super::browser::{Browser, CALLBACK, VERIFIER};
use super::process::{CLIENT, Notes, text};

const ALL: &str = "notes.read notes.write notes.admin";

/// The access token of a client to which this user grants these scopes, and the scope of the token.
pub(super) fn token_granted_by(notes: &Notes, name: &str, scope: &str) -> (String, String) {
    let tokens = tokens_granted_by(notes, name, scope);
    (text(&tokens, "access_token"), text(&tokens, "scope"))
}

fn tokens_granted_by(notes: &Notes, name: &str, scope: &str) -> Value {
    let browser = Browser::new(&notes.client);
    browser.log_in(name);
    let back = browser.decide(&browser.authorize(CLIENT, scope), "approve");
    let tokens = notes.post_form(
        "/oauth/token",
        &[
            ("grant_type", "authorization_code"),
            ("code", &back["code"]),
            ("code_verifier", VERIFIER),
            ("redirect_uri", CALLBACK),
        ],
    );
    tokens.ok()
}

fn write(notes: &Notes, token: &str, title: &str) -> String {
    let body = json!({"title": title}).to_string();
    let created = notes.send_with_token(token, "POST", "/api/1.0/notes", &body);
    assert_eq!(created.status, 201, "{}", created.text());
    created.header("location").unwrap().to_owned()
}

#[apply(every_database)]
fn two_users_do_not_see_each_others_notes() {
    let notes = Notes::start();
    let (ann, _) = token_granted_by(&notes, "ann", "notes.read notes.write");
    let (ben, _) = token_granted_by(&notes, "ben", "notes.read notes.write");
    let of_ann = write(&notes, &ann, "ann's");
    let of_ben = write(&notes, &ben, "ben's");
    for (token, own, others) in [(&ann, &of_ann, &of_ben), (&ben, &of_ben, &of_ann)] {
        assert_eq!(notes.send_with_token(token, "GET", own, "").status, 200);
        assert_error(&notes.send_with_token(token, "GET", others, ""), 404, 10001);
        let taken = notes.send_with_token(token, "PUT", others, r#"{"title": "taken"}"#);
        assert_error(&taken, 404, 10001);
        assert_error(
            &notes.send_with_token(token, "DELETE", others, ""),
            404,
            10001,
        );
        assert_eq!(
            notes
                .send_with_token(token, "GET", "/api/1.0/notes", "")
                .ok()["totalItems"],
            1
        );
    }
}

#[apply(every_database)]
fn a_client_without_a_user_owns_nothing_and_an_administrator_sees_all() {
    let notes = Notes::start();
    let (ben, _) = token_granted_by(&notes, "ben", "notes.read notes.write");
    let path = write(&notes, &ben, "ben's");
    let own = notes.own_token("notes.read notes.write");
    assert_eq!(
        notes
            .send_with_token(&own, "GET", "/api/1.0/notes", "")
            .ok()["totalItems"],
        0
    );
    assert_error(&notes.send_with_token(&own, "GET", &path, ""), 404, 10001);
    let refused = notes.send_with_token(&own, "POST", "/api/1.0/notes", r#"{"title": "nobody's"}"#);
    assert_error(&refused, 403, 12110);
    let (ann, granted) = token_granted_by(&notes, "ann", ALL);
    assert_eq!(granted, "notes.admin notes.read notes.write");
    for administrator in [ann, notes.own_token(ALL)] {
        let all = notes
            .send_with_token(&administrator, "GET", "/api/1.0/notes", "")
            .ok();
        assert_eq!(all["items"][0]["owner_id"], "ben");
        let reviewed = notes.send_with_token(&administrator, "PUT", &path, r#"{"reviewed": true}"#);
        assert_eq!(reviewed.status, 204, "{}", reviewed.text());
    }
    let unreviewed = notes.send_with_token(&ben, "PUT", &path, r#"{"reviewed": false}"#);
    assert_error(&unreviewed, 403, 12110);
}

#[apply(every_database)]
fn a_user_who_is_no_administrator_cannot_grant_the_admin_scope() {
    let notes = Notes::start();
    let browser = Browser::new(&notes.client);
    browser.log_in("ben");
    let asked = browser.authorize(CLIENT, ALL);
    assert!(!asked.text().contains("everybody"), "{}", asked.text());
    let (token, granted) = token_granted_by(&notes, "ben", ALL);
    assert_eq!(granted, "notes.read notes.write");
    let text = r#"{"text": "closed tomorrow"}"#;
    let refused = notes.send_with_token(&token, "POST", "/api/1.0/announcements", text);
    assert_error(&refused, 403, 12110);
    let back = super::browser::redirect_parameters(&browser.authorize(CLIENT, "notes.admin"));
    assert_eq!(back["error"], "access_denied");
}

#[apply(every_database)]
fn announcements_are_public_and_written_by_administrators() {
    let notes = Notes::start();
    let path = "/api/1.0/announcements";
    let text = r#"{"text": "closed tomorrow"}"#;
    let anonymous = notes.client.request("POST", path).json(text).send();
    assert_error(&anonymous, 401, 12100);
    let administrator = notes.own_token(ALL);
    assert_eq!(
        notes
            .send_with_token(&administrator, "POST", path, text)
            .status,
        201
    );
    assert_eq!(
        notes.client.read(path)["items"][0]["text"],
        "closed tomorrow"
    );
    assert_error(&notes.client.get("/api/1.0/notes"), 401, 12100);
}

#[apply(every_database)]
fn admin_tokens_of_a_former_administrator_and_tokens_of_a_deleted_user_are_rejected() {
    let notes = Notes::start();
    let [all, own] = [ALL, "notes.read"].map(|scope| tokens_granted_by(&notes, "ann", scope));
    let gone = tokens_granted_by(&notes, "ben", "notes.read");
    let refresh = |tokens: &Value| {
        let token = text(tokens, "refresh_token");
        let form = [("grant_type", "refresh_token"), ("refresh_token", &*token)];
        notes.post_form("/oauth/token", &form)
    };
    let [all, own, gone] = [all, own, gone].map(|tokens| refresh(&tokens).ok());
    let mut program = notes.database.other_program();
    program.execute(
        "UPDATE people SET is_administrator = FALSE WHERE name = 'ann'; \
         DELETE FROM people WHERE name = 'ben'",
    );
    for tokens in [&all, &gone] {
        let refused = refresh(tokens);
        assert_eq!(refused.status, 400, "{}", refused.text());
        assert_eq!(refused.json()["error"], "invalid_grant");
        assert!(!notes.accepts(&text(tokens, "access_token")));
    }
    assert_eq!(refresh(&own).ok()["scope"], "notes.read");
}
