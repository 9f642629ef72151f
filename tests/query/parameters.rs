//! Query parameters: empty, repeated, unknown, malformed, and ignored ones.

use resource_runtime::Api;
use resource_tests::models::Address;
use resource_tests::{
    Service, apply, assert_created, assert_error, assert_no_content, every_database,
};
use serde_json::json;

use crate::people::{ADDRESSES, PERSONS, people};
use crate::requests::{ids, refused, text};
use crate::samples::{SAMPLES, samples};

#[apply(every_database)]
fn empty_filter_order_and_fields_count_as_absent() {
    let service = people();
    let plain = text(&service, PERSONS, &[]);
    for query in [
        "filter=",
        "order=",
        "fields=",
        "filter=&order=&fields=",
        "filter&order&fields",
        "&",
        "&&filter=&",
        "%66ilter=",
    ] {
        assert_eq!(
            service.get(&format!("{PERSONS}?{query}")).text(),
            plain,
            "{query}"
        );
    }
    let item = text(&service, "/api/1.0/persons/1", &[]);
    for query in ["fields=", "fields", "&", ""] {
        assert_eq!(
            service.get(&format!("{PERSONS}/1?{query}")).text(),
            item,
            "{query}"
        );
    }
}

#[apply(every_database)]
fn repeated_parameter_is_400_10064() {
    let service = people();
    for (name, value) in [
        ("filter", "eq(id,1)"),
        ("order", "asc(id)"),
        ("fields", "id"),
        ("offset", "0"),
        ("limit", "1"),
    ] {
        for (first, second) in [(value, value), ("", value), (value, ""), ("", "")] {
            let encoded = format!("%{:02X}{}", name.as_bytes()[0], &name[1..]);
            for query in [
                format!("{name}={first}&{name}={second}"),
                format!("{name}={first}&{encoded}={second}"),
            ] {
                let answer = service.get(&format!("{PERSONS}?{query}"));
                assert_error(&answer, 400, 10064).naming(&[&format!("`{name}`"), "twice"]);
            }
        }
    }
    assert_error(
        &service.get(&format!("{PERSONS}/1?fields=id&fields=id")),
        400,
        10064,
    )
    .naming(&["`fields`"]);
}

#[apply(every_database)]
fn unknown_parameter_is_400_10064_with_a_suggestion() {
    let service = people();
    for (name, nearest) in [
        ("filtr", "filter"),
        ("orderr", "order"),
        ("feilds", "fields"),
        ("ofset", "offset"),
        ("limits", "limit"),
    ] {
        let answer = service.get(&format!("{PERSONS}?filter=&{name}="));
        assert_error(&answer, 400, 10064)
            .naming(&[&format!("`{name}`"), &format!("did you mean `{nearest}`?")]);
    }
    for (name, said) in [
        (
            "x",
            "; it has `offset`, `limit`, `order`, `filter`, `fields`, `format`, `cursor`",
        ),
        ("%20filter", "did you mean `filter`?"),
    ] {
        let answer = service.get(&format!("{PERSONS}?{name}=1"));
        assert_error(&answer, 400, 10064).naming(&[said]);
    }
    assert_error(&service.get(&format!("{PERSONS}?=1")), 400, 10064);
}

#[apply(every_database)]
fn attributes_of_other_resources_are_told_as_filters() {
    let service = people();
    for (query, said) in [
        (
            "bill_address__city=Ulm",
            "write `filter=eq(bill_address.city,\"Ulm\")`",
        ),
        (
            "bill_address.city=ilike.u*",
            "write `filter=ilike(bill_address.city,\"u%\")`",
        ),
        (
            "bill_address__city__icontains=u",
            "write `filter=icontains(bill_address.city,\"u\")`",
        ),
        ("bill_address__nothing=1", "it has `"),
        ("bill_address=1", "write `filter=eq(bill_address_id,1)`"),
        (
            "expand=bill_address",
            "write `fields=id,first_name,last_name,bill_address_id,ship_address_id,mail_address_id,bill_address`",
        ),
    ] {
        let answer = service.get(&format!("{PERSONS}?{query}"));
        assert_error(&answer, 400, 10064).naming(&[said]);
    }
}

/// Each `not.` of a long chain would be a call of its own, beyond the stack of a thread.
#[apply(every_database)]
fn what_is_nested_without_end_is_not_translated() {
    let service = samples();
    let query = "not.".repeat(12_000);
    let answer = service.get(&format!("{SAMPLES}?text={query}"));
    assert_error(&answer, 400, 10064).naming(&["it has `"]);
    let nested = format!("{}{}", "or(".repeat(8_000), ")".repeat(8_000));
    let answer = service.get(&format!("{SAMPLES}?or=({nested},text.eq.a)"));
    assert_error(&answer, 400, 10064).naming(&["write `filter=or("]);
}

#[apply(every_database)]
fn parameters_of_other_apis_are_told_as_those_of_this_one() {
    let service = samples();
    for (query, said) in [
        ("text=LIB-1", "`text`; write `filter=eq(text,\"LIB-1\")`"),
        ("text=a%22+b", r#"write `filter=eq(text,"a\" b")`"#),
        ("text=5", "write `filter=eq(text,\"5\")`"),
        ("medium=5", "write `filter=eq(medium,5)`"),
        ("medium=gt.5", "write `filter=gt(medium,5)`"),
        ("medium__gt=5", "write `filter=gt(medium,5)`"),
        ("medium__gte=5", "write `filter=ge(medium,5)`"),
        ("medium=lte.5", "write `filter=le(medium,5)`"),
        ("medium=neq.5", "write `filter=ne(medium,5)`"),
        ("medium__exact=5", "write `filter=eq(medium,5)`"),
        ("medium__range=5", "it has `"),
        (
            "medium__range=5,7",
            "write `filter=and(ge(medium,5),le(medium,7))`",
        ),
        ("mediun=5", "did you mean `filter=eq(medium,5)`?"),
        // A sign or a word more may ask for the opposite.
        ("medium!=5", "write `filter=ne(medium,5)`"),
        ("medium>=5", "write `filter=ge(medium,5)`"),
        ("medium[lte]=5", "write `filter=le(medium,5)`"),
        ("medium~=5", "it has `"),
        ("medium_gt=5", "it has `"),
        ("-medium=5", "it has `"),
        ("medium=match.%5E5", "it has `"),
        ("text=like.a_b*", "it has `"),
        ("flag=False", "write `filter=eq(flag,false)`"),
        (
            "medium=gte.5&limit=1&text=a",
            "write `filter=and(ge(medium,5),eq(text,\"a\"))`",
        ),
        ("text__icontains=a", "write `filter=icontains(text,\"a\")`"),
        ("text=ilike.a%25", "write `filter=ilike(text,\"a%\")`"),
        ("text=like.*a*", "write `filter=like(text,\"%a%\")`"),
        ("text=fts.war", "write `filter=icontains(text,\"war\")`"),
        ("text=cs.%7Ba%7D", "it has `"),
        ("medium=not.eq.5", "write `filter=not(eq(medium,5))`"),
        ("medium=in.(1,2)", "write `filter=in(medium,[1,2])`"),
        ("text=is.not_null", "write `filter=ne(text,null)`"),
        (
            "text__contains=not.bad",
            "write `filter=contains(text,\"not.bad\")`",
        ),
        (
            "text__iexact=5%25*",
            r#"write `filter=ilike(text,"5\\%*")`"#,
        ),
        ("text=match.com", "it has `"),
        ("text=gt(any).b", "it has `"),
        ("text=nil", "write `filter=eq(text,\"nil\")`"),
        ("medium=None", "write `filter=eq(medium,null)`"),
        ("medium__isnull=FALSE", "write `filter=ne(medium,null)`"),
        ("medium__lt!=5", "it has `"),
        (
            "filter=gt(id,3)&medium=5",
            "write `filter=and(gt(id,3),eq(medium,5))`",
        ),
        ("medium=5&unknown=1", "write `filter=eq(medium,5)`"),
        ("text=5%25%0A", "it has `"),
        ("text__in=a,b", "write `filter=in(text,[\"a\",\"b\"])`"),
        (
            "or=(medium.lt.5,medium.gt.7)",
            "write `filter=or(lt(medium,5),gt(medium,7))`",
        ),
        (
            "not.and=(text.in.(a,b),or(flag.is.true,medium.not.eq.2))",
            "write `filter=not(and(in(text,[\"a\",\"b\"]),or(eq(flag,true),not(eq(medium,2)))))`",
        ),
        (
            "or=(medium.lt.5,unknown.gt.7)",
            "write `filter=or(eq(attribute,1),eq(attribute,2))`",
        ),
        ("flag=true", "write `filter=eq(flag,true)`"),
        ("flag=yes", "write `filter=eq(flag,…)`"),
        ("page=2", "`page`; pages begin at `offset`"),
        ("per_page=5", "`limit` is the size of a page"),
        ("page_size=5", "`limit` is the size of a page"),
        ("sort=text", "write `order=asc(text)`"),
        (
            "ordering=-text,medium",
            "write `order=desc(text),asc(medium)`",
        ),
        ("ordering=-unknown", "or `order=desc(attribute)`"),
        ("search=a", "write `filter=icontains(attribute,\"text\")`"),
        ("select=id", "write `fields=id`"),
        (
            "select=*",
            "`fields` names what to show, as `fields=id,subresource(id)`",
        ),
    ] {
        let answer = service.get(&format!("{SAMPLES}?{query}"));
        assert_error(&answer, 400, 10064).naming(&[said]);
    }
    let long = format!("{SAMPLES}?text={}", "x".repeat(200));
    assert_error(&service.get(&long), 400, 10064).naming(&["write `filter=eq(text,…)`"]);
    // An item has neither pages nor filters.
    for (query, said) in [
        ("page=2", "; it has `fields`"),
        ("text=a", "; it has `fields`"),
        ("expand=a", "`fields` names"),
    ] {
        let answer = service.get(&format!("{SAMPLES}/1?{query}"));
        assert_error(&answer, 400, 10064).naming(&[said]);
    }
}

#[apply(every_database)]
fn setting_ignores_unknown_parameters_but_not_repeated_ones() {
    let service = Service::start(|database| {
        Api::builder()
            .ignore_unknown_parameters()
            .resource::<Address>()
            .build(database)
    });
    service.create(ADDRESSES, &json!({"line1": "x"}));
    assert_eq!(
        ids(&service.read(&format!("{ADDRESSES}?x=1&filter=eq(id,1)&x=2"))),
        [1]
    );
    assert_eq!(
        service.read(&format!("{ADDRESSES}/1?limit=x&fields=id")),
        json!({"id": 1})
    );
    assert_error(
        &service.get(&format!("{ADDRESSES}?limit=1&limit=1")),
        400,
        10064,
    );
    refused(&service, ADDRESSES, "filter", "eq(colour,1)").naming(&["`colour`"]);
}

#[apply(every_database)]
fn malformed_percent_encoding_is_400_10064() {
    let service = people();
    for query in [
        "filter=%FF",
        "filter=eq(first_name,%22%C3%22)",
        "fields=%ED%A0%80",
        "%FF=1",
        "order=%C0%80",
    ] {
        assert_error(&service.get(&format!("{PERSONS}?{query}")), 400, 10064).naming(&["UTF-8"]);
    }
    for query in [
        "filter=%",
        "filter=%2",
        "filter=like(first_name,%22A%%22)",
        "order=%zz",
    ] {
        let head = [&*format!("GET {PERSONS}?{query} HTTP/1.1"), "Host: a"];
        let answer = resource_tests::raw::send(service.address(), &head, b"");
        assert_error(&answer, 400, 10064).naming(&["`%25`"]);
    }
}

#[apply(every_database)]
fn every_parameter_has_an_error_code_of_its_own() {
    let service = people();
    let sound = "filter=eq(id,1)&order=asc(id)&fields=id&offset=0&limit=1";
    assert_eq!(ids(&service.read(&format!("{PERSONS}?{sound}"))), [1]);
    for (from, to, code) in [
        ("eq(id,1)", "eq(id,x)", 10060),
        ("asc(id)", "asc(x)", 10061),
        ("fields=id", "fields=x", 10062),
        ("offset=0", "offset=x", 10063),
        ("limit=1", "limit=x", 10063),
        ("limit", "limt", 10064),
    ] {
        let answer = service.get(&format!("{PERSONS}?{}", sound.replace(from, to)));
        assert_error(&answer, 400, code);
    }
}

#[apply(every_database)]
fn writes_ignore_every_parameter() {
    let service = people();
    let junk = "filter=(&order=x&fields=nothing&limit=-1&limit=-1&offset=x&unknown=%FF";
    for junk in [junk, "fields=id", "fields=&fields="] {
        let answer = service.post(&format!("{PERSONS}?{junk}"), &json!({"first_name": "Eve"}));
        let path = assert_created(&answer);
        assert_eq!(service.read(&path)["first_name"], "Eve");
        assert_no_content(&service.put(&format!("{path}?{junk}"), &json!({"first_name": "Eva"})));
        assert_eq!(service.read(&path)["first_name"], "Eva");
        assert_no_content(&service.delete(&format!("{path}?{junk}")));
        assert_eq!(service.get(&path).status, 404);
    }
}
