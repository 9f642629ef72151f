//! Text attributes: lengths in characters, and round trips of every character but U+0000.

use resource_tests::{
    address_book, apply, assert_created, assert_error, assert_no_content, every_database,
};
use serde_json::json;

#[apply(every_database)]
fn a_length_counts_characters_not_bytes() {
    let service = address_book();
    for character in ["a", "ä", "語", "😀"] {
        println!("{character}");
        let path = service.create(
            "/api/1.0/settings",
            &json!({"name": character.repeat(50), "value": "v"}),
        );
        assert_eq!(service.read(&path)["name"], character.repeat(50));
        let longer = json!({"name": character.repeat(51), "value": "v"});
        assert_error(&service.post("/api/1.0/settings", &longer), 400, 10010)
            .naming(&["`name`", "50"]);
    }
}

#[apply(every_database)]
fn a_combining_mark_counts_as_a_character() {
    let service = address_book();
    let fits = json!({"name": "e\u{301}".repeat(25), "value": "v"});
    service.create("/api/1.0/settings", &fits);
    let longer = json!({"name": "e\u{301}".repeat(25) + "x", "value": "v"});
    assert_error(&service.post("/api/1.0/settings", &longer), 400, 10010).naming(&["`name`", "50"]);
}

#[apply(every_database)]
fn an_escaped_character_counts_once() {
    let service = address_book();
    let body = format!(
        r#"{{"name": "{}", "value": "v"}}"#,
        r"\ud83d\ude00".repeat(50)
    );
    assert_created(
        &service
            .request("POST", "/api/1.0/settings")
            .json(body)
            .send(),
    );
    assert_eq!(service.read("/api/1.0/settings/1")["name"], "😀".repeat(50));
}

#[apply(every_database)]
fn texts_round_trip() {
    let service = address_book();
    let path = service.create("/api/1.0/settings", &json!({"name": "text", "value": ""}));
    let texts = [
        "",
        " ",
        "  two  ",
        "'",
        "''; DROP TABLE settings; --",
        "\"quoted\"",
        "back\\slash",
        "tab\tnew\nline\r\n",
        "null",
        "\u{1}\u{1f}\u{7f}\u{80}",
        "\u{2028}\u{2029}\u{feff}",
        "\u{fffe}\u{ffff}\u{10ffff}",
        "%_%",
        "?1 :name $1 @x",
        "e\u{301} é",
        "</script>",
        "日本語 😀 العربية",
        "1",
        "1.0",
        "true",
        "X'00'",
    ];
    for text in texts {
        println!("{text:?}");
        assert_no_content(&service.put(&path, &json!({"value": text})));
        assert_eq!(service.read(&path)["value"], text);
    }
}

#[apply(every_database)]
fn a_long_text_round_trips() {
    let service = address_book();
    let text = "äß😀\"\\\n".repeat(40_000);
    let path = service.create("/api/1.0/settings", &json!({"name": "long", "value": text}));
    assert!(service.read(&path)["value"] == text.as_str());
    assert!(service.read("/api/1.0/settings")["items"][0]["value"] == text.as_str());
}

#[apply(every_database)]
fn a_text_with_u_0000_is_400_10010() {
    let service = address_book();
    let path = service.create("/api/1.0/settings", &json!({"name": "a", "value": "b"}));
    for text in ["\0", "a\0", "\0b", "a\0b"] {
        println!("{text:?}");
        let answer = service.post("/api/1.0/settings", &json!({"name": "n", "value": text}));
        assert_error(&answer, 400, 10010)
            .naming(&["`value`"])
            .in_lines(1);
        assert_error(&service.put(&path, &json!({"value": text})), 400, 10010).naming(&["`value`"]);
    }
}

#[apply(every_database)]
fn control_characters_are_escaped_in_responses() {
    let service = address_book();
    let text: String = (1..=0x20_u8).map(char::from).collect();
    let path = service.create(
        "/api/1.0/settings",
        &json!({"name": "controls", "value": text}),
    );
    assert_eq!(service.read(&path)["value"], text);
}
