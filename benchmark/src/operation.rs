//! The operations that are measured, and the requests for them.

use clap::ValueEnum;

use crate::message;
use crate::random::{Random, unused_number};
use crate::subjects::{Subject, fixed};

/// Number of different last names of the persons.
const NAMES: u64 = 20;

/// Number of persons that a filter looks through, from the greatest id down.
pub(crate) const LOOKED_THROUGH: u64 = 200;

const EXPANDED: &str = "id,first_name,last_name,\
    bill_address(line1,city,zip_code),ship_address(line1,city,zip_code)";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum Operation {
    /// A setting by its id.
    Retrieve,
    /// The first ten settings, and how many there are.
    #[value(name = "list_10")]
    List10,
    /// The first hundred settings, and how many there are.
    #[value(name = "list_100")]
    List100,
    /// The ten latest persons of a last name, and how many there are.
    Filter,
    /// Ten persons with both addresses.
    Expand,
    /// A new setting.
    Create,
    /// Another value of a setting.
    Update,
}

impl Operation {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Retrieve => "retrieve",
            Self::List10 => "list_10",
            Self::List100 => "list_100",
            Self::Filter => "filter",
            Self::Expand => "expand",
            Self::Create => "create",
            Self::Update => "update",
        }
    }

    pub(crate) const fn reads(self) -> bool {
        !matches!(self, Self::Create | Self::Update)
    }

    /// A request to a subject that has so many rows in each of its tables.
    pub(crate) fn request(self, subject: Subject, rows: u64, random: &mut Random) -> String {
        let path = match subject {
            Subject::Fixed => fixed::path(self),
            Subject::ByHand | Subject::ByHandRusqlite => self.plain_path(rows, random),
            _ => self.path(rows, random),
        };
        match self {
            Self::Create => message::post(&path, "", message::JSON, &new_setting()),
            Self::Update => message::put(&path, &new_value()),
            _ => message::get(&path, ""),
        }
    }

    /// Path of the operation in the API, with its query language.
    fn path(self, rows: u64, random: &mut Random) -> String {
        match self {
            Self::Filter => {
                let (name, above) = (random.below(NAMES), rows.saturating_sub(LOOKED_THROUGH));
                let filter = format!("and(eq(last_name,%22Name{name}%22),gt(id,{above}))");
                format!("/api/1.0/persons?filter={filter}&order=desc(id)")
            }
            Self::Expand => {
                let (above, up_to) = ten_of(rows, random);
                let filter = format!("and(gt(id,{above}),le(id,{up_to}))");
                format!("/api/1.0/persons?filter={filter}&fields={EXPANDED}")
            }
            _ => self.common_path(rows, random),
        }
    }

    /// Path of the operation in a service by hand, without a query language.
    fn plain_path(self, rows: u64, random: &mut Random) -> String {
        match self {
            Self::Filter => {
                let (name, above) = (random.below(NAMES), rows.saturating_sub(LOOKED_THROUGH));
                format!("/api/1.0/persons?last_name=Name{name}&above={above}")
            }
            Self::Expand => {
                let (above, up_to) = ten_of(rows, random);
                format!("/api/1.0/persons/expanded?above={above}&up_to={up_to}")
            }
            _ => self.common_path(rows, random),
        }
    }

    fn common_path(self, rows: u64, random: &mut Random) -> String {
        let settings = "/api/1.0/settings";
        match self {
            Self::Retrieve | Self::Update => format!("{settings}/{}", random.below(rows) + 1),
            Self::List10 => format!("{settings}?limit=10"),
            Self::List100 => format!("{settings}?limit=100"),
            _ => settings.to_owned(),
        }
    }
}

/// The ids of ten persons: above the first, up to the second.
fn ten_of(rows: u64, random: &mut Random) -> (u64, u64) {
    let above = random.below(rows.saturating_sub(10).max(1));
    (above, above + 10)
}

pub(crate) fn new_setting() -> String {
    let name = unused_number();
    format!(r#"{{"name":"created {name}","value":"a value as long as most values are"}}"#)
}

fn new_value() -> String {
    let value = unused_number();
    format!(r#"{{"value":"another value, which is number {value}"}}"#)
}
