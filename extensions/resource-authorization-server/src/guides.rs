//! Guides to OAuth 2: access to an API, a server that issues tokens, and the threat model of both.

/// The links between the guides. In their files they lead to files; this comes first in the documentation, and the first
/// definition of a link counts.
macro_rules! links {
    () => {
        "\
[issuing]: crate::guides::issuing\n\
[protecting]: crate::guides::protecting\n\
[threats]: crate::guides::threats\n"
    };
}

#[doc = links!()]
#[doc = include_str!("../docs/protecting.md")]
pub mod protecting {}

#[doc = links!()]
#[doc = include_str!("../docs/issuing.md")]
pub mod issuing {}

#[doc = links!()]
#[doc = include_str!("../docs/threats.md")]
pub mod threats {}
