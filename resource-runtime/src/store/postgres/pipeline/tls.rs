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
use tokio_postgres::{Client, Config, NoTls};

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The question whether a server encrypts.
const SSL_REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];

/// Connects to a server, with the settings of sessions that the options have.
pub(super) async fn connect(server: &PgConnectOptions) -> Result<Client, Failure> {
    let (host, port, mode) = (server.get_host(), server.get_port(), server.get_ssl_mode());
    // The options hand out the password and the files as parts of a URL alone, which not every name fits into.
    let url = server.clone().host("localhost").username("").to_url_lossy();
    let password = percent_decode_str(url.password().unwrap_or_default());
    let mut config = Config::new();
    config
        .user(server.get_username())
        .password(password.collect::<Vec<u8>>())
        .dbname(server.get_database().unwrap_or(server.get_username()))
        .options(server.get_options().unwrap_or_default())
        // The stream is encrypted before it is handed over.
        .ssl_mode(SslMode::Disable);
    if let Some(name) = server.get_application_name() {
        config.application_name(name);
    }
    if let Some(folder) = server.get_socket() {
        let stream = UnixStream::connect(folder.join(format!(".s.PGSQL.{port}"))).await?;
        return begin(&config, stream).await;
    }
    let mut stream = TcpStream::connect((host, port)).await?;
    stream.set_nodelay(true)?;
    if matches!(mode, PgSslMode::Disable | PgSslMode::Allow) {
        return begin(&config, stream).await;
    }
    let mut answer = [0];
    stream.write(&SSL_REQUEST).await?;
    stream.read(&mut &mut answer[..]).await?;
    match (&answer, mode) {
        (b"S", _) => {}
        (b"N", PgSslMode::Prefer) => return begin(&config, stream).await,
        _ => return Err("the server does not encrypt".into()),
    }
    let [root, certificate, key] = ["sslrootcert", "sslcert", "sslkey"].map(|name| {
        let (_, value) = url.query_pairs().find(|(it, _)| it == name)?;
        // A path is shown with its kind before it.
        let value = value.strip_prefix("file: ").unwrap_or(&value);
        Some(CertificateInput::from(value.to_owned()))
    });
    let demands = TlsConfig {
        accept_invalid_certs: !matches!(mode, PgSslMode::VerifyCa | PgSslMode::VerifyFull),
        accept_invalid_hostnames: !matches!(mode, PgSslMode::VerifyFull),
        hostname: host,
        root_cert_path: root.as_ref(),
        client_cert_path: certificate.as_ref(),
        client_key_path: key.as_ref(),
    };
    let encrypted = handshake(stream, demands, SocketIntoBox).await?;
    begin(&config, Encrypted(encrypted)).await
}

/// Begins a session. Its connection ends by itself once its client is dropped, and its failure is that of the statements.
async fn begin<S>(config: &Config, stream: S) -> Result<Client, Failure>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let (client, connection) = config.connect_raw(stream, NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}

/// An encrypted stream of sqlx, as one of tokio.
struct Encrypted(Box<dyn Socket>);

impl Encrypted {
    /// Repeats an operation until it need not wait. To be ready for either direction is the same within TLS.
    fn poll(
        &mut self,
        cx: &mut Context<'_>,
        mut operation: impl FnMut(&mut dyn Socket) -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        loop {
            match operation(&mut *self.0) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    ready!(self.0.poll_read_ready(cx))?;
                }
                done => return Poll::Ready(done),
            }
        }
    }
}

impl AsyncRead for Encrypted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut free = buffer.initialize_unfilled();
        let read = ready!(self.poll(cx, |socket| socket.try_read(&mut free)))?;
        buffer.advance(read);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Encrypted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll(cx, |socket| socket.try_write(bytes))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0.poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0.poll_shutdown(cx)
    }
}
