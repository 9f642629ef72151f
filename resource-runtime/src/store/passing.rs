use resource_model::error::DatabaseFailure;
use sqlx::Error;

/// What an error of a driver means that reached us through the developer's own statements, where
/// it passes: tried anew, the whole write may succeed.
pub(crate) fn passing(error: &Error) -> Option<DatabaseFailure> {
    let failures = [
        #[cfg(feature = "postgres")]
        super::postgres::failure(error),
        #[cfg(feature = "sqlite")]
        super::sqlite::failure(error),
    ];
    failures.into_iter().find(|failure| {
        matches!(
            failure,
            DatabaseFailure::Again(_) | DatabaseFailure::Unavailable(_)
        )
    })
}
