//! Errors of filters: column, found and expected token, and a suggestion.

use crate::requests::refused;
use crate::samples::{SAMPLES, samples};
use resource_tests::{apply, every_database};

#[track_caller]
fn assert_said(cases: &[(&str, &[&str])]) {
    let service = samples();
    for (filter, said) in cases {
        refused(&service, SAMPLES, "filter", filter)
            .naming(said)
            .in_lines(1);
    }
}

#[apply(every_database)]
fn function_names_are_lower_case() {
    for function in ["EQ", "Eq", "LIKE", "In", "AND", "Not"] {
        let nearest = format!("did you mean `{}`?", function.to_lowercase());
        let filter = format!("{function}(id,1)");
        assert_said(&[(&filter, &["column 1", &format!("`{function}`"), &nearest])]);
    }
}

#[apply(every_database)]
fn unknown_function_is_reported_with_a_suggestion() {
    assert_said(&[
        (
            "ilke(text,\"a\")",
            &["column 1", "`ilke`", "did you mean `ilike`?"],
        ),
        ("gte(id,1)", &["column 1", "`gte`; did you mean `ge`?"]),
        (
            "isnull(last_name)",
            &["column 1", "write `eq(attribute,null)`"],
        ),
        (
            "eq(last_name,'Lee')",
            &["text stands in double quotes, found `'`"],
        ),
        ("eqq(id,1)", &["column 1", "`eqq`", "did you mean `eq`?"]),
        (
            "an(eq(id,1),eq(id,2))",
            &["column 1", "`an`", "did you mean `and`?"],
        ),
        (
            "not(nott(eq(id,1)))",
            &["column 5", "`nott`", "did you mean `not`?"],
        ),
        ("regex(text,\"a\")", &["column 1", "`regex`"]),
        ("sleep(5)", &["column 1", "`sleep`"]),
    ]);
    let service = samples();
    refused(&service, SAMPLES, "filter", "xyz(id,1)")
        .without("did you mean")
        .without("such as");
}

#[apply(every_database)]
fn comparisons_of_other_languages_get_an_example() {
    let example = "a filter is a call, such as `eq(title,\"Emma\")`";
    assert_said(&[
        (
            "book.title = \"Emma\"",
            &["column 1", "`book`", example][..],
        ),
        (
            "text=Ann",
            &["column 1", "`text`", example, "; write `eq(text,\"Ann\")`"],
        ),
        ("text >= 'B'", &["; write `ge(text,\"B\")`"]),
        ("medium lt 5", &["; write `lt(medium,5)`"]),
        ("medium__gt=5", &["; write `gt(medium,5)`"]),
        ("text = 'gt.5'", &["; write `eq(text,\"gt.5\")`"]),
        ("medium > 5 and medium < 7", &[example]),
        (
            "gt(medium,5) and lt(medium,7)",
            &[
                "column 14",
                "; several conditions stand in one call: `and(…,…)`",
            ],
        ),
        ("gt(medium,5),lt(medium,7)", &["in one call: `and(…,…)`"]),
        ("eq(flag,False)", &["found `False`; write `false`"]),
        (
            "text.eq.LIB-1",
            &[
                "column 1",
                "`text`",
                example,
                "; write `eq(text,\"LIB-1\")`",
            ],
        ),
        ("not(text = \"a\")", &["column 5", "`text`", example]),
    ]);
}

#[apply(every_database)]
fn unknown_attribute_is_reported_with_a_suggestion() {
    assert_said(&[
        (
            "eq(medum,1)",
            &["column 4", "`medum`", "Sample", "did you mean `medium`?"],
        ),
        (
            "like(texts,\"a\")",
            &["column 6", "`texts`", "did you mean `text`?"],
        ),
        (
            "or(eq(id,1),eq(rato,1))",
            &["column 16", "`rato`", "did you mean `ratio`?"],
        ),
    ]);
    let service = samples();
    refused(&service, SAMPLES, "filter", "eq(colour,1)")
        .naming(&["column 4", "`colour` is not an attribute of Sample"])
        .without("did you mean");
}

#[apply(every_database)]
fn comparison_requires_a_path_and_a_value() {
    assert_said(&[
        ("eq", &["column 3", "expected `(`", "the end"]),
        ("eq(", &["column 4", "expected an attribute", "the end"]),
        ("eq()", &["column 4", "expected an attribute", "`)`"]),
        ("eq(id", &["column 6", "expected `,`", "the end"]),
        ("eq(id)", &["column 6", "expected `,`", "`)`"]),
        ("eq(id,", &["column 7", "expected a value", "the end"]),
        ("eq(id,)", &["column 7", "expected a value", "`)`"]),
        ("eq(id,1", &["column 8", "expected `)`", "the end"]),
        ("eq(id,1,2)", &["column 8", "expected `)`", "`,`"]),
        ("eq(1,id)", &["column 4", "expected an attribute", "`1`"]),
        ("eq(\"id\",1)", &["column 4", "expected an attribute"]),
        (
            "eq(null,1)",
            &["column 4", "expected an attribute", "`null`"],
        ),
        (
            "eq(id,medium)",
            &["column 7", "expected a value", "`medium`"],
        ),
        ("eq(id,eq(id,1))", &["column 7", "expected a value", "`eq`"]),
        ("eq id,1", &["column 4", "expected `(`", "`id`"]),
        ("eq[id,1]", &["column 3", "expected `(`", "`[`"]),
        ("eq(id;1)", &["column 6", "expected `,`", "`;`"]),
        ("eq(id=1)", &["column 6", "expected `,`", "`=`"]),
    ]);
}

#[apply(every_database)]
fn filter_is_a_single_call() {
    assert_said(&[
        (" ", &["expected a function", "the end"]),
        ("id", &["column 1", "`id`"]),
        ("true", &["column 1", "expected a function", "`true`"]),
        ("5", &["column 1", "expected a function", "`5`"]),
        ("\"a\"", &["column 1", "expected a function", "a string"]),
        ("(eq(id,1))", &["column 1", "expected a function", "`(`"]),
        ("[eq(id,1)]", &["column 1", "expected a function", "`[`"]),
        (
            "eq(id,1),eq(id,2)",
            &["column 9", "expected the end", "`,`"],
        ),
        (
            "eq(id,1) and eq(id,2)",
            &["column 10", "expected the end", "`and`"],
        ),
        ("eq(id,1))", &["column 9", "expected the end", "`)`"]),
        ("id=1", &["column 1"]),
        (
            "eq(id,1);DROP TABLE samples",
            &["column 9", "expected the end", "`;`"],
        ),
        ("é", &["column 1", "expected a function", "`é`"]),
    ]);
}

#[apply(every_database)]
fn sql_in_strings_is_plain_text() {
    let service = crate::samples::with_texts(&["'; DROP TABLE samples; --", "\" OR 1=1"]);
    for (id, text) in (1..).zip([r"'; DROP TABLE samples; --", r#"\" OR 1=1"#]) {
        for function in ["eq", "like", "ilike", "ge"] {
            let filter = format!(r#"and({function}(text,"{text}"),eq(id,{id}))"#);
            assert_eq!(crate::requests::filtered(&service, SAMPLES, &filter), [id]);
        }
    }
}
