//! Every operation of every version, with many sets of scopes, on own, foreign and absent items:
//! expectations derived from the definitions.

use resource_runtime::ApiResource as _;
use resource_runtime::schema::{Access, Operation, Requirement, ResourceDefinition};
use resource_tests::{apply, every_database};
use serde_json::{Value, json};

use super::guarded_service::{EVERYTHING, Guarded, Guest};
use super::models::{Draft, DraftTwo, Folder, Place, Setting};

const REGISTERED: [&ResourceDefinition; 5] = [
    Setting::DEFINITION,
    Place::DEFINITION,
    Folder::DEFINITION,
    Draft::DEFINITION,
    DraftTwo::DEFINITION,
];

/// Sets of scopes, from none to all.
const SCOPES: [&str; 20] = [
    "",
    "drafts.read",
    "drafts.write",
    "drafts.read drafts.write",
    "drafts.read folders.read places.read",
    "drafts.write folders.write places.write settings.write",
    "drafts.read drafts.write lock",
    "drafts.read drafts.write admin",
    "drafts.read folders.write",
    "folders.read",
    "folders.write",
    "folders.read folders.write admin",
    "places.read",
    "places.write",
    "places.write folders.read",
    "settings.write",
    "settings.read",
    "admin",
    "audit lock",
    EVERYTHING,
];

/// The owner of the requested item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Row {
    Own,
    Foreign,
    Absent,
}

/// A version of a resource, with the version segment of its URL.
struct Served {
    definition: &'static ResourceDefinition,
    segment: String,
}

/// All versions by their numbers, and the newest of each collection by `latest`, too.
fn served() -> Vec<Served> {
    let mut all = Vec::new();
    for definition in REGISTERED {
        let same = REGISTERED
            .iter()
            .filter(|it| it.collection() == definition.collection());
        let newest = same.map(|it| it.version()).max();
        let latest = (newest == Some(definition.version())).then(|| "latest".to_owned());
        let segments = latest.into_iter().chain([definition.version().to_string()]);
        all.extend(segments.map(|segment| Served {
            definition,
            segment,
        }));
    }
    all
}

impl Served {
    fn collection(&self) -> String {
        format!("/api/{}/{}", self.segment, self.definition.collection())
    }

    /// A minimal body, with `owner` in the owner attribute, where there is one.
    fn body(&self, owner: Option<&str>) -> Value {
        let mut body = match self.definition.name() {
            "Draft" => json!({"text": "x"}),
            "Folder" => json!({"title": "x"}),
            _ => json!({"name": "x"}),
        };
        if let Some((owner, (_, attribute))) = owner.zip(self.definition.owner_attribute()) {
            body[attribute.name()] = json!(owner);
        }
        body
    }

    /// The path of an item of this owner.
    fn item(&self, guarded: &Guarded, row: Row) -> String {
        let owner = match row {
            Row::Own => "ann",
            Row::Foreign => "bob",
            Row::Absent => return format!("{}/7777777", self.collection()),
        };
        let body = self.body(Some(owner));
        guarded.admin().create(&self.collection(), &body)
    }

    fn access(&self, operation: Operation) -> Access {
        self.definition.declared_guard().unwrap().access(operation)
    }

    /// Tells that ann finds the item, with these scopes.
    fn finds(&self, row: Row, scopes: &str) -> bool {
        let Some(ownership) = self.definition.ownership() else {
            return row != Row::Absent;
        };
        let is_free = ownership.bypass().is_some_and(|it| is_met(it, scopes));
        row == Row::Own || (row == Row::Foreign && is_free)
    }
}

fn is_met(requirement: Requirement, scopes: &str) -> bool {
    let has = |scope: &&str| scopes.split(' ').any(|it| it == *scope);
    match requirement {
        Requirement::Any(wanted) => wanted.iter().any(has),
        Requirement::All(wanted) => wanted.iter().all(has),
    }
}

/// Sends all requests; returns each with its target and status. Reads come before writes.
fn told(guest: &Guest<'_>, guarded: &Guarded, served: &Served) -> Vec<(String, Told, u16)> {
    let collection = served.collection();
    let mut all = Vec::new();
    for method in ["GET", "HEAD"] {
        let answer = guest.request(method, &collection).send();
        all.push((format!("{method} {collection}"), Told::Page, answer.status));
    }
    let created = guest.post(&collection, &served.body(None));
    all.push((format!("POST {collection}"), Told::Created, created.status));
    for row in [Row::Own, Row::Foreign, Row::Absent] {
        let path = served.item(guarded, row);
        for (method, operation) in [
            ("GET", Operation::Retrieve),
            ("HEAD", Operation::Retrieve),
            ("PUT", Operation::Update),
            ("DELETE", Operation::Delete),
        ] {
            let body = if method == "PUT" { "{}" } else { "" };
            let answer = guest.request(method, &path).json(body).send();
            let what = format!("{method} {collection} {row:?}");
            all.push((what, Told::Item(operation, row), answer.status));
        }
    }
    all
}

/// The target of a request.
#[derive(Clone, Copy)]
enum Told {
    Page,
    Created,
    Item(Operation, Row),
}

impl Told {
    const fn operation(self) -> Operation {
        match self {
            Self::Page => Operation::List,
            Self::Created => Operation::Create,
            Self::Item(operation, _) => operation,
        }
    }

    /// The status for callers who may use the operation.
    fn granted(self, served: &Served, scopes: &str) -> u16 {
        match self {
            Self::Item(_, row) if !served.finds(row, scopes) => 404,
            Self::Page | Self::Item(Operation::Retrieve, _) => 200,
            Self::Created => 201,
            Self::Item(..) => 204,
        }
    }
}

#[apply(every_database)]
fn operations_require_the_declared_scopes() {
    let guarded = Guarded::start();
    for served in served() {
        for scopes in SCOPES {
            let ann = guarded.user("ann", scopes);
            for (what, told, status) in told(&ann, &guarded, &served) {
                let may = match served.access(told.operation()) {
                    Access::Nobody => false,
                    Access::Public => true,
                    Access::Scopes(requirement) => is_met(requirement, scopes),
                };
                let expected = if may {
                    told.granted(&served, scopes)
                } else {
                    403
                };
                assert_eq!(status, expected, "{what} with «{scopes}»");
            }
        }
    }
}

#[apply(every_database)]
fn callers_without_a_token_use_public_operations_alone() {
    let guarded = Guarded::start();
    for served in served() {
        for (what, told, status) in told(&guarded.stranger(), &guarded, &served) {
            let is_public = served.access(told.operation()) == Access::Public;
            let expected = if is_public {
                told.granted(&served, "")
            } else {
                401
            };
            assert_eq!(status, expected, "{what}");
        }
    }
}
