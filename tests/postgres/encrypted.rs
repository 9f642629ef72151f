//! Encrypted connections, with a server whose certificate is checked.

use rcgen::{CertifiedKey, generate_simple_self_signed};
use resource_runtime::{Api, Database};
use resource_tests::models::SettingOne;
use resource_tests::patience::wait_for;
use resource_tests::{Cluster, Service, TestDatabase, block_on};

/// A server that encrypts, with a certificate for this name; answers the certificate's file.
fn encrypting(cluster: &Cluster, name: &str) -> tempfile::NamedTempFile {
    let names = vec![String::from(name)];
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(names).expect("a key");
    cluster.give("server.crt", &cert.pem());
    cluster.give("server.key", &signing_key.serialize_pem());
    let mut server = TestDatabase::at(&cluster.url()).other_program();
    server.execute("ALTER SYSTEM SET ssl = on");
    server.execute("SELECT pg_reload_conf()");
    wait_for("the server to encrypt", || {
        (server.text("SHOW ssl") == "on").then_some(())
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
fn a_server_whose_certificate_is_known_serves_encrypted() {
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
        assert_eq!(service.read("/api/1.0/settings")["totalItems"], 0);
        let mut other = service.database().other_program();
        let encrypted = other.text(
            "SELECT CAST(bool_and(ssl) AS text) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
             WHERE backend_type = 'client backend'",
        );
        assert_eq!(encrypted, "true", "{options}");
    }
}

#[test]
fn a_server_whose_certificate_is_unknown_or_anothers_is_refused() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let certificate = encrypting(&cluster, "elsewhere.example");
    let anothers = format!(
        "sslmode=verify-full&sslrootcert={}",
        certificate.path().display()
    );
    for options in ["sslmode=verify-full", &anothers] {
        let refused = block_on(Database::connect(&through(&cluster, options).url()));
        let error = refused.map(drop).expect_err(options).to_string();
        assert!(error.contains("certificate"), "{options}: {error}");
    }
}
