//! Connections of pipelines, encrypted as sqlx encrypts its own.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use percent_encoding::percent_decode_str;
use sqlx::ConnectOptions as _;
use sqlx::postgres::{PgConnectOptions, PgSslMode};
use sqlx_core::net::tls::{CertificateInput, TlsConfig, handshake};
use sqlx_core::net::{Socket, SocketIntoBox};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpStream, UnixStream};
use tokio_postgres::config::SslMode;
use tokio_postgres::tls::{ChannelBinding, TlsConnect, TlsStream};
use tokio_postgres::{Client, Config};

use crate::boxed::BoxFuture;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Connects to a server, with the settings of sessions that the options have.
pub(super) async fn connect(server: &PgConnectOptions) -> Result<Client, Failure> {
    let (config, tls) = (config(server), Tls::of(server));
    let (host, port) = (server.get_host(), server.get_port());
    if let Some(folder) = server.get_socket() {
        let stream = UnixStream::connect(folder.join(format!(".s.PGSQL.{port}"))).await?;
        return begin(&config, stream, tls).await;
    }
    let stream = TcpStream::connect((host.trim_matches(['[', ']']), port)).await?;
    stream.set_nodelay(true)?;
    begin(&config, stream, tls).await
}

/// Begins a session. Its connection ends by itself once its client is dropped, and its failure is that of the statements.
async fn begin<S>(config: &Config, stream: S, tls: Tls) -> Result<Client, Failure>
where
    S: Socket + AsyncRead + AsyncWrite,
{
    let (client, connection) = config.connect_raw(stream, tls).await?;
    tokio::spawn(connection);
    Ok(client)
}

fn config(server: &PgConnectOptions) -> Config {
    let mut config = Config::new();
    config
        .user(server.get_username())
        .dbname(server.get_database().unwrap_or(server.get_username()))
        .options(server.get_options().unwrap_or_default())
        .application_name(server.get_application_name().unwrap_or_default())
        .ssl_mode(match server.get_ssl_mode() {
            _ if server.get_socket().is_some() => SslMode::Disable,
            PgSslMode::Disable | PgSslMode::Allow => SslMode::Disable,
            PgSslMode::Prefer => SslMode::Prefer,
            PgSslMode::Require | PgSslMode::VerifyCa | PgSslMode::VerifyFull => SslMode::Require,
        });
    // The options hand the password out as a part of a URL alone.
    if let Some(password) = server.to_url_lossy().password() {
        config.password(percent_decode_str(password).collect::<Vec<u8>>());
    }
    config
}

/// The demands on the certificate of a server.
struct Tls {
    mode: PgSslMode,
    host: String,
    root: Option<CertificateInput>,
    certificate: Option<CertificateInput>,
    key: Option<CertificateInput>,
}

impl Tls {
    fn of(server: &PgConnectOptions) -> Self {
        let url = server.to_url_lossy();
        let file = |name| {
            let mut parameters = url.query_pairs();
            let (_, value) = parameters.find(|(it, _)| it == name)?;
            // A path is shown with its kind before it.
            let value = value.strip_prefix("file: ").unwrap_or(&value);
            Some(CertificateInput::from(value.to_owned()))
        };
        Self {
            mode: server.get_ssl_mode(),
            host: server.get_host().to_owned(),
            root: file("sslrootcert"),
            certificate: file("sslcert"),
            key: file("sslkey"),
        }
    }
}

impl<S: Socket> TlsConnect<S> for Tls {
    type Stream = Encrypted;
    type Error = sqlx::Error;
    type Future = BoxFuture<'static, sqlx::Result<Encrypted>>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move {
            let demands = TlsConfig {
                accept_invalid_certs: !matches!(
                    self.mode,
                    PgSslMode::VerifyCa | PgSslMode::VerifyFull
                ),
                accept_invalid_hostnames: !matches!(self.mode, PgSslMode::VerifyFull),
                hostname: &self.host,
                root_cert_path: self.root.as_ref(),
                client_cert_path: self.certificate.as_ref(),
                client_key_path: self.key.as_ref(),
            };
            handshake(stream, demands, SocketIntoBox)
                .await
                .map(Encrypted)
        })
    }
}

/// An encrypted stream of sqlx, as one of tokio.
struct Encrypted(Box<dyn Socket>);

impl AsyncRead for Encrypted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            let mut free = buffer.initialize_unfilled();
            match self.0.try_read(&mut free) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    ready!(self.0.poll_read_ready(cx))?;
                }
                read => {
                    buffer.advance(read?);
                    return Poll::Ready(Ok(()));
                }
            }
        }
    }
}

impl AsyncWrite for Encrypted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        loop {
            match self.0.try_write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    ready!(self.0.poll_write_ready(cx))?;
                }
                written => return Poll::Ready(written),
            }
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0.poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0.poll_shutdown(cx)
    }
}

impl TlsStream for Encrypted {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}
