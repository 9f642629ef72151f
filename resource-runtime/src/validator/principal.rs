/// Who sent a request, as whoever guards the routes knows it.
///
/// A layer of the host says so by a request extension; validators and hooks read it from their
/// context:
///
/// ```
/// use axum::Extension;
/// use axum::Router;
/// use resource_runtime::Principal;
///
/// # let app: Router = Router::new();
/// let app = app.layer(Extension(Principal::new("ann")));
/// # drop(app);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    subject: String,
}

impl Principal {
    /// The principal whose identifier is `subject`.
    #[must_use]
    pub fn new(subject: impl Into<String>) -> Self {
        Self {
            subject: subject.into(),
        }
    }

    /// What identifies it.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }
}
