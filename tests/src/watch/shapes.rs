use memchr::memmem;

/// As long as no word is that stands behind the name of a scheme in a sentence or in a challenge.
const LONG: usize = 8;

/// What a private key for ES256 begins with as it is stored: in hexadecimal digits, in base64, and
/// as Rust shows bytes.
const PRIVATE_KEY: [&str; 3] = [
    "308187020100301306",
    "MIGHAgEAMBMGByqGSM49",
    "48, 129, 135, 2, 1, 0, 48, 19, 6",
];

/// How the schemes of credentials are written.
const SCHEMES: [&str; 6] = ["Bearer ", "bearer ", "Basic ", "basic ", "DPoP ", "dpop "];

/// What a line has that looks like a secret, whoever made it.
pub(super) fn shape(line: &str) -> Option<&'static str> {
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

/// What stands behind each occurrence of a text. The standard library would look for it without
/// optimisation, as it is compiled here.
fn places<'line>(line: &'line str, text: &str) -> impl Iterator<Item = &'line str> {
    let length = text.len();
    let places = memmem::find_iter(line.as_bytes(), text).collect::<Vec<_>>();
    places.into_iter().map(move |place| &line[place + length..])
}

/// Two objects in base64url with a dot between them.
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
    fn what_looks_like_a_secret_is_told() {
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
    fn what_only_speaks_of_secrets_is_not() {
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
