//! Strings far longer than the limit of filters: refused, and the service keeps serving.

use resource_runtime::{Api, QueryLimits};
use resource_tests::{Service, apply, assert_error, every_database, raw};

use crate::requests::{encode, filtered};
use crate::samples::{SAMPLES, Sample, samples};

/// A string of 100,000 escapes exceeds the request line: the server refuses it and keeps serving.
#[apply(every_database)]
fn string_of_100_000_escapes_is_refused() {
    let service = samples();
    for (count, status) in [(5_000, 400), (30_000, 400), (100_000, 414)] {
        let query = format!("filter=eq(text,%22{}%22)", r"\n".repeat(count));
        let head = [&*format!("GET {SAMPLES}?{query} HTTP/1.1"), "Host: a"];
        let answer = raw::send(service.address(), &head, b"");
        assert_eq!(answer.status, status, "{count}");
        if status == 400 {
            assert_error(&answer, 400, 10060).naming(&["8192"]);
        }
        assert_eq!(filtered(&service, SAMPLES, "eq(id,1)"), [1]);
    }
}

#[apply(every_database)]
fn long_strings_are_read_under_a_raised_limit() {
    let service = Service::start(|database| {
        let limits = QueryLimits::new().length(1 << 20);
        Api::builder()
            .query_limits(limits)
            .resource::<Sample>()
            .build(database)
    });
    let query = format!("filter=eq(text,%22{}%22)", r"\n".repeat(30_000));
    for (end, status) in [("", 200), (")", 400)] {
        let head = [&*format!("GET {SAMPLES}?{query}{end} HTTP/1.1"), "Host: a"];
        assert_eq!(raw::send(service.address(), &head, b"").status, status);
    }
    let open = encode(&format!("eq(text,\"{}", r"\\".repeat(2_500)));
    assert_error(
        &service.get(&format!("{SAMPLES}?filter={open}")),
        400,
        10060,
    )
    .naming(&["column 9:", "closing quote"]);
}
