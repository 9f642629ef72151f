//! Coverage of a description by responses, in lines: statuses of operations, their codes and parameters,
//! members of responses.

use std::collections::BTreeSet;
use std::sync::Mutex;

use reqwest::Url;
use serde_json::Value;

use crate::Answer;

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// The lines of a version that responses have shown.
#[derive(Default)]
pub(super) struct Coverage(Mutex<BTreeSet<String>>);

impl Coverage {
    /// Notes a response of the operation of this name, which is described by `response`.
    pub(super) fn note(
        &self,
        document: &Value,
        name: &str,
        response: &Value,
        url: &Url,
        answer: &Answer,
    ) {
        let status = answer.status;
        let body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        let mut lines = vec![format!("{name} {status}")];
        if let Some(code) = body.get("error_code") {
            lines.push(format!("{name} {status} {code}"));
        }
        // A parameter of a refused request proves nothing about the parameter.
        if status == 200 {
            let asked = url.query_pairs();
            lines.extend(asked.map(|(parameter, _)| format!("{name} ?{parameter}")));
            let schema = &response["content"]["application/json"]["schema"];
            members(document, schema, Some(&body), &mut lines);
        }
        let mut had = self.0.lock().expect("nothing panics under this lock");
        had.extend(lines);
    }

    /// The described lines that no response has shown.
    pub(super) fn missing(&self, described: &BTreeSet<String>) -> Vec<String> {
        let had = self.0.lock().expect("nothing panics under this lock");
        described.difference(&had).cloned().collect()
    }
}

/// All lines of a document.
pub(super) fn described(document: &Value) -> BTreeSet<String> {
    let mut lines = Vec::new();
    for (path, item) in document["paths"].as_object().expect("an object") {
        for method in METHODS {
            if let Some(operation) = item.get(method) {
                let name = format!("{} {path}", method.to_uppercase());
                of_operation(document, &name, operation, &mut lines);
            }
        }
    }
    lines.into_iter().collect()
}

fn of_operation(document: &Value, name: &str, operation: &Value, lines: &mut Vec<String>) {
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    // What a header asks for shows in a status.
    for parameter in parameters.filter(|it| it["in"] != "header") {
        let parameter = parameter["name"].as_str().expect("a name");
        lines.push(format!("{name} ?{parameter}"));
    }
    for (status, response) in operation["responses"].as_object().expect("an object") {
        lines.push(format!("{name} {status}"));
        let json = &response["content"]["application/json"];
        let codes = json["examples"].as_object().into_iter().flatten();
        lines.extend(codes.map(|(code, _)| format!("{name} {status} {code}")));
        if status == "200" {
            members(document, &json["schema"], None, lines);
        }
    }
}

/// Collects the members of a schema, by the names of components; where there is a value, only those that it
/// has.
fn members(document: &Value, schema: &Value, value: Option<&Value>, lines: &mut Vec<String>) {
    let Some((name, schema)) = component(document, schema) else {
        return;
    };
    for (member, of_member) in schema["properties"].as_object().into_iter().flatten() {
        let inner = value.map(|value| value.get(member));
        // `Some(None)` is a value without this member; `None` is a walk over the schema alone.
        if inner != Some(None) {
            lines.push(format!("{name}.{member}"));
            within(document, of_member, inner.flatten(), lines);
        }
    }
}

/// Collects the members within a member: of an object, of an object or null, or of each item of a list.
fn within(document: &Value, schema: &Value, value: Option<&Value>, lines: &mut Vec<String>) {
    let choices = schema["anyOf"].as_array().into_iter().flatten();
    for choice in choices.chain([schema]) {
        members(document, choice, value, lines);
    }
    let items = &schema["items"];
    let Some(value) = value else {
        return members(document, items, None, lines);
    };
    for value in value.as_array().into_iter().flatten() {
        members(document, items, Some(value), lines);
    }
}

fn component<'here>(
    document: &'here Value,
    schema: &'here Value,
) -> Option<(&'here str, &'here Value)> {
    let reference = schema["$ref"].as_str()?;
    let name = reference.strip_prefix("#/components/schemas/")?;
    Some((name, &document["components"]["schemas"][name]))
}
