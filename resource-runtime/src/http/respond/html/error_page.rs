//! The HTML pages of error codes, and of failures of the service.

use axum::http::StatusCode;
use axum::response::Response;
use resource_model::error::{ApiError, ErrorCode};
use serde_json::to_string;

use super::template::{LINKS_UP, Page, escape, inline};

/// The base URL of the pages in the examples.
const BASE: &str = "https://api.example.org";

/// The page that explains the error code at `place` of all `codes` of the API; `documented` is true where the API has
/// documentation pages.
pub(crate) fn error_page(codes: &[ErrorCode], place: usize, documented: bool) -> Option<Response> {
    let code = *codes.get(place)?;
    let (number, title) = (code.number(), code.title());
    let entry = code.entry();
    let body = format!(
        "<p class=\"situation\">Error {number}, HTTP {}</p>\n<h1>{}</h1>\n{}{}{}{}{}",
        entry.status,
        escape(title),
        unless_empty(entry.help, |help| {
            format!("<p class=\"lead\">{}</p>\n", inline(help))
        }),
        list("Common causes", code.causes()),
        list("How to fix it", code.cures()),
        // The requests that lead to an error of the service's own are known to the service alone.
        unless_empty(entry.request, |_| {
            format!("<h2>Example</h2>\n{}", example(code))
        }),
        neighbours(codes, place),
    );
    // The first link leads to `/docs`, which not every API has.
    let links: &[_] = if documented {
        &LINKS_UP
    } else {
        &LINKS_UP[1..]
    };
    let page = Page {
        title: &format!("{number} {title}"),
        links,
        body: &body,
        ..Page::default()
    };
    Some(page.response(StatusCode::OK))
}

fn list(heading: &str, texts: &[&str]) -> String {
    let item = |text: &&str| unless_empty(text, |it| format!("<li>{}</li>\n", inline(it)));
    let items: String = texts.iter().map(item).collect();
    unless_empty(&items, |items| {
        format!("<h2>{heading}</h2>\n<ul>\n{items}</ul>\n")
    })
}

/// The HTML of a text; nothing for an empty one.
fn unless_empty(text: &str, html: impl FnOnce(&str) -> String) -> String {
    if text.is_empty() {
        String::new()
    } else {
        html(text)
    }
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

/// Links to the error codes before and behind the one at `place`.
fn neighbours(codes: &[ErrorCode], place: usize) -> String {
    // The first code has none before it.
    let before = place.checked_sub(1).and_then(|place| codes.get(place));
    let link = |to: Option<&ErrorCode>, rel: &str| {
        to.map_or_else(String::new, |to| {
            let (number, title) = (to.number(), escape(to.title()));
            format!("<a rel=\"{rel}\" href=\"{number}\">{number} {title}</a>\n")
        })
    };
    format!(
        "<nav class=\"turn\" aria-label=\"Neighbouring codes\">\n{}{}</nav>\n",
        link(before, "prev"),
        link(codes.get(place + 1), "next"),
    )
}

/// The page that lists the error codes; `documented` is true where the API has documentation pages.
pub(crate) fn error_list(codes: &[ErrorCode], documented: bool) -> Response {
    let rows: String = codes.iter().map(|code| row(*code)).collect();
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
    let links = [("API documentation", "docs")];
    let page = Page {
        title: "Error codes",
        links: if documented { &links } else { &[] },
        body: &body,
        ..Page::default()
    };
    page.response(StatusCode::OK)
}

fn row(code: ErrorCode) -> String {
    let (number, status) = (code.number(), code.status().as_u16());
    let title = escape(code.title());
    format!(
        "<tr><td>{number}</td><td><a href=\"errors/{number}\">{title}</a></td>\
         <td>{status}</td></tr>\n"
    )
}

/// The page for a browser whose request is refused, in place of the JSON of programs; `documented` is true where the API
/// has documentation pages.
pub(in crate::http::respond) fn refusal(
    refused: &ApiError,
    base: &str,
    documented: bool,
) -> Response {
    let code = refused.code();
    let (number, status) = (code.number(), code.status());
    // Absolute: relative links would depend on the path of the request.
    let base = escape(base);
    let (documentation, errors) = (format!("{base}/docs"), format!("{base}/errors"));
    let links = [
        ("API documentation", &*documentation),
        ("Error codes", &*errors),
    ];
    let body = format!(
        "<p class=\"situation\">Error {number}, HTTP {}</p>\n<h1>{}</h1>\n<p class=\"lead\">{}</p>\n\
         <p><a href=\"{errors}/{number}\">What this error means</a></p>\n",
        status.as_u16(),
        escape(code.title()),
        inline(&sentence(refused.description())),
    );
    let page = Page {
        title: code.title(),
        links: if documented { &links } else { &links[1..] },
        body: &body,
        ..Page::default()
    };
    page.response(status)
}

/// A description, which begins in lower case and mostly has no stop, as a sentence for people.
fn sentence(description: &str) -> String {
    let mut characters = description.chars();
    let first = characters.next().map(char::to_uppercase);
    let first: String = first.into_iter().flatten().collect();
    let stop = if description.ends_with(['.', '?']) {
        ""
    } else {
        "."
    };
    format!("{first}{}{stop}", characters.as_str())
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
