//! The state of a transaction, alike on every database.

use std::mem;

use resource_model::error::{DatabaseFailure, DatabaseResult};

#[derive(Debug)]
pub(super) enum State<T> {
    /// Nothing is begun: the next statement that writes is a transaction by itself.
    Single,
    Begun(T),
    /// Rolled back, by this failure or, without one, by a statement that was abandoned half-way.
    Ended(Option<DatabaseFailure>),
}

impl<T> State<T> {
    /// Takes the transaction out for one statement; none where nothing is begun.
    ///
    /// [`settle`](Self::settle) puts it back. Else it has ended: the outcome of a statement that was
    /// abandoned is unknown, and what follows could not be told from what follows a success.
    pub(super) fn take(&mut self) -> DatabaseResult<Option<T>> {
        match mem::replace(self, Self::Ended(None)) {
            Self::Begun(begun) => Ok(Some(begun)),
            Self::Single => {
                *self = Self::Single;
                Ok(None)
            }
            Self::Ended(by) => {
                let failure = DatabaseFailure::of_ended(by.as_ref());
                *self = Self::Ended(by);
                Err(failure)
            }
        }
    }

    /// Puts the transaction back where its statement succeeded; else rolls it back.
    pub(super) fn settle<D>(&mut self, begun: T, done: DatabaseResult<D>) -> DatabaseResult<D> {
        *self = match &done {
            Ok(_) => Self::Begun(begun),
            Err(failure) => Self::Ended(Some(failure.clone())),
        };
        done
    }
}

#[cfg(test)]
mod tests {
    use resource_model::error::{DatabaseFailure, Violation};

    use super::State;

    #[test]
    fn a_statement_that_fails_ends_the_transaction_and_is_named_ever_after() {
        let mut state = State::Begun(7);
        let begun = state.take().unwrap().unwrap();
        assert!(state.settle(begun, Ok(())).is_ok());
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
    fn a_transaction_that_met_another_can_be_tried_again() {
        let mut state = State::Begun(7);
        let begun = state.take().unwrap().unwrap();
        let again = DatabaseFailure::retryable("others wrote".to_owned());
        assert!(state.settle(begun, Err::<(), _>(again)).is_err());
        assert!(matches!(state.take(), Err(DatabaseFailure::Retryable(_))));
    }

    #[test]
    fn a_statement_that_is_abandoned_ends_the_transaction() {
        let mut state = State::Begun(7);
        assert_eq!(state.take().unwrap(), Some(7));
        assert!(state.take().unwrap_err().to_string().contains("abandoned"));
    }
}
