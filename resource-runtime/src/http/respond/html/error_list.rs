use axum::http::StatusCode;
use axum::response::Response;
use resource_model::error::ErrorCode;

use super::template::{Link, Page};

/// `/docs`, as pages beside it name it.
const DOCUMENTATION: [Link<'_>; 1] = [Link {
    text: "API documentation",
    to: "docs",
}];

/// The page that lists all error codes; `documented` where the API has pages of its own.
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
    let links: &[_] = if documented { &DOCUMENTATION } else { &[] };
    let page = Page {
        title: "Error codes",
        links,
        body: &body,
        ..Page::default()
    };
    page.answer(StatusCode::OK)
}

fn row(code: ErrorCode) -> String {
    let (number, title, status) = (code.number(), code.title(), code.status().as_u16());
    format!(
        "<tr><td>{number}</td><td><a href=\"errors/{number}\">{title}</a></td>\
         <td>{status}</td></tr>\n"
    )
}
