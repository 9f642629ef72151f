/// What a client can do with a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// `GET` on the collection: a page of items.
    List,
    /// `GET` on an item.
    Retrieve,
    /// `POST` on the collection: a new item.
    Create,
    /// `PUT` on an item.
    Update,
    /// `DELETE` on an item.
    Delete,
}

impl Operation {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::List,
        Self::Retrieve,
        Self::Create,
        Self::Update,
        Self::Delete,
    ];

    /// The name in `operations(…)` and `scopes(…)`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Retrieve => "retrieve",
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
        }
    }

    /// The method of its requests.
    pub const fn method(self) -> &'static str {
        match self {
            Self::List | Self::Retrieve => "GET",
            Self::Create => "POST",
            Self::Update => "PUT",
            Self::Delete => "DELETE",
        }
    }

    /// Whether its path is that of an item, not that of the collection.
    pub const fn is_of_item(self) -> bool {
        matches!(self, Self::Retrieve | Self::Update | Self::Delete)
    }
}
