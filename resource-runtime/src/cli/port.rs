//! A port of a service, which is bound before the service listens on it.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;

use tokio::net::{TcpListener, TcpSocket, lookup_host};

use crate::Error;

/// Connections that wait to be accepted, as many as with every listener of tokio.
const BACKLOG: u32 = 1024;

/// A bound port. The system refuses its clients until somebody listens.
#[derive(Debug)]
pub(super) struct Port {
    socket: TcpSocket,
    address: SocketAddr,
    flag: &'static str,
}

impl Port {
    /// Binds the port of an address, the value of this flag.
    pub(super) async fn bind(flag: &'static str, address: &str) -> Result<Self, Error> {
        // One block collects the errors, which have the same message.
        let bound = async {
            // A host may have several addresses, of which the first that can be bound is taken.
            let mut bound = Err(ErrorKind::AddrNotAvailable.into());
            for address in lookup_host(address).await? {
                bound = socket(address);
                if bound.is_ok() {
                    break;
                }
            }
            let socket = bound?;
            // For port 0 only the socket knows the port that the system chose.
            let address = socket.local_addr()?;
            Ok(Self {
                socket,
                address,
                flag,
            })
        };
        bound.await.map_err(|error| failed(flag, address, error))
    }

    pub(super) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Lets clients connect.
    pub(super) fn listen(self) -> Result<TcpListener, Error> {
        // Of two processes that have bound a port and do not listen yet, the later one fails here.
        let listener = self.socket.listen(BACKLOG);
        listener.map_err(|error| failed(self.flag, &self.address.to_string(), error))
    }
}

fn socket(address: SocketAddr) -> io::Result<TcpSocket> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4(),
        SocketAddr::V6(_) => TcpSocket::new_v6(),
    }?;
    // A service that restarts need not wait for connections of before. On Windows it would share the port.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}

fn failed(flag: &str, address: &str, error: io::Error) -> Error {
    let remedy = remedy(flag, address, error.kind());
    let remedy = remedy.map(|it| format!("; {it}")).unwrap_or_default();
    let problem = format!("cannot listen on {address}: {error}{remedy}");
    Error::configuration(problem).with_source(error)
}

fn remedy(flag: &str, address: &str, kind: ErrorKind) -> Option<String> {
    // People write the port alone, or the host.
    let port = address.strip_prefix(':').unwrap_or(address);
    if port.parse::<u16>().is_ok() {
        return Some(format!(
            "name the host, too, like `{flag} 127.0.0.1:{port}`"
        ));
    }
    Some(match kind {
        ErrorKind::AddrInUse => format!(
            "stop the process that listens there, or name another address by `{flag}`, with port 0 for any free one"
        ),
        ErrorKind::AddrNotAvailable => {
            format!("this machine has no such address; all that it has are `{flag} 0.0.0.0:8080`")
        }
        ErrorKind::PermissionDenied => {
            format!("choose a port from 1024 on, like `{flag} 127.0.0.1:8080`")
        }
        ErrorKind::InvalidInput => format!(
            "name a host and a port, like `{flag} 127.0.0.1:8080`, or the port alone by `PORT=8080`"
        ),
        _ => return None,
    })
}
