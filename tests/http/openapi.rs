//! `GET <root>/<version>/openapi.json`: the OpenAPI documents. Every response of every test is checked
//! against them as well.

use std::collections::BTreeSet;

use resource_runtime::{Api, ApiBuilder, ApiResource, Database, Dialect, OpenApiVersion};
use resource_tests::models::{Address, Person, SettingOne, SettingTwo};
use resource_tests::{
    Answer, Backend, Client, Service, TestDatabase, address_book, apply, assert_error, block_on,
    every_database,
};
use serde_json::{Value, json};

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

fn document(service: &Client, version: &str) -> Value {
    service.read(&format!("/api/{version}/openapi.json"))
}

/// Each path with its path item.
fn paths(document: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let paths = document["paths"].as_object().expect("an object");
    paths.iter().map(|(path, item)| (path.as_str(), item))
}

fn methods(item: &Value) -> Vec<String> {
    let mut methods: Vec<String> = METHODS
        .iter()
        .filter(|method| item.get(**method).is_some())
        .map(|method| method.to_uppercase())
        .collect();
    if methods.iter().any(|method| method == "GET") {
        methods.push("HEAD".to_owned());
    }
    methods.sort_unstable();
    methods
}

#[apply(every_database)]
fn each_version_has_an_openapi_3_1_and_a_3_0_document() {
    let service = address_book();
    for version in ["1.0", "2.0", "latest"] {
        for (file, form) in [("openapi.json", "3.1.1"), ("openapi-3.0.json", "3.0.4")] {
            let document = service.read(&format!("/api/{version}/{file}"));
            assert_eq!(document["openapi"], form);
            assert_eq!(document["info"]["version"], version);
        }
    }
    assert_error(&service.get("/api/3.0/openapi.json"), 404, 10000);
    assert_error(
        &service.post("/api/1.0/openapi.json", &json!({})),
        405,
        10070,
    );
}

#[apply(every_database)]
fn every_path_allows_exactly_the_documented_methods() {
    let service = address_book();
    for version in ["1.0", "2.0", "latest"] {
        let document = document(&service, version);
        for (path, item) in paths(&document) {
            let answer = service
                .request("OPTIONS", &path.replace("{id}", "1"))
                .send();
            assert_eq!(answer.methods(), methods(item), "{path}");
        }
    }
}

#[apply(every_database)]
fn the_index_lists_exactly_the_documented_collections() {
    let service = address_book();
    for version in ["1.0", "2.0", "latest"] {
        let index = service.read(&format!("/api/{version}"));
        let resources = index["resources"].as_array().unwrap();
        let listed: BTreeSet<String> = resources
            .iter()
            .map(|resource| resource["collection"].as_str().unwrap().to_owned())
            .collect();
        let document = document(&service, version);
        let described: BTreeSet<String> = paths(&document)
            .filter_map(|(path, _)| path.split('/').nth(3))
            .map(str::to_owned)
            .collect();
        assert_eq!(listed, described);
    }
}

#[apply(every_database)]
fn every_documented_parameter_is_accepted_and_no_other() {
    let service = address_book();
    let document = document(&service, "1.0");
    for (path, item) in paths(&document) {
        let path = path.replace("{id}", "1");
        let parameters = item["get"]["parameters"].as_array();
        for parameter in parameters.into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap();
            if parameter["in"] == "header" {
                let example = &parameter["examples"]["one"]["value"];
                let asked = service.request("GET", &path);
                let asked = asked.header(name, example.as_str().unwrap());
                assert_eq!(asked.send().status, 404);
                continue;
            }
            for value in examples(parameter) {
                let asked = service.request("GET", &format!("{path}?{name}={value}"));
                assert!([200, 404].contains(&asked.send().status), "{path} {value}");
            }
        }
        if path != "/api/1.0" {
            assert_error(&service.get(&format!("{path}?unknown=1")), 400, 10064);
        }
    }
}

/// The examples of a parameter, percent-encoded for a URL.
fn examples(parameter: &Value) -> Vec<String> {
    let examples = parameter["examples"].as_object();
    let shown = examples.into_iter().flatten();
    let shown = shown.map(|(_, example)| &example["value"]);
    let given = parameter["schema"].get("default").map(Value::to_string);
    let names = parameter["schema"]["enum"].as_array();
    let shown = shown.chain(names.into_iter().flatten());
    let text = |value: &Value| value.as_str().map_or(value.to_string(), str::to_owned);
    let shown = shown.map(|value| text(value).replace('%', "%25").replace('"', "%22"));
    let all: Vec<String> = shown.chain(given).collect();
    assert!(!all.is_empty(), "no example of {parameter}");
    all
}

/// A request that is refused: method, path, body and error code.
type Refused = (&'static str, &'static str, &'static str, u16);

const OF_SETTINGS: &[Refused] = &[
    ("GET", "/api/1.0/settings?filter=x", "", 10060),
    ("GET", "/api/1.0/settings?order=x", "", 10061),
    ("GET", "/api/1.0/settings?fields=x", "", 10062),
    ("GET", "/api/1.0/settings?limit=x", "", 10063),
    ("GET", "/api/1.0/settings?x=x", "", 10064),
    ("GET", "/api/1.0/settings?cursor=x", "", 10065),
    ("GET", "/api/1.0/settings/9", "", 10001),
    ("GET", "/api/1.0/settings/1?fields=x", "", 10062),
    ("GET", "/api/1.0/settings/1?x=x", "", 10064),
    ("GET", "/api/1.0/settings/1", "", 10074),
    ("POST", "/api/1.0/settings", r#"{"name": 1}"#, 10010),
    (
        "POST",
        "/api/1.0/settings",
        r#"{"name": "a", "value": ""}"#,
        10030,
    ),
    ("POST", "/api/1.0/settings", "[]", 10050),
    ("POST", "/api/1.0/settings", "{}", 10074),
    ("PUT", "/api/1.0/settings/9", "{}", 10001),
    ("PUT", "/api/1.0/settings/1", r#"{"name": 1}"#, 10010),
    ("PUT", "/api/1.0/settings/1", r#"{"name": "b"}"#, 10030),
    ("PUT", "/api/1.0/settings/1", "[]", 10050),
    ("PUT", "/api/1.0/settings/1", "{}", 10040),
    ("PUT", "/api/1.0/settings/1", "{}", 10074),
    ("DELETE", "/api/1.0/settings/9", "", 10001),
    ("DELETE", "/api/1.0/settings/1", "", 10010),
    ("DELETE", "/api/1.0/settings/1", "", 10040),
    ("DELETE", "/api/1.0/settings/1", "", 10074),
];

/// SQL of a trigger that forbids deleting settings.
fn trigger() -> &'static str {
    match Backend::under_test() {
        Backend::Sqlite => {
            "CREATE TRIGGER stay BEFORE DELETE ON settings BEGIN SELECT RAISE(ABORT, 'no'); END"
        }
        Backend::Postgres => {
            "CREATE FUNCTION stay() RETURNS trigger LANGUAGE plpgsql
                 AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
             CREATE TRIGGER stay BEFORE DELETE ON settings FOR EACH ROW EXECUTE FUNCTION stay()"
        }
    }
}

const OF_REFERENCES: &[Refused] = &[
    ("DELETE", "/api/1.0/addresses/1", "", 10020),
    (
        "POST",
        "/api/1.0/persons",
        r#"{"first_name": "a", "last_name": "b", "bill_address_id": 9, "ship_address_id": 1, "mail_address_id": 1}"#,
        10031,
    ),
    (
        "PUT",
        "/api/1.0/persons/1",
        r#"{"bill_address_id": 9}"#,
        10031,
    ),
];

/// Codes that every operation may give: those of headers and sizes, and those of the server and the
/// service as a whole.
const OF_EVERY_RESOURCE: [u64; 8] = [10071, 10072, 10073, 10075, 10076, 10077, 10078, 10090];

fn codes(document: &Value, method: &str, path: &str) -> BTreeSet<u64> {
    let operation = &document["paths"][path][method.to_lowercase()];
    let responses = operation["responses"].as_object().expect(path);
    let content = responses
        .values()
        .filter_map(|response| response["content"].get("application/json"));
    let examples = content.filter_map(|content| content["examples"].as_object());
    let codes = examples.flat_map(|examples| examples.keys().map(|code| code.parse().unwrap()));
    codes.collect()
}

fn refused(service: &Client, (method, path, body, code): Refused) -> Answer {
    let request = service.request(method, path);
    let request = match body {
        "" => request,
        body if method == "PATCH" => request
            .header("content-type", "application/merge-patch+json")
            .body(body),
        body => request.json(body),
    };
    // These two depend on a header alone.
    let request = match (code, method) {
        (10040, _) => request.header("if-match", "\"a\""),
        (10074, "GET") => request.header("if-none-match", "a"),
        (10074, _) => request.header("if-match", "a"),
        _ => request,
    };
    let answer = request.send();
    assert_error(&answer, answer.status, code);
    answer
}

#[apply(every_database)]
fn the_documented_error_codes_are_exactly_those_that_occur() {
    let service = address_book();
    let address = service.create("/api/1.0/addresses", &json!({"line1": "a"}));
    assert_eq!(address, "/api/1.0/addresses/1");
    service.create("/api/1.0/settings", &json!({"name": "a", "value": ""}));
    service.create("/api/1.0/settings", &json!({"name": "b", "value": ""}));
    let person = json!({"first_name": "a", "last_name": "b", "bill_address_id": 1, "ship_address_id": 1, "mail_address_id": 1});
    service.create("/api/1.0/persons", &person);
    service.database().other_program().execute(trigger());
    let document = document(&service, "1.0");

    let mut had = BTreeSet::new();
    let cases = OF_SETTINGS.iter().chain(OF_REFERENCES).copied();
    let changes = cases.clone().filter(|(method, ..)| *method == "PUT");
    let patches = changes.map(|(_, path, body, code)| ("PATCH", path, body, code));
    for case in cases.chain(patches) {
        refused(&service, case);
        let (method, path, _, code) = case;
        let path = path.split('?').next().unwrap();
        let path = match path.rsplit_once('/').unwrap() {
            (collection, "1" | "9") => format!("{collection}/{{id}}"),
            _ => path.to_owned(),
        };
        had.insert((method.to_owned(), path, u64::from(code)));
    }
    let described = ["settings", "addresses", "persons"]
        .into_iter()
        .flat_map(|collection| {
            let at = |path: String, methods: &'static [&'static str]| {
                methods
                    .iter()
                    .map(move |method| ((*method).to_owned(), path.clone()))
            };
            let collection = format!("/api/1.0/{collection}");
            let item = format!("{collection}/{{id}}");
            at(collection, &["GET", "POST"]).chain(at(item, &["GET", "PUT", "PATCH", "DELETE"]))
        });
    // Persons and addresses have the codes of settings, but for references and uniqueness.
    let own = |path: &str, code: u64| path.contains("/settings") || [10020, 10031].contains(&code);
    let described: BTreeSet<_> = described
        .flat_map(|(method, path)| {
            let codes = codes(&document, &method, &path).into_iter();
            codes
                .filter(|code| !OF_EVERY_RESOURCE.contains(code) && own(&path, *code))
                .map(|code| (method.clone(), path.clone(), code))
                .collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(had, described);
}

#[test]
fn the_openapi_documents_of_an_api_are_deterministic() {
    let database = TestDatabase::sqlite();
    let build = || {
        let url = database.url();
        let database = block_on(Database::connect(&url)).unwrap();
        Api::builder()
            .resource::<SettingOne>()
            .resource::<SettingTwo>()
            .resource::<Address>()
            .resource::<Person>()
            .build(database)
            .unwrap()
    };
    for form in [OpenApiVersion::V31, OpenApiVersion::V30] {
        let written = build().openapi("1.0", form);
        assert!(written.is_some());
        assert_eq!(written, build().openapi("1.0", form));
    }
}

/// All descriptions in a document.
fn descriptions(value: &Value) -> Vec<&str> {
    match value {
        Value::Object(members) => members
            .iter()
            .flat_map(|(name, member)| match member.as_str() {
                Some(text) if name == "description" => vec![text],
                _ => descriptions(member),
            })
            .collect(),
        Value::Array(values) => values.iter().flat_map(descriptions).collect(),
        _ => Vec::new(),
    }
}

#[apply(every_database)]
fn descriptions_contain_no_html_tags() {
    let document = document(&address_book(), "1.0");
    let descriptions = descriptions(&document);
    assert!(descriptions.len() > 100);
    for description in descriptions {
        assert!(!description.contains('<'), "{description}");
    }
}

#[apply(every_database)]
fn the_document_has_base_url_title_and_description() {
    let service = Service::start(|database| {
        Api::builder()
            .title("Settings & more")
            .description("What is set.")
            .base_url("https://api.example.com/app")
            .resource::<SettingOne>()
            .build(database)
    });
    let document = document(&service, "1.0");
    assert_eq!(document["info"]["title"], "Settings & more");
    assert_eq!(document["info"]["description"], "What is set.");
    assert_eq!(
        document["servers"],
        json!([{"url": "https://api.example.com/app"}])
    );
}

#[derive(Debug, ApiResource)]
#[resource(name = "SettingPage", url = "/setting-pages", version = "1.0")]
struct SettingPage {
    id: i64,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Error", url = "/errors", version = "1.0")]
struct Failed {
    id: i64,
}

#[test]
fn two_schemas_of_one_name_are_a_build_error() {
    let mistake =
        |builder: ApiBuilder| builder.schema_sql(Dialect::Sqlite).unwrap_err().to_string();
    let settings = || Api::builder().resource::<SettingOne>();
    assert_eq!(
        mistake(settings().resource::<SettingPage>()),
        "the description of the API would have two schemas `SettingPage`, one for `SettingPage` \
         and one for `Setting`; give one of them another name"
    );
    let failed = mistake(Api::builder().resource::<Failed>());
    assert!(failed.contains("one for the API itself"), "{failed}");
    let hidden = settings().resource::<SettingPage>().hide_documentation();
    assert!(hidden.schema_sql(Dialect::Sqlite).is_ok());
}

#[derive(Debug, ApiResource)]
#[resource(name = "Owner", url = "/owners", version = "1.0", table = "owners")]
struct OwnerOne {
    id: i64,
    name: Option<String>,
    nickname: Option<String>,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Owner", url = "/owners", version = "2.0", table = "owners")]
struct OwnerTwo {
    id: i64,
    name: Option<String>,
}

#[derive(Debug, ApiResource)]
#[resource(
    name = "Thing",
    url = "/things",
    version = "2.0",
    subresource(owner = "owner_id")
)]
struct Thing {
    id: i64,
    #[resource(references = OwnerOne)]
    owner_id: i64,
}

#[apply(every_database)]
fn a_subresource_of_another_version_has_the_schema_of_that_version() {
    let service = Service::start(|database| {
        Api::builder()
            .resource::<OwnerOne>()
            .resource::<OwnerTwo>()
            .resource::<Thing>()
            .build(database)
    });
    service.create("/api/1.0/owners", &json!({"name": "Ann", "nickname": "A"}));
    service.create("/api/2.0/things", &json!({"owner_id": 1}));
    for version in ["2.0", "latest"] {
        let thing = service.read(&format!("/api/{version}/things/1?fields=owner(nickname)"));
        assert_eq!(thing, json!({"owner": {"nickname": "A"}}));
        let document = document(&service, version);
        let schemas = &document["components"]["schemas"];
        let shown = &schemas["OwnerFrom1_0"]["properties"];
        assert!(shown.get("nickname").is_some(), "{schemas}");
        assert!(schemas["Owner"]["properties"].get("nickname").is_none());
        let owner = &schemas["Thing"]["properties"]["owner"]["anyOf"][0]["$ref"];
        assert_eq!(owner, "#/components/schemas/OwnerFrom1_0");
    }
}

#[derive(Debug, ApiResource)]
#[resource(name = "Seat", url = "/seats", version = "1.0", unique(row, number))]
struct Seat {
    id: i64,
    row: String,
    number: i64,
}

#[apply(every_database)]
fn attributes_unique_together_are_described_in_words() {
    let service = Service::start(|database| Api::builder().resource::<Seat>().build(database));
    let document = document(&service, "1.0");
    for body in ["SeatCreate", "SeatUpdate"] {
        let said = &document["components"]["schemas"][body]["description"];
        assert_eq!(said, "No two items share `row` and `number` together.");
    }
}
