//! The extra cost of a request whose access token is checked.

use serde_json::Value;
use tempfile::TempDir;

use crate::arguments::AuthorizationSettings;
use crate::awake::Awake;
use crate::load::{Client, Crowd, Length};
use crate::measure::{median, microseconds_each};
use crate::service::Service;
use crate::subjects::Subject;
use crate::{Outcome, message};

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

/// The two sides that are compared. A process keeps its luck with memory and processors for life, so the
/// pair is started more than once.
struct Pair {
    open: Side,
    guarded: Side,
    _folder: TempDir,
}

/// Costs of an operation, in CPU microseconds a request.
#[derive(Default)]
struct Costs {
    open: Vec<f64>,
    guarded: Vec<f64>,
    /// The median of the ratios of each start.
    ratios: Vec<f64>,
}

pub(crate) fn compare(settings: &AuthorizationSettings) -> Outcome {
    let _awake = Awake::keep();
    let mut costs = OPERATIONS.map(|_| Costs::default());
    for _ in 0..settings.starts {
        let mut pair = Pair::start(settings.connections)?;
        for (costs, (_, path)) in costs.iter_mut().zip(OPERATIONS) {
            pair.measure(path, settings, costs)?;
        }
    }
    println!("CPU µs a request: medians of {} starts", settings.starts);
    println!("operation   open  guarded  ratio");
    for (costs, (operation, _)) in costs.into_iter().zip(OPERATIONS) {
        let (open, guarded) = (median(costs.open), median(costs.guarded));
        let ratio = median(costs.ratios);
        println!("{operation:9} {open:6.1} {guarded:8.1} {ratio:6.3}");
    }
    Ok(())
}

impl Pair {
    fn start(connections: usize) -> Outcome<Self> {
        let folder = TempDir::new()?;
        let open = Service::start(Subject::Open, &file(&folder, "open"))?;
        let guarded = Service::start(Subject::Guarded, &file(&folder, "guarded"))?;
        let token = access_token(&guarded)?;
        revoke(&guarded, &access_token(&guarded)?)?;
        let header = format!("Authorization: Bearer {token}\r\n");
        Ok(Self {
            open: Side::new(open, String::new(), connections)?,
            guarded: Side::new(guarded, header, connections)?,
            _folder: folder,
        })
    }

    fn measure(
        &mut self,
        path: &str,
        settings: &AuthorizationSettings,
        costs: &mut Costs,
    ) -> Outcome {
        let requests = (self.open.get(path), self.guarded.get(path));
        let mut ratios = Vec::new();
        for _ in 0..settings.rounds {
            // In turn, so that whatever else the machine does meets both sides.
            let open = self.open.cost(&requests.0, settings.requests)?;
            let guarded = self.guarded.cost(&requests.1, settings.requests)?;
            costs.open.push(open);
            costs.guarded.push(guarded);
            ratios.push(guarded / open);
        }
        costs.ratios.push(median(ratios));
        Ok(())
    }
}

impl Side {
    /// A side with the rows that are read.
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
            let request = message::post("/api/1.0/settings", &side.header, message::JSON, &body);
            client.send(&request)?;
        }
        Ok(side)
    }

    fn get(&self, path: &str) -> String {
        message::get(path, &self.header)
    }

    /// CPU time of the service for each of these requests, in microseconds.
    fn cost(&mut self, request: &str, times: usize) -> Outcome<f64> {
        let before = self.service.cpu()?;
        let length = Length::Requests(times);
        let sent = self.crowd.send(length, |_| request.to_owned())?;
        let cost = self.service.cpu()?.saturating_sub(before);
        Ok(microseconds_each(cost, sent.latencies.len()))
    }
}

fn access_token(service: &Service) -> Outcome<String> {
    let form = form(service, "grant_type=client_credentials")?;
    let answer = client(service)?
        .send(&message::post("/oauth/token", "", message::FORM, &form))?
        .to_vec();
    let answer: Value = serde_json::from_slice(&answer)?;
    let token = answer.get("access_token").and_then(Value::as_str);
    Ok(token.ok_or("the service issued no token")?.to_owned())
}

/// Revokes a token, since revoked tokens are looked for only where there are any.
fn revoke(service: &Service, token: &str) -> Outcome {
    let form = form(service, &format!("token={token}"))?;
    client(service)?.send(&message::post("/oauth/revoke", "", message::FORM, &form))?;
    Ok(())
}

/// A form with the credentials of the client.
fn form(service: &Service, members: &str) -> Outcome<String> {
    let (id, secret) = (service.told("client")?, service.told("secret")?);
    Ok(format!("{members}&client_id={id}&client_secret={secret}"))
}

fn client(service: &Service) -> Outcome<Client> {
    Ok(Client::connect(service.told("address")?)?)
}

/// The URL of a file of SQLite.
fn file(folder: &TempDir, name: &str) -> String {
    format!("sqlite://{}", folder.path().join(name).display())
}
