//! Lists in the formats of lines, compared with the same list as a page of JSON.

use serde_json::Value;

use crate::Client;

/// Asserts that the list at this path has the same items in every format. CSV is read by a strict parser of our own and
/// by that of another project.
#[track_caller]
pub fn assert_formats_agree(client: &Client, path: &str) {
    let sign = if path.contains('?') { '&' } else { '?' };
    let page = client.get(path);
    let items = page.ok()["items"].clone();
    let items = items.as_array().expect("a list");
    let ndjson = client.get(&format!("{path}{sign}format=ndjson"));
    assert_eq!(ndjson.header("content-type"), Some("application/x-ndjson"));
    assert_ndjson(ndjson.text(), page.text());
    let csv = client.get(&format!("{path}{sign}format=csv"));
    let content_type = "text/csv; charset=utf-8; header=present";
    assert_eq!(csv.header("content-type"), Some(content_type));
    assert_csv(csv.text(), items);
}

/// Asserts that the lines are the items of the page, byte for byte.
#[track_caller]
pub fn assert_ndjson(lines: &str, page: &str) {
    assert!(lines.is_empty() || lines.ends_with('\n'), "{lines}");
    let items: Vec<&str> = lines.lines().collect();
    let begin = format!("{{\"items\":[{}],", items.join(","));
    assert!(page.starts_with(&begin), "{lines}\n{page}");
}

/// Asserts that the lines are these items.
#[track_caller]
pub fn assert_csv(text: &str, items: &[Value]) {
    let rows = parsed(text);
    assert_read_alike(text, &rows);
    let (header, rows) = rows.split_first().expect("a header");
    assert_eq!(rows.len(), items.len(), "{text}");
    for (row, item) in rows.iter().zip(items) {
        assert_eq!(row.len(), header.len(), "{text}");
        for (name, field) in header.iter().zip(row) {
            let name = name.as_deref().expect("a name");
            let (first, second) = name.split_once('.').unwrap_or((name, ""));
            let member = &item[first];
            let member = if second.is_empty() {
                member
            } else {
                &member[second]
            };
            assert_field(field.as_deref(), member, name);
        }
    }
}

#[track_caller]
fn assert_field(field: Option<&str>, member: &Value, name: &str) {
    match (member, field) {
        (Value::Null, field) => assert_eq!(field, None, "{name}"),
        (Value::String(text), Some(field)) => {
            let is_number = text.parse::<f64>().is_ok();
            let is_guarded = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && !is_number;
            let guard = if is_guarded { "'" } else { "" };
            let is_json = serde_json::from_str::<Value>(field).is_ok_and(|it| it == *member);
            assert!(
                is_json || *field == format!("{guard}{text}"),
                "{name}: {field} is {text}"
            );
        }
        (Value::Object(_) | Value::Array(_), Some(field)) => {
            assert_eq!(
                serde_json::from_str::<Value>(field).ok().as_ref(),
                Some(member)
            );
        }
        (member, field) => assert_eq!(field, Some(&*member.to_string()), "{name}"),
    }
}

/// Asserts that the parser of another project reads the same fields; it does not tell null from the empty text.
#[track_caller]
fn assert_read_alike(text: &str, rows: &[Vec<Option<String>>]) {
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader.has_headers(false).from_reader(text.as_bytes());
    let records: Vec<csv::StringRecord> = reader.records().map(|it| it.expect("CSV")).collect();
    assert_eq!(records.len(), rows.len(), "{text}");
    for (record, row) in records.iter().zip(rows) {
        let row = row.iter().map(|field| field.as_deref().unwrap_or_default());
        assert!(record.iter().eq(row), "{record:?}");
    }
}

/// Parses CSV strictly as RFC 4180 says, each line with its end; a field without quotes and bytes is null.
#[track_caller]
fn parsed(text: &str) -> Vec<Vec<Option<String>>> {
    let mut rows = vec![Vec::new()];
    let mut rest = text;
    while !rest.is_empty() {
        let field = if let Some(quoted) = rest.strip_prefix('"') {
            Some(unquoted(quoted, &mut rest))
        } else {
            let end = rest.find([',', '\r', '\n', '"']);
            let (field, others) = rest.split_at(end.expect("an end of the field"));
            rest = others;
            Some(field.to_owned()).filter(|it| !it.is_empty())
        };
        rows.last_mut().expect("a line").push(field);
        if let Some(others) = rest.strip_prefix(',') {
            rest = others;
        } else {
            rest = rest.strip_prefix("\r\n").expect("an end of the line");
            rows.push(Vec::new());
        }
    }
    assert_eq!(rows.pop(), Some(Vec::new()), "the last line has no end");
    rows
}

#[track_caller]
fn unquoted<'text>(mut quoted: &'text str, rest: &mut &'text str) -> String {
    let mut field = String::new();
    loop {
        let (before, behind) = quoted.split_once('"').expect("an end of the quotes");
        field.push_str(before);
        let Some(others) = behind.strip_prefix('"') else {
            *rest = behind;
            return field;
        };
        field.push('"');
        quoted = others;
    }
}
