//! What a service answers is what its description says: every answer of every test is looked up
//! in the OpenAPI document of its version.

mod document;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use reqwest::Method;
use resource_runtime::{Api, OpenApiForm};

use crate::Answer;
use document::Document;

/// The descriptions of a service, which are written when they are first looked into.
#[derive(Clone)]
pub(crate) struct Documents {
    api: Arc<Api>,
    versions: Arc<Mutex<HashMap<String, Arc<Document>>>>,
}

impl Documents {
    pub(crate) fn of(api: Api) -> Self {
        Self {
            api: Arc::new(api),
            versions: Arc::default(),
        }
    }

    /// Checks an answer, where its path is one of the API's.
    #[track_caller]
    pub(crate) fn check(&self, method: &Method, path: &str, answer: &Answer) {
        let versions = self.api.versions();
        let mut segments = path.split('/');
        let Some(version) = segments.find_map(|it| versions.iter().find(|known| *known == it))
        else {
            return;
        };
        self.document(version).check(method, path, answer);
    }

    fn document(&self, version: &str) -> Arc<Document> {
        let mut versions = self
            .versions
            .lock()
            .expect("nothing panics under this lock");
        let document = versions.entry(version.to_owned()).or_insert_with(|| {
            let text = self.api.openapi(version, OpenApiForm::V31);
            Arc::new(Document::parse(&text.expect("the version is served")))
        });
        Arc::clone(document)
    }
}

impl fmt::Debug for Documents {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Documents").finish_non_exhaustive()
    }
}
