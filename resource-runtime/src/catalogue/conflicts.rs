use super::Difference::{self, Fatal, Tolerable};
use super::remedy;
use super::sides::{Sides, listed};

/// A write that breaks a constraint is refused, whole and with nothing else done.
pub(super) fn conflicts(sides: Sides<'_>) -> impl Iterator<Item = Difference> {
    sides.stored.conflicts.iter().map(move |conflict| {
        let (difference, consequence): (fn(String) -> Difference, _) = if conflict.is_refused {
            let consequence = "ends the whole transaction, so that a hook that goes on behind it \
                               writes outside of it";
            (Tolerable, consequence)
        } else {
            (
                Fatal,
                "has other effects than to refuse a write that breaks it",
            )
        };
        difference(format!(
            "the constraint of {} in the table `{}` is `{}`, which {consequence}; {}",
            listed(conflict.columns.iter().map(String::as_str)),
            sides.table(),
            conflict.clause,
            remedy::as_in_schema_sql(sides, "constraints")
        ))
    })
}
