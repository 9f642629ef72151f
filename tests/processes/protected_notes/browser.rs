//! A browser: it keeps a cookie, visits pages and submits forms.

use std::cell::RefCell;
use std::collections::BTreeMap;

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use resource_tests::{Answer, Client};

use super::process::PASSWORD;

/// The verifier with which the code for `CHALLENGE` is redeemed (RFC 7636, appendix B).
pub(super) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

pub(super) const CALLBACK: &str = "http://127.0.0.1:9876/callback";

/// A browser that keeps the cookie of the service and sends its forms back.
pub(super) struct Browser<'a> {
    client: &'a Client,
    cookie: RefCell<Option<String>>,
}

impl<'a> Browser<'a> {
    pub(super) fn new(client: &'a Client) -> Self {
        let cookie = RefCell::default();
        Self { client, cookie }
    }

    /// The cookie that the browser would send.
    pub(super) fn cookie(&self) -> Option<String> {
        self.cookie.borrow().clone()
    }

    /// Replaces the cookie, as an attacker could.
    pub(super) fn plant(&self, cookie: Option<String>) {
        self.cookie.replace(cookie);
    }

    pub(super) fn get(&self, path: &str) -> Answer {
        self.send("GET", path, Vec::new())
    }

    pub(super) fn post(&self, path: &str, form: &[(&str, &str)]) -> Answer {
        self.send("POST", path, encoded(form))
    }

    fn send(&self, method: &str, path: &str, body: Vec<u8>) -> Answer {
        let mut request = self.client.request(method, path).body(body);
        if method == "POST" {
            request = request.header("content-type", "application/x-www-form-urlencoded");
        }
        if let Some(cookie) = &*self.cookie.borrow() {
            request = request.header("cookie", cookie);
        }
        let answer = request.try_send().expect("a response");
        if let Some(set) = answer.header("set-cookie") {
            let is_gone = set.contains("Max-Age=0");
            let cookie = set.split(';').next().map(str::to_owned);
            self.cookie.replace(cookie.filter(|_| !is_gone));
        }
        answer
    }

    /// Submits the form of a page whose action is `action`, with `given` and its hidden fields.
    pub(super) fn submit(&self, page: &Answer, action: &str, given: &[(&str, &str)]) -> Answer {
        let fields = hidden_fields(page, action);
        let hidden = fields.iter().map(|(name, value)| (&**name, &**value));
        let form: Vec<_> = hidden.chain(given.iter().copied()).collect();
        self.post(action, &form)
    }

    /// Submits the login form of a page.
    pub(super) fn log_in_on(&self, page: &Answer, name: &str, password: &str) -> Answer {
        self.submit(page, "/login", &[("name", name), ("password", password)])
    }

    /// Logs in with the right password.
    pub(super) fn log_in(&self, name: &str) {
        let answer = self.log_in_on(&self.get("/login"), name, PASSWORD);
        assert_eq!(answer.status, 303, "{}", answer.text());
        assert_eq!(answer.header("location"), Some("/"));
    }

    /// Opens the authorization endpoint with a request of a client for these scopes.
    pub(super) fn authorize(&self, client: &str, scope: &str) -> Answer {
        let query = encoded(&[
            ("client_id", client),
            ("redirect_uri", CALLBACK),
            ("response_type", "code"),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
            ("state", "the state"),
            ("scope", scope),
        ]);
        let query = String::from_utf8(query).unwrap();
        self.get(&format!("/oauth/authorize?{query}"))
    }

    /// Submits the user's decision on the consent page.
    pub(super) fn decide(&self, page: &Answer, decision: &str) -> BTreeMap<String, String> {
        let answer = self.submit(page, "/oauth/authorize", &[("decision", decision)]);
        redirect_parameters(&answer)
    }
}

/// Parameters of the redirect to the client.
#[track_caller]
pub(super) fn redirect_parameters(answer: &Answer) -> BTreeMap<String, String> {
    assert_eq!(answer.status, 303, "{}", answer.text());
    let location = answer.header("location").expect("a location");
    let query = location.strip_prefix(CALLBACK).expect(location);
    let query = query.strip_prefix('?').expect("parameters");
    let decode = |text| percent_decode_str(text).decode_utf8().unwrap().into_owned();
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs
        .map(|(name, value)| (decode(name), decode(value)))
        .collect()
}

/// The hidden fields of the form whose action is `action`.
#[track_caller]
pub(super) fn hidden_fields(page: &Answer, action: &str) -> Vec<(String, String)> {
    let start = format!("action=\"{action}\"");
    let (_, form) = page.text().split_once(&start).expect("the form");
    let (form, _) = form.split_once("</form>").expect("its end");
    let inputs = form
        .split("<input ")
        .skip(1)
        .filter(|it| it.contains("type=\"hidden\""));
    let of = |input: &str, attribute: &str| {
        let (_, value) = input
            .split_once(&format!("{attribute}=\""))
            .expect("an attribute");
        value.split('"').next().unwrap().to_owned()
    };
    inputs
        .map(|it| (of(it, " name"), of(it, " value")))
        .collect()
}

pub(super) fn encoded(form: &[(&str, &str)]) -> Vec<u8> {
    let encode = |text| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let pairs = form
        .iter()
        .map(|(name, value)| format!("{}={}", encode(name), encode(value)));
    pairs.collect::<Vec<_>>().join("&").into_bytes()
}
