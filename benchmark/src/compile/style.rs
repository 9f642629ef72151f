//! The ways to write a service, as source text: by hand, and through the derive with and without typed access.

use std::path::Path;

use crate::subjects::Subject;

/// Placeholders in the templates.
const MODULES: &str = "/* modules */";
const RESOURCES: &str = "/* resources */";
const NUMBER: &str = "/* number */";
const LIMIT: &str = "/* limit */";
const USES: &str = "/* uses */";

/// Dependencies of the services, with the runtime in the named folder. All services name all of them, so
/// that they are built once; an unused one makes no resource more expensive.
pub(super) fn dependencies(runtime: &Path) -> String {
    let runtime = runtime.display();
    format!(
        r#"
axum = {{ version = "0.8", default-features = false, features = ["http1", "json", "query", "tokio"] }}
resource-runtime = {{ path = "{runtime}" }}
serde = {{ version = "1", features = ["derive"] }}
sqlx = {{ version = "0.9", default-features = false, features = ["derive", "runtime-tokio", "sqlite-bundled"] }}
tokio = {{ version = "1", features = ["macros", "net", "rt-multi-thread"] }}
"#
    )
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    ByHand,
    Derive,
    /// Through the derive, with typed access to each resource.
    Used,
    /// Through the derive of another checkout.
    Baseline,
}

impl Style {
    /// The ways of this checkout.
    pub(super) const OWN: [Self; 3] = [Self::Derive, Self::Used, Self::ByHand];

    /// Name of the subject of the comparison that is written this way.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::ByHand => Subject::ByHand.name(),
            Self::Derive => Subject::Derive.name(),
            Self::Used => "used",
            Self::Baseline => "baseline",
        }
    }

    /// The `main.rs` of a service with this number of resources.
    pub(super) fn main(self, resources: usize) -> String {
        let (template, register) = match self {
            Self::ByHand => (
                include_str!("templates/by_hand_main.rs"),
                "\n        .merge(items/* number */::routes())",
            ),
            Self::Derive | Self::Used | Self::Baseline => (
                include_str!("templates/derive_main.rs"),
                "\n        .resource::<items/* number */::Item>()",
            ),
        };
        let modules = repeated("mod items/* number */;\n", resources);
        let template = template.replace(MODULES, &modules);
        let uses = match self {
            Self::Used => "\n    items/* number */::Item::used(&api).await?;",
            Self::ByHand | Self::Derive | Self::Baseline => "",
        };
        let template = template.replace(USES, &repeated(uses, resources));
        template.replace(RESOURCES, &repeated(register, resources))
    }

    /// The file of a resource, whose names are as long as `limit` at most.
    pub(super) fn resource(self, number: usize, limit: usize) -> String {
        let template = match self {
            Self::ByHand => include_str!("templates/by_hand.rs"),
            Self::Derive | Self::Baseline => include_str!("templates/derive.rs"),
            Self::Used => concat!(
                include_str!("templates/derive.rs"),
                include_str!("templates/used.rs")
            ),
        };
        // The first sentence of an appended template is no longer that of a file.
        let template = template.replace("\n//!", "\n//");
        let template = template.replace(NUMBER, &number.to_string());
        template.replace(LIMIT, &limit.to_string())
    }

    /// Further files, by their names.
    pub(super) const fn others(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::ByHand => &[("common.rs", include_str!("templates/common.rs"))],
            Self::Derive | Self::Used | Self::Baseline => &[],
        }
    }
}

fn repeated(template: &str, resources: usize) -> String {
    let numbers = 0..resources;
    numbers
        .map(|number| template.replace(NUMBER, &number.to_string()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::Style;

    #[test]
    fn nothing_of_a_template_is_left_open() {
        for style in Style::OWN {
            for text in [style.main(3), style.resource(2, 50)] {
                assert!(!text.contains("/*"), "{text}");
            }
        }
    }

    #[test]
    fn every_resource_is_registered() {
        assert_eq!(Style::Derive.main(12).matches("::Item>()").count(), 12);
        assert_eq!(Style::ByHand.main(12).matches("::routes()").count(), 12);
    }
}
