//! Requests with what the derive alone offers, each beside the requests of the same build that it may cost as much as.

use std::collections::HashMap;

use serde_json::Value;

use crate::load::Client;
use crate::random::unused_number;
use crate::{Outcome, message};

/// Items that are asked for in turn, so that the tag of each is known after its first turn.
pub(crate) const ITEMS: u64 = 100;

const LAST_PAGE: &str = "/settings?limit=10&count=none&cursor=start&offset=";

/// A request, with what stands in braces filled in for each: the `{id}` of an item, its `{tag}` as the service told it
/// last, the cursor of the `{last}` page, and a `{number}` that is used once.
pub(crate) struct Request {
    pub(crate) name: &'static str,
    method: &'static str,
    path: &'static str,
    headers: &'static str,
    body: &'static str,
    status: &'static str,
    /// The greatest ratio that is wanted to those that it is compared with, which are sent one after another.
    pub(crate) at_most: f64,
    pub(crate) others: &'static [&'static Self],
}

const GET: Request = Request {
    name: "get",
    method: "GET",
    path: "/settings/{id}",
    headers: "",
    body: "",
    status: "200",
    at_most: 1.0,
    others: &[],
};

/// The request of a client whose tag is that of an earlier state.
const GET_CHANGED: Request = Request {
    name: "get_changed",
    headers: "If-None-Match: \"d0123456789abcdef0123456789abcdef.0123456789abcdef\"\r\n",
    ..GET
};

const PUT: Request = Request {
    name: "put",
    method: "PUT",
    body: r#"{"value":"another value, which is number {number}"}"#,
    status: "204",
    ..GET
};

const POST: Request = Request {
    name: "post",
    method: "POST",
    path: "/settings",
    body: r#"{"name":"created {number}","value":"a value as long as most values are"}"#,
    status: "201",
    ..GET
};

const GET_DOCUMENT: Request = Request {
    name: "get_document",
    path: "/documents/{id}",
    ..GET
};

/// A change of an item with a revision, whose content is JSON.
const PUT_DOCUMENT: Request = Request {
    name: "put_document",
    path: GET_DOCUMENT.path,
    body: r#"{"content":{"title":"a title","size":{"width":640,"height":{number}}}}"#,
    ..PUT
};

/// A page that SQLite reads within so few steps that callgrind, which is slow, does not make it late.
const LIST: Request = Request {
    name: "list",
    path: "/settings?limit=8",
    ..GET
};

const LIST_100: Request = Request {
    name: "list_100",
    path: "/settings?limit=100",
    ..GET
};

const GET_SEAT: Request = Request {
    name: "get_seat",
    path: "/seats/{id}",
    ..GET
};

const PUT_SEAT: Request = Request {
    name: "put_seat",
    path: GET_SEAT.path,
    body: r#"{"guest":"another guest, with the number {number}"}"#,
    ..PUT
};

const LIST_SEATS: Request = Request {
    name: "list_seats",
    path: "/seats?limit=8",
    ..GET
};

/// A seat whose key has two parts.
const HALL_SEAT: &str = "/hall-seats/{id},{id}";

/// The greatest ratio of a key of two parts to one of one part.
const TWO_PARTS: f64 = 1.05;

const IF_MATCH: &str = "If-Match: {tag}\r\n";

const SHOWN: &str = "Prefer: return=representation\r\n";

pub(crate) const FEATURES: [Request; 15] = [
    Request {
        name: "get_unchanged",
        headers: "If-None-Match: {tag}\r\n",
        status: "304",
        others: &[&GET_CHANGED],
        ..GET
    },
    Request {
        name: "put_if_digest",
        headers: IF_MATCH,
        others: &[&PUT, &GET],
        ..PUT
    },
    Request {
        name: "put_if_revision",
        headers: IF_MATCH,
        at_most: 1.08,
        others: &[&PUT_DOCUMENT],
        ..PUT_DOCUMENT
    },
    Request {
        name: "put_shown",
        headers: SHOWN,
        status: "200",
        others: &[&PUT, &GET],
        ..PUT
    },
    Request {
        name: "patch",
        method: "PATCH",
        // The difference between two builds of one commit.
        at_most: 1.02,
        others: &[&PUT],
        ..PUT
    },
    Request {
        name: "patch_nested",
        method: "PATCH",
        body: r#"{"content":{"size":{"height":{number}}}}"#,
        others: &[&GET_DOCUMENT, &PUT_DOCUMENT],
        ..PUT_DOCUMENT
    },
    Request {
        name: "post_with_key",
        headers: "Idempotency-Key: key-of-request-{number}\r\n",
        at_most: 1.5,
        others: &[&POST],
        ..POST
    },
    Request {
        name: "post_shown",
        headers: SHOWN,
        others: &[&POST, &GET],
        ..POST
    },
    Request {
        name: "list_ndjson",
        path: "/settings?limit=100&format=ndjson",
        at_most: 1.05,
        others: &[&LIST_100],
        ..GET
    },
    Request {
        name: "list_csv",
        path: "/settings?limit=100&format=csv",
        at_most: 1.05,
        others: &[&LIST_100],
        ..GET
    },
    Request {
        name: "cursor_first",
        path: "/settings?limit=8&count=none&cursor=start",
        at_most: 1.15,
        others: &[&LIST],
        ..GET
    },
    Request {
        name: "cursor_last",
        path: "/settings?limit=8&count=none&cursor={last}",
        at_most: 1.3,
        others: &[&LIST],
        ..GET
    },
    Request {
        name: "get_two_parts",
        path: HALL_SEAT,
        at_most: TWO_PARTS,
        others: &[&GET_SEAT],
        ..GET
    },
    Request {
        name: "put_two_parts",
        path: HALL_SEAT,
        at_most: TWO_PARTS,
        others: &[&PUT_SEAT],
        ..PUT_SEAT
    },
    Request {
        name: "list_two_parts",
        path: "/hall-seats?limit=8",
        at_most: TWO_PARTS,
        others: &[&LIST_SEATS],
        ..GET
    },
];

/// A client, and what the service has told it.
pub(crate) struct Asking {
    client: Client,
    tags: HashMap<String, String>,
    last: String,
}

impl Asking {
    /// Reads the page before the last of so many settings, which has the cursor of the last.
    pub(crate) fn begin(mut client: Client, rows: u64) -> Outcome<Self> {
        let page = format!("{LAST_PAGE}{}", rows.saturating_sub(30));
        let page: Value = serde_json::from_slice(client.send(&get(&page, ""))?)?;
        let last = page.get("next").and_then(Value::as_str);
        Ok(Self {
            client,
            tags: HashMap::new(),
            last: last.ok_or("a page without a cursor")?.to_owned(),
        })
    }

    /// Sends the requests for this item, one after another.
    pub(crate) fn send(&mut self, requests: &[&Request], item: u64) -> Outcome {
        let mut requests = requests.iter();
        requests.try_for_each(|request| self.send_one(request, item))
    }

    /// Sends the request for this item, and reads the item first where its tag is not known.
    fn send_one(&mut self, request: &Request, item: u64) -> Outcome {
        let path = self.filled(request.path, item, "");
        let mut tag = self.tags.get(&path).cloned();
        if tag.is_none() && request.headers.contains("{tag}") {
            self.client.send(&get(&path, ""))?;
            tag = self.client.tag().map(str::to_owned);
        }
        let headers = self.filled(request.headers, item, tag.as_deref().unwrap_or_default());
        let content_type = match request.method {
            "PATCH" => message::MERGE_PATCH,
            _ => message::JSON,
        };
        let text = match request.method {
            "GET" => get(&path, &headers),
            method => {
                let path = format!("/api/1.0{path}");
                let body = self.filled(request.body, item, "");
                message::with_body(method, &path, &headers, content_type, &body)
            }
        };
        self.client.send(&text)?;
        let (name, wanted, status) = (request.name, request.status, self.client.status());
        if status != wanted {
            return Err(format!("{name} was answered {status} instead of {wanted}").into());
        }
        if let Some(tag) = self.client.tag() {
            self.tags.insert(path, tag.to_owned());
        }
        Ok(())
    }

    fn filled(&self, template: &str, item: u64, tag: &str) -> String {
        template
            .replace("{id}", &item.to_string())
            .replace("{tag}", tag)
            .replace("{last}", &self.last)
            .replace("{number}", &unused_number().to_string())
    }
}

fn get(path: &str, headers: &str) -> String {
    message::get(&format!("/api/1.0{path}"), headers)
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;
    use tokio::runtime::Runtime;

    use super::{Asking, FEATURES};
    use crate::load::Client;
    use crate::stores::{Backend, Store};
    use crate::subjects::derive;

    #[test]
    fn each_is_answered_as_it_is_meant_more_than_once() {
        const ROWS: u64 = 200;
        let mut store = Store::seeded(Backend::Sqlite, ROWS).unwrap();
        let url = store.copy("asked").unwrap();
        let runtime = Runtime::new().unwrap();
        let (listener, router) = runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            (listener, derive::router(&url).await.unwrap())
        });
        let address = listener.local_addr().unwrap().to_string();
        runtime.spawn(resource_runtime::serve(listener, router));
        for feature in &FEATURES {
            let client = Client::connect(&address).unwrap();
            let mut asking = Asking::begin(client, ROWS).unwrap();
            for item in [1, 2, 1] {
                asking.send(&[feature], item).unwrap();
            }
            asking.send(feature.others, 3).unwrap();
        }
    }
}
