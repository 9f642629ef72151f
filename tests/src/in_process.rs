//! An API under test without a port: requests go into its router, and callers need no tokens.

use std::ops::Deref;

use resource_runtime::ApiBuilder;
use resource_testing::TestApi;

use crate::databases::test_api;
use crate::documented::Documents;
use crate::{Client, block_on};

/// An API on a database of its own, for tests of which neither a server nor tokens are the matter.
///
/// Its clients check and record every response as those of a [`Service`](crate::Service) do.
#[derive(Debug)]
pub struct InProcessApi {
    api: TestApi,
    client: Client,
}

impl InProcessApi {
    /// Builds the API on a new database of the kind under test.
    ///
    /// Checks as well that the tables and the routes are those that the API needs and describes.
    #[must_use]
    pub fn new(builder: ApiBuilder) -> Self {
        let api = test_api(builder);
        let report = block_on(api.check_schema()).expect("the tables are what is needed");
        assert!(report.is_empty(), "{report}");
        let documents = Documents::of((*api).clone());
        block_on(documents.check_routes());
        let client = Client::in_process(api.anonymous(), documents);
        Self { api, client }
    }

    /// A client without credentials.
    #[must_use]
    pub fn anonymous(&self) -> Client {
        self.client.clone()
    }

    /// A client of a user with these scopes, separated by spaces.
    #[must_use]
    pub fn as_user(&self, subject: &str, scopes: &str) -> Client {
        let scopes = scopes.split_whitespace();
        self.client.sending_by(self.api.as_user(subject, scopes))
    }
}

impl Deref for InProcessApi {
    type Target = TestApi;

    fn deref(&self) -> &TestApi {
        &self.api
    }
}
