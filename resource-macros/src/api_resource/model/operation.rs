//! The operations of a resource, as the derive knows them.

use syn::Ident;
use syn::ext::IdentExt;

use crate::attributes::ContainerKeys;

/// An operation of a client on a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    List,
    Create,
    Retrieve,
    Update,
    Delete,
}

impl Operation {
    pub(crate) const ALL: [Self; 5] = [
        Self::List,
        Self::Create,
        Self::Retrieve,
        Self::Update,
        Self::Delete,
    ];

    /// The name in `operations(…)` and `scopes(…)`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Create => "create",
            Self::Retrieve => "retrieve",
            Self::Update => "update",
            Self::Delete => "delete",
        }
    }

    /// Tells that the operation does not change items.
    pub(crate) const fn is_read(self) -> bool {
        matches!(self, Self::List | Self::Retrieve)
    }

    pub(crate) fn named(name: &Ident) -> Option<Self> {
        // Lists accept raw identifiers, which stand for the word behind `r#`.
        let name = name.unraw().to_string();
        Self::ALL
            .into_iter()
            .find(|operation| operation.name() == name)
    }
}

/// Tests whether a name in `operations(…)` is `upsert`, which is no operation of its own: it lets updates create items.
pub(crate) fn is_upsert(name: &Ident) -> bool {
    name.unraw() == "upsert"
}

/// The operations that `operations(…)` names, else all; of a view, those that read.
pub(super) fn resolve(keys: &ContainerKeys) -> Vec<Operation> {
    keys.operations.value().map_or_else(
        || {
            let all = Operation::ALL.into_iter();
            all.filter(|it| it.is_read() || !keys.view.is_written())
                .collect()
        },
        // Unknown names are left out here; the rule about `operations` reports them.
        |names| names.0.iter().filter_map(Operation::named).collect(),
    )
}
