//! The state of a transaction, in one form for all databases.

use std::borrow::Borrow;
use std::mem;

use resource_model::error::{DatabaseFailure, DatabaseResult};

/// The state of a transaction `T`.
#[derive(Debug)]
pub(super) enum TransactionState<T> {
    /// No transaction is begun: the next write commits by itself.
    Single,
    Begun(T),
    /// Rolled back, because of this failure or, without one, because of a cancelled statement.
    Ended(Option<DatabaseFailure>),
}

impl<T> TransactionState<T> {
    /// Takes the transaction out for one statement; none where no transaction is begun.
    ///
    /// [`settle`](Self::settle) puts it back. A cancelled statement never does, which ends the transaction:
    /// its outcome is unknown, so that later statements must not build on it.
    pub(super) fn take(&mut self) -> DatabaseResult<Option<T>> {
        match mem::replace(self, Self::Ended(None)) {
            Self::Begun(begun) => Ok(Some(begun)),
            Self::Single => {
                // Nothing was taken, so nothing has to be put back.
                *self = Self::Single;
                Ok(None)
            }
            Self::Ended(by) => {
                // The cause is kept for further statements, which a hook may send although it got a failure.
                let failure = DatabaseFailure::of_ended(by.as_ref());
                *self = Self::Ended(by);
                Err(failure)
            }
        }
    }

    /// Puts the transaction back if its statement succeeded; else drops it, which rolls it back.
    pub(super) fn settle<D, E: Borrow<DatabaseFailure>>(
        &mut self,
        begun: T,
        result: Result<D, E>,
    ) -> Result<D, E> {
        *self = match &result {
            Ok(_) => Self::Begun(begun),
            Err(failure) => Self::Ended(Some(failure.borrow().clone())),
        };
        result
    }
}

#[cfg(test)]
mod tests {
    use resource_model::error::{DatabaseFailure, DatabaseResult, Violation};

    use super::TransactionState;

    #[test]
    fn failed_statement_ends_the_transaction_and_is_reported_by_later_ones() {
        let mut state = TransactionState::Begun(7);
        let begun = state.take().unwrap().unwrap();
        assert!(state.settle(begun, DatabaseResult::Ok(())).is_ok());
        let begun = state.take().unwrap().unwrap();
        let refused = DatabaseFailure::constraint_violation(Violation::ForeignKey);
        assert!(state.settle(begun, Err::<(), _>(refused)).is_err());
        for _ in 0..2 {
            let failure = state.take().unwrap_err();
            assert!(matches!(failure, DatabaseFailure::Internal(_)));
            assert!(failure.to_string().contains("ForeignKey"), "{failure}");
        }
    }

    #[test]
    fn conflicting_transaction_can_be_retried() {
        let mut state = TransactionState::Begun(7);
        let begun = state.take().unwrap().unwrap();
        let again = DatabaseFailure::retryable("others wrote".to_owned());
        assert!(state.settle(begun, Err::<(), _>(again)).is_err());
        assert!(matches!(state.take(), Err(DatabaseFailure::Retryable(_))));
    }

    #[test]
    fn cancelled_statement_ends_the_transaction() {
        let mut state = TransactionState::Begun(7);
        assert_eq!(state.take().unwrap(), Some(7));
        assert!(state.take().unwrap_err().to_string().contains("abandoned"));
    }
}
