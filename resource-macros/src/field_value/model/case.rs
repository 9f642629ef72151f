//! The cases of `rename_all`, in which the names of variants are written.

/// A case of `rename_all`: its name, which is written in the case that it names, and the function that puts
/// a variant's name, which Rust writes in `PascalCase`, into it.
///
/// The cases are those of serde and give the same names, so that a type that derives both has one spelling.
#[derive(Debug, Clone, Copy)]
pub(in crate::field_value) struct Case {
    pub(in crate::field_value) name: &'static str,
    pub(super) apply: fn(&str) -> String,
}

impl Case {
    pub(in crate::field_value) const ALL: [Self; 8] = [
        Self::new("lowercase", str::to_ascii_lowercase),
        Self::new("UPPERCASE", str::to_ascii_uppercase),
        Self::new("PascalCase", str::to_owned),
        Self::new("camelCase", camel),
        Self::new("snake_case", snake),
        Self::new("SCREAMING_SNAKE_CASE", |it| snake(it).to_ascii_uppercase()),
        Self::new("kebab-case", |it| snake(it).replace('_', "-")),
        Self::new("SCREAMING-KEBAB-CASE", |it| {
            snake(it).to_ascii_uppercase().replace('_', "-")
        }),
    ];

    const fn new(name: &'static str, apply: fn(&str) -> String) -> Self {
        Self { name, apply }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|case| case.name == name)
    }
}

fn camel(variant: &str) -> String {
    let mut characters = variant.chars();
    // Only the first letter differs from the `PascalCase` of Rust's variants.
    let first = characters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(characters).collect()
}

fn snake(variant: &str) -> String {
    let mut snake = String::new();
    for character in variant.chars() {
        // Each capital begins a word, as in serde: `HTTPCode` becomes `h_t_t_p_code`.
        if character.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        // Like serde, which leaves letters beyond ASCII as they are.
        snake.push(character.to_ascii_lowercase());
    }
    snake
}
