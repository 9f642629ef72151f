//! Errors of the API: the response to a request that is refused.

use http::{HeaderName, HeaderValue, header};

use super::{ErrorCode, truncate_for_display};

/// The error that the client of a refused request gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiError {
    code: ErrorCode,
    description: String,
    problems: Vec<FieldError>,
    /// The value of the header that responses of this code have.
    header: Option<HeaderValue>,
}

/// A problem of one attribute of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    attribute: String,
    message: String,
}

impl ApiError {
    /// An error of this code, with a description of this one case.
    pub fn new(code: ErrorCode, description: impl Into<String>) -> Self {
        Self {
            code,
            description: description.into(),
            // Most errors are about the request as a whole, and have no problems of attributes.
            problems: Vec::new(),
            header: None,
        }
    }

    /// The error of an item of the resource `name` that does not exist.
    pub fn no_such_item(name: &str, id: &str) -> Self {
        // The id is text of the path, which may be long or hold control characters.
        let id = truncate_for_display(id);
        Self::new(
            ErrorCode::NoSuchItem,
            format!("the {name} `{id}` does not exist"),
        )
    }

    /// A single error for all problems, each on a line of its own.
    pub fn of_problems(code: ErrorCode, problems: Vec<FieldError>) -> Self {
        // The plain form of an error has a single text; the list is for clients who ask for problem details.
        let lines: Vec<&str> = problems.iter().map(FieldError::message).collect();
        Self::new(code, lines.join("\n")).with_problems(problems)
    }

    /// The error with the attributes that it is about.
    pub fn with_problems(mut self, problems: Vec<FieldError>) -> Self {
        self.problems = problems;
        self
    }

    /// The error with the challenge, by which the client learns how to authenticate.
    pub fn with_challenge(mut self, challenge: Option<HeaderValue>) -> Self {
        self.header = challenge;
        self
    }

    /// The error of a caller who has used up a quota, for so many seconds.
    pub fn quota_used_up(seconds: u64) -> Self {
        let description = format!("the quota is used up; send the request again in {seconds} s");
        let header = Some(seconds.into());
        Self {
            header,
            ..Self::new(ErrorCode::QuotaUsedUp, description)
        }
    }

    /// The header that tells the client what to do: how to authenticate, or when to try again.
    pub fn header(&self) -> Option<(HeaderName, HeaderValue)> {
        match self.code {
            // Every 503 is meant to pass soon.
            ErrorCode::Unavailable => Some((header::RETRY_AFTER, HeaderValue::from_static("1"))),
            ErrorCode::QuotaUsedUp => Some((header::RETRY_AFTER, self.header.clone()?)),
            _ => Some((header::WWW_AUTHENTICATE, self.header.clone()?)),
        }
    }

    /// The code.
    pub const fn code(&self) -> ErrorCode {
        self.code
    }

    /// The description of this one case.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The problems of single attributes.
    pub fn problems(&self) -> &[FieldError] {
        &self.problems
    }
}

impl FieldError {
    /// The name of the attribute; empty where the problem is not about a single attribute.
    pub fn attribute(&self) -> &str {
        &self.attribute
    }

    /// A problem of the attribute.
    pub fn new(attribute: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            attribute: attribute.into(),
            message: message.into(),
        }
    }

    /// The position in the body, as a JSON pointer (RFC 6901).
    pub fn pointer(&self) -> String {
        if self.attribute.is_empty() {
            // The empty pointer is the body as a whole.
            return String::new();
        }
        // `~` comes first, or else the `~` of `~1` would be escaped once more (RFC 6901, section 3).
        format!("/{}", self.attribute.replace('~', "~0").replace('/', "~1"))
    }

    /// The problem, without the name of the attribute.
    pub fn message(&self) -> &str {
        &self.message
    }
}
