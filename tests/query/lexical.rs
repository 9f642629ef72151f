//! White space, strings and numbers, and their percent-encoding in URLs.

use resource_tests::{apply, assert_error, every_database};
use serde_json::json;

use crate::requests::{filtered, ids, matching, page, refused, text};
use crate::samples::{SAMPLES, samples, with_texts};

#[apply(every_database)]
fn white_space_is_free_between_tokens() {
    let service = samples();
    for space in [" ", "\t", "\n", "\r\n", " \t \n "] {
        let filter = [
            "", "and", "(", "in", "(", "id", ",", "[", "1", ",", "2", "]", ")", ",", "eq", "(",
            "text", ",", "\"Z\"", ")", ")", "",
        ]
        .join(space);
        assert_eq!(filtered(&service, SAMPLES, &filter), [2], "{filter:?}");
        let order = ["", "desc", "(", "flag", ")", ",", "asc", "(", "id", ")", ""].join(space);
        assert_eq!(
            matching(&service, SAMPLES, &[("order", &order)]),
            [2, 1, 5, 3, 4]
        );
        let fields = ["", "text", ",", "id", ""].join(space);
        let body = text(&service, SAMPLES, &[("fields", &fields), ("limit", "1")]);
        assert_eq!(body, r#"{"items":[{"id":1,"text":""}],"totalItems":5}"#);
    }
}

#[apply(every_database)]
fn white_space_ends_a_token() {
    let service = samples();
    for filter in [
        "e q(id,1)",
        "eq(i d,1)",
        "eq(id,1 0)",
        "eq(id,- 1)",
        "eq(id,1 .5)",
        "in(id,[1 ,2 3])",
    ] {
        refused(&service, SAMPLES, "filter", filter).naming(&["column "]);
    }
    for other in ["\u{a0}", "\u{2003}", "\u{b}", "\u{c}"] {
        refused(&service, SAMPLES, "filter", &format!("eq(id,{other}1)")).naming(&["column 7"]);
    }
}

#[apply(every_database)]
fn white_space_within_a_string_is_kept() {
    let service = with_texts(&["ab", "a b", " ab", "ab ", "a  b"]);
    for (id, text) in (1..).zip(["ab", "a b", " ab", "ab ", "a  b"]) {
        assert_eq!(
            filtered(&service, SAMPLES, &format!("eq(text, \"{text}\" )")),
            [id]
        );
    }
}

#[apply(every_database)]
fn plus_in_a_url_is_a_space_and_percent_2b_a_plus() {
    let service = with_texts(&["a b", "a+b"]);
    let found = |query: &str| ids(&service.read(&format!("{SAMPLES}?{query}")));
    assert_eq!(found("filter=eq(text,%22a+b%22)"), [1]);
    assert_eq!(found("filter=eq(text,%22a%20b%22)"), [1]);
    assert_eq!(found("filter=eq(text,%22a%2Bb%22)"), [2]);
    assert_eq!(found("filter=eq(text,%22a%2bb%22)"), [2]);
    assert_eq!(found("filter=+eq+(+id+,+1+)+&order=asc(+id+)"), [1]);
    let answer = service.get(&format!("{SAMPLES}?filter=eq(id,%2B1)"));
    assert_error(&answer, 400, 10060).naming(&["column 7", "`+`"]);
}

#[apply(every_database)]
fn parameter_value_ends_at_an_ampersand_and_may_contain_equals_signs() {
    let service = with_texts(&["a=b", "a&b", "a;b", "a#b"]);
    for (id, text) in (1..).zip(["a=b", "a%26b", "a;b", "a%23b"]) {
        let found = service.read(&format!("{SAMPLES}?filter=eq(text,%22{text}%22)"));
        assert_eq!(ids(&found), [id], "{text}");
    }
}

#[apply(every_database)]
fn strings_have_the_escapes_of_json() {
    let texts = [
        "\"", "\\", "/", "\u{8}", "\u{c}", "\n", "\r", "\t", "é", "🦀", "\u{7f}",
    ];
    let service = with_texts(&texts);
    let escaped = [
        r#"\""#,
        r"\\",
        r"\/",
        r"\b",
        r"\f",
        r"\n",
        r"\r",
        r"\t",
        r"\u00E9",
        r"\uD83E\uDD80",
        r"\u007f",
    ];
    for (id, string) in (1..).zip(escaped) {
        assert_eq!(
            filtered(&service, SAMPLES, &format!(r#"eq(text,"{string}")"#)),
            [id]
        );
        assert_eq!(
            filtered(&service, SAMPLES, &format!(r#"in(text,["","{string}"])"#)),
            [id]
        );
    }
}

#[apply(every_database)]
fn other_escapes_and_bare_control_characters_are_refused_at_their_column() {
    let service = samples();
    for (string, column) in [
        (r"\q", "column 11:"),
        (r"a\x41", "column 12:"),
        (r"\'", "column 11:"),
        (r"\u12", "column "),
        (r"\ud800", "column "),
        (r"\udc00", "column "),
        (r"\ud800\u0041", "column "),
        (r"\U00e9", "column 11:"),
        ("\n", "column "),
        ("\u{1}", "column "),
        (r"\0", "column 11:"),
    ] {
        refused(
            &service,
            SAMPLES,
            "filter",
            &format!(r#"eq(text,"{string}")"#),
        )
        .naming(&[column, "string"]);
    }
}

#[apply(every_database)]
fn strings_require_both_double_quotes() {
    let service = samples();
    for filter in [
        "eq(text,'a')",
        "eq(text,a)",
        "eq(text,`a`)",
        "eq(text,“a”)",
        "eq(text,\"a)",
        "eq(text,\"a\\\")",
        "eq(text,a\")",
    ] {
        refused(&service, SAMPLES, "filter", filter).naming(&["column ", "expected "]);
    }
    refused(&service, SAMPLES, "filter", "eq(text,a)").naming(&[
        "column 9",
        "`a`",
        "double quotes",
    ]);
}

#[apply(every_database)]
fn numbers_are_those_of_json() {
    let service = samples();
    for number in [
        "2", "2.0", "2e0", "2E0", "0.2e1", "20e-1", "2.00E+0", "0.02e+2",
    ] {
        assert_eq!(
            filtered(&service, SAMPLES, &format!("eq(ratio,{number})")),
            [3, 4]
        );
    }
    for number in [
        "02", "+2", "2.", ".2", "2e", "2e+", "0x2", "2_0", "--2", "NaN", "Infinity", "-", "٢",
        "2f", "1,5",
    ] {
        refused(&service, SAMPLES, "filter", &format!("eq(ratio,{number})")).naming(&["column "]);
    }
}

#[apply(every_database)]
fn columns_count_characters_from_1() {
    let service = samples();
    for (filter, column) in [
        ("x(id,1)", 1),
        (" x(id,1)", 2),
        ("or(eq(text,\"🦀é\"),eq(x,1))", 21),
        ("eq(id,1)x", 9),
        ("eq(id,1))", 9),
        ("\u{fe0f}", 1),
    ] {
        let column = format!("`filter`, column {column}: ");
        refused(&service, SAMPLES, "filter", filter).naming(&[&column]);
    }
    assert_eq!(
        page(&service, SAMPLES, &[("filter", "eq(id,9)")]),
        json!({"items": [], "totalItems": 0})
    );
}
