//! Queries as trees, independent of the service's own types.

use super::print::{Style, print_filter, print_order};
use super::rows::{Datum, Path};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    Eq,
    Ne,
    Gt,
    Ge,
    Lt,
    Le,
}

/// The place of a text within a value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place {
    Start,
    End,
    Anywhere,
}

#[derive(Debug, Clone)]
pub(super) enum Filter {
    Compare(Relation, Path, Datum),
    Like {
        path: Path,
        pattern: String,
        ignores_case: bool,
    },
    /// The text at an end of the value, or within it.
    Affix {
        path: Path,
        text: String,
        place: Place,
        ignores_case: bool,
    },
    In(Path, Vec<Datum>),
    /// Some item that has this one as its root meets the filter, if there is one.
    Has(Option<Box<Filter>>),
    And(Vec<Filter>),
    Or(Vec<Filter>),
    Not(Box<Filter>),
}

/// The `fields` of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fields {
    Everything,
    Id,
    Hub,
    HubAndSpare,
}

#[derive(Debug, Clone)]
pub(super) struct Query {
    pub(super) filter: Filter,
    /// Paths, and whether they descend.
    pub(super) order: Vec<(Path, bool)>,
    /// Offset and limit; without them, all matching items are requested.
    pub(super) page: Option<(usize, usize)>,
    pub(super) fields: Fields,
    pub(super) style: Style,
}

impl Query {
    /// The parameters of the request.
    pub(super) fn parameters(&self) -> Vec<(&'static str, String)> {
        let (offset, limit) = self.page.unwrap_or((0, 1000));
        let fields = match self.fields {
            Fields::Everything => "",
            Fields::Id => "id",
            Fields::Hub => "hub(id),id",
            Fields::HubAndSpare => "spare(size,id),id,hub(label,note)",
        };
        vec![
            ("filter", print_filter(&self.filter, self.style)),
            ("order", print_order(&self.order)),
            ("fields", fields.to_owned()),
            ("offset", offset.to_string()),
            ("limit", limit.to_string()),
        ]
    }

    /// True where the response contains more than the expectation.
    pub(super) fn shows_everything(&self) -> bool {
        self.fields == Fields::Everything
    }
}
