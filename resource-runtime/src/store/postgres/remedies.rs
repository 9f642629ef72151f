//! What mends a connection that is not made, where the driver tells no more than what is wrong.

use std::io::ErrorKind;

/// Parts of the driver's messages, and what to do about each. None of it gives up a check.
const REMEDIES: [(&str, &str); 7] = [
    (
        "UnknownIssuer",
        "nobody whom this machine trusts has signed the server's certificate: name the file with the \
         certificate of who has signed it by `sslrootcert=<file>` in the URL",
    ),
    (
        "CaUsedAsEndEntity",
        "the server's certificate is that of an authority: have the authority sign one for the server, \
         with `basicConstraints = CA:FALSE`",
    ),
    (
        "not valid for name",
        "connect by a name that the certificate has, or have a certificate made that has this one; where \
         it is enough that a known authority has signed it, say `sslmode=verify-ca`",
    ),
    (
        "certificate expired",
        "renew the server's certificate, and have the server read it by `SELECT pg_reload_conf()`",
    ),
    (
        "certificate not valid yet",
        "set the clock of this machine, or that of the one where the certificate was made",
    ),
    (
        "server does not support TLS",
        "give the server a certificate, and set `ssl = on` there",
    ),
    (
        "SSLRequest: 0x00",
        "what listens there closed the connection: a proxy without a server behind it, or a server that \
         starts or stops",
    ),
];

const NO_FILE: &str = "there is no socket of a server, or a file that the URL names is missing: \
    `sslrootcert`, `sslcert` or `sslkey`";

/// The error of a driver, with what to do about it.
pub(super) fn with_remedy(error: &sqlx::Error) -> String {
    let text = error.to_string();
    let known = REMEDIES.iter().find(|(part, _)| text.contains(part));
    let is_no_file = matches!(error, sqlx::Error::Io(io) if io.kind() == ErrorKind::NotFound);
    let remedy = known.map(|(_, remedy)| *remedy);
    match remedy.or(is_no_file.then_some(NO_FILE)) {
        Some(remedy) => format!("{text}; {remedy}"),
        None => text,
    }
}
