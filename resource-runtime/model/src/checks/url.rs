//! The check of absolute `http` and `https` URLs.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::num::NonZeroU16;

use http::Uri;

use super::host::is_host_name;

/// The longest URL, in bytes: a length that every browser, proxy and sitemap accepts.
const LONGEST_URL: usize = 2048;

/// Tests whether the text is an absolute `http` or `https` URL with a host.
///
/// - The text has at most 2048 bytes, all of them characters of RFC 3986; white space, `"<>\^{|}`,
///   backticks and other scripts are percent-encoded, and `%` starts two hexadecimal digits.
/// - The host is a name of letters, digits and inner hyphens with dots between them, an IPv4
///   address in its usual form of four decimal numbers, or an IPv6 address in brackets. A name of
///   another script is written in its ASCII form, `xn--…`.
/// - The port, if there is a colon for it, is between 1 and 65535.
/// - There is no user information: `https://bank.example@evil.example/` names the second host and
///   is read as the first, and a password has no place in a URL.
///
/// The host may be in any network: `http://localhost/` and `http://10.0.0.1/` are URLs. A service that
/// fetches the URLs of clients has to check the address that it connects to (SSRF).
///
/// ```
/// use resource_runtime::checks::is_url;
///
/// assert!(is_url("https://example.com:8443/notes?page=2#top"));
/// assert!(is_url("http://[::1]/"));
/// assert!(!is_url("example.com"));
/// assert!(!is_url("ftp://example.com/"));
/// assert!(!is_url("https://ada:secret@example.com/"));
/// ```
#[must_use]
pub fn is_url(text: &str) -> bool {
    // The length and the characters come before the parser, which is more lenient and has more to do.
    text.len() <= LONGEST_URL
        && text.bytes().all(is_url_byte)
        && has_whole_escapes(text)
        && text.parse().is_ok_and(|uri| is_of_the_web(&uri))
}

/// The unreserved and reserved characters of RFC 3986 2.2 and 2.3, and the sign of an escape.
///
/// The type `Uri` allows other characters in a path, and does not look at a fragment.
fn is_url_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte)
}

fn has_whole_escapes(text: &str) -> bool {
    // The text before the first sign is part of no escape.
    text.split('%').skip(1).all(|after| {
        matches!(after.as_bytes(), [first, second, ..]
            if first.is_ascii_hexdigit() && second.is_ascii_hexdigit())
    })
}

fn is_of_the_web(uri: &Uri) -> bool {
    // `Uri` has recognised these two in capital letters as well.
    matches!(uri.scheme_str(), Some("http" | "https"))
        // The authority is checked as text, since `Uri` splits it by more lenient rules.
        && uri
            .authority()
            .is_some_and(|authority| is_host_and_port(authority.as_str()))
}

/// Checks host and port itself, because `Uri` ignores an invalid port; user information is neither.
fn is_host_and_port(authority: &str) -> bool {
    match authority.rsplit_once(':') {
        // The last colon may be one of an IPv6 address, which is in brackets.
        Some((host, port)) if !port.ends_with(']') => is_host(host) && is_port(port),
        _ => is_host(authority),
    }
}

fn is_host(text: &str) -> bool {
    // Brackets hold an IPv6 address alone, whose colons would else be read as one of a port (RFC 3986 3.2.2).
    if let Some(address) = text.strip_prefix('[') {
        return address
            .strip_suffix(']')
            .is_some_and(|address| address.parse::<Ipv6Addr>().is_ok());
    }
    // This comes before the test of names, because a host of digits and dots would be one.
    if ends_in_a_number(text) {
        // The parser takes no octal or hexadecimal numbers, which clients read in different ways.
        return text.parse::<Ipv4Addr>().is_ok();
    }
    is_host_name(text)
}

/// Tests whether clients take the host for an IPv4 address (the URL standard, 3.5): `127.1` and `0x7f000001`
/// would be names here, but the machine itself for a client.
fn ends_in_a_number(host: &str) -> bool {
    // The last label decides: the URL standard reads every host that ends in a number as an IPv4 address.
    let label = host.rsplit('.').next().unwrap_or(host);
    // `0x` without digits counts as well: the URL standard reads it as 0.
    let hexadecimal = label.strip_prefix("0x").or(label.strip_prefix("0X"));
    hexadecimal.map_or_else(
        || label.bytes().all(|byte| byte.is_ascii_digit()),
        |digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()),
    )
}

fn is_port(text: &str) -> bool {
    // `parse` takes a number with a plus sign, which a port may not have.
    !text.starts_with('+') && text.parse::<NonZeroU16>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::is_url;
    use crate::checks::samples::{accepted_characters, long, texts};

    fn assert_all(pass: bool, texts: &[&str]) {
        for text in texts {
            assert_eq!(is_url(text), pass, "{text:?}");
        }
    }

    #[test]
    fn absolute_urls_of_the_web_pass() {
        assert_all(
            true,
            &[
                "http://a",
                "https://example.com",
                "https://example.com/",
                "HTTPS://EXAMPLE.COM/",
                "http://localhost/",
                "https://xn--bcher-kva.example/",
                "https://example.com/a/b;c=1/../d//e.html",
                "https://example.com?page=2&order=asc(name)",
                "https://example.com/?a[]=1&b=http://other.example/@me",
                "https://example.com/%C3%BC?q=%20#%7e",
                "https://example.com#top",
                "https://example.com/#/route?a=b",
                "https://example.com/~ada/notes!$&'()*+,;=:@",
            ],
        );
    }

    #[test]
    fn other_schemes_and_relative_references_do_not_pass() {
        assert_all(
            false,
            &[
                "",
                "/",
                "*",
                "/path",
                "example.com",
                "example.com/path",
                "example.com:80",
                "www.example.com",
                "//example.com/",
                "://example.com/",
                "http",
                "http:",
                "http:/",
                "http://",
                "http:example.com",
                "http:/example.com",
                "https:///example.com",
                "httpss://example.com/",
                "ftp://example.com/",
                "ws://example.com/",
                "file:///etc/passwd",
                "javascript:alert(1)",
                "javascript://example.com/%0aalert(1)",
                "data:text/html,hello",
                "mailto:ada@example.com",
                "view-source:http://example.com/",
            ],
        );
    }

    #[test]
    fn user_information_does_not_pass() {
        assert_all(
            false,
            &[
                "http://ada@example.com/",
                "http://ada:secret@example.com/",
                "http://:secret@example.com/",
                "http://@example.com/",
                "http://:@example.com/",
                "http://ada@",
                "http://ada@:80/",
                "http://bank.example@evil.example/",
                "http://bank.example:80@evil.example/",
                "http://bank.example:80@[::1]/",
                "http://bank.example%40evil.example/",
                "http://bank.example\\@evil.example/",
                "http://a@b@example.com/",
                "http://[::1]@example.com/",
            ],
        );
        // After the host an `@` is an ordinary character.
        assert_all(true, &["http://a/@b", "http://a?@b", "http://a#@b"]);
    }

    #[test]
    fn hosts_are_names_of_letters_digits_and_hyphens() {
        assert_all(
            true,
            &[
                "http://a-b.c--d/",
                "http://1a.b2/",
                "http://0xg/",
                "http://a.0y1/",
            ],
        );
        assert_all(
            false,
            &[
                "http://.",
                "http://./",
                "http://../",
                "http://.example.com/",
                "http://example.com./",
                "http://example..com/",
                "http://-example.com/",
                "http://example-.com/",
                "http://exa_mple.com/",
                "http://exa!mple.com/",
                "http://exa*mple.com/",
                "http://example.com,other.example/",
                "http://example.com;other.example/",
                "http://ex%61mple.com/",
                "http://example.com%00.other.example/",
                "http://?query",
                "http://#fragment",
            ],
        );
    }

    #[test]
    fn ipv4_addresses_are_four_decimal_numbers() {
        assert_all(
            true,
            &[
                "http://127.0.0.1/",
                "http://255.255.255.255:80/",
                "http://0.0.0.0",
            ],
        );
        assert_all(
            false,
            &[
                "http://256.0.0.1/",
                "http://1.2.3.4.5/",
                "http://1.2.3/",
                "http://127.1/",
                "http://2130706433/",
                "http://0x7f000001/",
                "http://0X7F.1/",
                "http://0x/",
                "http://0X7F000001/",
                "http://a.0X7f/",
                "http://a.0x7f/",
                "http://0177.0.0.1/",
                "http://01.2.3.4/",
                "http://1.2.3.4./",
                "http://example.1/",
                "http://1.2.3.-4/",
            ],
        );
    }

    #[test]
    fn ipv6_addresses_stand_in_brackets() {
        assert_all(
            true,
            &[
                "http://[::]/",
                "http://[::1]",
                "http://[::1]:8080/",
                "http://[2001:DB8::1]/",
                "http://[1:2:3:4:5:6:7:8]:1/",
                "http://[::ffff:127.0.0.1]/",
            ],
        );
        assert_all(
            false,
            &[
                "http://::1/",
                "http://[]/",
                "http://[/",
                "http://]/",
                "http://[::1/",
                "http://::1]/",
                "http://[[::1]]/",
                "http://[::1]]/",
                "http://[::1]8080/",
                "http://[::1]:/",
                "http://[::1]:0/",
                "http://[::1]:65536/",
                "http://[::1]:80:80/",
                "http://[::1].example/",
                "http://a[::1]/",
                "http://[1:2:3]/",
                "http://[1:2:3:4:5:6:7:8:9]/",
                "http://[::g]/",
                "http://[fe80::1%25eth0]/",
                "http://[v1.a]/",
                "http://[127.0.0.1]/",
                "http://[example.com]/",
            ],
        );
    }

    #[test]
    fn ports_are_between_1_and_65535() {
        assert_all(
            true,
            &[
                "http://a:1",
                "http://a:80/",
                "http://a:65535/",
                "http://a:0080/",
                "http://a:80?b",
                "http://a:80#b",
            ],
        );
        assert_all(
            false,
            &[
                "http://a:",
                "http://a:/",
                "http://a:0/",
                "http://a:00/",
                "http://a:65536/",
                "http://a:99999999999999999999/",
                "http://a:-1/",
                "http://a:+80/",
                "http://a:http/",
                "http://a:8o/",
                "http://a:80a/",
                "http://a:80:80/",
                "http://a::80/",
                "http://:80/",
                "http://a:８０/",
            ],
        );
    }

    #[test]
    fn white_space_and_other_scripts_do_not_pass() {
        assert_all(
            false,
            &[
                " http://example.com/",
                "http://example.com/ ",
                "http://example.com/\n",
                "http://exam\nple.com/",
                "ht\ttp://example.com/",
                "http://example.com/a b",
                "http://example.com/#a b",
                "http://example.com/\r\nHost: evil.example",
                "http://example.com/\0",
                "http://example.com/\u{7f}",
                "http://bücher.example/",
                "http://exаmple.com/",
                "http://example。com/",
                "http://example.com／path",
                "http：//example.com/",
                "http://example.com/ü",
                "http://example.com/?ü",
                "http://example.com/#ü",
                "\u{feff}http://example.com/",
                "http://①②⑦.0.0.1/",
            ],
        );
    }

    #[test]
    fn the_same_characters_stand_in_path_query_and_fragment() {
        // Not `%`: what follows here is no hexadecimal digit.
        let characters =
            "!#$&'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]_abcdefghijklmnopqrstuvwxyz~";
        for template in ["http://a/{}z", "http://a?{}z", "http://a#{}z"] {
            assert_eq!(accepted_characters(template, is_url), characters);
        }
        // The three that end a host are followed by a path, a query, a fragment.
        assert_eq!(
            accepted_characters("http://a{}b", is_url),
            "#-./0123456789?ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        );
    }

    #[test]
    fn a_percent_sign_starts_two_hexadecimal_digits() {
        assert_all(true, &["http://a/%41", "http://a/%fF%00", "http://a#%41"]);
        assert_all(
            false,
            &[
                "http://a/%",
                "http://a/%4",
                "http://a/%4g",
                "http://a/%g4",
                "http://a/%%41",
                "http://a/%41%",
                "http://a?%4",
                "http://a#%4",
            ],
        );
    }

    #[test]
    fn a_url_has_at_most_2048_bytes() {
        let longest = format!("http://a/{}", "b".repeat(2048 - 9));
        assert_eq!(longest.len(), 2048);
        assert!(is_url(&longest));
        assert!(!is_url(&format!("{longest}b")));
    }

    #[test]
    fn no_authority_makes_it_panic() {
        for authority in texts("a@:[]1.%/", 6) {
            let passes = is_url(&format!("http://{authority}"));
            let host = authority.split('/').next().unwrap();
            assert!(!(passes && host.contains(['@', '%'])), "{authority}");
        }
    }

    #[test]
    fn huge_texts_are_refused() {
        for piece in ["a", "/", "@", ":", "[", "a.", "%41", "é", "\0"] {
            assert!(!is_url(&long(piece)), "{piece:?}");
            assert!(!is_url(&format!("http://{}", long(piece))), "{piece:?}");
        }
    }
}
