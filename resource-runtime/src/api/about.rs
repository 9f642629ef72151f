//! The settings for title, description, contact and license of an API.

use super::ApiBuilder;
use crate::openapi::NamedUrl;

impl ApiBuilder {
    /// Name of the API in its description and its pages; by default that of the program under
    /// [`cli`](crate::cli), else `API`.
    pub fn title(mut self, title: impl AsRef<str>) -> Self {
        self.settings.about.title = Some(title.as_ref().to_owned());
        self
    }

    /// The title of a service whose developer gives none: the name of its program.
    #[cfg(feature = "cli")]
    pub(crate) fn default_title(mut self, name: &str) -> Self {
        let title = &mut self.settings.about.title;
        title.get_or_insert_with(|| name.to_owned());
        self
    }

    /// Purpose of the API, as Markdown, in its description and its pages; the page at `/docs` knows
    /// of Markdown paragraphs and code alone.
    pub fn description(mut self, text: impl AsRef<str>) -> Self {
        self.settings.about.description = Some(text.as_ref().to_owned());
        self
    }

    /// Contact of the API: the name of those who answer questions, and a URL, of a page or like
    /// `mailto:help@example.org`. By default the description names nobody.
    pub fn contact(mut self, name: impl Into<String>, url: impl Into<String>) -> Self {
        self.settings.about.contact = Some(NamedUrl {
            name: name.into(),
            url: url.into(),
        });
        self
    }

    /// License of the API: its name, and the URL of its text. By default the description names none.
    pub fn license(mut self, name: impl Into<String>, url: impl Into<String>) -> Self {
        self.settings.about.license = Some(NamedUrl {
            name: name.into(),
            url: url.into(),
        });
        self
    }
}
