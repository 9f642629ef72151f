/// As long as no word is that stands behind the name of a scheme in a sentence or in a challenge.
const LONG: usize = 8;

/// What a private key for ES256 begins with as it is stored: in hexadecimal digits, in base64, and
/// as Rust shows bytes.
const PRIVATE_KEY: [&str; 3] = [
    "308187020100301306",
    "MIGHAgEAMBMGByqGSM49",
    "48, 129, 135, 2, 1, 0, 48, 19, 6",
];

/// What a line has that looks like a secret, whoever made it.
pub(super) fn shape(line: &str) -> Option<&'static str> {
    if has_signed_token(line) {
        return Some("a signed token");
    }
    let is_key = PRIVATE_KEY.iter().any(|beginning| line.contains(beginning));
    if is_key || line.contains("-----BEGIN") {
        return Some("a key");
    }
    if line.contains("$argon2") {
        return Some("the hash of a password");
    }
    let lower = line.to_ascii_lowercase();
    let credentials = ["bearer ", "basic ", "dpop "];
    let told = credentials
        .iter()
        .any(|scheme| has_credentials(&lower, scheme));
    told.then_some("credentials")
}

/// Two objects in base64url with a dot between them.
fn has_signed_token(line: &str) -> bool {
    line.split("eyJ").skip(1).any(|rest| {
        let end = rest.find(|character| !is_base64url(character));
        end.is_some_and(|end| rest[end..] == *".")
    })
}

fn has_credentials(line: &str, scheme: &str) -> bool {
    line.split(scheme).skip(1).any(|rest| {
        let end = rest.find(|character| !(is_base64url(character) || "+/.~".contains(character)));
        end.unwrap_or(rest.len()) >= LONG
    })
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
