//! The OpenAPI document of a version, against which its responses are checked.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use jsonschema::Validator;
use reqwest::{Method, Url};
use serde_json::{Value, json};

use super::coverage::{Coverage, described};
use crate::Answer;

/// Methods that every path has, beside those that are described.
const OF_EVERY_PATH: [Method; 2] = [Method::HEAD, Method::OPTIONS];

/// Headers that clients act upon, which must be described where they are sent.
const ACTED_UPON: [&str; 11] = [
    "accept-patch",
    "content-location",
    "deprecation",
    "etag",
    "idempotent-replayed",
    "link",
    "location",
    "preference-applied",
    "retry-after",
    "sunset",
    "www-authenticate",
];

/// The description of a version.
pub(super) struct Document {
    json: Value,
    /// Compiled schemas by their references.
    validators: Mutex<HashMap<String, Arc<Validator>>>,
    coverage: Coverage,
}

impl Document {
    pub(super) fn parse(text: &str) -> Self {
        Self {
            json: serde_json::from_str(text).expect("a JSON document"),
            validators: Mutex::default(),
            coverage: Coverage::default(),
        }
    }

    pub(super) fn json(&self) -> &Value {
        &self.json
    }

    /// Asserts that a response is one that the document describes for its operation.
    #[track_caller]
    pub(super) fn check(&self, method: &Method, url: &Url, answer: &Answer) {
        let path = url.path();
        let Some((template, item)) = self.path_item(path) else {
            let is_known =
                // The document describes no unknown paths, nor its own address.
                answer.status >= 400 || !self.is_below(path) || path.contains("/openapi");
            assert!(is_known, "{path} is not described: {answer:?}");
            return;
        };
        let Some(operation) = operation(item, method) else {
            let is_known = OF_EVERY_PATH.contains(method) || answer.status >= 400;
            assert!(is_known, "{method} {path} is not described: {answer:?}");
            return;
        };
        let status = answer.status.to_string();
        let response = operation["responses"].get(&status);
        let response = response.unwrap_or_else(|| {
            panic!("{method} {path} is not said to answer {status}: {answer:?}")
        });
        let response = self.resolved(response);
        self.check_headers(response, answer);
        self.check_body(response, answer);
        let name = format!("{method} {template}");
        self.coverage.note(&self.json, &name, response, url, answer);
    }

    /// Described parts that no response has shown yet.
    pub(super) fn responses_not_seen(&self) -> Vec<String> {
        self.coverage.missing(&described(&self.json))
    }

    /// Tells that a path is below the index of the version.
    fn is_below(&self, path: &str) -> bool {
        let paths = self.json["paths"].as_object().expect("an object");
        // The index is the root of a version, so its path is the shortest.
        let index = paths.keys().min_by_key(|path| path.len());
        index.is_some_and(|index| path.starts_with(&format!("{index}/")))
    }

    /// The described path that matches a path segment by segment, and its path item.
    fn path_item(&self, path: &str) -> Option<(&String, &Value)> {
        let path: Vec<&str> = path.split('/').collect();
        let is_alike = |template: &str| {
            let template: Vec<&str> = template.split('/').collect();
            let mut pairs = template.iter().zip(&path);
            template.len() == path.len()
                && pairs
                    .all(|(said, here)| said == here || (said.starts_with('{') && !here.is_empty()))
        };
        let paths = self.json["paths"].as_object().expect("an object");
        paths.iter().find(|(template, _)| is_alike(template))
    }

    #[track_caller]
    fn check_headers(&self, response: &Value, answer: &Answer) {
        let headers = response["headers"].as_object();
        for (name, header) in headers.into_iter().flatten() {
            let header = self.resolved(header);
            let is_there = answer.headers.contains_key(name);
            assert!(is_there || header["required"] != true, "{name}: {answer:?}");
        }
        let described: Vec<_> = headers.into_iter().flatten().collect();
        for name in ACTED_UPON {
            let is_described = described
                .iter()
                .any(|(described, _)| described.eq_ignore_ascii_case(name));
            let is_there = answer.headers.contains_key(name);
            assert!(
                is_described || !is_there,
                "{name} is not described: {answer:?}"
            );
        }
    }

    #[track_caller]
    fn check_body(&self, response: &Value, answer: &Answer) {
        let content_type = answer.header("content-type").unwrap_or_default();
        let media_type = content_type.split(';').next().unwrap_or_default();
        let Some(content) = response.get("content") else {
            // A client that asks for the new item knows its schema from `GET`.
            let is_preferred = answer.header("preference-applied") == Some("return=representation");
            let is_described = answer.body.is_empty() || (answer.status == 201 && is_preferred);
            assert!(is_described, "no body is described: {answer:?}");
            return;
        };
        // Told in words, which spares generated clients a union with a text.
        if matches!(media_type, "application/x-ndjson" | "text/csv") {
            return;
        }
        let media = content.get(media_type);
        let media = media.unwrap_or_else(|| panic!("«{media_type}» is not described: {answer:?}"));
        let is_packed = answer.headers.contains_key("content-encoding");
        // Compressed bodies and HTML pages are no JSON that a schema could be held against.
        if is_packed || !media_type.ends_with("json") {
            return;
        }
        let body: Value = match serde_json::from_slice(&answer.body) {
            Ok(body) => body,
            // A stored JSON value may be nested deeper than `serde_json` reads.
            Err(error) if error.to_string().contains("recursion limit") => return,
            Err(error) => panic!("{error} in {answer:?}"),
        };
        if let Some(code) = body.get("error_code") {
            let codes = media["examples"].as_object().expect("an example of each");
            let is_said = codes.contains_key(&code.to_string());
            assert!(is_said, "code {code} is not described: {answer:?}");
        }
        let validator = self.validator(&media["schema"]);
        let mistakes: Vec<String> = validator
            .iter_errors(&body)
            .map(|mistake| format!("{mistake} at `{}`", mistake.instance_path()))
            .collect();
        assert!(mistakes.is_empty(), "{mistakes:?} in {body}");
    }

    fn validator(&self, schema: &Value) -> Arc<Validator> {
        let reference = schema["$ref"].as_str().expect("a component").to_owned();
        let mut validators = self
            .validators
            .lock()
            .expect("nothing panics under this lock");
        let validator = validators.entry(reference).or_insert_with_key(|reference| {
            let schema = json!({"$ref": reference, "components": self.json["components"]});
            let options = jsonschema::draft202012::options().should_validate_formats(true);
            Arc::new(options.build(&schema).expect("a sound schema"))
        });
        Arc::clone(validator)
    }

    fn resolved<'here>(&'here self, value: &'here Value) -> &'here Value {
        let reference = value["$ref"].as_str();
        let pointer = reference.and_then(|reference| reference.strip_prefix('#'));
        let target = pointer.map(|pointer| self.json.pointer(pointer));
        target.map_or(value, |target| target.expect("what is referred to"))
    }
}

/// The operation of a method, whose name is case-sensitive in HTTP and in small letters in a path item.
fn operation<'item>(item: &'item Value, method: &Method) -> Option<&'item Value> {
    let name = method.as_str();
    let is_standard = name.chars().all(|letter| letter.is_ascii_uppercase());
    is_standard.then(|| item.get(name.to_lowercase()))?
}
