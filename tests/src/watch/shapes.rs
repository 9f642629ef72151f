//! Shapes of secrets: texts that look like a token, a key, a password's hash or credentials, whoever made them.

use memchr::memmem;

/// Least length of credentials: no word is as long that follows a scheme in a sentence or in a challenge.
const LONG: usize = 8;

/// Beginning of a private key for ES256 as it is stored: in hexadecimal digits, in base64, and as Rust
/// shows bytes.
const PRIVATE_KEY: [&str; 3] = [
    "308187020100301306",
    "MIGHAgEAMBMGByqGSM49",
    "48, 129, 135, 2, 1, 0, 48, 19, 6",
];

/// Schemes of credentials, in the spellings that are in use.
const SCHEMES: [&str; 6] = ["Bearer ", "bearer ", "Basic ", "basic ", "DPoP ", "dpop "];

/// The kind of secret that a line seems to hold.
pub(super) fn shape(line: &str) -> Option<&'static str> {
    // The header and the claims of a signed token are JSON objects, and `eyJ` is `{"` in base64url.
    if places(line, "eyJ").any(is_signed_token) {
        return Some("a signed token");
    }
    let has = |beginning: &&str| places(line, beginning).next().is_some();
    if PRIVATE_KEY.iter().any(has) || has(&"-----BEGIN") {
        return Some("a key");
    }
    if has(&"$argon2") {
        return Some("the hash of a password");
    }
    let told = SCHEMES
        .iter()
        .any(|scheme| places(line, scheme).any(is_credentials));
    told.then_some("credentials")
}

/// The rest of the line behind each occurrence of a text, found by `memchr`, which is optimised in test
/// builds, unlike the generic code of the standard library.
fn places<'line>(line: &'line str, text: &str) -> impl Iterator<Item = &'line str> {
    let length = text.len();
    let places = memmem::find_iter(line.as_bytes(), text).collect::<Vec<_>>();
    places.into_iter().map(move |place| &line[place + length..])
}

/// Tells that the text is the rest of two JSON objects in base64url with a dot between them.
fn is_signed_token(rest: &str) -> bool {
    let end = rest.find(|character| !is_base64url(character));
    end.is_some_and(|end| rest[end..].starts_with(".eyJ"))
}

fn is_credentials(rest: &str) -> bool {
    let end = rest.find(|character| !(is_base64url(character) || "+/.~".contains(character)));
    end.unwrap_or(rest.len()) >= LONG
}

const fn is_base64url(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '-' | '_')
}

#[cfg(test)]
mod tests {
    use super::shape;

    #[test]
    fn texts_shaped_like_secrets_are_found() {
        for (line, what) in [
            (
                "got eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4ifQ.",
                "a signed token",
            ),
            ("token=\"eyJ9.eyJ9.x\"", "a signed token"),
            ("-----BEGIN EC PRIVATE KEY-----", "a key"),
            ("private_key=[48, 129, 135, 2, 1, 0, 48, 19, 6, 7]", "a key"),
            ("password=$argon2id$v=19$m=8", "the hash of a password"),
            ("authorization: Bearer abcdefgh", "credentials"),
            ("\"bearer a.b~c+d/e=\"", "credentials"),
            ("Basic YW5uOnBhc3N3b3Jk", "credentials"),
        ] {
            assert_eq!(shape(line), Some(what), "{line}");
        }
    }

    #[test]
    fn words_about_secrets_are_not_found() {
        for line in [
            "",
            "a Bearer token is missing",
            "Bearer realm=\"api\", scope=\"notes.read\"",
            "Basic realm=\"oauth\"",
            "the basic idea",
            "eyJhbGciOiJub25lIn0",
            "eyJhbGciOiJub25lIn0. eyJzdWIiOiJhbm4ifQ",
        ] {
            assert_eq!(shape(line), None, "{line}");
        }
    }
}
