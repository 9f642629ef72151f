//! The OpenAPI documents of an API, and the routes that serve them.

use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::body::Bytes;
use axum::http::request::Parts;
use axum::response::Response;
use axum::routing::get;

use super::Api;
use crate::failure::Failure;
use crate::http::middleware::nested_under;
use crate::http::{Documents, Mount, OfferedDocuments, respond};
use crate::openapi::{self, ApiDescription, OpenApiVersion};

/// The files of a version, each with whether it is for generated clients.
const FILES: [(&str, OpenApiVersion, bool); 4] = [
    ("openapi.json", OpenApiVersion::V31, false),
    ("openapi-3.0.json", OpenApiVersion::V30, false),
    ("openapi-client.json", OpenApiVersion::V31, true),
    ("openapi-client-3.0.json", OpenApiVersion::V30, true),
];

/// A document, written at its first request.
struct Document {
    api: Api,
    version: String,
    spec: OpenApiVersion,
    is_for_clients: bool,
    /// The path that the API was nested under, and the document as it is sent there.
    written: OnceLock<(String, Option<Bytes>)>,
}

impl Document {
    /// The response to `GET`.
    fn respond(&self, request: &Parts) -> Result<Response, Failure> {
        let written = self.nested_under(nested_under(request)).map(respond::json);
        // Only versions with resources have this route, so a missing document is a defect.
        written.ok_or_else(|| Failure::internal("the description of the API cannot be written"))
    }

    /// The document of an API that is nested under `prefix`. A router may be nested at more than one place:
    /// only the first document is remembered.
    fn nested_under(&self, prefix: &str) -> Option<Bytes> {
        let first = || (prefix.to_owned(), self.write(prefix));
        let (known, text) = self.written.get_or_init(first);
        // Others are written anew: a router nested under a parameter has as many
        // prefixes as its clients send.
        if known == prefix {
            return text.clone();
        }
        self.write(prefix)
    }

    fn write(&self, prefix: &str) -> Option<Bytes> {
        // A description borrows from the API, so only its text is kept.
        let (version, spec) = (&self.version, self.spec);
        let api = self
            .api
            .description(version, spec, self.is_for_clients, prefix)?;
        // An error is kept as well: the document is made of constants, so another try would fail again.
        openapi::written(&api).ok().map(Bytes::from)
    }
}

impl Api {
    /// The OpenAPI document of a version, `1.0` or `latest`, which the service serves at
    /// `<root>/<version>/openapi.json`, here in lines for people; none where there is no such version.
    ///
    /// ```
    /// use resource_runtime::{Api, ApiResource, Database, OpenApiVersion};
    ///
    /// /// An application setting.
    /// #[derive(ApiResource)]
    /// #[resource(name = "Setting", url = "/settings", version = "1.0")]
    /// struct Setting {
    ///     id: i64,
    ///     /// What it is called.
    ///     name: String,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), resource_runtime::Error> {
    /// # let file = std::env::temp_dir().join(format!("openapi-{}.db", std::process::id()));
    /// # let url = format!("sqlite://{}", file.display());
    /// let database = Database::connect(&url).await?;
    /// let api = Api::builder().resource::<Setting>().build(database)?;
    /// let document = api.openapi("1.0", OpenApiVersion::V31).unwrap();
    /// assert!(document.contains("What it is called."));
    /// assert_eq!(api.openapi("2.0", OpenApiVersion::V31), None);
    /// # std::fs::remove_file(&file).unwrap();
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn openapi(&self, version: &str, spec: OpenApiVersion) -> Option<String> {
        openapi::printed(&self.description(version, spec, false, "")?).ok()
    }

    /// The OpenAPI document of a version for generators of clients, which the service serves at
    /// `<root>/<version>/openapi-client.json`. It describes requests without `fields` alone, in whose responses all attributes
    /// are there, so that those of generated types are not optional.
    ///
    /// ```
    /// use resource_runtime::{Api, ApiResource, Database, OpenApiVersion};
    ///
    /// #[derive(ApiResource)]
    /// #[resource(name = "Setting", url = "/settings", version = "1.0")]
    /// struct Setting {
    ///     id: i64,
    ///     name: String,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let file = std::env::temp_dir().join(format!("openapi-client-{}.db", std::process::id()));
    /// # let url = format!("sqlite://{}", file.display());
    /// let database = Database::connect(&url).await?;
    /// let api = Api::builder().resource::<Setting>().build(database)?;
    /// let document = api.openapi_for_clients("1.0", OpenApiVersion::V31).unwrap();
    /// let document: serde_json::Value = serde_json::from_str(&document)?;
    /// let required = &document["components"]["schemas"]["Setting"]["required"];
    /// assert_eq!(*required, serde_json::json!(["id", "name"]));
    /// # std::fs::remove_file(&file).unwrap();
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn openapi_for_clients(&self, version: &str, spec: OpenApiVersion) -> Option<String> {
        openapi::printed(&self.description(version, spec, true, "")?).ok()
    }

    /// The parts of the API that the document of a version describes.
    fn description<'api>(
        &'api self,
        version: &'api str,
        spec: OpenApiVersion,
        is_for_clients: bool,
        prefix: &'api str,
    ) -> Option<ApiDescription<'api>> {
        // The resources of a version, or of `latest`, in the order of their registration.
        let mounts = self.parts.mounts.iter().filter(|it| is_served(it, version));
        let services: Vec<_> = mounts.map(|mount| &*mount.resource.service).collect();
        // A version without resources is none.
        if services.is_empty() {
            return None;
        }
        let settings = &self.parts.settings;
        let mut definitions: Vec<_> = self.parts.services.definitions().collect();
        // They are found by their types, in any order, and the document is the same at each start.
        definitions.sort_by_key(|it| (it.version(), it.collection()));
        Some(ApiDescription {
            spec,
            is_for_clients,
            about: &settings.about,
            segment: version,
            root: &settings.root,
            base: settings.base_url.as_deref(),
            prefix,
            offered: self.offered(),
            services,
            tables: &self.parts.tables,
            definitions,
            codes: settings.codes(),
            additions: &settings.additions,
            schemes: settings.schemes(),
            has_quota: settings.quota.is_some(),
        })
    }

    /// The documents and pages that describe the API, unless they are hidden.
    pub(super) fn documents(&self) -> Documents {
        let offered = self.offered();
        // The pages link to the document, so both are hidden together.
        if !offered.description {
            return Documents::default();
        }
        let routes = self.descriptions();
        #[cfg(feature = "docs")]
        let routes = routes.merge(self.pages());
        Documents { routes, offered }
    }

    fn offered(&self) -> OfferedDocuments {
        OfferedDocuments {
            description: self.parts.settings.documented,
            pages: self.parts.settings.has_pages(),
        }
    }

    /// The routes that serve the documents.
    fn descriptions(&self) -> Router {
        // Each version has a document in each form, and `latest` counts as a version.
        let versions = self.versions().into_iter();
        let named = versions.flat_map(|version| FILES.map(|file| (version.clone(), file)));
        named.fold(Router::new(), |router, (version, file)| {
            let (file, spec, is_for_clients) = file;
            let path = format!("{}/{version}/{file}", self.parts.settings.root);
            // One state for each route: all of its requests share the written document.
            let document = Arc::new(Document {
                api: self.clone(),
                version,
                spec,
                is_for_clients,
                written: OnceLock::new(),
            });
            let response = async move |request: Parts| document.respond(&request);
            router.route(&path, get(response))
        })
    }
}

pub(super) fn is_served(mount: &Mount, version: &str) -> bool {
    // `latest` cannot be a version, since those are numbers.
    match version {
        "latest" => mount.is_latest,
        version => mount.definition().version().to_string() == version,
    }
}
