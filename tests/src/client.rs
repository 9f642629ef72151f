//! The HTTP client of the tests, which checks every response against the promises and the description of the service.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Method};
use reqwest::redirect::Policy;
use serde_json::Value;

use crate::answer::Answer;
use crate::assertions::{assert_created, assert_promises};
use crate::documented::Documents;
use crate::polling::PATIENCE;
use crate::recording::{self, Request as Sent};
use crate::runtime::runtime;
use crate::watch;

/// An HTTP client of one server; clones share its open connections.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    address: SocketAddr,
    /// The OpenAPI documents of the service, where they are known.
    documents: Option<Documents>,
    /// Takes the requests into a router, where no server listens at the address.
    router: Option<resource_testing::Client>,
}

impl Client {
    /// A client of the server at this address.
    #[must_use]
    pub fn new(address: SocketAddr) -> Self {
        Self {
            http: http(None),
            address,
            documents: None,
            router: None,
        }
    }

    /// A client whose requests go into a router.
    pub(crate) fn in_process(router: resource_testing::Client, documents: Documents) -> Self {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 80));
        Self::documented(address, documents).sending_by(router)
    }

    /// The same client, whose requests are sent by the caller of a router.
    pub(crate) fn sending_by(&self, router: resource_testing::Client) -> Self {
        Self {
            router: Some(router),
            ..self.clone()
        }
    }

    /// A client of the same server at another address of this machine, like `127.0.0.2`.
    #[must_use]
    pub fn calling_from(&self, own: [u8; 4]) -> Self {
        Self {
            http: http(Some(own.into())),
            ..self.clone()
        }
    }

    /// A client of a process, which checks responses against the description that the process serves.
    #[must_use]
    pub fn of_process(address: SocketAddr) -> Self {
        Self::documented(address, Documents::of_process(address))
    }

    /// A client that checks responses against the description of the service.
    pub(crate) fn documented(address: SocketAddr, documents: Documents) -> Self {
        let documents = Some(documents);
        Self {
            documents,
            ..Self::new(address)
        }
    }

    /// Checks that the service has the routes that it describes, where its description is known.
    pub(crate) async fn check_routes(&self) {
        if let Some(documents) = &self.documents {
            documents.check_routes().await;
        }
    }

    /// The address of the server.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Described parts of a version that no response to this client and its clones has shown: statuses and
    /// codes of operations, accepted parameters, and members of items.
    #[must_use]
    #[track_caller]
    pub fn responses_not_seen(&self, version: &str) -> Vec<String> {
        let documents = self.documents.as_ref().expect("a description");
        documents.responses_not_seen(version)
    }

    /// A request to be filled in and sent.
    #[must_use]
    #[track_caller]
    pub fn request(&self, method: &str, path: &str) -> Request {
        let method = Method::from_bytes(method.as_bytes()).expect("a method");
        let url = format!("http://{}{path}", self.address);
        Request {
            builder: self.http.request(method, url),
            documents: self.documents.clone(),
            router: self.router.clone(),
        }
    }

    /// Sends `GET`.
    #[track_caller]
    pub fn get(&self, path: &str) -> Answer {
        self.request("GET", path).send()
    }

    /// Sends `POST` with a JSON body.
    #[track_caller]
    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.request("POST", path).json(body.to_string()).send()
    }

    /// Sends `PUT` with a JSON body.
    #[track_caller]
    pub fn put(&self, path: &str, body: &Value) -> Answer {
        self.request("PUT", path).json(body.to_string()).send()
    }

    /// Sends `PATCH` with a JSON merge patch.
    #[track_caller]
    pub fn patch(&self, path: &str, body: &Value) -> Answer {
        let request = self.request("PATCH", path);
        let request = request.header("content-type", "application/merge-patch+json");
        request.body(body.to_string()).send()
    }

    /// Sends `DELETE`.
    #[track_caller]
    pub fn delete(&self, path: &str) -> Answer {
        self.request("DELETE", path).send()
    }

    /// Creates an item and returns its path.
    #[track_caller]
    pub fn create(&self, path: &str, body: &Value) -> String {
        assert_created(&self.post(path, body))
    }

    /// The item or the page at this path.
    #[track_caller]
    pub fn read(&self, path: &str) -> Value {
        self.get(path).ok()
    }
}

fn http(own: Option<IpAddr>) -> reqwest::Client {
    reqwest::Client::builder()
        // A proxy from the environment would stand between the tests and the server.
        .no_proxy()
        // Tests assert on redirects themselves.
        .redirect(Policy::none())
        .timeout(PATIENCE)
        .local_address(own)
        .build()
        .expect("a client")
}

/// A request that has not been sent yet.
#[derive(Debug)]
pub struct Request {
    builder: reqwest::RequestBuilder,
    documents: Option<Documents>,
    router: Option<resource_testing::Client>,
}

impl Request {
    /// Adds this header, whose value may be any bytes that HTTP allows.
    #[must_use]
    #[track_caller]
    pub fn header(self, name: &str, value: impl AsRef<[u8]>) -> Self {
        let name = HeaderName::from_bytes(name.as_bytes()).expect("a header's name");
        let value = HeaderValue::from_bytes(value.as_ref()).expect("a header's value");
        Self {
            builder: self.builder.header(name, value),
            ..self
        }
    }

    /// Sets this body, without a declared type.
    #[must_use]
    pub fn body(self, body: impl Into<Vec<u8>>) -> Self {
        Self {
            builder: self.builder.body(body.into()),
            ..self
        }
    }

    /// Sets this body and declares it as JSON, whatever it is.
    #[must_use]
    pub fn json(self, body: impl Into<Vec<u8>>) -> Self {
        self.header("content-type", "application/json").body(body)
    }

    /// Sends the request, and checks the promises of every response.
    #[track_caller]
    pub fn send(self) -> Answer {
        let answer = self.try_send().expect("an answer");
        assert_promises(&answer);
        answer
    }

    /// Sends the request to a server that may die meanwhile; `None` then.
    #[must_use]
    pub fn try_send(self) -> Option<Answer> {
        let (client, request) = self.builder.build_split();
        let request = request.expect("a request");
        let body = request.body().and_then(reqwest::Body::as_bytes);
        // The secrets of the request must be known before the service can log them.
        watch::asked(
            request.url().as_str(),
            request.headers(),
            body.unwrap_or_default(),
        );
        // Sending consumes a request, which is still needed to check and record the response.
        let sent = request.try_clone().expect("a body in memory");
        let answer = runtime().block_on(async {
            if let Some(router) = &self.router {
                let sent = axum::http::Request::try_from(sent).expect("a request");
                let response = router.request(sent.map(Body::new)).await;
                return Some(Answer {
                    status: response.status().as_u16(),
                    headers: response.headers().clone(),
                    body: response.body().to_vec(),
                });
            }
            let response = client.execute(sent).await.ok()?;
            let status = response.status().as_u16();
            let headers = response.headers().clone();
            let body = response.bytes().await.ok()?.to_vec();
            Some(Answer {
                status,
                headers,
                body,
            })
        })?;
        watch::answered(&answer);
        if let Some(documents) = &self.documents {
            documents.check(request.method(), request.url(), &answer);
        }
        recording::note(Sent::Whole(&request), request.url().authority(), &answer);
        Some(answer)
    }
}
