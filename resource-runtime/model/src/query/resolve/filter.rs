//! A filter meets the definition: a tree of tests of attributes.

use super::super::mistake::Mistake;
use super::super::predicate::Predicate;
use super::super::tree::Filter;
use super::path;
use crate::authorization::View;

/// What a filter asks of an item.
pub(in crate::query) fn filter(view: View<'_>, tree: &Filter) -> Result<Predicate, Mistake> {
    let members = |filters: &[Filter]| -> Result<Vec<_>, Mistake> {
        filters.iter().map(|tree| filter(view, tree)).collect()
    };
    match tree {
        Filter::Not(tree) => filter(view, tree).map(Predicate::negated),
        Filter::And(filters) => members(filters).map(Predicate::All),
        Filter::Or(filters) => members(filters).map(Predicate::Any),
        Filter::Test(function, path, literals) => {
            (function.resolve)(function, path::path(view, path)?, literals)
        }
    }
}
