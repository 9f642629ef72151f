//! URLs of metadata documents, whose paths follow a well-known segment (RFC 8615).

/// The segment of protected resource metadata (RFC 9728, section 3).
pub const PROTECTED_RESOURCE: &str = "/.well-known/oauth-protected-resource";

/// Splits an absolute URL into origin and path: `https://h:1` and `/path`, empty for the root.
#[must_use]
pub fn origin_and_path(url: &str) -> (&str, &str) {
    // The path begins at the first slash behind the scheme and its two slashes.
    let host = url.find("://").map_or(0, |scheme| scheme + "://".len());
    let path = url.get(host..).and_then(|rest| rest.find('/'));
    let (origin, path) = url.split_at(path.map_or(url.len(), |path| host + path));
    (origin, path.trim_end_matches('/'))
}

/// The URL of the metadata of a resource, whose path follows the well-known segment.
#[must_use]
pub fn resource_metadata_url(resource: &str) -> String {
    // Several resources of one host differ by their paths (RFC 9728, section 3.1).
    let (origin, path) = origin_and_path(resource);
    format!("{origin}{PROTECTED_RESOURCE}{path}")
}

#[cfg(test)]
mod tests {
    use super::{origin_and_path, resource_metadata_url};

    #[test]
    fn the_path_stands_behind_the_well_known_segment() {
        for (url, origin, path) in [
            ("https://h", "https://h", ""),
            ("https://h/", "https://h", ""),
            ("https://h:8443/a/b", "https://h:8443", "/a/b"),
            ("http://[::1]:1/a/", "http://[::1]:1", "/a"),
        ] {
            assert_eq!(origin_and_path(url), (origin, path), "{url}");
        }
        for (resource, path) in [
            ("https://h", ""),
            ("https://h/api", "/api"),
            ("https://h/app/api", "/app/api"),
        ] {
            let expected = format!("https://h/.well-known/oauth-protected-resource{path}");
            assert_eq!(resource_metadata_url(resource), expected);
        }
    }
}
