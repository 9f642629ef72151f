//! The cases of `rename_all`, in which the names of variants are written.

/// A case of `rename_all`. The cases are those of serde and give the same names, so that a type that
/// derives both has one spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::field_value) enum Case {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

impl Case {
    pub(in crate::field_value) const ALL: [Self; 8] = [
        Self::Lower,
        Self::Upper,
        Self::Pascal,
        Self::Camel,
        Self::Snake,
        Self::ScreamingSnake,
        Self::Kebab,
        Self::ScreamingKebab,
    ];

    /// The name in `rename_all = "…"`, which is written in the case that it names.
    pub(in crate::field_value) const fn name(self) -> &'static str {
        match self {
            Self::Lower => "lowercase",
            Self::Upper => "UPPERCASE",
            Self::Pascal => "PascalCase",
            Self::Camel => "camelCase",
            Self::Snake => "snake_case",
            Self::ScreamingSnake => "SCREAMING_SNAKE_CASE",
            Self::Kebab => "kebab-case",
            Self::ScreamingKebab => "SCREAMING-KEBAB-CASE",
        }
    }

    pub(in crate::field_value) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|case| case.name() == name)
    }

    /// The name of `variant`, which Rust writes in `PascalCase`, in this case.
    pub(super) fn apply(self, variant: &str) -> String {
        match self {
            Self::Lower => variant.to_ascii_lowercase(),
            Self::Upper => variant.to_ascii_uppercase(),
            Self::Pascal => variant.to_owned(),
            Self::Camel => camel(variant),
            Self::Snake => snake(variant),
            Self::ScreamingSnake => snake(variant).to_ascii_uppercase(),
            Self::Kebab => snake(variant).replace('_', "-"),
            Self::ScreamingKebab => snake(variant).to_ascii_uppercase().replace('_', "-"),
        }
    }
}

fn camel(variant: &str) -> String {
    let mut characters = variant.chars();
    let first = characters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(characters).collect()
}

fn snake(variant: &str) -> String {
    let mut snake = String::new();
    for character in variant.chars() {
        if character.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        // Like serde, which leaves letters beyond ASCII as they are.
        snake.push(character.to_ascii_lowercase());
    }
    snake
}
