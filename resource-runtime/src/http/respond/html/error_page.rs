//! The HTML pages of error codes, and of failures of the service.

use axum::http::StatusCode;
use axum::response::Response;
use resource_model::error::ErrorCode;
use serde_json::to_string;

use super::template::{Link, Page, escape, inline};

/// The base URL of the pages in the examples.
const BASE: &str = "https://api.example.org";

const LINKS: [Link<'_>; 2] = [
    Link::new("API documentation", "../docs"),
    Link::new("Error codes", "../errors"),
];

/// The page that explains an error code; `documented` is true where the API has documentation pages.
pub(crate) fn error_page(code: ErrorCode, documented: bool) -> Response {
    let (number, title) = (code.number(), code.title());
    let entry = code.entry();
    let body = format!(
        "<p class=\"situation\">Error {number}, HTTP {}</p>\n<h1>{title}</h1>\n\
         <p class=\"lead\">{}</p>\n\
         <h2>Common causes</h2>\n<ul>\n{}</ul>\n\
         <h2>How to fix it</h2>\n<ul>\n{}</ul>\n\
         <h2>Example</h2>\n{}{}",
        entry.status,
        inline(entry.help),
        items(entry.causes),
        items(entry.cures),
        example(code),
        neighbours(code),
    );
    // The first link leads to `/docs`, which not every API has.
    let links = if documented { &LINKS[..] } else { &LINKS[1..] };
    let page = Page {
        title: &format!("{number} {title}"),
        links,
        body: &body,
        ..Page::default()
    };
    page.response(StatusCode::OK)
}

fn items(texts: &[&str]) -> String {
    let item = |text: &&str| format!("<li>{}</li>\n", inline(text));
    texts.iter().map(item).collect()
}

fn example(code: ErrorCode) -> String {
    format!(
        "<p class=\"label\" id=\"request\">Request</p>\n\
         <pre aria-labelledby=\"request\"><code>{}</code></pre>\n\
         <p class=\"label\" id=\"answer\">Answer</p>\n\
         <pre aria-labelledby=\"answer\"><code>{}</code></pre>\n",
        // Escaped, but not with `inline`: backticks in a request or a response are shown as they are sent.
        escape(code.entry().request),
        escape(&example_response(code)),
    )
}

fn example_response(code: ErrorCode) -> String {
    let (number, entry) = (code.number(), code.entry());
    let status = entry.status;
    // Written by `serde_json`, since descriptions hold quotes.
    let description = to_string(entry.description).unwrap_or_default();
    let header = entry
        .header
        .map_or_else(String::new, |header| format!("{header}\n"));
    format!(
        "HTTP/1.1 {status}\nContent-Type: application/json\n{header}\n{{\n  \"error_code\": {number},\n  \
         \"error_description\": {description},\n  \
         \"error_details\": \"{BASE}/errors/{number}\"\n}}",
    )
}

/// Links to the previous and the next error code.
fn neighbours(code: ErrorCode) -> String {
    let all = ErrorCode::ALL;
    let place = all.iter().position(|it| *it == code).unwrap_or_default();
    // The first code has none before it.
    let before = place.checked_sub(1).and_then(|place| all.get(place));
    let link = |to: Option<&ErrorCode>, rel: &str| {
        to.map_or_else(String::new, |to| {
            let (number, title) = (to.number(), to.title());
            format!("<a rel=\"{rel}\" href=\"{number}\">{number} {title}</a>\n")
        })
    };
    format!(
        "<nav class=\"turn\" aria-label=\"Neighbouring codes\">\n{}{}</nav>\n",
        link(before, "prev"),
        link(all.get(place + 1), "next"),
    )
}

/// The link to `/docs` on pages beside it.
const DOCUMENTATION: [Link<'_>; 1] = [Link::new("API documentation", "docs")];

/// The page that lists all error codes; `documented` is true where the API has documentation pages.
pub(crate) fn error_list(documented: bool) -> Response {
    let rows: String = ErrorCode::ALL.iter().map(|code| row(*code)).collect();
    let body = format!(
        "<h1>Error codes</h1>\n<p class=\"lead\">Every error answer holds the code in \
         <code>error_code</code>, what is wrong with this very request in \
         <code>error_description</code>, and a link to the page of the code in \
         <code>error_details</code>.</p>\n<table>\n<thead>\n<tr><th scope=\"col\">Code</th>\
         <th scope=\"col\">Situation</th><th scope=\"col\">HTTP status</th></tr>\n</thead>\n\
         <tbody>\n{rows}</tbody>\n</table>\n"
    );
    // This page is at `/errors`, one level above the pages of the codes, so its relative
    // links differ from theirs.
    let links: &[_] = if documented { &DOCUMENTATION } else { &[] };
    let page = Page {
        title: "Error codes",
        links,
        body: &body,
        ..Page::default()
    };
    page.response(StatusCode::OK)
}

fn row(code: ErrorCode) -> String {
    let (number, title, status) = (code.number(), code.title(), code.status().as_u16());
    format!(
        "<tr><td>{number}</td><td><a href=\"errors/{number}\">{title}</a></td>\
         <td>{status}</td></tr>\n"
    )
}

/// The page for a failure of the service; its cause stands in the log alone.
pub(in crate::http::respond) fn server_error(request_id: &str) -> Response {
    let body = format!(
        "<h1>Something went wrong on our side</h1>\n<p>We are sorry. The request could not be \
         served; the cause is in the service's log under this request id:</p>\n\
         <p><code>{}</code></p>\n",
        escape(request_id),
    );
    // No links: the failed request may have had any path, and relative links would lead elsewhere.
    let page = Page {
        title: "Server error",
        body: &body,
        ..Page::default()
    };
    page.response(StatusCode::INTERNAL_SERVER_ERROR)
}
