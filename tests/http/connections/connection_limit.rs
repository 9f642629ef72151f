//! The limit on connections: connections beyond it, and as many as it allows.

use std::io::Write;
use std::net::TcpStream;

use nix::sys::resource::{Resource, getrlimit, setrlimit};

use super::client::{GET, read_answer, stays_silent};
use super::server::Server;
use super::{SHORT, hello, long_timeouts};

#[test]
fn connections_over_the_limit_wait_until_another_closes() {
    let server = Server::start(long_timeouts().connections(2), hello());
    let mut first = server.connect();
    first.write_all(GET).unwrap();
    read_answer(&first, "hello");
    let second = server.connect();
    let mut third = server.connect();
    third.write_all(GET).unwrap();
    assert!(stays_silent(&third, SHORT * 2));
    drop(second);
    read_answer(&third, "hello");
    first.write_all(GET).unwrap();
    read_answer(&first, "hello");
}

#[test]
fn a_timed_out_connection_makes_room_for_a_new_one() {
    let options = long_timeouts().connections(1).first_byte_timeout(SHORT);
    let server = Server::start(options, hello());
    let _silent = server.connect();
    let mut stream = server.connect();
    stream.write_all(GET).unwrap();
    read_answer(&stream, "hello");
}

#[test]
fn a_connection_limit_of_zero_means_one() {
    let server = Server::start(long_timeouts().connections(0), hello());
    let mut stream = server.connect();
    stream.write_all(GET).unwrap();
    read_answer(&stream, "hello");
}

#[test]
fn idle_connections_do_not_block_new_ones() {
    let server = Server::start(long_timeouts(), hello());
    let answered = |_| {
        let mut stream = server.connect();
        stream.write_all(GET).unwrap();
        read_answer(&stream, "hello");
        stream
    };
    raise_the_open_file_limit();
    let _idle: Vec<TcpStream> = (0..CROWD / 2).map(answered).collect();
    let _silent: Vec<TcpStream> = (0..CROWD / 2).map(|_| server.connect()).collect();
    answered(0);
}

#[test]
fn a_burst_of_connections_waits_in_the_listen_backlog() {
    let server = Server::start(long_timeouts().connections(1), hello());
    let mut only = server.connect();
    only.write_all(GET).unwrap();
    read_answer(&only, "hello");
    raise_the_open_file_limit();
    // None of them is accepted. A connection that the backlog had no room for would retry after a second.
    let connected =
        |_| TcpStream::connect_timeout(&server.address, SHORT).expect("a queued connection");
    let _queued: Vec<TcpStream> = (0..BURST).map(connected).collect();
}

/// More connections than the default backlog of 128.
const BURST: u64 = 500;

const CROWD: u64 = 2000;

/// Files that this process opens: both ends of each connection, and those of other tests.
const FILES: u64 = 2 * CROWD + 1000;

/// Raises the soft limit on open files of this process to `FILES`.
fn raise_the_open_file_limit() {
    let (now, most) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
    assert!(
        most >= FILES,
        "this test opens {FILES} files, of which this process may open {most}; raise the hard limit"
    );
    setrlimit(Resource::RLIMIT_NOFILE, now.max(FILES), most).unwrap();
}
