//! What a request costs more where its access token is checked.

use serde_json::Value;
use tempfile::TempDir;

use crate::Outcome;
use crate::arguments::Settings;
use crate::load::{Client, Crowd};
use crate::measure::{median, microseconds_each};
use crate::service::Service;
use crate::subject::Subject;

const ROWS: usize = 1000;

const OPERATIONS: [(&str, &str); 2] = [
    ("retrieve", "/api/1.0/settings/500"),
    ("list_10", "/api/1.0/settings?offset=500&limit=10"),
];

/// A service and the header that lets requests in.
struct Side {
    service: Service,
    crowd: Crowd,
    header: String,
}

pub(crate) fn compare(settings: &Settings) -> Outcome {
    let folder = TempDir::new()?;
    let open = Service::start(Subject::Open, folder.path())?;
    let mut open = Side::new(open, String::new(), settings.connections)?;
    let guarded = Service::start(Subject::Guarded, folder.path())?;
    let header = format!("Authorization: Bearer {}\r\n", access_token(&guarded)?);
    let mut guarded = Side::new(guarded, header, settings.connections)?;
    println!("CPU µs a request: median of {} rounds", settings.rounds);
    println!("operation   open  guarded  ratio");
    for (operation, path) in OPERATIONS {
        let requests = (open.get(path), guarded.get(path));
        let mut rounds = Vec::new();
        for _ in 0..settings.rounds {
            let open = open.cost(&requests.0, settings.requests)?;
            let guarded = guarded.cost(&requests.1, settings.requests)?;
            rounds.push((open, guarded));
        }
        let ratio = median(
            rounds
                .iter()
                .map(|(open, guarded)| guarded / open)
                .collect(),
        );
        let (open, guarded) = rounds.into_iter().unzip();
        let (open, guarded) = (median(open), median(guarded));
        println!("{operation:9} {open:6.1} {guarded:8.1} {ratio:6.3}");
    }
    Ok(())
}

impl Side {
    /// With the rows that are read.
    fn new(service: Service, header: String, connections: usize) -> Outcome<Self> {
        let address = service.told("address")?;
        let mut client = Client::connect(address)?;
        let crowd = Crowd::connect(address, connections)?;
        let side = Self {
            service,
            crowd,
            header,
        };
        for row in 0..ROWS {
            let body = format!(r#"{{"name":"setting {row}","value":"the value of {row}"}}"#);
            let request = side.post("/api/1.0/settings", "application/json", &body);
            client.send(&request)?;
        }
        Ok(side)
    }

    fn get(&self, path: &str) -> String {
        format!(
            "GET {path} HTTP/1.1\r\nHost: localhost\r\n{}\r\n",
            self.header
        )
    }

    fn post(&self, path: &str, content_type: &str, body: &str) -> String {
        post(path, &self.header, content_type, body)
    }

    /// What the service computes for each of these requests, in microseconds.
    fn cost(&mut self, request: &str, times: usize) -> Outcome<f64> {
        let before = self.service.cpu()?;
        let count = self.crowd.repeat(request, times)?;
        let spent = self.service.cpu()?.saturating_sub(before);
        Ok(microseconds_each(spent, count))
    }
}

fn post(path: &str, header: &str, content_type: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\n{header}Content-Type: {content_type}\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    )
}

fn access_token(service: &Service) -> Outcome<String> {
    let (id, secret) = (service.told("client")?, service.told("secret")?);
    let form = format!("grant_type=client_credentials&client_id={id}&client_secret={secret}");
    let form = post(
        "/oauth/token",
        "",
        "application/x-www-form-urlencoded",
        &form,
    );
    let mut client = Client::connect(service.told("address")?)?;
    let answer: Value = serde_json::from_slice(client.send(&form)?)?;
    let token = answer.get("access_token").and_then(Value::as_str);
    Ok(token.ok_or("the service issued no token")?.to_owned())
}
