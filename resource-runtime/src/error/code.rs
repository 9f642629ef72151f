/// The numeric codes of the error representation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorCode {
    UnknownPath,
    NoSuchItem,
    InvalidItem,
    StillInUse,
    NotUnique,
    MissingReference,
    MalformedBody,
    MalformedFilter,
    MalformedOrder,
    MalformedFields,
    MalformedPaging,
    MalformedQuery,
    MethodNotAllowed,
    NotAcceptable,
    BodyTooLarge,
    UnsupportedMediaType,
    UrlTooLong,
    HeaderTooLarge,
    NotHttp,
    UnknownTransferCoding,
    Unavailable,
    NoValidToken,
    InsufficientScope,
    MalformedAuthorization,
}

impl ErrorCode {
    pub(crate) const ALL: [Self; 24] = [
        Self::UnknownPath,
        Self::NoSuchItem,
        Self::InvalidItem,
        Self::StillInUse,
        Self::NotUnique,
        Self::MissingReference,
        Self::MalformedBody,
        Self::MalformedFilter,
        Self::MalformedOrder,
        Self::MalformedFields,
        Self::MalformedPaging,
        Self::MalformedQuery,
        Self::MethodNotAllowed,
        Self::NotAcceptable,
        Self::BodyTooLarge,
        Self::UnsupportedMediaType,
        Self::UrlTooLong,
        Self::HeaderTooLarge,
        Self::NotHttp,
        Self::UnknownTransferCoding,
        Self::Unavailable,
        Self::NoValidToken,
        Self::InsufficientScope,
        Self::MalformedAuthorization,
    ];

    /// What the server itself refuses, whatever a request is for, each with a status of its own.
    #[cfg(feature = "openapi")]
    pub(crate) const OF_THE_SERVER: [Self; 3] = [
        Self::UrlTooLong,
        Self::HeaderTooLarge,
        Self::UnknownTransferCoding,
    ];

    pub(crate) const fn number(self) -> u16 {
        self.number_and_title().0
    }

    /// The situation in a few words.
    pub(crate) const fn title(self) -> &'static str {
        self.number_and_title().1
    }

    pub(crate) fn from_number(number: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|code| code.number().to_string() == number)
    }

    const fn number_and_title(self) -> (u16, &'static str) {
        match self {
            Self::UnknownPath => (10000, "No such version or collection"),
            Self::NoSuchItem => (10001, "No such item"),
            Self::InvalidItem => (10010, "The body does not fit the resource"),
            Self::StillInUse => (10020, "The item is still in use"),
            Self::NotUnique => (10030, "The value is already taken"),
            Self::MissingReference => (10031, "The referenced item does not exist"),
            Self::MalformedBody => (10050, "The body is not one JSON object"),
            Self::MalformedFilter => (10060, "Malformed filter"),
            Self::MalformedOrder => (10061, "Malformed order"),
            Self::MalformedFields => (10062, "Malformed fields"),
            Self::MalformedPaging => (10063, "Malformed paging"),
            Self::MalformedQuery => (10064, "Malformed query string"),
            Self::MethodNotAllowed => (10070, "Method not allowed"),
            Self::NotAcceptable => (10071, "Not acceptable"),
            Self::BodyTooLarge => (10072, "The body is too large"),
            Self::UnsupportedMediaType => (10073, "Unsupported content type"),
            Self::UrlTooLong => (10075, "The URL is too long"),
            Self::HeaderTooLarge => (10076, "The header is too large"),
            Self::NotHttp => (10077, "Not a valid HTTP request"),
            Self::UnknownTransferCoding => (10078, "Unknown transfer coding"),
            Self::Unavailable => (10090, "Overloaded"),
            Self::NoValidToken => (12100, "No valid access token"),
            Self::InsufficientScope => (12110, "The access token does not permit this"),
            Self::MalformedAuthorization => (12120, "Malformed Authorization header"),
        }
    }
}
