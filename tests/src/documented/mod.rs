//! Checks of every response of every test against the OpenAPI document of its version.

mod coverage;
mod document;
mod routes;

use std::collections::HashMap;
use std::fmt;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use reqwest::{Method, Url};
use resource_runtime::{Api, OpenApiVersion};

use crate::{Answer, raw};
use document::Document;

/// OpenAPI documents of a service, loaded when they are first needed.
#[derive(Clone)]
pub(crate) struct Documents {
    source: Arc<Source>,
    loaded: Arc<Mutex<Loaded>>,
}

/// Each document by its version and its readers.
type Loaded = HashMap<(String, Audience), Arc<Document>>;

/// The readers of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Audience {
    Everyone,
    /// Generated clients, which send no `fields`.
    Clients,
}

/// The source of the documents.
enum Source {
    Api(Box<Api>),
    /// A process that serves its API at `/api`.
    Process(SocketAddr),
}

impl Documents {
    pub(crate) fn of(api: Api) -> Self {
        Self::told_by(Source::Api(Box::new(api)))
    }

    pub(crate) fn of_process(address: SocketAddr) -> Self {
        Self::told_by(Source::Process(address))
    }

    fn told_by(source: Source) -> Self {
        Self {
            source: Arc::new(source),
            loaded: Arc::default(),
        }
    }

    /// Checks a response, where its path is one of the API's.
    #[track_caller]
    pub(crate) fn check(&self, method: &Method, url: &Url, answer: &Answer) {
        let Some(version) = self.source.version(url.path()) else {
            return;
        };
        let selects = url.query_pairs().any(|(name, _)| name == "fields");
        let audiences = [Audience::Everyone, Audience::Clients];
        for audience in audiences.into_iter().take(if selects { 1 } else { 2 }) {
            if let Some(document) = self.document(&version, audience) {
                document.check(method, url, answer);
            }
        }
    }

    /// Described parts of a version that no response has shown yet.
    #[track_caller]
    pub(crate) fn responses_not_seen(&self, version: &str) -> Vec<String> {
        let document = self.document(version, Audience::Everyone);
        document
            .expect("the version is served")
            .responses_not_seen()
    }

    /// Checks that the API has the routes that it describes, in every version.
    pub(crate) async fn check_routes(&self) {
        let Source::Api(api) = &*self.source else {
            return;
        };
        for version in api.versions() {
            let document = self.document(&version, Audience::Everyone);
            let document = document.expect("the version is served");
            routes::check(api, document.json()).await;
        }
    }

    fn document(&self, version: &str, audience: Audience) -> Option<Arc<Document>> {
        let mut versions = self.loaded.lock().expect("nothing panics under this lock");
        let key = (version.to_owned(), audience);
        if let Some(document) = versions.get(&key) {
            return Some(Arc::clone(document));
        }
        let text = self.source.openapi(version, audience)?;
        let document = Arc::new(Document::parse(&text));
        versions.insert(key, Arc::clone(&document));
        Some(document)
    }
}

impl Source {
    /// The version that a path names.
    fn version(&self, path: &str) -> Option<String> {
        let mut segments = path.split('/');
        match self {
            Self::Api(api) => {
                let versions = api.versions();
                let named = segments.find(|it| versions.iter().any(|known| known == it));
                named.map(str::to_owned)
            }
            Self::Process(_) => {
                let is_below = segments.nth(1) == Some("api");
                let named = segments.next().filter(|it| is_below && !it.is_empty());
                named.map(str::to_owned)
            }
        }
    }

    /// The document of a version; `None` where there is no such version, or the process has ended.
    fn openapi(&self, version: &str, audience: Audience) -> Option<String> {
        match (self, audience) {
            (Self::Api(api), Audience::Everyone) => api.openapi(version, OpenApiVersion::V31),
            (Self::Api(api), Audience::Clients) => {
                api.openapi_for_clients(version, OpenApiVersion::V31)
            }
            (Self::Process(address), Audience::Everyone) => {
                served(*address, version, "openapi.json")
            }
            (Self::Process(address), Audience::Clients) => {
                served(*address, version, "openapi-client.json")
            }
        }
    }
}

/// The document that a process serves, read past the watch over the log: its examples of passwords are no
/// secrets.
fn served(address: SocketAddr, version: &str, file: &str) -> Option<String> {
    let line = format!("GET /api/{version}/{file} HTTP/1.1");
    let request = format!("{line}\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    let bytes = raw::try_exchange(address, request.as_bytes())?;
    let answer = raw::parse(&bytes);
    (answer.status == 200).then(|| answer.text().to_owned())
}

impl fmt::Debug for Documents {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Documents").finish_non_exhaustive()
    }
}
