//! TLS connections, and verification of the server's certificate.

use rcgen::{BasicConstraints, CertificateParams, IsCa, KeyPair, date_time_ymd};
use resource_runtime::{Api, Database};
use resource_tests::models::SettingOne;
use resource_tests::polling::wait_for;
use resource_tests::{Cluster, Service, TestDatabase, block_on};
use serde_json::json;

/// Turns TLS on, with a certificate for this name; returns the file of the certificate.
fn encrypting(cluster: &Cluster, name: &str) -> tempfile::NamedTempFile {
    encrypting_by(cluster, &named(name))
}

fn named(name: &str) -> CertificateParams {
    CertificateParams::new(vec![String::from(name)]).expect("a name")
}

fn encrypting_by(cluster: &Cluster, certificate: &CertificateParams) -> tempfile::NamedTempFile {
    let signing_key = KeyPair::generate().expect("a key");
    let cert = certificate
        .self_signed(&signing_key)
        .expect("a certificate");
    cluster.give("server.crt", &cert.pem());
    cluster.give("server.key", &signing_key.serialize_pem());
    let connected = || TestDatabase::at(&cluster.url()).other_program();
    let mut server = connected();
    let loaded = "SELECT CAST(pg_conf_load_time() AS text)";
    let before = server.text(loaded);
    server.execute("ALTER SYSTEM SET ssl = on");
    server.execute("SELECT pg_reload_conf()");
    // A new session shows when the server has loaded its files.
    wait_for("the server to encrypt", || {
        (connected().text(loaded) != before).then_some(())
    });
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), cert.pem()).expect("the certificate");
    file
}

fn through(cluster: &Cluster, options: &str) -> TestDatabase {
    let url = cluster.url().replace("127.0.0.1", "localhost");
    TestDatabase::at(&format!("{url}?{options}"))
}

fn settings(database: Database) -> Result<Api, resource_runtime::Error> {
    Api::builder().resource::<SettingOne>().build(database)
}

#[test]
fn known_certificate_gives_encrypted_connections() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let certificate = encrypting(&cluster, "localhost");
    let known = format!(
        "sslmode=verify-full&sslrootcert={}",
        certificate.path().display()
    );
    for options in ["sslmode=require", &known] {
        let service = Service::start_on(&through(&cluster, options), settings);
        let setting = json!({"name": options, "value": ""});
        let setting = service.create("/api/1.0/settings", &setting);
        let mut other = service.database().other_program();
        // Reads by key have connections of their own, which are opened meanwhile.
        wait_for("a pipeline", || {
            service.read(&setting);
            let pipelined =
                "SELECT count(*)::text FROM pg_stat_activity WHERE query LIKE '%\"id\" = $1'";
            (other.text(pipelined) != "0").then_some(())
        });
        let encrypted = other.text(
            "SELECT CAST(bool_and(ssl) AS text) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
             WHERE backend_type = 'client backend'",
        );
        assert_eq!(encrypted, "true", "{options}");
    }
}

/// The reason for which a service does not start with these parameters of its URL.
#[track_caller]
fn refusal(cluster: &Cluster, options: &str) -> String {
    let refused = block_on(Database::connect(&through(cluster, options).url()));
    let text = refused.map(drop).expect_err(options).to_string();
    for remedy in ["sslmode=require", "sslmode=prefer", "sslmode=disable"] {
        let advice = format!("`{remedy}`");
        assert!(
            !text.contains(&advice),
            "verification is switched off: {text}"
        );
    }
    text
}

#[test]
fn refused_certificate_is_reported_with_the_remedy() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let without = refusal(&cluster, "sslmode=verify-full");
    assert!(without.contains("ssl = on"), "{without}");
    let mut expired = named("localhost");
    expired.not_after = date_time_ymd(2001, 1, 1);
    let mut authority = named("localhost");
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    for (certificate, words) in [
        (
            named("elsewhere.example"),
            ["elsewhere.example", "sslmode=verify-ca"],
        ),
        (expired, ["expired", "renew"]),
        (authority, ["authority", "CA:FALSE"]),
    ] {
        let file = encrypting_by(&cluster, &certificate);
        let unknown = refusal(&cluster, "sslmode=verify-full");
        assert!(unknown.contains("certificate"), "{unknown}");
        let known = format!("sslmode=verify-full&sslrootcert={}", file.path().display());
        let text = refusal(&cluster, &known);
        for word in words {
            assert!(text.contains(word), "{word}: {text}");
        }
    }
    let _file = encrypting(&cluster, "localhost");
    let unknown = refusal(&cluster, "sslmode=verify-full");
    assert!(unknown.contains("sslrootcert="), "{unknown}");
    let missing = refusal(
        &cluster,
        "sslmode=verify-full&sslrootcert=/nowhere/root.pem",
    );
    assert!(missing.contains("sslrootcert"), "{missing}");
}
