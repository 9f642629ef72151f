//! The requests of the user's guide, sent in their order, get the responses that the guide shows.

use resource_runtime::Api;
use resource_tests::{Service, apply, assert_created, assert_error, every_database};

use crate::models::{Address, Person, Setting, SettingV2};
use crate::requests::url;

const GUIDE: &str = include_str!("../../resource-runtime/docs/query-language.md");

/// A request of the guide, and its response.
#[derive(Debug)]
enum Request<'guide> {
    Post {
        path: &'guide str,
        body: &'guide str,
    },
    Get {
        target: &'guide str,
        answer: &'guide str,
    },
}

/// The code blocks of the guide with requests, as lines without the empty ones.
fn blocks() -> Vec<Vec<&'static str>> {
    let fenced = GUIDE.split("```text\n").skip(1);
    let blocks = fenced.map(|rest| rest.split("```").next().expect("a block"));
    blocks
        .filter(|block| block.lines().any(is_request))
        .map(|block| block.lines().filter(|line| !line.is_empty()).collect())
        .collect()
}

fn is_request(line: &str) -> bool {
    line.starts_with("GET ") || line.starts_with("POST ")
}

fn requests() -> Vec<Request<'static>> {
    let mut requests = Vec::new();
    for block in blocks() {
        let mut lines = block.into_iter();
        while let Some(line) = lines.next() {
            let (method, rest) = line.split_once(' ').expect("a method");
            requests.push(match method {
                "POST" => {
                    let (path, body) = rest.split_once(' ').expect("a path and a body");
                    Request::Post { path, body }
                }
                "GET" => Request::Get {
                    target: rest,
                    answer: lines.next().expect("an answer"),
                },
                _ => panic!("«{line}» is neither a request nor its answer"),
            });
        }
    }
    requests
}

/// The target with the values of its parameters percent-encoded.
fn encoded(target: &str) -> String {
    let Some((path, query)) = target.split_once('?') else {
        return target.to_owned();
    };
    let pairs = query.split('&');
    let pairs: Vec<(&str, &str)> = pairs
        .map(|pair| pair.split_once('=').expect("a value"))
        .collect();
    url(path, &pairs)
}

fn address_book() -> Service {
    Service::start(|database| {
        Api::builder()
            .resource::<Setting>()
            .resource::<SettingV2>()
            .resource::<Address>()
            .resource::<Person>()
            .build(database)
    })
}

/// Asserts that the response is the line of the guide: a body, or the code and description of an error.
fn assert_answered(service: &Service, target: &str, expected: &str) {
    let answer = service.get(&encoded(target));
    if expected.starts_with('{') {
        assert_eq!((answer.status, answer.text()), (200, expected));
        return;
    }
    let (code, description) = expected.split_once(' ').expect("a code and a description");
    assert_error(&answer, 400, code.parse().expect("a code"));
    assert_eq!(answer.json()["error_description"], description);
}

#[apply(every_database)]
fn every_request_of_the_guide_has_its_response() {
    let service = address_book();
    let requests = requests();
    assert!(requests.len() >= 25, "only {} requests", requests.len());
    for request in requests {
        println!("{request:?}");
        match request {
            Request::Post { path, body } => {
                assert_created(&service.request("POST", path).json(body).send());
            }
            Request::Get { target, answer } => assert_answered(&service, target, answer),
        }
    }
}

#[apply(every_database)]
fn guide_shows_every_function_and_error_code() {
    let mut missing: Vec<&str> = [
        "=eq(",
        "=ne(",
        "=gt(",
        "=ge(",
        "=lt(",
        "=le(",
        "=like(",
        "=ilike(",
        "=startswith(",
        "=istartswith(",
        "=endswith(",
        "=iendswith(",
        "=contains(",
        "=icontains(",
        "=in(",
        "=and(",
        "=or(",
        "=not(",
        "=has(",
        "order=asc(",
        "order=desc(",
        "fields=",
        "limit=1)",
        "10060 ",
        "10061 ",
        "10062 ",
    ]
    .into();
    for line in blocks().into_iter().flatten() {
        missing.retain(|shown| !line.contains(*shown));
    }
    assert_eq!(missing, [""; 0]);
}
