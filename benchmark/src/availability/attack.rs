//! Attacking clients, which ask for expensive answers.

use std::io::Write as _;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use super::probe::sent;
use crate::random::{Random, unused_number};

/// Pause of a client that was refused.
const PAUSE: Duration = Duration::from_millis(100);

/// Timeout of a request: longer than any scenario takes.
const PATIENCE: Duration = Duration::from_mins(1);

/// A function that makes a request.
pub(super) type Draw = Box<dyn Fn(&mut Random) -> String + Sync>;

pub(super) enum Attack {
    /// A number of clients that ask, read the answer, pause for a time, and ask again.
    Asking(usize, Duration, Draw),
    /// A number of new clients in each interval, which ask and read nothing.
    Holding(usize, Duration, Draw),
}

impl Attack {
    pub(super) fn run(&self, address: &str, is_over: &AtomicBool) {
        match self {
            Self::Asking(clients, pause, draw) => thread::scope(|scope| {
                for _ in 0..*clients {
                    scope.spawn(|| ask(address, *pause, draw, is_over));
                }
            }),
            Self::Holding(clients, every, draw) => hold(address, *clients, *every, draw, is_over),
        }
    }
}

fn ask(address: &str, pause: Duration, draw: &Draw, is_over: &AtomicBool) {
    let mut random = Random::new(unused_number());
    let mut client = None;
    while !is_over.load(Ordering::Relaxed) {
        let answer = sent(&mut client, address, PATIENCE, &draw(&mut random));
        sleep(if answer.is_ok() { pause } else { PAUSE });
    }
}

fn hold(address: &str, clients: usize, every: Duration, draw: &Draw, is_over: &AtomicBool) {
    let mut random = Random::new(unused_number());
    let mut held = Vec::new();
    let mut due = Instant::now();
    while !is_over.load(Ordering::Relaxed) {
        if Instant::now() < due {
            sleep(PAUSE);
            continue;
        }
        for _ in 0..clients {
            // A client that is not let in holds nothing.
            if let Ok(mut stream) = TcpStream::connect(address)
                && stream.write_all(draw(&mut random).as_bytes()).is_ok()
            {
                // Dropping the stream would close its connection.
                held.push(stream);
            }
        }
        due += every;
    }
}
