//! The file of published versions beside the OpenAPI documents: both tell the same facts of each version.

use std::collections::BTreeSet;

use resource_runtime::{ApiBuilder, OpenApiVersion};
use resource_tests::InProcessApi;
use serde_json::Value;

use crate::published::LockFile;
use crate::rich;

/// Facts in words of this test.
type Facts = BTreeSet<String>;

#[test]
fn documents_and_the_file_tell_the_same() {
    assert_same(rich::api, &["1.0", "2.0"]);
}

/// Asserts that the documents of these versions have each fact of the file, and no other.
fn assert_same(api: fn() -> ApiBuilder, versions: &[&str]) {
    let file = LockFile::new();
    for version in versions {
        file.run(api(), &["lock", "--publish", version]).unwrap();
    }
    let lock: toml::Table = file.text().parse().unwrap();
    let served = InProcessApi::new(api());
    let mut compared = 0;
    for version in versions {
        let document = served.openapi(version, OpenApiVersion::V31).unwrap();
        let document = Document(serde_json::from_str(&document).unwrap());
        let resources = lock.iter().filter_map(|(name, versions)| {
            let promises = versions.as_table()?.get(*version)?;
            Some((name, serde_json::to_value(promises).unwrap()))
        });
        for (name, promises) in resources {
            let promised = promised(&promises);
            let described = document.facts(name, promises["path"].as_str().unwrap());
            let beyond = |one: &Facts, other: &Facts| format!("{:#?}", one - other);
            let forgotten = beyond(&promised, &described);
            assert_eq!(
                forgotten, "{}",
                "the document of {name} {version} lacks these"
            );
            let forgotten = beyond(&described, &promised);
            assert_eq!(forgotten, "{}", "the file lacks these of {name} {version}");
            compared += described.len();
        }
        let schemas = lock.iter().filter(|(_, it)| it.get(version).is_some());
        assert_eq!(schemas.count(), document.collections().len(), "{version}");
    }
    assert!(compared > 100, "{compared}");
}

fn object(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let members = value.as_object().into_iter().flatten();
    members.map(|(name, it)| (&**name, it))
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().expect("texts").iter().map(text).collect()
}

/// The facts of a version in the file, with those that are left out because they are the usual ones.
fn promised(version: &Value) -> Facts {
    let usual = ["list", "retrieve", "create", "update", "delete"];
    let operations = version.get("operations").map_or(usual.to_vec(), texts);
    let mut sizes = vec![("default", 10), ("max", 1000)];
    if version.get("collection").is_some() {
        sizes.extend([("collection_default", 10), ("collection_max", 100)]);
    }
    let offered = operations.iter().map(|it| format!("operation {it}"));
    let sizes = sizes.into_iter().map(|(size, usual)| {
        let own = version.get("page").and_then(|it| it.get(size)?.as_i64());
        format!("page {size} {}", own.unwrap_or(usual))
    });
    let mut facts: Facts = offered.chain(sizes).collect();
    for (key, value) in object(version) {
        let told = |of: &Value| -> Vec<String> {
            let facts = object(of).map(|(it, value)| format!("{key} {it} {}", text(value)));
            facts.collect()
        };
        facts.extend(match key {
            // The history of the version is not told, nor what a validator and a revision do.
            "published" | "follows" | "breaks" | "amended" | "validator" | "revision"
            | "operations" => vec![],
            "path" | "deprecated" | "sunset" => vec![format!("{key} {}", text(value))],
            "all" | "count_none" | "upsert" | "if_match" | "idempotency" | "idempotency_key" => {
                vec![key.to_owned()]
            }
            "access" | "owner" => told(value),
            "key" => vec![format!("key {}", texts(value).join(" "))],
            "unique" => {
                let sets = value.as_array().expect("sets").iter();
                sets.map(|it| format!("unique {}", texts(it).join(" ")))
                    .collect()
            }
            "page" => {
                let offset = value.get("max_offset").into_iter();
                offset.map(|it| format!("page max_offset {it}")).collect()
            }
            "subresource" | "collection" => object(value)
                .flat_map(|(name, it)| {
                    // By which attribute a collection is found is told at the items that it holds.
                    let keys = if key == "subresource" {
                        texts(&it["keys"])
                    } else {
                        vec![]
                    };
                    let keys = keys
                        .into_iter()
                        .map(move |it| format!("{key} {name} by {it}"));
                    keys.chain([format!("{key} {name} {}", text(&it["shows"]))])
                })
                .collect(),
            "attribute" => {
                let is_created = operations.contains(&"create");
                object(value)
                    .flat_map(|(name, it)| of_member(name, it, is_created))
                    .collect()
            }
            other => panic!("`{other}` is compared with nothing"),
        });
    }
    facts
}

/// The keys of attributes that are compared.
const OF_MEMBERS: &str = "kind key null names max_length min_length max min digits scale required read_only write_only \
                          redacted unique open default read_scope write_scope references deprecated sunset instead answers";

/// The facts of an attribute in the file, of answers and of bodies.
fn of_member(name: &str, of: &Value, is_created: bool) -> Vec<String> {
    for (key, _) in object(of) {
        let is_known = OF_MEMBERS.split_whitespace().any(|it| it == key);
        assert!(is_known, "`{key}` of `{name}` is compared with nothing");
    }
    let has = |key: &str| of.get(key).is_some();
    let is_given = has("read_only") || of.get("key").is_some_and(|it| it == "database");
    let is_path = !has("redacted") && !has("write_only");
    let mut facts: Vec<String> = is_path
        .then(|| format!("path {name}"))
        .into_iter()
        .collect();
    let places = [
        ("answer", !has("write_only")),
        ("body", !is_given && is_created),
    ];
    for (place, _) in places.into_iter().filter(|(_, is_there)| *is_there) {
        let own = of_place(of, place == "answer", is_given);
        facts.extend(own.iter().map(|it| format!("{place} {name} {it}")));
    }
    facts
}

fn of_place(of: &Value, is_answer: bool, is_given: bool) -> Vec<String> {
    let (form, range) = form(text(&of["kind"]));
    let has = |key: &str| of.get(key).is_some();
    let answers = of.get("answers").filter(|_| is_answer);
    let fact = |key: &str| answers.and_then(|it| it.get(key)).or(of.get(key));
    let mut facts = vec![form.to_owned()];
    let flags = [
        ("read_only", is_answer && is_given),
        // Null is one of all values of JSON.
        (
            "null",
            form != "anything" && fact("null").is_some_and(|it| it == true),
        ),
        ("unique", has("unique")),
        ("required", !is_answer && has("required")),
    ];
    facts.extend(
        flags
            .iter()
            .filter(|(_, holds)| *holds)
            .map(|(word, _)| (*word).to_owned()),
    );
    if let Some(names) = fact("names").filter(|it| it.is_array()) {
        let others = if has("open") && is_answer {
            " or others"
        } else {
            ""
        };
        facts.push(format!("names {}{others}", texts(names).join(" ")));
    }
    for limit in ["min_length", "max_length", "min", "max", "digits", "scale"] {
        // A single may be written with digits by which it seems to exceed its limit.
        let own = fact(limit).filter(|it| it.is_number() && !(is_answer && form == "number float"));
        let of_kind = match limit {
            "min" => range.map(|(min, _)| Value::from(min)),
            "max" => range.map(|(_, max)| Value::from(max)),
            _ => None,
        };
        facts.extend(
            own.cloned()
                .or(of_kind)
                .map(|bound| format!("{limit} {bound}")),
        );
    }
    let [scope, default] = if is_answer {
        ["read_scope", ""]
    } else {
        ["write_scope", "default"]
    };
    let texts = [
        ("references", "references"),
        ("deprecated", "deprecated"),
        ("sunset", "sunset"),
        ("instead", "instead"),
        ("scope", scope),
        ("default", default),
    ];
    let texts = texts
        .iter()
        .filter_map(|(word, key)| Some((word, of.get(*key)?)));
    facts.extend(texts.map(|(word, value)| format!("{word} {}", text(value))));
    facts
}

/// The form of a kind in JSON, and its range.
fn form(kind: &str) -> (&'static str, Option<(i64, i64)>) {
    match kind {
        "bool" => ("boolean", None),
        "i16" => ("integer int32", Some((i16::MIN.into(), i16::MAX.into()))),
        "i32" => ("integer int32", Some((i32::MIN.into(), i32::MAX.into()))),
        "i64" => ("integer int64", Some((i64::MIN, i64::MAX))),
        "f32" => ("number float", None),
        "f64" => ("number double", None),
        "text" => ("string", None),
        "bytes" => ("string base64", None),
        "decimal" => ("string decimal", None),
        "uuid" => ("string uuid", None),
        "date" => ("string date", None),
        "time" => ("string time", None),
        "local_date_time" => ("string local", None),
        "timestamp" => ("string date-time", None),
        "json" => ("anything", None),
        other => panic!("`{other}` is compared with nothing"),
    }
}

/// An OpenAPI document.
struct Document(Value);

impl Document {
    /// The paths of collections.
    fn collections(&self) -> Vec<&str> {
        let paths = object(&self.0["paths"]).map(|(path, _)| path);
        // The first is the index of the version.
        paths.filter(|it| !it.ends_with("/{id}")).skip(1).collect()
    }

    fn schema(&self, name: &str) -> &Value {
        &self.0["components"]["schemas"][name]
    }

    fn facts(&self, name: &str, path: &str) -> Facts {
        let mut facts = Facts::new();
        let paths = &self.0["paths"];
        let (collection, item) = (&paths[path], &paths[format!("{path}/{{id}}")]);
        let operations = [
            ("list", &collection["get"]),
            ("retrieve", &item["get"]),
            ("create", &collection["post"]),
            ("update", &item["put"]),
            ("delete", &item["delete"]),
        ];
        if !collection.is_null() {
            facts.insert(format!("path {path}"));
        }
        for (operation, described) in operations.iter().filter(|(_, it)| !it.is_null()) {
            facts.insert(format!("operation {operation}"));
            if let Some(scopes) = security(&described["security"]) {
                facts.insert(format!("access {operation} {scopes}"));
            }
            let headers = parameters(described).filter(|it| it["in"] == "header");
            for header in headers {
                let is_required = header["required"] == true;
                match (*operation, text(&header["name"])) {
                    ("create", "Idempotency-Key") => {
                        facts.insert("idempotency".to_owned());
                        facts.extend(is_required.then(|| "idempotency_key".to_owned()));
                    }
                    (_, "If-Match") if is_required => {
                        facts.insert("if_match".to_owned());
                    }
                    _ => {}
                }
            }
            let description = text(&described["description"]);
            facts.extend(of_deprecation(description));
            assert_eq!(
                described["deprecated"] == true,
                description.contains("Deprecated")
            );
            if *operation == "update" && !described["responses"]["201"].is_null() {
                facts.insert("upsert".to_owned());
            }
        }
        facts.extend(of_list(&collection["get"]));
        let parts = between(
            text(&item["parameters"][0]["description"]),
            "the values of its key, ",
            ", in this",
        );
        facts.extend(parts.map(|it| format!("key {}", it.replace(['`', ','], ""))));
        let (shown, created) = (self.schema(name), self.schema(&format!("{name}Create")));
        self.add_attributes(&mut facts, "answer", shown);
        self.add_attributes(&mut facts, "body", created);
        let unique = created
            .get("description")
            .map_or("", text)
            .split("No two items share ")
            .skip(1);
        for set in unique {
            let set = set.split(" together").next().unwrap();
            let set = set.replace("` and `", " ").replace('`', "");
            if !facts.contains(&format!("key {set}")) {
                facts.insert(format!("unique {set}"));
            }
        }
        // A change names the same attributes, but for the key.
        let updated = self.schema(&format!("{name}Update"));
        let names = |of: &Value| {
            object(&of["properties"])
                .map(|(it, _)| it.to_owned())
                .collect::<Facts>()
        };
        assert!(names(created).is_superset(&names(updated)), "{name}");
        facts
    }

    fn add_attributes(&self, facts: &mut Facts, place: &str, schema: &Value) {
        let required = schema.get("required").map_or(Vec::new(), texts);
        for (name, described) in object(&schema["properties"]) {
            if let Some(shown) = shown(name, described, schema) {
                facts.extend(shown);
                continue;
            }
            for fact in self.of_attribute(described) {
                match fact.strip_prefix("owner ") {
                    Some(owner) => facts.insert(format!("owner {owner}")),
                    None => facts.insert(format!("{place} {name} {fact}")),
                };
            }
            if required.contains(&name) {
                facts.insert(format!("{place} {name} required"));
            }
        }
    }

    fn of_attribute(&self, described: &Value) -> Facts {
        let mut facts = Facts::new();
        let reference = described.get("$ref").or(described["anyOf"][0].get("$ref"));
        if let Some(reference) = reference {
            let (_, name) = text(reference).rsplit_once('/').expect("a path");
            facts.extend(self.of_attribute(self.schema(name)));
        } else {
            facts.insert(form_of(described));
        }
        let types = [&described["type"], &described["anyOf"][1]["type"]];
        if types
            .iter()
            .any(|it| **it == "null" || it.as_array().is_some_and(|it| it.contains(&"null".into())))
        {
            facts.insert("null".to_owned());
        }
        let words = described.get("description").map_or("", text);
        facts.extend(of_words(words));
        assert_eq!(
            described.get("deprecated").is_some(),
            words.contains("Deprecated since"),
            "{described}"
        );
        // Of base64, the description tells how many bytes it holds.
        let is_base64 = described.get("contentEncoding").is_some();
        for (key, value) in object(described) {
            let fact = match key {
                "maxLength" | "minLength" if is_base64 => continue,
                "$ref" | "anyOf" | "type" | "format" | "contentEncoding" | "description"
                | "deprecated" | "writeOnly" | "x-references" => continue,
                "pattern" => {
                    // Of decimals, it tells the digits.
                    let digits = text(value)
                        .split("\\d{1,")
                        .skip(1)
                        .map(|it| it.split('}').next().expect("a number"));
                    let limits = ["digits", "scale"]
                        .iter()
                        .zip(digits)
                        .filter(|_| text(value).starts_with("^-?"));
                    facts.extend(limits.map(|(limit, count)| format!("{limit} {count}")));
                    continue;
                }
                "enum" => format!("names {}", texts(value).join(" ")),
                "readOnly" => "read_only".to_owned(),
                "minimum" => format!("min {value}"),
                "maximum" => format!("max {value}"),
                "maxLength" => format!("max_length {value}"),
                "minLength" => format!("min_length {value}"),
                other => panic!("`{other}` is compared with nothing"),
            };
            facts.insert(fact);
        }
        facts
    }
}

/// The form of values in JSON: the type, and the format or what stands for it.
fn form_of(described: &Value) -> String {
    let kind = described["type"].as_str().or(described["type"][0].as_str());
    let pattern = described.get("pattern").map_or("", text);
    let format = match described.get("format").or(described.get("contentEncoding")) {
        Some(format) => text(format),
        None if pattern.starts_with(r"^\d{4}-") => "local",
        None if pattern.starts_with("^([01]") => "time",
        None => "",
    };
    kind.map_or("anything".to_owned(), |kind| {
        format!("{kind} {format}").trim_end().to_owned()
    })
}

/// The facts that the sentences of an attribute tell.
fn of_words(words: &str) -> Vec<String> {
    let paragraphs = words.split("\n\n").filter(|it| !it.is_empty());
    paragraphs.flat_map(of_paragraph).collect()
}

fn of_paragraph(paragraph: &str) -> Vec<String> {
    let names: Vec<&str> = paragraph.split('`').skip(1).step_by(2).collect();
    let begins = |start: &str| paragraph.starts_with(start);
    if begins("Refers to") {
        vec![format!("references {}", names[0])]
    } else if begins("No two items") {
        vec!["unique".to_owned()]
    } else if begins("Only there") || begins("Only set") {
        let word = if paragraph.contains("` and `") {
            "all"
        } else {
            "any"
        };
        vec![format!("scope {word} {}", names.join(" "))]
    } else if begins("The claim") {
        vec![
            format!("owner claim {}", names[0]),
            format!("owner bypass any {}", names[1]),
        ]
    } else if begins("The service chooses") {
        vec!["default computed".to_owned()]
    } else if let Some(default) = between(paragraph, "Where none is sent, it is `", "`.") {
        vec![format!("default {default}")]
    } else if begins("Deprecated") {
        let instead = between(paragraph, "Use `", "`").map(|it| format!("instead {it}"));
        of_deprecation(paragraph)
            .into_iter()
            .chain(instead)
            .collect()
    } else if let Some(bytes) = between(paragraph, "At most ", " bytes.") {
        vec![format!("max_length {bytes}")]
    } else if paragraph.contains("or another text that is added later") {
        vec![format!("names {} or others", names.join(" "))]
    } else {
        panic!("{paragraph:?} is compared with nothing")
    }
}

/// The facts of a member that shows other items; none of an attribute.
fn shown(name: &str, described: &Value, item: &Value) -> Option<Vec<String>> {
    let of_collection = &described["properties"]["items"]["items"]["$ref"];
    let of_subresource = &described["anyOf"][0]["$ref"];
    let (role, reference) = match (of_collection.as_str(), of_subresource.as_str()) {
        (Some(reference), _) => ("collection", reference),
        (_, Some(reference)) => ("subresource", reference),
        _ => return None,
    };
    let (_, target) = reference.rsplit_once('/')?;
    let (resource, version) = target.split_once("From").unwrap_or((target, "1_0"));
    let keys = object(&item["properties"]).filter(|(_, it)| {
        let expands = format!("`fields` expands it as `{name}(…)`");
        it["description"]
            .as_str()
            .is_some_and(|it| it.contains(&expands))
    });
    let keys: Vec<&str> = keys.map(|(name, _)| name).collect();
    // An enum that may be null refers to its names in the same way, and nothing expands it.
    if role == "subresource" && keys.is_empty() {
        return None;
    }
    let shows = format!("{role} {name} {resource} {}", version.replace('_', "."));
    let keys = keys.iter().map(|it| format!("{role} {name} by {it}"));
    Some(std::iter::once(shows).chain(keys).collect())
}

fn parameters(operation: &Value) -> impl Iterator<Item = &Value> {
    operation["parameters"].as_array().into_iter().flatten()
}

/// The facts that the parameters of a list tell.
fn of_list(list: &Value) -> Facts {
    let mut facts = Facts::new();
    for parameter in parameters(list) {
        let (schema, words) = (&parameter["schema"], parameter["description"].as_str());
        match text(&parameter["name"]) {
            "limit" => {
                let all = &schema["anyOf"];
                let number = if all.is_null() { schema } else { &all[0] };
                facts.extend((!all.is_null()).then(|| "all".to_owned()));
                facts.insert(format!("page default {}", number["default"]));
                facts.insert(format!("page max {}", number["maximum"]));
            }
            "offset" if schema["maximum"] != i64::MAX => {
                facts.insert(format!("page max_offset {}", schema["maximum"]));
            }
            "count" => {
                facts.insert("count_none".to_owned());
            }
            "filter" => {
                let (_, paths) = words.unwrap().split_once("Paths: ").unwrap();
                let paths = paths.split('`').skip(1).step_by(2);
                // Behind the paths stand the tests of collections.
                let own = paths.filter(|it| !it.contains(['.', '(']));
                facts.extend(own.map(|it| format!("path {it}")));
            }
            "fields" => {
                let sizes = words.and_then(|it| between(it, "It holds ", ".\n"));
                if let Some((usual, most)) = sizes.and_then(|it| it.split_once(" of them")) {
                    let (_, most) = most.rsplit_once(' ').unwrap();
                    facts.insert(format!("page collection_default {usual}"));
                    facts.insert(format!("page collection_max {most}"));
                }
            }
            _ => {}
        }
    }
    facts
}

/// The scopes of the requirements that are alternatives; none where nobody needs any.
fn security(of: &Value) -> Option<String> {
    let alternatives = of.as_array()?.iter();
    let scopes: Vec<Vec<&str>> = alternatives
        .map(|it| Some(texts(it.get("bearer")?)))
        .collect::<Option<_>>()?;
    Some(match &scopes[..] {
        [all] if all.len() > 1 => format!("all {}", all.join(" ")),
        any => format!("any {}", any.concat().join(" ")),
    })
}

/// The days of the sentence about a deprecation.
fn of_deprecation(words: &str) -> Vec<String> {
    let since = between(words, "Deprecated since ", "").map(|it| &it[..10]);
    let sunset = between(words, "may be gone from ", " on");
    let days = [("deprecated", since), ("sunset", sunset)];
    let days = days.into_iter().filter_map(|(key, day)| Some((key, day?)));
    days.map(|(key, day)| format!("{key} {day}")).collect()
}

/// The text between two others; all of the rest where the end is empty.
fn between<'text>(text: &'text str, start: &str, end: &str) -> Option<&'text str> {
    let (_, rest) = text.split_once(start)?;
    if end.is_empty() {
        Some(rest)
    } else {
        Some(rest.split_once(end)?.0)
    }
}
