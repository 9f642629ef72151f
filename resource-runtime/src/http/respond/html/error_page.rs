use axum::http::StatusCode;
use axum::response::Response;
use resource_model::error::{Entry, ErrorCode};
use serde_json::to_string;

use super::prose::{escape, inline};
use super::template::{Link, Page};

/// Where the pages are in the examples.
const BASE: &str = "https://api.example.org";

const LINKS: [Link<'_>; 2] = [
    Link {
        text: "API documentation",
        to: "../docs",
    },
    Link {
        text: "Error codes",
        to: "../errors",
    },
];

/// The page that explains an error code; `documented` where the API has pages of its own.
pub(crate) fn error_page(code: ErrorCode, documented: bool) -> Response {
    let (number, title) = (code.number(), code.title());
    let Entry {
        status,
        help,
        causes,
        cures,
        ..
    } = code.entry();
    let body = format!(
        "<p class=\"situation\">Error {number}, HTTP {}</p>\n<h1>{title}</h1>\n\
         <p class=\"lead\">{}</p>\n\
         <h2>Common causes</h2>\n<ul>\n{}</ul>\n\
         <h2>How to mend it</h2>\n<ul>\n{}</ul>\n\
         <h2>Example</h2>\n{}{}",
        status,
        inline(help),
        items(causes),
        items(cures),
        example(code),
        neighbours(code),
    );
    let links = if documented { &LINKS[..] } else { &LINKS[1..] };
    let page = Page {
        title: &format!("{number} {title}"),
        links,
        body: &body,
        ..Page::default()
    };
    page.answer(StatusCode::OK)
}

fn items(texts: &[&str]) -> String {
    texts.iter().map(|text| item(text)).collect()
}

fn item(text: &str) -> String {
    format!("<li>{}</li>\n", inline(text))
}

fn example(code: ErrorCode) -> String {
    let Entry { request, .. } = code.entry();
    format!(
        "<p class=\"label\" id=\"request\">Request</p>\n\
         <pre aria-labelledby=\"request\"><code>{}</code></pre>\n\
         <p class=\"label\" id=\"answer\">Answer</p>\n\
         <pre aria-labelledby=\"answer\"><code>{}</code></pre>\n",
        escape(request),
        escape(&answer(code)),
    )
}

fn answer(code: ErrorCode) -> String {
    let Entry {
        status,
        header,
        description,
        ..
    } = code.entry();
    let number = code.number();
    let description = to_string(description).unwrap_or_default();
    let header = header.map_or_else(String::new, |header| format!("{header}\n"));
    format!(
        "HTTP/1.1 {status}\nContent-Type: application/json\n{header}\n{{\n  \"error_code\": {number},\n  \
         \"error_description\": {description},\n  \
         \"error_details\": \"{BASE}/errors/{number}\"\n}}",
    )
}

/// The neighbours of a page, for whoever reads them all.
fn neighbours(code: ErrorCode) -> String {
    let all = ErrorCode::ALL;
    let place = all.iter().position(|it| *it == code).unwrap_or_default();
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
