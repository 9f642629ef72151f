//! The two ways to write a service, as source text: through the derive, and by hand.

use crate::subjects::Subject;

/// Placeholders in the templates.
const MODULES: &str = "/* modules */";
const RESOURCES: &str = "/* resources */";
const NUMBER: &str = "/* number */";
const LIMIT: &str = "/* limit */";

/// Dependencies of the services, with the runtime in the named folder. All services name all of them, so
/// that they are built once; an unused one makes no resource more expensive.
pub(super) fn dependencies(runtime: &str) -> String {
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
}

impl Style {
    pub(super) const ALL: [Self; 2] = [Self::Derive, Self::ByHand];

    /// Name of the subject of the comparison that is written this way.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::ByHand => Subject::ByHand.name(),
            Self::Derive => Subject::Derive.name(),
        }
    }

    /// The `main.rs` of a service with this number of resources.
    pub(super) fn main(self, resources: usize) -> String {
        let (template, register) = match self {
            Self::ByHand => (
                include_str!("templates/by_hand_main.rs"),
                "\n        .merge(items/* number */::routes())",
            ),
            Self::Derive => (
                include_str!("templates/derive_main.rs"),
                "\n        .resource::<items/* number */::Item>()",
            ),
        };
        let modules = repeated("mod items/* number */;\n", resources);
        let template = template.replace(MODULES, &modules);
        template.replace(RESOURCES, &repeated(register, resources))
    }

    /// The file of a resource, whose names are as long as `limit` at most.
    pub(super) fn resource(self, number: usize, limit: usize) -> String {
        let template = match self {
            Self::ByHand => include_str!("templates/by_hand.rs"),
            Self::Derive => include_str!("templates/derive.rs"),
        };
        let template = template.replace(NUMBER, &number.to_string());
        template.replace(LIMIT, &limit.to_string())
    }

    /// Further files, by their names.
    pub(super) const fn others(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::ByHand => &[("common.rs", include_str!("templates/common.rs"))],
            Self::Derive => &[],
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
        for style in Style::ALL {
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
