//! Title, description, contact and license in a document.

use super::json::{Object, object};

/// Description of an API as a whole, beside its resources.
#[derive(Debug, Clone, Default)]
pub(crate) struct About {
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    /// The contact for questions.
    pub(crate) contact: Option<NamedUrl>,
    pub(crate) license: Option<NamedUrl>,
}

/// A name, and the URL to which it leads.
#[derive(Debug, Clone)]
pub(crate) struct NamedUrl {
    pub(crate) name: String,
    pub(crate) url: String,
}

impl About {
    pub(crate) fn title(&self) -> &str {
        // OpenAPI requires a title.
        self.title.as_deref().unwrap_or("API")
    }

    /// The problems in the URLs of contact and license.
    pub(crate) fn problems(&self) -> impl Iterator<Item = String> {
        let urls = [("contact", &self.contact), ("license", &self.license)];
        urls.into_iter().filter_map(|(name, named_url)| {
            let url = &named_url.as_ref()?.url;
            (!is_absolute(url)).then(|| {
                format!("the URL of the {name}, `{url}`, must be absolute, like `https://example.org/{name}`")
            })
        })
    }

    pub(super) fn info(&self, version: &str) -> Object {
        // Both versions of OpenAPI require title and version; the other members are left out if they are not
        // set.
        object! {
            "title": self.title().to_owned(),
            "description": self.description.clone(),
            "contact": self.contact.as_ref().map(NamedUrl::to_json),
            "license": self.license.as_ref().map(NamedUrl::to_json),
            "version": version.to_owned(),
        }
    }
}

impl NamedUrl {
    fn to_json(&self) -> Object {
        object! { "name": self.name.clone(), "url": self.url.clone() }
    }
}

/// True where a scheme stands before characters that a URL may hold (RFC 3986, section 3).
fn is_absolute(url: &str) -> bool {
    let is_of_scheme =
        |character: char| character.is_ascii_alphanumeric() || "+-.".contains(character);
    // The first colon ends the scheme; further ones are part of the rest.
    url.split_once(':').is_some_and(|(scheme, rest)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(is_of_scheme)
            && !rest.is_empty()
            // Nothing is known of the scheme's own rules, so only characters that no URL holds are rejected.
            && rest
                .bytes()
                .all(|byte| byte.is_ascii_graphic() && !b"<>\"".contains(&byte))
    })
}

#[cfg(test)]
mod tests {
    use super::is_absolute;

    #[test]
    fn a_url_has_a_scheme() {
        for url in ["https://example.org/help", "mailto:help@example.org"] {
            assert!(is_absolute(url), "{url}");
        }
        for url in [
            "",
            "help",
            "/help",
            "example.org/a:b",
            "https:",
            "https://a b",
        ] {
            assert!(!is_absolute(url), "{url}");
        }
    }
}
