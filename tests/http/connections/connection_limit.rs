//! More connections than there may be, and as many as there may be.

use std::io::Write;
use std::net::TcpStream;

use nix::sys::resource::{Resource, getrlimit, setrlimit};

use super::client::{GET, read_answer, stays_silent};
use super::server::Server;
use super::{SHORT, hello, long_timeouts};

#[test]
fn connections_over_the_limit_wait_for_their_turn() {
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
fn a_late_connection_makes_room_for_a_new_one() {
    let options = long_timeouts().connections(1).first_byte_timeout(SHORT);
    let server = Server::start(options, hello());
    let _silent = server.connect();
    let mut stream = server.connect();
    stream.write_all(GET).unwrap();
    read_answer(&stream, "hello");
}

#[test]
fn a_limit_of_no_connections_is_one() {
    let server = Server::start(long_timeouts().connections(0), hello());
    let mut stream = server.connect();
    stream.write_all(GET).unwrap();
    read_answer(&stream, "hello");
}

#[test]
fn idle_connections_do_not_keep_others_out() {
    let server = Server::start(long_timeouts(), hello());
    let answered = |_| {
        let mut stream = server.connect();
        stream.write_all(GET).unwrap();
        read_answer(&stream, "hello");
        stream
    };
    open_more_files();
    let _idle: Vec<TcpStream> = (0..CROWD / 2).map(answered).collect();
    let _silent: Vec<TcpStream> = (0..CROWD / 2).map(|_| server.connect()).collect();
    answered(0);
}

#[test]
fn a_burst_of_connections_waits_in_the_queue_of_the_kernel() {
    let server = Server::start(long_timeouts().connections(1), hello());
    let mut only = server.connect();
    only.write_all(GET).unwrap();
    read_answer(&only, "hello");
    open_more_files();
    // None of them is accepted. One that the queue had no room for would try again after a second.
    let connected = |_| TcpStream::connect_timeout(&server.address, SHORT).expect("it is queued");
    let _queued: Vec<TcpStream> = (0..BURST).map(connected).collect();
}

/// More than the queue of 128 that listeners begin with.
const BURST: u64 = 500;

const CROWD: u64 = 2000;

/// Both ends of the connections are in this process, and those of other tests.
const FILES: u64 = 2 * CROWD + 1000;

/// Lets this process open as many as are needed, where it may not yet.
fn open_more_files() {
    let (now, most) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
    assert!(
        most >= FILES,
        "this test opens {FILES} files, of which this process may open {most}; raise the hard limit"
    );
    setrlimit(Resource::RLIMIT_NOFILE, now.max(FILES), most).unwrap();
}
