//! Visitors of rows.

use std::any::Any;

use resource_model::error::DatabaseFailure;

use crate::store::Row;

/// Takes rows one by one while the database is stepped, on whichever thread does that.
pub(crate) trait RowVisitor: Any + Send {
    /// Takes the next row.
    fn visit(&mut self, row: &dyn Row) -> Result<(), DatabaseFailure>;

    /// Whether it runs no code of the developer, so that it never waits for anything.
    #[cfg_attr(
        not(feature = "sqlite"),
        allow(dead_code, reason = "only SQLite is stepped where tasks run")
    )]
    fn is_quick(&self) -> bool {
        true
    }

    /// Tells to let other tasks run before the next row is visited, as much was written since they last did.
    #[cfg_attr(
        not(feature = "postgres"),
        allow(dead_code, reason = "only PostgreSQL is read where tasks run for long")
    )]
    fn should_yield(&mut self) -> bool {
        false
    }

    /// Whether another attempt can take the place of one that saw rows.
    #[cfg_attr(
        not(feature = "postgres"),
        allow(dead_code, reason = "only PostgreSQL is asked again")
    )]
    fn may_begin(&self) -> bool {
        true
    }
}

impl RowVisitor for Box<dyn RowVisitor> {
    fn visit(&mut self, row: &dyn Row) -> Result<(), DatabaseFailure> {
        (**self).visit(row)
    }

    fn is_quick(&self) -> bool {
        (**self).is_quick()
    }

    fn should_yield(&mut self) -> bool {
        (**self).should_yield()
    }

    fn may_begin(&self) -> bool {
        (**self).may_begin()
    }
}
