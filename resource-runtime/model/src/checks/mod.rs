//! Checks of the form of a text, for validators.
//!
//! Each checks how a text is written, not whether the thing exists: an address of the right form may
//! have no mailbox. None of them does I/O or panics, and the time that each takes grows at most
//! linearly with the text.
//!
//! A text is not trimmed: white space around it makes it invalid, and only ASCII letters and digits
//! count. An empty text does not pass, so test for it first where an attribute may be empty.
//!
//! ```
//! use resource_runtime::checks::{Pattern, is_email, is_phone_number};
//!
//! static PLATE: Pattern = Pattern::new("[A-Z]{2}-[0-9]+");
//!
//! assert!(is_email("ada@example.com"));
//! assert!(is_phone_number("+442079460958"));
//! assert!(PLATE.matches("AB-123"));
//! ```

mod card;
mod email;
mod host;
#[cfg(feature = "phonenumber")]
mod numbering_plan;
mod pattern;
mod phone;
mod url;

pub use card::is_credit_card_number;
pub use email::is_email;
#[cfg(feature = "phonenumber")]
pub use numbering_plan::is_dialable_phone_number;
pub use pattern::Pattern;
pub use phone::is_phone_number;
pub use url::is_url;

#[cfg(test)]
mod samples;
