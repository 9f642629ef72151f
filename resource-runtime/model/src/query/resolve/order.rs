use super::super::mistake::Mistake;
use super::super::{AttributePath, Criterion, tree};
use super::path::path;
use crate::authorization::View;

/// The criteria of an order, each attribute once: a later criterion on the same attribute
/// decides nothing. The primary key stands last, so that no two items are equal.
pub(in crate::query) fn order(
    view: View<'_>,
    criteria: &[tree::Criterion],
) -> Result<Vec<Criterion>, Mistake> {
    let mut order: Vec<Criterion> = Vec::with_capacity(criteria.len() + 1);
    for criterion in criteria {
        let path = path(view, &criterion.path)?;
        require_order(path, &criterion.path)?;
        add(&mut order, path, criterion.descending);
    }
    for attribute in view.definition().key_attributes() {
        let path = AttributePath {
            subresource: None,
            attribute,
        };
        add(&mut order, path, false);
    }
    Ok(order)
}

fn require_order(path: AttributePath, written: &tree::Path) -> Result<(), Mistake> {
    if path.attribute.kind().is_ordered() {
        return Ok(());
    }
    let name = path.attribute.name();
    Err(Mistake::new(
        written.first.position.0,
        format!("`{name}` is JSON, which has no order"),
    ))
}

fn add(order: &mut Vec<Criterion>, path: AttributePath, descending: bool) {
    if !order.iter().any(|known| known.path.is(path)) {
        order.push(Criterion { path, descending });
    }
}
