//! The table of operations, from which routes, OpenAPI documents, metrics and the list of routes are made.

use crate::error::ErrorCode;

/// An entry of the table.
#[derive(Debug)]
pub struct OperationEntry {
    pub(crate) name: &'static str,
    pub(crate) methods: &'static [&'static str],
    pub(crate) is_of_item: bool,
    /// The operation in a few words, with `{items}` or `{an item}` in the place of the resource.
    pub summary: &'static str,
    /// The part of its behaviour that its parameters and responses do not show.
    pub description: &'static str,
    /// The parameters of its query string.
    pub parameters: Parameters,
    /// The body of its requests.
    pub body: Option<Body>,
    /// The responses to requests that succeed, each possible only with some resources.
    pub successes: &'static [Success],
    /// The error codes of its responses, each possible only with some resources.
    pub errors: &'static [ErrorCode],
}

/// The parameters of a query string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parameters {
    /// None at all.
    None,
    /// `fields`
    OfItem,
    /// `offset`, `limit`, `filter`, `order`, `fields` and `format`
    OfList,
}

/// The attributes that a body names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// All attributes that a new item needs.
    Whole,
    /// The attributes that change.
    Part,
}

/// The response to a request that succeeds.
#[derive(Debug, Clone, Copy)]
pub struct Success {
    /// The status.
    pub status: u16,
    /// The response in a few words.
    pub description: &'static str,
    /// The content.
    pub content: Content,
}

/// The content of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// A page of items.
    Page,
    /// An item.
    Item,
    /// No body; the header `Location` holds the address of the new item.
    Location,
    /// Nothing.
    Nothing,
}

/// Makes the enum [`Operation`] from the table: its variants, their order and their entries.
macro_rules! operations {
    ($($(#[$doc:meta])* $variant:ident { $($field:ident: $value:expr,)* })*) => {
        /// An operation of a client on a resource.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Operation {
            $($(#[$doc])* $variant,)*
        }

        impl Operation {
            /// All operations.
            // A macro cannot count a repetition, so the length is that of an array of the names.
            pub const ALL: [Self; [$(stringify!($variant)),*].len()] = [$(Self::$variant,)*];

            /// The entry of the operation in the table.
            #[doc(hidden)]
            pub const fn entry(self) -> &'static OperationEntry {
                match self {
                    $(Self::$variant => &OperationEntry { $($field: $value,)* },)*
                }
            }
        }
    };
}

impl Operation {
    /// The name in `operations(…)` and `scopes(…)`.
    #[doc(hidden)]
    pub const fn name(self) -> &'static str {
        self.entry().name
    }

    /// The methods of its requests.
    #[doc(hidden)]
    pub const fn methods(self) -> &'static [&'static str] {
        self.entry().methods
    }

    /// Tests whether its path is that of an item, not that of the collection.
    #[doc(hidden)]
    pub const fn is_of_item(self) -> bool {
        self.entry().is_of_item
    }

    /// Tests whether it changes nothing.
    #[doc(hidden)]
    pub const fn reads(self) -> bool {
        matches!(self, Self::List | Self::Retrieve)
    }

    /// Those of the operations that change nothing.
    pub(crate) fn reading(these: &[Self]) -> &'static [Self] {
        // As long as the definitions that hold it.
        Vec::leak(these.iter().copied().filter(|it| it.reads()).collect())
    }
}

operations! {
    /// `GET` on the collection: a page of items.
    List {
        name: "list",
        methods: &["GET"],
        is_of_item: false,
        summary: "List {items}",
        description: "Items that match `filter`, as `order` says: at most `limit` of them, after the first \
                      `offset`. `totalItems` counts all that match. \
                      With `format=ndjson` or `format=csv`, or by `Accept`, the items come as lines without a total: each \
                      as JSON, or as CSV behind a line of names (RFC 4180).",
        parameters: Parameters::OfList,
        body: None,
        successes: &[Success { status: 200, description: "The page.", content: Content::Page }],
        // Errors of the query string are those of its parameters, then those of the string itself.
        errors: &[
            ErrorCode::MalformedFilter,
            ErrorCode::MalformedOrder,
            ErrorCode::MalformedFields,
            ErrorCode::MalformedPaging,
            ErrorCode::MalformedQuery,
            ErrorCode::MalformedCursor,
            ErrorCode::NotAcceptable,
        ],
    }
    /// `GET` on an item.
    Retrieve {
        name: "retrieve",
        methods: &["GET"],
        is_of_item: true,
        summary: "Get {an item}",
        description: "All attributes of the item, or those that `fields` names.",
        parameters: Parameters::OfItem,
        body: None,
        successes: &[
            Success { status: 200, description: "The item.", content: Content::Item },
            Success { status: 304, description: "The item is as `If-None-Match` names it.", content: Content::Nothing },
        ],
        // Only `fields` is a parameter here, so that filters, orders and pages have no errors.
        errors: &[
            ErrorCode::NoSuchItem,
            ErrorCode::MalformedCondition,
            ErrorCode::MalformedFields,
            ErrorCode::MalformedQuery,
            ErrorCode::NotAcceptable,
        ],
    }
    /// `POST` on the collection: a new item.
    Create {
        name: "create",
        methods: &["POST"],
        is_of_item: false,
        summary: "Create {an item}",
        description: "The header `Location` of the answer tells where the new item is.",
        parameters: Parameters::None,
        body: Some(Body::Whole),
        successes: &[Success { status: 201, description: "The item is stored.", content: Content::Location }],
        // A body may be refused as a whole, for one of its attributes, or by the tables.
        errors: &[
            ErrorCode::InvalidItem,
            ErrorCode::MalformedCondition,
            ErrorCode::MalformedBody,
            ErrorCode::BodyTooLarge,
            ErrorCode::UnsupportedMediaType,
            ErrorCode::NotUnique,
            ErrorCode::MissingReference,
            ErrorCode::IdempotencyKeyReused,
            ErrorCode::MalformedIdempotencyKey,
        ],
    }
    /// `PUT` or `PATCH` on an item.
    Update {
        name: "update",
        methods: &["PUT", "PATCH"],
        is_of_item: true,
        summary: "Update {an item}",
        description: "Attributes that the body does not name stay as they are.",
        parameters: Parameters::None,
        body: Some(Body::Part),
        successes: &[
            Success {
                status: 200,
                description: "The item as it is now, where `Prefer: return=representation` was sent.",
                content: Content::Item,
            },
            Success { status: 201, description: "The item is stored.", content: Content::Location },
            Success { status: 204, description: "The item is as the body says.", content: Content::Nothing },
        ],
        // Others may refer to an attribute that the update changes, hence `StillInUse`.
        errors: &[
            ErrorCode::NoSuchItem,
            ErrorCode::InvalidItem,
            ErrorCode::PreconditionFailed,
            ErrorCode::IfMatchRequired,
            ErrorCode::MalformedCondition,
            ErrorCode::MalformedBody,
            ErrorCode::BodyTooLarge,
            ErrorCode::UnsupportedMediaType,
            ErrorCode::NotUnique,
            ErrorCode::MissingReference,
            ErrorCode::StillInUse,
        ],
    }
    /// `DELETE` on an item.
    Delete {
        name: "delete",
        methods: &["DELETE"],
        is_of_item: true,
        summary: "Delete {an item}",
        description: "An item that others refer to stays, and the answer says so.",
        parameters: Parameters::None,
        body: None,
        successes: &[Success { status: 204, description: "The item is gone.", content: Content::Nothing }],
        // A validator or a trigger may refuse to delete the item.
        errors: &[
            ErrorCode::NoSuchItem,
            ErrorCode::InvalidItem,
            ErrorCode::PreconditionFailed,
            ErrorCode::IfMatchRequired,
            ErrorCode::MalformedCondition,
            ErrorCode::StillInUse,
        ],
    }
}
