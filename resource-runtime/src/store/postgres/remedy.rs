//! The fixes of errors of sqlx, for messages.

use std::io;

use sqlx::postgres::PgConnectOptions;

/// Parts of the messages of sqlx with their fixes, none of which turns off the check of a certificate.
const REMEDIES: [(&str, &str); 7] = [
    (
        "UnknownIssuer",
        "no authority that this machine trusts has signed the server's certificate: name the file with the \
         certificate of the one that has by `sslrootcert=<file>` in the URL",
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
    ("SSLRequest: 0x00", CLOSED),
];

/// The fix for a connection that the other end closes, in order or, with bytes unread, by a reset.
const CLOSED: &str = "what listens there closed the connection: a proxy without a server behind it, or a \
    server that starts or stops";

const FILE_NOT_FOUND: &str = "there is no socket of a server, or a file that the URL names is missing: \
    `sslrootcert`, `sslcert` or `sslkey`";

/// The text of an error of sqlx, with its fix where that is known.
pub(super) fn with_remedy(error: &sqlx::Error) -> String {
    // Each message is one about the database.
    let text = error.to_string();
    let text = text.replacen("error communicating with database: ", "", 1);
    let known = REMEDIES.iter().find(|(part, _)| text.contains(part));
    let remedy = known.map(|(_, remedy)| *remedy);
    let by_kind = match error {
        sqlx::Error::Io(error) if error.kind() == io::ErrorKind::NotFound => Some(FILE_NOT_FOUND),
        sqlx::Error::Io(error) if error.kind() == io::ErrorKind::ConnectionReset => Some(CLOSED),
        _ => None,
    };
    // A message that is known is more precise than the kind of the error.
    match remedy.or(by_kind) {
        Some(remedy) => format!("{text}; {remedy}"),
        None => text,
    }
}

/// The fix for a session that the server refuses, by the code of its error, whose text is in the server's language.
pub(super) fn of_refusal(code: &str, server: &PgConnectOptions) -> Option<String> {
    let user = server.get_username();
    match code {
        "3D000" => {
            // The server takes the name of the user where the URL names no database.
            let database = server.get_database().unwrap_or(user);
            Some(format!(
                "create the database with `createdb {database}`, or correct its name in the URL"
            ))
        }
        "28000" => Some(format!(
            "create the role with `createuser {user}`, name another in the URL, or allow it in `pg_hba.conf` of the server"
        )),
        "28P01" => Some(format!(
            "correct the URL, in which `@`, `:` and `/` of a password are written `%40`, `%3A` and `%2F`, or set the \
             password with `\\password {user}` in `psql`"
        )),
        _ => None,
    }
}
