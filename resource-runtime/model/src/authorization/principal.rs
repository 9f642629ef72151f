/// Who sent a request, as whoever guards the routes knows it.
///
/// With authorization it is the user of the access token, whose claims are the request extension
/// `Arc<Claims>`. Without, a layer of the host says so by a request extension. Validators and hooks
/// read it from their context:
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
