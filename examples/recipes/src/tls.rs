//! HTTPS without a proxy: axum-server ends TLS, and takes certificates that were renewed.
//!
//! The timeouts and limits of connections of [`resource_runtime::serve`] are not there: where clients are not yours, a proxy
//! stands before the service, as the guide to deployment shows.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::time::Duration;

use axum::Router;
use axum_server::Handle;
use axum_server::tls_rustls::RustlsConfig;
use rustls::crypto::aws_lc_rs;
use tokio::time::sleep;

/// The time that requests in flight have when the service stops.
const GRACE: Duration = Duration::from_secs(30);

/// The files of a certificate, in PEM, as an ACME client such as certbot writes them.
#[derive(Debug, Clone)]
pub struct Certificate {
    /// The certificate and those between it and the authority.
    pub chain: PathBuf,
    /// Its private key.
    pub key: PathBuf,
    /// The time after which both files are read again.
    pub reread: Duration,
}

/// Serves the router of an API by HTTPS until `stop` ends.
///
/// # Errors
///
/// A file cannot be read or holds no certificate, or the listener fails.
pub async fn serve(
    listener: TcpListener,
    certificate: Certificate,
    app: Router,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    // A second library of cryptography may be in the build, so the choice is explicit; it may have been made already.
    let _ = aws_lc_rs::default_provider().install_default();
    let config = RustlsConfig::from_pem_file(&certificate.chain, &certificate.key).await?;
    let rereading = tokio::spawn(reread(config.clone(), certificate));
    let handle = Handle::new();
    let stopped = handle.clone();
    tokio::spawn(async move {
        stop.await;
        stopped.graceful_shutdown(Some(GRACE));
    });
    listener.set_nonblocking(true)?;
    // Handlers and rate limits find the address of the client.
    let service = app.into_make_service_with_connect_info::<SocketAddr>();
    let server = axum_server::from_tcp_rustls(listener, config)?.handle(handle);
    let outcome = server.serve(service).await;
    rereading.abort();
    outcome
}

/// Takes renewed files; connections that are open keep their certificate.
async fn reread(config: RustlsConfig, certificate: Certificate) {
    loop {
        sleep(certificate.reread).await;
        let (chain, key) = (&certificate.chain, &certificate.key);
        if let Err(error) = config.reload_from_pem_file(chain, key).await {
            // The old one serves on until it expires.
            tracing::warn!(
                "the certificate `{}` cannot be read: {error}",
                chain.display()
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::net::TcpListener;
    use std::sync::Arc;
    use std::time::Duration;

    use resource_runtime::{Api, ApiResource, Database};
    use rustls::crypto::aws_lc_rs;
    use rustls::pki_types::{CertificateDer, ServerName};
    use rustls::{ClientConfig, RootCertStore};
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpStream;
    use tokio::sync::oneshot;
    use tokio_rustls::TlsConnector;

    use super::{Certificate, serve};

    #[derive(Debug, ApiResource)]
    #[resource(name = "Parcel", url = "/parcels", version = "1.0")]
    struct Parcel {
        id: i64,
    }

    /// Writes a new certificate into both files.
    fn issue(certificate: &Certificate) -> CertificateDer<'static> {
        let issued = rcgen::generate_simple_self_signed([String::from("localhost")]).unwrap();
        fs::write(&certificate.chain, issued.cert.pem()).unwrap();
        fs::write(&certificate.key, issued.signing_key.serialize_pem()).unwrap();
        issued.cert.der().clone()
    }

    /// The answer to a client who trusts this certificate alone.
    async fn asked(port: u16, trusted: &CertificateDer<'static>) -> std::io::Result<String> {
        let mut roots = RootCertStore::empty();
        roots.add(trusted.clone()).unwrap();
        let provider = Arc::new(aws_lc_rs::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        let stream = TcpStream::connect(("127.0.0.1", port)).await?;
        let name = ServerName::try_from("localhost").unwrap();
        let mut stream = TlsConnector::from(Arc::new(config))
            .connect(name, stream)
            .await?;
        let request =
            "GET /api/1.0/parcels HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
        stream.write_all(request.as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        Ok(answer)
    }

    #[tokio::test]
    async fn a_renewed_certificate_is_taken_without_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let database = format!("sqlite://{}", folder.path().join("parcels.db").display());
        let api = Api::builder()
            .resource::<Parcel>()
            .build(Database::connect(&database).await.unwrap())
            .unwrap();
        api.create_missing_tables().await.unwrap();
        let [chain, key] = ["chain.pem", "key.pem"].map(|name| folder.path().join(name));
        let reread = Duration::from_millis(20);
        let certificate = Certificate { chain, key, reread };
        let first = issue(&certificate);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = serve(listener, certificate.clone(), api.router(), async {
            let _ = stopped.await;
        });
        let serving = tokio::spawn(serving);
        let answer = asked(port, &first).await.unwrap();
        assert!(
            answer.ends_with(r#"{"items":[],"totalItems":0}"#),
            "{answer}"
        );
        let second = issue(&certificate);
        // The file is read within its interval; the test ends by its time limit if it is not.
        while asked(port, &second).await.is_err() {
            tokio::task::yield_now().await;
        }
        stop.send(()).unwrap();
        serving.await.unwrap().unwrap();
    }
}
