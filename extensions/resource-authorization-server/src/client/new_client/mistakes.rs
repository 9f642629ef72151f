use resource_runtime::authorization::Scopes;
use resource_runtime::seam::{did_you_mean, excerpt};

use super::super::redirect_uri::mistake_of;
use super::{ClientKind, GivenSecret, GrantType, NewClient};
use crate::text::is_unreserved;

const ALPHABET: &str = "the letters, digits, `-`, `.`, `_` and `~`";

/// The characters of a secret, as many as 192 bits need.
const SHORTEST_SECRET: usize = 32;

/// Nobody needs a longer one.
const LONGEST_SECRET: usize = 256;

/// A longer name of a client is none of ours: nothing is looked up for it.
const LONGEST_ID: usize = 128;

/// A token that says more is longer than our own verifiers take.
const LONGEST_SCOPES: usize = 4096;

impl NewClient {
    /// Everything that is wrong with it.
    pub(super) fn mistakes(&self, known: &Scopes) -> Vec<String> {
        let named = excerpt(&self.name);
        let own = [
            self.mistake_of_name(),
            self.mistake_of_id(),
            self.mistake_of_secret(),
            self.mistake_of_grant_types(),
            self.mistake_of_introspection(),
            self.mistake_of_scopes(),
        ];
        let of_redirect_uris = self.redirect_uris.iter().filter_map(|uri| mistake_of(uri));
        let defaults = self.default_scopes.iter().flatten();
        let of_defaults = defaults
            .filter(|it| !self.scopes.contains(it))
            .map(|scope| {
                format!(
                    "the default scope `{}` is none of its scopes",
                    excerpt(scope)
                )
            });
        let unknown = self.scopes.iter().filter(|scope| !known.contains(scope));
        let of_scopes = unknown.map(|scope| {
            let nearest = did_you_mean(scope, known.iter());
            format!("the server has no scope `{}`{nearest}", excerpt(scope))
        });
        own.into_iter()
            .flatten()
            .chain(of_redirect_uris)
            .chain(of_scopes)
            .chain(of_defaults)
            .map(|mistake| format!("client `{named}`: {mistake}"))
            .collect()
    }

    fn mistake_of_name(&self) -> Option<String> {
        let illegible = self.name.trim().is_empty() || self.name.chars().any(char::is_control);
        illegible.then(|| "its name must be one that users can read".to_owned())
    }

    fn mistake_of_id(&self) -> Option<String> {
        let id = self.id.as_ref()?;
        (!is_id(id)).then(|| {
            format!("its id must be 1 to {LONGEST_ID} of {ALPHABET}; leave it out for a random one")
        })
    }

    fn mistake_of_secret(&self) -> Option<String> {
        let GivenSecret {
            text,
            may_be_guessable,
        } = self.secret.as_ref()?;
        if self.kind == ClientKind::Public {
            return Some("a public client has no secret; make it confidential".to_owned());
        }
        let shortest = if *may_be_guessable {
            1
        } else {
            SHORTEST_SECRET
        };
        let sound = (shortest..=LONGEST_SECRET).contains(&text.len()) && is_unreserved(text);
        (!sound).then(|| {
            format!(
                "its secret must be {shortest} to {LONGEST_SECRET} of {ALPHABET}; leave it out for a random one"
            )
        })
    }

    fn mistake_of_grant_types(&self) -> Option<String> {
        let chosen = self.chosen_grant_types();
        let uses = |wanted: GrantType| chosen.contains(&wanted);
        let mistake = if self.kind == ClientKind::Public && uses(GrantType::ClientCredentials) {
            "a public client cannot act on its own behalf; name redirect URIs, or make it confidential"
        } else if uses(GrantType::AuthorizationCode) && self.redirect_uris.is_empty() {
            "it has nowhere to send users back to; name it with `.redirect_uri(…)`"
        } else if uses(GrantType::RefreshToken) && !uses(GrantType::AuthorizationCode) {
            "refresh tokens come with authorization codes alone; allow those, too"
        } else {
            return None;
        };
        Some(mistake.to_owned())
    }

    fn mistake_of_scopes(&self) -> Option<String> {
        if self.scopes.is_empty() && !self.chosen_grant_types().is_empty() {
            return Some("it may ask for nothing; name what it may with `.scopes(…)`".to_owned());
        }
        let length = self
            .scopes
            .iter()
            .map(|scope| scope.len() + 1)
            .sum::<usize>();
        (length > LONGEST_SCOPES).then(|| {
            format!(
                "its scopes are {length} characters together, which no token bears; {LONGEST_SCOPES} at most"
            )
        })
    }

    fn mistake_of_introspection(&self) -> Option<String> {
        let anybody = self.can_introspect && self.kind == ClientKind::Public;
        anybody.then(|| "a public client cannot introspect; make it confidential".to_owned())
    }
}

/// Whether it has the form of a client's id.
pub(crate) fn is_id(id: &str) -> bool {
    (1..=LONGEST_ID).contains(&id.len()) && is_unreserved(id)
}
